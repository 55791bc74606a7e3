"""Observing: what the assistant learns from a training session, by what was done in the office alone."""

from collections.abc import Iterator, Mapping
from typing import Any

from mensura.catalog.crisis.assistant.classifier import features, learn_labels
from mensura.catalog.crisis.assistant.known import Known
from mensura.catalog.crisis.assistant.learning.learned import Learned, LearnedFrom
from mensura.catalog.crisis.assistant.reader import Reader
from mensura.catalog.crisis.assistant.room_finder import owner_features
from mensura.catalog.crisis.assistant.workflow import examples, join
from mensura.catalog.crisis.world.campus.place import EQUIPMENT

LABEL_OF = {
    "set_room_fact": "room_fact",
    "set_event_fact": "event_fact",
    "order": "order",
    "change_order": "order",
    "cancel_order": "order",
    "reply": "query",
    "brief": "briefing",
    "draft": "briefing",
    "optimise": "crisis",
    "batch": "publish",
}
"""What doing something right after reading a mail says about the mail."""
TURNS_AWAY = ("elicit", "look", "find_room", "wait", "search", "ask_room", "move", "unschedule")
"""Acts by which someone turns to something else than the mail they read last."""


def observe(learned: Learned, before: Known, after: Known, *, source: LearnedFrom) -> None:
    """Add a session to what was learned.

    Parameters
    ----------
    learned
        Changed in place.
    before, after
        What lay open in the office when the session began and when it ended. Both are what a subject could see; the
        truth of the world is in neither.
    source
        Which world it was, so that what was learned can be kept away from it.
    """
    learned.sources.append(source)
    _observe_labels(learned.classifier, after)
    _observe_acceptance(learned.extractor, after)
    _observe_facts(learned.elicitor, before, after)
    learned.room_finder += _answers(after)
    learned.workflow = join(learned.workflow, examples(after))
    _observe_briefing(learned.drafter, after)


def _observe_labels(learned: dict[str, Any], after: Known) -> None:
    """Take what was done between reading one mail and the next as what the mail asked for."""
    reader = Reader(after)
    letters = [(after.letters[message], labels) for message, labels in attributed(after) if message in after.letters]
    learn_labels(
        learned,
        [(features(letter["subject"], letter["body"], reader=reader), labels) for letter, labels in letters],
    )


def attributed(after: Known) -> Iterator[tuple[str, list[str]]]:
    """Return each mail that was read, once, with the labels that the acts after it amount to."""
    found: dict[str, list[str]] = {}
    current = ""
    for act in after.raw["history"]:
        if not act["ok"]:
            continue
        if act["call"] == "read":
            current = str(act["arguments"]["message"])
            found.setdefault(current, [])
        elif act["call"] in TURNS_AWAY and not act["proposal"]:
            current = ""
        elif current:
            label = _label(act, after)
            message = str(act["arguments"].get("message", current)) if act["call"] == "reply" else current
            if label and label not in found.setdefault(message, []):
                found[message].append(label)
    yield from found.items()


def _label(act: Mapping[str, Any], after: Known) -> str:
    if act["call"] == "constrain":
        return "availability" if act["arguments"].get("kind") == "away" else "preference"
    if act["call"] == "edit_entry":
        announces = after.entries.get(str(act["arguments"]["entry"]), {}).get("event")
        schedule = str(act["arguments"]["field"]).strip() in ("room", "time")
        return "" if announces and schedule else "web"
    # Orders that follow from an optimised schedule say nothing about the mail that was read before.
    kinds = {proposal["id"]: proposal["kind"] for proposal in after.raw["proposals"]}
    return "" if kinds.get(act["proposal"]) == "optimise" else LABEL_OF.get(act["call"], "")


def _observe_acceptance(learned: dict[str, list[int]], after: Known) -> None:
    """Count which parts of suggestions were accepted, by the pattern that made them."""
    for proposal in after.raw["proposals"]:
        if proposal["kind"] == "suggest":
            for number, ranked in enumerate(proposal["ranked"], start=1):
                counts = learned.setdefault(ranked["pattern"], [0, 0])
                counts[0] += number in proposal["accepted"]
                counts[1] += 1


def _observe_facts(learned: dict[str, Any], before: Known, after: Known) -> None:
    """Compare facts that were entered with what the tables said before."""
    seats, built_in = learned.setdefault("seats", {}), learned.setdefault("built_in", {})
    here = learned.setdefault("campus", {}).setdefault(after.campus, {"seats": {}, "built_in": {}})
    for (room, fact), found in sorted(after.confirmed.items()):
        if room not in after.rooms:
            continue
        kind = before.room_class(room)
        if fact == "equipment":
            there = found or []
            here["built_in"].setdefault(room, []).append(sorted(there))
            counts = built_in.setdefault(kind, {})
            for item in EQUIPMENT:
                mine = counts.setdefault(item, [0, 0])
                mine[0] += item in there
                mine[1] += 1
        elif fact.startswith("capacity."):
            layout = fact.removeprefix("capacity.")
            true = found or 0
            assumed = before.table(room, fact)
            here["seats"].setdefault(room, {}).setdefault(layout, []).append(true)
            if assumed:
                seats.setdefault(kind, []).append(round(true / assumed, 3))


def _answers(after: Known) -> list[list[Any]]:
    rows = []
    for bump in after.raw["bumps"]:
        room = after.rooms[bump["room"]]
        held = next(each for each in room["reservations"] if each["slot"] == bump["slot"])
        if bump["answer"] is not None:
            rows.append([owner_features(after, room, held), bool(bump["answer"])])
    return rows


def _observe_briefing(learned: dict[str, list[int]], after: Known) -> None:
    """Count which kinds of items of the last draft stand in the briefing that was left."""
    text = after.raw["briefing"]
    drafts = [proposal for proposal in after.raw["proposals"] if proposal["kind"] == "draft"]
    if text and drafts:
        for item in drafts[-1]["ranked"]:
            counts = learned.setdefault(item["kind"], [0, 0])
            counts[0] += item["words"] in text
            counts[1] += 1
