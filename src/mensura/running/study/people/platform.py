"""Platforms: how Prolific, MTurk and SONA say who comes and what they expect at the end, by their conventions."""

import hmac
import re
from base64 import b32encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any
from urllib.parse import quote

PARAMETERS = {
    "prolific": ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID"),
    "mturk": ("workerId", "assignmentId", "hitId"),
    "sona": ("survey_code",),
}
"""The fields that each platform puts into the address; the first identifies the person."""
NAMES = {"prolific": "Prolific", "mturk": "MTurk", "sona": "SONA"}
BROWSER = "browser"
"""Where people come from who come from no platform: they are known by their browser alone."""
PREVIEW = "ASSIGNMENT_ID_NOT_AVAILABLE"
"""The assignment that MTurk gives while a worker only looks."""
PLACEHOLDERS = {
    "prolific": "PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}",
    "sona": "survey_code=%SURVEY_CODE%",
}
"""The text appended to the address where a study is set up, so that the platform fills it in; MTurk adds its own."""
FORM = re.compile(r"[A-Za-z0-9._-]{1,100}")


@dataclass(frozen=True)
class Arrival:
    """Someone who comes by a recruiting link, as their platform says it."""

    platform: str
    person: str = field(repr=False)
    more: Mapping[str, str] = field(default_factory=dict, repr=False)
    """The other parameters, such as the platform's own name of the session."""

    @property
    def contact(self) -> str:
        """How the person is named in the book of identities."""
        return f"{self.platform} {self.person}"

    def token(self, secret: str) -> str:
        """Derive the personal link of this person: the same person has one place, and nobody can guess it."""
        made = hmac.new(secret.encode(), f"{self.platform}\0{self.person}".encode(), "sha256").hexdigest()
        return f"j{made[:40]}"


def read_arrival(query: Mapping[str, str]) -> Arrival | None:
    """Read who comes from the parameters of an address; None where no platform sent them, or not completely.

    >>> read_arrival({"PROLIFIC_PID": "5f1a", "SESSION_ID": "7"})
    Arrival(platform='prolific')
    >>> read_arrival({"PROLIFIC_PID": "{{%PROLIFIC_PID%}}"}) is None
    True
    """
    for platform, (who, *others) in PARAMETERS.items():
        if FORM.fullmatch(query.get(who, "")):
            more = {name: query[name] for name in others if FORM.fullmatch(query.get(name, ""))}
            return Arrival(platform, query[who], more)
    return None


def is_preview(query: Mapping[str, str]) -> bool:
    """Return whether a worker of MTurk only looks at the task and has not accepted it."""
    return query.get("assignmentId") == PREVIEW


@dataclass(frozen=True)
class ReturnTicket:
    """The code or address that takes someone back to their platform at the end."""

    code: str = ""
    address: str = ""
    """Where they go back to; empty where the code is pasted."""
    platform: str = ""
    """The name of the platform."""


def completion_of(given: Mapping[str, Any], ending: str, *, token: str, person: str = "") -> ReturnTicket | None:
    """Return what someone takes back to their platform; None where nothing is expected.

    Parameters
    ----------
    given
        What the invitation keeps of it: `platform`, `codes` by ending and SONA's `credit` address.
    ending
        "finished", "screened_out", "full" or "withdrawn".
    token
        That of the personal link: where a platform wants a code and the plan gives none, it is derived from this.
    person
        Who it is for the platform, where that is still known.

    >>> given = {"platform": "prolific", "codes": {"finished": "C1"}}
    >>> completion_of(given, "finished", token="t").address
    'https://app.prolific.com/submissions/complete?cc=C1'
    >>> completion_of(given, "withdrawn", token="t") is None
    True
    """
    platform, code = str(given.get("platform", "")), code_of(given.get("codes", {}), ending)
    name = NAMES.get(platform, "")
    if platform == "prolific" and code:
        return ReturnTicket(code, f"https://app.prolific.com/submissions/complete?cc={quote(code)}", name)
    if platform == "mturk":
        return ReturnTicket(code or own_code(token, ending), "", name)
    if platform == "sona" and ending == "finished" and person and given.get("credit"):
        return ReturnTicket("", f"{given['credit']}&survey_code={quote(person)}", name)
    return ReturnTicket(code, "", name) if code else None


def code_of(codes: Mapping[str, str], ending: str) -> str:
    """Return the code of an ending, empty where there is none; "full" may have that of those who are screened out.

    >>> code_of({"screened_out": "OUT"}, "full"), code_of({"screened_out": "OUT"}, "withdrawn")
    ('OUT', '')
    """
    return str(codes.get(ending) or (codes.get("screened_out", "") if ending == "full" else ""))


def own_code(token: str, ending: str) -> str:
    """Derive a code that only the holder of a link, and the laboratory when it gave the link, can know."""
    return b32encode(blake2b(f"{ending}\0{token}".encode(), digest_size=5).digest()).decode()
