"""Session: one administration of a test, passive and append-only. Drivers move it; it never waits or sleeps."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Literal, NoReturn

from mensura.dialogue.ask import SUBJECT, Ask, Break, Outcome, Round, Save
from mensura.dialogue.clock import Clock
from mensura.dialogue.definition import Dialogue, Instance
from mensura.dialogue.prompts import PromptLike, prompt_data
from mensura.dialogue.session.event import Event
from mensura.dialogue.session.gathering import Gathering
from mensura.dialogue.session.limits import Limits
from mensura.dialogue.session.log import Log, Trace, loggable
from mensura.dialogue.session.snapshot import restore, snapshot
from mensura.dialogue.session.withheld import Withheld
from mensura.dialogue.streams import generator
from mensura.errors import BadParameter, BrokenTest, Invalid, Late, raised

Status = Literal["open", "finished", "crashed", "timed_out", "invalid", "withdrawn", "broken", "lost"]
MOST_FORFEITED = 10_000
"""How many asks are gone through after a subject failed; a test that still goes on is ended there."""


class Session:
    """One administration of a test: what is asked now, and the log of all that happened.

    State is nothing but test, parameters, seed and the answers so far, so a session is resumed by replaying its log
    (`mensura.dialogue.session.replay`). A driver calls `start`, then `answer`, `refuse`, `advance` and so on, takes new
    events with `drain` and stores them before it shows what is in `open`.

    Parameters
    ----------
    instance
        What is administered.
    trace
        "full" logs events with prompts, "summary" without them (still enough to resume), "none" logs nothing.
    limits
        Turns and invalid answers after which the session ends; times are the driver's to watch.
    saved
        Value of a save event to go on from.
    """

    def __init__(
        self,
        instance: Instance,
        *,
        trace: Trace = "full",
        limits: Limits = Limits(),
        saved: dict[str, Any] | None = None,
    ) -> None:
        self.instance = instance
        self.limits = limits
        self.clock = Clock()
        self.log = Log(trace, self.clock)
        self.status: Status = "open"
        self.outcome = Outcome()
        self.last_words = ""
        self.open: dict[str, Ask] = {}
        """The asks that wait for an answer, by role, without their truths."""
        self.asked: dict[str, int] = {}
        """The event number of each open ask: its address for pages, which may show an old one."""
        self.told: dict[str, list[Ask]] = {}
        """What each role was told since it last answered."""
        self.paused: PromptLike | None = None
        """What is shown during a break; None when there is none."""
        self.turns = 0
        self.rng = generator(instance.seed, instance.address)
        self.gone: set[str] = set()
        """The roles that have left: what they are asked comes to nothing."""
        self._truths = Withheld(instance.knowing)
        self._dialogue: Dialogue | None = None
        self.gathering: Gathering | None = None
        """The answers of the round that goes on; None where a single role is asked."""
        self.wrong: dict[str, int] = {}
        """How many invalid answers came in a row, by role."""
        self._failed: tuple[Status, str] | None = None
        self._saved = saved

    def start(self) -> None:
        """Begin the dialogue, from the save where there is one, up to the first ask."""
        if self._dialogue is None:
            state = None if self._saved is None else restore(self, self._saved)
            instance = self.instance
            self._dialogue = instance.test.begin(
                self.rng, self.clock, instance.parameters, saved=state, item=instance.address.item
            )
            self._step(None)

    def answer(
        self,
        value: Any,
        *,
        role: str = SUBJECT,
        number: int | None = None,
        tick: int | None = None,
        nonce: str | None = None,
        notes: dict[str, Any] | None = None,
        patiently: bool = False,
    ) -> None:
        """Give a role's answer; raises `Invalid` outside the space and `Late` where nothing is asked (any more).

        Parameters
        ----------
        number
            The event number of the ask that is answered, where the caller may have shown an old one.
        tick
            When; deadlines up to then lapse first.
        nonce
            What tells a retry of the same answer from another answer.
        patiently
            Whether an invalid answer ends nothing, however often it comes: people slip.
        """
        ask = self._open_ask(role, number, tick)
        try:
            value = ask.space.check(value)  # type: ignore[union-attr]
        except Invalid as wrong:
            more = {**(notes or {}), "wrong": str(wrong)}
            self.log.add("invalid", role, ask.key, loggable(value), nonce=nonce, notes=more)
            wrong_in_a_row = self.count_invalid(role)
            if wrong_in_a_row >= self.limits.invalid_in_a_row and not patiently:
                words = f"{wrong_in_a_row} invalid answers in a row from {role}."
                self.fail("invalid", last_words=words, roles=[role])
            raise
        log = self.log
        if log.writing:
            log.add("answer", role, ask.key, value, nonce=nonce, notes=notes)
        else:
            log.number += 1
        self.accept(role, value)

    def refuse(
        self,
        reason: str = "",
        *,
        role: str = SUBJECT,
        number: int | None = None,
        tick: int | None = None,
        nonce: str | None = None,
        notes: dict[str, Any] | None = None,
        abstains: bool = False,
    ) -> None:
        """Decline to answer: the test receives None, the record says refused, or abstained."""
        ask = self._open_ask(role, number, tick)
        self.log.add("abstain" if abstains else "refuse", role, ask.key, reason, nonce=nonce, notes=notes)
        self.close(role)

    def advance(self, tick: int) -> None:
        """Let every deadline up to a tick lapse, each at its own tick."""
        while self.status == "open" and self.paused is None:
            deadline = self.deadline
            if deadline is None or deadline > tick:
                return
            self.clock.now = max(deadline, self.clock.now)
            for role in [role for role, ask in self.open.items() if self._deadline_of(ask) == deadline]:
                self.log.add("lapse", role, self.open[role].key)
                del self.open[role], self.asked[role]
            self._go_on()

    @property
    def deadline(self) -> int | None:
        """The tick at which the next ask lapses."""
        deadlines = [due for ask in self.open.values() if (due := self._deadline_of(ask)) is not None]
        return min(deadlines, default=None)

    def pause(self, *, tick: int | None = None) -> None:
        """Stop the clock, as for someone who leaves for a while."""
        self._move(tick)
        if self.paused is None and self.status == "open":
            self.paused = ""
            self.log.add("pause")

    def unpause(self) -> None:
        """Go on after a pause or a break of the test's own."""
        if self.paused is None or self.status != "open":
            return
        self.paused = None
        self.log.add("unpause")
        if not self.open:
            self._step(None)

    def leave(self, role: str, *, reason: str = "", tick: int | None = None) -> None:
        """Take a role out: its open ask and all further ones come to nothing."""
        self._move(tick)
        self.log.add("leave", role, value=reason)
        self.gone.add(role)
        if role in self.open:
            self._withdraw([role])
            self._go_on()

    def join(self, role: str, *, who: str = "", tick: int | None = None) -> None:
        """Bring a role in, or back in, from its next ask on."""
        self._move(tick)
        self.log.add("join", role, value=who)
        self.gone.discard(role)

    def replace(self, role: str, *, who: str = "", tick: int | None = None) -> None:
        """Put someone else in a role; its open ask stays open for them."""
        self._move(tick)
        self.log.add("replace", role, value=who)
        self.gone.discard(role)

    def stop(self, status: Status, *, last_words: str = "") -> None:
        """End the session from outside: the subject crashed, hung or withdrew."""
        if self.status == "open":
            self._end(status, Outcome(truncated=True), last_words)

    def fail(self, status: Status, *, last_words: str = "", roles: Sequence[str] = ()) -> None:
        """End the session because a subject failed, but let the test come to its own end first.

        Whatever the test still asks comes to nothing, as if declined, and is recorded so: what was earned is kept,
        and failing early hides no item.

        Parameters
        ----------
        roles
            The roles whose subject failed; what the others would have been asked is lost to them, not forfeited.
            Empty: all of them.
        """
        if self.status != "open":
            return
        self.start()
        blamed = {"roles": sorted(roles)} if set(roles) < set(self.instance.roles) else {}
        self.log.add("fail", value={"status": status, "last_words": last_words, **blamed})
        self._failed = (status, last_words)
        # A test that cannot go on without answers ends here: that is not its fault now.
        with suppress(BrokenTest, BadParameter):
            for _ in range(MOST_FORFEITED):
                if self.status != "open":
                    return
                self._forfeit()
        self.stop(status)

    def _forfeit(self) -> None:
        """Let the next thing that is asked come to nothing."""
        if self.paused is not None:
            self.unpause()
        elif (deadline := self.deadline) is not None:
            self.advance(deadline)
        elif self.open:
            role, ask = next(iter(self.open.items()))
            self.log.add("forfeit", role, ask.key)
            self.close(role)
        else:
            self._step(None)

    def interrupt(self, last_words: str) -> None:
        """Leave the session where it is because we, or the network, lost it: nothing is logged, so it can resume."""
        if self.status == "open":
            self.status = "lost"
            self.last_words = last_words

    def drain(self) -> list[Event]:
        """Take the events since the last time; the session keeps none."""
        return self.log.drain()

    def drain_truths(self) -> dict[str, Any]:
        """Take the truths of the asks since the last time, by key."""
        return self._truths.drain()

    def accept(self, role: str, value: Any) -> None:
        """Hand a checked and logged answer to the test."""
        self.turns += 1
        if self.gathering is None:
            self.open.clear()
            self.asked.clear()
            if self.told:
                # Others may not have seen yet what they were told.
                self.told.pop(role, None)
            if self.wrong:
                self.wrong.clear()
            self._step(value)
            return
        self.gathering.answers[role] = value
        self.wrong.pop(role, None)
        self.close(role)

    def close(self, role: str) -> None:
        """Take a role's ask off the table and go on if nothing more is needed."""
        del self.open[role], self.asked[role]
        self.told.pop(role, None)
        self._go_on()

    def count_invalid(self, role: str) -> int:
        """Count an invalid answer, and return how many came in a row."""
        self.wrong[role] = self.wrong.get(role, 0) + 1
        return self.wrong[role]

    def _open_ask(self, role: str, number: int | None, tick: int | None) -> Ask:
        if tick is not None:
            self.advance(tick)
        ask = self.open.get(role)
        if ask is None or (number is not None and self.asked[role] != number) or self.paused is not None:
            raise Late(self._why_late(role))
        if tick is not None and tick > self.clock.now:
            self.clock.now = tick
        return ask

    def _why_late(self, role: str) -> str:
        if self.status != "open":
            return f"This session is over ({self.status}); the answer was not taken."
        if self.paused is not None:
            return "The session is paused; continue before you answer."
        if role not in self.open:
            return f"Nothing is asked of {role} now; the answer was not taken."
        return "That question is closed; the answer was not taken. Please answer the one shown now."

    def _move(self, tick: int | None) -> None:
        if tick is not None:
            self.advance(tick)
            self.clock.now = max(tick, self.clock.now)

    def _deadline_of(self, ask: Ask) -> int | None:
        whole = None if self.gathering is None else self.gathering.until
        if ask.until is None or whole is None:
            return whole if ask.until is None else ask.until
        return min(ask.until, whole)

    def _go_on(self) -> None:
        """Step when the single ask is off the table, or when the round has what it needs."""
        gathering = self.gathering
        if gathering is None:
            if not self.open:
                self._step(None)
        elif not self.open or gathering.complete:
            self._withdraw(list(self.open))
            self.gathering = None
            self._step(gathering.in_order())

    def _withdraw(self, roles: list[str]) -> None:
        for role in roles:
            self.log.add("withdraw", role, self.open[role].key)
            del self.open[role], self.asked[role]

    def _step(self, value: Any) -> None:
        """Send a value into the test, and go on until it asks, rests or ends."""
        if self.turns >= self.limits.turns:
            self._end("timed_out", Outcome(truncated=True), f"The limit of {self.limits.turns} turns was reached.")
            return
        send = self._dialogue.send  # type: ignore[union-attr]
        while True:
            try:
                item = send(value)
            except StopIteration as stop:
                self._end("finished", stop.value if isinstance(stop.value, Outcome) else Outcome(), "")
                return
            except BadParameter as error:
                # The user asked for something that the test cannot be; not the test's fault.
                self._end("broken", Outcome(truncated=True), str(error))
                raise
            except Exception as error:
                self._break(raised(error), error)
            value = None
            if type(item) is Ask:
                if self._put(item):
                    return
            elif isinstance(item, Round):
                if self._put_round(item):
                    return
                value = {}
            elif isinstance(item, Save):
                try:
                    self.log.add("save", value=snapshot(self, item.state))
                except (TypeError, ValueError) as error:
                    self._break(f"yields a Save whose state is not JSON: {error}", error)
            elif isinstance(item, Break):
                self.paused = item.prompt
                self.log.add("pause", content={"prompt": prompt_data(item.prompt), "space": None})
                return
            else:
                self._break(f"yielded {type(item).__name__}; a test yields Ask, Round, Save or Break")

    def _put(self, ask: Ask) -> bool:
        """Lay an ask on the table; True if it waits for an answer."""
        log = self.log
        log.number += 1
        number = log.number
        if ask.truth is not None or ask.aside is not None or (log.digest is not None and not ask.key):
            try:
                ask = self._truths.apart(ask, number)
            except ValueError as error:
                self._break(str(error))
        if log.digest is not None:
            try:
                log.add_ask(ask)
            except (TypeError, ValueError, AttributeError) as error:
                self._break(f"yields an ask {ask.key!r} that cannot be written as JSON: {error}", error)
        role = ask.role
        if ask.space is None:
            self.told.setdefault(role, []).append(ask)
            return False
        if role in self.gone:
            log.add("withdraw", role, ask.key)
            return False
        self.open[role] = ask
        self.asked[role] = number
        return True

    def _put_round(self, group: Round) -> bool:
        """Lay all asks of a round on the table; True if any waits for an answer."""
        try:
            self.gathering = Gathering(group)
        except ValueError as error:
            self._break(str(error))
        waiting = [self._put(ask) for ask in group.asks]
        if any(waiting):
            return True
        self.gathering = None
        return False

    def _break(self, what: str, cause: Exception | None = None) -> NoReturn:
        """End the session because the test itself is at fault."""
        self._end("broken", Outcome(truncated=True), what)
        raise BrokenTest(f"{self.instance.test.id} {what}. This is a fault of the test, not of the subject.") from cause

    def _end(self, status: Status, outcome: Outcome, last_words: str) -> None:
        if self._failed is not None:
            (status, last_words), outcome = self._failed, replace(outcome, truncated=True)
        self.status = status
        self.outcome = outcome
        self.last_words = last_words
        self.paused = None
        self.open.clear()
        self.asked.clear()
        self.gathering = None
        if self._dialogue is not None and status != "finished":
            self._dialogue.close()
        if self.log.digest is not None:
            self.log.add_digest()
        shown = {"prompt": prompt_data(outcome.prompt), "reward": outcome.reward, "truncated": outcome.truncated}
        self.log.add("end", value={"status": status, "outcome": shown, "last_words": last_words})
