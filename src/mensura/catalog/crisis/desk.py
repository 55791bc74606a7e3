"""Desk: what lies before those who work in the office: what was just said, what mail has come, what time it is."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from typing import Any, ClassVar

from mensura.catalog.crisis.office.header import label_words
from mensura.catalog.crisis.office.history import Said
from mensura.catalog.crisis.office.office import OfficeState
from mensura.catalog.crisis.world.conference import Conference
from mensura.catalog.crisis.world.mail import Letter
from mensura.dialogue import Prompt

OPENS = 9 * 3600
"""When the subject comes in, in seconds of the day."""


@dataclass
class OfficeDesk(Prompt):
    """One moment in the office; `data` is only what is new, so that a record stays small.

    Parameters
    ----------
    now
        Tick: seconds since the subject came in.
    clock
        The same as the clock on the wall has it.
    said
        What the world said to the last act.
    new
        Headers of mail that has come since the last moment.
    left
        Seconds until the time is up.
    whole
        All that a page draws, as plain data; no part of what is logged, and never carried to another process.
    """

    kind: ClassVar[str] = "desk"
    page: ClassVar[dict[str, str]] = {
        "package": __package__,
        "template": "desk.html",
        "script": "desk.js",
        "style": "desk.css",
        "title": "The office",
        "wide": "yes",
        "alone": "yes",
    }
    now: int
    clock: str
    said: dict[str, Any]
    new: Sequence[dict[str, Any]]
    left: int
    whole: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def data(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "now": self.now,
            "clock": self.clock,
            "left": self.left,
            "said": self.said,
            "new": list(self.new),
        }

    def page_data(self) -> dict[str, Any]:
        shown = {**self.data(), **self.whole}
        if original := shown.pop("original", ""):
            shown["pdf"] = printed(original)
        return shown

    def text(self) -> str:
        lines = [f"It is {self.clock}; {self.left // 60} min {self.left % 60} s are left.", "", self.said["words"]]
        if self.new:
            lines += ["", f"New mail ({len(self.new)}):"]
            lines += [f"* {each['id']} from {each['sender']}: {each['subject']}" + _stuck(each) for each in self.new]
        return "\n".join(lines)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "whole": {}}


def make_desk(office: OfficeState, said: Said, new: Sequence[Letter], *, end: int, whole: dict[str, Any]) -> OfficeDesk:
    """Lay out the desk as it is now."""
    return OfficeDesk(
        office.now,
        clock_words(office.world, office.now),
        said.json(),
        [_header(office, letter) for letter in new],
        max(end - office.now, 0),
        whole,
    )


@lru_cache(maxsize=8)
def printed(original: str) -> str:
    """Print the original schedule, drawn as SVG: a PDF, as text of base 64."""
    from base64 import b64encode

    from mensura.catalog.crisis.world.original import original_pdf

    return b64encode(original_pdf(original)).decode()


def clock_words(world: Conference, now: int) -> str:
    """Return what the clock on the wall shows.

    >>> from datetime import date
    >>> from types import SimpleNamespace
    >>> clock_words(SimpleNamespace(today=date(2027, 5, 5)), 3725)
    'Wednesday 5 May, 10:02:05'
    """
    seconds = OPENS + now
    hours, minutes = seconds // 3600, seconds // 60 % 60
    return f"{_day_words(world.today.toordinal() + hours // 24)}, {hours % 24:02}:{minutes:02}:{seconds % 60:02}"


@lru_cache(maxsize=64)
def _day_words(ordinal: int) -> str:
    day = date.fromordinal(ordinal)
    return f"{day:%A} {day.day} {day:%B}"


def _header(office: OfficeState, letter: Letter) -> dict[str, Any]:
    header = {"id": letter.id, "sender": office.index.name_of(letter.sender), "subject": letter.subject}
    if letter.id in office.labels:
        header["label"] = office.labels[letter.id]
    return header


def _stuck(header: dict[str, Any]) -> str:
    return f" [{label_words(header['label'])}]" if header.get("label") else ""
