"""Reference subjects of the detection test."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mensura.catalog.detection.detectors import Picture, discover_links, foresee_attacks, match_rules, suspects_in
from mensura.catalog.detection.prompts import Dossier, Reports
from mensura.catalog.detection.scoring import FINAL
from mensura.catalog.detection.space import Hypotheses
from mensura.catalog.detection.world.truth import ATTACK, PERSON
from mensura.dialogue import Ask


class Analyst:
    """Keeps the briefing and all reports; subclasses say what they make of them."""

    recomputes = True

    def begin(self, rng: np.random.Generator) -> None:
        """Take the generator of this session and forget the last one."""
        self.rng = rng
        self.briefing: Dossier | None = None
        self.rows: list[Sequence[Any]] = []
        self.cases: list[Any] = []
        self.alerted: set[tuple[Any, Any]] = set()

    def remember(self, ask: Ask, answer: Any) -> None:
        """Bring back the reports, and what was alerted, when a session is resumed."""
        self._take_in(ask)
        attacks = [each for each in answer if each["type"] == ATTACK]
        self.alerted.update(_what(each) for each in attacks)
        self.alerted.update((each["uid"], None) for each in attacks)

    def __call__(self, ask: Ask) -> Any:
        self._take_in(ask)
        if ask.key == FINAL:
            return self.detect()
        assert isinstance(ask.prompt, Reports)
        found = self.foresee(ask.prompt.today)
        fresh = []
        for each in found:
            if each["type"] == ATTACK and _what(each) not in self.alerted:
                self.alerted.add(_what(each))
                fresh.append({key: value for key, value in each.items() if key != "performedBy"})
        named = {name for each in fresh for name in (each.get("directingAgent"), *each.get("deliberateActors", ()))}
        return [*(each for each in found if each["type"] == PERSON and each["uid"] in named), *fresh]

    def foresee(self, today: int) -> list[dict[str, Any]]:
        """Return which attacks are under way: of what is believed now, whatever is not known to be over."""
        return [each for each in self.detect() if each.get("endingDate", today) >= today]

    def _take_in(self, ask: Ask) -> None:
        if isinstance(ask.prompt, Reports):
            if self.briefing is None and ask.prompt.briefing is not None:
                self.briefing = ask.prompt.briefing
                self.cases.extend(self.briefing.cases)
            self.rows.extend(ask.prompt.rows)
            self.cases.extend(ask.prompt.cases)

    def picture(self) -> Picture:
        """Put together what is known so far."""
        assert self.briefing is not None
        return Picture.from_tables(
            self.briefing.tables, rows=self.rows, cases=self.cases, parameters=self.briefing.parameters
        )

    def detect(self) -> list[dict[str, Any]]:
        """Return what is believed now."""
        raise NotImplementedError


class Echo(Analyst):
    """Repeats the cases that stand in evidence: the baseline of knowing nothing more."""

    def detect(self) -> list[dict[str, Any]]:
        return [dict(case) for case in self.cases]


class RuleMatcher(Analyst):
    """Matches applications at targets to modes."""

    def detect(self) -> list[dict[str, Any]]:
        return match_rules(self.picture())


class Links(Analyst):
    """Matches patterns and uses who deals with whom."""

    def detect(self) -> list[dict[str, Any]]:
        return discover_links(self.picture())

    def foresee(self, today: int) -> list[dict[str, Any]]:
        picture = self.picture()
        found = discover_links(picture)
        under_way = [each for each in found if each.get("endingDate", today) >= today]
        return [*under_way, *foresee_attacks(picture, suspects_in(found), today=today)]


class RandomAnalyst(Analyst):
    """Draws attacks at random, once, at the end."""

    def __call__(self, ask: Ask) -> Any:
        assert isinstance(ask.space, Hypotheses)
        return ask.space.draw(self.rng) if ask.key == FINAL else []


class Informer(Analyst):
    """Is told the answer key with every ask: the ceiling. It alerts every attack in the batch in which it begins."""

    knows = "truth"

    def __call__(self, ask: Ask) -> Any:
        reference: list[dict[str, Any]] = ask.aside
        if ask.key == FINAL:
            return reference
        assert isinstance(ask.prompt, Reports)
        today = ask.prompt.today
        persons = [each for each in reference if each["type"] == PERSON]
        fresh = [
            {key: value for key, value in each.items() if key != "performedBy"}
            for each in reference
            if each["type"] == ATTACK and each["startingDate"] <= today and (each["uid"], None) not in self.alerted
        ]
        self.alerted.update((each["uid"], None) for each in fresh)
        return [*persons, *fresh] if fresh else []


def _what(attack: dict[str, Any]) -> tuple[Any, Any]:
    """What makes an attack the same one for alerts: its target and mode, or its name where these are unknown."""
    if "targetInExploitation" in attack and "modeInExploitation" in attack:
        return attack["targetInExploitation"], attack["modeInExploitation"]
    return attack["uid"], None


SUBJECTS: dict[str, Callable[[], Any]] = {
    "oracle": Informer,
    "echo": Echo,
    "random": RandomAnalyst,
    "rules": RuleMatcher,
    "links": Links,
}
