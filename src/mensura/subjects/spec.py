"""Spec: a subject by name and options, from which every worker makes its own."""

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from mensura.dialogue import Limits, Test
from mensura.dialogue.canonical import canonical
from mensura.subjects.callable import as_subject
from mensura.subjects.model.cost.spending import Spending
from mensura.subjects.naming import Factory, Naming, split_group, split_options, split_settings
from mensura.subjects.outside.bounds import Bounds
from mensura.subjects.sandbox.confinement import Confinement
from mensura.subjects.solver.solver import OURS as SOLVERS
from mensura.subjects.solver.solver import most_asks
from mensura.subjects.subject import Subject, knows, name_of
from mensura.subjects.tools.steward import Steward

if TYPE_CHECKING:
    from mensura.subjects.model.reaching.probe import Contact

HUMAN = "human"
"""The name of the subject that is a person on a page."""


STRANGERS = ("program", "file", "policy", "team", "assisted", "solve", "fault")
"""Sorts of names that start a process of somebody else's, or have members that may."""
EQUIPPED = ("tools", "mcp", "approve")
"""Options by which a language model does."""


@dataclass(frozen=True, eq=False)
class SubjectSpec:
    """A subject by name, with options; picklable, so that every worker makes its own.

    Parameters
    ----------
    name
        As for `--as`: "chance", "./mine.py:respond", "llm:MODEL@http://host/v1" ...
    options
        Keyword arguments of this kind of subject, and limits (`mensura.subjects.Bounds`: `answer_seconds` and so on).
    given
        A function, class or factory of Python's that is the subject; `name` is then what the record calls it.
    folder
        Where files are meant from.
    """

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)
    given: Any = None
    folder: str = field(default_factory=os.getcwd)

    @classmethod
    def of(cls, subject: "SubjectSpec | str | Callable[..., Any]") -> "SubjectSpec":
        """Take a spec as it is, a text as a name, and anything callable as the subject itself."""
        if isinstance(subject, SubjectSpec):
            return subject
        if isinstance(subject, str):
            return cls(subject)
        return cls(name_of(subject), given=subject)

    def make(
        self,
        test: Test,
        *,
        limits: Limits | None = None,
        confinement: Confinement = Confinement(),
        spending: Spending = Spending(),
        steward: Steward | None = None,
    ) -> Subject:
        """Make the subject for a test."""
        return self.find(test, limits=limits, confinement=confinement, spending=spending, steward=steward)()

    def find(
        self,
        test: Test,
        *,
        limits: Limits | None = None,
        confinement: Confinement = Confinement(),
        spending: Spending = Spending(),
        steward: Steward | None = None,
    ) -> Factory:
        """Find what makes the subject, without making it: raises what is wrong with name or options."""
        if self.given is not None:
            _, options = split_options(self.options)
            return lambda: as_subject(self.given, options=options)
        naming = self.naming(test, limits=limits, confinement=confinement, spending=spending)
        return replace(naming, steward=steward).find(self.name)

    def contacts(self, test: Test, *, limits: Limits, spending: Spending) -> "list[Contact]":
        """Return how the language models are reached that it is or holds."""
        if self.given is not None or "llm:" not in f"{self.name} {self.options}":
            return []
        found: list[Contact] = []
        replace(self.naming(test, limits=limits, spending=spending), contacts=found).find(self.name)
        return found

    def naming(
        self,
        test: Test,
        *,
        limits: Limits | None = None,
        confinement: Confinement = Confinement(),
        spending: Spending = Spending(),
    ) -> Naming:
        """Return what its name is read with."""
        bounds, options = split_options(self.options)
        if limits is not None:
            bounds.setdefault("answer_seconds", limits.answer_seconds)
        return Naming(test, options, Bounds(**bounds), self.folder, confinement=confinement, spending=spending)

    def is_stranger(self, test: Test) -> bool:
        """Return whether it is a program or a file, or may hold one: somebody who must be kept apart."""
        if self.given is not None:
            return False
        naming, plain = self.naming(test).read(self.name)
        sort = naming.sort_of(plain)
        return sort in STRANGERS or (sort == "llm" and any(name in naming.options for name in EQUIPPED))

    @property
    def is_costly(self) -> bool:
        """Return whether its answers cannot be had again for nothing: those of people, paid models and other services.

        >>> [SubjectSpec(name).is_costly for name in ("llm:some-model", "solve:cot(llm:m)", "terminal", "chance")]
        [True, True, True, False]
        """
        return any(part in self.name for part in ("llm:", "http:", "https:", "terminal", HUMAN))

    @property
    def most_requests(self) -> int:
        """How many requests a model or service is sent for one answer, at most, not counting calls of tools.

        A solver of the user's own counts as often as it has copies of its subject.

        >>> names = ("llm:m", "solve:self-consistency(solve:cot(llm:m))#samples=3", "solve:critique(llm:m)#rounds=2")
        >>> [SubjectSpec(name).most_requests for name in names]
        [1, 3, 5]
        """
        return _most_requests(self.name)

    @property
    def approved_by_people(self) -> bool:
        """Return whether it is a model, or holds one, whose calls of tools a person on a page approves of.

        >>> names = ("llm:m#tools=shell#approve=human", "llm:m#approve=human:x")
        >>> [SubjectSpec(name).approved_by_people for name in names]
        [True, False]
        """
        asked = re.search(rf"#approve=\(?{HUMAN}\)?(?=[#,)+]|$)", self.name)
        return self.given is None and (asked is not None or self.options.get("approve") == HUMAN)

    @property
    def answers_beside(self) -> bool:
        """Return whether it can be awaited, so that one thread takes many of its sessions at once.

        A group can whose members all can, unless code of the user's own holds it together and may keep others waiting.

        >>> names = ("llm:some-model", "chance", "team:mean(llm:m,llm:n)", "solve:cot(chance)", "solve:./x.py:f(llm:m)")
        >>> [SubjectSpec(name).answers_beside for name in names]
        [True, False, True, False, False]
        """
        return self.given is None and _can_be_awaited(self.name)

    def knows(self, test: Test) -> bool:
        """Return whether the subject is declared to know the truth of a test."""
        if self.given is not None:
            return knows(self.given)
        _, plain = self.naming(test).read(self.name)
        if plain in test.subjects:
            return knows(test.subjects[plain])
        # Of a group it is known once its members are there.
        return self.name.startswith(("team:", "assisted:", "solve:", "fault:")) and knows(self.make(test))

    def refuse(self, test: Test, parameters: Mapping[str, Any]) -> None:
        """Raise a clear message where the subject, or a member of a group, cannot take a test with these parameters.

        A reference subject declares that by a method `refuse_parameters(name, **parameters)`.
        """
        if self.given is not None:
            thing, named = self.given, self.name
        else:
            _, named = self.naming(test).read(self.name)
            for member in split_group(self.name)[2]:
                SubjectSpec(member, folder=self.folder).refuse(test, parameters)
            thing = test.subjects.get(named) or test.subjects.get(named.partition(":")[0])
        if hasattr(thing, "refuse_parameters"):
            subject = self.make(test) if isinstance(thing, type) else thing
            subject.refuse_parameters(named, **parameters)  # type: ignore[union-attr]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SubjectSpec) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def _identity(self) -> tuple[str, str, int]:
        try:
            options = canonical(dict(self.options))
        except TypeError:
            options = repr(sorted(self.options.items(), key=lambda item: item[0]))
        return (self.name, options, 0 if self.given is None else id(self.given))


def _can_be_awaited(name: str) -> bool:
    sort, title, members = split_group(name)
    if sort == "solve" and title not in SOLVERS:
        return False
    return sort == "llm" or (bool(members) and ":" not in title and all(map(_can_be_awaited, members)))


def _most_requests(name: str) -> int:
    sort, title, members = split_group(name)
    inside = sum(map(_most_requests, members)) if members else 1
    return inside * (most_asks(title, split_settings(name)[1]) if sort == "solve" else 1)


def find_subject(name: str, test: Test, **options: Any) -> Factory:
    """Find what makes the subject of a name, for a test.

    Examples
    --------
    >>> from mensura.dialogue import Ask, Probability, test
    >>> @test("even-v1")
    ... def even(rng):
    ...     yield Ask("Heads?", Probability())
    >>> find_subject("constant:0.5", even)()(Ask("Heads?", Probability()))
    0.5
    >>> find_subject("chanse", even)
    Traceback (most recent call last):
    mensura.errors.UnknownName: There is no subject called 'chanse'. Did you mean chance?
    """
    return SubjectSpec(name, options).find(test)
