"""Accounts: who may log in, one's own password, and tokens for programs."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from mensura.errors import BadParameter, MensuraError
from mensura.store.people.accounts import ROLES, Account
from mensura.web.errors import status_of
from mensura.web.lab.page import View, draw, shows
from mensura.web.lab.pages.entry import check_twice
from mensura.web.lab.pages.tests import real
from mensura.web.lab.people.access import Form, Number, allowed, let_in
from mensura.web.lab.people.permission import MAY
from mensura.web.laboratory import laboratory

router = APIRouter()
DAY = 86_400.0
MOST_DAYS = 366.0
Manager = Annotated[Account, Depends(allowed("manage accounts"))]
Anyone = Annotated[Account, Depends(allowed("see own account"))]


@shows(router, "/lab/accounts", "accounts.html")
def accounts(request: Request, account: Manager) -> View:
    """Show who may log in, and which role may do what."""
    store = laboratory(request).store
    creator = store.accounts.creator()
    rows = [
        {
            "name": one.name,
            "role": one.role,
            "created": one.created,
            "disabled": one.disabled,
            "second_factor": store.second_factors.is_on(one),
            "resettable": account in (one, creator) and not one.disabled,
        }
        for one in store.accounts.all()
    ]
    table = [{"action": action, **{role: role in roles for role in ROLES}} for action, roles in MAY.items()]
    return {"rows": rows, "roles": list(ROLES), "may": table, "fault": "", "given": {}, "link": "", "link_for": ""}


@router.post("/lab/accounts", response_model=None)
def add(request: Request, account: Manager, form: Form) -> Response:
    """Make an account."""
    store = laboratory(request).store
    try:
        made = store.accounts.add(form.get("name", ""), password=form.get("password", ""), role=form.get("role", ""))
    except MensuraError as error:
        kept = {field: form.get(field, "") for field in ("name", "role")}
        shown = {**accounts(request, account), "fault": str(error), "given": kept}
        return draw(request, "accounts.html", status=status_of(error), **shown)
    store.trail.note(account.name, "made an account", made.name, role=made.role)
    return RedirectResponse("/lab/accounts", 303)


@router.post("/lab/accounts/{name}/disabled", response_model=None)
def disable(request: Request, name: str, account: Manager, form: Form) -> Response:
    """Let nobody log in as an account any more, or again."""
    if name == account.name:
        raise BadParameter("You cannot disable the account that you are using.")
    disabled = form.get("disabled") == "yes"
    store = laboratory(request).store
    store.accounts.disable(name, disabled=disabled)
    store.trail.note(account.name, "disabled an account" if disabled else "enabled an account", name)
    return RedirectResponse("/lab/accounts", 303)


@router.post("/lab/accounts/{name}/reset", response_model=None)
def make_reset(request: Request, name: str, account: Manager, form: Form) -> Response:
    """Make a link by which someone sets a new password; it is shown once.

    Anyone with the link can log in as that account and see what it sees. So only the account itself and the
    creator of the laboratory may make one.
    """
    store = laboratory(request).store
    found, creator = store.accounts.find(name), store.accounts.creator()
    if account not in (found, creator):
        store.trail.note(account.name, "was refused a link to a new password", name)
        helper = f"or {creator.name}, who created this laboratory, " if creator else ""
        raise HTTPException(
            403,
            f"Only {name} {helper}may make a link to a new password of {name}. `mensura account reset {name}` on the "
            "laboratory's own machine makes one too. Nothing was changed.",
        )
    if found.disabled:
        raise BadParameter(f"{name} is disabled and cannot log in; enable the account first.")
    link = f"{str(request.base_url).rstrip('/')}{store.keys.give_link(found, seconds=DAY)}"
    store.trail.note(account.name, "made a link to a new password", name)
    return draw(request, "accounts.html", **{**accounts(request, account), "link": link, "link_for": name})


@router.post("/lab/accounts/{name}/second-factor", response_model=None)
def take_off(request: Request, name: str, account: Manager, form: Form) -> Response:
    """Take off the second factor of someone who lost it."""
    store = laboratory(request).store
    store.second_factors.end(store.accounts.find(name))
    store.trail.note(account.name, "took off a second factor", name)
    return RedirectResponse("/lab/accounts", 303)


@shows(router, "/lab/me", "me.html")
def me(request: Request, account: Anyone) -> View:
    """Show one's own account and tokens."""
    store = laboratory(request).store
    tokens = store.keys.of(account, kind="token")
    return {
        "name": account.name,
        "role": account.role,
        "tokens": [
            {"number": one.number, "label": one.label, "created": one.created, "expires": one.expires} for one in tokens
        ],
        "second_factor": store.second_factors.is_on(account),
        "recovery_left": store.second_factors.left(account),
        "fault": "",
        "secret": "",
    }


@router.post("/lab/me/password", response_model=None)
def password(request: Request, account: Anyone, form: Form) -> Response:
    """Change one's own password; every other login and token of the account ends."""
    store = laboratory(request).store
    try:
        if store.accounts.check(account.name, password=form.get("old", "")) is None:
            raise BadParameter("The old password is wrong; nothing was changed.")
        check_twice(form)
        store.accounts.set_password(account.name, password=form.get("new", ""))
    except MensuraError as error:
        return draw(request, "me.html", status=400, **{**me(request, account), "fault": str(error)})
    store.keys.take_back_all(account)
    store.trail.note(account.name, "changed the password")
    return let_in(request, account, "/lab/me")


@router.post("/lab/me/tokens", response_model=None)
def give_token(request: Request, account: Anyone, form: Form) -> Response:
    """Make a token for programs; it is shown once."""
    store = laboratory(request).store
    try:
        days = real(form.get("days", "") or "30", "days")
        if not 0 < days <= MOST_DAYS:
            raise BadParameter(f"A token works for more than 0 and at most {MOST_DAYS:g} days.")
        secret, key = store.keys.give(account, kind="token", seconds=days * DAY, label=form.get("label", "").strip())
    except MensuraError as error:
        return draw(request, "me.html", status=400, **{**me(request, account), "fault": str(error)})
    store.trail.note(account.name, "made a token", f"token {key.number}", days=days)
    return draw(request, "me.html", **{**me(request, account), "secret": secret})


@router.post("/lab/me/tokens/{number}/end", response_model=None)
def end_token(request: Request, number: Number, account: Anyone, form: Form) -> Response:
    """Let a token of one's own open nothing any more."""
    store = laboratory(request).store
    store.keys.take_back_number(number, account=account)
    store.trail.note(account.name, "ended a token", f"token {number}")
    return RedirectResponse("/lab/me", 303)
