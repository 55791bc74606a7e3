"""Reckoning: everyone who forecast questions of a ledger that are resolved by now, alternatives and quantities."""

from dataclasses import replace
from math import nan
from typing import Any

from mensura.errors import BadData
from mensura.exhibit import FileScores
from mensura.track_record.calibration.diagnosis import DiagnosisOptions
from mensura.track_record.file_scores import forecast_scores, quantity_scores
from mensura.track_record.files.scoring import look_further, score_book
from mensura.track_record.ledger.ledger import Ledger
from mensura.track_record.ledger.opening import open_book
from mensura.track_record.quantities.answer_file import Quantities
from mensura.track_record.quantities.forecast import QuantityForecast, of_bins, shares_of_revisions
from mensura.track_record.quantities.scoring import score_quantities


def reckon(
    ledger: Ledger, *, rule_name: str = "log", floor: float | None = None, every: float | None = None, **further: Any
) -> FileScores:
    """Score all forecasts about resolved questions of a ledger, fully calibrated; `further` is for `look_further`."""
    book, quantities = open_book(ledger), open_quantities(ledger)
    if not book.pages and not quantities:
        raise BadData("Nothing is resolved yet that anybody forecast, so there is nothing to score.")
    measured = score_quantities(Quantities(quantities, scaled=True)) if quantities else None
    if measured is not None and not book.pages:
        found = quantity_scores(measured)
        return replace(found, data={"quantities": found.data, "notes": []})
    options = DiagnosisOptions.named(rule_name, floor=ledger.floor if floor is None else floor)
    scored = score_book(book, options=options, every=every)
    said = [event for life in ledger.questions() for event in life.forecasts]
    if claimed := sum(event.claimed for event in said):
        scored.notes.append(f"{claimed} of {len(said)} forecasts were entered at another time than they claim.")
    look_further(scored, book, **further)
    return forecast_scores(scored, quantities=measured)


def open_quantities(ledger: Ledger) -> list[QuantityForecast]:
    """Return all forecasts of each resolved quantity with their shares of its time, scored in units of its range."""
    found = []
    for life in ledger.questions():
        planned = life.question.deadline or nan
        if life.state != "resolved" or life.question.kind != "quantity" or life.resolved is None:
            continue
        if planned > ledger.clock():
            continue
        standing = [event for event in life.forecasts if event.at <= life.resolved]
        for who in dict.fromkeys(event.who for event in standing):
            own = [event for event in standing if event.who == who]
            times = [event.at for event in own]
            shares = shares_of_revisions(times, resolved=life.resolved, closes=planned)
            for event, share in zip(own, shares, strict=True):
                told = life.question.edges, event.content["probabilities"]
                said = of_bins(*told, outcome=float(life.outcome), forecaster=who, question=life.question.name)
                found.append(replace(said, share=float(share), first=event is own[0]))
    return found
