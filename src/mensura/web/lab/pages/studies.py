"""Studies: how far each is, and what it found, as its report says it."""

import shlex
import shutil
import tempfile
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.background import BackgroundTask
from starlette.responses import FileResponse, JSONResponse, Response

from mensura.errors import Conflict
from mensura.report.page import html_page
from mensura.running.study import Progress, progress_of, stored_study
from mensura.running.study.registration.keeping import keep_analysis, write_study_archive
from mensura.store.people.accounts import Account
from mensura.store.people.copies import REPORTED
from mensura.web.lab.catalog import explained
from mensura.web.lab.download import file_name, html_file
from mensura.web.lab.office import office
from mensura.web.lab.page import View, draw, shows
from mensura.web.lab.people.access import allowed, listing
from mensura.web.lab.people.rights import rights_of, sees
from mensura.web.lab.runs.study import StudyFindings, findings, version_of
from mensura.web.lab.words import as_json
from mensura.web.laboratory import laboratory

router = APIRouter()
Reader = Annotated[Account, Depends(allowed("see runs"))]


@shows(router, "/lab/studies", "studies.html")
def studies(request: Request, account: Annotated[Account, Depends(listing("see runs"))]) -> View:
    """List the studies that have begun, the newest first."""
    store = laboratory(request).store
    counts, not_begun = store.sessions.counts(), store.sessions.not_begun()
    found: dict[str, View] = {}
    rights, hidden = rights_of(request), set()
    for head in store.runs.all():
        if name := str(head.details.get("study", "")):
            if not sees(request, {name}):
                hidden |= {name} if rights.as_administrator("see runs", {name}) else set()
                continue
            one = found.setdefault(name, {"name": name, "question": head.details.get("question", ""), "sessions": {}})
            one["not_begun"] = one.get("not_begun", 0) + not_begun.get(head.id, 0)
            one["role"] = rights.roles.get(name, "")
            for status, many in counts.get(head.id, {}).items():
                one["sessions"][status] = one["sessions"].get(status, 0) + many
    return {"studies": list(reversed(found.values())), "of_others": sorted(hidden)}


@router.get("/lab/studies/{study}.json", response_model=None)
def study_data(request: Request, account: Reader, study: str) -> Response:
    """Return how far a study is and what it found, as JSON."""
    progress, found = _study(request, study)
    analysis = found.analysis.as_json() if found.analysis else None
    return JSONResponse(as_json({"progress": progress.as_json(), "analysis": analysis, "why": found.why}))


@router.get("/lab/studies/{study}", response_model=None)
def one_study(request: Request, account: Reader, study: str) -> Response:
    """Show what a study found, as its report says it, and how far its cells are."""
    progress, found = _study(request, study)
    plan = stored_study(study, store=laboratory(request).store)
    # Such a plan knows by itself what is still to be taken, also where no session is open.
    conducted = bool(plan.phases) or plan.stopping.width is not None
    set_by_plan = explained(state.cell for state in progress.cells)
    return draw(request, "study.html", progress=progress, found=found, conducted=conducted, explained=set_by_plan)


@router.get("/lab/studies/{study}/export", response_model=None)
def study_file(request: Request, account: Annotated[Account, Depends(allowed("export data"))], study: str) -> Response:
    """Return the report of a study as one file, and note who took it."""
    progress, found = _study(request, study)
    if found.report is None:
        raise Conflict(found.why)
    if found.analysis is not None:
        keep_analysis(found.analysis, store=laboratory(request).store, who=account.name)
    runs = [head.id for state in progress.cells for head in state.runs]
    again = f"study analyse {shlex.quote(study)}"
    laboratory(request).store.copies.note(account.name, REPORTED, ", ".join(runs), runs=runs, again=again)
    return html_file(html_page(found.report), file_name(study, "-report.html"))


@router.get("/lab/studies/{study}/archive", response_model=None)
def study_archive(
    request: Request, account: Annotated[Account, Depends(allowed("export data"))], study: str
) -> Response:
    """Return the whole study as one file that another installation imports, and note who took it."""
    store = laboratory(request).store
    folder = Path(tempfile.mkdtemp(prefix="mensura-archive-"))
    name = file_name(study, ".zip")
    try:
        write_study_archive(stored_study(study, store=store), folder / name, store=store, who=account.name)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    gone = BackgroundTask(shutil.rmtree, folder, ignore_errors=True)
    return FileResponse(folder / name, media_type="application/zip", filename=name, background=gone)


def _study(request: Request, name: str) -> tuple[Progress, StudyFindings]:
    store = laboratory(request).store
    study = stored_study(name, store=store)
    progress = progress_of(study, store=store)
    kept = office(request).studies
    return progress, kept.get(name, lambda: findings(study, store=store), version_of(progress, store=store))
