"""The study of phases: every algorithm meets the same instances, and the oracle's share stands beside theirs."""

import json
from pathlib import Path
from runpy import run_path

import numpy as np
import pytest
from click.testing import CliRunner

from mensura.catalog.constraints.sweeps import swept_parameter
from mensura.cli.main import cli
from mensura.exhibit import Group
from mensura.running.study import conduct, exhibits_of
from mensura.store import open_store

EXAMPLE = Path(__file__).parents[3] / "examples" / "constraints_phase.py"


def group(problem):
    return Group("abt", "", {"problem": problem}, [])


@pytest.mark.parametrize(
    ("problems", "key"),
    [
        (["random:n=4,p2=0.2", "random:n=4,p2=0.7"], "p2"),
        (["random:n=4,p2=0.2", "random:n=5,p2=0.7"], ""),
        (["random:n=4,model=A", "random:n=4,model=B"], ""),
        (["queens:n=4", "queens:n=4"], ""),
    ],
)
def test_only_one_number_that_varies_is_a_sweep(problems, key):
    assert swept_parameter([group(problem) for problem in problems]) == key


def test_the_study_shows_the_share_of_solvable_beside_what_was_solved(tmp_path):
    values = (0.2, 0.45, 0.9)
    plan = run_path(str(EXAMPLE))["plan"](
        instances=4, families={"random:n=4,m=3,p1=0.7,p2": values}, algorithms=("abt", "awcs", "dba")
    )
    with open_store(f"sqlite:///{tmp_path}/phase.db") as store:
        conduct(plan, store=store)
        along, costs, *_ = exhibits_of(plan, store=store)
    rows = {(row[0], row[1]): row for row in along.rows}
    assert along.title == "Along p2: random"
    assert len(costs.rows) == len(rows) == 9
    assert rows["abt", 0.2][2].value == 1
    assert rows["abt", 0.9][2].value == 0
    for value in values:
        shares = {rows[who, value][2].value for who in ("abt", "awcs", "dba")}
        assert len(shares) == 1, "the same instances for all"
    for who in ("abt", "awcs"):
        assert all(rows[who, value][4].value == 1 for value in values), "complete algorithms come to the right end"
    # Breakout proves nothing: all its runs are censored, none is left out.
    assert rows["dba", 0.9][4].value == 0
    assert rows["dba", 0.9][6].value == 300
    assert np.isnan(rows["dba", 0.9][5].value)
    assert "<svg" in along.figures[0].svg


def test_two_algorithms_are_compared_instance_by_instance_in_whatever_form_they_run(tmp_path):
    store = str(tmp_path / "runs.db")

    def call(*words):
        done = CliRunner().invoke(cli, [*words, "--store", store, "--json"], catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout)

    def take(who, problem="random:n=5,m=3,p2=0.4"):
        told = call("run", "constraints", "--as", who, "--problem", problem, "--sessions", "6", "--seed", "3")
        return told["run"], [one["messages"]["total"] for one in told["instances"]]

    # Backtracking by messages is stored as asked and answered; breakout runs compiled, and stores only its scores.
    (plain, spent), (other, theirs), (compiled, least), (easier, _) = (
        take("sync-bt"),
        take("afc"),
        take("dba"),
        take("dba", "random:n=5,m=3,p2=0.3"),
    )
    for second, messages in ((other, theirs), (compiled, least)):
        found = call("compare", plain, second)
        assert found["paired"]
        difference = found["scores"]["messages"]["difference"]
        assert (difference["n"], difference["value"]) == (6, pytest.approx(np.mean(np.subtract(spent, messages))))
    assert not call("compare", plain, easier)["paired"], "other problems"
