"""Session: one administration of a test, passive and append-only. Drivers move it; it never waits or sleeps."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from mensura.dialogue.ask import SUBJECT, Ask, Outcome
from mensura.dialogue.session.asking import Asking, Status
from mensura.dialogue.session.log import loggable
from mensura.errors import BadParameter, BrokenTest, Invalid, Late
from mensura.phrase import phrase

MOST_FORFEITED = 10_000
"""How many asks are gone through after a subject failed; a test that still goes on is ended there."""


class Session(Asking):
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
                words = f"{wrong_in_a_row} invalid answers in a row from {role}. The last one: {wrong}"
                understood = more.get("understood")
                self.fail("invalid", last_words=f"{words} {understood}" if understood else words, roles=[role])
            raise
        log = self.log
        if log.writing:
            log.add("answer", role, ask.key, value, nonce=nonce, notes=notes)
        else:
            log.number += 1
        self.accept(role, value)

    def revise(
        self,
        value: Any,
        *,
        role: str = SUBJECT,
        number: int,
        nonce: str | None = None,
        notes: dict[str, Any] | None = None,
    ) -> None:
        """Change an answer that was given, in a test that allows it; what was answered before stays in the log.

        The test is not told: nothing that it asks depends on its answers. An answer that stays the same logs nothing.

        Parameters
        ----------
        number
            The event number of the ask that is answered anew.

        Raises
        ------
        Late
            Where that answer cannot be changed (any more).
        """
        ask, before = self.answered.get(role, {}).get(number, (None, None))
        if ask is None or self.status != "open" or self.stopped_by:
            raise Late(phrase("That answer cannot be changed any more; it stays as it was."))
        value = ask.space.check(value)  # type: ignore[union-attr]
        if value != before:
            self.log.add("revise", role, ask.key, value, nonce=nonce, notes={**(notes or {}), "ask": number})
            self.answered[role][number] = ask, value

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
            for role in [role for role, ask in self.open.items() if self.deadline_of(ask) == deadline]:
                self.log.add("lapse", role, self.open[role].key)
                del self.open[role], self.asked[role]
            self.go_on()

    def pause(self, *, by: str = "", tick: int | None = None) -> None:
        """Stop the clock, as for someone who leaves for a while.

        What an observer stops, by name, also during a break of the test's own, only an observer lets go on.
        """
        self._move(tick)
        if self.status == "open" and not self.stopped_by and (by or self.paused is None):
            self.stopped_by, self.stopped_in_break = by, self.paused is not None
            self.paused = "" if self.paused is None else self.paused
            self.log.add("pause", value=by or None)

    def unpause(self, *, by: str = "") -> None:
        """Continue after a pause or a break of the test's own; raises `Late` where an observer stopped the clock.

        A break during which an observer stopped the clock stands again once they let it go on.
        """
        if self.paused is None or self.status != "open":
            return
        if self.stopped_by and not by:
            raise Late(self._why_late())
        self.paused = self.paused if self.stopped_by and self.stopped_in_break else None
        self.stopped_by = ""
        self.log.add("unpause", value=by or None)
        if self.paused is None and not self.open:
            self.step(None)

    def leave(self, role: str, *, reason: str = "", tick: int | None = None) -> None:
        """Take a role out: its open ask and all further ones come to nothing."""
        self._move(tick)
        self.log.add("leave", role, value=reason)
        self.gone.add(role)
        if role in self.open:
            self.withdraw([role])
            self.go_on()

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
            self.end(status, Outcome(truncated=True), last_words)

    def fail(
        self,
        status: Status,
        *,
        last_words: str = "",
        roles: Sequence[str] = (),
        notes: dict[str, Any] | None = None,
    ) -> None:
        """End the session because a subject failed, but let the test come to its own end first.

        Whatever the test still asks comes to nothing, as if declined, and is recorded so: what was earned is kept,
        and failing early hides no item.

        Parameters
        ----------
        roles
            The roles whose subject failed; what the others would have been asked is lost to them, not forfeited.
            Empty: all of them.
        notes
            What it had noted for the answer that never came.
        """
        if self.status != "open":
            return
        self.start()
        blamed = {"roles": sorted(roles)} if set(roles) < set(self.instance.roles) else {}
        self.log.add("fail", value={"status": status, "last_words": last_words, **blamed}, notes=notes)
        self.failed = (status, last_words)
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
            self.unpause(by=self.stopped_by)
        elif (deadline := self.deadline) is not None:
            self.advance(deadline)
        elif self.open:
            role, ask = next(iter(self.open.items()))
            self.log.add("forfeit", role, ask.key)
            self.close(role)
        else:
            self.step(None)

    def interrupt(self, last_words: str, *, in_vain: dict[str, Any] | None = None) -> None:
        """Leave the session where it is because we, or the network, lost it: nothing is logged, so it can resume.

        `in_vain` is what a subject had noted for the answer that never came.
        """
        if self.status == "open":
            self.status = "lost"
            self.last_words = last_words
            self.in_vain = in_vain or {}

    def accept(self, role: str, value: Any) -> None:
        """Hand a checked and logged answer to the test."""
        self.turns += 1
        if self.instance.test.back:
            self.answered.setdefault(role, {})[self.asked[role]] = self.open[role], value
        if self.gathering is None:
            self.open.clear()
            self.asked.clear()
            if self.told:
                # Others may not have seen yet what they were told.
                self.told.pop(role, None)
            if self.wrong:
                self.wrong.clear()
            self.step(value)
            return
        self.gathering.answers[role] = value
        self.wrong.pop(role, None)
        self.close(role)

    def close(self, role: str) -> None:
        """Take a role's ask off the table and go on if nothing more is needed."""
        del self.open[role], self.asked[role]
        self.told.pop(role, None)
        self.go_on()

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

    def _why_late(self, role: str = "") -> str:
        if self.status != "open":
            return phrase("This session is over ({status}); the answer was not taken.", status=self.status)
        if self.stopped_by:
            return phrase(
                "The observer {name} stopped the clock; only an observer lets it continue.", name=self.stopped_by
            )
        if self.paused is not None:
            return phrase("The session is paused; continue before you answer.")
        if role not in self.open:
            return phrase("Nothing is asked of {role} now; the answer was not taken.", role=role)
        return phrase("That question is closed; the answer was not taken. Please answer the one shown now.")

    def _move(self, tick: int | None) -> None:
        if tick is not None:
            self.advance(tick)
            self.clock.now = max(tick, self.clock.now)
