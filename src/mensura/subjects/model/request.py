"""ModelRequest and completion: what is sent to a language model and what comes back, whatever its provider."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Message = Mapping[str, Any]
"""A message in the form of chat completions; other providers' are made from it."""


@dataclass(frozen=True)
class Function:
    """Something that a model can call: its name, what it does, and the JSON schema of its arguments."""

    name: str
    about: str
    schema: Mapping[str, Any]


@dataclass(frozen=True)
class FunctionCall:
    """A call that a model requests; `arguments` is text where it is not a JSON object."""

    name: str
    arguments: Any
    id: str = ""


@dataclass(frozen=True)
class ModelRequest:
    """A request to a model.

    Parameters
    ----------
    messages
        The conversation.
    schema
        JSON schema of the answer; None where any text will do.
    acts
        The answer is a call of one of these: the acts of a world.
    tools
        What it may call before it answers.
    settings
        Further fields of the request, such as temperature or max_tokens.
    logprobs
        How many of the most probable tokens are wanted with their log-probabilities; 0: none.
    session
        Whose request it is, where it goes out in a batch; it is not sent.
    again
        How often the same was asked in its session before, as by several copies of a model; it is not sent.
    """

    messages: tuple[Message, ...]
    schema: Mapping[str, Any] | None = None
    acts: tuple[Function, ...] = ()
    tools: tuple[Function, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    logprobs: int = 0
    session: str = ""
    again: int = 0


@dataclass(frozen=True)
class Completion:
    """The reply of a model, and its cost; None where that is not known."""

    text: str = ""
    reasoning: str = ""
    refusal: str = ""
    finish: str = ""
    model: str = ""
    calls: tuple[FunctionCall, ...] = ()
    logprobs: list[dict[str, Any]] | None = None
    """For each token of the text: `token`, `logprob`, and the most probable ones as `top`."""
    tokens_in: int | None = None
    tokens_out: int | None = None
    tokens_reasoning: int | None = None
    seconds: float = 0.0
    retries: int = 0
    form: str = ""
    cached: bool = False
    """Taken from the cache: no new observation, and nothing was paid."""
    own: tuple[Mapping[str, Any], ...] = ()
    """Parts in the provider's own form that must go back with the calls, such as thoughts that it signed."""
    doubtful: float = 0.0
    """The possible cost of tries without a bill, where there is a budget."""


DOUBTFUL = "cost_doubtful"
"""Under which notes say what tries may have cost of which no bill came."""
FORMS = ("strict schema", "schema", "tool", "grammar", "JSON", "words")
"""How answers are forced into form, from the strictest; a server that does not know one is asked with the next."""
ACTS = "tools"
"""How an act of a world is asked for where the server knows functions: each act is one."""


def answering(schema: Mapping[str, Any]) -> Function:
    """Return the function by whose call a model answers, where a server knows functions and no schemas."""
    return Function("answer", "Give the answer.", schema)


def is_strict(schema: Any) -> bool:
    """Return whether every object in a schema lists all its properties as required, as strict mode demands.

    >>> is_strict({"type": "object", "properties": {"a": {}}, "required": ["a"]})
    True
    """
    if isinstance(schema, list):
        return all(map(is_strict, schema))
    if not isinstance(schema, Mapping):
        return True
    if schema.get("type") == "object" and set(schema.get("required", ())) != set(schema.get("properties", ())):
        return False
    return all(map(is_strict, schema.values()))
