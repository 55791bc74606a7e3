"""The briefing before a blind panel: what raters are asked, what they see, and their ratings in the score."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isnan
from typing import Any

from mensura.catalog.crisis.scoring.weights import Weights, our_weights
from mensura.dialogue import Scores
from mensura.errors import BadData

TELLING = ("radar", "assistant", "optimiser", "optimizer", "spreadsheet", "sheet", "proposal", "suggestion")
"""Words that could tell raters which tools someone had."""
SIGNED = re.compile(
    r"^(yours|regards|best|kind regards|sincerely|thanks|cheers)\b[^\n]*\n+\s*[^\n]{1,60}\s*\Z", re.I | re.M
)


@dataclass(frozen=True)
class Draft:
    """A briefing that is to be rated, with what raters must not learn."""

    session: str
    condition: str
    text: str


def rubric(*, weights: Weights | None = None) -> dict[str, Any]:
    """Give what raters are asked, as `mensura panel create` reads it: pick four items, rate each from 0 to 4."""
    weights = weights or our_weights()
    return {
        "instructions": "Each text is a briefing for the chair of a conference on the state of its plan at the end of "
        "a working day in which many rooms were lost.",
        "items": [
            {
                "key": "briefing",
                "text": f"Pick up to {weights.items} items of the briefing and rate how much each helps the chair: "
                "clear, specific, important.",
                "pick": weights.items,
                "scale": {"from": 0, "to": weights.points},
            }
        ],
    }


def panel_data(
    drafts: Iterable[Draft], *, name: str, raters: Sequence[Mapping[str, Any]], **more: Any
) -> dict[str, Any]:
    """Make the file of a panel: every briefing that there is, words that tell the tools masked, signatures taken out.

    Those who wrote nothing are not rated: they have 0. Names of participants are added by `mask`, which the
    laboratory's screening takes out of every text before anyone sees it.
    """
    artefacts = [
        {"text": unsigned(draft.text), "condition": draft.condition, "name": draft.session}
        for draft in drafts
        if draft.text.strip()
    ]
    if not artefacts:
        raise BadData("There is no briefing to rate: nobody wrote one.")
    mask = [*TELLING, *more.pop("mask", ())]
    return {"name": name, "rubric": rubric(), "artefacts": artefacts, "mask": mask, "raters": list(raters), **more}


def unsigned(text: str) -> str:
    """Take a closing formula and the name beneath it off a text.

    >>> unsigned("The hall is lost.\\nRegards,\\nAda Brandt")
    'The hall is lost.'
    """
    return SIGNED.sub("", text.strip()).strip()


def panel_value(ratings: Sequence[Sequence[float]], *, weights: Weights | None = None) -> float:
    """Give a briefing's score from the points that each rater gave the items they picked: sum/16, mean over raters.

    >>> panel_value([[4, 3, 3, 2], [4, 4, 2]])
    0.6875
    """
    weights = weights or our_weights()
    if not ratings:
        raise BadData("Nobody has rated this briefing.")
    for points in ratings:
        if len(points) > weights.items or any(isnan(p) or not 0 <= p <= weights.points for p in points):
            raise BadData(f"A rater picks at most {weights.items} items of 0 to {weights.points} points; got {points}.")
    return sum(sum(points) for points in ratings) / (len(ratings) * weights.items * weights.points)


def with_panel(scores: Scores, value: float, *, raters: int, weights: Weights | None = None) -> Scores:
    """Put a panel's rating (0 to 1) of a briefing in the place of the provisional one; the final score follows."""
    weights = weights or our_weights()
    if not 0 <= value <= 1:
        raise BadData(f"A panel's rating lies between 0 and 1; got {value:g}.")
    before = scores.values["briefing"]
    final = scores.values["final"]
    assert isinstance(before, float)
    assert isinstance(final, float)
    values = {**scores.values, "briefing": value, "final": final + weights.final["briefing"] * (value - before)}
    method = f"blind panel, {raters} raters"
    return replace(scores, values=values, details={**scores.details, "briefing_method": method, "provisional": before})
