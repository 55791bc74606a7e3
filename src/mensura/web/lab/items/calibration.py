"""Calibration: how hard the items of runs are and how able who took them is, on one scale."""

from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query, Request
from pydantic import BaseModel, Field

from mensura.errors import BadData, BadParameter
from mensura.exhibit.response import measurement_exhibits
from mensura.running.calibrating.responses import Persons, responses_of
from mensura.running.items.table import ItemTable
from mensura.stats.response.measurement import Measurement
from mensura.stats.response.responses import MODELS, Model
from mensura.store.people.accounts import Account
from mensura.web.lab.at_hand import AtHand
from mensura.web.lab.office import office
from mensura.web.lab.page import View, shows
from mensura.web.lab.pages.items import Looked, Words, chosen_runs, told_table
from mensura.web.lab.people.access import listing

router = APIRouter()
LONGEST = 100
"""Rows of a table on the page; the command line and the JSON have all."""
_made: AtHand[Measurement | str] = AtHand(16)


class CalibrationAddress(BaseModel):
    """The data to calibrate, as the address gives them."""

    run: Words = []
    model: Model = "2pl"
    persons: Literal["subjects", "sessions"] = "subjects"
    score: Annotated[str, Field(max_length=300)] = ""


@shows(router, "/lab/calibration", "calibration.html")
def calibration(
    request: Request,
    account: Annotated[Account, Depends(listing("see runs"))],
    asked: Annotated[CalibrationAddress, Query()],
) -> View:
    """Show a calibration of the items of runs: parameters, curves, information, fit, people beside machines."""
    here = Looked(run=asked.run, score=asked.score, page=1)
    heads, told = chosen_runs(request, here)
    if not heads:
        raise BadParameter("Say which runs: open /lab/calibration?run=RUN.")
    table = told_table(request, office(request).items.of(heads), here, told=told)
    found = _measured(table, asked.model, asked.persons)
    view: View = {"asked": asked.model_dump(), "models": list(MODELS), "items_page": here.link(), "reason": ""}
    view["withheld"] = int(table.withheld.sum())
    if isinstance(found, str):
        return {**view, "reason": found, "exhibits": [], "measured": None}
    return {**view, "exhibits": measurement_exhibits(found, limit=LONGEST), "measured": found.as_json()}


def _measured(table: ItemTable, model: Model, persons: Persons) -> Measurement | str:
    """Return a calibration, or why there is none; one that was made stays at hand as long as its table."""
    key = (tuple(run.head.id for run in table.runs), table.score.name, model, persons)
    withheld = tuple(table.withheld.tolist())

    def make() -> Measurement | str:
        try:
            return responses_of(table, persons=persons).measure(model)
        except (BadData, BadParameter) as error:
            return str(error)

    # Tables are kept by their state, so the runs inside are the same objects while nothing has changed.
    return _made.get(key, make, (tuple(map(id, table.runs)), withheld))
