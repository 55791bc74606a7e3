"""Workbench: all the tools of one language model in one session, and what comes of its calls."""

import time
from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import Any

import numpy as np

from mensura.dialogue.canonical import canonical
from mensura.errors import SubjectCrashed, unknown
from mensura.subjects.model.request import Function, FunctionCall, answering
from mensura.subjects.outside.protocol import written
from mensura.subjects.tools.approval import APPROVE, END, Approval, ApproverEnded
from mensura.subjects.tools.kit import ANSWERED, ARGUMENTS, REJECTED, REPEATED, UNKNOWN, Came, Kit

Within = Callable[[Awaitable[Came]], Awaitable[Came]]
ANSWER = answering({}).name
"""The function by which a model answers where it cannot be forced otherwise."""


class Workbench:
    """The tools of a model, from several kits, and who must approve of their use.

    Parameters
    ----------
    equip
        Makes the kits; each session has fresh ones.
    """

    def __init__(self, equip: Callable[[], Sequence[Kit]], *, approval: Approval | None = None) -> None:
        self.equip = equip
        self.approval = approval
        self._kits: Sequence[Kit] = ()
        self._places: dict[str, Kit] = {}
        self._acts: Collection[str] = ()
        self._offered: tuple[Function, ...] | None = None

    def begin(self, rng: np.random.Generator) -> None:
        """Begin a session."""
        self.close()
        if self.approval is not None:
            self.approval.rng = rng

    async def offered(self, acts: Collection[str]) -> tuple[Function, ...]:
        """Return the tools; raises a failure where two have one name, or one has the name of an act of the test."""
        if self._offered is None:
            self._kits = self.equip()
            found = [(one, kit) for kit in self._kits for one in await kit.offer()]
            names = [one.name for one, _ in found]
            if twice := [name for name in names if names.count(name) > 1]:
                raise SubjectCrashed(f"Two tools are called {twice[0]!r}: leave one out, or rename it.")
            self._places = {one.name: kit for one, kit in found}
            self._offered = tuple(one for one, _ in found)
        self._acts = acts
        if taken := [name for name in self._places if name in acts or name == ANSWER]:
            raise SubjectCrashed(f"The tool {taken[0]!r} has the name of something in the test: rename it.")
        return self._offered

    async def carry_out(self, calls: Sequence[FunctionCall], *, within: Within) -> list[dict[str, Any]]:
        """Carry out the calls of one message, one after the other; returns what the notes keep of each.

        Parameters
        ----------
        within
            Waits for a tool as long as the model has time left; approvers take their own.

        Raises
        ------
        ApproverEnded
            Where an approver ended the item.
        """
        entries: list[dict[str, Any]] = []
        seen: set[str] = set()
        for call in calls:
            entry: dict[str, Any] = {"name": call.name, "arguments": call.arguments}
            entries.append(entry)
            came = self._wrong(call, seen)
            start = time.monotonic()
            if came is None and self.approval is not None and self.approval.covers(call.name):
                entry["approval"] = await self.approval.decide(call)
                came = self._decided(entries)
                start = time.monotonic()
            if came is None:
                came = await within(self._places[call.name].call(call.name, call.arguments))
            entry |= {"result": came.words, "seconds": round(time.monotonic() - start, 3)}
            entry |= {"fault": came.fault} if came.fault else {}
        return entries

    def close(self) -> None:
        """Let everything go."""
        kits, self._kits, self._offered = self._kits, (), None
        for kit in kits:
            kit.close()
        if self.approval is not None:
            self.approval.end()

    def _wrong(self, call: FunctionCall, seen: set[str]) -> Came | None:
        """Return why a call is not carried out, in words for the model."""
        if call.name == ANSWER or call.name in self._acts:
            return Came("This was not taken: a tool was called before it. Answer once you have its result.", ANSWERED)
        if call.name not in self._places:
            see = f"There are {', '.join(self._places)}."
            return Came(str(unknown("tool", call.name, known=self._places, see=see)), UNKNOWN)
        if not isinstance(call.arguments, dict):
            said = call.arguments if isinstance(call.arguments, str) else written(call.arguments)
            return Came(f"The arguments of {call.name} must be a JSON object; got {said[:200]!r}.", ARGUMENTS)
        mark = canonical([call.name, call.arguments])
        if mark in seen:
            return Came("The same call was made above in this message; its result is there.", REPEATED)
        seen.add(mark)
        return None

    def _decided(self, entries: list[dict[str, Any]]) -> Came | None:
        entry = entries[-1]
        said = entry["approval"]
        if said["decision"] == APPROVE:
            return None
        if said["decision"] == END:
            words = f"{said['by']} ended the item at a call of {entry['name']}."
            entry |= {"result": words, "seconds": 0.0, "fault": REJECTED}
            raise ApproverEnded(words, entries)
        why = f" {said['reason']}" if said.get("reason") else ""
        return Came(f"The call was not approved, so nothing was done.{why}", REJECTED)
