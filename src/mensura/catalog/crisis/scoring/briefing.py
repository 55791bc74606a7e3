"""The briefing's provisional score: a reader that checks what a text says against the office."""

import calendar
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from mensura.catalog.crisis.scoring.snapshot import Snapshot
from mensura.catalog.crisis.scoring.weights import Weights, our_weights
from mensura.catalog.crisis.world.programme.event import GREAT
from mensura.catalog.crisis.world.time import BLOCKS, SLOTS, block_of, day_of, slot_words

METHOD = "provisional: read by program; a blind panel's rating takes its place"
COUNT = re.compile(r"(?<![\w.,:])(\d{1,4})(?![\w:]|[.,]\d)")
MOVED = re.compile(r"\b(moved|moving|rescheduled|relocated|new (room|place|time)s?)\b", re.IGNORECASE)
ASKED = re.compile(r"\b(asked|requests?|bump(ed|s)?|gave up|given up)\b", re.IGNORECASE)
SPENT = re.compile(r"\b(spent|costs?|spending|budget|money)\b", re.IGNORECASE)
TOLD = re.compile(r"\b(expects?|attend\w*|people|seats?|holds?)\b", re.IGNORECASE)
OPEN = re.compile(r"\b(unscheduled|without a (room|place)|no (room|place)|still open)\b", re.IGNORECASE)
NO_DAY = -1


@dataclass(frozen=True)
class BriefingItem:
    """One item of a briefing: its words, its points from 0 to 4, and what was found in it."""

    words: str
    points: int
    about: str
    why: str
    news: bool = False
    """Whether it tells what today's mail brought, and not what every page of the office shows."""
    wrong: bool = False


@dataclass(frozen=True)
class RatedBriefing:
    """What a briefing is worth."""

    value: float
    """Points of the best items over the most possible; 0 without a briefing."""
    items: tuple[BriefingItem, ...]
    """The items that a program rated, best first; which ones a panel picked differs from rater to rater."""
    present: bool
    method: str = METHOD
    provisional: float | None = None
    """What a program gave it, where a panel's rating has taken the place of that."""


def read_briefing(standing: Snapshot, *, weights: Weights | None = None) -> RatedBriefing:
    """Read the first lines of a briefing and rate the best, each about another matter, less what is wrong; none is 0.

    A fact that today's mail brought, with what it is about, has 4 points. Of what every page shows, and anyone could
    copy, only the best item counts: a point for naming something of this conference; a second for stating a fact of it
    that is true as the office stands; a third if the statement is complete (room and time, or a number); a fourth if it
    matters (the event had to move, is a keynote, plenary, social or exhibit, or the sum concerns the whole office).
    What was false when it was written costs points; what has grown old since has none. This is a stand-in for people:
    it knows whether a sentence is right, not whether it is well put.
    """
    weights = weights or our_weights()
    text = standing.briefing.strip()
    if not text:
        return RatedBriefing(0.0, (), present=False)
    best: dict[str, BriefingItem] = {}
    wrong, written = [], replace(standing, **standing.briefed)
    for words in split_items(text)[: weights.lines]:
        item = _rate(words, standing)
        if item.wrong and _rate(words, written).wrong:
            wrong.append(replace(item, points=-weights.wrong))
        elif item.points and (item.about not in best or item.points > best[item.about].points):
            best[item.about] = item
    ranked = sorted(best.values(), key=lambda item: -item.points)
    shown = [item for item in ranked if not item.news][: weights.shown]
    rated = sorted([item for item in ranked if item.news] + shown, key=lambda item: -item.points)[: weights.items]
    most = weights.items * weights.points
    return RatedBriefing(max(0, sum(item.points for item in rated + wrong)) / most, (*rated, *wrong), present=True)


def split_items(text: str) -> list[str]:
    """Split a text into its items: lines, and sentences within them.

    >>> split_items("- The hall is lost. We moved on.\\n* Dinner: Terrace Room, 18:30")
    ['The hall is lost.', 'We moved on.', 'Dinner: Terrace Room, 18:30']
    """
    lines = (re.sub(r"^\s*([-*•]|\d+[.)])\s+", "", line).strip() for line in text.splitlines())
    return [part for line in lines for part in re.split(r"(?<=[.!?])\s+(?=[A-Z])", line) if part]


def _rate(words: str, standing: Snapshot) -> BriefingItem:
    for rate in (_rate_news, _rate_count, _rate_event, _rate_site, _rate_crisis):
        if item := rate(words, standing):
            return item
    return BriefingItem(words, 0, "", "names nothing of this conference")


def _rate_news(words: str, standing: Snapshot) -> BriefingItem | None:
    """Rate what is said of a fact that today's mail brought: what it is about, and what is so."""
    world, low = standing.world, words.casefold()
    event = _longest(low, ((event.id, (event.short, event.title)) for event in world.events))
    room = _longest(low, ((room.id, (room.name,)) for room in world.rooms))
    person = _longest(low, ((person.id, (person.name,)) for person in world.people))
    numbers = set(COUNT.findall(words.replace(",", "")))
    days, _ = _times(low, standing)
    for letter, task in world.tasks.values():
        target = task.target
        if letter.tick < 0 or (target.get("event") or target.get("room") or target.get("person")) not in (
            {event, room, person} - {""}
        ):
            continue
        value = str(target.get("item") or target.get("value", ""))
        fact = task.kind in ("event_fact", "room_fact") and (value in numbers or (value.isalpha() and value in low))
        away = task.kind == "availability" and days & {day_of(slot) for slot in target["slots"]}
        if fact or away:
            return BriefingItem(words, 4, task.id, "tells what today's mail brought", news=True)
    if TOLD.search(words) and numbers and (event or room):
        seats = world.room[room].capacity.values() if room else [world.event[event].attendance]
        if not numbers & {str(number) for number in seats}:
            return BriefingItem(words, 0, event or room, "is not so", wrong=True)
    return None


def _rate_event(words: str, standing: Snapshot) -> BriefingItem | None:
    """Rate what is said of an event: its room and its time as the schedule has them."""
    world, low = standing.world, words.casefold()
    event = _longest(low, ((event.id, (event.short, event.title)) for event in world.events))
    if not event:
        return None
    at = standing.place.get(event)
    if at is None:
        true = bool(OPEN.search(words))
        said = "says that it has no place" if true else "has no place"
        return BriefingItem(words, 4 if true else 0, event, said, wrong=not true)
    room = world.room.get(at[0])
    rooms = {name.id for name in world.rooms if name.name.casefold() in low}
    right_room = room is not None and room.id in rooms
    days, starts = _times(low, standing)
    right_day, right_start = day_of(at[1]) in days, BLOCKS[block_of(at[1])][:5] in starts
    if (rooms and not right_room) or (days and not right_day) or (starts and not right_start):
        return BriefingItem(words, 0, event, "is not so", wrong=True)
    if event not in standing.held:
        return BriefingItem(words, 1, event, "cannot take place there")
    if not (right_room or right_day):
        return BriefingItem(words, 1, event, "names an event and says nothing of it")
    whole = right_room and right_day and right_start
    planned = world.event[event]
    matters = planned.kind in GREAT or at != (planned.room, planned.slot)
    return BriefingItem(words, 2 + whole + matters, event, "says where or when an event is")


def _rate_count(words: str, standing: Snapshot) -> BriefingItem | None:
    """Rate a number: events moved, rooms asked for, money spent, events without a place."""
    numbers = [float(said) for said in COUNT.findall(words.replace(",", ""))]
    numbers += [float(said) for said in re.findall(r"\d+\.\d+", words.replace(",", ""))]
    if not numbers:
        return None
    world = standing.world
    moved = sum(standing.place.get(event.id) != (event.room, event.slot) for event in world.events)
    counts: list[tuple[str, re.Pattern[str], float, float]] = [
        ("unplaced", OPEN, sum(at is None for at in standing.place.values()), 0.0),
        ("asked", ASKED, standing.bumps, 0.0),
        ("spent", SPENT, standing.spent, max(1.0, 0.02 * standing.spent)),
        ("moved", MOVED, moved, 0.0),
    ]
    named = [(about, count, slack) for about, pattern, count, slack in counts if pattern.search(words)]
    if not named or _longest(words.casefold(), ((event.id, (event.short,)) for event in world.events)):
        return None
    for about, count, slack in named:
        if count and any(abs(number - count) <= slack for number in numbers):
            return BriefingItem(words, 4, about, "gives a number that is right")
    return BriefingItem(words, 0, named[0][0], "gives a number that is not right", wrong=True)


def _rate_site(words: str, standing: Snapshot) -> BriefingItem | None:
    """Rate what is said of a change of the site that was asked for and made."""
    low = words.casefold()
    for _, task in standing.world.tasks.values():
        if task.kind != "web":
            continue
        value = str(task.target["value"])
        if len(value) > 2 and value.casefold() in low:
            now = standing.site.get(task.target["entry"], {}).get(task.target["field"], "")
            made = now.casefold() == value.casefold()
            said = "says a change of the site" + ("" if made else " that is not so")
            return BriefingItem(words, 4 if made else 0, task.id, said, news=made, wrong=not made)
    return None


def _rate_crisis(words: str, standing: Snapshot) -> BriefingItem | None:
    """Rate what is said of the crisis itself: which rooms are lost, and when."""
    low, loss = words.casefold(), standing.world.loss
    lost = [name for name in loss.rooms if standing.world.room[name].name.casefold() in low]
    days = {f"{slot_words(slot, first=standing.world.first).split(' ')[0]}".casefold() for slot in loss.slots}
    if lost:
        return BriefingItem(words, 2 + any(day in low for day in days), "crisis", "names what is lost")
    if any(room.name.casefold() in low for room in standing.world.rooms):
        return BriefingItem(words, 1, "rooms", "names a room")
    return None


def _times(low: str, standing: Snapshot) -> tuple[set[int], set[str]]:
    """Find the days and the beginnings of blocks that are named."""
    days, weekdays = set(), set()
    for slot in range(0, SLOTS, len(BLOCKS)):
        weekday, number, month = slot_words(slot, first=standing.world.first).split(",")[0].casefold().split(" ")
        weekdays.add(weekday)
        if weekday in low or f"{number} {month}" in low:
            days.add(day_of(slot))
    # A day on which there is no conference is a false one, whatever it is.
    days |= {NO_DAY for day in calendar.day_name if day.casefold() in low and day.casefold() not in weekdays}
    starts = {block[:5] for block in BLOCKS if re.search(rf"(?<!\d)0?{block[:5].lstrip('0')}(?![–-])", low)}
    starts |= {block[:5] for block in BLOCKS if block.casefold() in low or block.replace("–", "-") in low}
    return days, starts


def _longest(low: str, named: Iterable[tuple[str, tuple[str, ...]]]) -> str:
    """Find which of several named things a text speaks of: the one whose name in it is longest."""
    found = [
        (len(name), key)
        for key, names in named
        for name in names
        if name and re.search(rf"(?<!\w){re.escape(name.casefold())}(?!\w)", low)
    ]
    return max(found)[1] if found else ""
