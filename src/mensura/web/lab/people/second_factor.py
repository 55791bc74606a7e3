"""Second factor: set up, confirmed and taken off by the person whose it is."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import RedirectResponse, Response

from mensura.errors import BadParameter, MensuraError
from mensura.store.people.accounts import Account
from mensura.store.people.one_time_code import grouped, otpauth
from mensura.web.errors import status_of
from mensura.web.lab.page import draw
from mensura.web.lab.people.access import Form, allowed, count_try, with_login
from mensura.web.laboratory import laboratory

router = APIRouter()
Anyone = Annotated[Account, Depends(allowed("see own account"))]


@router.post("/lab/me/second-factor", response_model=None)
def begin(request: Request, account: Anyone, form: Form) -> Response:
    """Draw a key for an app; nothing is asked for until a code of it was given."""
    laboratory(request).store.second_factors.begin(account)
    return _setting_up(request, account)


@router.post("/lab/me/second-factor/confirm", response_model=None)
def confirm(request: Request, account: Anyone, form: Form) -> Response:
    """Ask for codes from now on; the recovery codes are on this answer and never again."""
    store = laboratory(request).store
    count_try(request, account.name)
    try:
        recovery = store.second_factors.confirm(account, form.get("code", ""))
    except BadParameter as error:
        return _setting_up(request, account, error)
    store.keys.take_back_all(account, kind="login")
    store.trail.note(account.name, "set up a second factor")
    return with_login(request, draw(request, "second_factor.html", recovery=recovery), account)


@router.post("/lab/me/second-factor/off", response_model=None)
def take_off(request: Request, account: Anyone, form: Form) -> Response:
    """Ask for no code any more, by password and code."""
    store = laboratory(request).store
    count_try(request, account.name)
    known = store.accounts.check(account.name, password=form.get("password", "")) is not None
    if not known or not store.second_factors.check(account, form.get("code", "")):
        raise BadParameter("Password or code is wrong; the second factor stays. Go back and try again.")
    store.second_factors.end(account)
    store.trail.note(account.name, "took off a second factor", account.name)
    return RedirectResponse("/lab/me", 303)


def _setting_up(request: Request, account: Account, error: MensuraError | None = None) -> Response:
    secret = laboratory(request).store.second_factors.pending(account)
    shown = {"key": grouped(secret), "address": otpauth(secret, account.name), "recovery": []}
    status = 200 if error is None else status_of(error)
    return draw(request, "second_factor.html", status=status, fault=str(error or ""), **shown)
