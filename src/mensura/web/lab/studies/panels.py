"""Panels of a study on its page: raters named, what they judge, and how far they are."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import RedirectResponse, Response

from mensura.errors import MensuraError
from mensura.running.panel import progress_of
from mensura.running.study import stored_study
from mensura.running.study.people.panel import PanelRequest, panel_about
from mensura.running.study.registration.register import study_runs
from mensura.store.people.accounts import Account
from mensura.web.errors import status_of
from mensura.web.lab.page import View, draw, shows
from mensura.web.lab.pages.tests import whole
from mensura.web.lab.people.access import Form, allowed
from mensura.web.lab.studies.address import address_of_study
from mensura.web.laboratory import laboratory

router = APIRouter()
MOST_RATERS = 100


@shows(router, "/lab/studies/{study}/panels", "study_panels.html")
def study_panels(
    request: Request, study: str, account: Annotated[Account, Depends(allowed("see progress of raters"))]
) -> View:
    """Show the panels that rate what people did in a study, and the form that opens one."""
    return _view(request, study)


@router.post("/lab/studies/{study}/panels", response_model=None)
def open_one(
    request: Request, study: str, account: Annotated[Account, Depends(allowed("make invitations"))], form: Form
) -> Response:
    """Open a panel about a study, and share what was finished out among its raters."""
    store = laboratory(request).store
    try:
        raters, mask, keep = (_lines(form.get(name, "")) for name in ("raters", "mask", "keep"))
        wanted = PanelRequest(
            form.get("name", ""),
            raters[:MOST_RATERS],
            form.get("items", ""),
            form.get("instructions", ""),
            whole(form, "points", 7),
            whole(form, "overlap", 2),
            mask,
            keep,
        )
        panel_about(stored_study(study, store=store).name, wanted, store=store, who=account.name)
    except MensuraError as error:
        shown = _view(request, study) | {"fault": str(error), "given": form}
        return draw(request, "study_panels.html", status=status_of(error), **shown)
    return RedirectResponse(address_of_study(study, "panels"), 303)


def _view(request: Request, study: str) -> View:
    store = laboratory(request).store
    plan = stored_study(study, store=store)
    runs = [head.id for head in study_runs(study, store=store)]
    found = [progress_of(name, store=store) for name in store.panels.about(runs)]
    raters = [one.name for one in store.members.of(study) if one.role == "rater"]
    # Without members it is open to all whose role is to rate.
    raters = raters or [one.name for one in store.accounts.all() if one.role == "rater" and not one.disabled]
    return {"study": plan.name, "panels": found, "raters": raters, "fault": "", "given": {}}


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.replace(",", "\n").splitlines() if line.strip())
