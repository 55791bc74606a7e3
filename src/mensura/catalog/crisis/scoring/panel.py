"""The briefing before a blind panel: what raters are asked, what they see, and their ratings in the score."""

import re
from typing import Any

from mensura.catalog.crisis.scoring.briefing import RatedBriefing
from mensura.catalog.crisis.scoring.weights import Weights, our_weights
from mensura.dialogue import Judged, Record
from mensura.errors import BadData

MASK = "[address]"
TELLING = ("radar", "assistant", "optimiser", "optimizer", "spreadsheet", "sheet", "proposal", "suggestion")
"""Words that could tell raters which tools someone had."""
CLOSING = re.compile(
    r"yours( \w+)?|((kind|best|warm) )?regards|best( wishes)?|sincerely( yours)?|thanks|thank you|cheers", re.I
)
WRITER = re.compile(r"\b(signed|(written|prepared|compiled|sent) by|briefing (by|from)|from:)\s+\S", re.I)
ADDRESS = re.compile(r"[\w.+-]+@(?:[\w-]+\.)+(?!example\b)[\w-]+")
"""A mail address from outside: those of our worlds end in .example, which nobody real can have."""


def rubric(*, weights: Weights | None = None) -> dict[str, Any]:
    """Return what raters are asked, as `mensura panel create` reads it: pick four items, rate each from 0 to 4."""
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


def briefing_of(record: Record) -> str:
    """Return the briefing that a session left, without signature and own address; empty where none was written: 0."""
    from mensura.catalog.crisis.office.replay import office_of

    office = office_of(record)
    ours = {person.mail.casefold() for person in office.world.people}
    return ADDRESS.sub(lambda found: found[0] if found[0].casefold() in ours else MASK, unsigned(office.briefing))


def unsigned(text: str) -> str:
    """Take off a text who wrote it: lines that say so, and last lines that are no statements, of whatever form.

    >>> unsigned("The hall is lost.\\nRegards,\\nAda Brandt")
    'The hall is lost.'
    >>> unsigned("The hall is lost.\\nThanks to its owner we have another.\\nWe spent 400.").count("\\n")
    2
    """
    lines = [line for line in text.strip().splitlines() if len(line.split()) > 8 or not WRITER.search(line)]
    end = len(lines)
    while end > 1 and _signs(lines[end - 1], loosely=True):
        end -= 1
    # Where no statement ends in a stop, only what is a formula or a name is none.
    if lines and lines[end - 1].rstrip()[-1:] not in tuple(".!?"):
        end = len(lines)
        while end > 1 and _signs(lines[end - 1], loosely=False):
            end -= 1
    return "\n".join(lines[:end]).strip()


def _signs(line: str, *, loosely: bool) -> bool:
    """Return whether a line is a closing formula or names; loosely, also whether it is a few words without a stop."""
    words = re.findall(r"[\w.'’-]*\w[\w.'’-]*", CLOSING.sub("", line.strip(), count=1))
    if len(words) > 6 or re.search(r"\d", line):
        return False
    few = loosely and not re.search(r"^\s*[-*•]|:|[.!?]\s*$", line)
    return few or all(word[0].isupper() for word in words)


def rated_by_panel(briefing: RatedBriefing, *, value: float, raters: int) -> RatedBriefing:
    """Put a panel's rating (0 to 1) of a briefing in the place of the provisional one."""
    if not 0 <= value <= 1:
        raise BadData(f"A panel's rating lies between 0 and 1; got {value:g}.")
    return RatedBriefing(value, (), present=True, method=f"blind panel, {raters} raters", provisional=briefing.value)


JUDGED = Judged(briefing_of, rubric(), TELLING)
