"""What can be set of agents: rate, discount, exploration, weight, evaporation, alike in both forms."""

import numpy as np
import pytest

from mensura.catalog.lambda_star.agents import CooperativeSarsa, QLearning, Sarsa, Stigmergy, WisdomOfCrowd
from mensura.catalog.lambda_star.batch.members import members_of
from mensura.catalog.lambda_star.dialogue import lambda_star
from mensura.catalog.lambda_star.parameters import read_setup
from mensura.catalog.lambda_star.subjects import NamedTeam
from mensura.catalog.lambda_star.team import Member
from mensura.errors import BadParameter
from mensura.running.take import take
from mensura.subjects import SubjectSpec
from tests.catalog.lambda_star.test_dialogue import batch, errors_between, intelligence


def setup_of(**parameters):
    return read_setup(**{name: value for name, value in lambda_star.fill(parameters).items() if name != "saved"})


def test_rate_discount_and_evaporation_are_options_behind_a_name():
    learner = SubjectSpec("q-learning#rate=0.5#discount=0.9#initial=0#sessions=7").make(lambda_star)
    assert (learner.values.rate, learner.values.discount, learner.values.sessions) == (0.5, 0.9, 7)
    assert SubjectSpec("sarsa#exploration=0").make(lambda_star).values.exploration == 0
    assert SubjectSpec("wisdom-of-crowd#evaporation=0.25").make(lambda_star).values.evaporation == 0.25
    assert SubjectSpec("stigmergy#weight=0.9#evaporation=0.5").make(lambda_star).values.weight == 0.9


@pytest.mark.proof
def test_members_of_a_team_have_options_of_their_own_alike_in_both_forms():
    """Two sorts of one kind are two kinds; one that is named twice is one collective."""
    text = "q-learning#rate=0#sessions=9:2,q-learning#sessions=9:2,bidding:1,bidding:1"
    parameters = {"team": text, "size": "5", "episodes": 40}
    assert errors_between((NamedTeam(), NamedTeam()), **parameters) <= 3.5
    found = batch(NamedTeam(), **{**parameters, "episodes": 300}).values
    nothing, some = (found[f"intelligence_q_learning_{set}"].values for set in ("rate_0_sessions_9", "sessions_9"))
    assert abs(nothing.mean()) < 3.5 * nothing.std(ddof=1) / 300**0.5
    assert some.mean() > nothing.mean() + 0.1
    assert members_of(NamedTeam(), setup_of(team=text)).members[2] == Member("bidding", 2)


def test_learners_who_train_unequally_long_play_the_dialogue():
    assert members_of(NamedTeam(), setup_of(team="sarsa#sessions=2,q-learning#sessions=3")) is None


@pytest.mark.parametrize(
    ("team", "words"),
    [("q-learning#rate=2", "between 0 and 1"), ("oracle#rate=1", "rate"), ("bidding#weight=1:2", "weight")],
)
def test_a_team_refuses_options_that_its_members_do_not_have(team, words):
    with pytest.raises(BadParameter, match=words):
        batch(NamedTeam(), team=team)


def test_a_team_without_members_is_refused():
    assert batch(NamedTeam(), agents=2) is None
    taken = take(lambda_star, NamedTeam(), seed=1, parameters={"agents": 2, "episodes": 1})
    assert taken.record.status == "crashed"
    assert "--team local-search:3" in taken.record.last_words


def test_who_knows_the_truth_knows_it_under_values_of_ones_own_too():
    assert SubjectSpec("q-learning#rate=0.5").knows(lambda_star)
    assert not SubjectSpec("stigmergy#weight=0.9").knows(lambda_star)


def test_a_learner_that_learns_nothing_is_random_and_one_that_looks_ahead_is_another():
    scores = {rate: intelligence(batch(QLearning(rate=rate), size="5", episodes=300)) for rate in (0.0, 0.3)}
    assert abs(scores[0.0].mean()) < 3.5 * scores[0.0].std(ddof=1) / 300**0.5
    assert scores[0.3].mean() > 0.4
    far = intelligence(batch(QLearning(discount=0.9), size="5", episodes=300))
    assert not np.array_equal(far, scores[0.3])


@pytest.mark.cells(3)
@pytest.mark.parametrize(
    "make",
    [
        lambda: QLearning(sessions=12, rate=0.8, discount=0.8, initial=1.0),
        lambda: Sarsa(sessions=12, exploration=0.5),
        lambda: CooperativeSarsa(sessions=12, rate=0.1, exploration=0.0),
        lambda: Stigmergy(weight=0.9, evaporation=0.3),
        lambda: WisdomOfCrowd(evaporation=0.1),
    ],
)
def test_forms_agree_under_values_of_ones_own(make):
    assert errors_between((make(), make()), size="6", agents=3, episodes=60) <= 3.5


def test_what_is_usual_is_what_is_printed():
    """Marks that evaporate at once are those of the paper: nothing is left of the iteration before."""
    for usual, said in ((Stigmergy, {"weight": 0.5, "evaporation": 1.0}), (WisdomOfCrowd, {"evaporation": 0.5})):
        one, other = (batch(make, agents=4, episodes=30) for make in (usual(), usual(**said)))
        assert np.array_equal(intelligence(one), intelligence(other))
        assert not np.array_equal(intelligence(one), intelligence(batch(usual(evaporation=0.2), agents=4, episodes=30)))


@pytest.mark.parametrize(
    "name",
    ["q-learning#rate=1.5", "sarsa#exploration=-1", "q-learning#sessions=2.5", "stigmergy#evaporation=fast"],
)
def test_values_that_cannot_be_are_refused(name):
    with pytest.raises(BadParameter, match="got"):
        SubjectSpec(name).make(lambda_star)


def test_the_marks_of_the_program_cannot_be_set():
    with pytest.raises(BadParameter, match="program of 2016"):
        batch(Stigmergy(weight=0.1), rules="original", episodes=2)
