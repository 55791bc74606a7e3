"""Office: the state that the subject's acts change. Plain data and no chance, so that a log of acts replays exactly."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from heapq import heappop, heappush
from typing import Any

from mensura.catalog.crisis.office.acts import ACTS
from mensura.catalog.crisis.office.acts.advice import do_part
from mensura.catalog.crisis.office.facts import Facts
from mensura.catalog.crisis.office.history import Bump, Charge, Happening, Note, Proposed, Said, Sent
from mensura.catalog.crisis.office.lookup import index_of
from mensura.catalog.crisis.office.naming import Declined
from mensura.catalog.crisis.office.published import published
from mensura.catalog.crisis.office.visible import visible
from mensura.catalog.crisis.schedule import Place, Schedule
from mensura.catalog.crisis.world.conference import Conference
from mensura.catalog.crisis.world.mail import Letter
from mensura.catalog.crisis.world.requirement import Requirement
from mensura.catalog.crisis.world.supply.money import hire
from mensura.catalog.crisis.world.supply.vendor import Order

PROPOSE = "propose"
"""The name under which an answer of the assistant stands in the journal."""


class OfficeState:
    """What is so in the office now, and what was done to make it so.

    Parameters
    ----------
    world
        What was so before; never changed.
    tools
        Acts that the condition offers; others are answered with a sentence.
    checks
        Whether the schedule refuses rooms that are taken.
    marked
        Whether the portal marks lost rooms from the beginning; else the assistant marks those that it reads of.
    """

    def __init__(self, world: Conference, *, tools: frozenset[str], checks: bool = True, marked: bool = True) -> None:
        index = index_of(world)
        self.world = world
        self.index = index
        self.tools = tools
        self.checks = checks
        self.marked = marked
        self.now = 0
        self.finished = False
        self.left: set[str] = set()
        """Roles that have gone home."""
        self.sheet: dict[str, list[Place]] = {event: [where] for event, where in world.origin.items()}
        """Event → every place at which the schedule has it; only a sheet without checks can have two."""
        self.schedule = Schedule(world.origin, length=world.length)
        """Of several entries in the sheet, the first in reading order counts."""
        self.granted: set[Place] = set()
        self.lost: set[Place] = set(world.portal.lost if marked else ())
        """What the portal marks as lost, right or wrong."""
        self.portal = replace(world.portal, granted=self.granted, lost=self.lost)
        self.orders: dict[str, Order] = dict(index.orders)
        self.cancelled: dict[str, Order] = {}
        self.payments: list[Charge] = []
        self.bumps: list[Bump] = []
        self.site: dict[str, dict[str, str]] = {entry: dict(fields) for entry, fields in index.site.items()}
        self.facts: Facts = index.facts.copy()
        self.constraints: dict[str, Requirement] = {}
        self.mailbox: dict[str, Letter] = {letter.id: letter for letter in index.letters[: index.old]}
        self.labels: dict[str, Any] = {}
        self.sent: list[Sent] = []
        self.read: dict[str, int] = {}
        self.notes: list[Note] = []
        self.briefing: str = ""
        self.briefed: dict[str, Any] = {}
        """Places, money and rooms asked for as they were when the briefing was written."""
        self.proposals: dict[str, Proposed] = {}
        self.history: list[Happening] = []
        self.journal: list[list[Any]] = []
        """Every input in order, [tick, role, call, arguments]: giving them again brings the office back."""
        self.asked: dict[str, Any] = {}
        """What the assistant was last asked about."""
        self.accepting = ""
        self._next = index.old
        self._replies: list[tuple[int, int, Letter, Bump | None]] = []
        self._written = 0
        self._numbered = len(world.orders)

    @property
    def place(self) -> dict[str, Place | None]:
        """Event → room and slot; None for what is not on the schedule."""
        return {event: places[0] if places else None for event, places in self.sheet.items()}

    @property
    def spent(self) -> float:
        """What the replanning costs: orders, fees and refunds so far, and the rooms' hire against the original's."""
        paid = sum(payment.amount for payment in self.payments)
        return paid + hire(self.world, self.place) - hire(self.world, self.world.origin)

    @property
    def published(self) -> dict[str, Place]:
        """What the web site says of events: room and slot, where it can be understood."""
        return published(self)

    def arrive(self, now: int) -> list[Letter]:
        """Let letters and scripted replies come that are due up to now, in the order of their ticks."""
        letters, replies = self.index.letters, self._replies
        came: list[Letter] = []
        while True:
            letter = letters[self._next] if self._next < len(letters) else None
            if replies and replies[0][0] <= now and (letter is None or replies[0][0] < letter.tick):
                _, _, reply, bump = heappop(replies)
                if bump is not None:
                    self._settle(bump)
                came.append(reply)
            elif letter is not None and letter.tick <= now:
                self._next += 1
                came.append(letter)
            else:
                break
        for each in came:
            self.mailbox[each.id] = each
        self.now = max(self.now, now)
        return came

    def next_arrival(self) -> int | None:
        """Return when the next mail comes; None where none is on its way."""
        ticks = [self._replies[0][0]] if self._replies else []
        if self._next < len(self.index.letters):
            ticks.append(self.index.letters[self._next].tick)
        return min(ticks, default=None)

    def act(self, role: str, call: str, arguments: Mapping[str, Any], *, now: int) -> Said:
        """Do something; the world answers as an office would, and the act is kept whatever comes of it."""
        self.arrive(now)
        given = dict(arguments)
        self.journal.append([now, role, call, given])
        return self.carry_out(role, call, given)

    def carry_out(self, role: str, call: str, arguments: dict[str, Any]) -> Said:
        """Do one act, which may be a part of a proposal that was accepted, and note it in the history."""
        act = ACTS.get(call)
        if act is None or call not in self.tools:
            said = Said(False, f"Nothing here can {call.replace('_', ' ')}.")
        else:
            try:
                said = act(self, role, arguments)
            except Declined as wrong:
                said = Said(False, str(wrong))
        self.history.append(Happening(self.now, role, call, arguments, said.ok, said.words, self.accepting))
        return said

    def propose(self, answer: Mapping[str, Any] | None, *, now: int) -> Said:
        """Take an answer of the assistant; None: none. Labels and lost rooms are marked, the rest is a proposal."""
        self.arrive(now)
        self.journal.append([now, "assistant", PROPOSE, None if answer is None else dict(answer)])
        if answer is None:
            return Said(False, "The assistant has no answer.")
        self.labels.update(answer["labels"])
        if answer["kind"] == "label":
            for act in answer["acts"]:
                if act["call"] == "set_room_fact" and act["arguments"].get("fact") == "lost":
                    do_part(self, "assistant", act)
            return Said(True, answer["words"])
        made = Proposed(
            f"p{len(self.proposals) + 1}",
            self.now,
            answer["kind"],
            self.asked,
            answer["words"],
            list(answer["acts"]),
            list(answer["ranked"]),
        )
        self.proposals[made.id] = made
        return Said(True, proposal_words(made), {"proposal": made.json()})

    def again(self, journal: Sequence[Sequence[Any]]) -> Said | None:
        """Give the inputs of a journal again; says what the world said last."""
        said = None
        for now, role, call, arguments in journal:
            if call == PROPOSE:
                said = self.propose(arguments, now=now)
            else:
                said = self.act(role, call, arguments, now=now)
        return said

    def visible(self) -> dict[str, Any]:
        """Return all that a subject may see, for pages; nothing of the hidden truth."""
        return visible(self)

    def write_later(
        self, sender: str, subject: str, body: str, *, delay: int, order: str = "", bump: Bump | None = None
    ) -> str:
        """Put a scripted reply on its way; return its id."""
        self._written += 1
        while f"r-{self._written}" in self.world.letter:
            self._written += 1
        tick = self.now + delay
        letter = Letter(id=f"r-{self._written}", tick=tick, sender=sender, subject=subject, body=body, order=order)
        heappush(self._replies, (tick, self._written, letter, bump))
        return letter.id

    def number_order(self) -> str:
        """Return the next free number of an order."""
        while True:
            self._numbered += 1
            id = f"o-{self._numbered}"
            if id not in self.orders and id not in self.cancelled:
                return id

    def put(self, event: str, places: list[Place]) -> None:
        """Write an event's places into the schedule; the first in reading order counts."""
        order = self.index.order_of_rooms
        places.sort(key=lambda where: (where[1], order[where[0]]))
        self.sheet[event] = places
        if places:
            self.schedule.put(event, places[0])
        elif event in self.schedule.place:
            self.schedule.lift(event)

    def _settle(self, bump: Bump) -> None:
        bump.answer = self.portal.held[bump.room, bump.slot].yields
        if bump.answer:
            self.granted.add((bump.room, bump.slot))


def proposal_words(made: Proposed) -> str:
    """Return a proposal, its parts numbered from 1."""
    lines = [f"Proposal {made.id}: {made.words}".rstrip(": ")]
    for number, act in enumerate(made.acts, start=1):
        given = ", ".join(f"{name}={value}" for name, value in act["arguments"].items())
        lines.append(f"{number}. {act['call']}({given})")
    return "\n".join(lines)
