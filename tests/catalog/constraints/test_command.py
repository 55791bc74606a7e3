"""`mensura constraints generate|show|solve`."""

import json

import pytest
from click.testing import CliRunner

from mensura.catalog.constraints.command import command
from mensura.catalog.constraints.dialogue import constraints
from mensura.catalog.constraints.formats.find import load
from mensura.catalog.constraints.mail.share import shares_of
from mensura.catalog.constraints.order.tree import tree_of
from mensura.dialogue import Address, Clock, generator


def call(*arguments):
    done = CliRunner().invoke(command, [str(one) for one in arguments], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.mark.parametrize("ending", ["json", "yaml", "xml"])
def test_a_problem_is_made_shown_and_solved(ending, tmp_path):
    path = tmp_path / f"queens.{ending}"
    call("generate", path, "--problem", "queens:n=6")
    shown = json.loads(call("show", path, "--json"))
    assert (shown["agents"], shown["constraints"], shown["width"]) == (6, 15, 5)
    solved = json.loads(call("solve", path, "--json"))
    assert (solved["truth"], solved["solutions"], solved["optimum"]) == ("solvable", 4, None)
    assert not load(str(path)).violated(solved["assignment"])
    assert "solutions: 4" in call("solve", path)


def test_several_instances_differ_and_the_same_seed_makes_the_same(tmp_path):
    call("generate", tmp_path / "a.json", "--problem", "random:n=5", "--count", 3, "--seed", 7)
    made = [(tmp_path / f"a-{i}.json").read_text() for i in range(3)]
    assert len(set(made)) == 3
    assert call("generate", "random:n=5", "--seed", 7) == made[0]


def test_problems_are_drawn_as_the_sessions_of_a_run_with_the_seed_meet_them(tmp_path):
    call("generate", tmp_path / "a.json", "--problem", "random:n=5", "--count", 2, "--seed", 7)
    for number in range(2):
        asked = next(constraints(generator(7, Address(session=number)), clock=Clock(), problem="random:n=5"))
        problem = load(str(tmp_path / f"a-{number}.json"))
        shares = shares_of(problem, {agent: rank for rank, agent in enumerate(problem.agents)}, tree_of(problem))
        assert [ask.prompt.share.data() for ask in asked.asks] == [share.data() for share in shares.values()]


def test_a_family_may_stand_in_place_of_a_file():
    assert json.loads(call("solve", "queens:n=3", "--json"))["truth"] == "unsolvable"
    assert json.loads(call("show", "queens:n=3", "--data"))["name"] == "queens"
    assert "<presentation" in call("generate", "queens:n=3", "--format", "frodo")


@pytest.mark.parametrize(("problem", "who"), [("queens:n=3", "abt"), ("meetings:n=3,count=2,attend=2", "dpop")])
def test_who_has_asked_the_oracle_is_pointed_to_agents_that_can_do_it(problem, who):
    done = CliRunner().invoke(command, ["solve", problem])
    assert f"--as {who} --problem {problem!r} --seed 1" in done.stderr
