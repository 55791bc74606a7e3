"""Worker: the hours of a simulated participant, one act after the other, by whatever tools there are."""

from collections import deque
from collections.abc import Callable, Generator
from functools import cached_property
from typing import Any

import numpy as np

from mensura.catalog.crisis.act import Act, call
from mensura.catalog.crisis.subjects import answering, by_hand, with_assistant
from mensura.catalog.crisis.subjects.matter import Matter, misread, read_letter, understand
from mensura.catalog.crisis.subjects.memory import Memory
from mensura.catalog.crisis.subjects.traits import Traits
from mensura.catalog.crisis.subjects.view import OfficeView

Work = Generator[Act, Any, Any]
"""Gives acts; what comes of them is heard before the next is asked for."""
THINK = {
    "read": 25,
    "reply": 40,
    "move": 15,
    "ask_room": 20,
    "set_room_fact": 15,
    "set_event_fact": 15,
    "order": 30,
    "change_order": 20,
    "cancel_order": 20,
    "edit_entry": 15,
    "brief": 120,
    "constrain": 40,
    "accept": 30,
}
"""Seconds of thought before an act, for someone of speed 1 who is new to the office: assumptions, not findings."""
SCHEDULE_KINDS = ("crisis", "room_fact", "event_fact", "availability", "preference")
BURST = 2
"""Messages that are read, and matters that are settled, in a row before other work has its turn."""
UNLABELLED = 0.8
"""The chance to leave mail unopened that the assistant has put no label on."""
QUESTIONS = 14
OVERDUE = 600
"""Seconds after which someone who has not heard of the crisis looks at the portal."""
IDLE = 45
BRIEFING = (0.08, 0.2)
"""The share of the time that is left when someone turns to the briefing, drawn evenly."""
LEAST = 600
"""Seconds that a briefing takes at least, with its thought."""


class Worker:
    """Someone at a desk.

    Parameters
    ----------
    traits, rng
        Who they are, and their chance.
    part
        "all"; or "schedule" and "rest" for two who share an office.
    """

    def __init__(self, traits: Traits, rng: np.random.Generator, *, part: str = "all") -> None:
        self.traits, self.rng, self.part = traits, rng, part
        self.memory = Memory()
        self.desk: Any = None
        self.unread: deque[str] = deque()
        self.matters: deque[tuple[str, Matter]] = deque()
        self.news: list[str] = []
        """What mail brought that the chair should know."""
        self.crisis = False
        """Whether they know that rooms are lost."""
        self.to_move: list[str] = []
        """Events that stand badly by what they now know."""
        self.dirty = True
        """Whether something is known that the optimiser was not told when it was last asked."""
        self.pending: dict[str, Any] = {}
        """Event → the place for which an owner was asked."""
        self.given_up: set[str] = set()
        self.settled: set[str] = set()
        """Events whose orders were seen to at the place where they are."""
        self.briefed = False
        self.optimised = -10_000
        self.batched = -1
        """How many announcements were wrong when the assistant was last asked to change them."""
        self.questions = round(QUESTIONS * traits.diligence)
        """How many of the assistant's questions they have patience for."""
        self.answers = 0
        """Answers of owners that the last plan knew."""
        self._notes = 0
        self._seen = 0
        self._screen: OfficeView | None = None
        self.brief_at = float(rng.uniform(*BRIEFING))
        self.writes = rng.random() < traits.diligence

    @cached_property
    def tools(self) -> frozenset[str]:
        """What they can do."""
        return frozenset(self.desk.whole["tools"])

    @property
    def screen(self) -> OfficeView:
        """What the pages show now."""
        if self._screen is None:
            self._screen = OfficeView(self.desk.whole["office"])
        return self._screen

    @property
    def assisted(self) -> bool:
        """Whether there is an assistant to ask."""
        return "optimise" in self.tools

    def work(self) -> Work:
        """Work until nobody asks any more."""
        self.total = self.desk.left
        yield from self.do(call("look", page="manual"))
        if self.part != "rest":
            self.memory.learn(rule for rule in self.screen.manual() if self.rng.random() < self.traits.skill)
        while True:
            for _ in range(BURST):
                if self.unread:
                    yield from self._read(self.unread.popleft())
            for _ in range(BURST):
                if self.matters:
                    yield from self._settle(*self.matters.popleft())
            yield from self._one_thing()

    def do(self, act: Act) -> Generator[Act, Any, dict[str, Any]]:
        """Think, and do one thing; gives what the world said."""
        seconds = round(THINK.get(act["call"], 0) / self.traits.speed)
        if seconds:
            yield from self.think(seconds)
        yield act
        said: dict[str, Any] = self.desk.said
        return said

    def think(self, seconds: float) -> Work:
        """Let time pass."""
        yield call("wait", seconds=max(1, round(seconds)))

    def hear(self, desk: Any) -> None:
        """Take in what lies on the desk now."""
        self.desk, self._screen = desk, None
        if self.part == "schedule":
            # The colleague reads the mail and writes down what concerns the schedule; owners' answers are for oneself.
            notes = self.screen.raw["notes"]
            self.unread.extend(note["text"].split()[-1] for note in notes[self._notes :] if note["role"] != "subject")
            self._notes = len(notes)
        replies: list[str] = []
        for new in self._new():
            reply = new["id"].startswith("r-")
            if self.part in ("all", "schedule" if reply else "rest") and not self._skips(new):
                (replies if reply else self.unread).append(new["id"])
        self.unread.extend(replies)

    def _new(self) -> list[dict[str, Any]]:
        """Return the headers of mail that has come; two at work see only some desks, but all of the mailbox."""
        if self.part == "all":
            return list(self.desk.new)
        mailbox = self.screen.raw["mailbox"]
        found = [header for header in mailbox[self._seen :] if header["tick"] >= 0]
        self._seen = len(mailbox)
        return found

    def _skips(self, new: dict[str, Any]) -> bool:
        """Return whether a header shows that a message need not be opened: a receipt, or noise."""
        if new["id"].startswith("r-"):
            return "order" in new["subject"].lower() or "automatic" in new["subject"].lower()
        if self.assisted:
            # Where mail is labelled, what bears no label is mostly left alone.
            return not new.get("label") and self.rng.random() < UNLABELLED
        # Some noise is plain from its sender.
        return self.screen.outsider(self.screen.sender(new["id"])) and self.rng.random() < 0.4 * self.traits.skill

    def _read(self, message: str) -> Work:
        said = yield from self.do(call("read", message=message))
        if not said["ok"] or message.startswith("r-"):
            # What owners and vendors answer stands on the portal and the page of orders, too.
            return
        seen = [misread(one, traits=self.traits, rng=self.rng) for one in self._understood(message, said["data"])]
        if self.part == "rest" and any(matter.kind in SCHEDULE_KINDS for matter in seen):
            yield from self.do(call("note", text=f"For the schedule: {message}"))
        mine = [matter for matter in seen if self._is_mine(matter)]
        forms = [matter.act for matter in mine if matter.act is not None]
        if self.assisted and forms:
            yield from with_assistant.suggest(self, message, forms)
        self.matters.extend((message, matter) for matter in mine if matter.act is None or not self.assisted)
        for matter in mine:
            self._take_in(matter)

    def _understood(self, message: str, opened: dict[str, Any]) -> list[Matter]:
        found = read_letter({**opened, "sender": self.screen.sender(message)}, self.screen.raw)
        # What a colleague has written down is not overlooked.
        return found if self.part == "schedule" else understand(found, traits=self.traits, rng=self.rng)

    def _is_mine(self, matter: Matter) -> bool:
        return self.part == "all" or (matter.kind in SCHEDULE_KINDS) == (self.part == "schedule")

    def _take_in(self, matter: Matter) -> None:
        """Keep in mind what a message says, whether or not anything is entered anywhere."""
        self.crisis = self.crisis or matter.kind == "crisis"
        if news := by_hand.news_words(self.screen, matter):
            self.news.append(news)
        if matter.kind in ("room_fact", "event_fact"):
            self.memory.told(matter.about)
        self.memory.learn(matter.rules)
        if matter.kind in SCHEDULE_KINDS:
            self.dirty = True
            self.to_move += by_hand.badly_placed(self, matter)

    def _one_thing(self) -> Work:
        """Do what is most pressing now; half of the time the assistant's way where there is one."""
        left = self.desk.left
        late = left < 0.35 * self.total
        if self.part != "schedule" and not self.briefed and left < max(self.brief_at * self.total, LEAST):
            self.briefed = True
            if self.writes:
                yield from by_hand.brief(self)
            return
        if self.part != "rest" and not self.crisis and self.desk.now >= OVERDUE:
            # Those who missed the mail see it on the portal sooner or later.
            yield from self.do(call("look", page="portal"))
            self.crisis = bool(self.screen.driven_out)
        if self.part != "rest" and self.crisis:
            worked = yield from (with_assistant if self.assisted else by_hand).replan(self)
            if worked and not late:
                return
        for work in self._others(late):
            if (yield from work(self)):
                return
        if not self.unread and not self.matters:
            yield from self.think(IDLE)

    def _others(self, late: bool) -> list[Callable[["Worker"], Generator[Act, Any, bool]]]:
        """Return what is left beside the schedule: orders and the site, in the end in any order."""
        found: list[Callable[[Worker], Generator[Act, Any, bool]]] = []
        if self.part != "rest":
            found.append(by_hand.errands)
        if self.part != "schedule" and (late or self._adequate()):
            found.append(with_assistant.publish if self.assisted else by_hand.publish)
        return found[::-1] if late and self.rng.random() < 0.5 else found

    def _adequate(self) -> bool:
        """Return whether the schedule looks done, so that the site is worth changing."""
        return bool(self.screen.moved()) and not any(
            event not in self.given_up for event in (*self.screen.driven_out, *self.pending)
        )

    def _settle(self, message: str, matter: Matter) -> Work:
        """Do by hand what a message asks for; constraints are for those who have an assistant to keep them."""
        if matter.kind in ("room_fact", "event_fact") and self.rng.random() > self.traits.diligence:
            return
        if matter.kind == "query":
            yield from answering.reply(self, message, matter.words)
        elif matter.act is not None and not matter.rules:
            yield from self.do(matter.act)
