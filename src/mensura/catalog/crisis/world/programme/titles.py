"""Titles: what talks, posters, panels and courses are called, put together from a field's words."""

from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from mensura.catalog.crisis.world.data import Data
from mensura.yaml_file import read_yaml

TALKS = (
    "{Method} for {thing}",
    "{Method} in the study of {thing}",
    "What {thing} tell us about {other}",
    "{Thing} in {place}: a field report",
    "{Thing} and {other}: friends or rivals?",
    "Ten years of {thing} in {place}",
    "A second look at {thing}",
    "Do {thing} matter in {place}?",
    "Counting {thing} by {method}",
    "{Thing} after the flood of data: lessons from {place}",
    "From {thing} to {other} in {place}",
    "How not to use {method}",
    "The hidden cost of {thing}",
    "{Method} meets {other}: a case from {place}",
    "Predicting {thing} from {other}",
    "An open data set of {thing}",
    "Why {thing} fail in {place}",
    "Teaching {method} with {thing}",
    "Towards a standard for {thing}",
    "{Thing}, observed: {method} in {place}",
)
PANELS = (
    "Who pays for {thing}?",
    "Are we ready for {method}?",
    "{Thing}: have we asked the wrong question?",
    "What {place} can teach the rest of us",
    "The next ten years of {track}",
    "Data on {thing}: who owns them?",
)
COURSES = ("A first course in {method}", "Hands on: {method}", "{Method} for beginners", "Practical {method}")
WORKSHOPS = ("Workshop on {thing}", "Working with {thing} and {other}", "Workshop: {thing} in {place}")
PLENARIES = (
    "{Thing} and the way we work",
    "The long memory of {thing}",
    "Against tidy answers: {thing} in {place}",
    "Forty years with {thing}",
)


class Discipline(Data):
    """What a conference is about."""

    name: str
    title: str
    tag: str
    tracks: tuple[str, ...]
    things: tuple[str, ...]
    methods: tuple[str, ...]
    places: tuple[str, ...]


@cache
def fields() -> tuple[Discipline, ...]:
    """Read the fields that conferences are drawn from."""
    said: list[dict[str, Any]] = read_yaml(Path(__file__).with_name("fields.yaml"))
    return tuple(Discipline.model_validate(one) for one in said)


class Titles:
    """Draws titles of one field and never gives the same twice.

    >>> titles = Titles(fields()[0], rng=Random(1))
    >>> titles.draw(TALKS) != titles.draw(TALKS)
    True
    """

    def __init__(self, field: Discipline, *, rng: Random) -> None:
        self.field = field
        self._rng = rng
        self._given: set[str] = set()

    def draw(self, patterns: tuple[str, ...], *, track: str = "") -> str:
        """Return a title that nothing else has."""
        while True:
            title = self._one(self._rng.choice(patterns), track=track)
            if title not in self._given:
                self._given.add(title)
                return title

    def _one(self, pattern: str, *, track: str) -> str:
        thing, other = self._rng.sample(self.field.things, 2)
        method, place = self._rng.choice(self.field.methods), self._rng.choice(self.field.places)
        return pattern.format(
            thing=thing, Thing=_capital(thing), other=other, method=method, Method=_capital(method), place=place,
            track=track.lower() or thing,
        )  # fmt: skip


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
