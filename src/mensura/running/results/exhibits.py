"""Exhibits: what the tests' own literature shows of stored sessions, for runs, comparisons and studies alike."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mensura.dialogue import Record, Scores, Test
from mensura.exhibit import Exhibit, Group
from mensura.running.results.estimating import Estimated

if TYPE_CHECKING:
    from mensura.store import RunHead, Store


@dataclass(frozen=True)
class StoredRecords:
    """The records and truths of some sessions of runs, read anew each time they are iterated."""

    store: "Store"
    runs: Sequence[str]
    sessions: Collection[str]

    def __iter__(self) -> Iterator[tuple[Record, dict[str, Any]]]:
        for run in self.runs:
            for record, truths in self.store.records_with_truths(run):
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
    return Group(
        name,
        heads[0].condition,
        heads[0].parameters,
        list(scores.values()),
        bool(heads[0].details.get("simulated")),
        StoredRecords(store, [head.id for head in heads], scores),
        {score: one.estimate for score, one in estimated.items()},
    )


def shown_by(test: Test, groups: Sequence[Group]) -> list[Exhibit]:
    """Make the exhibits of a test from those groups that hold sessions."""
    taken = [group for group in groups if group.scores]
    return list(test.exhibits(taken)) if test.exhibits is not None and taken else []
