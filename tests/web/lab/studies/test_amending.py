"""A registered plan is amended on its page: declared with the reason, by those who may, and told in the findings."""

from html import unescape
from typing import Any

import pytest

from mensura.running.study import stored_study
from mensura.running.study.registration.register import registration_of
from mensura.store import Store
from tests.web.lab.studies.test_registering import ADDRESS, PLAN, lab_state


def text_on(page: Any) -> str:
    """Return the plan that a page shows in its field."""
    return unescape(page.text.partition('spellcheck="false">')[2].partition("</textarea>")[0])


def test_a_plan_is_amended_with_its_reason_and_only_what_is_missing_is_taken(
    erin: Any, store: Store, wait_until: Any
) -> None:
    erin.submit("/lab/studies/register", {"text": PLAN.replace("people: human, told", "told")})
    runs = [head.id for head in store.runs.all() if head.details.get("study") == "coins & people"]
    wait_until(lambda: [store.sessions.count(run) for run in runs] == [{"finished": 2}] * 2)
    wait_until(lambda: all(lab_state(erin, run) == "" for run in runs))
    assert f"{ADDRESS}/amend" in erin.get(ADDRESS).text
    text = text_on(erin.get(f"{ADDRESS}/amend")).replace("sessions: 2", "sessions: 3")
    assert "sessions: 3" in text
    checked = erin.submit(f"{ADDRESS}/amend", {"text": text, "act": "check", "why": "Too few."})
    assert (checked.status_code, text_on(checked)) == (200, text)
    assert len(store.runs.all()) == 2 + len(runs), "checking stores nothing"
    answer = erin.submit(f"{ADDRESS}/amend", {"text": text, "act": "amend", "why": "Too few."})
    assert (answer.status_code, answer.headers["location"]) == (303, ADDRESS)
    later = [head.id for head in store.runs.all() if "amendment" in head.details]
    wait_until(lambda: [store.sessions.count(run) for run in later] == [{"finished": 1}] * 2)
    registration = registration_of("coins & people", store=store)
    assert registration is not None
    assert [(one.reason, one.before) for one in registration.amendments] == [("Too few.", 4)]
    assert "Stop rule: most 2, now 3." in registration.amendments[0].sentence
    assert [line.who for line in store.trail.about("coins & people", beginning="amended")] == ["Erin"]
    assert stored_study("coins & people", store=store).stopping.most == 3


@pytest.mark.parametrize(
    ("old", "new", "why", "words"),
    [
        ("sessions: 2", "sessions: 3", " ", "An amendment needs a reason"),
        ("sessions: 2", "sessions: 2", "Because.", "there is nothing to amend"),
        ("coins & people", "others", "Because.", "An amended plan keeps its name"),
        ("sessions: 2", "sessions: nine", "Because.", "Line "),
        ("told: stated", "told: ./evil.py:run", "Because.", "There is no subject on these pages"),
    ],
)
def test_what_cannot_be_amended_is_said_with_the_plan_as_typed(
    erin: Any, store: Store, old: str, new: str, why: str, words: str
) -> None:
    erin.submit("/lab/studies/register", {"text": PLAN})
    before = len(store.runs.all())
    text = PLAN.replace(old, new)
    answer = erin.submit(f"{ADDRESS}/amend", {"text": text, "act": "amend", "why": why})
    assert answer.status_code in (400, 422)
    assert words in unescape(answer.text)
    assert text_on(answer) == text
    assert len(store.runs.all()) == before
