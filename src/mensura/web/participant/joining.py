"""Joining: the one link of a study. Those who come are asked what assignment needs, and led to their own place."""

from collections.abc import Mapping
from secrets import token_urlsafe
from typing import Annotated, Any

from fastapi import APIRouter, Path
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from mensura.errors import BadParameter, UnknownName
from mensura.phrase import Sentence, phrase
from mensura.running.study.people.arriving import (
    UNANSWERED,
    Entrance,
    arrive,
    entrance,
    known_place,
    refusal,
    ticket_when_full,
)
from mensura.running.study.people.brand import Brand
from mensura.running.study.people.platform import (
    BROWSER,
    NAMES,
    PARAMETERS,
    Arrival,
    ReturnTicket,
    is_preview,
    read_arrival,
)
from mensura.web.laboratory import laboratory
from mensura.web.page import page
from mensura.web.participant.routes import slow_down
from mensura.web.safety.csrf import read_form, set_cookie
from mensura.web.safety.security import address_of

router = APIRouter(prefix="/join", include_in_schema=False)
BRANDED = ("name", "logo", "colour", "contact")
COOKIE = "mensura-place"
PURPOSE = "place"
COOKIE_SECONDS = 400 * 86_400
Token = Annotated[str, Path(max_length=100)]
LOOKING = phrase(
    "This is only a look at the study. Accept the task first; then open this page again, and you can take part."
)
FROM_PLATFORM = phrase(
    "People take part in this study by way of {platform}, and who you are there did not come along. Please open the "
    "study from its page on {platform}."
)


@router.get("/{token}")
async def look(request: Request, token: Token) -> Response:
    """Lead those who have a place to it; ask the others whether they want one."""
    return await run_in_threadpool(_look, request, token)


@router.post("/{token}")
async def join(request: Request, token: Token) -> Response:
    """Give someone their place."""
    form = await read_form(request)
    return await run_in_threadpool(_join, request, token, form)


def _look(request: Request, token: str) -> Response:
    door, query = _door(request, token), dict(request.query_params)
    if is_preview(query):
        return _told(request, LOOKING)
    arrival = _arrival(request, door, query)
    if why := _not_from_there(door, arrival):
        return _told(request, why, 400)
    store = laboratory(request).store
    if arrival is not None and known_place(door, arrival, store=store) is not None:
        return RedirectResponse(f"/p/{arrival.token(door.link.secret)}", 303)
    if why := refusal(door, store=store):
        return _told(request, why, 410, ticket_when_full(door, arrival))
    return _form(request, door, query)


def _join(request: Request, token: str, form: Mapping[str, str]) -> Response:
    door = _door(request, token)
    arrival, new = _arrival(request, door, form), ""
    if is_preview(form) or (why := _not_from_there(door, arrival)):
        return _told(request, LOOKING if is_preview(form) else why, 400)
    if arrival is None:
        new = token_urlsafe(18)
        arrival = Arrival(BROWSER, new)
    answers = {name.removeprefix("q."): value for name, value in form.items() if name.startswith("q.")}
    try:
        place = arrive(door, arrival, answers, store=laboratory(request).store)
    except BadParameter as error:
        if str(error) == UNANSWERED:
            return _form(request, door, form, note=UNANSWERED, status=422)
        return _told(request, Sentence(str(error)), 410, ticket_when_full(door, arrival))
    response = RedirectResponse(f"/p/{place}", 303)
    if new:
        kept = laboratory(request).signer.wrap(new, purpose=PURPOSE)
        set_cookie(request, response, COOKIE, kept, seconds=COOKIE_SECONDS)
    return response


def _door(request: Request, token: str) -> Entrance:
    slow_down(request.app.state.page_limit.wait(f"join from {address_of(request)}"))
    try:
        door = entrance(token, store=laboratory(request).store)
    except UnknownName:
        slow_down(request.app.state.fault_limit.wait(address_of(request)))
        raise
    request.state.language = str(door.study.invitation.get("language") or "")
    given = door.study.invitation.get("brand")
    request.state.brand = dict.fromkeys(BRANDED, "") | (Brand.read(given).as_json() if given else {})
    return door


def _arrival(request: Request, door: Entrance, given: Mapping[str, str]) -> Arrival | None:
    """Return who comes: as a platform says it, or by the cookie of an earlier visit; None: someone new.

    Where people may come from anywhere the cookie is asked first: a platform's parameter is soon added to an address.
    """
    known = laboratory(request).signer.unwrap(request.cookies.get(COOKIE, ""), purpose=PURPOSE)
    before = None if known is None else Arrival(BROWSER, known)
    said = read_arrival(given)
    return (said or before) if door.recruitment.platform else (before or said)


def _not_from_there(door: Entrance, arrival: Arrival | None) -> str:
    wanted = door.recruitment.platform
    if not wanted or (arrival is not None and arrival.platform == wanted):
        return ""
    return Sentence(FROM_PLATFORM, platform=NAMES[wanted])


def _form(request: Request, door: Entrance, given: Mapping[str, str], *, note: str = "", status: int = 200) -> Response:
    names = [name for names in PARAMETERS.values() for name in names]
    carried = {name: given[name] for name in names if name in given}
    shown: dict[str, Any] = {"recruitment": door.recruitment, "carried": carried, "given": given, "note": note}
    shown |= {"action": door.link.path, "words": "", "brand": request.state.brand}
    return page(request, "participant/join.html", status=status, **shown)


def _told(request: Request, words: str, status: int = 200, ticket: ReturnTicket | None = None) -> Response:
    shown: dict[str, Any] = {"words": words, "note": "", "brand": request.state.brand, "completion": ticket}
    return page(request, "participant/join.html", status=status, **shown)
