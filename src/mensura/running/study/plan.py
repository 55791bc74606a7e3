"""Study: conditions × casts × tests, with hypotheses and exclusions stated before the data."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from itertools import product
from math import prod
from typing import Any, Literal

from mensura.dialogue.canonical import short_hash
from mensura.errors import BadParameter, unknown
from mensura.running.study.people.recruitment import Recruitment
from mensura.running.study.procedure import Procedure
from mensura.stats import read_population

Expect = Literal["greater", "less", "different"]
Order = Literal["written", "random"]
Chance = Literal["shared", "own"]
MOST_CELLS = 10_000
MEASURES = ("status", "median_seconds", "answered", "lapsed", "refused", "abstained", "missing", "invalid")
"""The facts that an exclusion rule may use; none is a score, so that nobody is excluded for their result."""


@dataclass(frozen=True)
class Hypothesis:
    """A difference that was expected before the data: on which score, between which two, which way."""

    name: str
    score: str
    compare: tuple[str, str]
    """Two casts, two conditions, or two cells written "cast in condition"."""
    expect: Expect = "different"
    phase: str = ""
    """Of courses: the phase whose sessions are compared; empty: all of them."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "compare", tuple(self.compare))

    @property
    def upper(self) -> str:
        """Which of the two is expected to be above the other; empty where they are only to differ."""
        return {"greater": self.compare[0], "less": self.compare[1]}.get(self.expect, "")


@dataclass(frozen=True)
class ExclusionRule:
    """A reason to leave a session out, written down before the data: `median_seconds < 1`."""

    name: str
    when: str

    def __post_init__(self) -> None:
        self.parts()

    def parts(self) -> tuple[str, str, float | str]:
        """Split the rule into measure, comparison and bound."""
        found = re.fullmatch(r"\s*(\w+)\s*(<=|>=|<|>|==|!=)\s*([\w.-]+)\s*", self.when)
        if not found:
            raise BadParameter(f"The rule {self.name!r} reads {self.when!r}; write MEASURE < NUMBER, as invalid > 3.")
        measure, sign, bound = found.groups()
        if measure not in MEASURES:
            raise unknown(f"measure in {self.when!r}", measure, known=MEASURES, see=f"There are {', '.join(MEASURES)}.")
        return measure, sign, bound if measure == "status" else float(bound)


@dataclass(frozen=True)
class Stopping:
    """When to stop, stated in advance: after `most` sessions per cell, or earlier once intervals are narrow.

    Stopping by the width of an interval does not favour any result; stopping by significance would. A plan that looks
    at the outcome names a sequential method, whose boundaries pay for the looks.
    """

    most: int = 10
    width: float | None = None
    score: str = ""
    check_every: int = 10
    looks: tuple[int, ...] = ()
    """Sessions per cell at which the outcome is looked at; the last is `most`. Only with a method."""
    method: Any = ""
    """The sequential method that makes looking honest: obrien-fleming or pocock, by alpha spending."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "looks", tuple(self.looks or ()))


@dataclass(frozen=True)
class Cast:
    """The subjects of a cell: one for every role, or one per role; a person is called human."""

    name: str
    subjects: Mapping[str, str]
    """Role → subject; the role "" means every role."""
    simulated: bool = False
    """Programs that stand for people; everything they give is labelled simulated."""
    arms: tuple[str, ...] = ()
    """Of courses: the arms that it goes through; empty: all of them."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "arms", tuple(self.arms))

    @property
    def people(self) -> bool:
        """Return whether any of them is a person."""
        return "human" in self.subjects.values()


@dataclass(frozen=True)
class Cell:
    """One test under one condition for one cast; its name is its own within the study."""

    test: str
    condition: str
    parameters: Mapping[str, Any]
    cast: Cast
    name: str
    """The name in tables and hypotheses: "cast in condition", and "of test" where the study has several."""
    arm: str = ""
    """The arm of its courses; empty where all cells have the same phases, or no courses."""


@dataclass(frozen=True)
class Study:
    """A plan: what will be done, by whom, and what is expected; its hash is taken before the first session."""

    name: str
    tests: tuple[str, ...]
    casts: tuple[Cast, ...]
    question: str = ""
    conditions: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    factors: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    """Parameters and the values they take; every combination is a condition."""
    phases: tuple[Mapping[str, Any], ...] = ()
    """For courses: the phases every subject goes through, as `mensura.running.adaptivity.phases.read_phases` reads
    them."""
    arms: Mapping[str, tuple[Mapping[str, Any], ...]] = field(default_factory=dict)
    """For courses that differ: name of an arm → its phases; every condition is crossed with every arm."""
    adaptivity: Mapping[str, Any] = field(default_factory=dict)
    """For courses: the score that levels are measured by, what chance and the oracle score, the level to be reached
    (`mensura.running.adaptivity.measures`)."""
    hypotheses: tuple[Hypothesis, ...] = ()
    exclusions: tuple[ExclusionRule, ...] = ()
    stopping: Stopping = field(default_factory=Stopping)
    order: Order = "written"
    seed: int | None = None
    chance: Chance = "shared"
    """"shared": all cells meet the same items. "own": each cell has separate draws, as people who are different in
    every condition have; for tests whose items are parameters."""
    generalise: str | None = None
    """The population of estimates: `these-items`, `items`, `sessions`, `courses`, `people`; None: what the data are."""
    invitation: Mapping[str, Any] = field(default_factory=dict)
    """For people: consent, briefing and thanks, as Markdown."""
    procedure: Mapping[str, Any] = field(default_factory=dict)
    """For people: criteria, cohorts, pay and what observers may say (`mensura.running.study.procedure`)."""
    recruiting: Mapping[str, Any] = field(default_factory=dict)
    """For people who come by one link: platform, codes, criteria and strata (`mensura.running.study.people`)."""

    def __post_init__(self) -> None:
        # Counted first: crossing some thousands of values with as many others would take hours, and all memory.
        values = prod(len(each) for each in self.factors.values())
        count = len(self.tests) * max(1, len(self.conditions)) * values * max(1, len(self.arms)) * len(self.casts)
        if count > MOST_CELLS:
            error = BadParameter(f"A study has at most {MOST_CELLS:,} cells; this one has {count:,}.")
            error.at = ("factors", "conditions", "arms", "casts")
            raise error
        for cast in self.casts:
            for arm in cast.arms:
                if arm not in self.arms:
                    raise unknown(
                        f"arm of the cast {cast.name}", arm, known=self.arms, see=f"There are {', '.join(self.arms)}."
                    )
        Procedure.read(self.procedure)
        Recruitment.read(self.recruiting)
        if self.generalise is not None:
            read_population(self.generalise)
        names = {name for cell in self.cells() for name in (cell.name, cell.cast.name, cell.condition)}
        for hypothesis in self.hypotheses:
            for side in hypothesis.compare:
                if side not in names:
                    see = f"There are {', '.join(sorted(names - {''}))}."
                    raise unknown(
                        f"cast, condition or cell in hypothesis {hypothesis.name}", side, known=names, see=see
                    )

    def cells(self) -> list[Cell]:
        """List every test under every condition, in every arm, for every cast."""
        return [
            Cell(test, condition, parameters, cast, self._cell_name(test, condition, cast), arm)
            for test in self.tests
            for condition, parameters, arm in self._conditions()
            for cast in self.casts
            if not cast.arms or arm in cast.arms
        ]

    @property
    def courses(self) -> bool:
        """Return whether subjects take courses."""
        return bool(self.phases or self.arms)

    def phases_of(self, cell: Cell) -> tuple[Mapping[str, Any], ...]:
        """Return the phases of a cell's courses; none where it has no courses."""
        return tuple(self.arms[cell.arm]) if self.arms else self.phases

    def planned(self, cast: Cast) -> int:
        """Return how many sessions, or courses, each cell of a cast is to have; people in cohorts fill their places."""
        cohorts = self.procedure and cast.people
        return Procedure.read(self.procedure).cohorts.per_condition if cohorts else self.stopping.most

    def _cell_name(self, test: str, condition: str, cast: Cast) -> str:
        within = f" in {condition}" if condition else ""
        return f"{cast.name}{within}{f' of {test}' if len(self.tests) > 1 else ''}"

    def _conditions(self) -> Iterator[tuple[str, dict[str, Any], str]]:
        named: dict[str, Mapping[str, Any]] = dict(self.conditions) or {"": {}}
        for name, given in named.items():
            for values in product(*self.factors.values()):
                crossed = dict(zip(self.factors, values, strict=True))
                said = ", ".join(f"{factor}={value}" for factor, value in crossed.items())
                for arm in self.arms or ("",):
                    yield ", ".join(part for part in (name, said, arm) if part), {**given, **crossed}, arm

    @property
    def hash(self) -> str:
        """Return the hash of the plan, sixteen digits; any later change of the plan shows."""
        return short_hash(self.as_json())

    def as_json(self) -> dict[str, Any]:
        """Return what was written down, as it is hashed and stored with every run."""
        written = asdict(self)
        for part in ("procedure", "recruiting", "arms", "adaptivity"):
            if not written[part]:
                # Plans without one keep the hash that they had before there was such a part.
                del written[part]
        for part in ("looks", "method"):
            if not written["stopping"][part]:
                del written["stopping"][part]
        for one in written["casts"]:
            if not one["arms"]:
                del one["arms"]
        for one in written["hypotheses"]:
            if not one["phase"]:
                del one["phase"]
        if self.chance == "shared":
            del written["chance"]
        if self.generalise is None:
            del written["generalise"]
        return written

    @classmethod
    def read(cls, written: Mapping[str, Any]) -> "Study":
        """Read a study from what `as_json` gave."""
        parts = {"casts": Cast, "hypotheses": Hypothesis, "exclusions": ExclusionRule}
        made = {name: tuple(kind(**each) for each in written[name]) for name, kind in parts.items()}
        given = {**written, **made, "tests": tuple(written["tests"]), "stopping": Stopping(**written["stopping"])}
        return cls(**given)
