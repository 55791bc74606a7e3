"""Calls: several calls of tools in one answer, in their order; and Anything, an argument that may be any JSON."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from mensura.dialogue.canonical import canonical
from mensura.dialogue.spaces.base import Json, Space, shown, typed
from mensura.dialogue.spaces.call import Call, Tool
from mensura.dialogue.spaces.number import Number
from mensura.errors import Invalid
from mensura.json_file import loads

Row = tuple[Any, ...]
ATOMS = frozenset({int, str, bool, type(None)})


@dataclass(frozen=True)
class Anything(Space):
    """Any JSON value.

    >>> Anything().parse({"answer": "[1, 2]"}), Anything().parse({"answer": "red"})
    ([1, 2], 'red')
    """

    kind: ClassVar[str] = "anything"

    def check(self, answer: Any) -> Any:
        kind = type(answer)
        if kind in ATOMS or (kind is tuple and ATOMS.issuperset(map(type, answer))):
            return answer
        try:
            canonical(answer)
        except (TypeError, ValueError):
            raise Invalid("Give something that JSON can hold; got {got}.", got=shown(answer)) from None
        return answer

    def schema(self) -> Json:
        return {}

    def draw(self, rng: np.random.Generator) -> int:
        return int(rng.integers(10))

    def parse(self, form: Mapping[str, str]) -> Any:
        """Read JSON, or a text that is none."""
        text = typed(form)
        try:
            return loads(text)
        except ValueError:
            return text

    def hint(self) -> str:
        return "Any JSON."


@dataclass(frozen=True)
class Calls(Space):
    """A list of calls, each {"call": name, "arguments": {...}} or, shorter, a row of the name and all arguments.

    Rows are the canonical form: there may be millions of them. An optional argument that is left out is None there.

    >>> from mensura.dialogue.spaces.text import Text
    >>> talk = Calls({"say": Tool("Say something.", {"words": Text()})})
    >>> talk.check([{"call": "say", "arguments": {"words": "hi"}}, ["say", "you"]])
    [('say', 'hi'), ('say', 'you')]
    """

    kind: ClassVar[str] = "calls"
    tools: Mapping[str, Tool]

    @classmethod
    def read(cls, described: Mapping[str, Any]) -> "Calls":
        return cls({name: Tool.read(tool) for name, tool in described["tools"].items()})

    @cached_property
    def single(self) -> Call:
        """The space of one of the calls."""
        return Call(self.tools)

    @cached_property
    def _checks(self) -> dict[str, list[Callable[[Any], Any]]]:
        """Tool → the check of each of its arguments, in their order."""
        return {
            name: [_check(space, optional=argument in tool.optional) for argument, space in tool.arguments.items()]
            for name, tool in self.tools.items()
        }

    def check(self, answer: Any) -> list[Row]:
        if not isinstance(answer, (list, tuple)):
            raise Invalid("Give a list of calls, empty for none; got {got}.", got=shown(answer))
        checks, rows = self._checks, []
        for call in answer:
            known = checks.get(call[0]) if type(call) in ROWS and call and type(call[0]) is str else None
            if known is None or len(call) != len(known) + 1:
                rows.append(self._row(self.single.check(self._named(call) if type(call) in ROWS else call)))
                continue
            try:
                rows.append((call[0], *[check(given) for check, given in zip(known, call[1:], strict=True)]))
            except Invalid:
                # Said once more, with the name of the argument.
                rows.append(self._row(self.single.check(self._named(call))))
        return rows

    def _named(self, row: Any) -> Json:
        """Write a row as a call with named arguments, so that what is wrong with it can be said."""
        tool = self.tools.get(row[0]) if row and isinstance(row[0], str) else None
        if tool is None or len(row) != len(tool.arguments) + 1:
            return {"call": row[0] if row else None, "arguments": dict(enumerate(row[1:]))}
        named = zip(tool.arguments, row[1:], strict=True)
        given = {name: value for name, value in named if not (value is None and name in tool.optional)}
        return {"call": row[0], "arguments": given}

    def _row(self, call: Json) -> Row:
        return (call["call"], *[call["arguments"].get(name) for name in self.tools[call["call"]].arguments])

    def schema(self) -> Json:
        return {"type": "array", "items": self.single.schema()}

    def draw(self, rng: np.random.Generator) -> list[Row]:
        return self.check([self.single.draw(rng) for _ in range(int(rng.integers(3)))])

    def parse(self, form: Mapping[str, str]) -> Any:
        """Read one call from the fields of its form, or a list of calls as JSON."""
        if "call" in form:
            return [self.single.parse(form)]
        try:
            calls = loads(typed(form))
        except ValueError:
            calls = None
        if not isinstance(calls, list) or not all(isinstance(call, (list, dict)) for call in calls):
            raise Invalid("Give a list of calls, empty for none; got {got}.", got=shown(typed(form)))
        return calls

    @property
    def percent(self) -> bool:
        return self.single.percent

    def hint(self) -> str:
        return f"A list of calls, each {self.single.hint()}"

    def data(self) -> Json:
        """Return the names of the tools: it would be logged at every one of many asks."""
        return self._named_tools

    @cached_property
    def _named_tools(self) -> Json:
        return {"kind": self.kind, "tools": list(self.tools)}

    def described(self) -> Json:
        return {"kind": self.kind, "tools": {name: tool.data() for name, tool in self.tools.items()}}


ROWS = (tuple, list)


def _check(space: Space, *, optional: bool) -> Callable[[Any], Any]:
    """Return the check of an argument, with short cuts for what comes in millions: known texts and plain numbers."""
    known: set[str] = set()

    def check_text(given: Any) -> Any:
        if type(given) is str and given in known:
            return given
        text = space.check(given)
        if len(known) < MOST_KNOWN:
            known.add(text)
        return text

    def check_whole(given: Any) -> Any:
        if type(given) is int and given >= 0:
            return given
        return None if optional and given is None else space.check(given)

    if space.kind == "text" and not optional:
        return check_text
    if isinstance(space, Number) and space.integer and space.low in (None, 0) and space.high is None:
        return check_whole
    return (lambda given: None if given is None else space.check(given)) if optional else space.check


MOST_KNOWN = 100_000
