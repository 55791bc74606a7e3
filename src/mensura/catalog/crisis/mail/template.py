"""Templates: words with variables `{event}`, anchors `{first+1|date}`, and `[[asides]]` that the terse leave out."""

import re
from collections.abc import Mapping
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from mensura.catalog.crisis.world.data import Data, read
from mensura.catalog.crisis.world.people.person import Style
from mensura.errors import BadFile
from mensura.yaml_file import read_yaml

VARIABLE = re.compile(r"\{([a-z_]+)([+-]\d+)?(?:\|([a-z]+))?\}")
OPEN, CLOSE = "\x02", "\x03"
"""Around what came from a variable, until the style is done: nobody misspells what the task hangs on."""
FOLDER = Path(__file__).with_name("templates")


class Template(Data):
    """A message as it was written once, before names and dates are put in."""

    id: str
    case: str
    """What it is about, such as `availability.day`; each case has variables of its own."""
    subjects: tuple[str, ...]
    body: str
    styles: tuple[Style, ...] = ()
    """Who could have written it; empty: anyone."""
    sender: str = ""
    """For backstory and noise: the part of the person who writes it."""
    days: tuple[int, int] | None = None
    """For backstory: between how many days ago it was written; None: any time."""


@cache
def templates(name: str) -> tuple[Template, ...]:
    """Read a file of templates."""
    path = FOLDER / f"{name}.yaml"
    said: list[dict[str, Any]] = read_yaml(path)
    return tuple(
        read(Template, one, place=f"{path.name}, {one.get('id', f'number {n}')}") for n, one in enumerate(said)
    )


@cache
def by_case() -> dict[str, tuple[Template, ...]]:
    """Return the templates of all files by case."""
    found: dict[str, list[Template]] = {}
    for path in sorted(FOLDER.glob("*.yaml")):
        for template in templates(path.stem):
            found.setdefault(template.case, []).append(template)
    return {case: tuple(those) for case, those in found.items()}


def fill(words: str, values: Mapping[str, object], *, place: str) -> str:
    """Put values in; each is marked so that styles leave it alone.

    Raises
    ------
    BadFile
        When a variable has no value, or it cannot be shown that way.

    Examples
    --------
    >>> plain(fill("Not on {day}, {day|date}.", {"day": date(2027, 5, 18)}, place="x"))
    'Not on Tuesday, 18 May.'
    >>> fill("See {romm}.", {"room": "Blue"}, place="web.yaml, web-3")
    Traceback (most recent call last):
    mensura.errors.BadFile: web.yaml, web-3: {romm} has no value; the message has room.
    """

    def put(match: re.Match[str]) -> str:
        name, shift, form = match.groups()
        if name not in values:
            raise BadFile(f"{place}: {match[0]} has no value; the message has {', '.join(sorted(values))}.")
        value = values[name]
        if isinstance(value, date):
            value = _day(value + timedelta(days=int(shift or 0)), form or "weekday", place=f"{place}: {match[0]}")
        elif shift or form:
            raise BadFile(f"{place}: {match[0]} treats {name} as a date, which it is not.")
        words_put = str(value)
        if words_put.startswith(("the ", "my ")) and _begins(match.string[: match.start()]):
            words_put = words_put[0].upper() + words_put[1:]
        return f"{OPEN}{words_put}{CLOSE}"

    return VARIABLE.sub(put, words)


def _begins(before: str) -> bool:
    """Return whether a sentence begins after these words."""
    return not before.strip() or before.rstrip(" ").endswith((".", "!", "?", "\n", "]]"))


def plain(words: str) -> str:
    """Take the marks off."""
    return words.replace(OPEN, "").replace(CLOSE, "")


def _day(day: date, form: str, *, place: str) -> str:
    forms = {
        "weekday": f"{day:%A}",
        "short": f"{day:%a}",
        "date": f"{day.day} {day:%B}",
        "full": f"{day:%A} {day.day} {day:%B}",
        "numbers": f"{day.day}/{day.month}",
    }
    if form not in forms:
        raise BadFile(f"{place}: a date can be shown as {', '.join(forms)}.")
    return forms[form]
