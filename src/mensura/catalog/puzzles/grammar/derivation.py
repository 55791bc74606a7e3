"""Grammar: what a kind may say. RuleStep: one rule of a puzzle. Derivation: all of them, a program of the grammar."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import product
from math import log2
from typing import Any

from mensura.catalog.puzzles.grammar.operation import OPERATIONS, Operation
from mensura.errors import BrokenTest


@dataclass(frozen=True)
class Use:
    """An operation in the grammar of a kind: which constants it may take there, and what must be known for it."""

    domains: tuple[tuple[Any, ...], ...] = ()
    background: tuple[str, ...] = ()
    """Facts outside the item that it needs, by name: the alphabet, the primes."""
    needs: int = 1
    """How many elements of its own it must have seen before it says anything: with fewer it explains nothing."""


@dataclass(frozen=True)
class RuleStep:
    """One rule of a puzzle: an operation with its constants, and what it acts on."""

    operation: str
    arguments: tuple[Any, ...] = ()
    on: str = ""

    def data(self) -> list[Any]:
        """Return it as JSON: the operation, its constants, and what it acts on."""
        return [self.operation, list(self.arguments), self.on]


@dataclass(frozen=True)
class Grammar:
    """All that a kind of puzzle may say.

    Parameters
    ----------
    kind
        Name of the kind.
    uses
        Operation → which constants it takes here.
    targets
        What a rule may act on: streams of a series, attributes of a figure.
    version
        Raised when a change could make another item unique or ambiguous.
    """

    kind: str
    uses: Mapping[str, Use]
    targets: tuple[str, ...] = ("",)
    version: int = 1
    lengths: dict[str, float] = field(init=False, repr=False, compare=False, default_factory=dict)
    _made: dict[tuple[str, tuple[Any, ...], str], RuleStep] = field(
        init=False, repr=False, compare=False, default_factory=dict
    )

    def __post_init__(self) -> None:
        for name in self.uses:
            if name not in OPERATIONS:
                raise BrokenTest(f"The grammar of {self.kind} uses {name!r}, which is not an operation.")
        here = log2(len(self.uses)) + log2(len(self.targets))
        for name, use in self.uses.items():
            self.lengths[name] = here + sum(log2(len(domain)) for domain in use.domains)

    @property
    def id(self) -> str:
        """Name and version, as items carry it."""
        return f"{self.kind}-g{self.version}"

    def step(self, operation: str, *arguments: Any, on: str = "") -> RuleStep:
        """Return a rule, each made once; one that the grammar cannot say is refused."""
        made = self._made.get((operation, arguments, on))
        if made is not None:
            return made
        use = self.uses.get(operation)
        fits = use is not None and len(arguments) == len(use.domains) and on in self.targets
        if not fits or not all(one in domain for one, domain in zip(arguments, use.domains, strict=True)):  # type: ignore[union-attr]
            raise BrokenTest(f"{self.kind} has no rule {operation} with {arguments} on {on!r}.")
        return self._made.setdefault((operation, arguments, on), RuleStep(operation, arguments, on))

    def steps(self, operation: str, on: str = "") -> list[RuleStep]:
        """Return every rule by which an operation can act on something, one for each choice of its constants."""
        return [self.step(operation, *constants, on=on) for constants in product(*self.uses[operation].domains)]

    def length(self, steps: Iterable[RuleStep]) -> float:
        """Return how many bits it takes to write these rules down."""
        return sum([self.lengths[step.operation] for step in steps])

    def background(self, steps: Iterable[RuleStep]) -> frozenset[str]:
        """Return the facts outside an item that these rules need."""
        return frozenset(fact for step in steps for fact in self.uses[step.operation].background)


@dataclass(frozen=True)
class Derivation:
    """A program of a grammar: its rules, and how many elements of what is shown one repetition of the pattern spans."""

    grammar: Grammar = field(repr=False, compare=False)
    steps: tuple[RuleStep, ...]
    size: int

    @property
    def length(self) -> float:
        """Bits of the program."""
        return self.grammar.length(self.steps)

    @property
    def operations(self) -> tuple[Operation, ...]:
        """The operation of each rule."""
        return tuple([OPERATIONS[step.operation] for step in self.steps])

    def data(self) -> list[list[Any]]:
        """Return the rules as JSON."""
        return [step.data() for step in self.steps]
