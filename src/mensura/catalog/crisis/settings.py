"""Conditions, prices in ticks and delays of the crisis: all that is configuration, as data."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal

from mensura.catalog.crisis.world.data import Data, read
from mensura.errors import BadFile, unknown
from mensura.yaml_file import read_yaml

COSTS = {
    "read": 25,
    "look": 15,
    "search": 20,
    "reply": 60,
    "send": 60,
    "move": 20,
    "copy": 20,
    "unschedule": 10,
    "ask_room": 40,
    "set_room_fact": 25,
    "set_event_fact": 25,
    "quote": 30,
    "order": 60,
    "change_order": 45,
    "cancel_order": 30,
    "edit_entry": 40,
    "publish": 40,
    "brief": 300,
    "note": 10,
    "constrain": 30,
    "unconstrain": 10,
    "suggest": 10,
    "optimise": 30,
    "find_room": 15,
    "elicit": 10,
    "batch": 20,
    "draft": 20,
    "accept": 15,
    "wait": 0,
    "finish": 0,
}
"""Ticks, which are seconds, that a program pays for an act; people take the time they take."""

LONGEST_WAIT = 7200
LONGEST_LINE = 1000
"""Most seconds that one act waits, and most characters of a line."""

PART_COST = 2
"""What each part named in an acceptance costs besides; accepting a proposal whole is one click."""

DELAYS = {"receipt": 30, "quote": 90, "form_only": 5, "owner": 120, "owner_spread": 240}
"""Ticks until scripted mail arrives. An owner takes between `owner` and `owner + owner_spread`, the same each time."""

ERRS = 0.2
"""How often the assistant misreads what it takes from a mail: a room in the list of those that are lost is overlooked;
a form that it fills in has a wrong number, day or word. Only the mail shows which. The docs declare it."""
ASSISTED = frozenset(["suggest", "optimise", "find_room", "elicit", "batch", "draft"])
"""Acts that are put to the assistant, who answers with a proposal."""
RADAR = ASSISTED | {"constrain", "unconstrain", "accept"}
BASE = frozenset(COSTS) - RADAR - {"copy", "publish"}
"""What every condition has."""


class Workplace(Data):
    """What a subject has to work with."""

    about: str
    tools: frozenset[str]
    checks: bool = True
    """The schedule says when a room is taken or too small; without, it is a sheet that takes anything."""
    labels: bool = False
    """Mail is labelled by the assistant as it arrives."""
    assistant: Literal["none", "radar"] = "none"
    learning: bool = False
    """The assistant has what it learned in training sessions."""
    helper: bool = False
    """A second person with the same tools and the shared notes."""

    @property
    def roles(self) -> tuple[str, ...]:
        """Who takes part."""
        return ("subject", *(("helper",) if self.helper else ()), *(("assistant",) if self.assistant != "none" else ()))


CONDITIONS = {
    "cots": Workplace(about="Plain mail, a schedule sheet without checks.", tools=BASE | {"copy"}, checks=False),
    "cots+a": Workplace(
        about="The same for two people who share notes.", tools=BASE | {"copy"}, checks=False, helper=True
    ),
    "radar-l": Workplace(
        about="The assistant, without what it learned.", tools=BASE | RADAR, labels=True, assistant="radar"
    ),
    "radar+l": Workplace(
        about="The assistant with what it learned in training.",
        tools=BASE | RADAR,
        labels=True,
        assistant="radar",
        learning=True,
    ),
    "agent": Workplace(about="A schedule with checks, no assistant.", tools=BASE | {"publish"}),
    "agent+radar": Workplace(
        about="An agent that may ask the assistant, who has learned.",
        tools=BASE | RADAR | {"publish"},
        labels=True,
        assistant="radar",
        learning=True,
    ),
}


Condition = Annotated[
    str, f"What the subject has to work with: {', '.join(CONDITIONS)}, or a YAML file of a condition of your own."
]


@lru_cache(maxsize=64)
def find_condition(name_or_path: str) -> Workplace:
    """Return a condition by its name, or read one from a YAML file of the same fields.

    >>> sorted(find_condition("radar+l").tools - find_condition("agent").tools)[:3]
    ['accept', 'batch', 'constrain']
    """
    if name_or_path in CONDITIONS:
        return CONDITIONS[name_or_path]
    path = Path(name_or_path)
    if path.suffix in (".yaml", ".yml") and path.is_file():
        return check_tools(read(Workplace, read_yaml(path), place=path))
    see = f"There are {', '.join(CONDITIONS)}, or a YAML file of your own."
    raise unknown("condition", name_or_path, known=CONDITIONS, see=see)


def check_tools(condition: Workplace) -> Workplace:
    """Refuse tools that are not there, none at all, and whatever needs an assistant without one."""
    if not condition.tools:
        raise BadFile(f"A condition needs tools, at least one of {', '.join(COSTS)}; `tools` is empty.")
    for tool in sorted(condition.tools):
        if tool not in COSTS:
            raise unknown("tool", tool, known=COSTS, see=f"Tools are {', '.join(COSTS)}.")
    asked = sorted(condition.tools & (ASSISTED | {"accept"}))
    asked += [name for name in ("labels", "learning") if getattr(condition, name)]
    if condition.assistant == "none" and asked:
        raise BadFile(f"A condition with {', '.join(asked)} needs someone to answer: add `assistant: radar`.")
    return condition


def price(answer: Any) -> int:
    """Return what an act costs a program, in ticks; the assistant's answers cost nothing.

    >>> price({"call": "read", "arguments": {"message": "m1"}}), price({"call": "wait", "arguments": {"seconds": 90}})
    (25, 90)
    >>> price({"call": "accept", "arguments": {"proposal": "p1", "parts": "1, 3"}})
    19
    """
    call = answer.get("call")
    if call is None:
        return 0
    if call == "wait":
        seconds = answer["arguments"]["seconds"]
        # What is about to be refused must not cost the rest of the day; and one who waits for no time at all, again and
        # again, must come to its end.
        return max(int(seconds), 1) if 0 <= seconds <= LONGEST_WAIT else 1
    if call == "accept":
        parts = answer["arguments"].get("parts", "")[:LONGEST_LINE]
        return COSTS["accept"] + PART_COST * len(parts.replace(",", " ").split())
    return COSTS[call]


@dataclass(frozen=True)
class Halves:
    """When the session rests and when it ends, in ticks."""

    half: int
    end: int

    @property
    def latest(self) -> int:
        """The tick at which the rest begins even if nothing is done: no act is cut off by it before that."""
        return min(self.half + max(COSTS.values()) * 2, self.end)


SETTINGS: dict[str, dict[str, Any]] = {
    "cots": {"condition": "cots"},
    "radar-l": {"condition": "radar-l"},
    "radar+l": {"condition": "radar+l"},
    "cots+a": {"condition": "cots+a"},
    "demo": {"condition": "agent", "package": "practice-1", "minutes": 20},
}
