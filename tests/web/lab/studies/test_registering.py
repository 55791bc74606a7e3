"""From a plan on the page to a study: registered, its programs taken, and its people invited."""

from html import unescape
from typing import Any

import pytest

from mensura.running.study import stored_study
from mensura.store import Store

PLAN = """name: coins & people
test: coin
conditions:
  short: {flips: 2}
  long: {flips: 3}
casts: {people: human, told: stated}
sessions: 2
hypotheses:
  - {name: H1, score: quadratic_score, compare: [short, long], expect: less}
"""
ADDRESS = "/lab/studies/coins%20%26%20people"


def test_a_plan_is_registered_once_and_its_programs_are_taken(erin: Any, store: Store, wait_until: Any) -> None:
    for _ in range(2):
        answer = erin.submit("/lab/studies/register", {"text": PLAN})
        assert (answer.status_code, answer.headers["location"]) == (303, f"{ADDRESS}/people")
    runs = [head for head in store.runs.all() if head.details.get("study") == "coins & people"]
    assert len(runs) == 4
    assert [line.who for line in store.trail.about("coins & people", beginning="registered")] == ["Erin"]
    programs = [head.id for head in runs if head.details["cast_name"] == "told"]
    wait_until(lambda: [store.sessions.count(run) for run in programs] == [{"finished": 2}] * 2)
    registration = erin.get(f"{ADDRESS}.json").json()["analysis"]["registration"]
    assert registration["before_data"]
    assert erin.submit(f"{ADDRESS}/start").status_code == 303
    assert "Resume its programs" not in erin.get(ADDRESS).text
    assert "Register this plan" in erin.get("/lab/studies/new").text


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("coins & people", "new", "A study cannot be called 'new'"),
        ("coins & people", "a/b", "no slash"),
        ("sessions: 2", "sessions: 600", "Pages start at most 1000 sessions of programs; this plan has 1200"),
        ("coins & people", "import", "A study cannot be called 'import'"),
        ("test: coin", "test: ./evil.py:coin", "There is no test called"),
    ],
)
def test_what_cannot_be_registered_is_said_with_the_plan_as_typed(
    erin: Any, store: Store, old: str, new: str, words: str
) -> None:
    before = len(store.runs.all())
    answer = erin.submit("/lab/studies/register", {"text": PLAN.replace(old, new)})
    assert answer.status_code in (400, 422)
    assert words in unescape(answer.text)
    assert "quadratic_score" in answer.text
    assert len(store.runs.all()) == before


def test_programs_stop_by_the_width_of_an_interval(erin: Any, store: Store, wait_until: Any) -> None:
    stop = "stop: {most: 40, width: 0.9, score: quadratic_score, check_every: 5}"
    plan = PLAN.replace("people: human, told", "told").replace("sessions: 2", stop)
    assert erin.submit("/lab/studies/register", {"text": plan}).status_code == 303
    runs = [head.id for head in store.runs.all() if head.details.get("study") == "coins & people"]
    # The interval of so easy a test is narrow at the first look: no more is taken of the 40.
    wait_until(lambda: [store.sessions.count(run) for run in runs] == [{"finished": 5}] * 2)
    assert "Resume its programs" in erin.get(ADDRESS).text
    assert erin.submit(f"{ADDRESS}/start").status_code == 303
    wait_until(lambda: all(lab_state(erin, run) == "" for run in runs))
    assert [store.sessions.count(run) for run in runs] == [{"finished": 5}] * 2, "what is done is not done again"


def test_courses_are_taken_phase_by_phase(erin: Any, store: Store, wait_until: Any) -> None:
    phases = "phases: [{name: before, sessions: 2}, {name: after, learn: false}]"
    plan = f"name: learning\ntest: coin\ncasts: {{told: stated}}\nsessions: 3\n{phases}\n"
    assert erin.submit("/lab/studies/register", {"text": plan}).status_code == 303
    runs = [head for head in store.runs.all() if head.details.get("study") == "learning"]
    assert [head.details["phase"] for head in runs] == ["before", "after"]
    wait_until(lambda: [store.sessions.count(run.id) for run in runs] == [{"finished": 6}, {"finished": 3}])
    assert erin.get("/lab/studies/learning.json").json()["analysis"]["registration"]["before_data"]
    wait_until(lambda: all(lab_state(erin, run.id) == "" for run in runs))
    assert erin.submit(f"/lab/runs/{runs[1].id}/resume").status_code == 303
    wait_until(lambda: all(lab_state(erin, run.id) == "" for run in runs))
    assert store.sessions.count(runs[1].id) == {"finished": 3}


def lab_state(erin: Any, run: str) -> str:
    """Return whether a run is under way in the background."""
    found: str = erin.app.state.office.background.state(run)
    return found


def test_a_changed_plan_of_the_same_name_is_refused_with_the_difference(erin: Any, store: Store) -> None:
    erin.submit("/lab/studies/register", {"text": PLAN.replace("told: stated", "more: human")})
    before = stored_study("coins & people", store=store).hash
    answer = erin.submit("/lab/studies/register", {"text": PLAN.replace("told: stated", "most: human")})
    assert answer.status_code == 400
    assert "was changed after it was registered" in unescape(answer.text)
    assert stored_study("coins & people", store=store).hash == before
