"""The classifier: which tasks a mail brings. Keywords were engineered; what words weigh is learned."""

import calendar
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, get_args

import numpy as np

from mensura.catalog.crisis.assistant.known import Known
from mensura.catalog.crisis.assistant.reader import Reader, numbers_in
from mensura.catalog.crisis.world.mail import TaskKind

LABELS: tuple[str, ...] = get_args(TaskKind)
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
CALENDAR = frozenset(name.lower() for name in (*calendar.day_name, *calendar.month_name) if name)
"""Days and months are other ones in every world."""
KEY = 1.5
"""How far a keyword moves an unlearned judgement, in log-odds."""
DOUBT = -1.2
OFTEN = 3
"""A label that fewer mails had than this is left to the keywords."""
LOOSE = 10.0
"""How loosely weights are held to zero; chosen by leaving out one training package at a time."""
Array = Any


def features(subject: str, body: str, *, reader: Reader | None = None) -> frozenset[str]:
    """Return what the classifier looks at: words, kinds of things named, keywords that fire.

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
    """Multi-label: engineered keywords, or, for labels that were met often enough in use, logistic regression."""

    def __init__(self, learned: Mapping[str, Any]) -> None:
        self._weights: Mapping[str, Mapping[str, float]] = learned.get("weights", {})

    def odds(self, found: Iterable[str]) -> dict[str, float]:
        """Return the log-odds of each label; above 0 it is more likely than not."""
        seen = sorted(set(found))
        odds: dict[str, float] = {}
        for label in LABELS:
            weights = self._weights.get(label)
            if weights is None:
                odds[label] = KEY if f"KEY {label}" in seen else DOUBT
            else:
                odds[label] = weights[""] + sum(weights.get(word, 0.0) for word in seen)
        return odds

    def labels(self, letter: Mapping[str, Any], known: Known, *, reader: Reader | None = None) -> list[str]:
        """Label a letter, the likeliest first."""
        odds = self.odds(features(letter["subject"], letter["body"], reader=reader or Reader(known)))
        return sorted((label for label in LABELS if odds[label] > 0), key=lambda label: (-odds[label], label))


def learn_labels(learned: dict[str, Any], mails: Iterable[tuple[Iterable[str], Iterable[str]]]) -> None:
    """Add mails whose tasks became clear by what the user did about them (features, labels), and fit anew.

    The fit is logistic regression with a ridge for each label, on features that at least two mails have. Mails are
    kept as numbers of words, so that later sessions add to earlier ones.
    """
    vocabulary: list[str] = learned.setdefault("vocabulary", [])
    number = {word: place for place, word in enumerate(vocabulary)}
    kept: list[list[list[int]]] = learned.setdefault("mails", [])
    for found, labels in mails:
        for word in sorted(set(found)):
            if word not in number:
                number[word] = len(vocabulary)
                vocabulary.append(word)
        words = sorted(number[word] for word in set(found))
        kept.append([words, sorted(LABELS.index(label) for label in set(labels))])
    learned["weights"] = _fit(vocabulary, kept)


def _fit(vocabulary: Sequence[str], mails: Sequence[Sequence[Sequence[int]]]) -> dict[str, dict[str, float]]:
    from scipy.optimize import minimize
    from scipy.special import expit

    counts = np.bincount([word for words, _ in mails for word in words], minlength=len(vocabulary))
    used = [word for word in range(len(vocabulary)) if counts[word] >= 2]
    column = {word: place for place, word in enumerate(used, start=1)}
    design = np.zeros((len(mails), len(used) + 1))
    design[:, 0] = 1.0
    for row, (words, _) in enumerate(mails):
        design[row, [column[word] for word in words if word in column]] = 1.0

    def loss(weights: Array, sign: Array) -> tuple[float, Array]:
        margin = sign * (design @ weights)
        ridge = np.concatenate([[0.0], weights[1:]]) / LOOSE
        slope = -design.T @ (sign * expit(-margin)) + ridge
        return float(np.logaddexp(0.0, -margin).sum() + 0.5 * ridge @ weights), slope

    fitted: dict[str, dict[str, float]] = {}
    for place, label in enumerate(LABELS):
        sign = np.array([1.0 if place in labels else -1.0 for _, labels in mails])
        if (sign > 0).sum() < OFTEN:
            continue
        weights = minimize(loss, np.zeros(design.shape[1]), args=(sign,), jac=True, method="L-BFGS-B").x
        fitted[label] = {"": round(float(weights[0]), 3)} | {
            vocabulary[word]: round(float(weights[column[word]]), 3)
            for word in used
            if abs(weights[column[word]]) >= 0.01
        }
    return fitted
