"""The library in a notebook: names, functions, paths and objects are accepted wherever one of them is."""

from pathlib import Path

import pytest

import mensura as m
from mensura.errors import BadParameter, UnknownName

FILE = """
import mensura as m

@m.test("odd-v1")
def odd(rng):
    '''Say whether a number is odd.'''
    for i in range(4):
        number = int(rng.integers(100))
        yield m.Ask(f"Is {number} odd?", m.Choice(["yes", "no"]), key=f"n{i}", truth="yes" if number % 2 else "no")

def always_yes(ask):
    return "yes"
"""


def half(ask):
    return 0.5


class Counting:
    """A subject with a state."""

    def __call__(self, ask):
        return 0.25


@pytest.fixture
def runs(tmp_path):
    return m.run("coin", ["chance", "stated", half], sessions=8, seed=1, store=tmp_path / "x.db")


def test_a_line_makes_a_run_for_each_subject(runs):
    assert len(runs) == 3
    assert runs.labels == ["chance", "stated", "half"]
    assert runs["half"].scores["quadratic_score"].value == pytest.approx(0.0)
    assert runs[0].ids == [runs.ids[0]]
    assert [one.result.head.id for one in runs] == runs.ids
    assert len(runs[1:]) == 2


def test_they_meet_the_same_items_also_under_a_secret_seed(tmp_path):
    runs = m.run("coin", [half, Counting], sessions=3, store=tmp_path / "x.db")
    frame = runs.to_frame("items")
    items = frame.groupby("subject")["item"].apply(list)
    assert items.iloc[0] == items.iloc[1]
    assert not any(one.head.seed_public for one in runs.results)


@pytest.mark.parametrize("subject", ["chance", half, Counting, m.SubjectSpec("chance"), {"subject": half}])
def test_whatever_is_a_subject_is_accepted(tmp_path, subject):
    assert m.run("coin", subject, store=str(tmp_path / "x.db")).result.counts["finished"] == 1
    assert m.take("coin", subject, seed=1).record.status == "finished"


def test_whatever_is_a_test_is_accepted(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("odd.py").write_text(FILE)

    def plain(rng):
        yield m.Ask("Heads?", m.Probability(), truth=1)

    tests = ["./odd.py", "./odd.py:odd", Path("odd.py"), m.find_test("./odd.py"), plain]
    for test in tests:
        assert m.run(test, "chance").result.counts["finished"] == 1
        assert m.take(test, "chance").record.answers
    assert Path("mensura.db").exists(), "stored where the command line stores"
    assert m.take(Path("odd.py"), "./odd.py:always_yes").record.given()["n0"] == "yes"


def test_what_is_no_test_and_nobody_is_said_in_a_sentence(tmp_path):
    with pytest.raises(BadParameter, match="generator function"):
        m.run(half, "chance", store=tmp_path / "x.db")
    with pytest.raises(BadParameter, match="name at least one"):
        m.run("coin", [], store=tmp_path / "x.db")


def test_an_open_store_is_used_and_stays_open(tmp_path):
    with m.open_store(tmp_path / "x.db") as store:
        runs = m.run("coin", "chance", store=store)
        assert runs.to_frame("sessions").shape[0] > 0
        assert [head.id for head in store.runs.all()] == runs.ids


def test_frames_have_what_a_number_needs(runs):
    scores = runs.to_frame()
    assert {"run", "test", "subject", "score", "value", "low", "high", "n", "method", "population"} <= set(scores)
    chosen = scores[(scores.subject == "half") & (scores.score == "quadratic_score")].iloc[0]
    assert chosen.value == pytest.approx(0.0)
    sessions = runs.to_frame("sessions")
    assert len(sessions[(sessions.subject == "half") & (sessions.score == "quadratic_score")]) == 8
    items = runs.to_frame("items")
    assert set(items.outcome) == {"answered"}
    assert items[items.subject == "half"].value.mean() == pytest.approx(
        sessions[sessions.subject == "half"].value.mean()
    )
    with pytest.raises(UnknownName, match="scores, sessions, items"):
        runs.to_frame("people")


def test_a_comparison_speaks_in_words_frames_and_pictures(runs):
    found = m.compare(runs["stated"], runs["half"])
    assert set(found.to_frame().score) == set(found.findings)
    assert found.findings["quadratic_score"].sentence.split(".")[0] in found._repr_html_().replace("&#x27;", "'")
    assert found.chart().to_dict()["layer"]
    again = m.compare(*runs.ids[1:], store=runs.store)
    assert again.as_json() == found.as_json()


def test_a_chart_and_a_report_show_every_subject(runs, tmp_path):
    drawn = str(runs.chart("quadratic_score").to_dict())
    page = runs.report(tmp_path / "report.html").read_text()
    for label in runs.labels:
        assert label in drawn
        assert label in page
    with pytest.raises(UnknownName, match="quadratic_score"):
        runs.chart("quadratic")


def test_a_notebook_shows_a_short_table(runs):
    shown = runs._repr_html_()
    assert shown.count("<tr>") == 4
    assert "half" in shown
    assert "n = 8" in shown
    assert "coin-v1" in repr(runs)
    assert "taken by half" in runs["half"]._repr_html_()


def test_stored_runs_are_found_again(runs):
    again = m.find_runs("last~2", "last", store=runs.store)
    assert again.labels == ["chance", "half"]
    # By their JSON: one of them has no interval, and not a number equals nothing.
    stored, first = (one["half"].scores for one in (again, runs))
    assert {name: one.as_json() for name, one in stored.items()} == {name: one.as_json() for name, one in first.items()}
    assert m.find_runs(runs, store=runs.store).ids == runs.ids


def test_one_of_several_must_be_chosen(runs):
    with pytest.raises(BadParameter, match=r"runs\['chance'\]"):
        runs.scores  # noqa: B018
    with pytest.raises(UnknownName, match="Did you mean chance"):
        runs["chanse"]


def test_everything_is_in_dir():
    assert {"run", "take", "compare", "Probability", "Sees", "as_env", "find_runs"} <= set(dir(m))
    for name in dir(m):
        assert getattr(m, name) is not None
