"""Reckoning: everyone who forecast questions of a ledger that are resolved by now, alternatives and quantities."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from mensura.catalog.forecasting.calibration.correction import FLOOR
from mensura.catalog.forecasting.calibration.diagnosis import Options
from mensura.catalog.forecasting.files.scoring import Scored, look_further, score_book
from mensura.catalog.forecasting.files.strict import strict
from mensura.catalog.forecasting.quantities.forecast import QuantityForecast
from mensura.catalog.forecasting.quantities.reading import Quantities
from mensura.catalog.forecasting.quantities.scoring import ScoredQuantities, score_quantities
from mensura.catalog.forecasting.questions.ledger import Ledger
from mensura.catalog.forecasting.questions.opening import open_book
from mensura.errors import BadData
from mensura.scores.rule import rule


@dataclass
class Reckoning:
    """What the forecasters of a ledger are worth by now."""

    scored: Scored | None
    quantities: ScoredQuantities | None
    notes: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """Give everything as strict JSON data; the same keys as those of `mensura score forecasting`."""
        told = {} if self.scored is None else self.scored.as_json()
        if self.quantities is not None:
            told["quantities"] = self.quantities.as_json()
        plain: dict[str, Any] = strict(told | {"notes": self.notes})
        return plain

    def print(self) -> None:
        """Print the tables for people."""
        from mensura.catalog.forecasting.commands.quantities import print_quantities
        from mensura.catalog.forecasting.files.printing import print_scored

        if self.scored is not None:
            print_scored(self.scored)
        if self.quantities is not None:
            print_quantities(self.quantities)

    def write(self, path: str | Path) -> None:
        """Write the tables and pictures to one HTML file."""
        from mensura.catalog.forecasting.quantities.report import write_quantities
        from mensura.catalog.forecasting.report import write_report

        if self.scored is not None:
            write_report(self.scored, path, quantities=self.quantities)
        elif self.quantities is not None:
            write_quantities(self.quantities, path)


def reckon(
    ledger: Ledger,
    *,
    rule_name: str = "log",
    floor: float | None = None,
    every: float | None = None,
    compare: bool = False,
    by: Sequence[str] = (),
    periods: int | None = None,
) -> Reckoning:
    """Score every forecast about resolved questions of a ledger, over time, with full calibration."""
    book, quantities = open_book(ledger), open_quantities(ledger)
    if not book.pages and not quantities:
        raise BadData("Nothing is resolved yet that anybody forecast, so there is nothing to score.")
    scored, notes = None, []
    if book.pages:
        chosen = rule(rule_name, floor=(floor or 0.0) if rule_name == "log" else 0.0)
        options = Options(chosen, floor=floor or FLOOR)
        scored = score_book(book, options=options, every=every)
        look_further(scored, book, compare=compare, periods=periods, by=by)
        notes = scored.notes
    return Reckoning(scored, score_quantities(Quantities(quantities, scaled=True)) if quantities else None, notes)


def open_quantities(ledger: Ledger) -> list[QuantityForecast]:
    """Give each forecaster's last forecast of each resolved quantity, its losses in units of the range of the bins."""
    found = []
    for life in ledger.questions():
        question = life.question
        if life.state != "resolved" or question.kind != "quantity" or life.resolved is None:
            continue
        edges = np.array(question.edges)
        last = {event.who: event for event in life.forecasts if event.at <= life.resolved}
        for who, event in last.items():
            levels = np.concatenate([[0.0], np.cumsum(event.content["probabilities"])])
            width = float(edges[-1] - edges[0])
            found.append(
                QuantityForecast(who, question.name, "bins", edges, levels / levels[-1], float(life.outcome), width)
            )
    return found
