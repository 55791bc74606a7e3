"""What a generated exam is like: its trials, how groups differ, how roads run. Defaults are the published design."""

import tomllib
from dataclasses import dataclass, fields
from pathlib import Path

from mensura.errors import BadFile, BadParameter


@dataclass(frozen=True)
class Design:
    """The parameters of a generated exam.

    Attributes
    ----------
    blocks_1, blocks_2, blocks_3 : int
        Blocks of Tasks 1, 2 and 3.
    shown_1, shown_2, shown_3 : int
        Attacks shown before the one that is judged.
    trials_4, trials_5, trials_6, trials_7 : int
    choices : int
        INTs chosen on a trial of Task 6.
    least_base_rate : float
        Smallest share of attacks a group may have.
    least_sigma, largest_sigma : float
        Range of dispersions on the plane, in grid units.
    least_gap, largest_gap : float
        On the plane, range of the distance from each centre to its nearest neighbour, in mean sigmas of the two: groups
        neither lie on top of each other nor are told apart at a glance.
    separation : float
        Least distance between two centres on roads, in grid units; half of it between any two other places.
    networks : int
        Road networks (and region maps) that Tasks 4-7 take turns on.
    roads : int
        Roads of a network, about four in the original.
    wander : float
        Chance that a road turns aside at a step.
    flattest, steepest : float
        Range of the largest HUMINT probability: neither a guess nor a foregone conclusion.
    credits : float
        Credits at the start of Task 7.
    shortest_wave, longest_wave : int
        Bounds of what the wave rule gives; bounds that exclude much make its chance untrue.
    """

    blocks_1: int = 10
    blocks_2: int = 5
    blocks_3: int = 5
    shown_1: int = 9
    shown_2: int = 19
    shown_3: int = 19
    trials_4: int = 10
    trials_5: int = 10
    trials_6: int = 10
    trials_7: int = 15
    choices: int = 3
    least_base_rate: float = 0.12
    least_sigma: float = 7.0
    largest_sigma: float = 19.0
    least_gap: float = 1.0
    largest_gap: float = 2.4
    separation: float = 18.0
    networks: int = 4
    roads: int = 4
    wander: float = 0.25
    flattest: float = 0.33
    steepest: float = 0.8
    credits: float = 10.0
    shortest_wave: int = 1
    longest_wave: int = 100

    def __post_init__(self) -> None:
        for name in ("blocks_1", "blocks_2", "blocks_3", "trials_4", "trials_5", "trials_6", "trials_7", "networks"):
            if getattr(self, name) < 1:
                raise BadParameter(f"{name} of an exam's design is at least 1; got {getattr(self, name)}.")
        if self.shown_1 < 4 or min(self.shown_2, self.shown_3) < 8:
            raise BadParameter("Each group must be seen at least twice before a judgement: shown_1 ≥ 4, others ≥ 8.")
        if not 2 <= self.roads <= 8:
            raise BadParameter(f"A network has 2 to 8 roads; got {self.roads}.")
        if not 1 <= self.choices <= 4:
            raise BadParameter(f"1 to 4 INTs can be chosen; got {self.choices}.")
        if not 0 < self.least_base_rate <= 0.25:
            raise BadParameter(f"least_base_rate lies above 0 and at most 0.25; got {self.least_base_rate}.")
        if not 0 < self.least_sigma <= self.largest_sigma:
            raise BadParameter("Dispersions need 0 < least_sigma ≤ largest_sigma.")
        if not 0 < self.least_gap < self.largest_gap:
            raise BadParameter("Groups on the plane need 0 < least_gap < largest_gap.")
        if not 0 <= self.separation <= 35:
            raise BadParameter(f"separation lies between 0 and 35 grid units; got {self.separation}.")
        if not 0.25 <= self.flattest < self.steepest <= 1:
            raise BadParameter("HUMINT needs 0.25 ≤ flattest < steepest ≤ 1.")
        if not 1 <= self.shortest_wave <= self.longest_wave:
            raise BadParameter("Waves need 1 ≤ shortest_wave ≤ longest_wave.")


def read_design(path: Path) -> Design:
    """Read a design from a TOML file; what it does not say stays as published."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadFile(f"{path} cannot be read as a design: {error}.") from error
    known = {field.name: field.type for field in fields(Design)}
    if stray := [name for name in table if name not in known]:
        raise BadFile(f"{path}: a design has no {stray[0]!r}; it has {', '.join(known)}.")
    for name, value in table.items():
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise BadFile(f"{path}: {name} should be a number, got {value!r}.")
    return Design(**table)
