"""Brand: the face of a study on the pages of its people: name, logo, colour and whom to ask."""

import re
from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from mensura.errors import BadFile, BadParameter, unknown

PARTS = ("name", "logo", "colour", "contact")
MOST_BYTES = 20_000
"""A logo travels with every link."""
TYPES = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".svg": "image/svg+xml",
    ".webp": "image/webp",
}
PICTURES = "|".join(re.escape(one) for one in sorted(set(TYPES.values())))
INLINE = re.compile(rf"data:({PICTURES});base64,([A-Za-z0-9+/=]+)")
LONGEST = {"name": 80, "contact": 200}
WHITE = "#ffffff"
READABLE = 4.5
"""Contrast that small text needs (WCAG 2, level AA)."""
PALE = 0.08
"""How much of the colour is in the ground behind what is chosen."""


@dataclass(frozen=True)
class Brand:
    """The face of a study.

    >>> Brand.read({"name": "Sleep lab", "colour": "#005a8c"}).as_json()
    {'name': 'Sleep lab', 'colour': '#005a8c'}
    """

    name: str = ""
    logo: str = ""
    """A picture as a `data:` address, so that the plan holds it."""
    colour: str = ""
    contact: str = ""

    @classmethod
    def read(cls, data: Any) -> "Brand":
        """Read what a plan says, or refuse it with a clear message."""
        if not isinstance(data, Mapping):
            raise BadParameter(f"A brand has named parts: {', '.join(PARTS)}; got {data!r}.")
        for part in data:
            if part not in PARTS:
                raise unknown("part of a brand", str(part), known=PARTS, see=f"Parts are {', '.join(PARTS)}.")
        made = cls(**{part: str(value) for part, value in data.items() if value is not None})
        for part, most in LONGEST.items():
            text = getattr(made, part)
            if len(text) > most or not text.isprintable():
                raise BadParameter(f"The {part} of a brand is one line of at most {most} characters.")
        check_logo(made.logo)
        check_colour(made.colour)
        return made

    def as_json(self) -> dict[str, str]:
        """Return what an invitation keeps."""
        return {name: value for name, value in asdict(self).items() if value}


def inline_logo(path: str, folder: Path) -> str:
    """Read the picture that a plan names by its file, beside the plan, so that the plan holds it from then on."""
    if not path or path.startswith("data:"):
        return path
    file = folder / path
    kind = TYPES.get(file.suffix.lower())
    if kind is None:
        raise BadFile(f"The logo is a picture ({', '.join(TYPES)}); got {path!r}.")
    try:
        return f"data:{kind};base64,{b64encode(file.read_bytes()).decode()}"
    except OSError as error:
        raise BadFile(f"The logo {path!r} cannot be read: {error.strerror}.") from None


def check_logo(logo: str) -> None:
    """Refuse a logo that is not a small picture."""
    if not logo:
        return
    found = INLINE.fullmatch(logo)
    if found is None:
        raise BadParameter("The logo is a picture as a data: address; a plan in a file may name a file beside it.")
    try:
        size = len(b64decode(found[2], validate=True))
    except ValueError:
        raise BadParameter("The logo is a data: address whose content is not base64.") from None
    if size > MOST_BYTES:
        raise BadParameter(f"The logo has {size} bytes; at most {MOST_BYTES} are allowed. Make it smaller.")


def check_colour(colour: str) -> None:
    """Refuse a colour in which text, or white on it, could not be read."""
    if not colour:
        return
    if not re.fullmatch(r"#[0-9a-fA-F]{6}", colour):
        raise BadParameter(f"A colour is written as #005a8c; got {colour!r}.")
    worst = readable(colour)
    if worst < READABLE:
        dark = next(
            shade for part in range(95, -1, -5) if readable(shade := mixed(colour, "#000000", part / 100)) >= READABLE
        )
        raise BadParameter(
            f"The colour {colour} cannot be read on these pages: its contrast to their background is {worst:.1f}, "
            f"and text needs {READABLE}. A colour as dark as {dark} would do."
        )


def readable(colour: str) -> float:
    """Return the smallest contrast that a colour has on the pages: to white, and to its own pale ground."""
    return min(contrast(colour, WHITE), contrast(colour, mixed(colour, WHITE, PALE)))


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours by WCAG 2, from 1 to 21.

    >>> contrast("#000000", "#ffffff"), round(contrast("#767676", "#ffffff"), 2)
    (21.0, 4.54)
    """
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def mixed(colour: str, other: str, share: float) -> str:
    """Mix two colours; `share` is how much of the first is in it.

    >>> mixed("#000000", "#ffffff", 0.5)
    '#808080'
    """
    parts = zip(_channels(colour), _channels(other), strict=True)
    return "#" + "".join(f"{round(share * a + (1 - share) * b):02x}" for a, b in parts)


def _luminance(colour: str) -> float:
    linear = [c / 255 / 12.92 if c / 255 <= 0.04045 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in _channels(colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _channels(colour: str) -> list[int]:
    return [int(colour[place : place + 2], 16) for place in (1, 3, 5)]
