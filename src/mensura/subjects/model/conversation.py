"""ModelTalk: what a model is shown of the session so far; the rules never fall out of it."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from mensura.dialogue import SUBJECT, Ask, Image, prompt_text
from mensura.subjects.model.request import Completion, Message
from mensura.subjects.outside.protocol import written

LONG_SCHEMA = 500
"""A schema of more characters is said once; the next asks that share it only point to it."""
PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp")
CHARACTERS_PER_TOKEN = 4


class ModelTalk:
    """The messages of one session.

    Parameters
    ----------
    system
        The system prompt.
    memory
        How many earlier asks are shown again; None: all of them.
    window
        How many tokens of earlier asks are shown again, by an estimate of four characters each; None: all.
    """

    def __init__(self, system: str, *, memory: int | None = None, window: int | None = None) -> None:
        self.system = system
        self.memory = memory
        self.window = window
        self.summary = ""
        """A summary of the turns that are no longer shown, where there is one."""
        self.summed = 0
        """How many turns it covers."""
        self.turns: list[list[dict[str, Any]]] = []
        self._rules: list[Any] = []
        self._told: list[Any] = []
        self._described = ""

    def begin(self, role: str) -> None:
        """Forget the last session."""
        self.turns, self._rules, self._described = [], [], ""
        self.summary, self.summed = "", 0
        self._told = [] if role == SUBJECT else [f"Several take part in this test. Your role is {role}."]

    def tell(self, told: Ask) -> None:
        """Keep the message for the next request."""
        self._told.append(told.prompt)
        if told.reward is not None:
            self._told.append(f"Your reward: {told.reward:g}")

    def end(self) -> None:
        """Close the conversation."""
        self._told = []

    def message(self, ask: Ask, schema: Mapping[str, Any] | None, *, wanted: str = "") -> dict[str, Any]:
        """Make the message of an ask, with all that was told since the last."""
        reward = [] if ask.reward is None else [f"Your reward for the previous answer: {ask.reward:g}"]
        content = content_of([*self._told, *reward, ask.prompt, wanted or self._wanted(schema)])
        calls = self.turns[-1][-1].get("tool_calls") if self.turns else None
        if calls and isinstance(content, str):
            return {"role": "tool", "tool_call_id": calls[0]["id"], "content": content}
        return {"role": "user", "content": content}

    def messages(self, message: Message) -> tuple[Message, ...]:
        """Return all that the model is shown with a new message."""
        shown = self._shown()
        lost = shown < len(self.turns)
        kept: list[Message] = [part for turn in self.turns[len(self.turns) - shown :] for part in turn]
        front = self._system()
        if lost and self._rules:
            front.append({"role": "user", "content": content_of(self._rules)})
        if lost and self.summary:
            front.append({"role": "user", "content": f"What happened before, in short:\n\n{self.summary}"})
        later = [*kept, message]
        if later[0]["role"] == "tool":
            # The call that it answers is not shown any more.
            later[0] = {"role": "user", "content": later[0]["content"]}
        return (*front, *later)

    def forgotten(self) -> list[list[dict[str, Any]]]:
        """Return the turns that are not shown any more and not summed up yet."""
        return self.turns[self.summed : len(self.turns) - self._shown()]

    def keep(
        self,
        message: Message,
        completion: Completion,
        schema: Mapping[str, Any] | None,
        *,
        steps: Sequence[dict[str, Any]] = (),
    ) -> None:
        """Keep a turn: only what was answered is remembered, since an ask that failed may be asked again.

        `steps` is what was said between the message and the reply: calls of tools, and their results.
        """
        reply: dict[str, Any] = {"role": "assistant", "content": completion.text}
        if completion.calls:
            # Only the first was carried out.
            reply = called(completion, ids=[completion.calls[0].id or f"call_{len(self.turns)}"])
        self._add([dict(message), *steps, reply], schema)

    def remember(self, ask: Ask, answer: Any) -> None:
        """Put an earlier answer back, as if it had just been given."""
        assert ask.space is not None
        schema = ask.space.schema()
        message = self.message(ask, schema)
        self._add([message, {"role": "assistant", "content": written({"answer": answer})}], schema)

    def noted(self, message: Message) -> list[Message]:
        """Return what a record keeps of a message: every message of a session once, pictures by their hash."""
        return [*([] if self.turns else self._system()), without_pictures(message)]

    def _add(self, turn: list[dict[str, Any]], schema: Mapping[str, Any] | None) -> None:
        if not self.turns:
            # What is told before the first question are the rules.
            self._rules = self._told
        self.turns.append(turn)
        self._described = written(schema)
        self._told = []

    def _system(self) -> list[Message]:
        return [{"role": "system", "content": self.system}] if self.system else []

    def _shown(self) -> int:
        """Return how many of the last turns are shown again."""
        shown = len(self.turns) if self.memory is None else min(max(self.memory, 0), len(self.turns))
        if self.window is None:
            return shown
        room = self.window * CHARACTERS_PER_TOKEN
        for count, turn in enumerate(reversed(self.turns[len(self.turns) - shown :])):
            room -= sum(len(str(part.get("content") or "")) for part in turn)
            if room < 0:
                return count
        return shown

    def _wanted(self, schema: Mapping[str, Any] | None) -> str:
        described = written(schema)
        # With all turns remembered it stands above; repeated at every ask it would crowd out what was said.
        whole = self.memory is None and self.window is None
        known = whole and len(described) > LONG_SCHEMA and described == self._described
        fits = "the same JSON schema as before" if known else f"this JSON schema: {described}"
        return f'Reply with JSON {{"answer": A}} where A fits {fits}'


def called(completion: Completion, *, ids: Sequence[str]) -> dict[str, Any]:
    """Write the message by which a model made calls, as many of them as there are ids.

    >>> from mensura.subjects.model.request import FunctionCall
    >>> called(Completion(calls=(FunctionCall("add", {"first": 1}),)), ids=["c1"])["tool_calls"][0]["function"]
    {'name': 'add', 'arguments': '{"first":1}'}
    """
    calls = [
        {
            "id": id,
            "type": "function",
            "function": {
                "name": call.name,
                "arguments": call.arguments if isinstance(call.arguments, str) else written(call.arguments),
            },
        }
        for id, call in zip(ids, completion.calls, strict=False)
    ]
    own = {"own": list(completion.own)} if completion.own else {}
    return {"role": "assistant", "content": completion.text, "tool_calls": calls, **own}


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


def without_pictures(message: Message) -> dict[str, Any]:
    """Keep a message for the record, with the hash of a picture in place of it: the record has the picture."""
    if not isinstance(message.get("content"), list):
        return dict(message)
    kept = [
        part
        if part["type"] == "text"
        else {"type": "image_url", "sha256": sha256(part["image_url"]["url"].encode()).hexdigest()}
        for part in message["content"]
    ]
    return {**message, "content": kept}


def _parts(prompt: Any) -> list[Any]:
    if isinstance(prompt, Image) and prompt.media_type in PICTURES:
        return [prompt]
    if isinstance(prompt, (list, tuple)):
        return [part for each in prompt for part in _parts(each)]
    return [prompt_text(prompt)]
