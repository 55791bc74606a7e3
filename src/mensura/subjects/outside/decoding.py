"""Decoding: asks, prompts and spaces made again from their JSON, where a Python subject has its own process."""

from base64 import b64decode
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from mensura.dialogue import (
    Ask,
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
    TableView,
)
from mensura.dialogue.spaces.described import read_space


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
    """Make an ask or a text of a message."""
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
