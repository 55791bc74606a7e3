"""Invitations: where each participant is, and links that are closed. A separate page shows who they are."""

import time
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import RedirectResponse, Response

from mensura.errors import BadParameter
from mensura.running.people.closing import close_link, withdraw
from mensura.store.people.accounts import Account
from mensura.web.lab.page import View, draw, shows
from mensura.web.lab.pages.exports import StudyName, named_people
from mensura.web.lab.people.access import Form, Number, allowed, listing
from mensura.web.lab.people.rights import admit, belonging_of, seen_invitations
from mensura.web.lab.runs.progress import invitation_counts, invitation_rows
from mensura.web.laboratory import laboratory
from mensura.web.safety.security import address_of

router = APIRouter()
PAGE = 100
MOST_WORDS = 2000
WEEK_SECONDS = 7 * 86_400.0
Inviter = Annotated[Account, Depends(listing("see invitations"))]
Before = Annotated[int | None, Query(ge=1, le=2**53)]


@shows(router, "/lab/invitations", "invitations.html")
def invitations(request: Request, account: Inviter, before: Before = None) -> View:
    """Show the invitations, the newest first."""
    store = laboratory(request).store
    found = seen_invitations(request, limit=PAGE + 1, before=before)
    return {
        "rows": invitation_rows(store, found[:PAGE]),
        "counts": invitation_counts(seen_invitations(request)),
        "before": before,
        "next": found[PAGE - 1].number if len(found) > PAGE else None,
    }


@router.get("/lab/invitations/live", response_model=None)
def invitations_live(request: Request, account: Inviter, before: Before = None) -> Response:
    """Return the part of the page that changes."""
    return draw(request, "invitations_live.html", **invitations(request, account, before))


@router.post("/lab/invitations/{number}/close", response_model=None)
def close(
    request: Request, number: Number, account: Annotated[Account, Depends(allowed("make invitations"))], form: Form
) -> Response:
    """Close a link: it opens no longer, and what was answered stays."""
    store = laboratory(request).store
    close_link(store, number, who=account.name)
    store.trail.note(account.name, "closed a link", f"invitation {number}")
    return RedirectResponse("/lab/invitations", 303)


@router.get("/lab/invitations/{number}/erase", response_model=None)
def erasing(
    request: Request, number: Number, account: Annotated[Account, Depends(allowed("make invitations"))]
) -> Response:
    """Show what erasing a participant means, before it is done."""
    store = laboratory(request).store
    found = store.invitations.get(number)
    return draw(request, "erase.html", one=invitation_rows(store, [found])[0], copies=store.copies.told(found))


@router.post("/lab/invitations/{number}/erase", response_model=None)
def erase(
    request: Request, number: Number, account: Annotated[Account, Depends(allowed("make invitations"))], form: Form
) -> Response:
    """Erase a participant who asked for it and cannot do so by their link."""
    lab = laboratory(request)
    if lab.store.invitations.get(number).status != "withdrawn":
        if form.get("sure") != "yes":
            raise BadParameter("Nothing was erased: confirm that this person asked for it.")
        for name in withdraw(lab.store, number, who=account.name):
            lab.sessions.forget(name)
    return RedirectResponse("/lab/invitations", 303)


@router.post("/lab/invitations/{number}/extend", response_model=None)
def extend(
    request: Request, number: Number, account: Annotated[Account, Depends(allowed("make invitations"))], form: Form
) -> Response:
    """Let a link stay open a week longer."""
    store = laboratory(request).store
    expires = max(store.invitations.get(number).expires or 0.0, time.time()) + WEEK_SECONDS
    store.invitations.extend(number, expires=expires)
    store.trail.note(account.name, "extended a link", f"invitation {number}", expires=expires)
    return RedirectResponse("/lab/invitations", 303)


@shows(router, "/lab/identities", "identities.html")
def identities(
    request: Request, account: Annotated[Account, Depends(listing("see identities"))], study: StudyName = ""
) -> View:
    """Show who the participants are, of one study where it is named, and nothing of what they did."""
    return {"rows": named_people(request, account, study, limit=PAGE), "study": study}


@router.post("/lab/identities", response_model=None)
def name(request: Request, account: Annotated[Account, Depends(listing("see identities"))], form: Form) -> Response:
    """Write down who a participant is."""
    number = form.get("invitation", "")
    if not number.isdecimal() or len(number) > 12:
        raise BadParameter("Say which invitation is meant.")
    store = laboratory(request).store
    found = store.invitations.get(int(number))
    studies = belonging_of(request).of_invitation(found)
    admit(request, studies)
    if found.status == "withdrawn":
        raise BadParameter("This participant has withdrawn; nothing may be kept about them.")
    fields = {field: form.get(field, "").strip() for field in ("name", "contact", "notes")}
    if any(len(text) > MOST_WORDS or "\x00" in text for text in fields.values()):
        raise BadParameter(f"Name, contact and notes have at most {MOST_WORDS} characters each.")
    store.invitations.name(found.number, **fields)
    for study in studies or {""}:
        told = {"invitations": [found.number], "address": address_of(request)}
        store.trail.note(account.name, "wrote down an identity", study, **told)
    return RedirectResponse("/lab/identities" + (f"?study={quote(form['study'])}" if form.get("study") else ""), 303)
