"""ChatCompletions: the protocol of OpenAI's chat completions, which most local servers speak too."""

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


def openai_client(service: Service) -> Any:
    """Make OpenAI's own client for a service; we try again ourselves, since every try is counted."""
    try:
        import openai
    except ImportError:
        raise MissingExtra("Language models", package="openai", extra="llm") from None
    return openai.AsyncOpenAI(
        api_key=service.key or "none",
        base_url=service.address,
        max_retries=0,
        timeout=service.bounds.answer_seconds,
        http_client=openai.DefaultAioHttpClient(),
    )


def openai_headers(service: Service) -> dict[str, Any]:
    """Return the headers of every request: a server without a key is sent none."""
    import openai

    return {} if service.key else {"Authorization": openai.Omit()}


class ChatCompletions(ProviderClient):
    """A model behind `/chat/completions`."""

    def __init__(self, service: Service) -> None:
        super().__init__(service, openai_client(service))
        self._headers = openai_headers(service)

    async def send(self, request: ModelRequest, *, form: str) -> Completion:
        """Send one request."""
        import openai

        create = self._client.chat.completions.with_streaming_response.create
        # All goes as extra body: the client would look through long conversations for nothing.
        body = self.body(request, form=form)
        sending = create(model=self.model, messages=[], extra_body=body, extra_headers=self._headers)
        return await self._received(openai, sending)

    def body(self, request: ModelRequest, *, form: str) -> dict[str, Any]:
        """Write a request as it is sent."""
        messages = [_plain(message) for message in request.messages]
        body = {"messages": messages, **request.settings, **_forced(request, form)}
        return body | ({"logprobs": True, "top_logprobs": request.logprobs} if request.logprobs else {})

    def _completion(self, said: Any) -> Completion:
        return _completion(said, self.model)

    @property
    def batches(self) -> Batches:
        """The provider's interface for many requests at once."""
        return OpenAIBatches(self.service, self._client, path="/v1/chat/completions")


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
