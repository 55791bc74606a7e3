"""Plan: the page on which a study is written, checked as it is typed, and previewed."""

from base64 import b64decode
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from mensura.catalog.find import list_tests
from mensura.errors import MensuraError
from mensura.exhibit.power import power_figure
from mensura.running.study import Study
from mensura.running.study.planning.preview import assumptions_of, planned_power, preview_of
from mensura.running.study.planning.template import PlanDraft, plan_text, read_conditions
from mensura.running.study.reading import PlanFault
from mensura.store.people.accounts import Account
from mensura.web.errors import status_of
from mensura.web.lab.catalog import explained, offered_subjects, registered_test
from mensura.web.lab.page import View, draw, shows
from mensura.web.lab.pages.tests import real, whole
from mensura.web.lab.people.access import Form, allowed
from mensura.web.lab.studies.confined import check_confined

router = APIRouter()
Planner = Annotated[Account, Depends(allowed("start runs"))]
EXPECT = ("different", "greater", "less")


@shows(router, "/lab/studies/new", "study_new.html")
def new_study(request: Request, account: Planner) -> View:
    """Show the form that starts a plan, and the field in which it is written."""
    return _blank()


@router.post("/lab/studies/new", response_model=None)
def start_plan(request: Request, account: Planner, form: Form) -> Response:
    """Fill the field with a plan: from the form, from a file, or as it was typed."""
    shown = _blank() | {"given": form, "text": form.get("text", "")}
    try:
        if form.get("start") == "template":
            shown["text"] = plan_text(_draft(form))
        elif "file.content" in form:
            shown["text"] = b64decode(form["file.content"]).decode("utf-8", "replace")
    except MensuraError as error:
        return draw(request, "study_new.html", status=status_of(error), **(shown | {"fault": str(error)}))
    return draw(request, "study_new.html", **(shown | {"checked": checked_view(shown["text"], form)}))


@router.post("/lab/studies/new/check", response_model=None)
def check_plan_text(request: Request, account: Planner, form: Form) -> Response:
    """Return what is wrong with a plan as it is typed, or what it means."""
    return draw(request, "study_checked.html", checked=checked_view(form.get("text", ""), form))


def checked_view(text: str, form: Form) -> dict[str, Any] | None:
    """Return what a page shows of a plan: its mistake with the line, or its preview and power; None for no text."""
    if not text.strip():
        return None
    found = check_confined(text)
    if isinstance(found, PlanFault):
        lines = text.splitlines()
        return {"fault": found, "said": lines[found.line - 1].strip() if found.line <= len(lines) else ""}
    seen = {"preview": preview_of(found), "explained": explained(found.cells()), "simulated": _simulated(found)}
    return {"fault": None, "study": found} | seen | _power(found, form)


def again(request: Request, form: Form, fault: str, status: int) -> Response:
    """Show the plan again as it was typed, and what is wrong with it."""
    text = form.get("text", "")
    shown = _blank() | {"given": form, "text": text, "checked": checked_view(text, form), "fault": fault}
    return draw(request, "study_new.html", status=status, **shown)


def _power(study: Study, form: Form) -> dict[str, Any]:
    try:
        difference = real(form.get("difference", "").strip() or "0.5", "difference")
        power = planned_power(study, difference=difference, sd=real(form.get("sd", "").strip() or "1", "spread"))
    except MensuraError as error:
        return {"figure": None, "power": str(error), "assumed": []}
    return {"figure": power_figure(power), "power": power.sentence, "assumed": assumptions_of(study)}


def _simulated(study: Study) -> list[str]:
    """Name the programs that can stand for the people of a study; none where it has no people."""
    if not any(cast.people for cast in study.casts):
        return []
    offered = [offered_subjects(registered_test(test)) for test in study.tests]
    return [name for name in offered[0] if all(name in others for others in offered)]


def _draft(form: Form) -> PlanDraft:
    return PlanDraft(
        test=registered_test(form.get("test", "")).id,
        name=form.get("name", ""),
        question=form.get("question", ""),
        conditions=read_conditions(form.get("conditions", "")),
        n=whole(form, "n", 20),
        score=form.get("score", "").strip(),
        expect=form.get("expect") or "different",
    )


def _blank() -> View:
    return {"tests": list_tests(), "expects": EXPECT, "text": "", "given": {}, "checked": None, "fault": ""}
