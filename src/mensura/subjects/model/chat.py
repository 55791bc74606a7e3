"""Chat: one exchange with a language model behind an OpenAI-compatible endpoint, tried again where that helps."""

import json
import os
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from secrets import SystemRandom
from typing import Any

from mensura.errors import MissingExtra, SubjectCrashed, SubjectFailed, SubjectFlooded, SubjectLost, SubjectTimedOut
from mensura.subjects.outside.bounds import Bounds
from mensura.subjects.outside.protocol import storable

KEYS = ("MENSURA_API_KEY", "OPENAI_API_KEY")
PASSING = (408, 409, 425, 429, 500, 502, 503, 504, 529)
"""Statuses that may be gone at the next try."""
LONGEST_WAIT = 60.0
LONGEST_WORDS = 2000
FORMS = ("strict schema", "schema", "JSON", "words")
"""How answers are forced into form, from the strictest; a server that does not know one is asked with the next."""


@dataclass(frozen=True)
class Completion:
    """What a model said, and what it took."""

    text: str
    refusal: str
    finish: str
    model: str
    tokens_in: int | None
    tokens_out: int | None
    seconds: float
    retries: int
    form: str


class Chat:
    """An endpoint that completes chats.

    Parameters
    ----------
    endpoint
        Address up to and with `/v1`.
    model
        Name of the model.
    bounds
        `answer_seconds` limits each try, `output_bytes` the size of a response.
    retries
        How often a try that failed in passing (rate limit, overload, no answer in time) is made again.
    first_wait
        Seconds before the first retry; each further one waits twice as long, unless the server says how long.
    """

    def __init__(
        self, endpoint: str, *, model: str, bounds: Bounds = Bounds(), retries: int = 5, first_wait: float = 1.0
    ) -> None:
        try:
            import httpx
        except ImportError:
            raise MissingExtra("Language models", package="httpx", extra="llm") from None
        self.endpoint = endpoint.rstrip("/")
        self.model = model
        self.bounds = bounds
        self.retries = retries
        self.first_wait = first_wait
        self.form = 0
        seconds = bounds.answer_seconds
        connecting = bounds.start_seconds if seconds is None else min(bounds.start_seconds, seconds)
        self._client = httpx.Client(timeout=httpx.Timeout(seconds, connect=connecting))

    def complete(
        self, messages: Sequence[Mapping[str, Any]], *, schema: Mapping[str, Any], settings: Mapping[str, Any]
    ) -> Completion:
        """Ask for the next message, in the strictest form that the server knows."""
        start = time.monotonic()
        tried = 0
        while True:
            body = {"model": self.model, "messages": list(messages), **settings, **self._forced(schema)}
            try:
                said = self._post(body)
                return self._completion(said, seconds=time.monotonic() - start, retries=tried)
            except _FormUnknown:
                self.form += 1
            except _Declined as declined:
                seconds = time.monotonic() - start
                return self._declined(str(declined), seconds=seconds, retries=tried)
            except _Passing as passing:
                if tried >= self.retries:
                    raise passing.failure from None
                tried += 1
                time.sleep(self._wait(tried, passing.after))

    def _declined(self, words: str, *, seconds: float, retries: int) -> Completion:
        form = FORMS[self.form]
        return Completion("", words, "content_filter", self.model, None, None, seconds, retries, form)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _forced(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        form = FORMS[self.form]
        if form == "words":
            return {}
        if form == "JSON":
            return {"response_format": {"type": "json_object"}}
        strict = form == "strict schema" and _is_strict(schema)
        named = {"name": "answer", "schema": dict(schema), "strict": strict}
        return {"response_format": {"type": "json_schema", "json_schema": named}}

    def _post(self, body: Mapping[str, Any]) -> Any:
        import httpx

        seconds = self.bounds.answer_seconds
        deadline = None if seconds is None else time.monotonic() + seconds
        key = next((os.environ[name] for name in KEYS if os.environ.get(name)), None)
        headers = {} if key is None else {"Authorization": f"Bearer {key}"}
        try:
            with self._client.stream(
                "POST", f"{self.endpoint}/chat/completions", json=body, headers=headers
            ) as response:
                text = self._read(response, deadline)
        except httpx.TimeoutException:
            raise _Passing(self._late()) from None
        except httpx.TransportError as error:
            words = f"{self.endpoint} cannot be reached or broke off: {error or type(error).__name__}."
            raise _Passing(SubjectLost(words)) from None
        if response.status_code == 200:
            return self._decode(text)
        raise self._refused(response.status_code, text, response.headers.get("retry-after"))

    def _read(self, response: Any, deadline: float | None) -> bytes:
        text = bytearray()
        for chunk in response.iter_bytes():
            text += chunk
            if len(text) > self.bounds.output_bytes:
                words = f"{self.endpoint} said more than {self.bounds.output_bytes} bytes for one answer."
                raise SubjectFlooded(words, last_words=text[-LONGEST_WORDS:].decode(errors="replace"))
            if deadline is not None and time.monotonic() > deadline:
                raise _Passing(self._late())
        return bytes(text)

    def _late(self) -> SubjectTimedOut:
        return SubjectTimedOut(
            f"{self.model} at {self.endpoint} gave no answer within {self.bounds.answer_seconds:g} s."
        )

    def _decode(self, text: bytes) -> Any:
        try:
            return json.loads(text)
        except ValueError:
            words = text[:LONGEST_WORDS].decode(errors="replace")
            failure = SubjectCrashed(f"{self.endpoint} answered with something that is not JSON.", last_words=words)
            raise _Passing(failure) from None

    def _refused(self, status: int, text: bytes, after: str | None) -> Exception:
        words = text[:LONGEST_WORDS].decode(errors="replace")
        if status in (400, 422) and self.form < len(FORMS) - 1 and _about_form(words):
            return _FormUnknown()
        sentence = f"{self.endpoint} answered with status {status}."
        if status in (401, 403):
            sentence += f" Set {' or '.join(KEYS)} to a key that it takes."
        elif status == 404:
            sentence += f" It has no model {self.model!r}, or its address does not end in /v1."
        if status in THEIRS:
            if _about_content(words):
                return _Declined(words)
            return SubjectCrashed(sentence, last_words=words)
        failure = SubjectLost(sentence, last_words=words)
        return _Passing(failure, after=_seconds_of(after)) if status in PASSING else failure

    def _wait(self, tried: int, after: float | None) -> float:
        if after is not None:
            return min(after, LONGEST_WAIT)
        # Many workers that were refused together should not come back together.
        wait: float = self.first_wait * 2.0 ** (tried - 1)
        return min(wait, LONGEST_WAIT) * SystemRandom().uniform(0.75, 1.25)

    def _completion(self, said: Any, *, seconds: float, retries: int) -> Completion:
        try:
            choice = said["choices"][0]
            message = choice["message"]
            usage = said.get("usage") or {}
            return Completion(
                text=_plain(message.get("content")),
                refusal=storable(message.get("refusal") or ""),
                finish=choice.get("finish_reason") or "",
                model=said.get("model") or self.model,
                tokens_in=usage.get("prompt_tokens"),
                tokens_out=usage.get("completion_tokens"),
                seconds=seconds,
                retries=retries,
                form=FORMS[self.form],
            )
        except (KeyError, IndexError, TypeError, AttributeError):
            words = json.dumps(said)[:LONGEST_WORDS]
            raise SubjectCrashed(f"{self.endpoint} does not speak the protocol of chats.", last_words=words) from None


class _Declined(Exception):
    """The endpoint's policy on contents keeps the model from answering."""


class _FormUnknown(Exception):
    """The server does not know this way to force answers."""


class _Passing(Exception):
    """A failure that may be gone at the next try, and the server's word on when."""

    def __init__(self, failure: SubjectFailed, *, after: float | None = None) -> None:
        super().__init__(str(failure))
        self.failure = failure
        self.after = after


def _plain(content: Any) -> str:
    """Join the parts of a content that comes in parts, and take out what no store can hold."""
    text = "".join(part.get("text", "") for part in content) if isinstance(content, list) else content or ""
    return storable(text)


def _about_content(words: str) -> bool:
    return re.search(r"content.?(policy|filter|management)|safety", words, re.IGNORECASE) is not None


def _about_form(words: str) -> bool:
    return any(sign in words.lower() for sign in ("response_format", "schema", "strict", "json_object"))


def _is_strict(schema: Any) -> bool:
    """Return whether every object in a schema lists all its properties as required, as strict mode demands."""
    if isinstance(schema, list):
        return all(map(_is_strict, schema))
    if not isinstance(schema, Mapping):
        return True
    if schema.get("type") == "object" and set(schema.get("required", ())) != set(schema.get("properties", ())):
        return False
    return all(map(_is_strict, schema.values()))


def _seconds_of(after: str | None) -> float | None:
    """Read a Retry-After header: seconds, or a date."""
    if after is None:
        return None
    try:
        return max(0.0, float(after))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(after).timestamp() - time.time())
    except (ValueError, TypeError):
        return None


THEIRS = (400, 413, 422)
"""Statuses by which an endpoint says that it will not or cannot take this very request: no outage."""
