"""Rubric: what raters rate, as data."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isnan, nan
from typing import Any

from mensura.dialogue import Number
from mensura.errors import BadParameter, unknown
from mensura.survey.parts import check_keys, check_parts
from mensura.survey.scale import RatingScale

MOST_POINTS = 101
RUBRIC_KEYS = ("items", "instructions", "scale", "comments", "layout")
ADD = "Anything to add? You may leave this empty."
"""The question where a rubric has comments: true."""
LAYOUTS = ("items", "page")
ITEM_KEYS = ("key", "text", "scale", "weight", "pick", "measure")


@dataclass(frozen=True)
class RubricItem:
    """One thing to rate, on a scale, with its weight in the whole.

    With `pick` the rater picks up to so many passages of the artefact and rates each; the item's value is the sum of
    these ratings over the most it could be, and an artefact in which nothing is worth picking has 0.
    """

    key: str
    text: str
    scale: RatingScale
    weight: float = 1.0
    pick: int = 0

    @property
    def measure(self) -> str:
        """Return the meaning of differences between values: a sum of picked passages is a quantity."""
        return "interval" if self.pick else self.scale.measure

    @property
    def bounds(self) -> tuple[float, float]:
        """Least and greatest value."""
        return (0.0, 1.0) if self.pick else (self.scale.low, self.scale.high)

    @property
    def points(self) -> tuple[float, ...]:
        """Every value it can have, in order; empty where there are too many to be categories."""
        if self.pick or (isinstance(self.scale.space, Number) and not self.scale.space.integer):
            return ()
        count = round(self.scale.high - self.scale.low) + 1
        return tuple(self.scale.low + place for place in range(count)) if count <= MOST_POINTS else ()

    def share(self, value: float) -> float:
        """Bring a value to 0 to 1."""
        return value if self.pick else self.scale.share(value)

    def picked(self, ratings: Sequence[float]) -> float:
        """Return the value of the passages that were picked.

        Four passages of at most 4 points each, of which three were found:

        >>> RubricItem("points", "Pick and rate", RatingScale.read({"from": 0, "to": 4}), pick=4).picked([4, 2, 2])
        0.5
        """
        return float(sum(ratings)) / (self.pick * self.scale.high)


@dataclass(frozen=True)
class Rubric:
    """A rubric: the items by which raters rate an artefact.

    >>> rubric = Rubric.read({"scale": 5, "items": [
    ...     {"key": "clear", "text": "It is clear.", "weight": 2}, {"key": "new", "text": "It is new."}]})
    >>> rubric.score({"clear": 5, "new": 3})
    0.8333333333333334
    """

    items: tuple[RubricItem, ...]
    instructions: str = ""
    comments: str = ""
    """The comment that raters are asked for; empty where none is."""
    layout: str = "items"
    """One item after the other ("items"), or all on one page beside the artefact ("page")."""

    @classmethod
    def read(cls, data: Any) -> "Rubric":
        """Read a rubric from plain data, as YAML gives it."""
        if isinstance(data, Rubric):
            return data
        if not isinstance(data, Mapping) or not data.get("items"):
            raise BadParameter("A rubric names its items: {items: [{key: clear, text: It is clear., scale: 7}]}.")
        check_parts(data, RUBRIC_KEYS, "rubric")
        items = tuple(_read_item(item, number, data.get("scale")) for number, item in enumerate(data["items"], 1))
        check_keys([item.key for item in items], "rubric")
        layout = str(data.get("layout") or LAYOUTS[0])
        if layout not in LAYOUTS:
            raise unknown("layout of a rubric", layout, known=LAYOUTS, see=f"Layouts are {', '.join(LAYOUTS)}.")
        given = data.get("comments") or ""
        return cls(items, str(data.get("instructions") or ""), ADD if given is True else str(given), layout)

    def item(self, key: str) -> RubricItem:
        """Find an item by its key."""
        for item in self.items:
            if item.key == key:
                return item
        known = [item.key for item in self.items]
        raise unknown("item of the rubric", key, known=known, see=f"Items are {', '.join(known)}.")

    def score(self, values: Mapping[str, float]) -> float:
        r"""Return the weighted mean of the items, each brought to 0 to 1; NaN while an item has no value.

        :math:`\sum_i w_i (v_i - l_i)/(h_i - l_i) / \sum_i w_i` for items between :math:`l_i` and :math:`h_i`.
        """
        shares = [item.share(values.get(item.key, nan)) for item in self.items]
        if any(isnan(share) for share in shares):
            return nan
        weights = [item.weight for item in self.items]
        return sum(w * share for w, share in zip(weights, shares, strict=True)) / sum(weights)


def _read_item(data: Any, number: int, scale: Any) -> RubricItem:
    if not isinstance(data, Mapping) or not data.get("text"):
        raise BadParameter(f"Item {number} of the rubric needs a text: what is rated, in a sentence.")
    check_parts(data, ITEM_KEYS, "rubric item")
    key = str(data.get("key") or f"item{number}")
    if "/" in key or key in ("score", "comment"):
        raise BadParameter(f"{key!r} cannot be the key of an item: it holds a slash, or is used for something else.")
    form = data.get("scale", scale)
    if form is None:
        raise BadParameter(f"The item {key!r} has no scale; give it one, or the rubric one for all items.")
    weight, pick = float(data.get("weight", 1)), int(data.get("pick", 0))
    if not weight > 0:
        raise BadParameter(f"The weight of the item {key!r} must be more than 0; got {weight:g}.")
    read = RatingScale.read(form, measure=data.get("measure"))
    if pick and not (read.low >= 0 and read.high > 0):
        raise BadParameter(f"Passages of the item {key!r} are rated from 0 up; got a scale from {read.low:g}.")
    return RubricItem(key, str(data["text"]), read, weight, pick)
