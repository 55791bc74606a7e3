"""Who knows the truth is declared, marked in every table, and nobody else is told; old runs keep their streams."""

from dataclasses import replace

import pytest

from mensura.dialogue import Address, Ask, Probability, Seed, test
from mensura.dialogue.streams import KEYED, SPAWNED
from mensura.running.plan import Plan
from mensura.running.results.compare import compare_runs
from mensura.running.run import RunOptions, begin_run, job_of, resume_run, run
from mensura.store import open_store

BOAST = """
class Boaster:
    '''Says that it knows, and answers with what it is told.'''

    knows = "truth"

    def __call__(self, ask):
        return 0.5 if ask.truth is None else float(ask.truth)
"""


class Oracle:
    """Knows how the coin falls."""

    knows = "truth"
    recomputes = True

    def __call__(self, ask):
        return float(ask.truth)


class Half:
    """Knows nothing, and says whether it was told all the same."""

    recomputes = True

    def __call__(self, ask):
        assert ask.truth is None
        return 0.5


@test("toss-v1", subjects={"oracle": Oracle, "half": Half})
def toss(rng, *, flips: int = 6):
    """Say whether a fair coin will show heads."""
    for i in range(flips):
        yield Ask("Heads?", Probability(), key=f"coin{i}", truth=int(rng.random() < 0.5))


@pytest.fixture
def store(tmp_path):
    with open_store(tmp_path / "m.db") as opened:
        yield opened


def score(result):
    """Return the quadratic score as a share of the best there is: 1 for a subject that knows, 0 for one half."""
    return result.scores["quadratic_score"].value / 0.25


def test_an_oracle_is_given_the_truth_and_carries_the_mark(store):
    result = run(toss, "oracle", store=store, sessions=2)
    assert score(result) == pytest.approx(1.0)
    assert result.head.details["knows"] == ["subject"]
    assert result.head.who == ["oracle (knows the truth)"]
    assert "oracle (knows the truth)" in result._repr_html_()
    assert result.as_json()["knows"] == ["subject"]
    other = run(toss, "half", store=store, sessions=2)
    assert "knows" not in other.head.details
    compared = compare_runs(result.head.id, other.head.id, store=store)
    assert "oracle (knows the truth)" in str(compared)


def test_a_function_that_declares_it_is_told_and_marked_and_any_other_is_not(store):
    told = run(toss, Oracle, store=store, sessions=1)
    assert (score(told), told.head.details["knows"]) == (pytest.approx(1.0), ["subject"])
    assert run(toss, Half, store=store, sessions=1).counts["finished"] == 1


def test_members_of_a_group_are_told_only_if_they_are_declared_to_know(store):
    team = run(toss, "team:mean(oracle,half)", store=store, sessions=1)
    assert team.counts["finished"] == 1
    assert team.head.who == ["team:mean(oracle,half) (knows the truth)"]
    assisted = run(toss, "assisted:half+oracle", store=store, sessions=1)
    assert assisted.counts["finished"] == 1
    assert assisted.head.details["knows"] == ["subject"]


def test_a_file_that_says_it_knows_is_a_stranger_all_the_same(store, tmp_path):
    (tmp_path / "boast.py").write_text(BOAST)
    result = run(toss, f"{tmp_path}/boast.py:Boaster", store=store, sessions=1)
    assert "knows" not in result.head.details
    assert score(result) == 0.0


def test_a_run_of_the_first_release_goes_on_with_its_own_streams(store):
    plan, options = Plan.of("coin", "chance", parameters={"flips": 4}), RunOptions(details={"sessions": 1})
    new = begin_run(plan, store=store, seed=Seed.choose(), options=options)
    assert job_of(new, Address(), plan=plan, store=store, options=options).streams == KEYED
    old = replace(new, id="coin-old", details={k: v for k, v in new.details.items() if k != "streams"})
    store.runs.add(old)
    assert job_of(old, Address(), plan=plan, store=store, options=options).streams == SPAWNED
    given = []
    for name in (new.id, "coin-old"):
        resume_run(name, store=store)
        given.append(store.records.find(f"{name}/0.0.0").given())
    assert given[0] != given[1]
