"""Verdicts, scores and exhibits of constraint runs."""

import json

import pytest

from mensura.catalog.constraints.agent import Agent
from mensura.catalog.constraints.exhibits import cycles_to_end, exhibits
from mensura.catalog.constraints.problem.problem import Problem
from mensura.catalog.constraints.scoring import VERDICTS, verdict_of
from mensura.dialogue import Scores
from mensura.errors import BadParameter
from mensura.exhibit import Group
from mensura.library.runs import run as run_test
from tests.catalog.constraints.runs import carry, run

QUIET = {"over": "quiet", "claims": [], "violated": 0, "cost": 0.0, "objective": "satisfy"}
SOLVABLE = {"solvable": True, "optimum": None}


def ended(**changed):
    return {**QUIET, **changed}


@pytest.mark.parametrize(
    ("post", "truth", "verdict"),
    [
        (ended(), SOLVABLE, "solved"),
        (ended(violated=1), SOLVABLE, "quiet but wrong"),
        (ended(violated=None), SOLVABLE, "quiet but wrong"),
        (ended(over="stopped", claims=[["x0", "unsolvable"]]), {"solvable": False, "optimum": None}, "unsolvable"),
        (ended(over="stopped", claims=[["x0", "unsolvable"]]), SOLVABLE, "wrong"),
        (ended(over="stopped", claims=[["x0", "unsolvable"]]), None, "unsolvable"),
        (ended(over="stopped", claims=[["x0", "solved"]], violated=2), SOLVABLE, "wrong"),
        (ended(over="limit"), SOLVABLE, "limit"),
        (ended(over="lost"), SOLVABLE, "crashed"),
        (ended(objective="min", cost=5.0), {"solvable": True, "optimum": 5.0}, "optimal"),
        (ended(objective="min", cost=7.0), {"solvable": True, "optimum": 5.0}, "suboptimal"),
        (ended(objective="min", cost=0.1 + 0.2), {"solvable": True, "optimum": 0.3}, "optimal"),
        (ended(objective="min", cost=5.0), None, "optimum unknown"),
        (ended(objective="min", cost=5.0), {"solvable": True, "optimum": None}, "optimum unknown"),
        (
            ended(objective="min", cost=7.0, over="stopped", claims=[["x0", "optimal"]]),
            {"solvable": True, "optimum": 5.0},
            "wrong",
        ),
    ],
)
def test_a_verdict_is_what_mailman_and_oracle_see(post, truth, verdict):
    assert verdict_of(post, truth) == verdict
    assert verdict in VERDICTS


def test_seconds_are_a_limit_and_no_crash():
    assert verdict_of(ended(over="lost"), SOLVABLE, too_long=True) == "limit"
    assert verdict_of(ended(over="limit", why="seconds"), SOLVABLE) == "limit"


def test_a_crash_in_a_run_with_a_limit_of_seconds_is_a_crash():
    assert verdict_of(ended(over="limit", why="seconds"), SOLVABLE, failed=True) == "crashed"


def test_a_run_lists_its_instances_with_all_that_is_asked_of_them(tmp_path):
    found = run_test("constraints", "abt", parameters={"latency": "0,100"}, sessions=2, seed=1, store=tmp_path / "s.db")
    result = found.results[0]
    assert set(result.scores) == {"solved", "cycles", "messages", "cost"}
    instances = json.loads(json.dumps(result.details["instances"]))
    assert len({one["instance"] for one in instances}) == 2
    asked = "instance verdict truth assignment cost optimum cycles messages size checks nccc links_per_variable"
    assert set(asked.split()) | {"self_reported"} <= set(instances[0])
    assert set(instances[0]["messages"]) >= {"total", "by_kind", "obsolete"}
    assert set(instances[0]["nccc"]) == {"0", "100"}
    assert (instances[0]["verdict"], instances[0]["truth"], instances[0]["self_reported"]) == (
        "solved",
        "solvable",
        False,
    )


@pytest.mark.parametrize("trace", ["none", "summary"])
def test_what_is_kept_changes_no_score(tmp_path, trace):
    from mensura.running.run import RunOptions

    scores = [
        run_test(
            "constraints",
            "awcs",
            parameters={"problem": "queens:n=6"},
            sessions=3,
            seed=5,
            store=tmp_path / f"{kept}.db",
            options=RunOptions(trace=kept),
        )
        .results[0]
        .details["instances"]
        for kept in ("full", trace)
    ]
    plain = [[{**one, "instance": ""} for one in held] for held in scores]
    assert plain[0] == plain[1]


def group_of(verdicts, cycles):
    runs = [
        {**run("abt", "queens:n=4"), "verdict": verdict, "cycles": count}
        for verdict, count in zip(verdicts, cycles, strict=True)
    ]
    return Group(
        "abt", "", {"problem": "queens:n=4", "stop": "cycles=100"}, [Scores({}, {"instances": [one]}) for one in runs]
    )


def test_runs_at_a_limit_are_censored_and_not_left_out():
    group = group_of(["solved", "solved", "limit", "quiet but wrong"], [10, 20, 100, 3])
    found = cycles_to_end(group, [scores.details["instances"][0] for scores in group.scores])
    assert found.share.value == 0.5
    assert found.restricted_mean.value == (10 + 20 + 100 + 100) / 4
    assert found.median.value == 20


def test_nobody_is_told_that_a_cost_is_best_where_the_oracle_was_not_asked(tmp_path):
    asked = {"problem": "weighted-colouring:n=6,links=9", "oracle": 0.0}
    found = run_test("constraints", "mgm#steps=9", parameters=asked, sessions=2, seed=1, store=tmp_path / "s.db")
    assert [one["verdict"] for one in found.results[0].details["instances"]] == ["optimum unknown"] * 2
    assert found.scores["solved"].n == 0


def test_runs_whose_end_nobody_knows_are_left_out_of_the_share_at_the_right_end():
    group = group_of(["optimal", "optimum unknown", "suboptimal"], [10, 20, 30])
    runs = [scores.details["instances"][0] for scores in group.scores]
    assert cycles_to_end(group, runs).share.value == 0.5
    assert str(cycles_to_end(group, runs[1:2]).share.value) == "nan"
    assert len(exhibits([group_of(["optimum unknown"], [20])])) == 2


def test_exhibits_say_how_runs_ended_and_what_they_cost():
    shown = {one.title: one for one in exhibits([group_of(["solved", "limit"], [10, 100])])}
    assert list(shown) == ["What agreeing costs", "How runs ended", "How soon runs end"]
    assert shown["How runs ended"].rows == [["abt", 1, 1]]
    assert shown["How soon runs end"].figures[0].svg.startswith("<svg")
    assert exhibits([Group("nobody", "", {}, [])]) == []


def test_an_algorithm_that_needs_whole_costs_refuses_others_in_a_sentence():
    class Whole(Agent):
        needs = frozenset({"one variable", "integers"})

    costs = {"scope": ["x", "y"], "costs": [[0, 0, 1.5], [1, 1, 2]]}
    problem = {"objective": "min", "domains": {"d": [0, 1]}, "variables": {"x": "d", "y": "d"}, "constraints": [costs]}
    with pytest.raises(BadParameter, match=r"Whole needs whole costs, and x has one of 1\.5"):
        carry(Problem.read(problem), Whole)
    costs["costs"][0][2] = 1
    assert carry(Problem.read(problem), Whole)[0].over == "quiet"


def test_a_problem_in_parts_is_solved_apart_and_that_is_said(tmp_path):
    written = json.dumps(
        {
            "objective": "min",
            "domains": {"d": [0, 1]},
            "variables": dict.fromkeys("abcde", "d"),
            "constraints": [{"scope": ["a", "c"], "costs": [[0, 0, 3]]}, {"scope": ["b", "d"], "costs": [[1, 1, 2]]}],
        }
    )
    (tmp_path / "parts.json").write_text(written)
    found = run("dpop", str(tmp_path / "parts.json"))
    assert (found["verdict"], found["components"]) == ("optimal", 3)
    shown = exhibits([Group("dpop", "", {"problem": "parts.json", "stop": ""}, [Scores({}, {"instances": [found]})])])
    assert any("components" in note for note in shown[0].notes)


@pytest.mark.parametrize(
    ("who", "asked", "words"),
    [
        ("awcs", {"problem": "random:n=6,m=3,per_agent=2", "several": "as-is"}, "needs agents of one variable"),
        ("abt", {"problem": "weighted-colouring:n=5,k=3,links=6"}, "only satisfies constraints"),
    ],
)
def test_what_an_algorithm_cannot_do_is_said_in_a_sentence(tmp_path, who, asked, words):
    found = run_test("constraints", who, parameters=asked, seed=1, store=tmp_path / "s.db").results[0]
    assert any(words in said for said in found.last_words)
    assert found.details["instances"][0]["verdict"] == "crashed"
