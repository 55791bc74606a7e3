"""TransformersModel: a language model of Hugging Face's in this process, from a folder on disk."""

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mensura.errors import BadFile, MissingExtra, SubjectTimedOut
from mensura.subjects.loop import Apart
from mensura.subjects.model.fault import FormUnknown
from mensura.subjects.model.request import Completion, Message, ModelRequest
from mensura.subjects.model.service import Service, plain_text
from mensura.subjects.outside.protocol import storable

HERE = "this process"
MOST_TOKENS = 4096
"""Tokens that are written at most; `settings` may name another `max_tokens`."""
RENAMED = {"max_tokens": "max_new_tokens", "seed": None}
"""Settings that are called otherwise here, or are not part of generating."""


class TransformersModel:
    """A model that `transformers` loads, asked one request at a time; nothing is fetched from the net.

    It is asked in words: no form can be forced, and tools have no common form among these models.
    """

    def __init__(self, service: Service) -> None:
        try:
            import transformers
        except ImportError:
            raise MissingExtra(
                "Models in this process", package="transformers and torch", extra="transformers"
            ) from None
        self.service = service
        self.model = service.model
        self._apart = Apart()
        self._seed = transformers.set_seed
        if not Path(service.model).is_dir():
            raise BadFile(f"There is no folder {service.model}; a model in this process is a folder on disk.")
        try:
            self._tokenizer = transformers.AutoTokenizer.from_pretrained(service.model, local_files_only=True)
            self._model = transformers.AutoModelForCausalLM.from_pretrained(
                service.model, local_files_only=True, device_map="auto"
            )
        except (OSError, ValueError) as error:
            raise BadFile(f"{service.model} holds no language model that transformers can load: {error}") from None
        if not self._tokenizer.chat_template:
            raise BadFile(f"{service.model} has no chat template, so it cannot hold a conversation. Use a chat model.")
        self._model.eval()

    async def send(self, request: ModelRequest, *, form: str) -> Completion:
        """Have the model continue a conversation."""
        if form != "words" or request.tools or request.logprobs:
            raise FormUnknown("A model in this process is asked in words.")
        return await self._apart.do(self._complete, request.messages, dict(request.settings))

    async def models(self, *, seconds: float) -> list[str]:
        """Return its own name: a folder that was loaded is there."""
        return [self.model]

    async def close(self) -> None:
        """Leave the memory to the garbage collector."""

    def _complete(self, messages: Sequence[Message], settings: Mapping[str, Any]) -> Completion:
        seconds = self.service.bounds.answer_seconds
        if settings.get("seed") is not None:
            self._seed(settings["seed"])
        start = time.monotonic()
        read = self._tokenizer.apply_chat_template(
            [_plain(message) for message in messages],
            add_generation_prompt=True,
            return_tensors="pt",
            return_dict=True,
        ).to(self._model.device)
        length = read["input_ids"].shape[1]
        written = self._model.generate(**read, **_settings(settings), max_time=seconds)[0][length:]
        if seconds is not None and time.monotonic() - start > seconds:
            raise SubjectTimedOut(f"{self.model} gave no answer within {seconds:g} s.")
        most = settings.get("max_tokens", MOST_TOKENS)
        return Completion(
            text=storable(self._tokenizer.decode(written, skip_special_tokens=True)),
            finish="length" if len(written) >= most else "stop",
            model=self.model,
            tokens_in=int(length),
            tokens_out=len(written),
        )


def _settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a request as `generate` calls them; without a temperature the likeliest token is taken."""
    named = {RENAMED.get(name, name): value for name, value in settings.items()}
    named.pop(None, None)
    warm = bool(named.get("temperature"))
    if not warm:
        named.pop("temperature", None)
    return {"max_new_tokens": MOST_TOKENS, "do_sample": warm, **named}  # type: ignore[dict-item]


def _plain(message: Message) -> dict[str, Any]:
    """Keep what every chat template knows: a role and a text."""
    role = "user" if message["role"] == "tool" else message["role"]
    return {"role": role, "content": plain_text(message.get("content"))}
