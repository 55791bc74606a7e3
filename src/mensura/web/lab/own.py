"""Own: pages of the laboratory that packages bring by entry points of the group `mensura.pages`.

An entry point names a class with a `title`, a `page` as prompts have it (package, template, script, style), a method
`data()` for what the page is drawn with, and `answer(asked)` for what its script asks, as JSON both ways. One that
shows sessions has `replay(events, parameters, cast)` too: its script asks with a `session`, RUN/ADDRESS; who may not
read its transcript is refused. One that must administer a session again to show it has `rerun(events, instance)`.
"""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from starlette.responses import JSONResponse, Response

from mensura.dialogue import Instance
from mensura.errors import BadParameter, MensuraError, unknown
from mensura.extension import broken, extensions, load
from mensura.json_file import loads
from mensura.running.reference import administration, definition_of
from mensura.store.people.accounts import Account
from mensura.web.drawing.own_page import OwnPage
from mensura.web.errors import status_of
from mensura.web.lab.page import View, shows
from mensura.web.lab.pages.sessions import find_session
from mensura.web.lab.people.access import Form, allowed
from mensura.web.lab.people.rights import check_can
from mensura.web.lab.words import as_json
from mensura.web.laboratory import laboratory

router = APIRouter()
GROUP = "mensura.pages"
LONGEST = 200_000
"""Characters that a page may ask with."""
MOST_EVENTS = 200_000
"""Events of a session that are shown at once."""


def list_pages() -> list[str]:
    """Name the pages that there are, without importing them."""
    return sorted(extensions(GROUP))


def _found(name: str) -> tuple[Any, OwnPage]:
    points = extensions(GROUP)
    if name not in points:
        raise unknown("page", name, known=sorted(points), see="The page of tests links to all of them.")
    made = load(points[name])
    own = OwnPage.of(made)
    if own is None:
        raise broken(points[name], "it has no page")
    return made(), own


@shows(router, "/lab/pages/{page}", "own_page.html")
def own_page(page: str, account: Annotated[Account, Depends(allowed("start runs"))]) -> View:
    """Show a page."""
    found, own = _found(page)
    return {"name": page, "title": found.title, "own": own, "data": found.data()}


@router.post("/lab/pages/{page}", response_model=None)
def ask_page(
    request: Request, page: str, account: Annotated[Account, Depends(allowed("start runs"))], form: Form
) -> Response:
    """Answer what the script of a page asks; what is refused is said in words."""
    text = form.get("asked", "")
    try:
        if len(text) > LONGEST:
            raise BadParameter(f"A page asks with at most {LONGEST} characters; got {len(text)}.")
        try:
            asked = loads(text)
        except ValueError:
            raise BadParameter("What the page asks is not JSON.") from None
        found = _found(page)[0]
        wanted = (
            asked.get("session")
            if isinstance(asked, dict) and (hasattr(found, "replay") or hasattr(found, "rerun"))
            else None
        )
        said = found.answer(asked) if wanted is None else _replay(request, found, str(wanted), asked.get("seen"))
        return JSONResponse(as_json(said))
    except MensuraError as error:
        return JSONResponse({"fault": str(error)}, status_of(error))


def _replay(request: Request, found: Any, wanted: str, seen: Any) -> dict[str, Any]:
    """Show a session by its log; a page that has seen as many events already is told that nothing is new."""
    run, _, address = wanted.rpartition("/")
    head, session = find_session(request, run, address)
    check_can(request, "see transcripts")
    events = laboratory(request).store.transcript.page(session.id, limit=MOST_EVENTS)
    if seen == len(events):
        return {"seen": seen}
    if hasattr(found, "rerun"):
        instance = Instance(
            definition_of(head), head.parameters, head.own_seed(), session.address, **administration(head)
        )
        said: dict[str, Any] = found.rerun(events, instance)
    else:
        said = found.replay(events, head.parameters, session.cast)
    return {"seen": len(events), **said}
