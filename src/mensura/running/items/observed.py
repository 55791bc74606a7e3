"""Observed: what the sessions of one run were asked, item by item, and what became of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mensura.dialogue import OUTCOMES, Bank, Items, Score, undeclared
from mensura.dialogue.record import BROKEN_OFF
from mensura.running.reference import installed_test
from mensura.running.results.counting import reason_of
from mensura.running.results.estimating import Circumstances, course_of, session_place
from mensura.running.scoring.declared import declared_of
from mensura.store.head import RunHead

if TYPE_CHECKING:
    from mensura.dialogue import Scores
    from mensura.store import Store
    from mensura.store.log.exchanges import Exchange

Numbers = NDArray[np.float64]
Codes = NDArray[np.int64]
ENDED = {"answer": "unresolved", "refuse": "refused", "abstain": "abstained", "lapse": "timed_out"}
"""The outcome of a question that has no score, by the event that ended it."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """One item as one session met it."""

    session: str
    key: str
    id: str
    """Hash of the question and its truth, by which items are paired; "" where it was not scored."""
    question: str
    """Hash of the question alone, which may be shown while its truth is kept back."""
    content: str
    """Where prompt and space are stored, as this session was shown them."""
    group: str
    outcome: str
    excluded: str = ""
    """Why its session does not count; "" where it does."""


@dataclass(frozen=True, eq=False)
class ItemRun:
    """The items of one run: one sighting for each time that an item was asked, and numbers beside them."""

    head: RunHead
    circumstances: Circumstances
    bank: Bank | None
    declared: Mapping[str, Score]
    """The scores that items have."""
    sightings: tuple[Sighting, ...]
    values: Mapping[str, Numbers]
    """Score → one value for each sighting; NaN where it has none."""
    tokens: Numbers
    cost: Numbers
    seconds: Numbers
    cached: NDArray[np.bool_]

    @cached_property
    def subjects(self) -> Codes:
        """Return the subject of each sighting, as a number: people one by one, programs and models as one."""
        where = self.circumstances
        if not where.people:
            return np.zeros(len(self.sightings), dtype=np.int64)
        return self.courses if where.visits else self.sessions

    @cached_property
    def sessions(self) -> Codes:
        """In which session each sighting was, as numbers; items of one round of a bank share it."""
        return _codes([session_place(one.session) for one in self.sightings])

    @cached_property
    def courses(self) -> Codes:
        """In which course each sighting was, as numbers."""
        return _codes([course_of(one.session) for one in self.sightings])

    @cached_property
    def counting(self) -> NDArray[np.bool_]:
        """Which sightings are of sessions that were not excluded."""
        return np.array([not one.excluded for one in self.sightings], dtype=bool)

    @cached_property
    def outcomes(self) -> Codes:
        """Return the outcome of each sighting, as places in `OUTCOMES`."""
        return np.array([OUTCOMES.index(one.outcome) for one in self.sightings], dtype=np.int64)


def _codes(labels: Sequence[str]) -> Codes:
    known: dict[str, int] = {}
    return np.array([known.setdefault(label, len(known)) for label in labels], dtype=np.int64)


def read_items(head: RunHead, *, store: "Store") -> ItemRun:
    """Read what the sessions of a run that are over were asked, whether items were dialogues of their own or not."""
    test = installed_test(head)
    bank = None if test is None else test.bank
    exchanges = {(one.session, one.key): one for one in store.exchanges.of(head.id)}
    results = {result.session: result.scores for result in store.results.latest(head.id)}
    excluded = {session: reason_of(one) for session, one in store.exclusions.excluded(head.id).items()}
    sightings: dict[tuple[str, str], Sighting] = {}
    scored: dict[str, dict[tuple[str, str], float]] = {}
    for session, scores in results.items():
        for name, value in scores.values.items():
            if isinstance(value, Items) and value.ids and not value.separate:
                _add(value, session, exchanges, bank, excluded.get(session, ""), sightings)
                keys = ((session, key) for key in value.keys)
                scored.setdefault(name, {}).update(zip(keys, value.values.tolist(), strict=True))
    for asked, one in exchanges.items():
        # Of what has no truth only items of a bank are items: rounds of a game are parts of a session.
        if asked not in sightings and (question := _question(one, bank, fixed=True)):
            outcome = ENDED.get(one.closed) or BROKEN_OFF.get(one.status, "lost")
            why = excluded.get(one.session, "")
            group = "" if bank is None else bank.group_of(one.key)
            sightings[asked] = Sighting(one.session, one.key, "", question, one.content, group, outcome, why)
    # As they were asked: what has no score stands where it stood.
    place = {asked: number for number, asked in enumerate(exchanges)}
    ordered = dict(sorted(sightings.items(), key=lambda pair: place.get(pair[0], len(place))))
    return _gathered(head, bank, results, ordered, scored, exchanges)


def _add(
    value: Items,
    session: str,
    exchanges: Mapping[tuple[str, str], "Exchange"],
    bank: Bank | None,
    excluded: str,
    sightings: dict[tuple[str, str], Sighting],
) -> None:
    """Add the scored items of one session that no other score has brought."""
    groups = value.groups or ("",) * len(value.ids)
    outcomes = value.outcomes or ("answered",) * len(value.ids)
    for key, id, group, outcome in zip(value.keys, value.ids, groups, outcomes, strict=True):
        if (session, key) not in sightings:
            met = exchanges.get((session, key))
            question = ("" if met is None else _question(met, bank, fixed=False)) or _of_bank(bank, key)
            content = "" if met is None else met.content
            sightings[session, key] = Sighting(session, key, id, question, content, group, outcome, excluded)


def _question(one: "Exchange", bank: Bank | None, *, fixed: bool) -> str:
    """Name a question: by its item, by its place in the bank, or by what was shown."""
    return one.item or _of_bank(bank, one.key) or ("" if fixed else one.content)


def _of_bank(bank: Bank | None, key: str) -> str:
    return "" if bank is None else bank.hash_of(key)


def _gathered(
    head: RunHead,
    bank: Bank | None,
    results: Mapping[str, "Scores"],
    sightings: Mapping[tuple[str, str], Sighting],
    scored: Mapping[str, Mapping[tuple[str, str], float]],
    exchanges: Mapping[tuple[str, str], "Exchange"],
) -> ItemRun:
    """Put the numbers beside the sightings."""
    known = declared_of(head, results)
    met = [exchanges.get(asked) for asked in sightings]

    def column(name: str) -> Numbers:
        return np.array([np.nan if one is None else getattr(one, name) for one in met], dtype=float)

    return ItemRun(
        head,
        Circumstances.of(head),
        bank,
        {name: known.get(name) or undeclared(name) for name in scored},
        tuple(sightings.values()),
        {name: np.array([found.get(asked, np.nan) for asked in sightings]) for name, found in scored.items()},
        column("tokens_in") + column("tokens_out"),
        column("cost"),
        column("seconds"),
        np.array([one is not None and one.cached for one in met], dtype=bool),
    )
