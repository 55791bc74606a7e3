"""Casting: makes the subjects of a session, one for each role, and lets them go."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from mensura.catalog.find import find_test
from mensura.dialogue import Limits, Test
from mensura.running.cost.steward import RunSteward
from mensura.running.hidden import hiding
from mensura.subjects import Subject, SubjectSpec
from mensura.subjects.model.cost.spending import Spending
from mensura.subjects.sandbox.confinement import Confinement
from mensura.subjects.subject import close, collective, own_minds

if TYPE_CHECKING:
    from mensura.running.job import Job

Waiting = tuple[SubjectSpec, str, Limits, Confinement]
_waiting: dict[Waiting, list[Subject]] = {}
"""Programs of this process that serve many sessions, by all that they were made from."""


@dataclass
class Casting:
    """The subjects of a session, or of several that they take one after the other."""

    specs: Mapping[str, SubjectSpec]
    test: Test
    limits: Limits
    confinement: Confinement
    cast: dict[str, Subject] = field(default_factory=dict)
    spending: Spending = field(default_factory=Spending)
    steward: RunSteward | None = None

    @classmethod
    def of(cls, job: "Job", test: Test, cast: Mapping[str, Subject] | None = None) -> "Casting":
        """Cast a job; some of its subjects may be there already."""
        spending = replace(job.spending, epoch=job.address.session, session=job.session)
        steward = RunSteward(job.session, job.desk, job.store, job.key) if job.store else None
        return cls(job.cast, test, job.limits, confined(job), dict(cast or {}), spending, steward)

    def fill(self) -> dict[str, Subject]:
        """Make a subject for every role that has none yet; a collective plays all the roles that it is cast for."""
        alike = {self.specs[role]: member for role, member in reversed(self.cast.items()) if role in self.specs}
        for role, spec in self.specs.items():
            if role not in self.cast:
                same = alike.get(spec)
                self.cast[role] = same if same is not None and collective(same) else self._made(spec)
                alike.setdefault(spec, self.cast[role])
        self.cast.update(own_minds(self.cast))
        return self.cast

    def let_go(self, *, again: bool = False) -> None:
        """Close everyone; a program that serves many sessions may wait for another one."""
        for role, subject in {id(subject): (role, subject) for role, subject in self.cast.items()}.values():
            if again and getattr(subject, "serves_many", False):
                _waiting.setdefault(self._key(self.specs[role]), []).append(subject)
            else:
                close(subject)

    def _made(self, spec: SubjectSpec) -> Subject:
        if waiting := _waiting.get(self._key(spec)):
            return waiting.pop()
        return spec.make(
            self.test, limits=self.limits, confinement=self.confinement, spending=self.spending, steward=self.steward
        )

    def _key(self, spec: SubjectSpec) -> Waiting:
        return spec, self.test.id, self.limits, self.confinement


def close_waiting() -> None:
    """Close the programs that wait for another session."""
    while _waiting:
        for subject in _waiting.popitem()[1]:
            close(subject)


def confined(job: "Job") -> Confinement:
    """Return what the subjects of a job may see and reach, here where it is taken."""
    test = find_test(job.test)
    folders = [spec.folder for spec in job.cast.values() if spec.is_stranger(test)]
    if not folders:
        # Folders are looked through for strangers only: there may be a job for each of thousands of items.
        return job.confinement
    return hiding(job.confinement, reference=job.test, test=test, store=job.store, folders=folders)
