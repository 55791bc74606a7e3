"""Dry runs: a study rehearsed from its page with simulated people, up to the report that it will have."""

from dataclasses import asdict
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from mensura.errors import BadParameter, MensuraError
from mensura.running.study.reading import PlanFault
from mensura.web.errors import status_of
from mensura.web.lab.catalog import CHANCE, offered_subjects, registered_test
from mensura.web.lab.download import file_name, html_file
from mensura.web.lab.page import View, draw, shows
from mensura.web.lab.pages.tests import whole
from mensura.web.lab.people.access import Form
from mensura.web.lab.studies.confined import check_confined
from mensura.web.lab.studies.plan import Planner, again
from mensura.web.lab.studies.rehearsal import part_of, report_of, start_rehearsal, state_of
from mensura.web.laboratory import laboratory

router = APIRouter()


@router.post("/lab/studies/dry-runs", response_model=None)
def begin(request: Request, account: Planner, form: Form) -> Response:
    """Begin a dry run of the plan that was typed."""
    found = check_confined(form.get("text", ""))
    if isinstance(found, PlanFault):
        return again(request, form, f"Line {found.line}: {found.sentence}", 422)
    people = form.get("people", "").strip() or CHANCE
    try:
        for test in found.tests:
            if people not in (offered := offered_subjects(registered_test(test))):
                raise BadParameter(f"People are simulated by {', '.join(offered)}; got {people[:40]!r}.")
        sessions = whole(form, "people_each", 0) or None
        name = start_rehearsal(found, people=people, sessions=sessions)
    except MensuraError as error:
        return again(request, form, str(error), status_of(error))
    laboratory(request).store.trail.note(account.name, "began a dry run", found.name)
    return RedirectResponse(f"/lab/studies/dry-runs/{name}", 303)


@shows(router, "/lab/studies/dry-runs/{rehearsal}", "dry_run.html")
def one_dry_run(request: Request, account: Planner, rehearsal: str) -> View:
    """Show how far a dry run is, and its report once it is over."""
    return _view(rehearsal)


@router.get("/lab/studies/dry-runs/{rehearsal}/progress", response_model=None)
def dry_run_progress(request: Request, account: Planner, rehearsal: str) -> Response:
    """Return the part of the page that changes while a dry run is taken."""
    return draw(request, "dry_run_part.html", **_view(rehearsal))


@router.get("/lab/studies/dry-runs/{rehearsal}/export", response_model=None)
def dry_run_report(request: Request, account: Planner, rehearsal: str) -> Response:
    """Return the report of a dry run as one file."""
    return html_file(report_of(rehearsal), file_name(state_of(rehearsal).study, "-dry-run.html"))


def _view(name: str) -> dict[str, Any]:
    state = state_of(name)
    report = part_of(name) if state.over and not state.fault else ""
    return {"rehearsal": name, **asdict(state), "report": report}
