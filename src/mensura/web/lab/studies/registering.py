"""Registering: a plan that was written on the page becomes a study, and its programs are started."""

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from mensura.errors import BadParameter, MensuraError
from mensura.running.adaptivity.phases import cell_phases
from mensura.running.study import Progress, Study, progress_of, register, stored_study
from mensura.running.study.plan import Cell
from mensura.running.study.reading import PlanFault
from mensura.running.study.registration.register import study_runs
from mensura.web.errors import status_of
from mensura.web.lab.office import office
from mensura.web.lab.people.access import Form
from mensura.web.lab.people.rights import admit
from mensura.web.lab.runs.background import MOST_SESSIONS
from mensura.web.lab.studies.address import address_of_study
from mensura.web.lab.studies.confined import check_confined
from mensura.web.lab.studies.plan import Planner, again
from mensura.web.laboratory import laboratory

router = APIRouter()


@router.post("/lab/studies/register", response_model=None)
def register_plan(request: Request, account: Planner, form: Form) -> Response:
    """Register the plan that was typed; people can be invited from now on, and its programs begin."""
    found = check_confined(form.get("text", ""))
    if isinstance(found, PlanFault):
        return again(request, form, f"Line {found.line}: {found.sentence}", 422)
    store = laboratory(request).store
    try:
        check_programs(found)
        admit(request, {found.name})
        # A study that was begun from a terminal is not taken over by registering it again.
        owner = "" if study_runs(found.name, store=store) else account.name
        begun = register(found, store=store, who=account.name, owner=owner)
    except MensuraError as error:
        return again(request, form, str(error), status_of(error))
    take_programs(request, begun, found)
    people = any(cast.people for cast in found.casts)
    return RedirectResponse(address_of_study(found.name, "people" if people else ""), 303)


@router.post("/lab/studies/{study}/start", response_model=None)
def start_programs(request: Request, account: Planner, study: str, form: Form) -> Response:
    """Resume the programs of a study where a server left them."""
    store = laboratory(request).store
    plan = stored_study(study, store=store)
    check_programs(plan)
    take_programs(request, progress_of(plan, store=store), plan)
    store.trail.note(account.name, "started the programs of a study", study)
    return RedirectResponse(address_of_study(study), 303)


def check_programs(study: Study) -> None:
    """Refuse more programs than pages start."""
    total = sum(study.stopping.most * _each(study, cell) for cell in study.cells() if not cell.cast.people)
    if total > MOST_SESSIONS:
        raise BadParameter(
            f"Pages start at most {MOST_SESSIONS} sessions of programs; this plan has {total}: mensura study run FILE"
        )


def _each(study: Study, cell: Cell) -> int:
    """Count the sessions of one course of a cell, or one where it has none."""
    return sum(phase.sessions for phase in cell_phases(study, cell)) or 1


def take_programs(request: Request, begun: Progress, study: Study) -> None:
    """Let the programs of a study begin, or go on, in the background."""
    background = office(request).background
    cells = [state for state in begun.cells if not state.cell.cast.people and state.runs]
    # Only where a plan is neither amended nor stops by itself do sessions stand in no order.
    if study.courses or study.stopping.width is not None or any(len(state.runs) > 1 for state in cells):
        background.conduct(study, [head for state in cells for head in state.runs])
    else:
        background.take([state.runs[-1] for state in cells], study.stopping.most)
