"""Importing: the archive of a study that another laboratory wrote is opened here, and verified first."""

from base64 import b64decode
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from mensura.errors import BadFile, BadParameter, MensuraError
from mensura.json_file import loads
from mensura.running.study import Study
from mensura.running.study.planning.template import text_of
from mensura.running.study.reading import PlanFault
from mensura.store import import_archive
from mensura.store.archive.reader import ArchiveReader
from mensura.subjects.spec import HUMAN
from mensura.web.errors import status_of
from mensura.web.lab.catalog import offered_subjects, registered_test
from mensura.web.lab.page import View, draw, shows
from mensura.web.lab.people.access import Form
from mensura.web.lab.people.rights import admit
from mensura.web.lab.studies.confined import check_confined
from mensura.web.lab.studies.plan import Planner
from mensura.web.laboratory import laboratory

router = APIRouter()
LARGEST = 200_000_000
"""Bytes that an archive may unpack to; larger ones are read from a terminal."""
ELSEWHERE = "On a computer that trusts the sender, `mensura import FILE` reads it."


@shows(router, "/lab/studies/import", "study_import.html")
def import_form(request: Request, account: Planner) -> View:
    """Show the form that opens an archive."""
    return {"given": {}, "fault": "", "imported": None, "names": [], "most": laboratory(request).settings.most_bytes}


@router.post("/lab/studies/import", response_model=None)
def import_file(request: Request, account: Planner, form: Form) -> Response:
    """Bring the runs of an archive into the store, unless anything in it was altered, doubled or cut off."""
    shown = import_form(request, account) | {"given": form}
    store = laboratory(request).store
    try:
        if "file.content" not in form:
            raise BadParameter("Choose the file of an archive first.")
        with TemporaryDirectory(prefix="mensura-import-") as folder:
            # Its own name stays outside: only what is read from the file decides.
            path = Path(folder) / "archive.zip"
            path.write_bytes(b64decode(form["file.content"]))
            names = _confined(path)
            admit(request, names)
            imported = import_archive(store, path, digest=form.get("digest", ""), largest=LARGEST)
        store.trail.note(account.name, "imported an archive", ", ".join(sorted(names)), sha256=imported.sha256)
    except MensuraError as error:
        # A file that came from the browser is the sender's mistake, not the server's.
        status = 422 if isinstance(error, BadFile) else status_of(error)
        return draw(request, "study_import.html", status=status, **(shown | {"fault": _plain(error)}))
    return draw(request, "study_import.html", **(shown | {"imported": imported, "names": sorted(names)}))


def _confined(path: Path) -> set[str]:
    """Name the studies of an archive; refuse what pages must not load or start, as a plan that is typed."""
    names: set[str] = set()
    with ArchiveReader(path, largest=LARGEST) as archive:
        for line in archive.lines("runs"):
            details: Mapping[str, Any] = loads(line["details"])
            _check_run(str(line["test"]), loads(line["cast"]))
            names.add(str(details.get("study", "")))
            if "plan" in details:
                _check_plan(details["plan"])
    return names - {""}


def _check_run(test: str, cast: Mapping[str, Any]) -> None:
    known = [HUMAN, *offered_subjects(found := registered_test(test)), *found.played.values()]
    for subject in cast.values():
        if subject not in known:
            raise BadParameter(f"It has sessions of {subject!r}, which pages do not load. {ELSEWHERE}")


def _check_plan(written: Any) -> None:
    try:
        found = check_confined(text_of(Study.read(written)))
    except (KeyError, TypeError, ValueError, AttributeError):
        raise BadFile("It holds a plan that cannot be read. Nothing was changed; ask for the archive again.") from None
    if isinstance(found, PlanFault):
        raise BadParameter(f"It holds a plan that pages do not load: {found.sentence} {ELSEWHERE}")


def _plain(error: MensuraError) -> str:
    """Leave out where the file lay for a moment."""
    said = str(error)
    start = said.find("/archive.zip")
    return said if start < 0 else f"The file{said[start + len('/archive.zip') :]}"
