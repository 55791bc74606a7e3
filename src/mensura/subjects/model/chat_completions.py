"""ChatCompletions: the protocol of OpenAI's chat completions, which most local servers speak too."""

import os
from typing import Any

from mensura.errors import MissingExtra
from mensura.subjects.model.batch.providers import Batches, OpenAIBatches
from mensura.subjects.model.provider_client import ProviderClient
from mensura.subjects.model.request import (
    ACTS,
    Completion,
    Function,
    FunctionCall,
    Message,
    ModelRequest,
    answering,
    is_strict,
)
from mensura.subjects.model.service import Service, count, plain_text, read_arguments
from mensura.subjects.outside.protocol import storable

KEYS = ("MENSURA_API_KEY", "OPENAI_API_KEY")
HOME = "https://api.openai.com/v1"


NAMED = {"OpenAI-Organization": "OPENAI_ORG_ID", "OpenAI-Project": "OPENAI_PROJECT_ID"}
"""Headers that say who pays, and the environment variables that hold them."""


class OpenAIClient(ProviderClient):
    """The common part of the protocols of OpenAI; a server without a key is sent none."""

    path: str

    def __init__(self, service: Service) -> None:
        keyed = {"Authorization": f"Bearer {service.key}"} if service.key else {}
        named = {header: os.environ[name] for header, name in NAMED.items() if os.environ.get(name)}
        super().__init__(service, path=self.path, headers={**keyed, **named})

    def _own_client(self) -> Any:
        try:
            import openai
        except ImportError:
            raise MissingExtra("Batches of requests", package="openai", extra="llm") from None
        service = self.service
        seconds = service.bounds.answer_seconds
        return openai.AsyncOpenAI(
            api_key=service.key or "none", base_url=service.address, max_retries=0, timeout=seconds
        )

    @property
    def batches(self) -> Batches:
        """The provider's interface for many requests at once."""
        return OpenAIBatches(self.service, self._own, path=f"/v1{self.path}")


class ChatCompletions(OpenAIClient):
    """A model behind `/chat/completions`."""

    path = end = "/chat/completions"

    def body(self, request: ModelRequest, *, form: str) -> dict[str, Any]:
        """Write a request as it is sent, but for the name of the model."""
        messages = [_plain(message) for message in request.messages]
        body = {"messages": messages, **request.settings, **_forced(request, form)}
        return body | ({"logprobs": True, "top_logprobs": request.logprobs} if request.logprobs else {})

    def _completion(self, said: Any) -> Completion:
        return _completion(said, self.model)


def _forced(request: ModelRequest, form: str) -> dict[str, Any]:
    """Return the fields that force an answer into its form, and those that offer tools."""
    offered = [_tool(tool) for tool in request.tools]
    tools: dict[str, Any] = {"tools": offered} if offered else {}
    schema = request.schema
    if form == ACTS:
        acts = [_tool(act) for act in request.acts]
        return {"tools": [*acts, *offered], "tool_choice": "required", "parallel_tool_calls": False}
    if schema is None or form == "words":
        return tools
    if form == "tool":
        answer = answering(schema)
        choice = "required" if offered else {"type": "function", "function": {"name": answer.name}}
        return {"tools": [_tool(answer), *offered], "tool_choice": choice}
    if form == "grammar":
        # By these names vLLM, older versions of it, and llama.cpp take a schema from which they make a grammar.
        return {"structured_outputs": {"json": schema}, "guided_json": schema, "json_schema": schema, **tools}
    if form == "JSON":
        return {"response_format": {"type": "json_object"}, **tools}
    named = {"name": "answer", "schema": dict(schema), "strict": form == "strict schema" and is_strict(schema)}
    return {"response_format": {"type": "json_schema", "json_schema": named}, **tools}


def _plain(message: Message) -> Message:
    """Leave out what another protocol wanted back."""
    return {name: part for name, part in message.items() if name != "own"} if "own" in message else message


def _tool(function: Function) -> dict[str, Any]:
    parts = {"name": function.name, "description": function.about, "parameters": dict(function.schema)}
    return {"type": "function", "function": parts}


def _completion(said: Any, model: str) -> Completion:
    choice = said["choices"][0]
    message = choice["message"]
    usage = said.get("usage") or {}
    return Completion(
        text=plain_text(message.get("content")),
        reasoning=plain_text(message.get("reasoning_content") or message.get("reasoning")),
        refusal=storable(message.get("refusal") or ""),
        finish=choice.get("finish_reason") or "",
        model=said.get("model") or model,
        calls=tuple(_call(call) for call in message.get("tool_calls") or ()),
        logprobs=_logprobs(choice.get("logprobs")),
        tokens_in=count(usage, "prompt_tokens"),
        tokens_out=count(usage, "completion_tokens"),
        tokens_reasoning=count(usage, "completion_tokens_details", "reasoning_tokens"),
    )


def _call(call: Any) -> FunctionCall:
    function = call["function"]
    return FunctionCall(storable(function["name"]), read_arguments(function.get("arguments")), call.get("id") or "")


def _logprobs(found: Any) -> list[dict[str, Any]] | None:
    if not isinstance(found, dict) or not isinstance(found.get("content"), list):
        return None
    return [
        {
            "token": one["token"],
            "logprob": one["logprob"],
            "top": [{"token": top["token"], "logprob": top["logprob"]} for top in one.get("top_logprobs") or ()],
        }
        for one in found["content"]
    ]
