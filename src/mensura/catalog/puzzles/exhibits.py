"""Exhibits of the puzzles: who is general and who is specialised; then kinds, loads, and theory beside answers."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from mensura.catalog.puzzles.cards.card import COLUMNS, SurveyCard, our_cards, row_of, survey_words, surveyed
from mensura.catalog.puzzles.cards.size import HOW
from mensura.catalog.puzzles.difficulty import Faced, difficulty_exhibit
from mensura.catalog.puzzles.norm import Norm
from mensura.catalog.puzzles.scoring import (
    FEWEST_KINDS,
    Count,
    Tried,
    ability,
    by,
    evenness,
    evenness_estimate,
    generality,
    norms_of,
    tried,
)
from mensura.catalog.puzzles.theory import SIMULATED, compare_overlaps
from mensura.exhibit import COLOURS, Exhibit, Figure, Group
from mensura.exhibit.exhibit import Cell
from mensura.stats import Estimate, Scale, unit_estimate

SPREAD = 0.5
"""Evenness from which success counts as spread over kinds."""
SPECIALIST = (
    "Specialist view: one kind at a time says nothing of generality. People are compared with systems over all kinds "
    "that they took, in the first table."
)
ENOUGH = 30
"""Sessions from which answers are factored."""


@dataclass(frozen=True)
class Profile:
    """What a group did with the puzzles of each kind, every item once."""

    group: Group
    items: Sequence[Tried]
    sessions: Sequence[Sequence[Tried]]
    norms: dict[str, Norm]
    card: SurveyCard | None

    @classmethod
    def of(cls, group: Group, cards: dict[str, SurveyCard]) -> "Profile":
        """Read the records of a group."""
        sessions: list[list[Tried]] = []
        norms: dict[str, Norm] = {}
        for record, truths in group.records:
            sessions.append(tried(record, truths))
            norms |= norms_of(sessions[-1], truths)
        everything = [one for session in sessions for one in session]
        return cls(group, everything, sessions, norms, cards.get(group.name))

    @property
    def kinds(self) -> dict[str, Count]:
        """Counts by kind."""
        return by(self.items, lambda one: one.kind)

    def accuracy(self, part: Callable[[Tried], bool]) -> Estimate:
        """Estimate the accuracy in some items: over items like these in one session, else over sessions."""
        if len(self.sessions) == 1:
            return Count.of([one for one in self.items if part(one)]).estimate
        held = [[float(one.right) for one in session if part(one)] for session in self.sessions]
        return unit_estimate([float(np.mean(one)) for one in held if one], scale=Scale(0, 1))

    def in_kind(self, kind: str) -> Estimate:
        """Estimate the accuracy in a kind."""
        return self.accuracy(lambda one: one.kind == kind)

    @property
    def generality(self) -> Estimate:
        """As the run estimates it; of answers whose run does not, over their items."""
        return self.group.estimates.get("generality") or generality(self.kinds)

    @property
    def verdict(self) -> str:
        """What its generality and evenness come to, in words."""
        found, even = self.generality, evenness(self.kinds)
        if not found.has_interval or found.low <= 0:
            return "not told apart from chance"
        if len(self.kinds) < FEWEST_KINDS:
            return "not asked in enough kinds to say"
        if all(count.attempted for count in self.kinds.values()) and even >= SPREAD:
            return "general"
        return "specialised" if even < SPREAD else "general over what it attempts"


def exhibits(groups: Sequence[Group]) -> list[Exhibit]:
    """Show groups beside one another; comparisons by kind are the specialist's view and never come first."""
    cards = {card.name: card for card in our_cards()}
    profiles = [one for group in groups if (one := Profile.of(group, cards)).items]
    if not profiles:
        return []
    shown = [_general(profiles), _by_kind(profiles), _by_load(profiles)]
    items = [one for profile in profiles for one in profile.items]
    shown += difficulty_exhibit([Faced(one.structure, one.kind, one.load, float(not one.right)) for one in items])
    shown += _calibrated(profiles)
    if any(profile.card for profile in profiles):
        shown.append(_cards([profile.card for profile in profiles if profile.card]))
    people = [profile for profile in profiles if len(profile.sessions) >= ENOUGH]
    return shown + [one for profile in people for one in _theory(profile)]


def _general(profiles: Sequence[Profile]) -> Exhibit:
    columns = ("subject", "generality", "evenness", "kinds attempted", "abstained", "verdict", "lines", "rules", "bits")
    rows: list[Sequence[Cell]] = []
    for one in sorted(profiles, key=lambda profile: -profile.generality.value):
        attempted = sum(count.attempted > 0 for count in one.kinds.values())
        abstained = sum(count.abstained for count in one.kinds.values())
        size = one.card.size if one.card else None
        sizes: Sequence[Cell] = (size.lines, size.rules, size.bits) if size else (None, None, None)
        kinds = f"{attempted} of {len(one.kinds)}"
        spread = (one.generality, evenness_estimate(one.kinds))
        rows.append((one.group.name, *spread, kinds, abstained, one.verdict, *sizes))
    words = (
        "Generality is the mean over kinds of (accuracy - chance) / (1 - chance), 0 for kinds that were not attempted; "
        f"evenness is 1 where success is the same in every kind and 0 where it is all in one. {HOW}"
    )
    return Exhibit("Who is general and who is specialised", words, columns, rows)


def _calibrated(profiles: Sequence[Profile]) -> list[Exhibit]:
    """Show abilities on the scale of a calibrated bank, and how far load predicts what it measured."""
    known = {one.structure: one for profile in profiles for one in profile.items if one.calibration}
    if not known:
        return []
    rows: list[Sequence[Cell]] = []
    for profile in profiles:
        abilities = [ability(session) for session in profile.sessions]
        found = profile.group.estimates.get("ability") or (abilities[0] if len(abilities) == 1 else None)
        rows.append((profile.group.name, found, sum(bool(one.calibration) for one in profile.items)))
    norms = {str((one.calibration or {}).get("norm") or "unknown") for one in known.values()}
    words = f"0 is the mean and 1 the standard deviation of those who calibrated the items: {'; '.join(sorted(norms))}."
    faced = [Faced(one.structure, one.kind, one.load, float((one.calibration or {})["b"])) for one in known.values()]
    table = Exhibit("Ability on the scale of the calibrated bank", words, ("subject", "ability", "items"), rows)
    return [table, *difficulty_exhibit(faced, measured=True)]


def _by_kind(profiles: Sequence[Profile]) -> Exhibit:
    columns = ("subject", "kind", "accuracy", "chance", "asked", "attempted", "abstained", "norm", "against the norm")
    rows: list[Sequence[Cell]] = []
    for one in profiles:
        for kind, count in one.kinds.items():
            norm = one.norms.get(kind)
            found = one.in_kind(kind)
            against = norm.verdict(found) if norm else None
            told = (found, count.chance, count.asked, count.attempted, count.abstained)
            rows.append((one.group.name, kind, *told, norm.accuracy if norm else None, against))
    said = [f"{one.group.name} on {kind}: {one.in_kind(kind)}" for one in profiles for kind in one.kinds]
    figure = Figure(partial(_chart, profiles), "Accuracy by kind with 95 % intervals. " + "; ".join(said))
    return Exhibit("Specialist: accuracy by kind", SPECIALIST, columns, rows, [figure])


def _chart(profiles: Sequence[Profile]) -> Any:
    import altair

    points = [
        {"subject": one.group.name, "kind": kind, "accuracy": found.value, "low": found.low, "high": found.high}
        for one in profiles
        for kind in one.kinds
        if (found := one.in_kind(kind)).has_interval
    ]
    base = altair.Chart(altair.InlineData(points)).encode(
        y=altair.Y("kind:N", title=None),
        yOffset="subject:N",
        color=altair.Color("subject:N", scale=altair.Scale(range=list(COLOURS))),
    )
    scale = altair.Scale(domain=[0, 1])
    bars = base.mark_rule(size=3).encode(x=altair.X("low:Q", title="accuracy", scale=scale), x2="high:Q")
    return (bars + base.mark_point(filled=True, size=60).encode(x="accuracy:Q")).properties(width=420)


def _by_load(profiles: Sequence[Profile]) -> Exhibit:
    rows: list[Sequence[Cell]] = []
    for one in profiles:
        for rules in sorted({item.load["rules"] for item in one.items if "rules" in item.load}):
            having = partial(_has_rules, rules)
            count = Count.of([item for item in one.items if having(item)])
            rows.append((one.group.name, int(rules), one.accuracy(having), count.asked, count.abstained))
    words = "The number of rules that must be found; puzzles whose source gives no load are left out."
    return Exhibit(
        "Accuracy by the number of rules", words, ("subject", "rules", "accuracy", "asked", "abstained"), rows
    )


def _has_rules(rules: float, item: Tried) -> bool:
    return item.load.get("rules") == rules


def _cards(cards: Iterable[SurveyCard]) -> Exhibit:
    rows = [row_of(card) for card in (*cards, *surveyed())]
    words = f"The subjects above and the works that the survey cites ({survey_words()}), by its questions."
    return Exhibit("The survey's card", words, COLUMNS, rows)


def _theory(profile: Profile) -> list[Exhibit]:
    """Set theory beside the answers of a group that took many sessions of the same kinds."""
    kinds = list(profile.kinds)
    rows = [by(session, lambda one: one.kind) for session in profile.sessions]
    complete = [[row[kind].right / row[kind].asked for kind in kinds] for row in rows if len(row) == len(kinds)]
    if len(complete) < ENOUGH:
        return []
    who = f"{profile.group.name} ({SIMULATED if profile.group.simulated else f'{len(complete)} sessions'})"
    return compare_overlaps(np.array(complete), kinds=kinds, who=who).exhibits()
