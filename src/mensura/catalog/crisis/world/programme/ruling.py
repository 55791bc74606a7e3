"""Ruling: the rules that the manual states, written out for every event."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from itertools import combinations

from mensura.catalog.crisis.world.programme.agenda import DAYTIMES, AgendaItem
from mensura.catalog.crisis.world.programme.sketch import Sketch
from mensura.catalog.crisis.world.programme.timetable import sequence
from mensura.catalog.crisis.world.requirement import Requirement, RuleKind
from mensura.catalog.crisis.world.time import slot_words


def manual_rules(
    agenda: Sequence[AgendaItem], *, place: Mapping[str, tuple[str, int]], moved: Iterable[str], first: date
) -> list[Requirement]:
    """Write the manual's rules for these events; what need not move should stay where it was announced."""
    rules: list[Requirement] = []
    for item in agenda:
        rules += _own(item)
    for one, two in sequence(agenda):
        rules.append(
            Requirement(
                id=f"before-{one}-{two}",
                kind="before",
                leaf="sequence",
                event=one,
                other=two,
                words=f"{one} ends before {two} begins.",
            )
        )
    rules += _tracks([item.draft for item in agenda])
    ids = {item.draft.id for item in agenda}
    for n in range(1, 5):
        if {f"posters-{n}", f"exhibit-{n}"} <= ids:
            rules.append(
                Requirement(
                    id=f"near-posters-{n}",
                    kind="same_building",
                    leaf="places",
                    event=f"posters-{n}",
                    other=f"exhibit-{n}",
                    words=f"Poster session {n} is in the same building as exhibit {n}.",
                )
            )
    gone = set(moved)
    for item in agenda:
        draft = item.draft
        if draft.id not in gone:
            when = slot_words(place[draft.id][1], first=first)
            rules.append(
                Requirement(
                    id=f"stay-{draft.id}",
                    kind="stay",
                    leaf="announced",
                    event=draft.id,
                    weight=0.5,
                    words=f"{draft.short} stays where it was announced, {when}.",
                )
            )
    return rules


def _own(item: AgendaItem) -> list[Requirement]:
    draft = item.draft
    heavy = 2.0 if draft.alone else 1.0

    def rule(kind: RuleKind, words: str, *, leaf: str = "", weight: float = heavy, item: str = "") -> Requirement:
        id = f"{kind}-{draft.id}-{item}" if item else f"{kind}-{draft.id}"
        return Requirement(id=id, kind=kind, leaf=leaf or kind, event=draft.id, item=item, weight=weight, words=words)

    rules = [
        rule("placed", f"{draft.short} has a room that can be used and that nobody else has.", weight=2.0 * heavy),
        rule("capacity", f"The room of {draft.short} holds {draft.attendance} in {draft.layout} layout."),
    ]
    rules += [
        rule("equipment", f"{draft.short} has {'internet' if need == 'internet' else f'a {need}'}.", item=need)
        for need in draft.needs
    ]
    if draft.catering:
        rules.append(rule("catering", f"{draft.catering} portions are delivered to {draft.short}.", weight=1.0))
    if draft.people:
        rules.append(rule("speakers", f"Nobody who must be at {draft.short} is elsewhere at the same time."))
    if draft.alone:
        rules.append(rule("alone", f"Nothing else goes on during {draft.short}.", leaf="plenaries"))
    rules.append(
        Requirement(
            id=f"times-{draft.id}", kind="slots", leaf="times", event=draft.id,
            slots=tuple(sorted({*item.also, *item.times})) if item.ruled else DAYTIMES,
            words=f"{draft.short} is at one of the times the manual allows.",
        )
    )  # fmt: skip
    return rules


def _tracks(drafts: Sequence[Sketch]) -> list[Requirement]:
    pairs = combinations([draft for draft in drafts if draft.track], 2)
    return [
        Requirement(
            id=f"apart-{one.id}-{two.id}",
            kind="apart",
            leaf="sequence",
            event=one.id,
            other=two.id,
            weight=0.25,
            words=f"{one.short} and {two.short} are of one track and never at the same time.",
        )
        for one, two in pairs
        if one.track == two.track
    ]
