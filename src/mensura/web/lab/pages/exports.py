"""Exports: runs as files to download; who the participants are is only in a separate file."""

import shutil
import tempfile
from hashlib import file_digest
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from starlette.background import BackgroundTask
from starlette.responses import FileResponse, Response

from mensura.running.study.membership.looking import LOOKED, identities_of, invited_to
from mensura.store.people.accounts import Account
from mensura.store.people.copies import EXPORTED, NAMED
from mensura.web.lab.pages.runs import exact_run
from mensura.web.lab.people.access import allowed, listing
from mensura.web.lab.people.rights import admit, check_can, seen_invitations
from mensura.web.lab.runs.export import identities_csv, write_export
from mensura.web.laboratory import laboratory
from mensura.web.safety.security import address_of

router = APIRouter()
StudyName = Annotated[str, Query(max_length=500)]


@router.get("/lab/runs/{run}/export", response_model=None)
def export(
    request: Request,
    run: str,
    account: Annotated[Account, Depends(allowed("export data"))],
    format: Annotated[str, Query(max_length=20)] = "csv",
    seeds: bool = False,
) -> Response:
    """Return a run as one file."""
    return export_response(request, account, run, format=format, seeds=seeds)


def export_response(request: Request, account: Account, run: str, *, format: str, seeds: bool) -> Response:
    """Write a run to a file, send it, and forget the file."""
    store = laboratory(request).store
    head = exact_run(request, run)
    if seeds:
        check_can(request, "export seeds")
    folder = Path(tempfile.mkdtemp(prefix="mensura-export-"))
    try:
        path = write_export(store, head, folder, format=format, with_seeds=seeds)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    with path.open("rb") as file:
        sent = file_digest(file, "sha256").hexdigest()
    store.copies.note(account.name, EXPORTED, head.id, runs=[head.id], format=format, seeds=seeds, sha256=sent)
    gone = BackgroundTask(shutil.rmtree, folder, ignore_errors=True)
    return FileResponse(path, media_type="application/zip", filename=path.name, background=gone)


@router.get("/lab/identities.csv", response_model=None)
def identities_file(
    request: Request, account: Annotated[Account, Depends(listing("see identities"))], study: StudyName = ""
) -> Response:
    """Return who the participants are as CSV, apart from all that they did; those of one study, where it is named."""
    rows = named_people(request, account, study, did=NAMED)
    headers = {"Content-Disposition": 'attachment; filename="identities.csv"'}
    return Response(identities_csv(rows), media_type="text/csv; charset=utf-8", headers=headers)


def named_people(
    request: Request, account: Account, study: str, *, did: str = LOOKED, limit: int | None = None
) -> list[dict[str, Any]]:
    """Return who some participants are, and note for the audit trail who looks, at whom and from where."""
    store = laboratory(request).store
    if study:
        admit(request, {study})
        shown = invited_to(study, store=store)[::-1]
    else:
        shown = seen_invitations(request, limit=limit)
    address = address_of(request)
    return identities_of(shown, store=store, who=account.name, address=address, did=did, study=study)
