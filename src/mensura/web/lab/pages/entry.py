"""Entry: logging in and out, and a new password by a link that works once."""

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from mensura.errors import BadParameter, MensuraError, UnknownName
from mensura.store.people.accounts import Account, check_new
from mensura.web.errors import error_page
from mensura.web.lab.page import draw
from mensura.web.lab.people.access import (
    HALF_SECONDS,
    Form,
    ended_words,
    give_code,
    let_in,
    let_out,
    log_in,
    safe_target,
    visitor,
)
from mensura.web.lab.people.rights import rights_of
from mensura.web.laboratory import laboratory
from mensura.web.safety.security import address_of

router = APIRouter()


@router.get("/lab/login", response_model=None)
def login_page(request: Request, next: str = "/lab", ended: str = "") -> Response:
    """Show the form, or lead on who is logged in already."""
    if visitor(request) is not None:
        return RedirectResponse(safe_target(next), 303)
    return draw(request, "login.html", next=safe_target(next), name="", fault=ended_words(request) if ended else "")


@router.post("/lab/login", response_model=None)
def login(request: Request, form: Form) -> Response:
    """Check name and password."""
    name, target = form.get("name", "").strip(), safe_target(form.get("next", "/lab"))
    account = log_in(request, name, form.get("password", ""))
    if account is None:
        fault = "Name or password is wrong. Please try again."
        return draw(request, "login.html", status=401, next=target, name=name, fault=fault)
    store = laboratory(request).store
    if store.second_factors.is_on(account):
        half, _ = store.keys.give(account, kind="half", seconds=HALF_SECONDS)
        return draw(request, "login_code.html", next=target, half=half, fault="")
    return _in(request, account, target)


@router.post("/lab/login/code", response_model=None)
def login_code(request: Request, form: Form) -> Response:
    """Check the code that is asked for beside the password."""
    half, target = form.get("half", ""), safe_target(form.get("next", "/lab"))
    try:
        account = give_code(request, half, form.get("code", ""))
    except UnknownName as error:
        return draw(request, "login.html", status=401, next=target, name="", fault=str(error))
    if account is None:
        fault = "This code is wrong, or was used before. Wait for the next one, or give a recovery code."
        return draw(request, "login_code.html", status=401, next=target, half=half, fault=fault)
    return _in(request, account, target)


def _in(request: Request, account: Account, target: str) -> Response:
    request.state.account = account
    return let_in(request, account, rights_of(request).home if target == "/lab" else target)


@router.get("/lab/reset/{secret}", response_model=None)
def reset_page(request: Request, secret: str) -> Response:
    """Show the form for a new password; looking does not use the link up."""
    account = laboratory(request).store.keys.who(secret, kind="reset")
    if account is None:
        return _used_up(request)
    return draw(request, "reset.html", name=account.name, secret=secret, fault="")


@router.post("/lab/reset/{secret}", response_model=None)
def reset(request: Request, secret: str, form: Form) -> Response:
    """Set a new password by the link, once; every login and token of the account ends."""
    store = laboratory(request).store
    account = store.keys.who(secret, kind="reset")
    if account is None:
        return _used_up(request)
    try:
        check_twice(form)
    except MensuraError as error:
        return draw(request, "reset.html", status=400, name=account.name, secret=secret, fault=str(error))
    if store.keys.use_up(secret, kind="reset") is None:
        return _used_up(request)
    store.accounts.set_password(account.name, password=form.get("new", ""))
    store.keys.take_back_all(account)
    store.trail.note(account.name, "set a new password by a link", address_of(request))
    done = "Your password is changed, and all other logins have ended. Please log in."
    return draw(request, "login.html", next="/lab", name=account.name, fault="", done=done)


def check_twice(form: Form) -> None:
    """Refuse a new password that was typed in two ways, or is too short."""
    if form.get("new", "") != form.get("again", ""):
        raise BadParameter("The two new passwords differ; nothing was changed. Type the same one twice.")
    check_new(form.get("new", ""))


def _used_up(request: Request) -> Response:
    words = "This link was used, or its time is over. Ask the person who created this laboratory for a new one."
    return error_page(request, 410, words)


@router.post("/lab/logout", response_model=None)
def logout(request: Request, form: Form) -> Response:
    """End the login."""
    return let_out(request)
