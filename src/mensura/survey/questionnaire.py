"""Questionnaire: the items of a survey as data, how they are asked, and how answers are scored.

Categories are never shown. Surveys are tests of their own (`mensura.catalog.questionnaire`) or the end of another test.
"""

import re
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from mensura.dialogue import Ask, Items, Questions, Score, Scores, Space, Text, unfolded
from mensura.dialogue.canonical import short_hash
from mensura.errors import BadParameter
from mensura.survey.parts import check_keys, check_parts
from mensura.survey.scale import RatingScale

ITEM_KEYS = ("key", "text", "scale", "category", "reverse", "open", "longest")
SURVEY_KEYS = (
    "name",
    "version",
    "about",
    "introduction",
    "scale",
    "items",
    "words",
    "order",
    "differences",
    "thanks",
    "page",
    "stem",
    "back",
)
WORD = re.compile(r"\{([a-z_]+)\}")


@dataclass(frozen=True)
class SurveyItem:
    """One item: a statement or question on a scale, or an open one where there is no scale."""

    key: str
    text: str
    scale: RatingScale | None
    category: str = ""
    reverse: bool = False
    longest: int = 5000

    @property
    def space(self) -> Space:
        """Where its answer lies."""
        return self.scale.space if self.scale is not None else Text(longest=self.longest)

    def value(self, answer: Any) -> float:
        """Return the number of an answer, turned where the item is worded the other way round; NaN where unanswered."""
        if self.scale is None or answer is None:
            return float("nan")
        value = self.scale.value(answer)
        return self.scale.turned(value) if self.reverse else value


@dataclass(frozen=True)
class Questionnaire:
    """All that a survey is: its items, and the words that stand for names in it."""

    items: tuple[SurveyItem, ...]
    words: Mapping[str, str] = field(default_factory=dict)
    introduction: str = ""
    thanks: str = ""
    order: Literal["written", "random"] = "written"
    differences: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Further scores: one item less another, as answered; items that are turned for their category are not here."""
    page: int = 1
    """The number of items on one page."""
    back: bool = False
    """Whether people may go back, and read all their answers once more before they hand them in."""
    stem: str = ""
    """The text above the items of a page: "How far do you agree?"."""

    @property
    def pages(self) -> int:
        """How many pages it has."""
        return -(-len(self.items) // self.page)

    @classmethod
    def read(cls, items: Sequence[Any], **rest: Any) -> "Questionnaire":
        """Read a survey from plain data, as YAML gives it."""
        scale = rest.pop("scale", None)
        words = {str(name): str(word) for name, word in (rest.pop("words", None) or {}).items()}
        differences = {str(name): _pair(name, pair) for name, pair in (rest.pop("differences", None) or {}).items()}
        read = tuple(_read_item(item, number, scale) for number, item in enumerate(items, start=1))
        made = cls(read, words, differences=differences, **rest)
        made._check()
        return made

    @property
    def categories(self) -> dict[str, list[SurveyItem]]:
        """The items of each category."""
        found: dict[str, list[SurveyItem]] = {}
        for item in self.items:
            if item.category:
                found.setdefault(item.category, []).append(item)
        return found

    @property
    def hash(self) -> str:
        """Return a hash of questions and scoring, for the hash of the measurement: items are not parameters."""
        items = [
            [item.key, item.text, item.scale and item.scale.space.data(), item.category, item.reverse]
            for item in self.items
        ]
        return short_hash([items, {name: list(pair) for name, pair in self.differences.items()}, self.order])

    @property
    def declared(self) -> tuple[Score, ...]:
        """Return the declarations of its scores: opinions on a scale, of which none is better.

        >>> [(score.name, score.low, score.high) for score in Questionnaire.read(["I trust it."], scale=7).declared]
        [('q1', 1.0, 7.0)]
        """
        scales = {item.key: item.scale for item in self.items if item.scale is not None}
        bounds = {category: _bounds(scales[items[0].key]) for category, items in self.categories.items()}
        for name, (first, second) in self.differences.items():
            one, other = scales[first], scales[second]
            bounds[name] = (one.low - other.high, one.high - other.low)
        for item in self.items:
            if item.scale is not None and not item.category:
                bounds.setdefault(item.key, _bounds(item.scale))
        return tuple(Score(name, better=None, low=low, high=high) for name, (low, high) in bounds.items())

    def shown(self, text: str, words: Mapping[str, str]) -> str:
        """Put the words of this study into a text.

        >>> survey = Questionnaire.read(["I trust {tool}."], scale=7, words={"tool": "the tool"})
        >>> survey.shown("I trust {tool}.", {"tool": "Robin"})
        'I trust Robin.'
        """
        return WORD.sub(lambda found: str(words[found[1]]), text)

    def ask(
        self, rng: np.random.Generator, words: Mapping[str, str], *, prefix: str = "", role: str = "subject"
    ) -> Generator[Ask, Any, None]:
        """Ask all items of a role; keys begin with the prefix where the survey is part of something longer."""
        if self.introduction:
            yield Ask(self.shown(self.introduction, words), role=role)
        places = list(range(len(self.items)))
        if self.order == "random":
            # Open questions stay where they are written: they often end a survey.
            closed = [place for place in places if self.items[place].scale is not None]
            moved = dict(zip(closed, [int(place) for place in rng.permutation(closed)], strict=True))
            places = [moved.get(place, place) for place in places]
        # The author's key may tell the category; the place in the file does not.
        asked = {
            asked_as(place): (self.shown(self.items[place].text, words), self.items[place].space) for place in places
        }
        if self.page == 1:
            for key, (text, space) in asked.items():
                yield Ask(_under(self.shown(self.stem, words), text), space, key=f"{prefix}{key}", role=role)
            return
        for number in range(self.pages):
            part = dict(list(asked.items())[number * self.page : (number + 1) * self.page])
            yield Ask(self.shown(self.stem, words), Questions(part), key=f"{prefix}page{number + 1}", role=role)

    def score(self, given: Mapping[str, Any], *, prefix: str = "") -> Scores:
        """Score one session's answers by key: per category its items, turned; the category's score is their mean."""
        given = dict(unfolded(given, prefix=prefix))
        answers = {item.key: given.get(f"{prefix}{asked_as(place)}") for place, item in enumerate(self.items)}
        values: dict[str, Items | float] = {
            category: Items([item.value(answers[item.key]) for item in items], [item.key for item in items])
            for category, items in self.categories.items()
        }
        answered = {item.key: item.scale.value(answers[item.key]) for item in self.items if item.scale is not None}
        for name, (first, second) in self.differences.items():
            values[name] = answered[first] - answered[second]
        for item in self.items:
            if item.scale is not None and not item.category:
                values.setdefault(item.key, item.value(answers[item.key]))
        opened = {item.key: answers[item.key] for item in self.items if item.scale is None and answers[item.key]}
        return Scores(values, {"open_answers": opened} if opened else {})

    def _check(self) -> None:
        if not self.items:
            raise BadParameter("A survey has at least one item.")
        if self.order not in ("written", "random"):
            raise BadParameter(f"The order of a survey is written or random; got {self.order!r}.")
        if type(self.page) is not int or self.page < 1:
            raise BadParameter(f"A page of a survey has 1 item or more; got {self.page!r}.")
        keys = [item.key for item in self.items]
        check_keys(keys, "survey")
        for text in (self.introduction, self.thanks, self.stem, *(item.text for item in self.items)):
            for word in WORD.findall(text):
                if word not in self.words:
                    raise BadParameter(f"The survey says '{{{word}}}' but `words` does not say what that stands for.")
        for category, members in self.categories.items():
            if len({(item.scale.low, item.scale.high) for item in members if item.scale}) > 1:
                raise BadParameter(f"The items of the category {category!r} have different scales and have no mean.")
        for name, pair in self.differences.items():
            for key in pair:
                if key not in keys or self.items[keys.index(key)].scale is None:
                    raise BadParameter(f"The difference {name!r} names {key!r}, which is not an item with a scale.")
        names = [*self.categories, *self.differences]
        if len(set(names)) != len(names):
            raise BadParameter("A category and a difference have the same name; every score needs a different name.")


def asked_as(place: int) -> str:
    """Name the item at a place as subjects may see it."""
    return f"q{place + 1}"


def _under(stem: str, text: str) -> str:
    return f"{stem}\n\n{text}" if stem else text


def _bounds(scale: RatingScale) -> tuple[float, float]:
    return scale.low, scale.high


def _read_item(data: Any, number: int, scale: Any) -> SurveyItem:
    if isinstance(data, str):
        data = {"text": data}
    if not isinstance(data, Mapping) or not data.get("text"):
        raise BadParameter(f"Item {number} of the survey needs a text.")
    check_parts(data, ITEM_KEYS, "survey item")
    key = str(data.get("key") or f"q{number}")
    category, reverse = str(data.get("category") or ""), bool(data.get("reverse", False))
    if data.get("open"):
        if category or reverse or "scale" in data:
            raise BadParameter(f"The open question {key!r} has no scale, category or reversal.")
        return SurveyItem(key, str(data["text"]), None, longest=int(data.get("longest", 5000)))
    form = data.get("scale", scale)
    if form is None:
        raise BadParameter(f"The item {key!r} has no scale; give it one, the survey one for all, or say `open: true`.")
    return SurveyItem(key, str(data["text"]), RatingScale.read(form), category, reverse)


def _pair(name: Any, pair: Any) -> tuple[str, str]:
    if not isinstance(pair, Sequence) or isinstance(pair, str) or len(pair) != 2:
        raise BadParameter(f"The difference {name!r} names two items, [first, second]; got {pair!r}.")
    return str(pair[0]), str(pair[1])
