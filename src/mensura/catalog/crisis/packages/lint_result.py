"""Found: what the linter found out about a package, stored beside it, so that scoring needs no optimiser."""

from pydantic import Field

from mensura.catalog.crisis.world.data import Data


class LintResult(Data):
    """Floors, ceiling and difficulty of the world with this hash."""

    hash: str
    solvable: bool
    """A schedule was found that meets every rule at once."""
    method: str
    """How the floors were found."""
    floor_money: float
    floor_bumps: int
    ceiling: dict[str, float]
    difficulty: dict[str, int] = Field(default_factory=dict)
    best: dict[str, tuple[str, int]] = Field(default_factory=dict)
    """The schedule by which floors and ceiling were found."""
    witness: dict[str, tuple[str, int]] = Field(default_factory=dict)
    """The proof: a schedule that meets every rule. It can be checked by counting, also after the world was edited."""


def beside(name: str) -> str:
    """Name the file in which it is stored.

    >>> beside("mine.yaml")
    'mine.found.json'
    """
    return f"{name.rsplit('.', 1)[0]}.found.json"
