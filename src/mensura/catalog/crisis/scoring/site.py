"""The site's score: whether it announces the schedule as it is, and whether it says what people asked it to say."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from mensura.catalog.crisis.office.published import read_time
from mensura.catalog.crisis.scoring.snapshot import Snapshot
from mensura.catalog.crisis.scoring.weights import Weights, our_weights

PUBLISHED = ("room", "time")
"""Fields of an event's entry that announce where and when it is."""


@dataclass(frozen=True)
class SiteGrade:
    """What the site is worth, and what on it is wrong."""

    publishing: float
    """Share of the events whose announcement had to change that are announced rightly; 1 if none had to."""
    web: float
    """Share of the other requested changes that were made, less what unrequested ones take."""
    unpublished: Mapping[str, str]
    """Event → what its announcement says wrongly, in a sentence."""
    undone: Mapping[str, str]
    """Task of the kind "web" → what the site says instead, in a sentence."""
    unrequested: Mapping[str, str]
    """Entry and field that nobody asked to change → a sentence."""
    to_publish: int
    requested: int
    penalty: float
    """What unrequested changes take from `web`."""


def grade_site(standing: Snapshot, *, weights: Weights | None = None) -> SiteGrade:
    """Grade the site; more is better.

    Publishing counts the events whose announcement had to change: those that the crisis drove out and those that the
    subject moved. Each must be able to take place where the schedule has it, and the site must say so. A subject
    that does nothing publishes nothing.
    """
    weights = weights or our_weights()
    world = standing.world
    entries = {entry.event: entry.id for entry in world.site if entry.event}
    changed = [name for name in entries if _has_to_change(name, standing)]
    wrong = {name: words for name in changed if (words := _wrong_announcement(name, entries[name], standing))}
    tasks = {task.id: task.target for _, task in world.tasks.values() if task.kind == "web"}
    undone = {name: words for name, target in tasks.items() if (words := _undone(target, standing))}
    extra = _unrequested(standing, entries, {(target["entry"], target["field"]) for target in tasks.values()})
    penalty = min(weights.unrequested["most"], weights.unrequested["each"] * len(extra))
    made = 1 - len(undone) / len(tasks) if tasks else 1.0
    return SiteGrade(
        publishing=1 - len(wrong) / len(changed) if changed else 1.0,
        web=max(0.0, made - penalty),
        unpublished=wrong,
        undone=undone,
        unrequested=extra,
        to_publish=len(changed),
        requested=len(tasks),
        penalty=made - max(0.0, made - penalty),
    )


def same_words(one: str, other: str) -> bool:
    """Return whether two fields say the same, whatever their case, spaces and dashes.

    >>> same_words("Tuesday 11 May,  13:30-15:00", "tuesday 11 May, 13:30–15:00 ")
    True
    """
    return one == other or _plain(one) == _plain(other)


@lru_cache(maxsize=8192)
def _plain(words: str) -> str:
    return re.sub(r"\s+", " ", re.sub("[‐-―−]", "-", words)).strip().casefold()


def _has_to_change(event: str, standing: Snapshot) -> bool:
    planned = standing.world.event[event]
    at = standing.place.get(event)
    if at != (planned.room, planned.slot):
        return True
    return event not in standing.held


def _wrong_announcement(event: str, entry: str, standing: Snapshot) -> str:
    short = standing.world.event[event].short
    at = standing.place.get(event)
    if at is None or event not in standing.held:
        return f"{short} has no place that could be announced."
    should = standing.world.announcement(at)
    says = standing.site.get(entry, {})
    right = {
        "room": same_words(says.get("room", ""), should["room"]),
        "time": read_time(says.get("time", ""), standing.world) == at[1],
    }
    for field in PUBLISHED:
        if not right[field]:
            return f"The site gives the {field} of {short} as {says.get(field, '')!r}; it is {should[field]!r}."
    return ""


def _undone(target: Mapping[str, str], standing: Snapshot) -> str:
    says = standing.site.get(target["entry"], {}).get(target["field"], "")
    if same_words(says, str(target["value"])):
        return ""
    return f"{target['field']} of {target['entry']} on the site is {says!r}; {target['value']!r} was asked for."


def _unrequested(standing: Snapshot, entries: Mapping[str, str], asked: set[tuple[str, str]]) -> dict[str, str]:
    """Find what was changed though nobody asked, a wrong announcement of an event that never moved included."""
    programme = {entry: event for event, entry in entries.items()}
    found = {}
    for entry in standing.world.site:
        now = standing.site.get(entry.id, {})
        if now == entry.fields:
            continue
        for field in sorted(set(now) | set(entry.fields)):
            if (entry.id, field) in asked or same_words(now.get(field, ""), entry.fields.get(field, "")):
                continue
            event = programme.get(entry.id)
            if event is not None and field in PUBLISHED and _has_to_change(event, standing):
                continue
            found[f"{entry.id}.{field}"] = f"{field} of {entry.id} on the site was changed though nobody asked."
    return found
