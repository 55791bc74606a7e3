"""Exhibits of the forecasting test: a group's answers shown as track records are, from files or from sessions."""

from collections.abc import Sequence
from dataclasses import replace

from mensura.catalog.forecasting.scoring import FLOOR, quantities_of
from mensura.dialogue import columns_of
from mensura.exhibit import Exhibit, Group
from mensura.scores.rule import rule
from mensura.track_record.calibration.diagnosis import Diagnosis, DiagnosisOptions, diagnose
from mensura.track_record.calibration.sheet import Sheet
from mensura.track_record.exhibits import forecaster_exhibits
from mensura.track_record.quantities.exhibits import quantity_exhibits
from mensura.track_record.quantities.scoring import diagnose_quantities

WORK = 2e7
"""Turns of the inversion: a report of many runs is not kept waiting for the last digit of a tail."""


def exhibits(groups: Sequence[Group]) -> list[Exhibit]:
    """Show each group as one forecaster: all answers of its sessions together; scores as the run estimates them."""
    options = DiagnosisOptions(rule("log", floor=FLOOR), floor=FLOOR, work=WORK)
    asked = [group for group in groups if group.parameters["questions"] != "quantities"]
    diagnoses = [one for group in asked if (one := _diagnosis(group, options)) is not None]
    words = {group.name: f"Over {len(group.scores)} sessions together." for group in asked if len(group.scores) > 1}
    measured = []
    for group in groups:
        if group not in asked:
            said = [one for record, truths in group.records for one in quantities_of(record, truths, who=group.name)]
            measured += [diagnose_quantities(said)] if said else []
    shown = forecaster_exhibits(diagnoses, options=options, words=words) if diagnoses else []
    return shown + (quantity_exhibits(measured) if measured else [])


def _diagnosis(group: Group, options: DiagnosisOptions) -> Diagnosis | None:
    sheet = Sheet.of(columns_of(group.records))
    if not len(sheet):
        return None
    found = diagnose(sheet, name=group.name, options=options)
    return replace(found, score=group.estimates.get("logarithmic_score", found.score))
