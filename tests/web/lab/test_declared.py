"""What is declared of a score, and what became of everything that was asked, on the pages and for programs."""

import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from mensura.running.run import run
from mensura.store import Store

TEST = """
from mensura.dialogue import Ask, Items, Number, Score, test

SCORES = [
    Score("waste", better="less", low=0, high=10, unit="kg"),
    Score("steps", better=None, low=0),
    Score("slope", best=1),
    Score("suspicion", better="more", low=0, high=1, shown_to="laboratory"),
]

def score(record, truths):
    missed = [abs(a.value - truths[a.key]) if a.status == "answered" else float("nan") for a in record.answers]
    steps = float(len(record.given()))
    return {"waste": Items(missed, [a.key for a in record.answers]), "steps": steps, "slope": 1.0, "suspicion": 0.5}

@test("stores-v1", scores=SCORES, score=score)
def stores(rng, *, days: int = 6):
    "Keep a store."
    for day in range(days):
        yield Ask(f"Day {day}?", Number(low=0, high=10), key=f"day{day}", truth=4)


class Tired:
    "Answers twice, and then no more."
    def __init__(self):
        self.asked = 0

    def __call__(self, ask):
        self.asked += 1
        if self.asked > 2:
            raise RuntimeError("tired")
        return 6
"""


@pytest.fixture
def taken(store: Store, tmp_path: Path) -> str:
    """Let a program that crashes take a test with declared scores."""
    (tmp_path / "stores.py").write_text(TEST)
    here = f"{tmp_path}/stores.py"
    return run(f"{here}:stores", f"{here}:Tired", store=store, sessions=3, seed=1).head.id


def rows_of(page: str) -> dict[str, str]:
    """Give the words of each row of the table of scores by the score's label."""
    table = re.search(r'<table class="listing scores".*?</table>', page, re.S)
    assert table
    rows = re.findall(r"<tr role=\"row\">(.*?)</tr>", table[0].split("<tbody", 1)[1], re.S)
    words = [" ".join(unescape(re.sub(r"<[^>]+>", " ", row)).split()) for row in rows]
    return {row.split(" ", 1)[0]: row for row in words}


def test_directions_are_those_that_the_test_declares_and_none_is_guessed(erin: Any, taken: str) -> None:
    rows = rows_of(erin.get(f"/lab/runs/{taken}/results").text)
    assert "smaller is better" in rows["waste"]
    assert "in kg" in rows["waste"]
    for name in ("steps", "slope"):
        assert "smaller is better" not in rows[name]
        assert "larger is better" not in rows[name]
    assert "neither more nor less is better" in rows["steps"]
    assert "best at 1" in rows["slope"]
    assert "not shown to participants" in rows["suspicion"]


def test_a_session_that_crashed_is_scored_with_what_became_of_every_item(erin: Any, taken: str) -> None:
    view = erin.get(f"/lab/runs/{taken}/results.json").json()["results"]
    waste = next(score for score in view["scores"] if score["name"] == "waste")
    assert waste["outcomes"] == {"answered": 6, "crashed": 12}
    assert waste["estimate"]["value"] == pytest.approx((2 * 2 + 4 * 10) / 6)
    assert waste["answered"]["value"] == pytest.approx(2)
    row = rows_of(erin.get(f"/lab/runs/{taken}/results").text)["waste"]
    for words in ("6 answered, 12 crashed", "over what was answered 2", waste["generalises"]):
        assert words in row


def test_the_page_of_a_session_says_how_it_failed_and_what_its_scores_mean(erin: Any, taken: str) -> None:
    here = f"/lab/runs/{taken}/sessions/0.0.0"
    view = erin.get(f"{here}.json").json()
    assert view["outcomes"] == {"answered": 2, "crashed": 4}
    assert view["declared"]["waste"]["direction"] == "smaller is better"
    said = [(line["words"], line["value"]) for line in view["lines"]]
    assert ("failed", "crashed") in said
    assert said.count(("left unanswered after the failure", None)) == 4
    page = erin.get(here).text
    assert "2 answered, 4 crashed" in page
    assert "tired" in page
    last = [line["number"] for line in view["lines"] if line["kind"] == "forfeit"][-1]
    screen = erin.get(f"{here}/playback.json?at={last}").json()["moment"]["screens"][0]
    assert screen["answered"]["words"] == "left unanswered after the failure"


def test_a_comparison_shows_the_direction_and_what_was_not_answered(erin: Any, store: Store, taken: str) -> None:
    head = store.runs.find(taken)
    other = run(head.details["reference"], "chance", store=store, sessions=3, seed=1).head.id
    address = f"run={taken}&run={other}"
    view = erin.get(f"/lab/compare.json?{address}").json()["compared"]
    waste = next(score for score in view["scores"] if score["name"] == "waste")
    assert (waste["better"], waste["paired"]) == ("less", True)
    assert waste["outcomes"] == [{"answered": 6, "crashed": 12}, {"answered": 18}]
    page = erin.get(f"/lab/compare?{address}").text
    assert "waste (smaller is better)" in page
    assert "6 answered, 12 crashed; over what was answered 2" in page


def test_lost_sessions_are_not_over_and_can_go_on(erin: Any, store: Store, runs: tuple[str, str]) -> None:
    store.sessions.end(f"{runs[0]}/0.0.1", status="lost", last_words="The network was down.")
    facts = erin.get(f"/lab/runs/{runs[0]}.json").json()["run"]
    assert (facts["done"], facts["total"], facts["sessions"]) == (5, 6, {"finished": 5, "lost": 1})
    page = erin.get(f"/lab/runs/{runs[0]}").text
    assert "1 could not be reached" in page
    assert "Resume them here" in page
