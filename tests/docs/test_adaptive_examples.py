"""The examples that measure adaptive systems run, small, and say what they are for."""

import importlib.util
from dataclasses import replace
from pathlib import Path

import pytest

from mensura.running.study import Stopping, conduct, exhibits_of
from mensura.store import open_store

EXAMPLES = Path(__file__).parents[2] / "examples"


def loaded(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def shown(study, folder):
    """Conduct a study and return its exhibits by their titles."""
    with open_store(str(folder / "examples.db")) as store:
        assert conduct(study, store=store).finished
        return {exhibit.title: exhibit for exhibit in exhibits_of(study, store=store)}


def test_the_transfer_study_of_the_corridor_shows_transfer_levels_and_doses(tmp_path):
    whole = loaded("transfer").study
    arms = {
        arm: tuple({**phase, "sessions": 5 if "name" in phase else 1} for phase in phases)
        for arm, phases in whole.arms.items()
    }
    found = shown(replace(whole, arms=arms, stopping=Stopping(most=2)), tmp_path)
    assert {
        "Transfer of learner from X to Y, probed frozen",
        "Transfer of learner from X to Y, probed learning",
    } <= set(found)
    doses = next(one for title, one in found.items() if title.startswith("Dose and response: drop round q-learner"))
    assert [row[0] for row in doses.rows] == [0.0, 0.3, 0.6]
    levels = found["Levels, frozen and while learning"]
    assert {row[0] for row in levels.rows} >= {"learner in X then Y", "30 % lost in Y alone"}


def test_learners_of_lambda_star_keep_or_forget_their_tables(capsys):
    loaded("transfer_lambda_star").main(courses=2, sessions=2)
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in lines] == [
        "training",
        "new environments, frozen",
        "new environments, learning",
    ]
    assert all("keeping what was learned changes the score by" in line and "(n=2, " in line for line in lines)


def test_an_apprentice_of_puzzles_loses_lessons(capsys):
    loaded("transfer_puzzles").main(courses=2)
    printed = capsys.readouterr().out
    assert printed.count("% lost: accuracy") == 6
    assert "odd ones, frozen: " in printed


@pytest.fixture(scope="module")
def agents(tmp_path_factory):
    """Exhibits of the study of agents, as small as it can be: one learns a model, one never learns."""
    example = loaded("adaptive_agents")
    # One dose beside none: a curve of dose and response has two points then.
    example.SLIPS = (0.6,)
    plan = example.make(courses=2, sessions=2, episodes=2, agents=("model-learner", "pid"))
    return shown(plan, tmp_path_factory.mktemp("agents"))


@pytest.mark.parametrize(
    "title",
    [
        "Learning curves",
        "Levels, frozen and while learning",
        "Transfer of model-learner from race to heavy, probed frozen",
        "Interference of tasks learned one after the other: pid, probed frozen",
        "Retention over pauses",
        "Dose and response: slip round model-learner in race alone",
        "Understanding of friction along the course: model-learner in race then heavy, probed frozen",
        "How it failed",
        "Properties of the task environment",
    ],
)
def test_the_study_of_agents_shows_all_that_it_measures(agents, title):
    assert title in agents
    assert agents[title].rows


def test_the_model_learner_comes_to_understand_friction_and_the_controller_does_not(agents):
    def grown(who):
        title = f"Understanding of friction along the course: {who} in race then heavy, probed frozen"
        return {row[0]: [one.value for one in row[1:]] for row in agents[title].rows}

    learner, controller = grown("model-learner"), grown("pid")
    assert learner[0] == pytest.approx([0, 0, 0, 0])
    assert min(learner[2]) > 0.95
    assert [controller[2][place] for place in (0, 2, 3)] == [0, 0, 0]
