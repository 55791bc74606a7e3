"""Members: who belongs to a study and as what, and who looked at it."""

from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Depends, Request
from starlette.responses import RedirectResponse, Response

from mensura.errors import MensuraError
from mensura.running.study.membership.joining import add_member, remove_member, require_begun
from mensura.running.study.membership.looking import trail_of, whose
from mensura.store.people.accounts import Account
from mensura.store.people.members import STUDY_ROLES
from mensura.web.errors import status_of
from mensura.web.lab.page import View, draw, shows
from mensura.web.lab.people.access import Form, allowed
from mensura.web.lab.people.permission import MAY_IN_STUDY
from mensura.web.laboratory import laboratory

router = APIRouter()
LINES = 200
Owner = Annotated[Account, Depends(allowed("manage members"))]


@shows(router, "/lab/studies/{study}/members", "members.html")
def members(request: Request, account: Owner, study: str) -> View:
    """Show who belongs to a study, what each may do, and who looked at it."""
    store = laboratory(request).store
    require_begun(study, store=store)
    found = store.members.of(study)
    known = {one.name for one in found}
    return {
        "study": study,
        "rows": [vars(one) for one in found],
        "others": [one.name for one in store.accounts.all() if one.name not in known and not one.disabled],
        "roles": list(STUDY_ROLES),
        "may": [{"action": action, "roles": sorted(roles)} for action, roles in MAY_IN_STUDY.items()],
        "trail": [{**vars(line), "whose": whose(line)} for line in trail_of(study, store=store)[:LINES]],
        "fault": "",
        "given": {},
    }


@router.post("/lab/studies/{study}/members", response_model=None)
def put(request: Request, account: Owner, study: str, form: Form) -> Response:
    """Let an account belong to the study, or belong to it as something else."""
    try:
        add_member(study, form.get("name", ""), form.get("role", ""), store=laboratory(request).store, who=account.name)
    except MensuraError as error:
        return _again(request, account, study, error, form)
    return _back(study)


@router.post("/lab/studies/{study}/members/remove", response_model=None)
def remove(request: Request, account: Owner, study: str, form: Form) -> Response:
    """Let an account belong to the study no longer."""
    try:
        remove_member(study, form.get("name", ""), store=laboratory(request).store, who=account.name)
    except MensuraError as error:
        return _again(request, account, study, error, {})
    return _back(study)


def _back(study: str) -> Response:
    return RedirectResponse(f"/lab/studies/{quote(study, safe='')}/members", 303)


def _again(request: Request, account: Account, study: str, error: MensuraError, form: Form) -> Response:
    shown = {**members(request, account, study), "fault": str(error), "given": form}
    return draw(request, "members.html", status=status_of(error), **shown)
