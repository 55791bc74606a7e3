"""LanguageModel: a subject at a provider of models, its answers forced by the schema of their space."""

import os
import re
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from mensura.dialogue import SUBJECT, Ask, Noted, Outcome, Refused, Space
from mensura.dialogue.streams import child
from mensura.errors import BadParameter, SubjectFailed, unknown
from mensura.subjects.lane import OwnLimits
from mensura.subjects.loop import wait_for
from mensura.subjects.model import chat_completions, messages, transformers_model
from mensura.subjects.model.chat_completions import ChatCompletions
from mensura.subjects.model.conversation import ModelTalk
from mensura.subjects.model.cost.prices import list_prices
from mensura.subjects.model.cost.till import check_limits, paid_endpoint
from mensura.subjects.model.endpoint import Api, Completing, Endpoint, shared_endpoint
from mensura.subjects.model.manner import SYSTEM, Manner
from mensura.subjects.model.messages import Messages
from mensura.subjects.model.probing import LIKELIEST, letters_wanted, probed_options, read_probabilities
from mensura.subjects.model.reaching.probe import Contact
from mensura.subjects.model.reading import Read, read_completion, split_thought
from mensura.subjects.model.request import DOUBTFUL, Completion, Function, Message, ModelRequest
from mensura.subjects.model.responses import Responses
from mensura.subjects.model.service import Service, check_address
from mensura.subjects.model.transformers_model import TransformersModel
from mensura.subjects.naming import Factory, Naming
from mensura.subjects.tools.allowance import Allowance, Used
from mensura.subjects.tools.approval import ApproverEnded
from mensura.subjects.tools.equipment import OPTIONS, Equipment
from mensura.subjects.tools.outlay import Outlay
from mensura.subjects.tools.steps import Steps
from mensura.subjects.tools.steward import Steward
from mensura.subjects.tools.workbench import ANSWER, Workbench

TOOLS = " Before you answer, you may call the tools that you are given, as often as you need."
SUM_UP = "Sum up what happened so far in this test as notes for yourself: the facts you will need, and what you did."


class LanguageModel:
    """A language model that remembers the session it is in.

    Prompts go as text, pictures as pictures; what it was told and its rewards come before the next ask. Its notes
    keep what was said both ways, tokens, cost, retries and seconds. A refusal is a refusal; a reply that is not the
    JSON asked for is an invalid answer, of which it is told.
    """

    recomputes = False

    def __init__(
        self,
        endpoint: Completing,
        *,
        manner: Manner = Manner(),
        allowance: Allowance = Allowance(),
        workbench: Workbench | None = None,
        steward: Steward | None = None,
        name: str = "",
    ) -> None:
        self.name = name or f"llm:{endpoint.api.model}"
        self.endpoint = endpoint
        self.manner = manner
        self.workbench = workbench
        self.used = Used(allowance)
        self._outlay = Outlay(steward if workbench is not None or allowance != Allowance() else None)
        system = SYSTEM + TOOLS if workbench is not None and manner.system == SYSTEM else manner.system
        self.conversation = ModelTalk(system, memory=manner.memory, window=manner.window)
        self._seed: int | None = None
        self._stopped = ""

    def begin(self, rng: np.random.Generator, role: str = SUBJECT) -> None:
        """Forget the last session."""
        self.conversation.begin(role)
        self._seed = int(rng.integers(2**31)) if self.manner.seeded else None
        self.used, self._stopped = Used(self.used.allowance), ""
        self._outlay.open(self.used, role)
        if self.workbench is not None:
            self.workbench.begin(child(rng))

    def feedback(self, told: Ask) -> None:
        """Keep the message for the next request."""
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
        options = probed_options(ask.space) if self.manner.logprobs else ()
        message = talk.message(ask, schema, wanted=letters_wanted(options) if options else "")
        summary = await self._summed_up()
        steps = Steps(self.used, self.manner.cost, len(talk.turns))
        noted = talk.noted(message)
        try:
            completion = await self._work(ask.space, message, steps)
        except ApproverEnded as stopped:
            self._stopped = str(stopped)
            return Noted(Refused(self._stopped), {"messages": noted, **steps.paid(), **summary})
        except SubjectFailed as failed:
            # A failure may be every session's; what this one paid is its own.
            if paid := steps.paid():
                failed, doubtful = copy(failed), failed.notes.get(DOUBTFUL, 0.0)
                failed.notes = {**paid, **summary, DOUBTFUL: paid.get(DOUBTFUL, 0.0) + doubtful}
            raise failed from None
        finally:
            self._outlay.settle(self.used)
        talk.keep(message, completion, schema, steps=steps.messages)
        read = read_probabilities(completion, options) if options else read_completion(completion, ask.space)
        return Noted(read.value, {**self._notes(steps.summed(), noted, read), **steps.notes(), **summary})

    def close(self) -> None:
        """Let the tools go; the connections are left to the next session."""
        if self.workbench is not None:
            self.workbench.close()

    async def _work(self, space: Space, message: Message, steps: Steps) -> Completion:
        """Have the model call tools until it answers, or has nothing left to do it with."""
        if self._stopped:
            raise ApproverEnded(self._stopped)
        bench, before = self.workbench, self.conversation.messages(message)
        tools = () if bench is None else await self.used.within(bench.offered(space.acts))
        while True:
            self.used.check(turns=len(steps.completions))
            request = self._request(space, (*before, *steps.messages), tools)
            asked = self.endpoint.complete(request, retrying=self.manner.retrying)
            completion = await self.used.within(asked)
            steps.add(completion)
            # The first call decides: an answer is an answer, whatever is called after it.
            first = completion.calls[0].name if completion.calls else ANSWER
            if bench is None or first == ANSWER or first in space.acts:
                return completion
            self._outlay.note(self.used, turns=len(steps.completions), **steps.tokens())
            await self._carry_out(bench, completion, steps)

    def _request(self, space: Space, messages: tuple[Message, ...], tools: tuple[Function, ...]) -> ModelRequest:
        if self.manner.logprobs and probed_options(space):
            return ModelRequest(messages, settings=self._settings(), logprobs=LIKELIEST)
        return ModelRequest(messages, wrapped(space.schema()), _acts(space), tools, settings=self._settings())

    async def _carry_out(self, bench: Workbench, completion: Completion, steps: Steps) -> None:
        try:
            entries = await bench.carry_out(completion.calls, within=self.used.within)
        except ApproverEnded as stopped:
            steps.note(stopped.entries)
            raise
        steps.carried_out(completion, entries)

    async def _summed_up(self) -> dict[str, Any]:
        """Have the turns summed up that are not shown any more; returns what is noted of it."""
        talk = self.conversation
        forgotten = talk.forgotten() if self.manner.summaries else []
        if not forgotten:
            return {}
        before = [{"role": "user", "content": f"Your notes so far:\n\n{talk.summary}"}] if talk.summary else []
        said = [part for turn in forgotten for part in turn if part["role"] != "tool" and part.get("content")]
        request = ModelRequest((*before, *said, {"role": "user", "content": SUM_UP}), settings=self._settings())
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


def _variable(key: object) -> str:
    """Return the name of the environment variable that holds a key, if it does; what it may be instead is not said."""
    if not os.environ.get(str(key)):
        raise BadParameter("`key` names an environment variable that holds the key, and none of that name is set.")
    return str(key)


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
    limiting: str = "max_tokens"
    """The setting that says it."""


BARE_ADDRESS = re.compile(r"@((?:localhost|[\w.-]+:\d+|\d+(?:\.\d+){3}|[\w-]+(?:\.[\w-]+)+(?=/))(?:/.*)?)$")
"""An address without http:// behind the name of a model; names have such signs too, as in `@cf/meta/llama`."""
IN_PROCESS = "transformers"
PROTOCOLS = {
    "chat": Protocol(ChatCompletions, chat_completions.HOME, chat_completions.KEYS, "OPENAI_BASE_URL"),
    "responses": Protocol(
        Responses, chat_completions.HOME, chat_completions.KEYS, "OPENAI_BASE_URL", limiting="max_output_tokens"
    ),
    "messages": Protocol(Messages, messages.HOME, messages.KEYS, "ANTHROPIC_BASE_URL", messages.MOST_TOKENS),
    IN_PROCESS: Protocol(TransformersModel, transformers_model.HERE, (), "", transformers_model.MOST_TOKENS),
}


def named(rest: str, *, naming: Naming) -> Factory:
    """Read a name such as `llm:MODEL@http://localhost:8000/v1`."""
    model, at, address = rest.partition("@http")
    if not model:
        raise BadParameter("A language model is named llm:MODEL@http://host:port/v1; the model is missing.")
    if not at and (bare := BARE_ADDRESS.search(model)):
        meant = f"{model[: bare.start()]}@http://{bare[1]}"
        raise BadParameter(f"Write http:// before the address, or https://: llm:{meant}")
    limits = {part.name for part in fields(Allowance)}
    allowed = naming.allow("api", "key", *(part.name for part in fields(Manner)), *limits, *OPTIONS)
    given = {"memory": naming.test.memory, **allowed}
    api, key = given.pop("api", "chat"), given.pop("key", "")
    allowance = Allowance(**{name: given.pop(name) for name in limits & given.keys()})
    equipment = Equipment.read({name: given.pop(name) for name in OPTIONS if name in given}, naming)
    if api not in PROTOCOLS:
        raise unknown("protocol of models", str(api), known=PROTOCOLS, see=f"There are {', '.join(PROTOCOLS)}.")
    if api == "messages" and given.get("logprobs"):
        raise BadParameter(
            "The Messages protocol gives no log-probabilities: leave out #logprobs, and the model states its "
            "probabilities, or reach a model that gives them by #api=chat or #api=responses."
        )
    if api == IN_PROCESS:
        if equipment is not None:
            raise BadParameter("A model in this process calls no tools: serve it, as by vLLM, and give its address.")
        model = str(Path(naming.folder, Path(model).expanduser()))
    protocol = PROTOCOLS[api]
    place = f"http{address}" if at else os.environ.get(protocol.base) or protocol.home
    check_address(place)
    keys = (_variable(key),) if key else protocol.keys
    service = Service(place.rstrip("/"), model, keys, naming.bounds)
    prices = (
        {}
        if given.keys() & {"price_in", "price_out"}
        else list_prices(model, address=place, batch=naming.spending.batch is not None)
    )
    manner, limit, asked = Manner(**{**prices, **given}), protocol.limit, (api, service.address, model)
    check_limits(naming.spending, manner, model=model, limit=limit)
    if allowance.max_item_cost is not None and manner.cost(Completion(tokens_in=1, tokens_out=1)) is None:
        raise BadParameter("max_item_cost needs the prices: #price_in=...#price_out=...")

    def endpoint() -> Endpoint:
        return shared_endpoint((api, *service.identity), lambda: protocol.client(service))

    free = naming.spending.batch is not None or naming.spending.most is not None
    contact = Contact(naming.name, service, protocol.home, manner, endpoint, protocol.limiting, free)
    if naming.contacts is not None and api != IN_PROCESS:
        naming.contacts.append(contact)

    def make() -> LanguageModel:
        paid = paid_endpoint(
            naming.spending,
            endpoint,
            manner=manner,
            asked=asked,
            limit=limit,
            contact=None if api == IN_PROCESS else contact,
        )
        workbench = None if equipment is None else equipment.make(rehearsed=naming.spending.rehearsal is not None)
        return LanguageModel(
            paid, manner=manner, allowance=allowance, workbench=workbench, steward=naming.steward, name=naming.name
        )

    return make
