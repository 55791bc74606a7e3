"""Tests: what can be taken, and the forms that start programs and invite people."""

from secrets import token_urlsafe
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from starlette.responses import RedirectResponse, Response

from mensura.catalog.find import list_tests
from mensura.errors import BadParameter, Conflict, MensuraError, UnknownName
from mensura.store.head import RunHead
from mensura.store.people.accounts import Account
from mensura.web.errors import status_of
from mensura.web.lab.catalog import describe, describe_all, read_parameters, registered_test
from mensura.web.lab.office import office
from mensura.web.lab.own import list_pages
from mensura.web.lab.page import View, draw, shows
from mensura.web.lab.people.access import Form, allowed
from mensura.web.lab.people.invitation import CONSENT, THANKS, InvitationPlan, invite
from mensura.web.lab.people.rights import HIDDEN, belonging_of, found_run, seen_runs, sees
from mensura.web.laboratory import laboratory

router = APIRouter()
CHOICES = 100
"""How many earlier runs are offered to meet the same items as."""


@shows(router, "/lab/tests", "tests.html")
def tests(request: Request, account: Annotated[Account, Depends(allowed("see tests"))]) -> View:
    """Show every registered test."""
    described, broken = describe_all()
    return {"tests": described, "broken": broken, "pages": list_pages()}


@shows(router, "/lab/tests/{test:path}", "test.html")
def one_test(request: Request, test: str, account: Annotated[Account, Depends(allowed("see tests"))]) -> View:
    """Show one test with its parameters."""
    return form_view(request, test)


def form_view(request: Request, test: str) -> View:
    """Return what the page of a test shows before anything is filled in."""
    found = registered_test(test)
    earlier = [
        head.id for head in reversed(seen_runs(request, found.id, limit=CHOICES, action="see runs")) if head.seed
    ]
    return {
        "test": describe(found),
        "earlier": earlier,
        "surveys": [id for id in list_tests() if id != found.id],
        "consent": CONSENT,
        "thanks": THANKS,
        "nonce": token_urlsafe(12),
        "fault": "",
        "faulty": "",
        "given": {},
    }


@router.post("/lab/runs", response_model=None)
def start_run(request: Request, account: Annotated[Account, Depends(allowed("start runs"))], form: Form) -> Response:
    """Start a run of programs."""
    test = form.get("test", "")
    try:
        definition = registered_test(test)
        known = _made_already(request, definition.id, form)
        if known is None:
            same = form.get("same_items_as", "").strip()
            check_items(request, same)
            parameters = read_parameters(form)
            setting = form.get("setting", "") or None
            roles = definition.cast_roles(
                laboratory(request).store.runs.find(same).parameters
                if same
                else definition.fill(parameters, setting=setting)
            )
            known = office(request).background.start(
                definition.id,
                {role: form.get(f"role.{role}") or form.get("subject") or "chance" for role in roles},
                sessions=whole(form, "sessions", 20),
                parameters=parameters,
                setting=setting,
                seed=seed_of(form),
                same_items_as=same,
                details={"form": form.get("nonce", ""), "started_by": account.name},
            )
            laboratory(request).store.trail.note(account.name, "started a run", known.id)
    except MensuraError as error:
        return _again(request, test, error, form, "run")
    return RedirectResponse(f"/lab/runs/{known.id}", 303)


@router.post("/lab/invitations", response_model=None)
def make_invitations(
    request: Request, account: Annotated[Account, Depends(allowed("make invitations"))], form: Form
) -> Response:
    """Invite a batch of people; the links are shown on this answer and never again."""
    test = form.get("test", "")
    try:
        plan = plan_of(form)
        check_items(request, plan.same_items_as)
        if _made_already(request, registered_test(test).id, form) is not None:
            raise Conflict(
                "These invitations were made already, and their links were shown once. If they are lost, close them on "
                "the page of invitations and make new ones."
            )
        store = laboratory(request).store
        batch = invite(plan, store=store, created_by=account.name, form=form.get("nonce", ""))
        numbers = [link.invitation.number for link in batch.links]
        store.trail.note(account.name, "made invitations", batch.run.id, numbers=numbers)
    except MensuraError as error:
        return _again(request, test, error, form, "invitations")
    base = str(request.base_url).rstrip("/")
    links = [one.shown(base) for one in batch.links]
    return draw(request, "links.html", links=links, run=batch.run.id, test=batch.run.test)


def check_items(request: Request, same_items_as: str) -> None:
    """Refuse to meet the items of a run again that may not be seen."""
    if same_items_as:
        head = found_run(request, same_items_as)
        if not sees(request, belonging_of(request).of_run(head.id), "see runs"):
            raise UnknownName(HIDDEN)


def plan_of(form: Form) -> InvitationPlan:
    """Read a batch of invitations from a form."""
    cast = {name.removeprefix("role."): value for name, value in form.items() if name.startswith("role.")}
    days = form.get("days", "").strip()
    return InvitationPlan(
        test=form.get("test", ""),
        count=whole(form, "count", 1),
        parameters=read_parameters(form),
        setting=form.get("setting", ""),
        cast=cast,
        same_items_as=form.get("same_items_as", "").strip(),
        condition=form.get("condition", "").strip(),
        label=form.get("label", "").strip(),
        days=real(days, "days") if days else None,
        sessions=whole(form, "sessions", 1),
        consent=form.get("consent", ""),
        briefing=form.get("briefing", ""),
        practice="practice" in form,
        survey=form.get("survey", "").strip(),
        thanks=form.get("thanks", ""),
        telemetry="telemetry" in form or ("focus" if "focus" in form else False),
        show_scores="show_scores" in form,
        language=form.get("language", "").strip(),
        replacement=form.get("replacement", "").strip(),
        waiting=_waiting(form),
    )


def _waiting(form: Form) -> dict[str, Any]:
    """Read what a form says about waiting for others."""
    said: dict[str, Any] = {
        name: real(text, words)
        for name, words in (("minutes", "minutes to wait"), ("pay", "pay for waiting"))
        if (text := form.get(f"waiting.{name}", "").strip())
    }
    return said | {name: text for name in ("code", "match") if (text := form.get(f"waiting.{name}", "").strip())}


def whole(form: Form, name: str, default: int) -> int:
    """Read a whole number from a form."""
    text = form.get(name, "").strip()
    if not text:
        return default
    if not text.removeprefix("-").isdecimal() or len(text) > 12:
        raise BadParameter(f"{name.capitalize()} must be a whole number; got {text[:40]!r}.")
    return int(text)


def real(text: str, name: str) -> float:
    """Read a number from a form."""
    try:
        return float(text.replace(",", "."))
    except ValueError:
        raise BadParameter(f"{name.capitalize()} must be a number; got {text[:40]!r}.") from None


def seed_of(form: Form) -> int | None:
    """Read a public seed from a form; None: draw a secret one."""
    text = form.get("seed", "").strip()
    if not text:
        return None
    if not text.isdecimal() or len(text) > 38:
        raise BadParameter(f"A seed is a whole number from 0 with at most 38 digits; got {text[:40]!r}.")
    return int(text)


def _made_already(request: Request, test: str, form: Form) -> RunHead | None:
    """Find the run that this very form made: a reload or a second click must not make another."""
    nonce = form.get("nonce", "")
    if not nonce:
        return None
    heads = laboratory(request).store.runs.all(test, limit=CHOICES)
    return next((head for head in heads if head.details.get("form") == nonce), None)


def _again(request: Request, test: str, error: MensuraError, form: Form, faulty: str) -> Response:
    """Show the form again with what was filled in, and what is wrong with it."""
    shown = form_view(request, test)
    shown |= {"fault": str(error), "faulty": faulty, "given": form}
    return draw(request, "test.html", status=status_of(error), **shown)
