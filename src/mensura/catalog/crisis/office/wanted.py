"""Wanted: a request to the assistant in words, with what it needs to know; for language models and other programs."""

from collections.abc import Mapping
from typing import Any, get_args

from mensura.catalog.crisis.world.mail import TaskKind
from mensura.dialogue.canonical import canonical

Json = dict[str, Any]

NOISE = "noise"
WANTS = {
    "label": "Label each message with the kinds of task in it: {labels}; {noise} if there is none. "
    'Give them as "labels": {{message: [label, ...]}}. Where a message lists rooms that cannot be used, mark each by '
    "an act set_room_fact(room, lost, slots as DAY.BLOCK), which is done at once. No other acts.",
    "suggest": "Say what the message asks for, and propose the acts that would settle it.",
    "optimise": "Propose moves, room requests and orders that make the schedule meet its rules and constraints again, "
    "at little cost and with few requests to others.",
    "find_room": "Rank rooms and times for the event, the best first, and propose the act that gets the best of them.",
    "elicit": "Say which fact about a room or an event would be worth most to know better, and where to find it.",
    "batch": "Propose every change of the web site that brings it in line with the schedule.",
    "draft": "Draft a briefing for the chair: propose one act `brief` with the text.",
}
KEYS = {
    "label": (),
    "suggest": ("entries_named",),
    "optimise": ("manual", "place", "granted", "bumps", "orders", "vendors", "facts", "constraints"),
    "find_room": ("place", "granted", "bumps", "facts", "constraints"),
    "elicit": ("place", "facts", "constraints"),
    "batch": ("place", "announced"),
    "draft": ("place", "moved", "orders", "cancelled", "bumps", "spent", "budget"),
}
"""What is told with each kind of request, beside the names of things."""


def request_words(kind: str, about: Mapping[str, Any], known: Mapping[str, Any]) -> str:
    """Return what is wanted of the assistant, and all that it needs for it, as JSON in words."""
    labels = ", ".join(get_args(TaskKind))
    wanted = WANTS[kind].format(labels=labels, noise=NOISE)
    return (
        f"You are the assistant of the person who replans the {known['title']}. {wanted}\n\n"
        f'Answer with {{"kind": "{kind}", "words": what you say to the person, "acts": [{{"call": name, "arguments": '
        '{...}}, ...], "labels": {}, "ranked": []}. Acts are those of the office: move(event, room, day, block), '
        "unschedule(event), ask_room(room, day, block), set_room_fact(room, fact, value), set_event_fact(event, fact, "
        "value), constrain(kind, event, other, person, place, slots, item), order(vendor, item, quantity, event), "
        "change_order(order), cancel_order(order), edit_entry(entry, field, value), reply(message, text), brief(text). "
        "Days and blocks count from 1. Nothing is done unless the person accepts it. In what follows a slot is a "
        f"number from 0, {len(known['blocks'])} a day.\n\n{canonical(relevant(kind, about, known))}"
    )


def relevant(kind: str, about: Mapping[str, Any], known: Mapping[str, Any]) -> Json:
    """Choose from what is known what a request needs; the names of things are always with it."""
    found: Json = {"about": dict(about), "messages": _messages(about, known)}
    if kind != "label":
        found["events"] = [_event(event) for event in known["events"]]
        found |= {key: known[key] for key in ("rooms", "lost")}
    made = {"entries_named": _named, "announced": _announced, "moved": _moved}
    for key in KEYS[kind]:
        found[key] = made[key](known, found["messages"]) if key in made else known[key]
    return found


def _messages(about: Mapping[str, Any], known: Mapping[str, Any]) -> list[Json]:
    wanted = {*about.get("messages", ()), about.get("message")}
    names = {person["id"]: person["name"] for person in known["people"]}
    return [
        {**{key: letter[key] for key in ("id", "subject", "body")}, "sender": names.get(letter["sender"], "")}
        for letter in known["letters"]
        if letter["id"] in wanted
    ]


def _event(event: Mapping[str, Any]) -> Json:
    people = [*(talk["speaker"] for talk in event["talks"]), *([event["chair"]] if event["chair"] else [])]
    return {**{key: event[key] for key in ("id", "kind", "title", "short", "length", "original")}, "people": people}


def _named(known: Mapping[str, Any], messages: list[Json]) -> Json:
    """Return entries of the site of which a field, or the sender, is named in the messages."""
    text = " ".join(f"{each['sender']} {each['subject']} {each['body']}" for each in messages).lower()
    return {
        entry: fields
        for entry, fields in known["site"].items()
        if any(len(value) > 3 and value.lower() in text for value in fields.values())
    }


def _announced(known: Mapping[str, Any], messages: list[Json]) -> Json:
    return {
        entry["id"]: {"event": entry["event"], **known["site"][entry["id"]]}
        for entry in known["entries"]
        if entry["event"]
    }


def _moved(known: Mapping[str, Any], messages: list[Json]) -> list[str]:
    return [event["id"] for event in known["events"] if known["place"][event["id"]] != list(event["original"])]
