"""The page of a new study: a plan from a form or a file, checked as it is typed, and what it means."""

from html import unescape
from typing import Any

import pytest

from mensura.store import Store

PLAN = """name: coins-by-people
test: coin
conditions:
  short: {flips: 3}
  long: {flips: 6}
casts: {people: human}
sessions: 12
hypotheses:
  - {name: H1, score: quadratic_score, compare: [short, long], expect: less}
invitation: {consent: "Do you **agree**?"}
"""


def checked(erin: Any, text: str, **fields: str) -> str:
    answer = erin.submit("/lab/studies/new/check", {"text": text, **fields})
    assert answer.status_code == 200
    return unescape(answer.text)


def test_the_form_fills_a_plan_that_means_something(erin: Any) -> None:
    fields = {"start": "template", "test": "coin-v1", "name": "mine", "n": "15"}
    page = unescape(erin.submit("/lab/studies/new", fields | {"conditions": "few: flips=3\nmany: flips=9"}).text)
    assert "mine takes coin-v1 in 2 cells." in page
    assert "H1 expects few different from many on quadratic score." in page
    assert "With 15 per group" in page


def test_a_plan_is_shown_in_words_with_cells_first_pages_and_power(erin: Any, store: Store) -> None:
    before = len(store.runs.all())
    page = checked(erin, PLAN, difference="0.1", sd="0.2")
    assert "The cast people: people (human), 12 sessions in each cell." in page
    assert "H1 expects short below long on quadratic score." in page
    assert "people in long" in page
    assert "<strong>agree</strong>" in page
    assert "This coin falls heads with chance" in page
    assert "With 12 per group and a standard deviation of 0.2, a true difference of 0.1" in page
    assert 'src="data:image/svg+xml' in page
    assert len(store.runs.all()) == before


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("expect: less", "expect: bigger", "Line 9: There is no expectation in hypothesis H1"),
        ("sessions: 12", "sesions: 12", "Line 7: There is no key of a study called 'sesions'"),
        ("casts: {people: human}", "casts: people", "Line 6: `casts` has named parts"),
        ("{people: human}", "{people: ./evil.py}", "Line 6: There is no subject on these pages called './evil.py'"),
        ("test: coin", "test: ./evil.py:coin", "Line 2: There is no test called './evil.py:coin'"),
        ('{consent: "Do you **agree**?"}', "{replacement: ./evil.py}", "There is no subject on these pages called"),
        ("test: coin", "test: [coin", "this is not YAML"),
        ("{flips: 3}", "&a {flips: 3}\n  again: *a", "Line 5: Write the part out"),
        ("sessions: 12", "sessions:\n  " + "- " * 30_000, "Line 8: this YAML is nested more than 100 levels deep"),
        ("sessions: 12", "sessions: " + "[" * 40_000, "Line 7: this YAML is nested more than 100 levels deep"),
        ("sessions: 12", "factors: {slip: [" + "0, " * 300 + "0]}", "at most 200 cells"),
    ],
)
def test_a_mistake_is_a_sentence_with_its_line(erin: Any, old: str, new: str, words: str) -> None:
    page = checked(erin, PLAN.replace(old, new)).replace("<strong>", "").replace("</strong>", "")
    assert words in page
    assert "What the plan means" not in page


def test_a_file_is_opened_into_the_field(erin: Any) -> None:
    page = erin.submit("/lab/studies/new", files={"file": ("plan.yaml", PLAN.encode())})
    assert "coins-by-people takes coin in 2 cells." in unescape(page.text)
    assert "sessions: 12" in page.text


def test_power_says_what_it_assumes_and_pairs_casts_that_meet_the_same_items(erin: Any) -> None:
    page = checked(erin, PLAN)
    assert "two cells with different people or sessions" in page
    paired = PLAN.replace("{people: human}", "{people: human, told: stated}").replace("[short, long]", "[people, told]")
    page = checked(erin, paired)
    assert "With 12 pairs and a standard deviation of the differences of 1" in page
    assert "both sides meet the same items" in page
    assert "two of the 4 cells" in page


def test_a_plan_whose_power_cannot_be_told_is_shown_all_the_same(erin: Any) -> None:
    page = checked(erin, PLAN.replace("sessions: 12", "sessions: 1"))
    assert "What the plan means" in page
