"""Messages: the protocol of Anthropic's models."""

from collections.abc import Mapping, Sequence
from typing import Any

from mensura.errors import MissingExtra
from mensura.subjects.model.batch.providers import AnthropicBatches, Batches
from mensura.subjects.model.fault import FormUnknown
from mensura.subjects.model.provider_client import ProviderClient
from mensura.subjects.model.request import ACTS, Completion, Function, FunctionCall, Message, ModelRequest, answering
from mensura.subjects.model.service import Service, count, read_arguments
from mensura.subjects.outside.protocol import storable

KEYS = ("MENSURA_API_KEY", "ANTHROPIC_API_KEY")
HOME = "https://api.anthropic.com"
UNKNOWN = ("schema", "grammar", "JSON")
"""Forms that this protocol does not have."""
REFUSED = (
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    *("minLength", "maxLength", "maxItems", "uniqueItems"),
)
"""Parts of a JSON schema for which this protocol refuses the whole."""
FINISH = {
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "end_turn": "stop",
    "tool_use": "tool_calls",
}
"""Why a model stopped, in the words of chat completions."""
VERSION = "2023-06-01"
"""Of the protocol, as its header names it."""
MOST_TOKENS = 4096
"""The protocol wants a limit; `settings` may name another `max_tokens`."""


class Messages(ProviderClient):
    """A model behind `/v1/messages`."""

    end = "/messages"

    def __init__(self, service: Service) -> None:
        keyed = {"x-api-key": service.key} if service.key else {}
        # Addresses of Anthropic's are given without the version, ours with it.
        path = "/messages" if service.address.endswith("/v1") else "/v1/messages"
        super().__init__(service, path=path, headers={"anthropic-version": VERSION, **keyed})

    def _own_client(self) -> Any:
        try:
            import anthropic
        except ImportError:
            raise MissingExtra("Batches of requests", package="anthropic", extra="llm") from None
        service = self.service
        seconds, place = service.bounds.answer_seconds, service.address.removesuffix("/v1")
        return anthropic.AsyncAnthropic(api_key=service.key or "none", base_url=place, max_retries=0, timeout=seconds)

    def body(self, request: ModelRequest, *, form: str) -> dict[str, Any]:
        """Write a request as it is sent, but for the name of the model."""
        if form in UNKNOWN or request.logprobs:
            raise FormUnknown(f"The Messages protocol has no form {form}.")
        system = "\n\n".join(message["content"] for message in request.messages if message["role"] == "system")
        forced = _forced(request, form)
        if "output_config" in forced:
            forced["output_config"] = {**request.settings.get("output_config", {}), **forced["output_config"]}
        return {
            "max_tokens": MOST_TOKENS,
            "messages": _messages([message for message in request.messages if message["role"] != "system"]),
            **({"system": system} if system else {}),
            **request.settings,
            **forced,
        }

    def _completion(self, said: Any) -> Completion:
        return _completion(said, self.model)

    @property
    def batches(self) -> Batches:
        """The provider's interface for many requests at once."""
        return AnthropicBatches(self.service, self._own)


def _forced(request: ModelRequest, form: str) -> dict[str, Any]:
    offered = [_tool(tool) for tool in request.tools]
    tools: dict[str, Any] = {"tools": offered} if offered else {}
    schema = request.schema
    if form == ACTS:
        acts = [_tool(act) for act in request.acts]
        return {"tools": [*acts, *offered], "tool_choice": {"type": "any", "disable_parallel_tool_use": True}}
    if schema is None or form == "words":
        return tools
    if form == "tool":
        answer = answering(schema)
        choice = {"type": "any"} if offered else {"type": "tool", "name": answer.name}
        return {"tools": [_tool(answer), *offered], "tool_choice": choice}
    return {"output_config": {"format": {"type": "json_schema", "schema": _known(schema)}}, **tools}


def _known(schema: Any) -> Any:
    """Leave out of a schema what this protocol refuses: bounds, which the space checks and the prompt says."""
    if isinstance(schema, list):
        return [_known(part) for part in schema]
    if not isinstance(schema, Mapping):
        return schema
    few = schema.get("minItems", 0) in (0, 1)
    kept = {name: part for name, part in schema.items() if name not in REFUSED and (name != "minItems" or few)}
    named = kept.get("properties")
    rest = {name: _known(part) for name, part in kept.items() if name not in ("properties", "enum", "const")}
    literal = {name: kept[name] for name in ("enum", "const") if name in kept}
    return {**rest, **literal, **({"properties": {n: _known(p) for n, p in named.items()}} if named else {})}


def _tool(function: Function) -> dict[str, Any]:
    return {"name": function.name, "description": function.about, "input_schema": dict(function.schema)}


def _messages(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Write messages of chat completions in this protocol; neighbours of one role become one message."""
    written: list[dict[str, Any]] = []
    for message in messages:
        role = "assistant" if message["role"] == "assistant" else "user"
        blocks = _blocks(message)
        if not blocks:
            # Where a model said nothing; the protocol refuses empty messages.
            continue
        if written and written[-1]["role"] == role:
            written[-1]["content"] += blocks
        else:
            written.append({"role": role, "content": blocks})
    return written


def _blocks(message: Message) -> list[dict[str, Any]]:
    content = message.get("content")
    if message["role"] == "tool":
        return [{"type": "tool_result", "tool_use_id": message["tool_call_id"], "content": content}]
    parts: Any = [{"type": "text", "text": content}] if isinstance(content, str) and content else content or []
    blocks = [*(message.get("own") or ())]
    blocks += [part if part["type"] == "text" else _picture(part["image_url"]["url"]) for part in parts]
    for call in message.get("tool_calls") or ():
        function = call["function"]
        given = read_arguments(function["arguments"])
        given = given if isinstance(given, dict) else {}
        blocks.append({"type": "tool_use", "id": call["id"], "name": function["name"], "input": given})
    return blocks


def _picture(url: str) -> dict[str, Any]:
    kind, _, data = url.removeprefix("data:").partition(";base64,")
    return {"type": "image", "source": {"type": "base64", "media_type": kind, "data": data}}


def _completion(said: Any, model: str) -> Completion:
    usage = said.get("usage") or {}
    blocks = said["content"]
    stopped = said.get("stop_reason") or ""
    refused = stopped == "refusal"
    text = storable("".join(block["text"] for block in blocks if block["type"] == "text"))
    read = [
        found
        for name in ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
        if (found := count(usage, name)) is not None
    ]
    return Completion(
        text=text,
        reasoning=storable("\n".join(block["thinking"] for block in blocks if block["type"] == "thinking")),
        refusal=(text or "The model declined.") if refused else "",
        finish=FINISH.get(stopped, stopped),
        model=said.get("model") or model,
        calls=tuple(
            FunctionCall(storable(block["name"]), block.get("input") or {}, block.get("id") or "")
            for block in blocks
            if block["type"] == "tool_use"
        ),
        tokens_in=sum(read) if read else None,
        tokens_out=count(usage, "output_tokens"),
        tokens_reasoning=count(usage, "output_tokens_details", "thinking_tokens"),
        own=tuple(block for block in blocks if block["type"] in ("thinking", "redacted_thinking")),
    )
