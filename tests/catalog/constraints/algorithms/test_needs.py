"""What algorithms need of the network and the problem is asked for before a run, and is all that they need."""

import json
from dataclasses import asdict
from itertools import product

import pytest
from click.testing import CliRunner

from mensura.catalog.constraints.dialogue import constraints
from mensura.catalog.constraints.mail.ends import RunEnds
from mensura.catalog.constraints.mail.network import NetworkTerms
from mensura.catalog.constraints.oracle.find import truth_of
from mensura.catalog.constraints.problem.problem import Problem
from mensura.catalog.constraints.scoring import verdict_of
from mensura.catalog.constraints.showing.computing import compute
from mensura.catalog.constraints.subjects import SUBJECTS
from mensura.cli.main import cli
from mensura.errors import BadParameter
from mensura.running.study.plan import Cast, Study
from mensura.running.study.registration.checked import check_plan
from mensura.subjects import SubjectSpec
from tests.catalog.constraints.algorithms.optimising.small import check_best, mixed
from tests.catalog.constraints.algorithms.test_truth import small_problem
from tests.catalog.constraints.runs import carry, run

PRIVATE = "random:n=4,m=2,p1=0.7,p2=0.3,private=yes"
HINDRANCES = {
    "ordered channels": {"reordering": 0.2},
    "single delivery": {"duplication": 0.2},
    "shared constraints": {"problem": PRIVATE},
}
AGENTS = {name: make for name, make in SUBJECTS.items() if name != "actor"}
COMPLETE = {name: make for name, make in AGENTS.items() if make.complete}


def refuse(who, **parameters):
    """Ask a subject, by name, whether it can take a run."""
    SubjectSpec(who).refuse(constraints, constraints.fill(parameters))


@pytest.mark.parametrize("need", HINDRANCES)
@pytest.mark.parametrize("name", AGENTS)
def test_an_algorithm_refuses_what_it_declares_that_it_cannot_do_with(name, need):
    if need not in AGENTS[name].needs:
        refuse(name, **HINDRANCES[need])
        return
    with pytest.raises(BadParameter, match=f"^{name} needs .* and .*"):
        refuse(name, **HINDRANCES[need])


@pytest.mark.parametrize("hindrance", HINDRANCES.values(), ids=HINDRANCES)
def test_a_run_is_refused_before_anything_is_stored(hindrance, tmp_path):
    store = str(tmp_path / "runs.db")
    who = "sync-bt" if "duplication" in hindrance else "abt"
    words = ["run", "constraints", "--as", who, "--sessions", "2", "--seed", "1", "--store", store]
    words += [part for name, value in hindrance.items() for part in (f"--{name}", str(value))]
    done = CliRunner().invoke(cli, words)
    assert f"{who} needs" in str(done.exception)
    listed = CliRunner().invoke(cli, ["list", "runs", "--json", "--store", store])
    assert json.loads(listed.stdout or "[]") == []


@pytest.mark.parametrize("who", ["actor:abt", "team:plurality(abt,abt)", "abt-temp:3", "abt-temp#k=3"])
def test_a_member_of_a_group_refuses_too(who):
    with pytest.raises(BadParameter, match="needs messages to arrive in the order"):
        refuse(who, reordering=0.2)


def test_who_is_refused_is_told_of_others_that_can_do_it():
    with pytest.raises(BadParameter, match=r"without this need, such as afb, dpop, mb-dpop, sync-bb\.$"):
        refuse("adopt", reordering=0.2)
    with pytest.raises(BadParameter, match=r"without this need, such as abt-sides\.$"):
        refuse("abt", problem=PRIVATE)
    with pytest.raises(BadParameter, match=r"Take a problem without private constraints\.$"):
        refuse("dpop", problem="max-discsp:n=4,private=yes")


def test_an_acknowledging_channel_is_in_order_whatever_else_is_asked_for():
    for name in AGENTS:
        refuse(name, reordering=0.2, duplication=0.2, channel="acknowledged")


def test_a_file_with_a_constraint_that_only_one_side_knows_is_refused(tmp_path):
    one = {"scope": ["x", "y"], "forbidden": [[0, 0]]}
    problem = {"domains": {"d": [0, 1]}, "variables": {"x": "d", "y": "d"}}
    for known, refused in ((["x"], True), (["x", "y"], False), (None, False)):
        path = tmp_path / "problem.json"
        told = one if known is None else {**one, "known_to": known}
        path.write_text(json.dumps({**problem, "constraints": [told]}))
        if refused:
            with pytest.raises(BadParameter, match="abt needs constraints that all agents in them know"):
                refuse("abt", problem=str(path))
        else:
            refuse("abt", problem=str(path))


def test_sessions_in_memory_and_films_refuse_too():
    with pytest.raises(BadParameter, match="needs messages to arrive in the order"):
        run("abt", "queens:n=4", reordering=0.2)
    with pytest.raises(BadParameter, match="needs messages to arrive in the order"):
        compute("awcs", problem="queens:n=4", reordering=0.2)


def test_a_study_is_refused_before_its_first_condition_has_begun(tmp_path):
    conditions = {"ordered": {"reordering": 0.0}, "reordered": {"reordering": 0.2}}
    casts = [Cast("one", {"": "sync-bt"}), Cast("other", {"": "abt"})]
    with pytest.raises(BadParameter, match="abt needs messages to arrive in the order"):
        check_plan(Study("orders", ("constraints",), casts, conditions=conditions))
    check_plan(Study("orders", ("constraints",), casts[:1], conditions=conditions))


def check_right(name, seed, **terms):
    """Let a complete algorithm solve a small problem, and compare its end with the oracle."""
    make, limits = COMPLETE[name], RunEnds(cycles=20_000, messages=30_000)
    if "satisfaction" not in make.needs:
        check_best(make, mixed(seed), seed, ends=limits, **terms)
        return
    problem = small_problem(seed)
    truth = truth_of(problem)
    report = carry(problem, make, seed=seed, ends=limits, **terms)[0].report()
    assert verdict_of(report, asdict(truth)) == ("solved" if truth.solvable else "unsolvable"), seed


DELAYS = ("none", "fixed:1", "uniform:0,5", "exponential:5", "link:0,4")
EXECUTIONS = ("sync", "async", "real")
ACKNOWLEDGED = {"loss": 0.3, "channel": "acknowledged"}
P181 = {
    "objective": "min",
    "domains": {"d0": [0, 1, 2, 3], "d1": [0, 1], "d2": [0, 1]},
    "variables": {"x0": "d0", "x1": "d1", "x2": "d2"},
    "constraints": [
        {
            "scope": ["x1", "x0"],
            "costs": [[0, 0, 1], [0, 1, -3], [0, 2, 7], [0, 3, 5], [1, 1, 2], [1, 2, 1], [1, 3, 5]],
        },
        {"scope": ["x2", "x0"], "forbidden": [[0, 0], [0, 3], [1, 0], [1, 3]]},
        {"scope": ["x2", "x1"], "costs": [[0, 0, 7], [0, 1, 7], [1, 0, 7], [1, 1, 5]]},
    ],
}
"""ADOPT once proved it unsolvable: it took bounds of a child for values above that it had not heard."""


def channels(name):
    """Return the channels on which an algorithm is to end right: those that its declared needs allow."""
    unneeded = [need for need in ("ordered channels", "single delivery") if need not in COMPLETE[name].needs]
    worst = {key: value for need in unneeded for key, value in HINDRANCES[need].items()}
    return [{}, ACKNOWLEDGED, *([worst] if worst else [])]


@pytest.mark.parametrize("name", COMPLETE)
def test_small_problems_end_right_on_every_network_that_an_algorithm_can_do_with(name):
    cells = list(product(channels(name), DELAYS, EXECUTIONS))
    for seed, (channel, delay, execution) in enumerate(cells[::4]):
        check_right(name, seed, terms=NetworkTerms(delay, **channel), execution=execution)


@pytest.mark.proof
@pytest.mark.parametrize("execution", EXECUTIONS)
@pytest.mark.parametrize("name", COMPLETE)
def test_small_problems_end_right_on_the_whole_product_of_networks(name, execution):
    for channel, delay in product(channels(name), DELAYS):
        for seed in range(30):
            check_right(name, seed, terms=NetworkTerms(delay, **channel), execution=execution)


@pytest.mark.parametrize("terms", [{"delay": "exponential:5"}, {"delay": "uniform:1,3", **ACKNOWLEDGED}])
@pytest.mark.parametrize("seeds", [range(25), pytest.param(range(25, 400), marks=pytest.mark.proof)])
@pytest.mark.parametrize("name", ["adopt", "bnb-adopt"])
def test_bounds_for_values_not_heard_yet_prove_nothing(name, terms, seeds):
    problem = Problem.read(P181)
    for seed in seeds:
        check_best(COMPLETE[name], problem, seed, terms=NetworkTerms(**terms), execution=EXECUTIONS[seed % 3])
