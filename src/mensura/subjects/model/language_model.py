"""LanguageModel: a subject behind an OpenAI-compatible endpoint, its answers forced by the schema of their space."""

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from hashlib import sha256
from typing import Any

import numpy as np

from mensura.dialogue import SUBJECT, Ask, Image, Noted, Outcome, Refused, prompt_text
from mensura.errors import BadParameter
from mensura.subjects.lane import OwnLimits
from mensura.subjects.model.chat import Chat, Completion
from mensura.subjects.naming import Factory, Naming
from mensura.subjects.outside.bounds import Bounds
from mensura.subjects.outside.protocol import Unreadable, read_json, written

SYSTEM = (
    "You are taking a test. Answer each question as well as you can. "
    'Reply with nothing but JSON of the form {"answer": ...}.'
)
HOME = "https://api.openai.com/v1"
LONG_SCHEMA = 500
"""A schema of more characters is said once; the next asks that share it only point to it."""
PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp")
FENCE = re.compile(r"```(?:json)?\s*(.*?)```", re.DOTALL)


@dataclass(frozen=True)
class Manner:
    """How a language model is asked.

    Parameters
    ----------
    system
        The system prompt.
    memory
        How many earlier asks of the session the model sees again; None: all of them. Named by llm:, as its test says.
    settings
        Further fields of the request, such as temperature or max_tokens.
    seeded
        Whether to send a seed drawn from the session's generator; few servers keep to it.
    retries, first_wait
        How often to try again after a failure in passing, and how many seconds to wait before the first retry.
    price_in, price_out
        Price of a million tokens read and written; NaN where it is not known.
    """

    system: str = SYSTEM
    memory: int | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    seeded: bool = False
    retries: int = 5
    first_wait: float = 1.0
    price_in: float = float("nan")
    price_out: float = float("nan")

    def cost(self, completion: Completion) -> float | None:
        """Return what a completion cost; None where a price or a count is not known."""
        if completion.tokens_in is None or completion.tokens_out is None:
            return None
        cost = (completion.tokens_in * self.price_in + completion.tokens_out * self.price_out) / 1e6
        return None if np.isnan(cost) else cost


class LanguageModel:
    """A language model that remembers the session it is in.

    Prompts go as text, pictures as pictures; what it was told and its rewards come before the next ask. Its notes
    keep what was said both ways, tokens, cost, retries and seconds. A refusal is a refusal; a reply that is not the
    JSON asked for is an invalid answer, of which it is told.
    """

    recomputes = False

    def __init__(
        self, model: str, *, endpoint: str = HOME, manner: Manner = Manner(), bounds: Bounds = Bounds(), name: str = ""
    ) -> None:
        self.name = name or f"llm:{model}"
        self.model = model
        self.manner = manner
        self.chat = Chat(endpoint, model=model, bounds=bounds, retries=manner.retries, first_wait=manner.first_wait)
        self._turns: list[list[dict[str, Any]]] = []
        self._told: list[Any] = []
        self._described = ""
        self._seed: int | None = None

    def begin(self, rng: np.random.Generator, role: str = SUBJECT) -> None:
        """Forget the last session."""
        self._turns = []
        self._told = [] if role == SUBJECT else [f"Several take part in this test. Your role is {role}."]
        self._described = ""
        self._seed = int(rng.integers(2**31)) if self.manner.seeded else None

    def feedback(self, told: Ask) -> None:
        """Keep what is told for the next message."""
        self._told.append(told.prompt)
        if told.reward is not None:
            self._told.append(f"Your reward: {told.reward:g}")

    def remember(self, ask: Ask, answer: Any) -> None:
        """Put an earlier answer back into the conversation, as if it had just been given."""
        assert ask.space is not None
        message = {"role": "user", "content": self._content(ask, ask.space.schema())}
        self._turns.append([message, {"role": "assistant", "content": written({"answer": answer})}])
        self._described = written(ask.space.schema())
        self._told = []

    def end(self, outcome: Outcome) -> None:
        """Nothing more is said."""
        self._told = []

    def __call__(self, ask: Ask) -> Any:
        assert ask.space is not None
        schema = ask.space.schema()
        message = {"role": "user", "content": self._content(ask, schema)}
        messages = [*self._system(), *(part for turn in self._remembered() for part in turn), message]
        with OwnLimits():
            completion = self.chat.complete(messages, schema=wrapped(schema), settings=self._settings())
        # Only what was answered is remembered: an ask that failed may be asked again.
        first = not self._turns
        self._turns.append([message, {"role": "assistant", "content": completion.text}])
        self._described = written(schema)
        self._told = []
        return Noted(read_completion(completion), self._notes(completion, message, first=first))

    def close(self) -> None:
        """Close the connections."""
        self.chat.close()

    def _system(self) -> list[dict[str, Any]]:
        return [{"role": "system", "content": self.manner.system}] if self.manner.system else []

    def _remembered(self) -> list[list[dict[str, Any]]]:
        memory = self.manner.memory
        if memory is None:
            return self._turns
        return self._turns[-memory:] if memory > 0 else []

    def _settings(self) -> dict[str, Any]:
        return {**self.manner.settings, **({} if self._seed is None else {"seed": self._seed})}

    def _content(self, ask: Ask, schema: Mapping[str, Any]) -> Any:
        reward = [] if ask.reward is None else [f"Your reward for the previous answer: {ask.reward:g}"]
        described = written(schema)
        # With all turns remembered it stands above; repeated at every ask it would crowd out what was said.
        known = self.manner.memory is None and len(described) > LONG_SCHEMA and described == self._described
        fits = "the same JSON schema as before" if known else f"this JSON schema: {described}"
        wanted = f'Reply with JSON {{"answer": A}} where A fits {fits}'
        return content_of([*self._told, *reward, ask.prompt, wanted])

    def _notes(self, completion: Completion, message: Mapping[str, Any], *, first: bool) -> dict[str, Any]:
        return {
            "model": completion.model,
            "messages": [*(self._system() if first else []), without_pictures(message)],
            "reply": completion.text,
            "finish": completion.finish,
            "form": completion.form,
            "tokens_in": completion.tokens_in,
            "tokens_out": completion.tokens_out,
            "cost": self.manner.cost(completion),
            "retries": completion.retries,
            "seconds": round(completion.seconds, 3),
        }


def wrapped(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Put a schema under `answer`: endpoints want an object at the top."""
    return {
        "type": "object",
        "properties": {"answer": dict(schema)},
        "required": ["answer"],
        "additionalProperties": False,
    }


def content_of(prompt: Any) -> Any:
    """Make the content of a message: text, or parts where there are pictures.

    >>> content_of(["Look:", "there"])
    'Look:\\n\\nthere'
    """
    parts = _parts(prompt)
    if all(isinstance(part, str) for part in parts):
        return "\n\n".join(parts)
    return [
        {"type": "text", "text": part}
        if isinstance(part, str)
        else {"type": "image_url", "image_url": {"url": part.url}}
        for part in parts
    ]


def without_pictures(message: Mapping[str, Any]) -> dict[str, Any]:
    """Keep a message for the record, with the hash of a picture in place of it: the record has the picture."""
    if isinstance(message["content"], str):
        return dict(message)
    kept = [
        part
        if part["type"] == "text"
        else {"type": "image_url", "sha256": sha256(part["image_url"]["url"].encode()).hexdigest()}
        for part in message["content"]
    ]
    return {**message, "content": kept}


def read_completion(completion: Completion) -> Any:
    """Find the answer in what a model said."""
    if completion.refusal or completion.finish == "content_filter":
        return Refused(completion.refusal or "The endpoint's content filter stepped in.")
    for text in (completion.text, *FENCE.findall(completion.text)):
        try:
            said = read_json(text)
        except ValueError:
            continue
        if isinstance(said, dict) and "answer" in said:
            return said["answer"]
    return _last_answer(completion.text)


def _last_answer(text: str) -> Any:
    """Find the last JSON object with an answer within other words, as models write that think aloud."""
    decoder = json.JSONDecoder()
    for place in reversed([found.start() for found in re.finditer(r'\{\s*"answer"', text)]):
        try:
            end = decoder.raw_decode(text, place)[1]
            return read_json(text[place:end])["answer"]
        except (ValueError, RecursionError):
            continue
    return Unreadable(text)


def _parts(prompt: Any) -> list[Any]:
    if isinstance(prompt, Image) and prompt.media_type in PICTURES:
        return [prompt]
    if isinstance(prompt, (list, tuple)):
        return [part for each in prompt for part in _parts(each)]
    return [prompt_text(prompt)]


def named(rest: str, *, naming: Naming) -> Factory:
    """Read a name such as `llm:MODEL@http://localhost:8000/v1`."""
    model, at, endpoint = rest.partition("@http")
    endpoint = f"http{endpoint}" if at else os.environ.get("OPENAI_BASE_URL") or HOME
    if not model:
        raise BadParameter("A language model is named llm:MODEL@http://host:port/v1; the model is missing.")
    manner = Manner(**{"memory": naming.test.memory, **naming.allow(*(part.name for part in fields(Manner)))})
    return lambda: LanguageModel(model, endpoint=endpoint, manner=manner, bounds=naming.bounds, name=naming.name)
