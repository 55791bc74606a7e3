"""Teams: one answer of many."""

import numpy as np
import pytest

from mensura.dialogue import (
    Action,
    Allocation,
    Ask,
    Choice,
    Density,
    Distribution,
    Likert,
    Noted,
    Number,
    Outcome,
    Point,
    Probability,
    Refused,
    Text,
    Wait,
    test,
)
from mensura.errors import BadParameter, SubjectCrashed, UnknownName
from mensura.subjects import Chance, Constant, SubjectSpec
from mensura.subjects.team import Team


@test("even-v1", subjects={"half": lambda ask: 0.5})
def even(rng):
    """Say the chance of heads."""
    yield Ask("Heads?", Probability())


HEADS = Ask("Heads?", Probability(), key="heads")


def constants(*values):
    return [Constant(value) for value in values]


def decided(space, *values, rule):
    return Team(constants(*values), rule=rule)(Ask("?", space)).value


def test_numbers_are_averaged_in_every_space_that_has_them():
    assert decided(Probability(), 0.25, 0.75, rule="mean") == 0.5
    assert decided(Number(), 1, 2, 30, rule="median") == 2
    assert decided(Likert(7), 2, 3, 3, rule="mean") == 3
    assert decided(Number(integer=True), 1, 2, 2, rule="mean") == 2
    assert decided(Point((0, 0), (9, 9)), [0, 2], [4, 4], rule="mean") == [2, 3]
    assert decided(Density(0, 9, levels=(0.25, 0.75)), [1, 3], [3, 9], rule="mean") == [2, 6]


@pytest.mark.parametrize("rule", ["mean", "median"])
@pytest.mark.parametrize(
    "space",
    [
        Probability(),
        Number(low=-3, high=3),
        Number(low=0, high=9, integer=True),
        Likert(5),
        Distribution(("a", "b", "c")),
        Allocation(("a", "b", "c"), total=30),
        Density(0, 9),
        Density(0, 9, bins=5),
        Point((0, 0), (9, 9)),
    ],
    ids=lambda space: space.kind,
)
def test_whatever_the_members_say_the_team_gives_a_valid_answer(space, rule):
    team = Team([Chance(), Chance(), Chance()], rule=rule)
    for seed in range(20):
        team.begin(np.random.default_rng(seed))
        reply = team(Ask("?", space))
        assert space.check(reply.value) == reply.value


def test_medians_that_leave_nothing_of_a_whole_fall_back_to_the_mean():
    shares = [{"a": 1, "b": 0, "c": 0}, {"a": 0, "b": 1, "c": 0}, {"a": 0, "b": 0, "c": 1}]
    answer = decided(Distribution(("a", "b", "c")), *shares, rule="median")
    assert answer == pytest.approx({"a": 1 / 3, "b": 1 / 3, "c": 1 / 3})


def test_a_vote_takes_what_most_say_and_lets_chance_break_ties():
    assert decided(Choice(("red", "blue")), "red", "blue", "blue", rule="vote") == "blue"
    assert decided(Action(("left", "right")), "left", 0, 1, rule="vote") == 0
    team = Team(constants("red", "blue"), rule="vote")
    chosen = []
    for seed in range(40):
        team.begin(np.random.default_rng(seed))
        chosen.append(team(Ask("?", Text())).value)
    assert 8 <= chosen.count("red") <= 32


def test_a_majority_is_more_than_half_of_all_members():
    assert decided(Text(), "a", "a", "b", rule="majority") == "a"
    reply = Team(constants("a", "a", "b", "c"), rule="majority")(Ask("?", Text()))
    assert isinstance(reply.value, Refused)
    assert len(reply.notes["members"]) == 4


def test_what_cannot_be_averaged_is_said():
    with pytest.raises(SubjectCrashed, match="choice are not numbers, so a team votes"):
        decided(Choice(("a", "b")), "a", "b", rule="mean")


def test_a_rule_of_ones_own_sees_answers_and_ask():
    team = Team(constants(0.25, 0.75), rule=lambda answers, ask: (ask.key, max(answers)))
    assert team(HEADS).value == ("heads", 0.75)


def test_every_members_answer_is_noted_and_counts_are_added():
    members = [
        Constant(0.25),
        Constant("what?"),
        lambda ask: Refused("no"),
        lambda ask: Wait(),
        lambda ask: Noted(0.75, {"tokens_in": 3, "model": "a"}),
        lambda ask: Noted(0.5, {"tokens_in": 4}),
    ]
    reply = Team(members)(HEADS)
    assert reply.value == 0.5
    entries = reply.notes["members"]
    assert [entry["status"] for entry in entries] == [
        "answered",
        "invalid",
        "refused",
        "waited",
        "answered",
        "answered",
    ]
    assert [entry["answer"] for entry in entries] == [0.25, "what?", None, None, 0.75, 0.5]
    assert entries[0]["name"] == "constant:0.25"
    assert "must be a number" in entries[1]["wrong"]
    assert entries[2]["reason"] == "no"
    assert entries[4]["notes"]["model"] == "a"
    assert reply.notes["tokens_in"] == 7


def test_a_team_without_answers_refuses_or_waits():
    assert isinstance(Team(constants("x", "y"))(HEADS).value, Refused)
    assert Team([Constant("x"), lambda ask: Wait()])(HEADS) == Wait()


class Learner:
    """Counts what it is told."""

    recomputes = True

    def __init__(self):
        self.learning = True
        self.told = 0
        self.closed = False

    def begin(self, rng):
        self.first = rng.random()

    def feedback(self, told):
        self.told += self.learning

    def end(self, outcome):
        self.outcome = outcome

    def snapshot(self):
        return self.told

    def restore(self, state):
        self.told = state

    def close(self):
        self.closed = True

    def __call__(self, ask):
        return self.first


def test_a_team_learns_is_probed_and_ends_together():
    first, second = Learner(), Learner()
    team = Team([first, Constant(0.5), second])
    assert team.recomputes
    assert team.learning
    team.begin(np.random.default_rng(1))
    assert first.first != second.first
    team.feedback(Ask("Told."))
    state = team.snapshot()
    team.feedback(Ask("Told."))
    team.learning = False
    team.feedback(Ask("Told."))
    assert (first.told, second.told, team.learning) == (2, 2, False)
    team.restore(state)
    assert (first.told, second.told) == (1, 1)
    team.end(Outcome(reward=2.0))
    team.close()
    assert first.outcome.reward == 2.0
    assert first.closed


def test_a_team_offers_only_what_its_members_have():
    team = Team([lambda ask: 1, lambda ask: 2])
    assert not hasattr(team, "learning")
    assert not hasattr(team, "snapshot")
    assert not Team([lambda ask: 1]).recomputes


def test_teams_are_named_and_nested(tmp_path):
    (tmp_path / "mine.py").write_text("def low(answers, ask):\n    return min(answers)\n")
    make = lambda name, **options: SubjectSpec(name, options, folder=str(tmp_path)).make(even)  # noqa: E731
    assert make("team:mean(constant:0.25,half)")(HEADS).value == 0.375
    nested = make("team:mean(team:median(constant:0,constant:0,half),constant:1)")
    assert nested(HEADS).value == 0.5
    assert nested.name == "team:mean(team:median(constant:0,constant:0,half),constant:1)"
    assert make("team:./mine.py:low(constant:0.25,half)")(HEADS).value == 0.25
    team = make("team:vote(program:true,half)", members={"program:true": {"answer_seconds": 3, "recomputes": True}})
    assert team.members[0].bounds.answer_seconds == 3
    assert team.members[0].recomputes


@pytest.mark.parametrize(
    ("name", "kind", "words"),
    [
        ("team:meen(half,half)", UnknownName, "Did you mean mean"),
        ("team:mean(half,halv)", UnknownName, "Did you mean half"),
        ("team:mean", BadParameter, "team:RULE"),
        ("team:mean(half", BadParameter, "team:RULE"),
        ("team:mean(half,(half)", BadParameter, "brackets"),
    ],
)
def test_what_is_wrong_with_the_name_of_a_team_is_said(name, kind, words):
    with pytest.raises(kind, match=words):
        SubjectSpec(name).find(even)


def test_options_for_someone_else_are_said():
    with pytest.raises(BadParameter, match="options for nobody, which is not a member"):
        SubjectSpec("team:mean(half)", {"members": {"nobody": {}}}).find(even)
    with pytest.raises(BadParameter, match="needs members"):
        Team([])
