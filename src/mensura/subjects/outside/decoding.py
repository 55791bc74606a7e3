"""Decoding: asks, prompts and spaces made again from their JSON, where a Python subject has its own process."""

from base64 import b64decode
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from mensura.dialogue import (
    Ask,
    Call,
    Chart,
    Feature,
    Grid,
    Image,
    Mailbox,
    Map,
    Message,
    Outcome,
    Prompt,
    PromptLike,
    Readings,
    Space,
    Table,
    TableView,
    Tool,
    Vector,
    spaces,
)
from mensura.dialogue.spaces.base import typed
from mensura.errors import MensuraError

SPACES: dict[str, Any] = {
    space.kind: space
    for space in (getattr(spaces, name) for name in spaces.__all__)
    if hasattr(space, "kind") and space not in (Call, Table, Vector)
}


@dataclass(frozen=True)
class Described(Space):
    """A space of a kind that is not known here: it has its description and its schema, and lets all answers pass."""

    kind: ClassVar[str] = "described"
    description: Mapping[str, Any]
    answers: Mapping[str, Any] = field(default_factory=dict)
    """JSON schema of valid answers."""

    def check(self, answer: Any) -> Any:
        return answer

    def schema(self) -> dict[str, Any]:
        return dict(self.answers)

    def draw(self, rng: np.random.Generator) -> Any:
        raise MensuraError(f"Answers of kind {self.description.get('kind')!r} cannot be drawn outside the test.")

    def parse(self, form: Mapping[str, str]) -> str:
        return typed(form)


@dataclass(frozen=True)
class Shown(Prompt):
    """A prompt of a kind that is not known here: its data as they came, and its words."""

    kind: ClassVar[str] = "shown"
    description: Mapping[str, Any]
    words: str = ""

    def data(self) -> dict[str, Any]:
        return dict(self.description)

    def text(self) -> str:
        return self.words


def read_ask(message: Mapping[str, Any]) -> Ask:
    """Make the ask, or what is told, of a message."""
    described = message.get("space")
    return Ask(
        read_prompt(message["prompt"], text=message.get("text", "")),
        None if described is None else read_space(described, schema=message.get("schema", {})),
        message.get("key", ""),
        message.get("role", ""),
        None,
        message.get("until"),
        message.get("reward"),
    )


def read_outcome(message: Mapping[str, Any]) -> Outcome:
    """Make the outcome of an end message."""
    prompt = read_prompt(message.get("prompt", ""), text=message.get("text", ""))
    return Outcome(prompt, message.get("reward"), bool(message.get("truncated")))


def read_space(described: Mapping[str, Any], *, schema: Mapping[str, Any] | None = None) -> Space:
    """Make a space of its description.

    >>> read_space({"kind": "choice", "options": ["red", "blue"]})
    Choice(options=('red', 'blue'))
    """
    values = {name: value for name, value in described.items() if name != "kind"}
    kind = described.get("kind")
    if kind == Call.kind:
        return Call({name: _read_tool(tool) for name, tool in values["tools"].items()})
    if kind == Table.kind:
        return Table(**{**values, "columns": {name: read_space(cell) for name, cell in values["columns"].items()}})
    if kind == Vector.kind:
        # Null stands for a bound that does not bind.
        low = [-np.inf if bound is None else bound for bound in values["low"]]
        high = [np.inf if bound is None else bound for bound in values["high"]]
        return Vector(tuple(low), tuple(high), values["integer"])
    if kind in SPACES:
        return SPACES[kind](**values)  # type: ignore[no-any-return]
    return Described(described, schema or {})


def read_prompt(data: Any, *, text: str = "") -> PromptLike:
    """Make a prompt of its data.

    >>> read_prompt(["Look:", Grid([["A"]]).data()])
    ['Look:', Grid(cells=[['A']], legend={}, title='')]
    """
    if isinstance(data, str):
        return data
    if isinstance(data, list):
        return [read_prompt(part) for part in data]
    values = {name: value for name, value in data.items() if name != "kind"}
    kind = data.get("kind")
    if kind in PLAIN:
        return PLAIN[kind](**values)  # type: ignore[no-any-return]
    if kind == Readings.kind:
        return Readings(_array(values["values"]), tuple(values["names"]))
    if kind == Image.kind:
        head, _, content = values["url"].partition(",")
        return Image(b64decode(content), values["words"], head.removeprefix("data:").removesuffix(";base64"))
    if kind == Mailbox.kind:
        return Mailbox(**{**values, "messages": [Message(**message) for message in values["messages"]]})
    if kind == Map.kind:
        features = [
            Feature(**{**part, "places": [_pair(place) for place in part["places"]]}) for part in data["features"]
        ]
        return Map(**{**values, "low": _pair(data["low"]), "high": _pair(data["high"]), "features": features})
    return Shown(data, text)


PLAIN: dict[str, Any] = {prompt.kind: prompt for prompt in (Chart, Grid, TableView)}


def _array(values: Any) -> Any:
    array = np.asarray(values)
    # Null stands for a number that is not finite.
    return array.astype(float) if array.dtype == object else array


def _pair(place: Any) -> tuple[float, float]:
    return (place[0], place[1])


def _read_tool(described: Mapping[str, Any]) -> Tool:
    arguments = {name: read_space(space) for name, space in described["arguments"].items()}
    return Tool(described["about"], arguments, tuple(described["optional"]))
