"""People of a study on its page: who is where, places given, links closed and extended, exclusions, replacements."""

import time
from secrets import token_urlsafe
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from starlette.responses import RedirectResponse, Response

from mensura.errors import BadParameter, Conflict, MensuraError
from mensura.running.people.closing import close_expired
from mensura.running.study import Study, invite, stored_study
from mensura.running.study.cohorts import cohorts_of
from mensura.running.study.people.arriving import close_entrance, open_entrance
from mensura.running.study.people.changing import close_places, exclude_places, extend_places, replace_place
from mensura.running.study.people.places import STATES, filled, places_of
from mensura.running.study.people.platform import NAMES, PLACEHOLDERS
from mensura.running.study.people.recruitment import Recruitment
from mensura.running.study.procedure import Procedure
from mensura.running.study.recruiting import Applicant, enrol, seats_of
from mensura.running.study.registration.register import planned_rules, study_runs
from mensura.store.people.accounts import Account
from mensura.web.errors import status_of
from mensura.web.lab.page import View, draw, shows
from mensura.web.lab.pages.tests import real, whole
from mensura.web.lab.people.access import Form, allowed
from mensura.web.lab.people.invitation import MOST_PEOPLE
from mensura.web.lab.people.rights import check_can, sees
from mensura.web.lab.studies.address import address_of_study
from mensura.web.laboratory import laboratory

router = APIRouter()
Looker = Annotated[Account, Depends(allowed("see invitations"))]
Inviter = Annotated[Account, Depends(allowed("make invitations"))]
PREFIX = "place."
QUIET_SECONDS = 3600.0
"""A person of whom nothing was heard for so long may have dropped out."""


@shows(router, "/lab/studies/{study}/people", "study_people.html")
def people(request: Request, study: str, account: Looker) -> View:
    """Show who is where in a study, and the forms that change it."""
    return _view(request, study)


@router.get("/lab/studies/{study}/people/live", response_model=None)
def people_live(request: Request, study: str, account: Looker) -> Response:
    """Return the part of the page that changes."""
    plan = stored_study(study, store=laboratory(request).store)
    return draw(request, "study_board.html", study=study, **_board(request, plan))


@router.post("/lab/studies/{study}/invitations", response_model=None)
def invite_people(request: Request, study: str, account: Inviter, form: Form) -> Response:
    """Make links for this number of people; they are shown on this page and never again."""
    store = laboratory(request).store
    try:
        plan = _with_people(stored_study(study, store=store))
        count, nonce = whole(form, "count", 1), form.get("nonce", "")
        if not 1 <= count <= MOST_PEOPLE:
            raise BadParameter(f"1 to {MOST_PEOPLE} people are invited at a time; got {count}.")
        if nonce and any(one.details.get("form") == nonce for one in store.invitations.of_study(study)):
            raise Conflict("These links were made already, and shown once. Close those that are lost; make new ones.")
        made = invite(plan, count, store=store, created_by=account.name, details={"form": nonce} if nonce else None)
        store.trail.note(account.name, "made invitations", study, numbers=[one.number for one in made])
    except MensuraError as error:
        return _again(request, study, error, form, "invite")
    return _links(request, study, [(one.number, one.cell, one.token) for one in made])


@router.post("/lab/studies/{study}/enrol", response_model=None)
def enrol_someone(request: Request, study: str, account: Inviter, form: Form) -> Response:
    """Give someone a place in a cohort; the link is shown on this answer and never again."""
    check_can(request, "see identities")
    store = laboratory(request).store
    try:
        plan = _with_people(stored_study(study, store=store))
        procedure = Procedure.read(plan.procedure)
        answers = {one.key: said == "yes" for one in procedure.criteria if (said := form.get(f"criterion.{one.key}"))}
        who = Applicant(form.get("name", "")[:2000], form.get("contact", "")[:2000], answers)
        made = enrol(
            plan,
            procedure,
            cohorts_of(plan),
            who,
            cohort=whole(form, "cohort", 0),
            store=store,
            sees=lambda name: sees(request, {name}, "see identities"),
        )
        store.trail.note(account.name, "enrolled a participant", made.subject, study=study)
    except MensuraError as error:
        return _again(request, study, error, form, "enrol")
    return _links(request, study, [(made.invited.number, made.subject, made.invited.token)])


@router.post("/lab/studies/{study}/recruiting", response_model=None)
def recruit(request: Request, study: str, account: Inviter, form: Form) -> Response:
    """Open the study's recruiting link, or close it to those who are new."""
    store = laboratory(request).store
    try:
        if form.get("act") == "close":
            close_entrance(stored_study(study, store=store).name, store=store, who=account.name)
        else:
            open_entrance(stored_study(study, store=store), store=store, who=account.name)
    except MensuraError as error:
        return _again(request, study, error, form, "recruit")
    return RedirectResponse(address_of_study(study, "people"), 303)


@router.post("/lab/studies/{study}/people", response_model=None)
def change(request: Request, study: str, account: Inviter, form: Form) -> Response:
    """Close or extend the links of those who are ticked, exclude what they did, or include it again."""
    store, act = laboratory(request).store, form.get("act", "")
    names = (name.removeprefix(PREFIX) for name in form if name.startswith(PREFIX))
    ticked = [int(name) for name in names if name.isdecimal() and len(name) < 12]
    try:
        if act == "close":
            close_places(study, ticked, store=store, who=account.name)
        elif act == "extend":
            days = real(form.get("days", "").strip() or "7", "days")
            extend_places(study, ticked, days=days, store=store, who=account.name)
        elif act in ("exclude", "include"):
            check_can(request, "exclude sessions")
            reason, rule, out = form.get("reason", ""), form.get("rule", ""), act == "exclude"
            exclude_places(study, ticked, reason=reason, rule=rule, leave_out=out, store=store, who=account.name)
        else:
            raise BadParameter("Say what is to be done: close, extend, exclude or include.")
    except MensuraError as error:
        return _again(request, study, error, form, "board")
    return RedirectResponse(address_of_study(study, "people"), 303)


@router.post("/lab/studies/{study}/replace", response_model=None)
def replace(request: Request, study: str, account: Inviter, form: Form) -> Response:
    """Open a place in the same cell for someone who takes the place of another; the link is shown once."""
    store = laboratory(request).store
    try:
        made = replace_place(stored_study(study, store=store), whole(form, "number", 0), store=store, who=account.name)
    except MensuraError as error:
        return _again(request, study, error, form, "board")
    return _links(request, study, [(made.number, made.cell, made.token)])


def _view(request: Request, name: str) -> View:
    store = laboratory(request).store
    close_expired(store)
    plan = stored_study(name, store=store)
    procedure = Procedure.read(plan.procedure) if plan.procedure else None
    cohorts = cohorts_of(plan) if procedure else []
    heads = study_runs(name, store=store)
    return {
        "study": name,
        "question": plan.question,
        "cohorts": [{**vars(one), "taken": len(seats_of(name, one.number, store=store))} for one in cohorts],
        "criteria": procedure.criteria if procedure else (),
        **_recruiting(request, plan),
        "rules": planned_rules(heads[-1].id, store=store),
        "nonce": token_urlsafe(12),
        "fault": "",
        "faulty": "",
        "given": {},
        **_board(request, plan),
    }


def _board(request: Request, study: Study) -> dict[str, Any]:
    places = places_of(study.name, store=laboratory(request).store)
    now = time.time()
    rows = []
    for one in places:
        silent = one.last is not None and now - one.last > QUIET_SECONDS
        quiet = silent and one.state in ("entered", "consented", "under way")
        over = one.state in ("dropped out", "withdrawn", "excluded", "not used")
        may = one.replaceable and (over or quiet) and "cohort" not in one.invitation.details
        rows.append({**one.as_json(), "subject": one.invitation.subject_number, "quiet": quiet, "replaceable": may})
    counts = {state: sum(one.state == state for one in places) for state in STATES}
    return {
        "rows": rows,
        "counts": {state: many for state, many in counts.items() if many},
        "planned": {cell.name: study.planned(cell.cast) for cell in study.cells() if cell.cast.people},
        "filled": filled(places),
    }


def _recruiting(request: Request, plan: Study) -> dict[str, Any]:
    """Return the recruiting link with what is put behind it where the study is set up on a platform."""
    link = laboratory(request).store.recruiting_links.of(plan.name)
    recruitment = Recruitment.read(plan.recruiting)
    address = "" if link is None else f"{str(request.base_url).rstrip('/')}{link.path}"
    # Without a code, or SONA's address, those who come from there could not be sent back.
    wanted = [recruitment.platform] if recruitment.platform else ["prolific"] * ("finished" in recruitment.codes)
    behind = [(NAMES[one], f"{address}?{PLACEHOLDERS[one]}") for one in wanted if one in PLACEHOLDERS and address]
    return {
        "recruiting": {"address": address, "open": link is not None and link.closed is None, "behind": behind},
        "strata": recruitment.strata,
        "codes": dict(recruitment.codes),
    }


def _with_people(study: Study) -> Study:
    if not any(cast.people for cast in study.casts):
        raise BadParameter(f"No cast of {study.name} is human: nobody is invited to it.")
    return study


def _links(request: Request, study: str, made: list[tuple[int, str, str]]) -> Response:
    base = str(request.base_url).rstrip("/")
    links = [{"number": number, "label": label, "url": f"{base}/p/{token}"} for number, label, token in made]
    return draw(request, "study_links.html", study=study, links=links)


def _again(request: Request, study: str, error: MensuraError, form: Form, faulty: str) -> Response:
    """Show the page again with what was filled in, and what is wrong with it."""
    shown = _view(request, study) | {"fault": str(error), "faulty": faulty, "given": form}
    return draw(request, "study_people.html", status=status_of(error), **shown)
