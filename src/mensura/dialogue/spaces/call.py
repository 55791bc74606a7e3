"""Call: one of several tools with typed arguments, the way to act in a simulated world."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from mensura.dialogue.spaces.base import Json, Space, fields_under, read_people_json, shown, typed
from mensura.dialogue.spaces.described import read_space
from mensura.errors import Invalid, nearest
from mensura.json_file import loads


@dataclass(frozen=True)
class Tool:
    """Something that can be done: what it does, and a space for each argument."""

    about: str
    arguments: Mapping[str, Space] = field(default_factory=dict)
    optional: tuple[str, ...] = ()
    told: Mapping[str, str] = field(default_factory=dict)
    """The description of an argument, where its name is not enough."""

    @classmethod
    def read(cls, described: Mapping[str, Any]) -> "Tool":
        """Make the tool again from its data."""
        arguments = {name: read_space(space) for name, space in described["arguments"].items()}
        return cls(described["about"], arguments, tuple(described["optional"]), described.get("told", {}))

    def data(self) -> Json:
        """Describe the tool as JSON."""
        spaces = {name: space.data() for name, space in self.arguments.items()}
        told = {"told": dict(self.told)} if self.told else {}
        return {"about": self.about, "arguments": spaces, "optional": list(self.optional), **told}

    def schema(self) -> Json:
        """Describe valid arguments as JSON schema."""
        return {
            "type": "object",
            "properties": {name: self._property(name, space) for name, space in self.arguments.items()},
            "required": [name for name in self.arguments if name not in self.optional],
            "additionalProperties": False,
        }

    def _property(self, name: str, space: Space) -> Json:
        return {**space.schema(), "description": self.told[name]} if name in self.told else space.schema()


@dataclass(frozen=True)
class Call(Space):
    """One of several tools with its arguments: {"call": name, "arguments": {...}}.

    >>> from mensura.dialogue.spaces.text import Text
    >>> Call({"say": Tool("Say something.", {"words": Text()})}).check({"call": "say", "arguments": {"words": "hi"}})
    {'call': 'say', 'arguments': {'words': 'hi'}}
    """

    kind: ClassVar[str] = "call"
    tools: Mapping[str, Tool]

    @classmethod
    def read(cls, described: Mapping[str, Any]) -> "Call":
        return cls({name: Tool.read(tool) for name, tool in described["tools"].items()})

    @property
    def acts(self) -> Mapping[str, Tool]:
        return self.tools

    def check(self, answer: Any) -> Json:
        if not isinstance(answer, Mapping) or not isinstance(answer.get("call"), str):
            raise Invalid(f'Give {{"call": name, "arguments": {{...}}}}; got {shown(answer)}.')
        name = answer["call"]
        if name not in self.tools:
            if near := nearest(name, self.tools):
                raise Invalid("There is no tool called {got}. Did you mean {near}?", got=repr(name), near=near)
            raise Invalid("There is no tool called {got}. Tools are {all}.", got=repr(name), all=", ".join(self.tools))
        given = answer.get("arguments", {})
        if not isinstance(given, Mapping):
            raise Invalid(f"The arguments of {name} must be an object; got {shown(given)}.")
        return {"call": name, "arguments": self._arguments(name, given)}

    def _arguments(self, name: str, given: Mapping[str, Any]) -> Json:
        tool = self.tools[name]
        for argument in given:
            if argument not in tool.arguments:
                takes = ", ".join(tool.arguments) or "no arguments"
                raise Invalid(f"{name} has no argument {shown(argument)}; it takes {takes}.")
        checked: Json = {}
        for argument, space in tool.arguments.items():
            if argument not in given:
                if argument not in tool.optional:
                    raise Invalid("{name} needs {argument}.", name=name, argument=argument)
                continue
            try:
                checked[argument] = space.check(given[argument])
            except Invalid as wrong:
                raise Invalid("{argument} of {name}: {wrong}", argument=argument, name=name, wrong=wrong.said) from None
        return checked

    def schema(self) -> Json:
        return {
            "anyOf": [
                {
                    "type": "object",
                    "description": tool.about,
                    "properties": {"call": {"const": name}, "arguments": tool.schema()},
                    "required": ["call", "arguments"],
                    "additionalProperties": False,
                }
                for name, tool in self.tools.items()
            ]
        }

    def draw(self, rng: np.random.Generator) -> Json:
        name = list(self.tools)[int(rng.integers(len(self.tools)))]
        tool = self.tools[name]
        return {"call": name, "arguments": {key: space.draw(rng) for key, space in tool.arguments.items()}}

    def parse(self, form: Mapping[str, str]) -> Json:
        """Read fields "call" and "arguments.<tool>.<argument>", or one line of JSON."""
        if "call" not in form:
            try:
                return self._read(dict(loads(typed(form))))
            except (ValueError, TypeError):
                raise Invalid(self.hint_for_people()) from None
        name = form["call"]
        if name not in self.tools:
            return {"call": name, "arguments": {}}
        tool = self.tools[name]
        arguments = {}
        for argument, space in tool.arguments.items():
            fields = fields_under(form, f"arguments.{name}.{argument}")
            if argument in tool.optional and not any(text.strip() for text in fields.values()):
                continue
            arguments[argument] = space.parse(fields)
        return {"call": name, "arguments": arguments}

    def _read(self, written: Json) -> Json:
        """Read a call that a person wrote as JSON."""
        tool, given = self.tools.get(str(written.get("call"))), written.get("arguments")
        if tool is None or not isinstance(given, Mapping):
            return written
        known = tool.arguments
        read = {name: read_people_json(known[name], part) if name in known else part for name, part in given.items()}
        return {**written, "arguments": read}

    @property
    def percent(self) -> bool:
        return any(space.percent for tool in self.tools.values() for space in tool.arguments.values())

    def hint(self) -> str:
        return 'JSON {"call": name, "arguments": {...}}; tools: ' + "; ".join(
            f"{name}({', '.join(tool.arguments)}): {tool.about}" for name, tool in self.tools.items()
        )

    def hint_for_people(self) -> str:
        return f"{self.hint()}{' Write shares in percent.' if self.percent else ''}"

    def data(self) -> Json:
        return {"kind": self.kind, "tools": {name: tool.data() for name, tool in self.tools.items()}}
