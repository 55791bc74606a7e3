"""Group: several subjects that are one; what teams, assisted subjects and solvers have in common."""

import asyncio
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import copy
from itertools import islice
from types import MappingProxyType
from typing import Any

import numpy as np

from mensura.dialogue import SUBJECT, Address, Ask, Noted, Outcome, Wait
from mensura.dialogue.prompts.base import PromptLike
from mensura.dialogue.streams import part
from mensura.errors import SubjectFailed
from mensura.subjects import subject as parts
from mensura.subjects.subject import Subject

Turn = list[tuple[Subject, Ask]]
"""Whom to ask what, all at once."""
Work = Generator[Turn, list[Any], Any]
SPENT = ("tokens_in", "tokens_out", "tokens_reasoning", "cost")
"""Counts that are not zero where they are not known."""


class Several:
    """Several subjects that are one: each has its own chance, all are told everything, all learn or none.

    What it does with an ask is written once, in `work`, for the plain call and for the coroutine `answer`.
    """

    def __init__(self, members: Sequence[Subject], *, name: str) -> None:
        self.members = list(members)
        self.name = name

    def work(self, ask: Ask) -> Work:
        """Yield whom to ask what, receive their replies in the same order, and return the reply of the group."""
        raise NotImplementedError

    def __call__(self, ask: Ask) -> Any:
        work, heard = self.work(ask), list[Any]()
        replies: Any = None
        while True:
            try:
                turn = work.send(replies)
            except StopIteration as done:
                return done.value
            replies = []
            for member, asked in turn:
                try:
                    replies.append(member(for_member(member, asked)))
                except SubjectFailed as failed:
                    raise with_paid(failed, [*heard, *replies, failed]) from failed.__cause__
            heard += replies

    async def answer(self, ask: Ask) -> Any:
        """Do the same beside other sessions; members that cannot be awaited answer in a thread."""
        work, heard = self.work(ask), list[Any]()
        replies: Any = None
        while True:
            try:
                turn = work.send(replies)
            except StopIteration as done:
                return done.value
            calls = (_reply(member, for_member(member, asked)) for member, asked in turn)
            # Nobody is left behind who still answers when another has failed.
            replies = await asyncio.gather(*calls, return_exceptions=True)
            heard += replies
            for reply in replies:
                if isinstance(reply, BaseException):
                    raise with_paid(reply, heard)

    @property
    def remember(self) -> Any:
        """The method that brings an earlier ask back to mind; there only where a member has it."""
        if not any(hasattr(member, "remember") for member in self.members):
            raise AttributeError("remember")
        return self._remember

    def _remember(self, ask: Ask, answer: Any, *, notes: Mapping[str, Any] = MappingProxyType({})) -> None:
        """Let each member remember what itself was asked and answered, by going through the work on the ask again."""
        said = self.said(answer, notes)
        if said is None:
            for member in self.members:
                parts.remember(member, for_member(member, ask), answer)
            return
        work, replies = self.work(ask), list[Any]()
        with suppress(StopIteration):
            turn = next(work)
            while len(replies := list(islice(said, len(turn)))) == len(turn):
                for (member, asked), reply in zip(turn, replies, strict=True):
                    if not isinstance(reply, Wait):
                        parts.remember(member, for_member(member, asked), reply)
                turn = work.send(replies)

    def said(self, answer: Any, notes: Mapping[str, Any]) -> Iterator[Any] | None:
        """Go through what members replied when the group gave this answer, in order; None where it was not noted."""
        raise NotImplementedError

    @property
    def recomputes(self) -> bool:
        """Return whether all members do."""
        return all(getattr(member, "recomputes", False) for member in self.members)

    @property
    def unasked(self) -> bool:
        """Return whether nobody has asked a member yet what it can do."""
        return any(getattr(member, "unasked", False) for member in self.members)

    @property
    def learning(self) -> bool:
        """Return whether any member learns; there only where a member has that switch."""
        switches = [member.learning for member in self.members if hasattr(member, "learning")]
        if not switches:
            raise AttributeError("learning")
        return any(switches)

    @learning.setter
    def learning(self, value: bool) -> None:
        for member in self.members:
            if hasattr(member, "learning"):
                member.learning = value

    @property
    def snapshot(self) -> Any:
        """The method that gives what all have learned; there only where every learner can say it."""
        can = [hasattr(member, "snapshot") for member in self.members]
        must = [hasattr(member, "learning") for member in self.members]
        if not any(can) or any(learns and not says for learns, says in zip(must, can, strict=True)):
            raise AttributeError("snapshot")
        return lambda: [member.snapshot() if hasattr(member, "snapshot") else None for member in self.members]

    def restore(self, states: Sequence[Any]) -> None:
        """Give every member back what it had learned."""
        for member, state in zip(self.members, states, strict=True):
            if hasattr(member, "restore"):
                member.restore(state)

    @property
    def gone(self) -> bool:
        """Return whether a member is gone with all that it had learned."""
        return any(getattr(member, "gone", False) for member in self.members)

    @property
    def pause(self) -> Any:
        """The method by which time passes; there only where a member has it."""
        feel = [member.pause for member in self.members if hasattr(member, "pause")]
        if not feel:
            raise AttributeError("pause")
        return lambda seconds: [each(seconds) for each in feel]

    @property
    def knowledge(self) -> Any:
        """The method that says how much all know together; there only where every learner can say it."""
        must: list[Any] = [
            member for member in self.members if hasattr(member, "learning") or hasattr(member, "knowledge")
        ]
        if not must or not all(hasattr(member, "knowledge") for member in must):
            raise AttributeError("knowledge")
        return lambda: sum(member.knowledge() for member in must)

    def begin(self, rng: np.random.Generator, role: str = SUBJECT, address: Address | None = None) -> None:
        """Begin a session, each member with a separate generator."""
        for member, own in zip(self.members, part(rng, len(self.members)), strict=True):
            parts.begin(member, own, role, address)

    @property
    def knows(self) -> str:
        """ "truth" where any member is declared to know it; the others are not told."""
        return "truth" if any(map(parts.knows, self.members)) else ""

    def feedback(self, told: Ask) -> None:
        """Tell everyone."""
        for member in self.members:
            parts.feedback(member, for_member(member, told))

    def rest(self, prompt: PromptLike) -> None:
        """Let everyone take a break."""
        for member in self.members:
            parts.rest(member, prompt)

    def end(self, outcome: Outcome) -> None:
        """End the session for everyone."""
        for member in self.members:
            parts.end(member, outcome)

    def close(self) -> None:
        """Let go of everyone."""
        for member in self.members:
            parts.close(member)


class Around(Several):
    """One subject with something round it: its chance, its name and all that it can do are its own."""

    def __init__(self, member: Subject, *, name: str) -> None:
        super().__init__([member], name=name)

    @property
    def member(self) -> Any:
        """The subject inside."""
        return self.members[0]

    def begin(self, rng: np.random.Generator, role: str = SUBJECT, address: Address | None = None) -> None:
        """Begin a session with the generator that the subject would have without what is round it."""
        parts.begin(self.member, rng, role, address)

    @property
    def remember(self) -> Any:
        """The method that brings an earlier ask and its answer back to mind; there only where the subject has it."""
        return self.member.remember

    @property
    def collective(self) -> bool:
        """Return whether it plays all the roles that it is cast for."""
        return parts.collective(self.member)


def for_member(member: Subject, ask: Ask) -> Ask:
    """Return an ask as one member may see it: what is true is for those who are declared to know it."""
    bare = ask.truth is None and ask.aside is None
    return ask if bare or parts.knows(member) else ask.without_truth()


def prompts(ask: Ask) -> list[Any]:
    """Return the prompt of an ask in parts, so that more can be put before or behind it."""
    return list(ask.prompt) if isinstance(ask.prompt, (list, tuple)) else [ask.prompt]


def unnoted(reply: Any) -> tuple[Any, dict[str, Any]]:
    """Take the notes off a reply."""
    return (reply.value, reply.notes) if isinstance(reply, Noted) else (reply, {})


def added(notes: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Add up what members counted: tokens, cost, seconds; None where one of them does not know what it spent.

    An answer that all of them gave from a cache is not a new observation, and neither is what is made of it.

    >>> added([{"tokens_in": 3, "model": "a", "cost": 0.5}, {"tokens_in": 4, "cost": None}])
    {'tokens_in': 7, 'cost': None}
    """
    given = list(notes)
    sums: dict[str, Any] = {"cached": True} if given and all(each.get("cached") is True for each in given) else {}
    # A summary of what fell out of the window was a request of its own.
    for each in [*given, *(each["summary"] for each in given if isinstance(each.get("summary"), Mapping))]:
        for name, value in each.items():
            if value is None and name in SPENT:
                sums[name] = None
            elif isinstance(value, (int, float)) and not isinstance(value, bool):
                known = sums.get(name, 0)
                sums[name] = None if known is None else known + value
    return sums


def with_paid(error: BaseException, heard: Sequence[Any]) -> BaseException:
    """Return a failure with what all replies and failures took: it is paid, though no answer came of it."""
    notes = [one.notes if isinstance(one, SubjectFailed) else unnoted(one)[1] for one in heard]
    if not isinstance(error, SubjectFailed) or not any(notes):
        return error
    failed = copy(error)
    failed.notes = added(each for each in notes if each)
    return failed


async def _reply(member: Subject, ask: Ask) -> Any:
    """Await a member that can be awaited; any other answers in a thread."""
    return await member.answer(ask) if hasattr(member, "answer") else await asyncio.to_thread(member, ask)
