"""Entry: logging in and out."""

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from mensura.web.lab.page import draw
from mensura.web.lab.people.access import Form, let_in, let_out, log_in, safe_target, visitor
from mensura.web.lab.people.rights import rights_of

router = APIRouter()


@router.get("/lab/login", response_model=None)
def login_page(request: Request, next: str = "/lab") -> Response:
    """Show the form, or lead on who is logged in already."""
    if visitor(request) is not None:
        return RedirectResponse(safe_target(next), 303)
    return draw(request, "login.html", next=safe_target(next), name="", fault="")


@router.post("/lab/login", response_model=None)
def login(request: Request, form: Form) -> Response:
    """Check name and password."""
    name, target = form.get("name", "").strip(), safe_target(form.get("next", "/lab"))
    account = log_in(request, name, form.get("password", ""))
    if account is None:
        fault = "Name and password do not fit together. Please try again."
        return draw(request, "login.html", status=401, next=target, name=name, fault=fault)
    request.state.account = account
    return let_in(request, account, rights_of(request).home if target == "/lab" else target)


@router.post("/lab/logout", response_model=None)
def logout(request: Request, form: Form) -> Response:
    """End the login."""
    return let_out(request)
