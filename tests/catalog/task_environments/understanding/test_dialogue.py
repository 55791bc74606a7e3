"""Understanding: what three made subjects score, what a cheat scores, and that leaving out never pays."""

import numpy as np
import pytest

from mensura.catalog.task_environments.understanding.dialogue import own_words, understanding
from mensura.catalog.task_environments.understanding.exhibits import exhibits
from mensura.catalog.task_environments.understanding.graph import NODES, graph_of, read_graph
from mensura.catalog.task_environments.understanding.ignorance import ignorance_of, measure_ignorance
from mensura.catalog.task_environments.understanding.phenomenon import PHENOMENA, SECONDS, play
from mensura.catalog.task_environments.understanding.recreating import recreated_miss
from mensura.catalog.task_environments.understanding.scoring import PARTS
from mensura.catalog.task_environments.understanding.subjects import KnowsTheModel, OnlyActs, OnlyCorrelates
from mensura.dialogue import Density, Questions, Refused, Text
from mensura.errors import MensuraError
from mensura.exhibit import Group
from mensura.running.check import CheckOptions, check_test
from mensura.running.scoring.scoring import score_record
from mensura.running.take import take


def taken(subject, *, seed=1, **parameters):
    return take(understanding, subject, seed=seed, parameters=parameters)


def parts_of(subject, *, seeds=(1,), **parameters):
    """Return the mean of each part over sessions."""
    found = []
    for seed in seeds:
        held = taken(subject, seed=seed, **parameters)
        assert held.record.status == "finished", held.record.last_words
        found.append([score_record(understanding, held.record, held.truths).values[part] for part in PARTS])
    return dict(zip(PARTS, np.mean(found, axis=0), strict=True))


class Leaving:
    """Answers as another does, but leaves out one key."""

    def __init__(self, other, key):
        self.other, self.key = other, key
        self.begin, self.feedback = other.begin, other.feedback

    def __call__(self, ask):
        answer = self.other(ask)
        return Refused("no") if ask.key == self.key else answer


@pytest.mark.parametrize("phenomenon", PHENOMENA)
def test_who_knows_the_model_reaches_the_truth_in_all_four_parts(phenomenon):
    found = parts_of(KnowsTheModel(), phenomenon=phenomenon, questions=1, goals=1)
    assert found == pytest.approx(dict.fromkeys(PARTS, 1.0), abs=0.02)


def test_who_only_correlates_predicts_but_neither_explains_nor_recreates():
    found = parts_of(OnlyCorrelates(), seeds=range(8))
    assert 0.05 < found["predict"] < 0.7
    assert found["explain"] < 0
    assert found["recreate"] < 0


def test_who_only_acts_reaches_goals_on_the_way_and_nothing_else():
    found = parts_of(OnlyActs(), seeds=range(8))
    assert found["achieve"] > 0.3
    assert [found[part] for part in ("predict", "explain", "recreate")] == [-1, -1, -1]
    held = [taken(OnlyActs(), seed=seed) for seed in range(8)]
    cells = [score_record(understanding, one.record, one.truths).details["parts"]["achieve"] for one in held]
    means = {cell: np.mean([one[cell] for one in cells]) for cell in cells[0]}
    assert min(means["steered-with"], means["steered-without"]) > 0.5
    assert max(means["planned-with"], means["planned-without"]) < 0


@pytest.mark.parametrize("key", ["later0", "when0", "missing0", "related0", "graph", "interventions", "recreate"])
@pytest.mark.parametrize("subject", [KnowsTheModel, OnlyCorrelates])
def test_leaving_an_answer_out_never_pays(subject, key):
    whole = parts_of(subject(), questions=1, goals=1)
    less = parts_of(Leaving(subject(), key), questions=1, goals=1)
    assert all(less[part] <= whole[part] for part in PARTS)


@pytest.mark.parametrize("key", ["planned-with0", "steered-with0", "steered-without0"])
def test_a_goal_left_out_never_pays(key):
    whole, less = (parts_of(one, questions=1, goals=1) for one in (OnlyActs(), Leaving(OnlyActs(), key)))
    assert less["achieve"] <= whole["achieve"]


def constant(ask):
    """Give the same to everyone: the middle, the graph that all worlds share, and no change."""
    if isinstance(ask.space, Density):
        return [(ask.space.low + ask.space.high) / 2] * len(ask.space.levels)
    if isinstance(ask.space, Questions):
        return dict.fromkeys(ask.space.questions, "less")
    if isinstance(ask.space, Text):
        shared = "power -> speed, mass -> speed, speed -> place"
        return {"graph": shared, "recreate": "0"}.get(ask.key, "no idea")
    return 0.5 if not hasattr(ask.space, "low") else [20.0] * len(ask.space.low)


@pytest.mark.parametrize("phenomenon", ["friction", "drag", "kick"])
def test_constant_answers_earn_nothing(phenomenon):
    found = parts_of(constant, seeds=range(6), phenomenon=phenomenon)
    assert max(found[part] for part in ("predict", "explain", "recreate")) <= 0.0
    assert found["achieve"] < 0.2


def test_the_number_is_told_nowhere():
    heard = []

    class Listener(OnlyActs):
        def feedback(self, told):
            heard.append(str(told.prompt))

        def __call__(self, ask):
            heard.append(str(ask.prompt) + str(ask.space))
            return super().__call__(ask)

    parts_of(Listener(), strength=0.23457)
    assert not [words for words in heard if "0.234" in words or "0.2345" in words]


def test_the_graph_is_the_tasks_own():
    graphs = {name: graph_of(one.world(one.high)) - graph_of(one.plain) for name, one in PHENOMENA.items()}
    assert graphs["friction"] == {("friction", "speed"), ("gravity", "speed")}
    assert graphs["fuel"] == {("power", "fuel"), ("fuel", "mass"), ("fuel", "speed")}
    assert graphs["hidden"] == graphs["lock"] == {("time", "gate"), ("gate", "speed")}
    assert graphs["kick"] == {("time", "speed")}
    assert {node for graph in graphs.values() for edge in graph for node in edge} <= set(NODES)
    assert read_graph("a -> b, speed -> speed") == frozenset()


def test_phenomena_do_what_their_closed_forms_say():
    still = np.zeros((1, 16))
    stopped = play(PHENOMENA["friction"].world(0.1), [0.0, 4.0], still)
    assert stopped.way[0] == pytest.approx(8.0, abs=1e-3)
    assert stopped.when([4.0])[0] == pytest.approx(4 - np.sqrt(8), abs=0.02)
    assert stopped.when([9.0])[0] == SECONDS
    uphill = play(PHENOMENA["slope"].world(0.1), [0.0, 4.0], still)
    assert uphill.way[0] == pytest.approx(32 - 5 * np.sin(0.1) * 64, abs=1e-2)


def test_a_formula_recreates_as_well_as_the_number():
    slope, rng = PHENOMENA["slope"], np.random.default_rng
    said = {text: recreated_miss(slope, 0.1, text, rng(1)) for text in ("0.1", "-10*sin(0.1)", "0", "-10*sin(0.2)")}
    assert said["0.1"] == pytest.approx(dict.fromkeys(said["0.1"], 0.0), abs=1e-9)
    assert all(said["-10*sin(0.1)"][kind] < 0.05 * miss for kind, miss in said["-10*sin(0.2)"].items())
    assert said["0"] is None
    for wrong in ("__import__('os')", "", "7", "speed +", "unknown"):
        assert recreated_miss(slope, 0.1, wrong, rng(1)) is None


def test_a_formula_that_fits_only_what_was_seen_recreates_nothing_else():
    laws = {"friction": "-10*0.2*sign(speed)", "drag": "-0.2*speed*abs(speed)/mass"}
    fits = {"friction": ("-10*0.2", "backwards"), "drag": ("-0.2*speed*abs(speed)/5", "heavier")}
    for name, (fit, kind) in fits.items():
        law, fitted = (
            recreated_miss(PHENOMENA[name], 0.2, text, np.random.default_rng(1)) for text in (laws[name], fit)
        )
        assert max(law.values()) < 0.1
        assert fitted[kind] > 1


def test_ignorance_is_as_measured():
    kept, measured = ignorance_of("kick"), measure_ignorance("kick")
    assert measured.predict == pytest.approx(kept.predict, rel=1e-3)
    assert measured.met == pytest.approx(kept.met, abs=0.01)
    assert measured.recreate == pytest.approx(kept.recreate, rel=1e-3)


def test_own_words_are_kept_for_a_panel_and_not_scored():
    held = taken(KnowsTheModel(), questions=1, goals=1)
    assert "friction" in own_words(held.record)
    assert parts_of(Leaving(KnowsTheModel(), "words"), questions=1, goals=1) == parts_of(
        KnowsTheModel(), questions=1, goals=1
    )


def test_the_table_holds_four_numbers_with_their_intervals_and_never_one():
    held = [taken(OnlyCorrelates(), seed=seed) for seed in range(4)]
    scores = [score_record(understanding, one.record, one.truths) for one in held]
    table, parts = exhibits([Group("correlates", "", held[0].record.parameters, scores)])
    assert table.columns == ("group", *PARTS)
    name, *numbers = table.rows[0]
    assert name == "correlates"
    predict, _, explain, _ = numbers
    assert 0 <= predict.low < predict.value < predict.high <= 1
    assert [one.n for one in numbers] == [4] * 4
    assert explain.value == 0
    assert "equal" in explain.method
    assert ["achieve", "steered-with"] in [row[:2] for row in parts.rows]
    assert exhibits([]) == []


def test_it_keeps_the_contract():
    report = check_test(understanding, options=CheckOptions(sessions=3), questions=1, goals=1, runs=2)
    assert report.passed, report


@pytest.mark.parametrize("wrong", [{"strength": 3.0}, {"questions": 0}, {"goals": 0}, {"runs": -1}])
def test_what_cannot_be_asked_is_refused(wrong):
    with pytest.raises(MensuraError):
        understanding.fill(wrong)
