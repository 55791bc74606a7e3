"""Observe: the participants of a study while they work, what observers may say to them, and who is to be excluded."""

import time
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from starlette.responses import RedirectResponse, Response

from mensura.errors import BadParameter, UnknownName
from mensura.running.live import Live
from mensura.running.study.observing import ALWAYS, ObserverNote, ObserverNotes, is_pending, left_out
from mensura.running.study.procedure import Procedure
from mensura.running.study.registration.register import registration_of
from mensura.store.people.accounts import Account
from mensura.store.people.invitations import Invitation
from mensura.web.lab.page import View, draw, shows
from mensura.web.lab.people.access import Form, Number, allowed, listing
from mensura.web.lab.people.rights import check_can, sees
from mensura.web.lab.runs.progress import invitation_rows
from mensura.web.laboratory import Laboratory, laboratory

router = APIRouter()
Observer = Annotated[Account, Depends(allowed("observe sessions"))]
QUIET_SECONDS = 300.0
"""A person who has done nothing for so long is marked."""


@shows(router, "/lab/observe", "observe_studies.html")
def studies(request: Request, account: Annotated[Account, Depends(listing("observe sessions"))]) -> View:
    """List the studies whose participants can be observed."""
    found: dict[str, int] = {}
    for one in laboratory(request).store.invitations.all():
        name = str(one.details.get("study", ""))
        if name and one.status != "withdrawn" and sees(request, {name}):
            found[name] = found.get(name, 0) + (one.status == "open")
    return {"studies": found}


@shows(router, "/lab/observe/{study}", "observe.html")
def cohort_rows(request: Request, study: str, account: Observer) -> View:
    """Show where the participants of a study are, cohort by cohort, and how its plan was amended."""
    registered = registration_of(study, store=laboratory(request).store)
    told = [one.sentence for one in registered.amendments] if registered else []
    return {"study": study, "told": told, "rows": _rows(request, study)}


@router.get("/lab/observe/{study}/live", response_model=None)
def study_live(request: Request, study: str, account: Observer) -> Response:
    """Return the part of the page that changes."""
    return draw(request, "observe_live.html", study=study, rows=_rows(request, study))


def _rows(request: Request, study: str) -> list[dict[str, Any]]:
    store = laboratory(request).store
    mine = _participants(request, study)
    rows = invitation_rows(store, mine)
    observed = ObserverNotes(store).by_participant()
    now = time.time()
    for row, one in zip(rows, mine, strict=True):
        seen = observed.get(one.number, [])
        row |= {
            "subject": one.subject_number,
            "cohort": one.details.get("cohort", ""),
            "quiet": row["status"] == "open" and row["last"] is not None and now - row["last"] > QUIET_SECONDS,
            "seconds": None if row["last"] is None else now - row["last"],
            "seen": [_line(each) for each in seen],
            "excluded": left_out(seen),
            "pending": is_pending(seen),
        }
    return sorted(rows, key=lambda row: (str(row["cohort"]), str(row["subject"])))


@shows(router, "/lab/observe/{study}/{number}", "observe_one.html")
def participant(request: Request, study: str, number: Number, account: Observer) -> View:
    """Show one participant, with all that an observer may do."""
    one = _participant(request, study, number)
    store = laboratory(request).store
    procedure = _procedure(request, one)
    seen = ObserverNotes(store).of(number)
    return {
        "study": study,
        "row": invitation_rows(store, [one])[0],
        "subject": one.subject_number,
        "answers": procedure.answers or ALWAYS,
        "exclude_for": procedure.exclude_for,
        "consider_for": procedure.consider_for,
        "seen": [_line(each) for each in seen],
        "pending": is_pending(seen),
    }


@router.post("/lab/observe/{study}/{number}", response_model=None)
def act(request: Request, study: str, number: Number, account: Observer, form: Form) -> Response:
    """Answer, flag, leave out, pause or judge; each goes into the ledger."""
    one = _participant(request, study, number)
    procedure, ledger = _procedure(request, one), ObserverNotes(laboratory(request).store)
    kind, words = form.get("kind", ""), form.get("words", "")
    if kind == "answer":
        ledger.answer(number, words, procedure=procedure, who=account.name)
    elif kind == "exclude":
        ledger.exclude(number, words, procedure=procedure, who=account.name)
    elif kind == "flag":
        more = form.get("more", "").strip()
        ledger.flag(number, f"{words}: {more}" if more else words, who=account.name)
    elif kind in ("pause", "go on"):
        _pause(laboratory(request), one, pause=kind == "pause", who=account.name)
        ledger.note(
            number, words or "no reason given", who=account.name, kind="paused" if kind == "pause" else "went on"
        )
    elif kind == "judge":
        check_can(request, "exclude sessions")
        ledger.judge(number, out=form.get("out") == "yes", reason=words, who=account.name)
    elif kind == "note":
        ledger.note(number, words, who=account.name)
    else:
        raise BadParameter("Say what was done: answer, exclude, flag, pause, go on, judge or note.")
    return RedirectResponse(f"/lab/observe/{study}/{number}", 303)


def _participants(request: Request, study: str) -> list[Invitation]:
    mine = laboratory(request).store.invitations.of_study(study)
    if not mine:
        raise UnknownName(f"Nobody is invited to a study called {study!r}.")
    return mine


def _participant(request: Request, study: str, number: int) -> Invitation:
    one = laboratory(request).store.invitations.get(number)
    if one.details.get("study") != study or one.status == "withdrawn":
        raise UnknownName(f"Invitation {number} does not belong to {study!r}.")
    return one


def _procedure(request: Request, one: Invitation) -> Procedure:
    """Read the procedure as it was written down when the study began; runs of a quiz beside it have none."""
    store = laboratory(request).store
    runs = (store.runs.find(store.sessions.find(step.session).run) for step in one.steps if step.session)
    return Procedure.read(next((run.details["procedure"] for run in runs if run.details.get("procedure")), {}))


def _pause(lab: Laboratory, one: Invitation, *, pause: bool, who: str) -> None:
    if one.status != "open" or one.current.kind != "session":
        raise BadParameter("This participant is not in a session now; there is nothing to pause.")

    def change(live: Live) -> None:
        if pause:
            live.session.pause(by=who, tick=live.tick(role=one.current.role))
        else:
            live.session.unpause(by=who)

    lab.sessions.act(one.current.session, change)


def _line(one: ObserverNote) -> dict[str, Any]:
    return {name: getattr(one, name) for name in ObserverNote.__dataclass_fields__}
