"""Access: who asks. A browser shows the cookie of its login, a program its token."""

import math
import re
from collections.abc import Callable, Collection
from typing import Annotated
from urllib.parse import quote, urlsplit

from fastapi import Depends, Request
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from mensura.errors import UnknownName
from mensura.running.closing import close_expired
from mensura.store.people.accounts import Account
from mensura.web.errors import wants_json
from mensura.web.lab.office import office
from mensura.web.lab.people.permission import Action, NotAllowed
from mensura.web.lab.people.rights import HIDDEN, admit, belonging_of, rights_of
from mensura.web.laboratory import laboratory
from mensura.web.safety.csrf import check_csrf, read_form, set_cookie
from mensura.web.safety.security import address_of

COOKIE = "mensura-login"
PURPOSE = "login"
LOGIN_SECONDS = 12 * 3600
CSRF_HEADER = "x-csrf-token"


class NotLoggedIn(HTTPException):
    """Someone asks for a page without having logged in; a browser is led to the form."""

    def __init__(self, request: Request) -> None:
        if wants_json(request):
            words = "Log in first: send the cookie of your login, or a token as `Authorization: Bearer TOKEN`."
            super().__init__(401, words, headers={"WWW-Authenticate": "Bearer"})
            return
        part = "hx-request" in request.headers
        wanted = request.url.path + (f"?{request.url.query}" if request.url.query else "")
        if part:
            # A part asks for itself; a person who logs in again wants the whole page that it belongs to.
            wanted = _path(request.headers.get("hx-current-url", ""))
        target = "/lab/login" if request.method != "GET" else f"/lab/login?next={quote(safe_target(wanted))}"
        # For htmx, a redirect of the part would put the form inside the page.
        headers = {"HX-Redirect": target} if part else {"Location": target}
        super().__init__(200 if part else 303, "Please log in.", headers=headers)


def visitor(request: Request) -> Account | None:
    """Return the account of the person who asks; None if they have not logged in."""
    keys = laboratory(request).store.keys
    if "authorization" in request.headers:
        # A request with a token is judged by it alone, whatever cookies the browser sends along.
        scheme, _, token = request.headers["authorization"].partition(" ")
        return keys.who(token.strip(), kind="token") if scheme.lower() == "bearer" else None
    secret = _secret(request)
    return None if secret is None else keys.who(secret, kind="login")


def account_of(request: Request) -> Account:
    """Return the account of the person who asks, or send them to log in."""
    known: Account | None = getattr(request.state, "account", None)
    if known is None:
        known = visitor(request)
        if known is None:
            raise NotLoggedIn(request)
        request.state.account = known
    return known


def allowed(action: Action) -> Callable[[Request], Account]:
    """Make the dependency of a route that only some roles may use, and only with studies that they may see.

    A study or an invitation that the address names is looked at here; a run is where it is found (`exact_run`).
    """
    listed = listing(action)

    def check(request: Request) -> Account:
        account = listed(request)
        named = request.path_params
        if "study" in named:
            admit(request, {named["study"]})
        elif "/invitations/" in request.url.path and "number" in named:
            admit(request, _studies_of(request, named["number"]))
        elif "run" not in named:
            admit(request, ())
        return account

    return check


def _studies_of(request: Request, number: str) -> Collection[str]:
    """Return the studies of an invitation; none of one that is not there, which its page says."""
    if not re.fullmatch(r"[0-9]{1,15}", number):
        # Other ways to write a number would be read as one further on.
        raise UnknownName(HIDDEN)
    try:
        return belonging_of(request).of_invitation(laboratory(request).store.invitations.get(int(number)))
    except UnknownName:
        return ()


def listing(action: Action) -> Callable[[Request], Account]:
    """Make the dependency of a route that finds by itself what may be seen, as lists do (`sees`, `admit`)."""

    def check(request: Request) -> Account:
        account = account_of(request)
        request.state.action = action
        if not rights_of(request).may_somewhere(action):
            raise NotAllowed(account, action)
        lab = laboratory(request)
        if lab.beats.wait("expired links") == 0:
            close_expired(lab.store)
        return account

    return check


async def own_form(request: Request) -> dict[str, str]:
    """Read a form that came from a page of ours."""
    return await read_form(request)


Form = Annotated[dict[str, str], Depends(own_form)]


def check_program(request: Request) -> None:
    """Let a token do anything its account may; the cookie of a browser needs the word of a page of ours with it."""
    account_of(request)
    if "authorization" not in request.headers:
        check_csrf(request, {"csrf": request.headers.get(CSRF_HEADER, "")})


def log_in(request: Request, name: str, password: str) -> Account | None:
    """Check name and password; None where they do not fit.

    Tries are counted by address and by name: neither many names from one place nor one name from many places may be
    tried for long.
    """
    tries = office(request).tries
    wait = max(tries.wait(f"from {address_of(request)}"), tries.wait(f"as {name[:100]}"))
    if wait > 0:
        words = f"Too many tries. Please wait {math.ceil(wait)} seconds before the next one."
        raise HTTPException(429, words, headers={"Retry-After": str(math.ceil(wait))})
    store = laboratory(request).store
    account = store.accounts.check(name, password=password)
    store.trail.note(_clean(name), "logged in" if account else "failed to log in", _clean(address_of(request)))
    return account


def let_in(request: Request, account: Account, target: str) -> Response:
    """Give a browser its cookie and lead it on."""
    secret, _ = laboratory(request).store.keys.give(account, kind="login", seconds=LOGIN_SECONDS)
    response = RedirectResponse(target, 303)
    wrapped = laboratory(request).signer.wrap(secret, purpose=PURPOSE)
    set_cookie(request, response, COOKIE, wrapped, seconds=LOGIN_SECONDS)
    return response


def let_out(request: Request) -> Response:
    """End a login: the key is forgotten here, not only there."""
    store = laboratory(request).store
    secret = _secret(request)
    if secret is not None:
        account = store.keys.who(secret, kind="login")
        store.keys.take_back(secret)
        if account is not None:
            store.trail.note(account.name, "logged out")
    response = RedirectResponse("/lab/login", 303)
    response.delete_cookie(COOKIE, path="/", httponly=True, samesite="lax")
    return response


def safe_target(wanted: str) -> str:
    """Return the page to go to after logging in, if it is one of ours.

    >>> safe_target("/lab/runs?test=coin-v1"), safe_target("//evil.example/lab"), safe_target("https://evil.example")
    ('/lab/runs?test=coin-v1', '/lab', '/lab')
    """
    return wanted if wanted == "/lab" or (wanted.startswith(("/lab/", "/lab?")) and "\\" not in wanted) else "/lab"


def _path(address: str) -> str:
    """Return the part of an address that a browser asks this server for."""
    parts = urlsplit(address)
    return parts.path + (f"?{parts.query}" if parts.query else "")


def _secret(request: Request) -> str | None:
    return laboratory(request).signer.unwrap(request.cookies.get(COOKIE, ""), purpose=PURPOSE)


def _clean(text: str) -> str:
    return "".join(sign for sign in text if sign.isprintable())[:100]
