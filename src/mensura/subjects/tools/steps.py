"""Steps: what a model did for one answer, call after call, and what all of it took."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from mensura.subjects.model.conversation import called
from mensura.subjects.model.request import Completion
from mensura.subjects.tools.allowance import Used

COUNTED = ("tokens_in", "tokens_out", "tokens_reasoning")


@dataclass
class Steps:
    """The calls of a model for one answer, and of the tools between them."""

    used: Used
    cost_of: Callable[[Completion], float | None]
    turn: int = 0
    """Which turn of the conversation it is; calls that came without ids are named by it."""
    completions: list[Completion] = field(default_factory=list)
    messages: list[dict[str, Any]] = field(default_factory=list)
    """The messages since the ask, to be shown with the next request."""
    tools: list[dict[str, Any]] = field(default_factory=list)
    """The notes on each call of a tool."""

    def add(self, completion: Completion) -> None:
        """Count a call of the model."""
        self.completions.append(completion)
        self.used.add(tokens=total(_tokens(completion)), cost=self.cost_of(completion))

    def carried_out(self, completion: Completion, entries: Sequence[dict[str, Any]]) -> None:
        """Keep what the tools gave as what the model is shown next."""
        ids: list[str] = []
        for number, call in enumerate(completion.calls):
            ids.append(call.id if call.id and call.id not in ids else f"call_{self.turn}_{len(self.tools) + number}")
        self.note(entries)
        self.messages.append(called(completion, ids=ids))
        for id, entry in zip(ids, entries, strict=True):
            self.messages.append({"role": "tool", "tool_call_id": id, "content": entry["result"]})

    def note(self, entries: Iterable[dict[str, Any]]) -> None:
        """Keep what came of calls, and count what approvers took."""
        for entry in entries:
            self.tools.append(entry)
            if "tokens_in" in (notes := entry.get("approval", {}).get("notes", {})):
                self.used.add(tokens=total([notes["tokens_in"], notes.get("tokens_out")]), cost=notes.get("cost"))

    def summed(self) -> Completion:
        """Return the last completion with the tokens, seconds and retries of all."""
        last, asked = self.completions[-1], self._approvers()
        sums = {name: total(getattr(one, name) for one in self.completions) for name in COUNTED}
        for name in ("tokens_in", "tokens_out"):
            sums[name] = total([sums[name], *(notes.get(name) for notes in asked)])
        return replace(
            last,
            seconds=sum(one.seconds for one in self.completions) + sum(each.get("seconds", 0.0) for each in self.tools),
            retries=sum(one.retries for one in self.completions),
            cached=all(one.cached for one in self.completions),
            doubtful=sum(one.doubtful for one in self.completions),
            **sums,
        )

    def tokens(self) -> dict[str, Any]:
        """Return the tokens that were read and written so far, those from a cache left out."""
        made = [one for one in self.completions if not one.cached]
        asked = self._approvers()
        return {
            name: total([*(getattr(one, name) for one in made), *(notes.get(name) for notes in asked)])
            for name in ("tokens_in", "tokens_out")
        }

    def notes(self) -> dict[str, Any]:
        """Return what the notes say beyond the last completion."""
        costs = [*map(self.cost_of, self.completions), *(notes.get("cost") for notes in self._approvers())]
        said: dict[str, Any] = {"cost": total(costs)}
        if len(self.completions) > 1:
            said["steps"] = [self._step(one) for one in self.completions]
        if self.tools:
            said["tools"] = self.tools
        if faults := Counter(entry["fault"] for entry in self.tools if "fault" in entry):
            said["tool_faults"] = dict(faults)
        return said

    def paid(self) -> dict[str, Any]:
        """Return the notes of an answer that never came: what it took all the same."""
        if not self.completions:
            return {}
        whole = self.summed()
        spent = {"model": whole.model, "tokens_in": whole.tokens_in, "tokens_out": whole.tokens_out}
        doubtful = {"cost_doubtful": whole.doubtful} if whole.doubtful else {}
        return {**spent, **self.notes(), **doubtful, "seconds": round(whole.seconds, 3), "retries": whole.retries}

    def _approvers(self) -> list[dict[str, Any]]:
        """Return the notes of approvers that are models themselves."""
        said = [entry.get("approval", {}).get("notes", {}) for entry in self.tools]
        return [notes for notes in said if "tokens_in" in notes]

    def _step(self, one: Completion) -> dict[str, Any]:
        return {
            "reply": one.text,
            **({"reasoning": one.reasoning} if one.reasoning else {}),
            "finish": one.finish,
            "tokens_in": one.tokens_in,
            "tokens_out": one.tokens_out,
            "cost": self.cost_of(one),
            "seconds": round(one.seconds, 3),
        }


def total(numbers: Iterable[float | None]) -> Any:
    """Add up numbers; None where one is not known.

    >>> total([1, 2]), total([1, None])
    (3, None)
    """
    found = list(numbers)
    known = [number for number in found if number is not None]
    return sum(known) if len(known) == len(found) else None


def _tokens(completion: Completion) -> list[float | None]:
    # An answer from the cache was paid for before.
    return [0] if completion.cached else [completion.tokens_in, completion.tokens_out]
