"""A package: a seed, its purpose, bounded parameters, and the values an evaluator has changed."""

from datetime import date, timedelta
from typing import Any, Literal

from pydantic import Field

from mensura.catalog.crisis.packages.lint_result import LintResult
from mensura.catalog.crisis.world.data import Data
from mensura.catalog.crisis.world.parameters import PackageParameters
from mensura.catalog.crisis.world.time import Day

Purpose = Literal["test", "training", "practice"]
_OFFSET: dict[str, int] = {"test": 0, "training": 1, "practice": 2}


class Package(Data):
    """A stimulus package; the same package always gives the same world, to the byte.

    >>> Package(name="mine", seed=7).source_seed != Package(name="mine", seed=7, purpose="training").source_seed
    True
    """

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9-]*$")
    about: str = ""
    purpose: Purpose = "test"
    seed: int = Field(ge=0)
    first: Day = date(2027, 5, 17)
    """The first day of the conference; every date in the mail follows it."""
    days_before: int = Field(6, ge=4, le=9)
    """How many days before the conference the subject sits in the office."""
    parameters: PackageParameters = PackageParameters()  # type: ignore[call-arg]
    variables: dict[str, str] = Field(default_factory=dict)
    """Key values of the mail and the pages that an evaluator has changed."""
    world: dict[str, Any] | None = None
    """A whole world written out, and perhaps edited, in place of one that is drawn."""
    found: LintResult | None = None
    """What the linter found out about it; read from the file beside it."""

    @property
    def today(self) -> date:
        """The day on which the subject sits in the office."""
        return self.first - timedelta(days=self.days_before)

    @property
    def source_seed(self) -> int:
        """The seed that chance is drawn from: no two purposes can share one, whatever seeds their packages name."""
        return self.seed * len(_OFFSET) + _OFFSET[self.purpose]
