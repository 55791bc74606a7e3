"""Fault: what can go wrong between us and a provider, sorted by what is to be done about it."""

import json
import re
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

from mensura.errors import SubjectCrashed, SubjectFailed, SubjectLost
from mensura.json_file import loads

if TYPE_CHECKING:
    from mensura.subjects.model.service import Service

PASSING = (408, 409, 425, 429, 500, 502, 503, 504, 529)
"""Statuses that may be gone at the next try."""
THEIRS = (400, 413, 422)
"""Statuses by which an endpoint says that it will not or cannot take this very request: no outage."""
CROWDED = (429, 503, 529)
"""Statuses by which an endpoint says that it is asked too much at once."""
FINAL = (401, 403, 404)
"""Statuses that every other request would meet too: a wrong key, a model or an address that does not exist."""
LONGEST_WORDS = 2000
SHOWN = 80
"""Characters of a text that is not JSON that are shown."""
LONGEST_MESSAGE = 160
"""Characters of a server's message that are shown while it is asked again."""


class ContentDeclined(Exception):
    """The endpoint's policy on contents keeps the model from answering."""


class FormUnknown(Exception):
    """The server does not know this way to force answers."""


class NoSuchModel(SubjectLost):
    """There is no such model at this address, or no models at all."""


class NotAnApi(SubjectLost):
    """This address answers with a web page or other text: every request would meet it, and none is repeated."""


class NoCompletion(SubjectCrashed):
    """A body with status 200 that cannot be read: the model may have been asked, and be billed for."""


class PassingFault(Exception):
    """A failure that may be gone at the next try, and the server's word on when."""

    def __init__(
        self,
        failure: SubjectFailed,
        *,
        after: float | None = None,
        crowded: bool = False,
        unseen: bool = False,
        absent: bool = False,
    ) -> None:
        super().__init__(str(failure))
        self.failure = failure
        self.after = after
        self.crowded = crowded
        self.unseen = unseen
        """Whether it may be billed all the same: the model was asked, and what it said did not arrive."""
        self.absent = absent
        """Whether nothing is there that could be asked."""


def of_status(status: int, text: bytes, *, headers: Mapping[str, str], service: "Service") -> Exception:
    """Return what a response that is not a completion means: something to raise."""
    words, place = text[:LONGEST_WORDS].decode(errors="replace"), service.address
    if status in (400, 422) and _about_form(words) and not (_about_content(words) or _about_length(words)):
        return FormUnknown(words)
    sentence = f"{place} answered with status {status}."
    if status in (401, 403):
        sentence = f"{place} {_about_key(status, service)}"
    elif status == 404:
        sentence = f"{place} has no model {service.model!r}, or is not the address for clients. {_remedy(place)}"
        return NoSuchModel(sentence, last_words=words)
    elif 300 <= status < 400:
        there = headers.get("location", "another address")
        return NotAnApi(f"{place} redirects to {there}. Name that address instead.", last_words=words)
    elif "insufficient_quota" in words:
        return SubjectLost(f"{place} says that the quota of this key is used up.", last_words=words)
    if status in THEIRS:
        return ContentDeclined(words) if _about_content(words) else SubjectCrashed(sentence, last_words=words)
    failure = SubjectLost(sentence, last_words=words)
    if status in PASSING:
        return PassingFault(failure, after=seconds_of(headers.get("retry-after")), crowded=status in CROWDED)
    return failure


def of_error_body(error: Any, *, place: str) -> Exception:
    """Return what an error means that came with status 200, as from some gateways."""
    words = json.dumps(error)[:LONGEST_WORDS]
    if _about_content(words):
        return ContentDeclined(words)
    crowded = re.search(r"rate.?limit|overload|too many|quota|capacity", words, re.IGNORECASE) is not None
    return PassingFault(
        SubjectLost(f"{place} answered with an error in place of a completion.", last_words=words), crowded=crowded
    )


def no_completion(said: Any, *, place: str) -> Exception:
    """Return what a body means that cannot be read as a completion."""
    if isinstance(said, dict) and said.get("error"):
        return of_error_body(said["error"], place=place)
    words = json.dumps(said, default=str)[:LONGEST_WORDS]
    return NoCompletion(f"{place} does not speak the chat protocol.", last_words=words)


def not_json(text: bytes, *, place: str) -> Exception:
    """Return what a body means that is not JSON: where it begins like JSON, it was cut off on its way."""
    words = text[:LONGEST_WORDS].decode(errors="replace")
    sentence = f"{place} answered with something that is not JSON: {words[:SHOWN]!r}."
    if words.lstrip().startswith(("{", "[")):
        return PassingFault(SubjectCrashed(sentence, last_words=words), unseen=True)
    if words.lstrip().lower().startswith(("<!doctype html", "<html")):
        sentence = f"{place} answered with a web page."
    return NotAnApi(f"{sentence} {_remedy(place)}")


def server_words(body: str) -> str:
    """Return the server's own message in the body of an error; "" where it has none.

    >>> server_words('{"error": {"message": "CUDA out of memory", "type": "x"}}'), server_words('{"detail": "Busy"}')
    ('CUDA out of memory', 'Busy')
    """
    try:
        said = loads(body)
    except ValueError:
        said = "" if body.lstrip().startswith(("<", "{", "[")) else body
    while isinstance(said, dict):
        said = next((said[name] for name in ("error", "message", "detail") if said.get(name)), "")
    return " ".join(said.split())[:LONGEST_MESSAGE].rstrip(".") if isinstance(said, str) else ""


def is_about_the_model(words: str) -> bool:
    """Return whether a refusal says that there is no such model: some servers do by status 400.

    >>> is_about_the_model("The model 'x' does not exist"), is_about_the_model("Unknown parameter for model x: n")
    (True, False)
    """
    missing = r"model.{0,60}(not (be )?found|not exist|not (a )?valid|is invalid|unavailable)|model_not_found"
    return re.search(rf"{missing}|(no such|unknown|invalid|not a valid)[ _]model", words, re.IGNORECASE) is not None


def seconds_of(after: str | None) -> float | None:
    """Read a Retry-After header: seconds, or a date.

    >>> seconds_of("1.5"), seconds_of("soon")
    (1.5, None)
    """
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


def _remedy(place: str) -> str:
    return "Correct the address." if place.endswith("/v1") else "Correct the address; it often ends in /v1."


def _about_key(status: int, service: "Service") -> str:
    if name := service.key_name:
        return f"refuses the key in {name} (status {status}). Set it to a key that it accepts."
    none = f"neither {' nor '.join(service.keys)} is set" if len(service.keys) > 1 else f"{service.keys[0]} is not set"
    return f"asks for a key (status {status}), and {none}: export {service.keys[-1]}=..."


def _about_content(words: str) -> bool:
    return re.search(r"content.?(policy|filter|management)|safety", words, re.IGNORECASE) is not None


def _about_length(words: str) -> bool:
    # Such words often name functions and schemas, as what could be shortened.
    return re.search(r"context.?(length|window)|too long|too many tokens", words, re.IGNORECASE) is not None


def _about_form(words: str) -> bool:
    signs = r"response_format|schema|\bstrict\b|json_object|tool|function|output_config|grammar|guided"
    return re.search(signs, words, re.IGNORECASE) is not None
