"""Disturbance: what goes wrong round a subject, how much, from when to when; Faulty: the subject that it befalls."""

import inspect
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import replace
from hashlib import blake2b
from importlib.metadata import EntryPoint
from typing import Any, ClassVar

import numpy as np

from mensura.dialogue import SUBJECT, Abstained, Address, Ask, Noted, Refused, Wait
from mensura.dialogue.streams import child
from mensura.errors import BadParameter, Invalid, unknown
from mensura.extension import extensions, load
from mensura.subjects import subject as parts
from mensura.subjects.group import Around, Work, unnoted
from mensura.subjects.naming import Factory, Naming, split_group
from mensura.subjects.subject import Subject
from mensura.subjects.team import find_members

GROUP = "mensura.faults"
"""Entry points of packages that bring faults."""
OURS = {
    "drop": "messages:Drop",
    "double": "messages:Double",
    "late": "messages:Lag",
    "hurry": "messages:Hurry",
    "slip": "numbers:Slip",
    "noise": "numbers:Noise",
    "distort": "numbers:Distort",
    "dead": "numbers:Dead",
    "corrupt": "memory:Corrupt",
    "age": "memory:Age",
}
WINDOW = ("onset", "end", "clock")
"""Options of every fault: the first session or step in which it strikes, the first in which it does no more, and which
of the two is counted, from 0: sessions over the subject's life, or steps (asks) within each session."""
LOST = Abstained("The message was lost.")


class Disturbance:
    """The fault. A new one is a subclass that overrides what it changes; its options are its arguments.

    Every draw comes from the generator it is handed, which depends on the session, the step and nothing else: one dose
    more strikes wherever one dose less did.
    """

    dose: ClassVar[str] = "rate"
    """The option that says how much; at 0 nothing is changed, unless `none` says otherwise."""
    none: ClassVar[float] = 0
    sees: Any = None
    """The arrays that the subject sees (`mensura.dialogue.Sees`), where it is a policy."""
    inner: ClassVar[bool] = False
    """Whether it strikes what was learned, so that the subject needs a snapshot."""

    def start(self) -> None:
        """Forget what belongs to the last session."""

    def asked(self, ask: Ask, rng: np.random.Generator) -> list[Ask]:
        """Return what reaches the subject of an ask: nothing, the ask, or several."""
        return [ask]

    def instead(self, ask: Ask) -> Any:
        """Return what stands for the answer where the ask did not reach the subject."""
        return LOST

    def answered(self, ask: Ask, value: Any, rng: np.random.Generator) -> Any:
        """Return what becomes of an answer."""
        return value

    def told(self, told: Ask, rng: np.random.Generator) -> list[Ask]:
        """Return what reaches the subject of what it is told."""
        return self.asked(told, rng)

    def saw(self, ask: Ask, value: Any) -> None:
        """Keep in mind what was asked and answered, also before the fault begins."""

    def spoil(self, state: Any, rng: np.random.Generator) -> Any:
        """Return what becomes of all that was learned, as a session begins."""
        return state

    def learned(self, state: Any) -> None:
        """Keep in mind what was known as a session began, also before the fault begins."""

    def snapshot(self) -> Any:
        """Return what it keeps from session to session."""

    def restore(self, state: Any) -> None:
        """Take it back."""


class Faulty(Around):
    """A subject that a fault befalls; without it, or at dose 0, it answers bit by bit as it does alone.

    The notes of every answer that was struck name the fault.

    Examples
    --------
    >>> from mensura.dialogue import Number
    >>> from mensura.subjects.fault.messages import Drop
    >>> subject = Faulty(lambda ask: 3, fault=Drop(rate=1.0), title="drop")
    >>> subject.begin(np.random.default_rng(1))
    >>> subject(Ask("How many?", Number()))
    Noted(value=Abstained(reason='The message was lost.'), notes={'fault': 'drop'})
    """

    def __init__(
        self,
        member: Subject,
        *,
        fault: Disturbance,
        title: str,
        name: str = "",
        onset: int = 0,
        end: int | None = None,
        clock: str = "session",
    ) -> None:
        super().__init__(member, name=name or f"fault:{title}({parts.name_of(member)})")
        if fault.inner and not (hasattr(member, "snapshot") and hasattr(member, "restore")):
            raise BadParameter(f"fault:{title} strikes what was learned, but {self.name} has no snapshot and restore.")
        self.fault, self.title = fault, title
        # What a policy sees is an array, whatever the prompt is.
        self.sees = fault.sees = getattr(member, "sees", None)
        self._onset, self._end, self._clock = onset, end, clock
        self._session, self._step, self._heard = -1, -1, 0
        self._key = b""

    @property
    def strikes(self) -> bool:
        """Return whether the fault is there now."""
        now = self._session if self._clock == "session" else max(self._step, 0)
        return self._onset <= now and (self._end is None or now < self._end)

    def begin(self, rng: np.random.Generator, role: str = SUBJECT, address: Address | None = None) -> None:
        """Begin a session; the chance of the fault is made from a copy, so that the subject's stays what it was."""
        self._key = child(deepcopy(rng)).bytes(32)
        self._session += 1
        self._step, self._heard = -1, 0
        self.fault.start()
        if self.fault.inner:
            self.fault.learned(self.member.snapshot())
            if self.strikes:
                self.member.restore(self.fault.spoil(self.member.snapshot(), self._chance("begin")))
        super().begin(rng, role, address)

    def work(self, ask: Ask) -> Work:
        self._step += 1
        self._heard = 0
        if not self.strikes:
            (reply,) = yield [(self.member, ask)]
            self.fault.saw(ask, unnoted(reply)[0])
            return reply
        reach = self.fault.asked(ask, self._chance("ask"))
        reply = None
        for one in reach:
            (given,) = yield [(self.member, one)]
            reply = given if reply is None else reply
        value, notes = unnoted(self.fault.instead(ask) if not reach else reply)
        self.fault.saw(ask, value)
        done = value if isinstance(value, Refused | Wait) else self._fitting(ask, value)
        if done is value and len(reach) == 1 and reach[0] is ask:
            return reply
        return Noted(done, {**notes, "fault": self.title})

    def _fitting(self, ask: Ask, value: Any) -> Any:
        """Return what becomes of an answer; what would lie outside the space is lost."""
        done = self.fault.answered(ask, value, self._chance("answer"))
        if done is value or isinstance(done, Refused):
            return done
        try:
            return ask.space.check(done)  # type: ignore[union-attr]
        except Invalid:
            return LOST

    def feedback(self, told: Ask) -> None:
        """Tell the subject what reaches it."""
        self._heard += 1
        for one in self.fault.told(told, self._chance(f"tell {self._heard}")) if self.strikes else [told]:
            super().feedback(one)

    @property
    def remember(self) -> Any:
        """The method that brings an earlier ask and its answer back to mind; there only where the subject has it."""
        if not hasattr(self.member, "remember"):
            raise AttributeError("remember")

        def remember(ask: Ask, answer: Any, *, notes: Mapping[str, Any]) -> None:
            self._step += 1
            self.fault.saw(ask, answer)
            parts.remember(self.member, ask, Noted(answer, dict(notes)))

        return remember

    def _chance(self, what: str) -> np.random.Generator:
        own = blake2b(f"{self._step} {what}".encode(), key=self._key, digest_size=16).digest()
        return np.random.Generator(np.random.PCG64(int.from_bytes(own, "big")))

    @property
    def snapshot(self) -> Any:
        """The method that gives what was learned and how far the fault is; there only where the subject has it."""
        inner = self.member.snapshot
        return lambda: {"session": self._session, "fault": self.fault.snapshot(), "subject": inner()}

    @property
    def restore(self) -> Any:
        """The method that takes it back; there only where the subject has it."""
        inner = self.member.restore

        def restore(state: Any) -> None:
            self._session = state["session"]
            self.fault.restore(state["fault"])
            inner(state["subject"])

        return restore


def named(rest: str, *, naming: Naming) -> Factory:
    """Read a name such as `fault:drop(q-learner)#rate=0.1#onset=5`; faults may be nested."""
    _, title, members = split_group(naming.name)
    if len(members) != 1:
        raise BadParameter(
            f"A fault is named fault:FAULT(SUBJECT), as in fault:drop(chance)#rate=0.1; got fault:{rest}"
        )
    thing = find_fault(title)
    own = list(inspect.signature(thing).parameters)
    (make,) = find_members(members, naming, *own, *WINDOW)
    options = {name: value for name, value in naming.options.items() if name in own}
    window = {name: value for name, value in naming.options.items() if name in WINDOW}
    _check_window(**window)
    _made(thing, title, options)
    return lambda: Faulty(make(), fault=_made(thing, title, options), title=title, name=naming.name, **window)


def find_fault(title: str) -> Any:
    """Find a fault by its name: one of ours, or one that a package brings."""
    if title in OURS:
        return load(EntryPoint(title, f"mensura.subjects.fault.{OURS[title]}", GROUP))
    brought = extensions(GROUP)
    if title not in brought:
        known = [*OURS, *brought]
        raise unknown("fault", title, known=known, see=f"There are {', '.join(known)}.")
    return load(brought[title])


def _made(thing: Any, title: str, options: dict[str, Any]) -> Disturbance:
    try:
        return thing(**options)  # type: ignore[no-any-return]
    except TypeError as error:
        words = f"The fault {title} cannot be made: {error}. Options are written behind its name: #NAME=VALUE"
        raise BadParameter(words) from None


def _check_window(onset: Any = 0, end: Any = None, clock: Any = "session") -> None:
    if clock not in ("session", "step"):
        raise BadParameter(f"clock is session or step, what onset and end are counted in; got {clock!r}.")
    whole = all(type(one) is int and one >= 0 for one in (onset, 0 if end is None else end))
    if not whole or (end is not None and end <= onset):
        raise BadParameter(f"onset and end are whole numbers from 0, the end later; got {onset!r} and {end!r}.")


def share(rate: Any, name: str = "rate") -> float:
    """Refuse a share that is none."""
    if isinstance(rate, bool) or not isinstance(rate, int | float) or not 0 <= rate <= 1:
        raise BadParameter(f"{name} lies between 0 and 1; got {rate!r}.")
    return float(rate)


def aged(ask: Ask, prompt: Any, reward: Any) -> Ask:
    """Return an ask that shows what was there before."""
    return replace(ask, prompt=prompt, reward=reward)
