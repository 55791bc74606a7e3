"""Several questions on one page: which of them share a scale and are drawn as one table."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from markupsafe import Markup

from mensura.web.drawing.markdown import markdown

Data = Mapping[str, Any]
MOST_COLUMNS = 11
MOST_LETTERS = 80
"""Words of a scale that are longer together are shown as a list, also on a wide screen."""


@dataclass(frozen=True)
class Asked:
    """One of several questions: its place on the page, and its text."""

    place: int
    text: Markup


@dataclass(frozen=True)
class Column:
    """One answer on a scale, and the word that stands at it."""

    value: str
    label: str = ""


def question_groups(space: Data) -> list[tuple[Data, list[Asked]]]:
    """Group questions that follow one another and have the same space."""
    asked = [(one["space"], Asked(place, inline(one["text"]))) for place, one in enumerate(space["questions"].values())]
    return [(cell, [one for _, one in group]) for cell, group in groupby(asked, key=lambda pair: pair[0])]


def scale_points(space: Data) -> list[Column]:
    """Return the columns of a table of ratings; none where the space is not a scale that fits into one."""
    if space["kind"] == "likert" and space["points"] <= MOST_COLUMNS:
        labels = dict.fromkeys(range(1, space["points"] + 1), "")
        labels[(space["points"] + 1) // 2] = space.get("middle_label") or ""
        labels |= {1: space["low_label"], space["points"]: space["high_label"]}
        return [Column(str(point), label) for point, label in labels.items()]
    if space["kind"] == "choice" and sum(map(len, space["options"])) <= MOST_LETTERS:
        return [Column(option) for option in space["options"][:MOST_COLUMNS]]
    return []


def inline(text: str) -> Markup:
    """Draw Markdown of one paragraph so that it can stand inside a label."""
    html = markdown(text).strip()
    one = html.startswith("<p>") and html.endswith("</p>") and html.count("<p>") == 1
    return Markup(html[3:-4]) if one else Markup.escape(text)
