"""Card: what a survey of such programs asks of each, for the works it cites and for the subjects of this folder."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from functools import cache
from importlib.resources import files
from typing import Any

from mensura.catalog.puzzles.cards.size import Size, measure
from mensura.catalog.puzzles.kinds.find import PLACES as KINDS
from mensura.catalog.puzzles.subjects import SUBJECTS, solver_class
from mensura.errors import BrokenTest
from mensura.yaml_file import parse_yaml

NOT_STATED = "not stated"
PURPOSES = ("challenge for AI", "evaluation of AI", "understanding tests", "understanding intelligence")
OURS = "Mensura"
BUILT = 2026
"""The year of our own subjects."""


@dataclass(frozen=True)
class SurveyCard:
    """One program that takes intelligence tests, by the questions of the survey."""

    name: str
    year: int
    by: str = NOT_STATED
    purpose: tuple[str, ...] = ()
    technique: str = NOT_STATED
    technique_class: str = NOT_STATED
    kinds: tuple[str, ...] = ()
    """Empty: not stated."""
    scope: str = NOT_STATED
    """Hard-wired or general."""
    difficulty: str = NOT_STATED
    """Whether difficulty was studied."""
    people: str = NOT_STATED
    """Whether it was compared with people."""
    venue: str = NOT_STATED
    field: str = NOT_STATED
    anthropomorphic: str = NOT_STATED
    performance: str = NOT_STATED
    """Whether performance was assessed."""
    builds_on: str = NOT_STATED
    year_note: str = ""
    size: Size | None = None

    def __post_init__(self) -> None:
        if wrong := set(self.purpose) - set(PURPOSES):
            raise BrokenTest(f"The card of {self.name} has a purpose that the survey does not know: {wrong}.")
        if wrong := set(self.kinds) - set(KINDS):
            raise BrokenTest(f"The card of {self.name} has an unknown kind: {wrong}.")

    def as_json(self) -> dict[str, Any]:
        """Return it with lists for what may be several, and null where the source is silent."""
        told = {name: None if value == NOT_STATED else value for name, value in asdict(self).items() if value != ""}
        return {**told, "purpose": list(self.purpose) or None, "kinds": list(self.kinds) or None}


PARTS = {
    "name": "name", "year": "year", "purpose": "purpose", "technique": "technique",
    "technique class": "technique_class", "kinds": "kinds", "hard-wired or general": "scope",
    "difficulty studied": "difficulty", "compared with people": "people", "performance assessed": "performance",
    "field of venue": "field", "anthropomorphic": "anthropomorphic", "builds on": "builds_on",
}  # fmt: skip
"""Columns of the one table → parts of a card."""
SIZES = ("lines", "rules", "bits")
COLUMNS = (*PARTS, *SIZES)


def row_of(card: SurveyCard) -> list[Any]:
    """Return a card as a row of the one table."""
    told = [getattr(card, part) for part in PARTS.values()]
    row = [", ".join(one) or NOT_STATED if isinstance(one, tuple) else one for one in told]
    row[1] = f"{card.year} ({card.year_note})" if card.year_note else str(card.year)
    return [*row, *(getattr(card.size, name, NOT_STATED) for name in SIZES)]


@cache
def surveyed() -> tuple[SurveyCard, ...]:
    """Return the works that the survey cites, in its order."""
    return tuple(_card(by="the survey", **work) for work in _read("survey.yaml")["works"])


@cache
def survey_words() -> str:
    """Return what the survey says of how many there are."""
    return str(_read("survey.yaml")["of"])


def our_cards() -> Sequence[SurveyCard]:
    """Return the cards of our own subjects that are at hand: kinds and size are read off their code."""
    given = _read("ours.yaml")["subjects"]
    return [our_card(name, given[name]) for name in (*SUBJECTS, "chance")]


def our_card(name: str, given: dict[str, Any]) -> SurveyCard:
    """Return the card of one of our subjects."""
    kinds = KINDS if name == "chance" else solver_class(name).attempts
    said = {
        "people": "where a norm is loaded",
        "performance": "yes",
        "difficulty": "yes, by load",
        "field": "this laboratory",
    }
    size = None if name == "chance" else measure(solver_class(name))
    purpose = ["evaluation of AI", "understanding tests"]
    return _card(name=name, year=BUILT, by=OURS, kinds=list(kinds), purpose=purpose, size=size, **said, **given)


def _card(**given: Any) -> SurveyCard:
    known = {one.name for one in fields(SurveyCard)}
    if strange := set(given) - known:
        raise BrokenTest(f"A card has no part {', '.join(sorted(strange))}.")
    several = {name: tuple(given.get(name) or ()) for name in ("purpose", "kinds")}
    return SurveyCard(**{**given, **several})


def _read(name: str) -> Any:
    return parse_yaml((files(__package__) / name).read_text(encoding="utf-8"), name)
