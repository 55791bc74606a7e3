"""Access: who asks. A browser shows the cookie of its login, a program its token."""

import math
import re
from collections.abc import Callable, Collection
from typing import Annotated
from urllib.parse import quote, urlsplit

from fastapi import Depends, Path, Request
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from mensura.errors import UnknownName
from mensura.running.people.closing import close_expired
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
HALF_SECONDS = 300.0
"""How long someone who gave the right password has to give the code."""
CSRF_HEADER = "x-csrf-token"
Number = Annotated[int, Path(ge=1, le=2**53)]
"""A number in an address; a store can look up every one of these."""


class NotLoggedIn(HTTPException):
    """Someone asks for a page without having logged in; a browser is led to the form."""

    def __init__(self, request: Request) -> None:
        if wants_json(request):
            words = "Log in first: send the cookie of your login, or a token as `Authorization: Bearer TOKEN`."
            words = f"{ended_words(request)} {words}".strip()
            super().__init__(401, words, headers={"WWW-Authenticate": "Bearer"})
            return
        part = "hx-request" in request.headers
        wanted = request.url.path + (f"?{request.url.query}" if request.url.query else "")
        if part:
            # A part asks for itself; a person who logs in again wants the whole page that it belongs to.
            wanted = _path(request.headers.get("hx-current-url", ""))
        target = "/lab/login" if request.method != "GET" else f"/lab/login?next={quote(safe_target(wanted))}"
        if ended_words(request):
            target += f"{'&' if '?' in target else '?'}ended=yes"
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
    if secret is None:
        return None
    # Parts that renew themselves go on when nobody is there.
    using = request.method != "GET" or "hx-request" not in request.headers or "hx-boosted" in request.headers
    return keys.who(secret, kind="login", idle=laboratory(request).settings.idle_seconds, using=using)


def ended_words(request: Request) -> str:
    """Return a message that a login is over; empty where there was none."""
    if _secret(request) is None:
        return ""
    settings = laboratory(request).settings
    idle = f" and after {_long(settings.idle_seconds)} without a page being opened" if settings.idle_seconds else ""
    return f"Your login has ended. It does so after {_long(settings.login_seconds)}{idle}, and with a new password."


def _long(seconds: float) -> str:
    """Write how long a login lasts.

    >>> _long(7200), _long(5400)
    ('2 hours', '90 minutes')
    """
    return f"{seconds / 3600:g} hours" if seconds % 3600 == 0 and seconds > 3600 else f"{seconds / 60:g} minutes"


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

    A study, panel or invitation that the address names is looked at here; a run is where it is found (`exact_run`).
    """
    listed = listing(action)

    def check(request: Request) -> Account:
        account = listed(request)
        named = request.path_params
        if "study" in named:
            _check_there(request, named["study"], belonging_of(request).studies)
            admit(request, {named["study"]})
        elif "panel" in named:
            belonging = belonging_of(request)
            _check_there(request, named["panel"], belonging.panels)
            admit(request, belonging.of_panel(named["panel"]))
        elif "/invitations/" in request.url.path and "number" in named:
            admit(request, _studies_of(request, named["number"]))
        elif "run" not in named:
            admit(request, ())
        return account

    return check


def _check_there(request: Request, name: str, known: Collection[str]) -> None:
    """Refuse what is not there without the names near to it, which may be those of what is hidden."""
    if rights_of(request).closed and name not in known:
        raise UnknownName(HIDDEN)


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
    count_try(request, name)
    store = laboratory(request).store
    account = store.accounts.check(name, password=password)
    half = account is not None and store.second_factors.is_on(account)
    did = "failed to log in" if account is None else "gave the password, and needs a code" if half else "logged in"
    store.trail.note(_clean(name), did, _clean(address_of(request)))
    return account


def count_try(request: Request, name: str) -> None:
    """Count a try to log in, and refuse it where there were too many."""
    tries = office(request).tries
    wait = max(tries.wait(f"from {address_of(request)}"), tries.wait(f"as {name[:100]}"))
    if wait > 0:
        words = f"Too many tries. Please wait {math.ceil(wait)} seconds before the next one."
        raise HTTPException(429, words, headers={"Retry-After": str(math.ceil(wait))})


def give_code(request: Request, half: str, code: str) -> Account | None:
    """Check the code of someone who gave the right password; None where it does not fit.

    Raises
    ------
    UnknownName
        If the password must be given again.
    """
    store = laboratory(request).store
    account = store.keys.who(half, kind="half")
    if account is None:
        raise UnknownName("That took too long, or was done already. Please give name and password again.")
    count_try(request, account.name)
    if not store.second_factors.check(account, code):
        store.trail.note(account.name, "gave a wrong code", _clean(address_of(request)))
        return None
    store.keys.take_back(half)
    store.trail.note(account.name, "logged in", _clean(address_of(request)), second_factor=True)
    return account


def let_in(request: Request, account: Account, target: str) -> Response:
    """Give a browser its cookie and lead it on."""
    return with_login(request, RedirectResponse(target, 303), account)


def with_login(request: Request, response: Response, account: Account) -> Response:
    """Give an answer the cookie of a new login."""
    seconds = laboratory(request).settings.login_seconds
    secret, _ = laboratory(request).store.keys.give(account, kind="login", seconds=seconds)
    wrapped = laboratory(request).signer.wrap(secret, purpose=PURPOSE)
    set_cookie(request, response, COOKIE, wrapped, seconds=int(seconds))
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
