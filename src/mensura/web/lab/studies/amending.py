"""Amending: the plan of a study is changed after it was registered, declared with the reason."""

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from mensura.errors import BadParameter, MensuraError
from mensura.running.study import amend, progress_of, stored_study
from mensura.running.study.planning.template import text_of
from mensura.running.study.reading import PlanFault
from mensura.web.errors import status_of
from mensura.web.lab.page import View, draw, shows
from mensura.web.lab.people.access import Form
from mensura.web.lab.studies.address import address_of_study
from mensura.web.lab.studies.confined import check_confined
from mensura.web.lab.studies.plan import Planner, checked_view
from mensura.web.lab.studies.registering import check_programs, take_programs
from mensura.web.laboratory import laboratory

router = APIRouter()


@shows(router, "/lab/studies/{study}/amend", "study_amend.html")
def plan_in_force(request: Request, account: Planner, study: str) -> View:
    """Show the plan in force, to be changed."""
    text = text_of(stored_study(study, store=laboratory(request).store))
    return {"study": study, "text": text, "given": {}, "checked": None, "fault": ""}


@router.post("/lab/studies/{study}/amend", response_model=None)
def amend_plan(request: Request, account: Planner, study: str, form: Form) -> Response:
    """Check the plan as it was changed, or amend the one in force by it; its programs go on under it."""
    store, text = laboratory(request).store, form.get("text", "")
    fault, status = "", 200
    if form.get("act") == "amend":
        try:
            found = check_confined(text)
            if isinstance(found, PlanFault):
                raise BadParameter(f"Line {found.line}: {found.sentence}")
            if found.name != study:
                raise BadParameter(f"An amended plan keeps its name, {study}; another name is another study.")
            check_programs(found)
            amend(found, form.get("why", ""), store=store, who=account.name)
            take_programs(request, progress_of(found, store=store), found)
            return RedirectResponse(address_of_study(study), 303)
        except MensuraError as error:
            fault, status = str(error), status_of(error)
    shown = {"study": study, "text": text, "given": form, "checked": checked_view(text, form), "fault": fault}
    return draw(request, "study_amend.html", status=status, **shown)
