"""The classifier: which tasks a mail brings. Keywords were engineered; how far to trust each word is learned."""

import re
from collections.abc import Iterable, Mapping
from math import log
from typing import Any

from mensura.catalog.crisis.assistant.known import Known
from mensura.catalog.crisis.assistant.reading import Reader, numbers_in

LABELS = (
    "crisis",
    "room_fact",
    "event_fact",
    "availability",
    "preference",
    "web",
    "publish",
    "query",
    "order",
    "briefing",
)
KEYWORDS: dict[str, str] = {
    "crisis": r"flood|burst|out of use|cannot be used|evacuat|no longer available|\bfire in\b|shut:|rooms? lost",
    "room_fact": r"\bseats?\b|capacity|holds? \d|takes \d|no projector|built in|broken|out of order|stolen|installed",
    "event_fact": r"attend|we (?:now )?expect|participants|registrations|we need|please provide|sign-?up|head count",
    "availability": r"(?:cannot|can't|can not) (?:come|make|be there)|\baway\b|unavailable|my flight|i arrive",
    "preference": r"(?:would|should) (?:like|prefer|love)|prefer|if possible|could .{3,60} be (?:in|on)|rather have",
    "web": r"web ?site|web ?page|the site|people page|sponsors page|travel page|programme page|misspel|typing error",
    "publish": r"publish|post the (?:new )?schedule|bring room and time|up to date",
    "query": r"(?:where|when|how|what|which|is there|is|do|does|can) [^.?!]{3,90}\?",
    "order": r"\border\b|flowers|cancel|quantity",
    "briefing": r"briefing|brief me|status report|where we stand",
}
"""What the assistant was built to look for; it over- and underestimates, as engineered knowledge does."""
CALENDAR = frozenset(
    [
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ]
)
"""Days and months are other ones in every world."""
KEY = 1.5
"""How far a keyword moves an unlearned judgement, in log-odds."""
DOUBT = -1.2
FADE = 30.0
"""After so many labelled mails the engineered judgement counts half."""


def features(subject: str, body: str, *, reader: Reader | None = None) -> frozenset[str]:
    """Give what the classifier looks at: words, kinds of things named, keywords that fire.

    >>> sorted(features("Seats", "It seats 40.") & {"seats", "NUMBER", "KEY room_fact"})
    ['KEY room_fact', 'NUMBER', 'seats']
    """
    text = f"{subject}\n{body}"
    low = text.lower()
    found = {f"KEY {label}" for label, pattern in KEYWORDS.items() if re.search(pattern, low)}
    if numbers_in(text):
        found.add("NUMBER")
    if reader is not None:
        for thing in reversed(reader.find(text)):
            found.add(thing.kind.upper())
            # Names of people and places would be learned by heart and mean nothing in another world.
            low = low[: thing.start] + " " * (thing.end - thing.start) + low[thing.end :]
        if reader.slots(text):
            found.add("TIME")
    return frozenset(found | set(re.findall(r"[a-z][a-z']{2,}", low)) - CALENDAR)


class Classifier:
    """Multi-label naive Bayes on top of engineered keywords."""

    def __init__(self, learned: Mapping[str, Any]) -> None:
        self._learned = learned
        self._letters = int(learned.get("letters", 0))
        self._labels: Mapping[str, int] = learned.get("labels", {})
        self._words: Mapping[str, Mapping[str, int]] = learned.get("words", {})

    def odds(self, found: Iterable[str]) -> dict[str, float]:
        """Give the log-odds of each label; above 0 it is more likely than not."""
        seen = set(found)
        engineered = {label: KEY if f"KEY {label}" in seen else DOUBT for label in LABELS}
        if not self._letters:
            return engineered
        share = FADE / (FADE + self._letters)
        return {label: share * engineered[label] + (1 - share) * self._bayes(label, seen) for label in LABELS}

    def labels(self, letter: Mapping[str, Any], known: Known, *, reader: Reader | None = None) -> list[str]:
        """Label a letter, the likeliest first."""
        odds = self.odds(features(letter["subject"], letter["body"], reader=reader or Reader(known)))
        return sorted((label for label in LABELS if odds[label] > 0), key=lambda label: (-odds[label], label))

    def _bayes(self, label: str, seen: set[str]) -> float:
        with_it = self._labels.get(label, 0)
        without = self._letters - with_it
        odds = log((with_it + 0.5) / (without + 0.5))
        evidence: list[float] = []
        for word in seen:
            counts = self._words.get(word)
            if counts is None or counts.get("", 0) < 2:
                continue
            here = counts.get(label, 0)
            evidence.append(log((here + 0.3) / (with_it + 1.2)) - log((counts[""] - here + 0.3) / (without + 1.2)))
        # Words of a mail repeat one another's evidence; only the most telling ones are added up.
        evidence.sort(key=abs, reverse=True)
        return odds + sum(evidence[:8])


def learn_labels(learned: dict[str, Any], found: Iterable[str], labels: Iterable[str]) -> None:
    """Count one mail whose tasks became clear by what the user did about it."""
    learned["letters"] = learned.get("letters", 0) + 1
    given = sorted(set(labels))
    counts = learned.setdefault("labels", {})
    for label in given:
        counts[label] = counts.get(label, 0) + 1
    words = learned.setdefault("words", {})
    for word in sorted(set(found)):
        mine = words.setdefault(word, {"": 0})
        mine[""] += 1
        for label in given:
            mine[label] = mine.get(label, 0) + 1
