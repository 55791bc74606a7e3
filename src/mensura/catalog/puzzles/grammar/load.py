"""Load: what a puzzle asks of anyone who solves it, in the same units for every kind and every presentation."""

from dataclasses import asdict, dataclass

from mensura.catalog.puzzles.grammar.derivation import Derivation

PARTS = ("rules", "types", "elements", "size", "memory", "background", "length")


@dataclass(frozen=True)
class Load:
    """The load of a derivation.

    Parameters
    ----------
    rules
        How many rules change something: those of the operation `same` are not counted.
    types
        How many types of rule there are among them.
    elements
        How many values the rule that reads most reads at once.
    size
        How many of the smallest pieces that rules of the kind tell apart (terms, letters, words, objects, cells,
        figures, squares) one repetition of the pattern spans.
    memory
        Slots that the reference interpreter holds at once. It carries out one rule after the other, keeps the result of
        each until the answer is put together, and for the rule at hand holds its constants and what it reads.
    background
        Facts outside the item.
    length
        Bits of the shortest program of the grammar that gives what is shown.
    """

    rules: int
    types: int
    elements: int
    size: int
    memory: int
    background: int
    length: float

    def as_json(self) -> dict[str, float]:
        """Return it by the names of its parts."""
        return asdict(self)


def load_of(derivation: Derivation) -> Load:
    """Measure the load of a derivation.

    >>> from mensura.catalog.puzzles.grammar.derivation import Grammar, Use
    >>> grammar = Grammar("doubles", {"same": Use(), "add": Use(((1, 2),))})
    >>> load_of(Derivation(grammar, (grammar.step("add", 2),), size=1))
    Load(rules=1, types=1, elements=1, size=1, memory=2, background=0, length=2.0)
    """
    every = derivation.operations
    operations = [one for one in every if one.name != "same"]
    held = [
        kept + one.reads + len(step.arguments)
        for kept, (one, step) in enumerate(zip(every, derivation.steps, strict=True))
    ]
    return Load(
        rules=len(operations),
        types=len({one.family for one in operations}),
        elements=max((one.reads for one in operations), default=1),
        size=derivation.size,
        memory=max(held, default=0),
        background=len(derivation.grammar.background(derivation.steps)),
        length=round(derivation.length, 3),
    )
