"""Score: what a test declares of each number it gives, so that nobody has to guess from its name."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from math import isfinite, isnan
from typing import Annotated, Any, Literal

from mensura.errors import BrokenTest
from mensura.phrase import phrase

Better = Literal["more", "less"] | None
SLACK = 1e-5
"""How far beyond its bounds a score may lie by rounding, as a share of the larger bound: shares that people and models
give sum to one within a millionth."""


@dataclass(frozen=True)
class Score:
    """One score of a test: its name, which way is good, what values it can take, and who may see it.

    Parameters
    ----------
    name
        The name in results.
    better
        "more" or "less"; None where neither is better. It must be said unless `best` is given.
    best
        The value that is best where both more and less are worse, such as 1 for a slope of realism.
    low, high
        The least and the largest value that it can take; None: no bound on that side.
    unit
        What it is counted in: "seconds", "EUR".
    label
        What people read in tables; the name with spaces where it is empty.
    shown_to
        "everyone", or "laboratory": participants are not shown it.
    unanswered
        What an item counts that was refused, abstained from, invalid, timed out or lost to a crash of the subject:
        "worst" (the bound on the bad side), a number (0 for a score at which ignorance scores 0), or None where
        nothing can be said; the tables then say that leaving out may pay.
    proportion
        Whether each item is right or wrong, 1 or 0, and can be nothing else.
    of
        The role, or the part of a group, whose own score it is; empty: the whole session's. Participants are shown
        those of the whole and their own, not those of others.

    Examples
    --------
    >>> Score("accuracy", better="more", proportion=True).high
    1.0
    >>> Score("waste", better="less", low=0, high=1).if_unanswered
    1.0
    """

    name: str
    better: Better | Literal["unsaid"] = "unsaid"
    best: float | None = None
    low: float | None = None
    high: float | None = None
    unit: str = ""
    label: str = ""
    shown_to: Literal["everyone", "laboratory"] = "everyone"
    unanswered: float | Literal["worst"] | None = "worst"
    proportion: bool = False
    of: str = ""

    def __post_init__(self) -> None:
        if self.better == "unsaid":
            if self.best is None:
                raise BrokenTest(
                    f"Say which way is good for the score {self.name}: better='more', better='less', best=VALUE, or "
                    "better=None where neither is."
                )
            object.__setattr__(self, "better", None)
        if self.better not in ("more", "less", None):
            raise BrokenTest(f"The score {self.name} has better={self.better!r}; it is 'more', 'less' or None.")
        if self.best is not None and self.better is not None:
            raise BrokenTest(f"The score {self.name} has both a best value and better={self.better!r}; give one.")
        if self.shown_to not in ("everyone", "laboratory"):
            raise BrokenTest(f"The score {self.name} is shown to {self.shown_to!r}; say 'everyone' or 'laboratory'.")
        if not isinstance(self.name, str) or not self.name:
            raise BrokenTest(f"A score has a name; got {self.name!r}.")
        if self.proportion:
            if self.low not in (None, 0) or self.high not in (None, 1):
                raise BrokenTest(f"The score {self.name} is a proportion, from 0 to 1; leave out its bounds.")
            object.__setattr__(self, "low", 0.0)
            object.__setattr__(self, "high", 1.0)
        for bound in ("low", "high"):
            if getattr(self, bound) is not None:
                if not isfinite(float(getattr(self, bound))):
                    raise BrokenTest(f"The score {self.name} has {bound}={getattr(self, bound)}; None means no bound.")
                object.__setattr__(self, bound, float(getattr(self, bound)))
        if self.low is not None and self.high is not None and not self.low < self.high:
            raise BrokenTest(f"The score {self.name} has low={self.low:g} and high={self.high:g}; low is below high.")

        self._check_unanswered()

    def _check_unanswered(self) -> None:
        """Refuse what would pay for leaving out: an unanswered item that counts as the best there is."""
        value = None if self.unanswered == "worst" else self.unanswered
        if isinstance(value, str):
            raise BrokenTest(f"The score {self.name} has unanswered={value!r}; it is 'worst', a number or None.")
        good = {"more": self.high, "less": self.low}.get(self.better or "")
        for name, number in (("unanswered", value), ("best", self.best)):
            if number is not None and (number != number or not self.admits(float(number))):
                raise BrokenTest(f"The score {self.name} has {name}={number:g}, which lies outside its bounds.")
        if value is not None and good is not None and value == good:
            raise BrokenTest(f"The score {self.name} counts unanswered items as the best there is, {value:g}.")

    @property
    def title(self) -> str:
        """Return the title for tables."""
        return self.label or self.name.replace("_", " ")

    @property
    def direction(self) -> str:
        """Which way is good, in words.

        >>> Score("regret", better="less").direction, Score("slope", best=1).direction
        ('smaller is better', 'best at 1')
        """
        if self.best is not None:
            return phrase("best at {value}", value=f"{self.best:g}")
        if self.better is None:
            return phrase("neither more nor less is better")
        return phrase("larger is better") if self.better == "more" else phrase("smaller is better")

    @property
    def worst(self) -> float | None:
        """The bound on the bad side; None where there is none."""
        if self.better is None:
            return None
        return self.low if self.better == "more" else self.high

    @property
    def if_unanswered(self) -> float | None:
        """Return the value of an unanswered item; None where it has none."""
        return self.worst if self.unanswered == "worst" else self.unanswered

    @property
    def range(self) -> str:
        """Return the values it can take, in words.

        >>> Score("waste", better="less", low=0, high=1).range, Score("loss", better="less", low=0).range
        ('from 0 to 1', 'at least 0')
        """
        if self.proportion:
            return "0 or 1"
        if self.low is None:
            return "without bounds" if self.high is None else f"at most {self.high:g}"
        return f"at least {self.low:g}" if self.high is None else f"from {self.low:g} to {self.high:g}"

    def admits(self, value: float) -> bool:
        """Return whether a value lies within the bounds; NaN, an unknown score, does."""
        if isnan(value):
            return True
        slack = SLACK * max(1.0, abs(self.low or 0.0), abs(self.high or 0.0))
        return (self.low is None or value >= self.low - slack) and (self.high is None or value <= self.high + slack)

    def as_json(self) -> dict[str, Any]:
        """Return the declaration as JSON, without what is not declared."""
        stated = ((part.name, getattr(self, part.name)) for part in fields(self))
        return {name: value for name, value in stated if value != "" and value is not False}


ABILITY = Score("ability", better="more", unit="standard deviations of the norm", unanswered=None)
"""A position on the scale of calibrated items; 0 is the mean of the persons of the calibration."""
Precision = Annotated[
    float,
    "How well an adaptive test must know the ability before it ends: the standard deviation of the estimate, above 0.",
]


def read_scores(declared: Iterable[Mapping[str, Any]]) -> dict[str, Score]:
    """Read stored declarations, by name.

    >>> read_scores([{"name": "waste", "better": "less"}])["waste"].direction
    'smaller is better'
    """
    return {str(one["name"]): Score(**one) for one in declared}


def undeclared(name: str) -> Score:
    """Stand in for a score that its test does not declare: nothing is known of it."""
    return Score(name, better=None, unanswered=None)
