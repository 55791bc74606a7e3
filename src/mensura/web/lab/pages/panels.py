"""Panels: raters find their work, experimenters see how far it is; nobody sees here what was rated."""

import shlex
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import RedirectResponse, Response

from mensura.report.page import html_page
from mensura.report.panel import panel_report
from mensura.running.panel import close, invite_raters, progress_of, results
from mensura.store.people.accounts import Account
from mensura.store.people.copies import REPORTED
from mensura.web.lab.download import file_name, html_file
from mensura.web.lab.page import View, draw, shows
from mensura.web.lab.people.access import Form, allowed, listing
from mensura.web.lab.people.permission import Action
from mensura.web.lab.people.rating import way_to, work_of
from mensura.web.lab.people.rights import admit, belonging_of, rights_of, sees
from mensura.web.laboratory import laboratory

router = APIRouter()


@shows(router, "/lab/panels", "panels.html")
def panels(request: Request, account: Annotated[Account, Depends(listing("see panels"))]) -> View:
    """Show a rater their work, an experimenter how far all raters are."""
    store = laboratory(request).store
    shown: View = {"work": work_of(store, account, among=_seen(request, "rate")), "panels": None}
    if rights_of(request).may_somewhere("see progress of raters"):
        shown["panels"] = [progress_of(name, store=store) for name in _seen(request, "see progress of raters")]
    return shown


def _seen(request: Request, action: Action) -> list[str]:
    """Name the panels with which someone may do something."""
    belonging = belonging_of(request)
    return [
        name for name in laboratory(request).store.panels.names() if sees(request, belonging.of_panel(name), action)
    ]


@router.post("/lab/panels/work", response_model=None)
def go_on(request: Request, account: Annotated[Account, Depends(listing("rate"))], form: Form) -> Response:
    """Lead a rater to a piece of their work."""
    store = laboratory(request).store
    path = way_to(store, account, form.get("session", ""), among=_seen(request, "rate"))
    store.trail.note(account.name, "went to rate", form.get("session", ""))
    return RedirectResponse(path, 303)


@router.post("/lab/panels/links", response_model=None)
def links(request: Request, account: Annotated[Account, Depends(listing("make invitations"))], form: Form) -> Response:
    """Make links for the people of a panel who have none; they are shown on this answer and never again."""
    store, name = laboratory(request).store, _named(request, form)
    made = invite_raters(name, store=store, created_by=account.name)
    store.trail.note(account.name, "made links for raters", name, count=len(made))
    base = str(request.base_url).rstrip("/")
    shown = [{"rater": one.rater, "url": f"{base}/p/{one.token}"} for one in made]
    return draw(request, "rater_links.html", links=shown, panel=name)


def _named(request: Request, form: Form) -> str:
    """Return the name of the panel that a form is about, if it may be seen."""
    name = form.get("panel", "")
    admit(request, belonging_of(request).of_panel(name))
    return laboratory(request).store.panels.get(name).name


@router.post("/lab/panels/close", response_model=None)
def close_one(
    request: Request, account: Annotated[Account, Depends(listing("make invitations"))], form: Form
) -> Response:
    """End rating in a panel; from then on its conditions are told."""
    store, name = laboratory(request).store, _named(request, form)
    close(name, store=store, who=account.name, unfinished=form.get("unfinished") == "yes")
    return RedirectResponse("/lab/panels", 303)


@router.get("/lab/panels/{panel}/export", response_model=None)
def panel_file(
    request: Request, panel: str, account: Annotated[Account, Depends(allowed("see progress of raters"))]
) -> Response:
    """Return what the raters of a closed panel found as one file, and note who took it."""
    store = laboratory(request).store
    found = results(panel, store=store)
    runs, again = store.panels.runs(panel), f"panel close {shlex.quote(panel)}"
    store.copies.note(account.name, REPORTED, ", ".join(runs), runs=runs, again=again)
    return html_file(html_page(panel_report(found)), file_name(panel, "-panel.html"))
