"""Policies: observation → action."""

from textwrap import dedent

import numpy as np
import pytest

from mensura.dialogue import Action, Ask, Noted, Number, Outcome, Probability, Readings, Refused, Sees, Text, test
from mensura.errors import BadParameter, Invalid
from mensura.subjects import SubjectSpec
from mensura.subjects.policy import HostedPolicy, Policy, as_policy

MOVES = Action(("left", "right"))


@test("corridor-v1", sees=Sees((2,), 0, 1, np.float32, lambda prompt: prompt.values[:2]), acts=MOVES)
def corridor(rng):
    """Walk."""
    yield Ask(Readings([0.25, 1.0, 99.0]), MOVES)


@test("words-v1")
def words(rng):
    """Say something."""
    yield Ask("?", Text())


ASK = Ask(Readings([0.25, 1.0, 99.0]), MOVES, key="move")


def test_a_policy_sees_the_array_that_the_test_declares_and_its_action_becomes_an_answer():
    seen = []

    def policy(observation):
        seen.append(observation)
        return np.int64(1)

    answer = Policy(policy, test=corridor)(ASK)
    assert (answer, type(answer)) == (1, int)
    assert seen[0].dtype == np.float32
    np.testing.assert_array_equal(seen[0], np.float32([0.25, 1.0]))


def test_a_trained_model_predicts():
    class Model:
        def predict(self, observation):
            return np.array(0), None

    assert Policy(Model(), test=corridor)(ASK) == 0
    assert as_policy(Model)(np.zeros(2)) == 0
    with pytest.raises(BadParameter, match="A policy is a function"):
        as_policy(3)


def test_a_policy_may_refuse_note_begin_and_end():
    class Careful:
        recomputes = True

        def begin(self, rng):
            self.rng = rng

        def feedback(self, told):
            self.told = told

        def end(self, outcome):
            self.outcome = outcome

        def __call__(self, observation):
            return Refused("dark") if observation[1] == 0 else Noted(np.int64(1), {"sure": self.rng.random()})

    careful = Careful()
    policy = Policy(careful, test=corridor)
    assert policy.recomputes
    policy.begin(np.random.default_rng(1))
    assert policy(ASK) == Noted(1, {"sure": np.random.default_rng(1).random()})
    assert policy(Ask(Readings([1.0, 0.0]), MOVES)) == Refused("dark")
    policy.feedback(Ask("Told."))
    policy.end(Outcome(reward=1.0))
    assert (careful.told.prompt, careful.outcome.reward) == ("Told.", 1.0)
    policy.close()


MOVER = """
class Mover:
    learning = True
    count = 0

    def predict(self, observation):
        self.count += self.learning
        return self.count % 2, None

    def snapshot(self):
        return {"count": self.count}

    def restore(self, state):
        self.count = state["count"]

    def knowledge(self):
        return self.count

def act(observation):
    return 0
"""


@pytest.mark.parametrize("options", [{}, {"in_process": True}], ids=["process of its own", "this process"])
def test_a_policy_can_be_frozen_and_branched_where_its_object_can(tmp_path, options):
    (tmp_path / "mine.py").write_text(MOVER)
    policy = SubjectSpec("policy:mine.py:Mover", options, folder=str(tmp_path)).make(corridor)
    assert [policy(ASK), policy(ASK)] == [1, 0]
    state = policy.snapshot()
    assert policy(ASK) == 1
    assert policy.knowledge() == 3
    policy.restore(state)
    policy.learning = False
    assert [policy(ASK), policy(ASK), policy.learning] == [0, 0, False]
    assert not hasattr(policy, "pause")
    policy.close()
    plain = SubjectSpec("policy:mine.py:act", options, folder=str(tmp_path)).make(corridor)
    assert not any(hasattr(plain, name) for name in ("learning", "snapshot", "restore", "knowledge", "pause"))
    plain.close()


def test_an_action_that_cannot_be_read_is_left_to_the_space_to_refuse():
    for action in ("up", "left", -1, 2, 0.5, None):
        with pytest.raises(Invalid, match="got the action"):
            ASK.space.check(Policy(lambda observation, action=action: action, test=corridor)(ASK))
    assert Policy(lambda observation: np.array(0.5), test=corridor)(Ask(Readings([0, 1]), Probability())) == 0.5
    assert Policy(lambda observation: np.float64(2), test=corridor)(Ask(Readings([0, 1]), Number())) == 2.0


def test_a_policy_from_a_file_has_its_own_process_and_sees_the_same(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(
        dedent("""
        class Mover:
            recomputes = True

            def __init__(self, *, invert=False):
                self.invert = invert

            def __call__(self, observation):
                assert observation.dtype == "float32", observation.dtype
                return int((observation[0] > 0.5) != self.invert)
        """)
    )
    for name, options in [("policy:./mine.py:Mover", {}), ("policy:./mine.py:Mover", {"in_process": True})]:
        policy = SubjectSpec(name, options).make(corridor)
        assert isinstance(policy, HostedPolicy) is not bool(options)
        policy.begin(np.random.default_rng(1))
        assert [policy(Ask(Readings([place, 1.0]), MOVES)) for place in (0.25, 0.75)] == [0, 1]
        assert policy.recomputes
        policy.close()
    inverted = SubjectSpec("policy:./mine.py:Mover", {"in_process": True, "invert": True}).make(corridor)
    assert inverted(ASK) == 1


def test_a_test_without_arrays_cannot_be_taken_by_a_policy(tmp_path):
    with pytest.raises(BadParameter, match="words-v1 declares no arrays"):
        Policy(lambda observation: 0, test=words)
    (tmp_path / "mine.py").write_text("def act(observation):\n    return 0\n")
    with pytest.raises(BadParameter, match="words-v1 declares no arrays"):
        SubjectSpec("policy:mine.py:act", folder=str(tmp_path)).find(words)
