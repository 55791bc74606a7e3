"""A dry run from the page: simulated people, the very report, and nothing in the laboratory's store."""

from html import unescape
from typing import Any

import pytest

from mensura.store import Store

PLAN = """name: coins-by-people
test: coin
conditions:
  short: {flips: 2}
  long: {flips: 4}
casts: {people: human}
sessions: 3
hypotheses:
  - {name: H1, score: quadratic_score, compare: [short, long], expect: less}
"""


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))


def test_a_dry_run_ends_in_the_report_and_leaves_nothing_in_the_store(erin: Any, store: Store, wait_until: Any) -> None:
    before = len(store.runs.all())
    begun = erin.submit("/lab/studies/dry-runs", {"text": PLAN, "people": "chance"})
    assert begun.status_code == 303, begun.text
    address = begun.headers["location"]
    view = wait_until(lambda: (got := erin.get(f"{address}.json").json())["over"] and got)
    assert (view["done"], view["total"], view["fault"]) == (6, 6, "")
    page = unescape(erin.get(address).text)
    assert "every person in this report is simulated" in page
    assert "The subjects of this report are simulated." in page
    assert "H1 is " in page
    assert "coins-by-people, dry run" in unescape(erin.get(f"{address}/export").text)
    assert len(store.runs.all()) == before


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"people": "./evil.py"}, "People are simulated by chance"),
        ({"people_each": "400"}, ""),
        ({"people_each": "900"}, "at most 1000 sessions; got"),
        ({"text": PLAN.replace("human", "stated")}, "No cast of coins-by-people is human"),
        ({"text": "test: [coin"}, "this is not YAML"),
    ],
)
def test_what_cannot_be_rehearsed_is_said_with_the_plan_as_typed(
    erin: Any, fields: dict[str, str], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mensura.web.lab.studies.rehearsal._take", lambda *given: None)
    answer = erin.submit("/lab/studies/dry-runs", {"text": PLAN, **fields})
    assert answer.status_code == (303 if not words else answer.status_code)
    assert words in unescape(answer.text)


def test_an_unknown_dry_run_is_not_found(erin: Any) -> None:
    assert erin.get("/lab/studies/dry-runs/..%2f..%2fetc").status_code == 404
    assert erin.get("/lab/studies/dry-runs/0123456789abcdef").status_code == 404
