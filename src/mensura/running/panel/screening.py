"""Screening: names and terms that could tell raters who made an artefact are masked before they see it."""

import re
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from mensura.running.panel.metadata import without_metadata
from mensura.store.people.erasure import MASK


@dataclass(frozen=True)
class Screening:
    """The changes by screening, by code of the artefact; experimenters see them, raters do not."""

    masked: dict[str, dict[str, int]] = field(default_factory=dict)
    """How often each term was masked."""
    cleaned: tuple[str, ...] = ()
    """Pictures that carried metadata, which was taken out."""
    unread: tuple[str, ...] = ()
    """Pictures made of pixels: words drawn in them cannot be screened, and someone has to look."""

    @property
    def sentence(self) -> str:
        """Return what was done in plain words."""
        times = sum(sum(terms.values()) for terms in self.masked.values())
        words = [f"Masked {times} names or terms in {len(self.masked)} artefacts." if times else "Nothing was masked."]
        if self.cleaned:
            words.append(f"Removed metadata from {len(self.cleaned)} pictures.")
        if self.unread:
            words.append(
                f"{len(self.unread)} pictures are made of pixels and cannot be screened for words: look at "
                f"{', '.join(self.unread[:5])}{' ...' if len(self.unread) > 5 else ''}."
            )
        return " ".join(words)

    def as_json(self) -> dict[str, Any]:
        """Return the report as JSON."""
        return {"masked": self.masked, "cleaned": list(self.cleaned), "unread": list(self.unread)}


def screen(
    contents: Mapping[str, Mapping[str, Any]], *, mask: Iterable[str] = ()
) -> tuple[dict[str, dict[str, Any]], Screening]:
    """Mask terms in artefacts by code, as whole words and whatever their case, and take metadata out of pictures.

    >>> screened, report = screen({"KTR": {"kind": "text", "text": "Yours, ADA"}}, mask=["Ada"])
    >>> screened["KTR"]["text"], report.masked
    ('Yours, [masked]', {'KTR': {'Ada': 1}})
    """
    # The longest first: "Ada Lovelace" before "Ada".
    terms = sorted({term.strip() for term in mask if term.strip()}, key=lambda term: (-len(term), term))
    screened: dict[str, dict[str, Any]] = {}
    masked: dict[str, dict[str, int]] = {}
    cleaned, unread = [], []
    for code, content in contents.items():
        content = dict(content)
        if content["kind"] == "image":
            before = b64decode(content["data"])
            after = without_metadata(before, media_type=content["media_type"])
            if after != before:
                cleaned.append(code)
            if content["media_type"] == "image/svg+xml":
                text, found = _masked(after.decode(), terms)
                after = text.encode()
            else:
                found = {}
                unread.append(code)
            content["data"] = b64encode(after).decode()
        else:
            content["text"], found = _masked(content["text"], terms)
        if found:
            masked[code] = found
        screened[code] = content
    return screened, Screening(masked, tuple(cleaned), tuple(unread))


def telling(contents: Mapping[str, Mapping[str, Any]], *, words: Iterable[str]) -> dict[str, list[str]]:
    """Find words, such as names of conditions, that artefacts still hold: word → codes."""
    found: dict[str, list[str]] = {}
    for code, content in contents.items():
        text = readable(content)
        for word in words:
            if word.strip() and _pattern(word.strip()).search(text):
                found.setdefault(word, []).append(code)
    return found


def readable(content: Mapping[str, Any]) -> str:
    """Return the words of an artefact that a program can read."""
    if content["kind"] == "text":
        return str(content["text"])
    return b64decode(content["data"]).decode() if content["media_type"] == "image/svg+xml" else ""


def _masked(text: str, terms: list[str]) -> tuple[str, dict[str, int]]:
    found = {}
    for term in terms:
        text, times = _pattern(term).subn(MASK, text)
        if times:
            found[term] = times
    return text, found


def _pattern(term: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(term)}(?!\w)", re.IGNORECASE)
