"""Ledger: the sixteen key tasks of the source, each with how often it could be done, was found, was done, and when."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from mensura.catalog.crisis.office.history import Happening
from mensura.catalog.crisis.office.lookup import Lookup, index_of
from mensura.catalog.crisis.schedule import Place, Schedule
from mensura.catalog.crisis.scoring.site import grade_site, same_words
from mensura.catalog.crisis.scoring.snapshot import Snapshot
from mensura.catalog.crisis.world.conference import Conference
from mensura.catalog.crisis.world.mail import MailTask

TASKS = {
    "find_message": "Find mail that concerns the conference",
    "read_tasks": "See what such mail asks for",
    "constrain": "Enter or change a constraint or a fact of an event",
    "room_facts": "Put a room's facts right",
    "find_slot": "Find a new slot of a room",
    "see_need": "See that the schedule has to change",
    "adjust": "Change the schedule until nothing is left in lost rooms",
    "see_adequate": "See that the schedule is good enough, and turn to the rest",
    "publish": "Bring the schedule to the site",
    "see_order": "See that an event needs something from a vendor",
    "find_orders": "Find the orders that stand",
    "change_orders": "Change or cancel orders that stand",
    "new_orders": "Order something new",
    "web_change": "Make a single change of the site",
    "brief": "Write the briefing",
    "batch": "Find a rule for many changes of the site, and carry it out",
}
"""The key tasks of CMU-CS-06-125, section 3.3, in our own words and in its order."""
CLOSING = ("brief", "edit_entry", "publish", "finish", "batch", "draft")
NAMING = {"event": "event", "other": "event", "room": "room", "person": "person", "entry": "entry"}
"""Argument of an act → the kind of thing that it names, by its id or by any of its names."""
WORDS = ("page", "fact")
"""Arguments that the office reads whatever their case."""


@dataclass(frozen=True)
class KeyTask:
    """One task: when it was first found, when it was done, and how much of it."""

    task: str
    words: str
    found: int | None
    """The tick at which the subject first came upon it; None: never."""
    done: int | None
    """The tick at which the last of it was done; None: not done, or not all of it where `of` says how much there is."""
    count: int
    """How much of it was done."""
    of: int | None = None
    """How much of it there was; None where that has no number."""

    def data(self) -> dict[str, Any]:
        """Return it as JSON."""
        return asdict(self)


def ledger(
    standing: Snapshot, *, history: Iterable[Happening], read: dict[str, int], batches: Collection[str] = ()
) -> list[KeyTask]:
    """Return what became of the sixteen key tasks.

    Parameters
    ----------
    standing
        The office at the end.
    history
        Everything that was done, in order; what the assistant did by itself is left aside.
    read
        Message → the tick at which it was first read.
    batches
        Proposals of the assistant for many changes of the site.
    """
    index = index_of(standing.world)
    acts = [replace(one, arguments=_by_id(one.arguments, index)) for one in history if one.role != "assistant"]
    clerk = _Clerk(standing, acts, read, batches)
    return [_line(task, *getattr(clerk, task)()) for task in TASKS]


def _by_id(arguments: Mapping[str, Any], index: Lookup) -> dict[str, Any]:
    """Return what an act was about as the world does: people also write names, and any case."""
    found = dict(arguments)
    for name, kind in NAMING.items():
        if name in found:
            found[name] = index.id_of(kind, str(found[name])) or found[name]
    return found | {name: str(found[name]).strip().lower() for name in WORDS if name in found}


def _line(task: str, found: list[int], done: list[int], of: int | None) -> KeyTask:
    settled = done and (of is None or len(done) >= of)
    return KeyTask(task, TASKS[task], min(found, default=None), max(done) if settled else None, len(done), of)


Told = tuple[list[int], list[int], int | None]
"""Ticks at which a task was found, ticks at which parts of it were done, and how many parts there were."""


class _Clerk:
    """Reads the history once and tells of each task."""

    def __init__(
        self, standing: Snapshot, acts: Sequence[Happening], read: dict[str, int], batches: Collection[str]
    ) -> None:
        self.standing, self.acts, self.read, self.batches = standing, acts, read, batches
        self.world: Conference = standing.world
        self.signal = {letter.id for letter in self.world.letters if letter.tasks}
        self.crisis = {letter.id for letter, task in self.world.tasks.values() if task.kind == "crisis"}
        self.moves = self._ticks("move", "copy", "unschedule")
        self.driven_out = Schedule(self.world.origin, length=self.world.length).inside(self.world.portal.lost)
        self.emptied = self._emptied()

    def find_message(self) -> Told:
        found = [tick for message, tick in self.read.items() if message in self.signal]
        return found, found, len(self.signal)

    def read_tasks(self) -> Told:
        known = [self.read[letter.id] for letter, _ in self.world.tasks.values() if letter.id in self.read]
        done = [
            tick for letter, task in self.world.tasks.values() if (tick := self._acted_on(letter.id, task)) is not None
        ]
        return known, done, len(self.world.tasks)

    def constrain(self) -> Told:
        done = self._ticks("constrain", "set_event_fact")
        return self._read_of("availability", "preference", "event_fact") + done, done, None

    def room_facts(self) -> Told:
        tasks = [task for _, task in self.world.tasks.values() if task.kind == "room_fact"]
        done = [tick for task in tasks if (tick := self._fact_set(task)) is not None]
        return self._read_of("room_fact") + self._ticks("set_room_fact"), done, len(tasks)

    def find_slot(self) -> Told:
        asked = self._ticks("ask_room", "find_room")
        looked = self._looked("portal", "rooms")
        new = [act.tick for act in self.acts if act.call in ("move", "copy") and act.ok and self._is_new_room(act)]
        return asked + looked + new, new, None

    def see_need(self) -> Told:
        told = [self.read[message] for message in self.crisis if message in self.read]
        seen = self.moves + self._ticks("optimise")
        return told, sorted(seen)[:1], None

    def adjust(self) -> Told:
        found = self.moves + self._ticks("optimise")
        return found, self.emptied, len(self.driven_out)

    def see_adequate(self) -> Told:
        last = max(self.moves, default=None)
        if last is None or len(self.emptied) < len(self.driven_out):
            return [], [], None
        after = [act.tick for act in self.acts if act.ok and act.call in CLOSING and act.tick >= last]
        return [last], after[:1], None

    def publish(self) -> Told:
        entries = {entry.id for entry in self.world.site if entry.event}
        edits = [
            act
            for act in self.acts
            if act.ok
            and (act.call == "publish" or (act.call == "edit_entry" and act.arguments.get("entry") in entries))
        ]
        site = grade_site(self.standing)
        right = site.to_publish - len(site.unpublished)
        ticks = sorted(act.tick for act in edits)
        return ticks + self._ticks("batch"), [ticks[-1]] * right if ticks else [], site.to_publish

    def see_order(self) -> Told:
        looked = self._looked("vendors", "vendor")
        done = self._ticks("order", "change_order")
        return looked + done, done[:1], None

    def find_orders(self) -> Told:
        looked = self._looked("orders", "order")
        receipts = [self.read[letter.id] for letter in self.world.letters if letter.order and letter.id in self.read]
        found = sorted(looked + receipts)
        return found, found[:1], None

    def change_orders(self) -> Told:
        done = self._ticks("change_order", "cancel_order")
        return done, done, None

    def new_orders(self) -> Told:
        done = self._ticks("order")
        return done, done, None

    def web_change(self) -> Told:
        tasks = [task for _, task in self.world.tasks.values() if task.kind == "web"]
        done = [tick for task in tasks if (tick := self._edited(task)) is not None]
        return self._read_of("web"), done, len(tasks)

    def brief(self) -> Told:
        done = self._ticks("brief")
        return self._read_of("briefing") + done, done[-1:] if self.standing.briefing.strip() else [], 1

    def batch(self) -> Told:
        done = [act.tick for act in self.acts if act.ok and act.call == "edit_entry" and act.proposal in self.batches]
        return self._ticks("batch"), done, None

    def _ticks(self, *calls: str) -> list[int]:
        return [act.tick for act in self.acts if act.call in calls and act.ok]

    def _looked(self, *pages: str) -> list[int]:
        return [act.tick for act in self.acts if act.call == "look" and act.arguments.get("page") in pages]

    def _read_of(self, *kinds: str) -> list[int]:
        return [
            self.read[letter.id]
            for letter, task in self.world.tasks.values()
            if task.kind in kinds and letter.id in self.read
        ]

    def _emptied(self) -> list[int]:
        """Ticks at which each driven-out event came to where it is now, for those that can take place there."""
        last: dict[str, int] = {}
        for act in self.acts:
            # On a sheet an event may also be copied to its new place, and the old entry taken away.
            if act.call in ("move", "copy", "unschedule") and act.ok:
                last[str(act.arguments.get("event"))] = act.tick
        return sorted(last[event] for event in self.driven_out if event in last and event in self.standing.held)

    def _is_new_room(self, act: Happening) -> bool:
        event = self.world.event.get(str(act.arguments.get("event")))
        now: Place | None = self.standing.place.get(event.id) if event else None
        return event is not None and act.arguments.get("room") != event.room and now is not None

    def _acted_on(self, message: str, task: MailTask) -> int | None:
        """Return when an act first took up what a task asks for, after its message was read."""
        if message not in self.read:
            return None
        since = self.read[message]
        for act in self.acts:
            if act.tick >= since and act.ok and _takes_up(act, message, task):
                return act.tick
        return None

    def _fact_set(self, task: MailTask) -> int | None:
        return next(
            (act.tick for act in self.acts if act.ok and act.call == "set_room_fact" and _is_fact(act, task)), None
        )

    def _edited(self, task: MailTask) -> int | None:
        target = task.target
        if not same_words(self.standing.site.get(target["entry"], {}).get(target["field"], ""), str(target["value"])):
            return None
        for act in reversed(self.acts):
            if act.call == "edit_entry" and act.ok and act.arguments.get("entry") == target["entry"]:
                return act.tick
        return None


CALLS = {
    "crisis": ("move", "unschedule", "optimise", "ask_room"),
    "room_fact": ("set_room_fact",),
    "event_fact": ("set_event_fact", "move"),
    "availability": ("constrain", "move"),
    "preference": ("constrain", "move"),
    "web": ("edit_entry",),
    "publish": ("edit_entry", "publish", "batch"),
    "query": ("reply",),
    "order": ("order", "change_order", "cancel_order"),
    "briefing": ("brief",),
}
"""Kind of task → the calls by which it is taken up."""


def _takes_up(act: Happening, message: str, task: MailTask) -> bool:
    if act.call not in CALLS[task.kind]:
        return False
    if task.kind in ("crisis", "publish", "briefing"):
        return True
    if task.kind == "query":
        return act.arguments.get("message") == message
    named, wanted = (
        {str(said[name]) for name in (*NAMING, "order") if said.get(name)} for said in (act.arguments, task.target)
    )
    return bool(named & wanted) or (act.call == "move" and not wanted)


def _is_fact(act: Happening, task: MailTask) -> bool:
    return act.arguments.get("room") == task.target.get("room") and act.arguments.get("fact") == task.target.get("fact")
