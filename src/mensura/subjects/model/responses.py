"""Responses: OpenAI's newer protocol, by which reasoning models are asked."""

from collections.abc import Iterator
from typing import Any

from mensura.subjects.model.chat_completions import OpenAIClient
from mensura.subjects.model.fault import FormUnknown
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
from mensura.subjects.model.service import count, read_arguments
from mensura.subjects.outside.protocol import storable

UNKNOWN = ("grammar", "JSON")
"""Forms that this protocol does not have."""
FINISH = {"max_output_tokens": "length", "completed": "stop"}
"""Why a model stopped, in the words of chat completions."""


class Responses(OpenAIClient):
    """A model behind `/responses`; nothing is kept at the provider."""

    path = end = "/responses"

    def body(self, request: ModelRequest, *, form: str) -> dict[str, Any]:
        """Write a request as it is sent, but for the name of the model."""
        if form in UNKNOWN:
            raise FormUnknown(f"The Responses protocol has no form {form}.")
        items = [item for message in request.messages for item in _items(message)]
        body = {"input": items, "store": False, **request.settings, **_forced(request, form)}
        if include := _included(request):
            body["include"] = include
        if request.logprobs:
            body["top_logprobs"] = request.logprobs
        return body

    def _completion(self, said: Any) -> Completion:
        return _completion(said, self.model)


def _included(request: ModelRequest) -> list[str]:
    """Return what more the response is to hold: thoughts in sealed form, to be given back with the results of calls.

    Models that do not reason refuse that, so it is asked for where `settings` speak of reasoning.
    """
    sealed = "reasoning" in request.settings and (request.tools or request.acts)
    return [
        *request.settings.get("include", ()),
        *(["reasoning.encrypted_content"] if sealed else ()),
        *(["message.output_text.logprobs"] if request.logprobs else ()),
    ]


def _forced(request: ModelRequest, form: str) -> dict[str, Any]:
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
        choice = "required" if offered else {"type": "function", "name": answer.name}
        return {"tools": [_tool(answer), *offered], "tool_choice": choice}
    strict = form == "strict schema" and is_strict(schema)
    return {
        "text": {"format": {"type": "json_schema", "name": "answer", "schema": dict(schema), "strict": strict}},
        **tools,
    }


def _tool(function: Function) -> dict[str, Any]:
    return {
        "type": "function",
        "name": function.name,
        "description": function.about,
        "parameters": dict(function.schema),
        "strict": False,
    }


def _items(message: Message) -> Iterator[dict[str, Any]]:
    """Write a message of chat completions as items of this protocol."""
    if message["role"] == "tool":
        yield {"type": "function_call_output", "call_id": message["tool_call_id"], "output": message["content"]}
        return
    yield from message.get("own") or ()
    if message.get("content"):
        yield {"role": message["role"], "content": _content(message["content"])}
    for call in message.get("tool_calls") or ():
        function = call["function"]
        yield {
            "type": "function_call",
            "call_id": call["id"],
            "name": function["name"],
            "arguments": function["arguments"],
        }


def _content(content: Any) -> Any:
    if isinstance(content, str):
        return content
    return [
        {"type": "input_text", "text": part["text"]}
        if part["type"] == "text"
        else {"type": "input_image", "image_url": part["image_url"]["url"]}
        for part in content
    ]


def _completion(said: Any, model: str) -> Completion:
    if said.get("error"):
        # A response that failed comes with status 200.
        raise KeyError("output")
    usage = said.get("usage") or {}
    output = said["output"]
    parts = [part for item in output if item.get("type") == "message" for part in item["content"]]
    thoughts = [part for item in output if item.get("type") == "reasoning" for part in item.get("summary") or ()]
    thoughts += [part for item in output if item.get("type") == "reasoning" for part in item.get("content") or ()]
    calls = [item for item in output if item.get("type") == "function_call"]
    reason = (said.get("incomplete_details") or {}).get("reason") or ""
    return Completion(
        text=storable("".join(part["text"] for part in parts if part["type"] == "output_text")),
        reasoning=storable("\n".join(part["text"] for part in thoughts)),
        refusal=storable("".join(part["refusal"] for part in parts if part["type"] == "refusal")),
        finish=FINISH.get(reason, reason) or FINISH.get(said.get("status"), said.get("status")) or "",
        model=said.get("model") or model,
        calls=tuple(
            FunctionCall(storable(call["name"]), read_arguments(call.get("arguments")), call.get("call_id") or "")
            for call in calls
        ),
        own=tuple(item for item in output if item.get("type") == "reasoning" and item.get("encrypted_content")),
        logprobs=_logprobs(parts),
        tokens_in=count(usage, "input_tokens"),
        tokens_out=count(usage, "output_tokens"),
        tokens_reasoning=count(usage, "output_tokens_details", "reasoning_tokens"),
    )


def _logprobs(parts: list[Any]) -> list[dict[str, Any]] | None:
    found = [one for part in parts for one in part.get("logprobs") or ()]
    return [
        {"token": one["token"], "logprob": one["logprob"], "top": one.get("top_logprobs") or []} for one in found
    ] or None
