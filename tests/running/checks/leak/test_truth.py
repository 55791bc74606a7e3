"""Truths that can be seen before they are told are caught."""

from dataclasses import dataclass
from typing import ClassVar

from mensura.dialogue import Ask, Choice, Number, Prompt, TableView
from mensura.running.checks.leak.truth import check_truth_hidden
from tests.running.checks.examined import saving, trial_of


def test_the_right_answer_in_a_fixed_place_of_the_options_is_caught():
    def first_is_right(rng):
        for i in range(12):
            letters = tuple(rng.permutation(list("abcd")).tolist())
            yield Ask("Which?", Choice(letters), key=f"q{i}", truth=letters[0])

    found = check_truth_hidden(trial_of(first_is_right))
    assert found.passed is False
    assert "options, number 1" in found.words


def test_the_right_answer_in_the_key_is_caught():
    def keyed(rng):
        for i in range(12):
            right = "abc"[int(rng.integers(3))]
            yield Ask("Which?", Choice(("a", "b", "c")), key=f"q{i}-{right}", truth=right)

    found = check_truth_hidden(trial_of(keyed))
    assert found.passed is False
    assert "part 2 of the key" in found.words


@dataclass(frozen=True)
class Sly(Prompt):
    """Shows a question and carries its answer."""

    kind: ClassVar[str] = "sly"
    question: str
    answer: str

    def data(self):
        return {"kind": self.kind, "question": self.question}

    def text(self):
        return self.question


def test_the_right_answer_behind_the_prompt_is_caught():
    def sly(rng):
        for i in range(12):
            right = "abc"[int(rng.integers(3))]
            yield Ask(Sly("Which?", right), Choice(("a", "b", "c")), key=f"q{i}", truth=right)

    found = check_truth_hidden(trial_of(sly))
    assert found.passed is False
    assert "the attribute answer of the prompt" in found.words


def test_tests_without_truths_have_none_to_hide():
    assert check_truth_hidden(trial_of(saving)).passed is None


def test_a_truth_that_always_stands_at_one_place_of_the_prompt_is_caught():
    def telling(rng):
        for i in range(12):
            truth = float(rng.random())
            yield Ask(TableView(("hint", "noise"), [(truth, rng.random())]), Number(), key=f"k{i}", truth=truth)

    def evident(rng):
        for i in range(12):
            shown = [int(number) for number in rng.permutation(5)]
            yield Ask(f"Which is largest: {shown}?", Number(), key=f"k{i}", truth=4)

    found = check_truth_hidden(trial_of(telling))
    assert found.passed is False
    assert "part 1 of the prompt, rows, number 1, number 1" in found.words
    assert check_truth_hidden(trial_of(evident)).passed
