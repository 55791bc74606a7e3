"""Exhibits: what the tests' own literature shows of stored sessions, for runs, comparisons and studies alike."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mensura.dialogue import Record, Scores, Test
from mensura.errors import BadExtension, NotInstalled
from mensura.exhibit import Exhibit, Group
from mensura.exhibit.exhibit import left_out
from mensura.extension import broken, extensions, load
from mensura.running.results.counting import control_of, estimates_of
from mensura.running.results.estimating import Estimated
from mensura.subjects.spec import HUMAN

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from mensura.store import RunHead, Store


FIGURES = "mensura.figures"
"""Entry points of packages that bring figures: functions of groups that yield exhibits, as a test's own."""


@dataclass(frozen=True)
class StoredRecords:
    """The records and truths of some sessions of runs, read anew each time they are iterated."""

    store: "Store"
    runs: Sequence[str]
    sessions: Collection[str]

    def __iter__(self) -> Iterator[tuple[Record, dict[str, Any]]]:
        for run in self.runs:
            for record, truths in self.store.records.with_truths(run):
                if record.session in self.sessions:
                    yield record, truths


def run_group(
    name: str,
    heads: Sequence["RunHead"],
    *,
    scores: Mapping[str, Scores],
    estimated: Mapping[str, Estimated],
    store: "Store",
) -> Group:
    """Gather the sessions of runs that are shown as one group, with those of their scores that count."""
    studies = {str(head.details["study"]) for head in heads if "study" in head.details and HUMAN in head.cast.values()}
    cohorts = {session: met for study in studies for session, met in store.invitations.cohorts(study).items()}
    return Group(
        name,
        heads[0].condition,
        heads[0].parameters,
        list(scores.values()),
        bool(heads[0].details.get("simulated")),
        StoredRecords(store, [head.id for head in heads], scores),
        {score: one.estimate for score, one in estimated.items()},
        [cohorts.get(session, ()) for session in scores],
    )


def exhibits_of_runs(
    heads: Sequence["RunHead"], *, store: "Store", test: Test | None, names: Sequence[str] = ()
) -> list[Exhibit]:
    """Make the exhibits of runs side by side; none where the test is not at hand, or they are of different tests."""
    if test is None or not (test.exhibits or extensions(FIGURES)) or len({head.test for head in heads}) > 1:
        return []
    groups = []
    for head, name in zip(heads, names or [", ".join(head.who) for head in heads], strict=True):
        found = store.results.of(head.id)
        estimated = estimates_of(head, found, control=control_of(head, store=store))
        groups.append(run_group(name, [head], scores=found, estimated=estimated, store=store))
    return shown_by(test, groups)


def shown_by(test: Test, groups: Sequence[Group]) -> list[Exhibit]:
    """Make the exhibits of a test, and the figures that packages bring, from groups in which something was answered."""
    taken = [group for group in groups if any(not scores.is_silent for scores in group.scores)]
    if not taken:
        return []
    return _own(test, taken) + [exhibit for point in extensions(FIGURES).values() for exhibit in _brought(point, taken)]


def _own(test: Test, groups: Sequence[Group]) -> list[Exhibit]:
    """Make the exhibits of a test; those that this machine cannot make are named, and the others are shown."""
    shown: list[Exhibit] = []
    try:
        shown.extend(test.exhibits(groups) if test.exhibits is not None else ())
    except NotInstalled as error:
        shown.append(left_out(error, f"What {test.id} shows of its sessions"))
    return shown


def _brought(point: "EntryPoint", groups: Sequence[Group]) -> list[Exhibit]:
    """Make the exhibits of a figure that a package brings; one that fails says so and leaves the report whole."""
    try:
        return list(load(point)(groups))
    except NotInstalled as error:
        return [left_out(error, f"The figure {point.name}")]
    except Exception as error:
        why = error if isinstance(error, BadExtension) else broken(point, f"it raised {type(error).__name__}: {error}")
        return [Exhibit(point.name, str(why))]
