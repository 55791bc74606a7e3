"""Recruitment: what a plan says of people who come by one link: from where, who may, balanced over what, and codes."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any
from urllib.parse import parse_qs, urlsplit

from mensura.errors import BadParameter, unknown
from mensura.running.study.procedure import Criterion, read_criteria

PLATFORMS = ("prolific", "mturk", "sona")
ENDINGS = ("finished", "screened_out", "full", "withdrawn")
"""How it can end for someone, each with a code of its own where the plan gives one."""
CODE = re.compile(r"[A-Za-z0-9_-]{1,60}")
# Browsers and parsers disagree on where a host ends; up to the first slash nothing stands here but its letters.
SONA = re.compile(r"https://([a-z0-9-]+\.)*sona-systems\.com(:443)?/[^#\\\s]*", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True)
class StratumQuestion:
    """A question before assignment: cells are balanced within each answer, and an answer may have a quota."""

    key: str
    text: str
    options: Mapping[str, int | None]
    """Answer → how many people at most give it in the whole study; None: as many as come."""


@dataclass(frozen=True)
class Recruitment:
    """The settings of a plan for people who come by the study's link."""

    platform: str = ""
    """Where everybody comes from; empty: from anywhere, and known platforms are recognised by their parameters."""
    codes: Mapping[str, str] = field(default_factory=dict)
    """Ending → the code that the platform expects."""
    credit: str = ""
    """SONA's address that grants credit, with experiment_id and credit_token."""
    criteria: tuple[Criterion, ...] = ()
    strata: tuple[StratumQuestion, ...] = ()

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "Recruitment":
        """Read it from plain data, as YAML gives it.

        >>> given = {"strata": [{"key": "hand", "text": "Which hand?", "options": {"left": 10, "right": None}}]}
        >>> Recruitment.read(given).strata[0].options["left"]
        10
        """
        known = [each.name for each in fields(cls)]
        if not isinstance(data, Mapping):
            raise BadParameter(f"`recruiting` is a mapping with {', '.join(known)}; got {data!r}.")
        for name in data:
            if name not in known:
                raise unknown("part of `recruiting`", str(name), known=known, see=f"Parts are {', '.join(known)}.")
        platform = str(data.get("platform") or "")
        if platform and platform not in PLATFORMS:
            raise unknown("platform", platform, known=PLATFORMS, see=f"There are {', '.join(PLATFORMS)}.")
        strata = data.get("strata") or ()
        if not isinstance(strata, list | tuple):
            raise BadParameter("`strata` of `recruiting` is a list of questions.")
        criteria = read_criteria(data.get("criteria") or ())
        made = cls(
            platform,
            _codes(data.get("codes") or {}),
            _credit(str(data.get("credit") or ""), platform),
            criteria,
            tuple(_stratum(each, number) for number, each in enumerate(strata, start=1)),
        )
        keys = [*(each.key for each in made.criteria), *(each.key for each in made.strata)]
        if twice := next((key for key in keys if keys.count(key) > 1), ""):
            raise BadParameter(f"Two questions of `recruiting` have the key {twice!r}.")
        if platform == "prolific" and "finished" not in made.codes:
            raise BadParameter("Prolific needs the code of those who finish: `codes: {finished: ...}`.")
        return made


def _codes(given: Any) -> dict[str, str]:
    if not isinstance(given, Mapping):
        raise BadParameter(f"`codes` map an ending ({', '.join(ENDINGS)}) to a code; got {given!r}.")
    for ending, code in given.items():
        if ending not in ENDINGS:
            raise unknown("ending", str(ending), known=ENDINGS, see=f"Codes are for {', '.join(ENDINGS)}.")
        if not CODE.fullmatch(str(code)):
            raise BadParameter(f"A code has 1 to 60 letters, digits, - or _; got {str(code)[:80]!r}.")
    codes = {str(ending): str(code) for ending, code in given.items()}
    if codes.get("finished") in [code for ending, code in codes.items() if ending != "finished"]:
        raise BadParameter("The code for finished must differ from the codes of the other endings.")
    return codes


def _credit(address: str, platform: str) -> str:
    if platform != "sona":
        if address:
            raise BadParameter("`credit` is SONA's address; name `platform: sona` with it.")
        return ""
    needed = {"experiment_id", "credit_token"}
    if not SONA.fullmatch(address) or not needed <= set(parse_qs(urlsplit(address).query)):
        raise BadParameter(
            "SONA needs the address that grants credit, as its page shows it: `credit: "
            "https://SCHOOL.sona-systems.com/webstudy_credit.aspx?experiment_id=...&credit_token=...`."
        )
    return address


def _stratum(data: Any, number: int) -> StratumQuestion:
    if not isinstance(data, Mapping) or not data.get("text") or not data.get("options"):
        raise BadParameter(f"Question {number} of `strata` needs a text and options.")
    if strange := next((name for name in data if name not in ("key", "text", "options")), ""):
        raise unknown("part of a question", str(strange), known=("key", "text", "options"), see="")
    given = data["options"]
    options = (
        dict(given) if isinstance(given, Mapping) else dict.fromkeys(given if isinstance(given, list | tuple) else ())
    )
    if len(options) < 2:
        raise BadParameter(f"Question {number} of `strata` has at least two options.")
    for option, most in options.items():
        if most is not None and (type(most) is not int or most < 0):
            raise BadParameter(f"The quota of {option!r} is a whole number of 0 or more; got {most!r}.")
    # YAML reads a bare yes as true.
    named = {{True: "yes", False: "no"}.get(name, str(name)): most for name, most in options.items()}
    return StratumQuestion(str(data.get("key") or f"s{number}"), str(data["text"]), named)
