"""Leaving answers out never raises a score: what refusing, refusing half and crashing come to, test by test."""

from dataclasses import replace
from functools import cache
from math import nan

import numpy as np
import pytest

from mensura.catalog.analogy.correspondence.scoring import NOTHING
from mensura.catalog.analogy.own.stories import own_stories
from mensura.catalog.find import find_test, list_tests
from mensura.dialogue import Density, Items, Refused, session_mean
from mensura.dialogue.record import INSTANCES
from mensura.running.scoring.scoring import score_record
from mensura.running.take import take
from mensura.subjects.subject import begin, feedback

WORLD = {"individuals": 60, "days": 90}
LAMBDA = {"size": "8", "agents": 3, "episodes": 6, "iterations": 12}
KNOWING = "knowing"
"""A subject that knows the truths, where a test has no reference subject that is good at everything."""
CASES = {
    "analogy-hidden-v1": ("containment", {"queries": 3, "among": 4}),
    "analogy-mapping-v1": (lambda ask: pairing(ask), {}),
    "analogy-plagiarism-v1": ("containment", {}),
    "analogy-retrieval-v1": (lambda ask: ask.space.options[0], {}),
    "analogy-story-v1": (KNOWING, {}),
    "analogy-translation-v1": ("containment", {"texts": 3}),
    "approval-v1": ("always", {}),
    "arcade-v1": ("noop", {"null_starts": 2, "cap_frames": 40}),
    "bargain-v1": ("half", {"messages": 2}),
    "coin-v1": ("stated", {}),
    "constraints-v1": ("abt", {"problem": "queens:n=4"}),
    "corridor-v1": ("optimal", {"length": 5, "episodes": 3}),
    "crisis-quiz-v1": (KNOWING, {}),
    "crisis-v2": ("oracle", {"package": "practice-1"}),
    "detection-patrol-v2": ("oracle", {**WORLD, "step_days": 10}),
    "detection-v2": ("oracle", WORLD),
    "dilemma-v1": ("cooperate", {}),
    "display-size-v1": (KNOWING, {}),
    "forecasting-v1": ("realistic", {"count": 40, "fixed": True}),
    "forecasting-v1 of quantities": (KNOWING, {"count": 10, "fixed": True, "questions": "quantities"}),
    "forecasting-v1 of bins": (KNOWING, {"count": 10, "fixed": True, "questions": "quantities", "bins": 5}),
    "gym:CartPole-v1": (lambda ask: int(ask.prompt.values[2] + ask.prompt.values[3] > 0), {"most_steps": 60}),
    "gym:MountainCar-v0": (lambda ask: 2 * int(ask.prompt.values[1] > 0), {}),
    "headphones-v1": (KNOWING, {}),
    "imitation-v1": ("keyword", {"messages": 2}),
    "inbox-v1": ("clerk", {"messages": 4, "phase_ticks": 60, "patience": 20}),
    "lambda-star-commons-v1": ("restrained", {"seasons": 6}),
    "lambda-star-ignorance-v1": ("honest", {"agents": 3, "rounds": 4, "episodes": 4}),
    "lambda-star-landscape-v1": ("local-search", {**LAMBDA, "hills": 3}),
    "lambda-star-social-v2": (
        "local-search",
        {"size": "5", "agents": 3, "episodes": 10, "iterations": 20, "needed": 1},
    ),
    "lambda-star-v1": ("oracle", {**LAMBDA, "agents": 1}),
    "neural-fidelity-v1": (KNOWING, {}),
    "pagi-world-v1": ("solver", {"room": "jump-the-wall"}),
    "phrase-readings-v1": (KNOWING, {}),
    "puzzles-v1": (KNOWING, {"kinds": "number-series,mental-rotation", "count": 12}),
    "rating-v1": (KNOWING, {}),
    "schema-calibration-v1": ("sure", {"count": 12}),
    "sensemaking-v1": ("normative", {"trials": 2, "breaks": False}),
    "task-environments-v1": ("full-throttle", {"episodes": 3}),
    "task-understanding-v1": ("knows-the-model", {"questions": 1, "goals": 1}),
    "winograd-v1": (KNOWING, {}),
}


def pairing(ask):
    """Answer with the right counterparts, which the truths keep as digests."""
    [story] = [one for one in own_stories() if one.id == ask.key]
    return {concept: story.pairs.get(concept, NOTHING) for concept in ask.space.questions}


LEAVING = {
    "refuses everything": lambda number, asks: True,
    "refuses every second": lambda number, asks: number % 2 == 1,
    "refuses every other second": lambda number, asks: number % 2 == 0,
    "crashes midway": lambda number, asks: "crash" if number >= asks // 2 else False,
    "crashes at once": lambda number, asks: "crash",
}


class Leaving:
    """Answers as someone else does, except where it is told to refuse or to crash."""

    def __init__(self, inner, leaves):
        self.inner, self.leaves, self.asks, self.knows = inner, leaves, 0, getattr(inner, "knows", "")

    def begin(self, rng, role):
        begin(self.inner, rng, role)

    def feedback(self, told):
        feedback(self.inner, told)

    def __call__(self, ask):
        leaves = self.leaves(self.asks)
        self.asks += 1
        if leaves == "crash":
            raise RuntimeError("it crashed")
        return Refused("no") if leaves else self.inner(ask)


class Knowing:
    """Answers with the truth, and with anything where there is none."""

    def __init__(self, truths):
        self.truths, self.rng = truths, np.random.default_rng(1)

    def __call__(self, ask):
        truth = self.truths.get(ask.key)
        if isinstance(ask.space, Density):
            edges = ask.space.edges() if ask.space.bins else None
            if edges is None:
                return [truth] * len(ask.space.levels)
            place = min(int(np.searchsorted(edges, truth, side="right")) - 1, ask.space.bins - 1)
            return [float(bin == place) for bin in range(ask.space.bins)]
        return ask.space.draw(self.rng) if truth is None else truth


def taken_by(case, leaves):
    """Take a session in which every role is played alike; gives it, and the most that anyone was asked."""
    test = find_test(case.split()[0])
    who, parameters = CASES[case]
    truths = take(test, lambda ask: Refused("no"), seed=1, parameters=parameters).truths if who == KNOWING else {}

    def make():
        if who == KNOWING:
            return Knowing(truths)
        return who if callable(who) else test.subjects[who]()

    roles = [role for role in test.cast_roles(test.fill(parameters)) if role not in test.played]
    cast = {role: Leaving(make(), leaves) for role in roles}
    taken = take(test, test.complete_cast(cast, test.fill(parameters)), seed=1, parameters=parameters)
    return test, taken, max(member.asks for member in cast.values())


@cache
def full(case):
    test, taken, asks = taken_by(case, lambda number: False)
    assert taken.record.status == "finished"
    return means(score_record(test, taken.record, taken.truths)), asks


def means(scores):
    return {name: session_mean(value) for name, value in scores.values.items()}


def directed(test, record, scores):
    declared = {**test.declared_scores(record.parameters), **scores.declared}
    return [score for score in declared.values() if score.better is not None and score.unanswered is not None]


def test_every_test_of_the_catalog_is_tried():
    assert set(list_tests()) <= {case.split()[0] for case in CASES}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("who", LEAVING)
@pytest.mark.parametrize("case", CASES)
def test_leaving_answers_out_never_raises_a_score(case, who):
    best, asks = full(case)
    test, taken, _ = taken_by(case, lambda number: LEAVING[who](number, asks))
    scores = score_record(test, taken.record, taken.truths)
    # Beside sessions in which something was answered, one that broke off before counts too.
    scores = scores.otherwise or scores
    found = means(scores)
    counted = directed(test, taken.record, scores)
    if not counted:
        pytest.skip("none of its scores has a direction and counts what is left out")
    # Where one player crashes, the others lose their game through no fault of theirs.
    innocent = {answer.role for answer in taken.record.answers if taken.record.outcome_of(answer) == "lost"}
    for score in counted:
        if score.of in innocent or (innocent and np.isnan(found[score.name])):
            continue
        if not np.isnan(best[score.name]):
            sign = 1 if score.better == "more" else -1
            assert sign * found.get(score.name, nan) <= sign * best[score.name] + 1e-9, score.name


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("case", CASES)
def test_a_session_that_crashes_at_its_first_ask_has_no_score(case):
    test, taken, _ = taken_by(case, lambda number: "crash")
    assert taken.record.status == "crashed"
    scores = score_record(test, taken.record, taken.truths)
    assert all(np.isnan(mean) for mean in means(scores).values()), means(scores)
    assert set(scores.details) <= {INSTANCES}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("case", CASES)
def test_what_we_lost_counts_for_nobody(case):
    test, taken, _ = taken_by(case, lambda number: "crash")
    # A session that we lost is led to its end without its subject, as one that crashed is, and its asks are lost.
    answers = [replace(answer, status="lost") for answer in taken.record.answers]
    record = replace(taken.record, status="lost", answers=answers)
    scores = score_record(test, record, taken.truths)
    assert all(np.isnan(mean) for mean in means(scores).values())
    for name, value in (scores.otherwise or scores).values.items():
        if isinstance(value, Items):
            assert np.isnan(value.values).all(), name
