"""Interrogation: judges write to witnesses whom they cannot see; each message is released when its time has come."""

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from mensura.catalog.imitation.coding import code_question
from mensura.catalog.imitation.delays import Typing
from mensura.catalog.imitation.forms import HOST, GameForm
from mensura.catalog.imitation.room import Hearing, QuestionRoom, TalkLine, WitnessTalk
from mensura.dialogue import Ask, Choice, Clock, Number, Probability, Questions, Round, Text

BOTH = "both"
MESSAGE, RELEASE, BELIEF = "message", "release", "belief"
"""What keys of asks begin with: a message, the release of messages, a belief."""
BARRED_KINDS = ("are you a machine?", "physical attribute")
NOT_PASSED_ON = "That question is barred and was not passed on. Please ask another."
ENOUGH = "I have no more questions"
NO_MORE = "I have nothing to add"
LONGEST_WAIT = 86_400
PATIENCE = 90
"""Seconds after a question for which a free answer waits for the other witness's, to be released with it."""
Talking = Generator[Round, dict[str, Any], None]


@dataclass(frozen=True)
class InterrogationRules:
    """How an interrogation goes.

    Parameters
    ----------
    talk
        "turns": questions and answers by turns, all answers of a turn released together. "free": all write when they
        like.
    most, longest
        How many messages each may write, and how long each may be.
    beliefs
        Whether judges and jurors say after every exchange what they believe.
    delays
        When messages are released; None: at once.
    barred
        Whether some questions are not passed on.
    typing
        Whether people see who is typing.
    end
        The tick at which the time is over.
    """

    talk: Literal["turns", "free"]
    most: int
    longest: int
    beliefs: bool
    delays: Typing | None
    barred: bool
    typing: bool
    end: int


@dataclass
class WrittenMessage:
    """A message: from whom, to which witness or from which, and since when it can be read."""

    side: str
    role: str
    text: str
    due: int
    shown: bool = False
    question: int = 0
    """The number of the question that it is, or that it follows; one that went to both has one number."""
    drawn: int = 0
    """When it would be released if nobody else were to be compared with."""


@dataclass
class Interrogation:
    """One interrogation: who sits where, and what was said.

    Parameters
    ----------
    seats
        Letter → role of the witness behind it.
    askers
        The roles that ask, in their order.
    told
        Role of a witness → what it was told.
    prefix, host
        What its keys begin with and who releases its messages, where several are held at once.
    """

    form: GameForm
    rules: InterrogationRules
    seats: Mapping[str, str]
    askers: Sequence[str]
    told: Mapping[str, str]
    rng: np.random.Generator
    clock: Clock
    prefix: str = ""
    host: str = HOST
    said: list[WrittenMessage] = field(default_factory=list)
    note: str = ""
    turn: int = 0
    questions: int = 0
    standing: dict[str, Ask] = field(default_factory=dict)
    """Role → what it is asked in a free talk: it stays while nothing that the role can read has changed."""

    def hold(self) -> Talking:
        """Let them talk until the time is over or the judges have no more questions."""
        if self.rules.talk == "turns":
            yield from self._by_turns()
        else:
            yield from self._freely()

    def talks(self, reader: str) -> tuple[WitnessTalk, ...]:
        """Return what a role can read by now: judges all talks, a witness its own."""
        return tuple(
            WitnessTalk(side, tuple(self._lines(side, reader)))
            for side, role in self.seats.items()
            if reader in self.askers or reader == role
        )

    def numbers(self) -> list[str]:
        """List the numbers of all messages that can be read."""
        return [line.id for talk in self.talks(self.askers[0]) for line in talk.lines]

    def _lines(self, side: str, reader: str) -> Iterator[TalkLine]:
        # Everyone sees their own message at once; to others it is not there before its time.
        shown = [one for one in self.said if one.side == side and (one.shown or one.role == reader)]
        for number, one in enumerate(shown, start=1):
            mine = one.role == reader
            name = f"Witness {side}" if one.role == self.seats[side] else "Interrogator"
            yield TalkLine(f"{side}{number}", "You" if mine else name, one.text, mine)

    def _room(self, role: str, *, left: int = 0) -> QuestionRoom:
        judge = role in self.askers
        words = self.form.rules_for_judges(barred=self.rules.barred) if judge else self.told[role]
        to = (BOTH, *self.seats) if judge and len(self.seats) > 1 else ()
        note, done = (self.note, ENOUGH) if judge else ("", NO_MORE)
        # By turns, the one who has the word has heard all answers that there will be.
        hears = judge and (self.rules.talk == "free" or not left)
        awaited = tuple(side for side in self.seats if self._awaited(side)) if hears else ()
        return QuestionRoom(
            words,
            self.talks(role),
            to,
            note,
            self.rules.longest,
            left,
            done if left else "",
            awaited,
            self.rules.typing,
        )

    def _awaited(self, side: str) -> bool:
        """Return whether the last message that can be read of a talk is a question."""
        shown = [one for one in self.said if one.side == side and one.shown]
        return bool(shown) and shown[-1].role != self.seats[side]

    def meanwhile(self, role: str) -> QuestionRoom | None:
        """Return what a role sees that takes part and does not have the word; None for others."""
        return self._room(role) if role in self.askers or role in self.seats.values() else None

    def _round(self, asks: Sequence[Ask], *, until: int) -> Round:
        return Round(asks, until=until, meanwhile=self.meanwhile)

    def _ask(self, role: str, *, key: str, left: int) -> Ask:
        """Ask a role for a message."""
        room = self._room(role, left=left)
        text = Text(longest=self.rules.longest, lines=2)
        space = Questions({"to": ("To whom?", Choice(room.to)), "text": ("Your message", text)}) if room.to else text
        return Ask(room, space, key=f"{self.prefix}{key}", role=role)

    def _written(self, role: str) -> int:
        # A question to both is one message.
        own = [one for one in self.said if one.role == role]
        return len({one.question for one in own}) if role in self.askers else len(own)

    def _put(self, asker: str, answer: Any) -> list[str]:
        """Take what a judge wrote; returns the letters of those it went to, none where it said nothing or is barred."""
        to, text = (answer["to"], answer["text"]) if isinstance(answer, Mapping) else (BOTH, answer)
        self.note = ""
        if not text.strip():
            return []
        if self.rules.barred and is_barred(text):
            self.note = NOT_PASSED_ON
            return []
        sides = list(self.seats) if to == BOTH else [to]
        self.questions += 1
        now, number = self.clock.now, self.questions
        self.said += [WrittenMessage(side, asker, text, now, shown=True, question=number) for side in sides]
        return sides

    def _by_turns(self) -> Talking:
        rules, clock = self.rules, self.clock
        most, passed, place = rules.most * len(self.askers), 0, 0
        while clock.now < rules.end and passed < len(self.askers) and self.turn < most:
            asker = self.askers[place % len(self.askers)]
            key = f"{MESSAGE}/{self.turn + 1}"
            given = yield self._round(
                [self._ask(asker, key=key, left=-(-(most - self.turn) // len(self.askers)))], until=rules.end
            )
            sides = self._put(asker, given[asker]) if asker in given else []
            self.turn += 1
            # Whose question is barred asks another; each try counts, so that nobody tries for ever.
            place += not self.note
            passed = 0 if sides or self.note else passed + 1
            if sides:
                yield from self._answers(sides, key)
                if rules.beliefs:
                    yield from self._beliefs()

    def _answers(self, sides: Sequence[str], key: str) -> Talking:
        """Ask for the answers of a turn, and release them together when the slower one may be read."""
        rules, clock, asked = self.rules, self.clock, self.clock.now
        asks = [self._ask(self.seats[side], key=key, left=1) for side in sides]
        given = yield self._round(asks, until=rules.end)
        answers = {side: given.get(self.seats[side], "") for side in sides}
        due = clock.now
        for side in sides:
            # At least a tick, so that every release is an event. Drawn for silence too: nothing tells it apart.
            due = max(due + 1, asked + rules.delays.draw(answers[side], self.rng)) if rules.delays else due
        fresh = [WrittenMessage(side, self.seats[side], text, due) for side, text in answers.items() if text.strip()]
        self.said += fresh
        yield from self._wait(due)
        self._release()

    def _wait(self, due: int) -> Talking:
        """Let the host release what is due then; time does not pass by itself."""
        due = min(due, self.rules.end)
        while self.clock.now < due:
            yield self._round([self._release_ask(due)], until=due + 1)

    def _release_ask(self, due: int) -> Ask:
        """Ask the host to let time pass until then; the key says which messages wait, and when each is released."""
        wait, waiting = due - self.clock.now, []
        for side in self.seats:
            talk = [one for one in self.said if one.side == side]
            waiting += [f"{side}{place}.{one.due}" for place, one in enumerate(talk, 1) if not one.shown]
        key = f"{self.prefix}{RELEASE}/{due}/{'+'.join(waiting)}"
        words = f"Let {wait} s pass, then release what waits."
        return Ask(words, Number(0, LONGEST_WAIT, integer=True, unit="s"), key=key, role=self.host)

    def _release(self) -> None:
        for one in self.said:
            one.shown = one.shown or one.due <= self.clock.now < self.rules.end

    def _beliefs(self) -> Talking:
        """Ask judges and jurors what they believe now; the players hear nothing of it."""
        if self.clock.now >= self.rules.end:
            return
        words = f"How probable is it, as you see it now, **{self.form.likely}**?"
        count = sum(one.shown for one in self.said)
        asks = [
            Ask(Hearing(words, self.talks(role)), Probability(), key=f"{self.prefix}{BELIEF}/{count}", role=role)
            for role in self.askers
        ]
        yield self._round(asks, until=self.rules.end)

    def _freely(self) -> Talking:
        rules, clock = self.rules, self.clock
        done: set[str] = set()
        quiet: set[str] = set()
        while clock.now < rules.end:
            fresh = [one for one in self.said if not one.shown and one.due <= clock.now]
            if fresh:
                self._release()
                quiet.clear()
                if rules.beliefs:
                    yield from self._beliefs()
                    continue
            asks = self._free_asks(done, quiet)
            waiting = [one.due for one in self.said if not one.shown]
            if not asks and not waiting:
                return
            if waiting:
                asks.append(self._release_ask(min(min(waiting), rules.end)))
            # An ask that was put anew whenever someone writes would tell the others when that was.
            given = yield Round(asks, need="any", until=rules.end, meanwhile=self.meanwhile, stays=True)
            if not given and clock.now < rules.end:
                # Who declines, or has left, has nothing more to say.
                done.update(ask.role for ask in asks)
            for role, answer in given.items():
                self._take_freely(role, answer, done, quiet)

    def _free_asks(self, done: set[str], quiet: set[str]) -> list[Ask]:
        """Ask everyone who may still write; keys change with what can be read, so that programs are asked anew."""
        asks = []
        over = done >= set(self.askers)
        for role in self.askers:
            if role not in done and (left := self.rules.most - self._written(role)) > 0:
                asks.append(self._stands(self._ask(role, key=self._key(role), left=left)))
        for role in self.seats.values():
            left = self.rules.most - self._written(role)
            unanswered = any(talk.lines for talk in self.talks(role))
            if not over and unanswered and role not in quiet and role not in done and left > 0:
                asks.append(self._stands(self._ask(role, key=self._key(role), left=left)))
        return asks if any(ask.role in self.askers for ask in asks) or not over else []

    def _stands(self, ask: Ask) -> Ask:
        """Return what the role is asked already where that is the same, so that it stays on the table."""
        before = self.standing.get(ask.role)
        if before is None or (before.key, before.prompt) != (ask.key, ask.prompt):
            self.standing[ask.role] = ask
        return self.standing[ask.role]

    def _key(self, role: str) -> str:
        shown = sum(one.shown for one in self.said if role in self.askers or self.seats[one.side] == role)
        return f"{MESSAGE}/{shown}.{self._written(role)}"

    def _take_freely(self, role: str, answer: Any, done: set[str], quiet: set[str]) -> None:
        if role == self.host:
            return
        if role in self.askers:
            if self._put(role, answer):
                quiet.clear()
            elif not self.note:
                done.add(role)
            return
        if not answer.strip():
            quiet.add(role)
            return
        side = next(side for side, seated in self.seats.items() if seated == role)
        self._schedule(side, answer)

    def _schedule(self, side: str, text: str) -> None:
        """Put a free message among those that wait: as long after the last question as people need, and in order.

        Where questions go to both, the first message of the one waits for the first of the other, the second for the
        second, and both are released together; who has not written for long is waited for no longer.
        """
        now, delays = self.clock.now, self.rules.delays
        talk = [one for one in self.said if one.side == side]
        last = max((one for one in talk if one.role in self.askers), key=lambda one: one.question)
        drawn = max(now + bool(delays), last.due + delays.draw(text, self.rng) if delays else now)
        fresh = WrittenMessage(side, self.seats[side], text, drawn, question=last.question, drawn=drawn)
        if delays and last.question in self._for_both():
            # By their places, whatever question they follow: who is slow may answer when the next one has come.
            place, others = len(self._answers_to_both(side)), self._answers_to_both(*set(self.seats) - {side})
            answered = others[place : place + 1]
            fresh.due = max(drawn, last.due + PATIENCE) if not answered else max(drawn, answered[0].drawn)
            for other in answered:
                other.due = other.due if other.shown else max(now + 1, drawn, other.drawn)
                fresh.due = max(drawn, other.due)
        fresh.due = max(fresh.due, *(one.due for one in talk))
        self.said.append(fresh)

    def _for_both(self) -> set[int]:
        """Return the numbers of the questions that went to both witnesses."""
        to: dict[int, set[str]] = {}
        for one in self.said:
            if one.role in self.askers:
                to.setdefault(one.question, set()).add(one.side)
        return {question for question, sides in to.items() if len(sides) > 1}

    def _answers_to_both(self, side: str) -> list[WrittenMessage]:
        """Return what a witness wrote so far after questions that went to both."""
        both = self._for_both()
        return [one for one in self.said if one.side == side and one.role not in self.askers and one.question in both]


def split_key(key: str) -> tuple[str, str, list[str]]:
    """Return what precedes the kind in the key of an ask (the round and judge of a competition), its kind, the rest.

    >>> split_key("round2/judge1/message/3"), split_key("belief/4")
    (('round2/judge1/', 'message', ['3']), ('', 'belief', ['4']))
    """
    parts = key.split("/")
    before = 2 if parts[0].startswith("round") and len(parts) > 2 else 0
    return "".join(f"{part}/" for part in parts[:before]), parts[before], parts[before + 1 :]


def is_barred(text: str) -> bool:
    """Return whether a question is one of those that the condition bars, by keywords.

    >>> is_barred("Are you a robot?"), is_barred("What is six times seven?")
    (True, False)
    """
    return code_question(text).kind in BARRED_KINDS
