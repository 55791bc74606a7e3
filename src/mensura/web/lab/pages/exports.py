"""Exports: runs as files to download; who the participants are only by a file of its own."""

import shutil
import tempfile
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from starlette.background import BackgroundTask
from starlette.responses import FileResponse, Response

from mensura.store.people.accounts import Account
from mensura.store.people.copies import EXPORTED, NAMED
from mensura.web.lab.pages.runs import exact_run
from mensura.web.lab.people.access import allowed
from mensura.web.lab.people.permission import check_may
from mensura.web.lab.runs.export import identities_csv, write_export
from mensura.web.laboratory import laboratory

router = APIRouter()


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
    if seeds:
        check_may(account, "export seeds")
    store = laboratory(request).store
    head = exact_run(request, run)
    folder = Path(tempfile.mkdtemp(prefix="mensura-export-"))
    try:
        path = write_export(store, head, folder, format=format, with_seeds=seeds)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    store.copies.note(account.name, EXPORTED, head.id, runs=[head.id], format=format, seeds=seeds)
    gone = BackgroundTask(shutil.rmtree, folder, ignore_errors=True)
    return FileResponse(path, media_type="application/zip", filename=path.name, background=gone)


@router.get("/lab/identities.csv", response_model=None)
def identities_file(request: Request, account: Annotated[Account, Depends(allowed("see identities"))]) -> Response:
    """Return who the participants are as CSV, apart from all that they did."""
    store = laboratory(request).store
    numbers = [row["invitation"] for row in store.invitations.identities()]
    store.copies.note(account.name, NAMED, "", runs=[], invitations=numbers)
    headers = {"Content-Disposition": 'attachment; filename="identities.csv"'}
    return Response(identities_csv(store), media_type="text/csv; charset=utf-8", headers=headers)
