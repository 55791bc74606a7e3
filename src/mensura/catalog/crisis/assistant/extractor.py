"""The extractor: form entries that a mail asks for. Parsing was engineered; which patterns to trust is learned."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mensura.catalog.crisis.assistant.known import Known
from mensura.catalog.crisis.assistant.patterns import PATTERNS, Candidate
from mensura.catalog.crisis.assistant.reader import Reader

PRIOR = 6.0
"""How many acceptances the engineered confidence of a pattern is worth."""
LEAST = 0.3
"""What is less likely than this to be accepted is not proposed."""


@dataclass(frozen=True)
class FormEntry:
    """A form entry that is proposed, by which pattern, and how likely it is to be right."""

    act: dict[str, Any]
    pattern: str
    confidence: float


class Extractor:
    """Proposes filled-in forms for a mail, the surest first."""

    def __init__(self, learned: Mapping[str, Sequence[int]]) -> None:
        self._learned = learned

    def confidence(self, pattern: str, engineered: float) -> float:
        """Return how likely an entry made by a pattern is to be accepted."""
        accepted, proposed = self._learned.get(pattern, (0, 0))
        return (accepted + PRIOR * engineered) / (proposed + PRIOR)

    def entries(self, letter: Mapping[str, Any], known: Known) -> list[FormEntry]:
        """Propose what to fill in; of several values for one field the surest is kept."""
        reader = Reader(known, within=f"{letter['subject']}\n{letter['body']}")
        best: dict[tuple[str, ...], FormEntry] = {}
        for pattern in PATTERNS:
            for candidate in pattern(letter, known, reader):
                entry = FormEntry(
                    candidate.act, candidate.pattern, round(self.confidence(candidate.pattern, candidate.sure), 4)
                )
                slot = field_of(candidate)
                if slot not in best or entry.confidence > best[slot].confidence:
                    best[slot] = entry
        kept = [entry for entry in best.values() if entry.confidence >= LEAST]
        return sorted(kept, key=lambda entry: -entry.confidence)


def field_of(candidate: Candidate) -> tuple[str, ...]:
    """Name the field that a candidate fills: two candidates for one field exclude each other."""
    arguments = candidate.act["arguments"]
    named = ("room", "event", "other", "person", "kind", "fact", "entry", "field", "order", "item")
    return (candidate.act["call"], *(str(arguments.get(name, "")) for name in named))
