"""StoredScores: the scores of a run's sessions, read from the store whenever they are gone through."""

from collections.abc import ItemsView, Iterator, Mapping, ValuesView
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, islice
from math import nan
from typing import TYPE_CHECKING

from mensura.dialogue import Scores
from mensura.errors import UnknownName

if TYPE_CHECKING:
    from mensura.store import Store

KEPT = 2000
"""Of a run with no more sessions than this, the scores stay in memory: reading takes longer than counting."""


@dataclass(eq=False)
class StoredScores(Mapping[str, Scores]):
    """The latest scores of every session of a run but some, by session id.

    A run may have a hundred thousand sessions, and what one was scored takes kilobytes.

    Parameters
    ----------
    without
        Sessions that are left out.
    unstored
        Scores of sessions that the store does not have.
    unchecked
        Whether nothing is to be read off their values.
    """

    store: "Store"
    run: str
    without: Mapping[str, str] = field(default_factory=dict)
    unstored: Mapping[str, Scores] = field(default_factory=dict)
    unchecked: bool = False
    _kept: dict[str, Scores] | None = field(default=None, init=False, repr=False)

    def __getitem__(self, session: str) -> Scores:
        if session in self.unstored and session not in self.without:
            return self._seen(self.unstored[session])
        with suppress(UnknownName):
            if session not in self.without and session.startswith(f"{self.run}/"):
                for result in reversed(self.store.results.history(session)):
                    return self._seen(result.scores)
        raise KeyError(session)

    def __iter__(self) -> Iterator[str]:
        return (session for session, _ in self.pairs())

    def __len__(self) -> int:
        return len((self.store.results.scored(self.run) | self.unstored.keys()) - self.without.keys())

    def items(self) -> ItemsView[str, Scores]:
        """Return what goes through all sessions."""
        return _Pairs(self)

    def values(self) -> ValuesView[Scores]:
        """Return what goes through all scores."""
        return _Each(self)

    def pairs(self) -> Iterator[tuple[str, Scores]]:
        """Go through all sessions."""
        if self._kept is not None:
            yield from self._kept.items()
            return
        read = ((session, self._seen(scores)) for session, scores in self._each() if session not in self.without)
        first = dict(islice(read, KEPT))
        yield from first.items()
        if len(first) < KEPT:
            self._kept = first
        else:
            del first
            yield from read

    def _each(self) -> Iterator[tuple[str, Scores]]:
        """Go through all sessions of the run, with scores as each session has them by itself."""
        stored = ((result.session, result.scores) for result in self.store.results.each(self.run))
        return chain((pair for pair in stored if pair[0] not in self.unstored), self.unstored.items())

    @cached_property
    def _answered(self) -> bool:
        """Return whether any session of the run has an answer, so that those without one count too."""
        return any(not scores.is_silent for _, scores in self._each())

    def _seen(self, scores: Scores) -> Scores:
        if scores.is_silent:
            known = scores.otherwise or scores
            scores = known if self._answered else known.as_unknown
        return replace(scores, values=dict.fromkeys(scores.values, nan)) if self.unchecked else scores


class _Pairs(ItemsView[str, Scores]):
    _mapping: StoredScores

    def __iter__(self) -> Iterator[tuple[str, Scores]]:
        return self._mapping.pairs()


class _Each(ValuesView[Scores]):
    _mapping: StoredScores

    def __iter__(self) -> Iterator[Scores]:
        return (scores for _, scores in self._mapping.pairs())
