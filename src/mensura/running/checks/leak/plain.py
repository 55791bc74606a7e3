"""Plain: a text as its reader sees it, what cannot be seen of it, and the numbers that it holds."""

import re
import unicodedata

INVISIBLE = "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
INVISIBLE += "\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff"
UNSEEN = re.compile(rf"[{INVISIBLE}]|[ \t\u00a0]+$", re.MULTILINE)
"""Characters that leave nothing on a page, and spaces at the end of a line."""
_STRIPPED = re.compile(rf"[{INVISIBLE}]")
NUMBER = re.compile(r"(?<![\d.])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")
_THOUSANDS = re.compile(r"(?<![\d.,])\d{1,3}(?:([,'\u2019 ])\d{3})(?:\1\d{3})*(?!\d)(?:\.\d+)?")
_PERCENT = re.compile(r"(?<![\d.])(-?\d+(?:\.(\d+))?) ?%")


def plain(text: str) -> str:
    """Write a text in small letters, one spelling for what looks the same, and without what cannot be seen."""
    return unicodedata.normalize("NFKC", _STRIPPED.sub("", text)).casefold()


def unseen(text: str) -> str:
    """Return what cannot be seen of a text, in its order."""
    return "".join(UNSEEN.findall(text))


def numbers(text: str) -> set[str]:
    """Find the numbers of a plain text as they are written, and those in other spellings as digits."""
    found = set(NUMBER.findall(text))
    for number in [number for number in found if "e" in number]:
        found |= _digits(float(number))
    found |= {re.sub(r"[^\d.]", "", match.group()) for match in _THOUSANDS.finditer(text)}
    for number, places in _PERCENT.findall(text):
        found.add(f"{float(number) / 100:.{len(places) + 2}f}")
    return found


def _digits(number: float) -> set[str]:
    whole = abs(number) < 1e15 and number == int(number)
    return {repr(number), str(int(number))} if whole else {repr(number)}
