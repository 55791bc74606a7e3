"""LanguageModel: a subject at a provider of models, its answers forced by the schema of their space."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from mensura.dialogue import SUBJECT, Ask, Noted, Outcome, Space
from mensura.errors import BadParameter, unknown
from mensura.subjects.lane import OwnLimits
from mensura.subjects.loop import wait_for
from mensura.subjects.model import chat_completions, messages
from mensura.subjects.model.chat_completions import ChatCompletions
from mensura.subjects.model.conversation import Conversation
from mensura.subjects.model.cost.prices import list_prices
from mensura.subjects.model.cost.till import check_limits, paid_endpoint
from mensura.subjects.model.endpoint import Api, Completing, Endpoint, shared_endpoint
from mensura.subjects.model.manner import Manner
from mensura.subjects.model.messages import Messages
from mensura.subjects.model.reading import Read, read_completion, split_thought
from mensura.subjects.model.request import Completion, Function, Message, Request
from mensura.subjects.model.responses import Responses
from mensura.subjects.model.service import Service
from mensura.subjects.naming import Factory, Naming

SUM_UP = "Sum up what happened so far in this test as notes for yourself: the facts you will need, and what you did."


class LanguageModel:
    """A language model that remembers the session it is in.

    Prompts go as text, pictures as pictures; what it was told and its rewards come before the next ask. Its notes
    keep what was said both ways, tokens, cost, retries and seconds. A refusal is a refusal; a reply that is not the
    JSON asked for is an invalid answer, of which it is told.
    """

    recomputes = False

    def __init__(self, endpoint: Completing, *, manner: Manner = Manner(), name: str = "") -> None:
        self.name = name or f"llm:{endpoint.api.model}"
        self.endpoint = endpoint
        self.manner = manner
        self.conversation = Conversation(manner.system, memory=manner.memory, window=manner.window)
        self._seed: int | None = None

    def begin(self, rng: np.random.Generator, role: str = SUBJECT) -> None:
        """Forget the last session."""
        self.conversation.begin(role)
        self._seed = int(rng.integers(2**31)) if self.manner.seeded else None

    def feedback(self, told: Ask) -> None:
        """Keep what is told for the next message."""
        self.conversation.tell(told)

    def remember(self, ask: Ask, answer: Any) -> None:
        """Put an earlier answer back into the conversation, as if it had just been given."""
        self.conversation.remember(ask, answer)

    def end(self, outcome: Outcome) -> None:
        """Nothing more is said."""
        self.conversation.end()

    def __call__(self, ask: Ask) -> Any:
        with OwnLimits():
            return wait_for(self.answer(ask))

    async def answer(self, ask: Ask) -> Any:
        """Answer beside other sessions."""
        assert ask.space is not None
        talk = self.conversation
        schema = ask.space.schema()
        message = talk.message(ask, schema)
        summary = await self._summed_up()
        request = Request(talk.messages(message), wrapped(schema), _acts(ask.space), settings=self._settings())
        completion = await self.endpoint.complete(request, retrying=self.manner.retrying)
        noted = talk.noted(message)
        talk.keep(message, completion, schema)
        read = read_completion(completion, ask.space)
        return Noted(read.value, {**self._notes(completion, noted, read), **summary})

    def close(self) -> None:
        """Leave the connections to the next session."""

    async def _summed_up(self) -> dict[str, Any]:
        """Have the turns summed up that are not shown any more; returns what is noted of it."""
        talk = self.conversation
        forgotten = talk.forgotten() if self.manner.summaries else []
        if not forgotten:
            return {}
        before = [{"role": "user", "content": f"Your notes so far:\n\n{talk.summary}"}] if talk.summary else []
        said = [part for turn in forgotten for part in turn if part["role"] != "tool" and part.get("content")]
        request = Request((*before, *said, {"role": "user", "content": SUM_UP}), settings=self._settings())
        completion = await self.endpoint.complete(request, retrying=self.manner.retrying)
        talk.summary = completion.text
        talk.summed += len(forgotten)
        spent = {"tokens_in": completion.tokens_in, "tokens_out": completion.tokens_out}
        return {"summary": {"text": completion.text, **spent, "cost": self.manner.cost(completion)}}

    def _settings(self) -> dict[str, Any]:
        return {**self.manner.settings, **({} if self._seed is None else {"seed": self._seed})}

    def _notes(self, completion: Completion, noted: list[Message], read: Read) -> dict[str, Any]:
        reasoning = completion.reasoning or split_thought(completion.text)[0]
        further = {
            "reasoning": reasoning,
            "tokens_reasoning": completion.tokens_reasoning,
            "calls": [[call.name, call.arguments] for call in completion.calls],
            "understood": read.understood,
            "cached": completion.cached,
            "cost_doubtful": completion.doubtful,
            "priced": self.manner.priced,
        }
        return {
            "model": completion.model,
            "messages": noted,
            "reply": completion.text,
            "finish": completion.finish,
            "form": completion.form,
            "tokens_in": completion.tokens_in,
            "tokens_out": completion.tokens_out,
            "cost": self.manner.cost(completion),
            "retries": completion.retries,
            "seconds": round(completion.seconds, 3),
            **{name: value for name, value in further.items() if value},
        }


def wrapped(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Put a schema under `answer`: endpoints want an object at the top."""
    return {
        "type": "object",
        "properties": {"answer": dict(schema)},
        "required": ["answer"],
        "additionalProperties": False,
    }


def _acts(space: Space) -> tuple[Function, ...]:
    """Return the acts of a world as functions that a model can call."""
    return tuple(Function(name, tool.about, tool.schema()) for name, tool in space.acts.items())


@dataclass(frozen=True)
class Protocol:
    """A way to speak with models: its client, where it is at home, and where its key is found."""

    client: Callable[[Service], Api]
    home: str
    keys: tuple[str, ...]
    base: str
    """The environment variable that may name another address."""
    limit: int | None = None
    """How many tokens are written at most where the settings do not say."""


PROTOCOLS = {
    "chat": Protocol(ChatCompletions, chat_completions.HOME, chat_completions.KEYS, "OPENAI_BASE_URL"),
    "responses": Protocol(Responses, chat_completions.HOME, chat_completions.KEYS, "OPENAI_BASE_URL"),
    "messages": Protocol(Messages, messages.HOME, messages.KEYS, "ANTHROPIC_BASE_URL", messages.MOST_TOKENS),
}


def named(rest: str, *, naming: Naming) -> Factory:
    """Read a name such as `llm:MODEL@http://localhost:8000/v1`."""
    model, at, address = rest.partition("@http")
    if not model:
        raise BadParameter("A language model is named llm:MODEL@http://host:port/v1; the model is missing.")
    given = {"memory": naming.test.memory, **naming.allow("api", "key", *(part.name for part in fields(Manner)))}
    api, key = given.pop("api", "chat"), given.pop("key", "")
    if api not in PROTOCOLS:
        raise unknown("protocol of models", str(api), known=PROTOCOLS, see=f"There are {', '.join(PROTOCOLS)}.")
    protocol = PROTOCOLS[api]
    place = f"http{address}" if at else os.environ.get(protocol.base) or protocol.home
    keys = (str(key),) if key else protocol.keys
    service = Service(place.rstrip("/"), model, keys, naming.bounds)
    prices = (
        {}
        if given.keys() & {"price_in", "price_out"}
        else list_prices(model, address=place, batch=naming.spending.batch is not None)
    )
    manner, limit, asked = Manner(**{**prices, **given}), protocol.limit, (api, service.address, model)
    check_limits(naming.spending, manner, model=model, limit=limit)

    def endpoint() -> Endpoint:
        return shared_endpoint((api, *service.identity), lambda: protocol.client(service))

    def make() -> LanguageModel:
        paid = paid_endpoint(naming.spending, endpoint, manner=manner, asked=asked, limit=limit)
        return LanguageModel(paid, manner=manner, name=naming.name)

    return make
