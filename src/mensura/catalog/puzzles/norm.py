"""Norm: how often people of a group solve such puzzles, from a file or from a calibrated bank, and how one compares."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from mensura.catalog.puzzles.kinds.find import PLACES
from mensura.errors import BadFile, unknown
from mensura.stats import Estimate, proportion_estimate
from mensura.table_file import read_table

COLUMNS = ("kind", "right", "asked")
CALIBRATED = "the group of the calibration, on the same puzzles"


@dataclass(frozen=True)
class Norm:
    """The share of right answers of a norm group in one kind."""

    accuracy: float
    low: float
    high: float
    who: str

    def as_json(self) -> dict[str, Any]:
        """Return it as a session keeps it."""
        return asdict(self)

    def verdict(self, own: Estimate) -> str:
        """Return in a word what the two intervals allow to say: above, below, or neither."""
        if not own.has_interval:
            return "unknown"
        return "above" if own.low > self.high else "below" if own.high < self.low else "not told apart"


def read_norm(path: str) -> dict[str, Norm]:
    """Read a CSV of `kind,right,asked`: of how many answers of the norm group in each kind how many were right.

    Raises
    ------
    BadFile
        If a row is not what it should be; the message names it.
    """
    form = "a norm is a CSV with the columns {columns} and a row for each kind."
    found = {}
    for number, row in read_table(path, COLUMNS, absent=form):
        kind = row["kind"]
        if kind not in PLACES:
            see = f"There are {', '.join(PLACES)}."
            raise BadFile(f"{path}:{number}: {unknown('kind of puzzle', kind, known=PLACES, see=see)}")
        try:
            right, asked = int(row["right"]), int(row["asked"])
        except ValueError:
            raise BadFile(
                f"{path}:{number}: right and asked are numbers; got {row['right']}, {row['asked']}."
            ) from None
        if not 0 <= right <= asked or not asked:
            raise BadFile(f"{path}:{number}: of {asked} answers {right} cannot have been right.")
        share = proportion_estimate(right, n=asked)
        found[kind] = Norm(share.value, share.low, share.high, Path(path).stem)
    if not found:
        raise BadFile(f"{path}: {form.format(columns=', '.join(COLUMNS))}")
    return found


def norm_of_bank(calibrations: Mapping[str, Iterable[Mapping[str, Any]]]) -> dict[str, Norm]:
    """Return what share of these very puzzles the group has right on whom they were calibrated, by kind."""
    from mensura.stats.response.curves import Curves, ItemCurve
    from mensura.stats.response.likelihood import grid

    ability, weight = grid(61)
    found = {}
    for kind, given in calibrations.items():
        shares = Curves.of(ItemCurve.read(one) for one in given).right(ability) @ weight
        mean = float(shares.mean() / weight.sum())
        found[kind] = Norm(mean, mean, mean, CALIBRATED)
    return found
