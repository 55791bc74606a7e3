"""Self-consistency: what several copies agree on, in every kind of space."""

import numpy as np
import pytest

from mensura.dialogue import Action, Ask, Choice, Distribution, Noted, Number, Probability, Refused, Text, test
from mensura.subjects import Constant, SubjectSpec
from mensura.subjects.solver.self_consistency import self_consistency
from mensura.subjects.solver.solver import Solved


def agreed(space, *answers, seed=1):
    solver = Solved(
        [Constant(answer) if not isinstance(answer, Refused) else lambda ask, no=answer: no for answer in answers],
        solve=self_consistency,
        options={"samples": len(answers)},
    )
    solver.begin(np.random.default_rng(seed))
    return solver(Ask("?", space))


def test_most_the_median_or_the_mean_by_what_kind_of_answer_it_is():
    assert agreed(Choice(("a", "b")), "a", "b", "b").value == "b"
    assert agreed(Action(("l", "r")), "l", 0, 1).value == 0
    assert agreed(Text(), "New York", "Rome", "new  york").value == "New York"
    assert agreed(Number(), 1, 2, 90).value == 2
    assert agreed(Probability(), 0.0, 0.25, 0.5).value == 0.25
    assert agreed(Probability(), 0.0, 0.0, 0.75).value == 0.25
    shares = [{"a": 1.0, "b": 0.0}, {"a": 0.0, "b": 1.0}, {"a": 0.5, "b": 0.5}, {"a": 1.0, "b": 0.0}]
    assert agreed(Distribution(("a", "b")), *shares).value == pytest.approx({"a": 0.625, "b": 0.375})


def test_ties_fall_by_the_chance_of_the_session():
    chosen = [agreed(Choice(("a", "b")), "a", "b", seed=seed).value for seed in range(40)]
    assert 8 <= chosen.count("a") <= 32
    assert agreed(Choice(("a", "b")), "a", "b", seed=3).value == agreed(Choice(("a", "b")), "a", "b", seed=3).value


def test_what_is_no_answer_is_left_out_and_counted():
    reply = agreed(Choice(("a", "b")), "what?", Refused("no"), "b")
    assert (reply.value, reply.notes["valid"]) == ("b", "1 of 3")
    assert agreed(Choice(("a", "b")), Refused("no"), "what?").value == Refused("no")
    assert agreed(Choice(("a", "b")), "what?", Refused("no")).value == "what?"


def test_copies_share_neither_memory_nor_chance():
    class Mind:
        """Says how often it was asked, and draws."""

        def __init__(self):
            self.asked = 0

        def begin(self, rng):
            self.drawn = rng.random()

        def __call__(self, ask):
            self.asked += 1
            return Noted(self.asked, {"drawn": f"{self.drawn}"})

    @test("often-v1", subjects={"mind": Mind})
    def often(rng):
        yield Ask("?", Number())

    subject = SubjectSpec("solve:self-consistency(mind)#samples=4").make(often)
    subject.begin(np.random.default_rng(1))
    reply = subject(Ask("?", Number()))
    assert reply.value == 1
    assert len({step["drawn"] for step in reply.notes["steps"]}) == 4
    assert subject(Ask("?", Number())).value == 2
