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
    assert "Go on with its programs" not in erin.get(ADDRESS).text
    assert "Register this plan" in erin.get("/lab/studies/new").text


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("coins & people", "new", "A study cannot be called 'new'"),
        ("coins & people", "a/b", "no slash"),
        ("sessions: 2", "sessions: 600", "Pages start at most 1000 sessions of programs; this plan has 1200"),
        ("sessions: 2", "stop: {most: 9, width: 0.1, score: quadratic_score}", "mensura study run FILE"),
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


def test_a_changed_plan_of_the_same_name_is_refused_with_the_difference(erin: Any, store: Store) -> None:
    erin.submit("/lab/studies/register", {"text": PLAN.replace("told: stated", "more: human")})
    before = stored_study("coins & people", store=store).hash
    answer = erin.submit("/lab/studies/register", {"text": PLAN.replace("told: stated", "most: human")})
    assert answer.status_code == 400
    assert "was changed after it was registered" in unescape(answer.text)
    assert stored_study("coins & people", store=store).hash == before
