"""Participants' routes: a link leads to one page after the other, always the one where its holder is."""

import math
from secrets import token_urlsafe
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from mensura.errors import UnknownName
from mensura.web.csrf import read_form
from mensura.web.json_response import PlainJSON
from mensura.web.laboratory import laboratory
from mensura.web.page import PART, page
from mensura.web.participation import Participation, Reply
from mensura.web.rendering import wide
from mensura.web.security import address_of
from mensura.web.view import View

router = APIRouter(prefix="/p", include_in_schema=False)
TEMPLATES = {"ask": "participant/ask.html", "waiting": "participant/waiting.html", "lobby": "participant/waiting.html"}
STATUS = {"expired": 410, "withdrawn": 410}
Token = Annotated[str, Path(max_length=100)]


async def enter(request: Request, token: Token) -> Participation:
    """Find who holds a link; each may ask so often, and addresses with unknown links much less."""
    lab = laboratory(request)
    pages, faults = request.app.state.page_allowance, request.app.state.fault_allowance
    _slow_down(pages.wait(token))
    try:
        return await run_in_threadpool(Participation, lab, token)
    except UnknownName:
        _slow_down(faults.wait(address_of(request)))
        raise


Enter = Annotated[Participation, Depends(enter)]


@router.get("/{token}.json")
async def state(request: Request, token: Token) -> Response:
    """Give what there is to see, as JSON."""
    participation = await enter(request, token)
    view = await run_in_threadpool(participation.look)
    return PlainJSON(view.as_json(), STATUS.get(view.kind, 200))


@router.get("/{token}")
async def look(request: Request, participation: Enter, token: Token) -> Response:
    """Show where the participant is."""
    view = await run_in_threadpool(participation.look)
    return show_view(request, token, view, status=STATUS.get(view.kind, 200))


@router.post("/{token}/next")
async def go_next(request: Request, participation: Enter, token: Token) -> Response:
    """Go on from a page, a consent or a session that is over."""
    return _reply(request, token, await run_in_threadpool(participation.next, await read_form(request)))


@router.post("/{token}/answer")
async def answer(request: Request, participation: Enter, token: Token) -> Response:
    """Take an answer."""
    return _reply(request, token, await run_in_threadpool(participation.answer, await read_form(request)))


@router.post("/{token}/go-on")
async def go_on(request: Request, participation: Enter, token: Token) -> Response:
    """End a break."""
    return _reply(request, token, await run_in_threadpool(participation.go_on, await read_form(request)))


@router.post("/{token}/tick")
async def tick(request: Request, participation: Enter, token: Token) -> Response:
    """Say what has changed; nothing, most of the time."""
    view = await run_in_threadpool(participation.pass_time, await read_form(request))
    return Response(status_code=204) if view is None else show_view(request, token, view)


@router.get("/{token}/withdraw")
async def ask_to_withdraw(request: Request, participation: Enter, token: Token) -> Response:
    """Ask whether the participant is sure."""
    view = View("withdraw", participation.invitation, "Withdraw")
    if participation.invitation.status == "withdrawn":
        return RedirectResponse(f"/p/{token}", 303)
    others = await run_in_threadpool(lambda: participation.with_others)
    return page(request, "participant/withdraw.html", view=view, link=f"/p/{token}", wide=False, others=others)


@router.post("/{token}/withdraw")
async def withdraw(request: Request, participation: Enter, token: Token) -> Response:
    """Erase what the participant did."""
    form = await read_form(request)
    if form.get("sure") == "yes":
        await run_in_threadpool(participation.withdraw)
    return RedirectResponse(f"/p/{token}", 303)


def show_view(request: Request, token: str, view: View, *, status: int = 200, **more: Any) -> Response:
    """Draw what a participant sees."""
    template = TEMPLATES.get(view.kind, "participant/words.html")
    shown = {"view": view, "link": f"/p/{token}", "nonce": token_urlsafe(12), "given": {}, **more}
    return page(request, template, status=status, wide=wide(view.prompt), **shown)


def _reply(request: Request, token: str, reply: Reply) -> Response:
    """Send a script the new page at once, and a plain browser to it, so that a reload repeats nothing."""
    if reply.status == 200 and PART not in request.headers:
        return RedirectResponse(f"/p/{token}", 303)
    return show_view(request, token, reply.view, status=reply.status, given=reply.given)


def _slow_down(seconds: float) -> None:
    if seconds > 0:
        words = "Too many requests came for this page. Please wait a moment and try again."
        raise HTTPException(429, words, headers={"Retry-After": str(math.ceil(seconds))})
