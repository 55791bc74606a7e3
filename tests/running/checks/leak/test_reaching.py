"""Seeds, generators and truths behind what a subject is handed are caught."""

import weakref
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar

import numpy as np
import pytest

from mensura.dialogue import Ask, Break, Choice, Item, Outcome, Prompt, Text
from mensura.running.checks.leak.reaching import check_reach
from mensura.running.checks.leak.truth import check_truth_hidden
from mensura.running.checks.leak.walk import walk
from tests.running.checks.examined import full_trial_of, good, trial_of
from tests.running.checks.honest import HONEST

LETTERS = ("a", "b", "c")


@dataclass(frozen=True)
class Page(Prompt):
    """Shows a question and holds something behind it."""

    kind: ClassVar[str] = "page"
    question: str
    behind: Any = field(default=None, repr=False)

    def data(self):
        return {"kind": self.kind, "question": self.question}

    def text(self):
        return self.question


class Slotted:
    """Holds something in a slot."""

    __slots__ = ("__inner",)

    def __init__(self, inner):
        self.__inner = inner


def behind(hold):
    """A test whose prompt holds what a function makes of its generator."""

    def test(rng):
        yield Ask(Page("Which?", hold(rng)), Choice(LETTERS), key="q", truth="a")

    return test


def seed_of(rng):
    return rng.bit_generator.seed_seq.entropy


def running(rng):
    """A generator function that holds the test's in its frame."""
    yield rng.random()


def started(rng):
    dialogue = running(rng)
    next(dialogue)
    return dialogue


@pytest.mark.parametrize(
    ("hold", "what"),
    [
        (seed_of, "the seed"),
        (lambda rng: f"run {seed_of(rng)}", "the seed"),
        (lambda rng: hex(seed_of(rng)).encode(), "the seed"),
        (lambda rng: {"seeds": [seed_of(rng)]}, "the seed"),
        (lambda rng: np.random.SeedSequence(seed_of(rng)), "the seed"),
        (lambda rng: rng, "the test's generator"),
        (lambda rng: np.random.Generator(type(rng.bit_generator)(rng.bit_generator.seed_seq)), "the test's generator"),
        (lambda rng: rng.bit_generator.state, "the state of the test's generator"),
        (lambda rng: rng.random, "the test's generator"),
        (lambda rng: lambda: rng, "closure rng leads to the test's generator"),
        (lambda rng: lambda drawn=rng: drawn, "its defaults, number 1 leads to the test's generator"),
        (lambda rng: partial(max, rng), "the test's generator"),
        (started, "its frame, rng leads to the test's generator"),
        (Slotted, "the test's generator"),
        (lambda rng: Ask("Next?", Choice(LETTERS), "next", truth="b"), "the ask 'next' with its truth"),
        (lambda rng: Item("Next?", Choice(LETTERS), "b", id="next"), "the item 'next' with its answer"),
    ],
)
def test_what_leads_to_a_secret_is_caught(hold, what):
    found = check_reach(trial_of(behind(hold)))
    assert found.passed is False, found
    assert what in found.words
    assert "the ask 'q'" in found.words


class Labelled(str):
    """A text that has attributes."""


def test_secrets_behind_a_text_and_in_breaks_are_caught():
    def labelled(rng):
        prompt = Labelled("Which?")
        prompt.world = [rng]
        yield Ask(prompt, Choice(LETTERS))

    def resting(rng):
        yield Break(Page("Rest.", rng))
        yield Ask("Which?", Choice(LETTERS))

    assert "world, number 1 leads to the test's generator" in check_reach(trial_of(labelled)).words
    assert "the break, prompt, behind leads to the test's generator" in check_reach(trial_of(resting)).words


def test_secrets_in_messages_and_outcomes_are_caught():
    def telling(rng):
        yield Ask(Page("Hello.", rng), key="hello")
        yield Ask("Which?", Choice(LETTERS))

    def ending(rng):
        yield Ask("Which?", Choice(LETTERS))
        return Outcome(Page("Bye.", rng))

    assert "the message 'hello'" in check_reach(trial_of(telling)).words
    assert "the outcome" in check_reach(trial_of(ending)).words


def test_a_generator_that_gives_the_seed_away_is_caught_when_a_subject_is_handed_it():
    trial = trial_of(good)
    assert check_reach(trial).passed
    trial.streams = "spawned"
    assert "the generator of the subject" in check_reach(trial).words


def test_a_world_behind_the_prompt_is_caught():
    def worldly(rng):
        world = {"answers": ["abc"[int(letter)] for letter in rng.integers(3, size=12)]}
        for i, right in enumerate(world["answers"]):
            yield Ask(Page("Which?", world), Choice(LETTERS), key=f"q{i}", truth=right)

    found = check_truth_hidden(full_trial_of(worldly))
    assert found.passed is False
    assert "the attribute behind of the prompt, answers, its number of every ask holds its right answer" in found.words


def test_a_truth_of_many_parts_behind_the_prompt_is_caught():
    def worldly(rng):
        for i in range(4):
            truth = {"who": f"w{int(rng.integers(10**6))}", "where": [int(rng.integers(10**6))]}
            yield Ask(Page("Which?", {"world": truth}), Text(), key=f"q{i}", truth=truth)

    found = check_truth_hidden(full_trial_of(worldly))
    assert found.passed is False
    assert "what lies behind the ask" in found.words


def knowing(right):
    """A space whose class closes over the truth."""

    class Knowing(Choice):
        def hint(self):
            return right

    return Knowing(LETTERS)


def test_a_space_that_closes_over_the_truth_is_caught():
    def closing(rng):
        for i in range(6):
            right = "abc"[int(rng.integers(3))]

            yield Ask("Which?", knowing(right), key=f"q{i}", truth=right)

    found = check_truth_hidden(full_trial_of(closing))
    assert found.passed is False
    assert "closure right of every ask holds its right answer" in found.words


@pytest.mark.parametrize("honest", HONEST)
def test_honest_tests_lead_nowhere(honest):
    assert check_reach(trial_of(honest)).passed


def test_a_walk_ends_and_says_how_it_came_there():
    class Node:
        pass

    node = Node()
    node.itself, node.far, node.weak = node, {"list": [0, {"set": {7}}]}, weakref.ref(node)
    ways = {value: path for path, value in walk(node, "here", seen={}, most=100) if value == 7}
    assert ways == {7: "here, far, list, number 2, set"}
    assert len(list(walk(list(range(50)), "here", seen={}, most=10))) == 10
