"""Participants' routes: a link leads to one page after the other, always the one where its holder is."""

import math
import time
from collections.abc import Callable
from secrets import token_urlsafe
from typing import Any, TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from mensura.errors import UnknownName
from mensura.phrase import phrase
from mensura.web.drawing.prompt import alone, wide
from mensura.web.json_response import PlainJSON
from mensura.web.laboratory import laboratory
from mensura.web.language.speaking import speaking
from mensura.web.page import PART, language_of, page
from mensura.web.participant.participation import Participation, Reply
from mensura.web.participant.view import View
from mensura.web.plain_router import PlainRouter
from mensura.web.safety.csrf import read_form
from mensura.web.safety.security import address_of

router = PlainRouter("/p")
WAITING = "participant/waiting.html"
TEMPLATES = {"ask": "participant/ask.html", "back": "participant/back.html", "waiting": WAITING, "lobby": WAITING}
HELD_SECONDS = 5.0
"""How long a page that asks for news is kept waiting for them."""
STATUS = {"expired": 410, "withdrawn": 410}
Result = TypeVar("Result")


async def visit(request: Request, token: str, act: Callable[[Participation], Result]) -> Result:
    """Find who holds a link and do something for them, in one go of a thread: each change of threads costs time.

    Each link may ask so often, and addresses with unknown links much less.
    """
    lab = laboratory(request)
    slow_down(request.app.state.page_limit.wait(token))

    def go() -> Result:
        try:
            participation = Participation(lab, token)
        except UnknownName:
            slow_down(request.app.state.fault_limit.wait(address_of(request)))
            raise
        request.state.language = str(participation.invitation.details.get("language") or "")
        return act(participation)

    return await run_in_threadpool(go)


@router.get("/{token}.json")
async def state(request: Request, token: str) -> Response:
    """Return what there is to see, as JSON."""
    view = await visit(request, token, Participation.look)
    with speaking(language_of(request)):
        told = view.as_json()
    return PlainJSON(told, STATUS.get(view.kind, 200))


@router.get("/{token}")
async def look(request: Request, token: str) -> Response:
    """Show where the participant is."""
    view = await visit(request, token, Participation.look)
    return show_view(request, token, view, status=STATUS.get(view.kind, 200))


@router.post("/{token}/next")
async def go_next(request: Request, token: str) -> Response:
    """Continue after a page, a consent or a session that is over."""
    return await _act(request, token, Participation.next)


@router.post("/{token}/answer")
async def answer(request: Request, token: str) -> Response:
    """Take an answer."""
    form = await read_form(request)
    scripted = PART in request.headers
    reply = await visit(request, token, lambda participation: participation.answer(form, shown_next=scripted))
    return _reply(request, token, reply)


@router.post("/{token}/go-on")
async def go_on(request: Request, token: str) -> Response:
    """End a break."""
    return await _act(request, token, Participation.go_on)


@router.post("/{token}/tick")
async def tick(request: Request, token: str) -> Response:
    """Return what has changed; nothing, most of the time."""
    form, lab = await read_form(request), laboratory(request)
    last = time.monotonic() + min(HELD_SECONDS, lab.settings.absence_seconds / 4)
    while True:
        (session, since), view = await visit(request, token, lambda one: (one.mark(form), one.pass_time(form)))
        left = last - time.monotonic()
        if view is not None or not session or left <= 0:
            break
        await lab.news.wait(session, since=since, seconds=left)
    return Response(status_code=204) if view is None else show_view(request, token, view)


@router.get("/{token}/back")
async def go_back(request: Request, token: str) -> Response:
    """Show the question that was answered at the event number `to`, to be answered anew."""
    number = request.query_params.get("to", "")
    place = int(number) if number.isdecimal() and len(number) < 10 else 0
    view, given = await visit(request, token, lambda participation: participation.earlier(place))
    return RedirectResponse(f"/p/{token}", 303) if view is None else show_view(request, token, view, given=given)


@router.post("/{token}/revise")
async def revise(request: Request, token: str) -> Response:
    """Take a changed answer."""
    return await _act(request, token, Participation.revise)


@router.get("/{token}/instructions")
async def instructions(request: Request, token: str) -> Response:
    """Show again what was read and told before the questions; nothing that is being filled in is lost by it."""
    parts = await visit(request, token, Participation.instructions)
    return page(request, "participant/instructions.html", parts=parts)


@router.post("/{token}/typing")
async def typing(request: Request, token: str) -> Response:
    """Return who else is typing in a talk."""
    form = await read_form(request)
    return PlainJSON({"typing": await visit(request, token, lambda participation: participation.typing(form))})


@router.post("/{token}/leave")
async def leave(request: Request, token: str) -> Response:
    """Leave the waiting room."""
    return await _act(request, token, Participation.leave)


@router.get("/{token}/withdraw")
async def ask_to_withdraw(request: Request, token: str) -> Response:
    """Ask whether the participant is sure."""
    invitation, others, copies = await visit(request, token, lambda one: (one.invitation, one.with_others, one.copies))
    if invitation.status == "withdrawn":
        return RedirectResponse(f"/p/{token}", 303)
    view = View("withdraw", invitation, phrase("Withdraw"), copies=copies)
    return page(request, "participant/withdraw.html", view=view, link=f"/p/{token}", wide=False, others=others)


@router.post("/{token}/withdraw")
async def withdraw(request: Request, token: str) -> Response:
    """Erase what the participant did."""
    form = await read_form(request)
    if form.get("sure") == "yes":
        await visit(request, token, Participation.withdraw)
    return RedirectResponse(f"/p/{token}", 303)


def show_view(request: Request, token: str, view: View, *, status: int = 200, **more: Any) -> Response:
    """Draw what a participant sees."""
    template = TEMPLATES.get(view.kind, "participant/words.html")
    shown = {"view": view, "link": f"/p/{token}", "nonce": token_urlsafe(12), "given": {}, **more}
    return page(request, template, status=status, wide=wide(view.prompt), alone=alone(view.prompt), **shown)


async def _act(request: Request, token: str, act: Callable[[Participation, dict[str, str]], Reply]) -> Response:
    """Do with a form what it was sent for."""
    form = await read_form(request)
    return _reply(request, token, await visit(request, token, lambda participation: act(participation, form)))


def _reply(request: Request, token: str, reply: Reply) -> Response:
    """Send a script the new page at once, and a plain browser to it, so that a reload repeats nothing."""
    if reply.status == 200 and PART not in request.headers:
        return RedirectResponse(f"/p/{token}", 303)
    return show_view(request, token, reply.view, status=reply.status, given=reply.given)


def slow_down(seconds: float) -> None:
    """Refuse a request that came too soon after others."""
    if seconds > 0:
        words = phrase("Too many requests came for this page. Please wait a moment and try again.")
        raise HTTPException(429, words, headers={"Retry-After": str(math.ceil(seconds))})
