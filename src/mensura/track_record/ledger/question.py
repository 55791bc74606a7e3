"""Question: a confirmable proposition with exclusive alternatives, or a quantity, that can be settled by a deadline."""

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from mensura.errors import BadParameter

Kind = Literal["alternatives", "quantity"]

VAGUE = (
    "better",
    "worse",
    "significant",
    "significantly",
    "rapid",
    "rapidly",
    "serious",
    "major",
    "likely",
    "successful",
    "substantial",
    "soon",
    "good",
    "bad",
    "important",
)
"""Words about which reasonable people may differ; a question with them needs a way of resolving without them."""


@dataclass(frozen=True)
class Question:
    """A question: text, alternatives or the bins of a quantity, deadline and way of resolving.

    Parameters
    ----------
    name
        Short name, unique in a ledger.
    text
        The proposition, in words.
    options
        Exclusive alternatives, two or more; empty for a quantity.
    edges
        Edges of the bins of a quantity, increasing, three or more; empty for alternatives.
    deadline
        When it closes at the latest; the same unit as every time in the ledger (days since 1970 by default).
    resolving
        How the truth will be told: the source, and who reads it.
    area, topic
        For track records.

    Examples
    --------
    >>> Question("r", "Will it rain at Kew?", options=("yes", "no"), resolving="Kew gauge").check()
    Traceback (most recent call last):
    mensura.errors.BadParameter: Question 'r' is refused: it has no deadline, so it cannot be disconfirmed. Say by when.
    """

    name: str
    text: str
    options: tuple[str, ...] = ()
    edges: tuple[float, ...] = ()
    deadline: float | None = None
    resolving: str = ""
    area: str = ""
    topic: str = ""
    unit: str = ""
    labels: dict[str, str] = field(default_factory=dict)

    @property
    def kind(self) -> Kind:
        """Return whether alternatives or a quantity are asked for."""
        return "quantity" if self.edges else "alternatives"

    @property
    def width(self) -> int:
        """How many probabilities a forecast has."""
        return len(self.edges) - 1 if self.edges else len(self.options)

    def check(self) -> "Question":
        """Return the question back, or refuse it with the reason."""
        reason = self._reason()
        if reason:
            raise BadParameter(f"Question {self.name!r} is refused: {reason}")
        return self

    def advice(self) -> list[str]:
        """List the vague words of the text, which a way of resolving should make precise."""
        words = {word.strip(".,;:!?()\"'").lower() for word in self.text.split()}
        return sorted(words & set(VAGUE))

    def _reason(self) -> str:
        if not self.name.strip() or not self.text.strip():
            return "it has no name or no text. Say what is asked."
        if self.deadline is None:
            return "it has no deadline, so it cannot be disconfirmed. Say by when."
        if not self.resolving.strip():
            return "it does not say how it will be resolved. Name the source and who reads it."
        if self.options and self.edges:
            return (
                "it has both alternatives and bins. It asks either for one of several alternatives or for a quantity."
            )
        if self.edges:
            increasing = all(low < high for low, high in zip(self.edges, self.edges[1:], strict=False))
            return "" if len(self.edges) > 2 and increasing else "the edges of its bins must increase, three or more."
        if len(set(self.options)) < 2 or len(set(self.options)) < len(self.options):
            return f"it needs two or more different exclusive alternatives; it has {', '.join(self.options) or 'none'}."
        return ""

    def as_json(self) -> dict[str, Any]:
        """Return the question as JSON."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Question":
        """Read a question from JSON."""
        return cls(**{**data, "options": tuple(data["options"]), "edges": tuple(data["edges"])})
