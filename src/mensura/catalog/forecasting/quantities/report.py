"""The report on forecasts of quantities: bands, transforms and losses, in one HTML page."""

from pathlib import Path

from mensura.catalog.forecasting.quantities.scoring import ScoredQuantities
from mensura.catalog.forecasting.report import draw, quantity_parts


def write_quantities(scored: ScoredQuantities, path: str | Path) -> None:
    """Write the tables and pictures to one HTML file that needs nothing else."""
    Path(path).write_text(draw("quantities.html", parts=quantity_parts(scored)), encoding="utf-8")
