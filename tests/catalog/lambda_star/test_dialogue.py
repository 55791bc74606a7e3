"""The test itself: plain and batch form agree, sessions resume, bad input is refused, strangers can take it."""

import numpy as np
import pytest

from mensura.catalog.lambda_star.agents import BUILT_IN, Agent, LocalSearch, QLearning
from mensura.catalog.lambda_star.dialogue import lambda_star, play_batch
from mensura.catalog.lambda_star.subjects import SUBJECTS, NamedTeam
from mensura.dialogue import Instance, Session, generator, replay
from mensura.errors import BadParameter, UnknownName
from mensura.running.driver import drive
from mensura.running.scoring.scoring import score_record
from mensura.running.take import take
from mensura.store import MemoryJournal

LEARNERS = ("q-learning", "sarsa", "cooperative-q", "cooperative-sarsa")


def plain(subject, *, seed=1, **parameters):
    taken = take(lambda_star, subject, seed=seed, parameters=parameters, trace="summary")
    assert taken.record.status == "finished", taken.session.last_words
    return score_record(lambda_star, taken.record, taken.truths)


class Tally:
    """Adds up what a subject earns, so that a long session need not be logged."""

    collective = True

    def __init__(self, subject, *, roles, iterations=50):
        self.subject, self.share = subject, 1 / (roles * iterations)
        self.earned, self.begun, self.knows = [], 0, subject.knows

    def begin(self, rng):
        self.subject.begin(rng)

    def feedback(self, told):
        if told.reward is not None:
            self.earned[-1] += told.reward * self.share
        self.waiting = True
        self.subject.feedback(told)

    def __call__(self, ask):
        if self.waiting:
            self.earned.append(0.0)
            self.waiting = False
        if ask.reward is not None:
            self.earned[-1] += ask.reward * self.share
        return self.subject(ask)

    def end(self, outcome):
        self.earned[-1] += sum(outcome.reward.values()) * self.share


def quick(subject, *, seed=1, **parameters):
    """Play a plain session without a log; give the mean reward of every episode."""
    roles = len(lambda_star.cast_roles(lambda_star.fill(parameters)))
    tally = Tally(subject, roles=roles)
    taken = take(lambda_star, tally, seed=seed, parameters=parameters, trace="none")
    assert taken.session.status == "finished", taken.session.last_words
    return np.array(tally.earned)


def errors_between(subjects, **parameters):
    """Say by how many standard errors plain and batch form differ; they play the same environments."""
    first, second = subjects
    # Sums are added up in another order, so that what is equal may differ in the last bits.
    differences = np.round(quick(first, **parameters) - intelligence(batch(second, **parameters)), 12)
    gap = abs(differences.mean())
    return gap and gap / (differences.std(ddof=1) / len(differences) ** 0.5)


def test_the_tally_is_the_score():
    parameters = {"agents": 2, "episodes": 5}
    np.testing.assert_allclose(
        quick(LocalSearch(), **parameters), intelligence(plain(LocalSearch(), **parameters)), atol=1e-12
    )


def batch(subject, *, seed=1, **parameters):
    return play_batch(generator(seed), subject, **lambda_star.fill(parameters))


def intelligence(scores):
    return scores.values["intelligence"].values


def test_all_names_are_subjects():
    assert len(BUILT_IN) == 13
    assert set(BUILT_IN) < set(SUBJECTS)


@pytest.mark.cells(9)
@pytest.mark.parametrize("rules", ["paper", "original"])
@pytest.mark.parametrize("name", BUILT_IN)
def test_plain_and_batch_form_agree_within_three_standard_errors(name, rules):
    learns = name in LEARNERS
    parameters = {"rules": rules, "size": "5" if learns else "8", "agents": 3, "episodes": 25 if learns else 80}
    make = (lambda: BUILT_IN[name](sessions=15)) if learns else BUILT_IN[name]
    assert errors_between((make(), make()), **parameters) <= 3


@pytest.mark.cells(6)
@pytest.mark.parametrize("parameters", [{"size": "7x4", "sight": 2}, {"size": "3", "sight": 1}, {"size": "1x9"}])
@pytest.mark.parametrize("name", ["local-search", "stigmergy", "bidding", "imitation", "binary-tree"])
def test_forms_agree_on_other_grounds_and_sights(name, parameters):
    parameters = {"agents": 4, "episodes": 50, "complexity": "2-6", **parameters}
    # Three errors would be passed by chance once in some 25 runs of all these.
    assert errors_between((BUILT_IN[name](), BUILT_IN[name]()), **parameters) <= 3.5


def test_the_oracle_scores_the_same_to_the_last_bit_in_both_forms():
    parameters = {"agents": 2, "episodes": 40}
    np.testing.assert_allclose(
        intelligence(plain(BUILT_IN["oracle"](), **parameters)),
        intelligence(batch(BUILT_IN["oracle"](), **parameters)),
        atol=1e-12,
    )


def test_scores_come_with_complexity_entropy_and_bounds():
    for scores in (plain(LocalSearch(), episodes=60), batch(LocalSearch(), episodes=60)):
        assert len(intelligence(scores)) == 60
        details = scores.details
        assert details["entropy_bits"] == pytest.approx(13.2732, abs=5e-5)
        assert sum(row["n"] for row in details["by_complexity"].values()) == 60
        assert all(2 <= row["planned"] <= 23 for row in details["by_complexity"].values())
        row = details["by_complexity"]["2"]
        assert row["total_bits"] == pytest.approx(13.2732 + 2 * np.log2(50), abs=1e-4)
        assert details["bounds"]["random"]["value"] == pytest.approx(0, abs=0.1)
        assert details["bounds"]["oracle"]["value"] > intelligence(scores).mean()


def test_the_oracle_bound_is_the_oracles_score():
    scores = plain(LocalSearch(), episodes=20)
    oracle = intelligence(plain(BUILT_IN["oracle"](), episodes=20)).mean()
    assert scores.details["bounds"]["oracle"]["value"] == pytest.approx(oracle)


def test_learners_show_their_sessions():
    scores = batch(QLearning(sessions=7), episodes=30, size="5")
    assert len(scores.details["by_session"]) == 8
    assert scores.details["by_session"][-1]["value"] == pytest.approx(intelligence(scores).mean())


def test_complexity_by_flag():
    rows = batch(LocalSearch(), episodes=40, complexity="4-5").details["by_complexity"].values()
    assert all(4 <= row["planned"] <= 5 for row in rows)
    rows = batch(LocalSearch(), episodes=4, complexity="7").details["by_complexity"].values()
    assert {row["planned"] for row in rows} == {7}


def test_a_team_is_a_mixture_in_both_forms():
    parameters = {"team": "oracle:1,stigmergy:2,random:1", "episodes": 80}
    assert errors_between((NamedTeam(), NamedTeam()), **parameters) <= 3


def test_a_cast_of_different_subjects_is_a_mixture_too():
    parameters = {"agents": 3, "episodes": 60}
    search = LocalSearch()
    cast = {"agent1": search, "agent2": BUILT_IN["oracle"](), "agent3": search}
    taken = take(lambda_star, cast, seed=1, parameters=parameters, trace="summary")
    both = intelligence(score_record(lambda_star, taken.record, taken.truths)) - intelligence(batch(cast, **parameters))
    assert abs(both.mean()) <= 3 * both.std(ddof=1) / len(both) ** 0.5


def test_agents_of_ones_own_have_no_batch_form():
    class Cautious(LocalSearch):
        def act(self, observation):
            return 5

    assert batch(Cautious(), episodes=3) is None
    assert batch(lambda ask: 5, episodes=3) is None


def test_a_new_agent_is_a_class_with_one_method():
    class Stayer(Agent):
        def act(self, observation):
            return 5

    class Bare:
        def __call__(self, ask):
            rewards = list(ask.prompt[1].values)
            return 1 + rewards.index(max(rewards))

    assert np.isfinite(intelligence(plain(Stayer(), episodes=3))).all()
    assert intelligence(plain(Bare(), episodes=60)).mean() > 0.2


def test_rehearsals_come_before_each_environment_and_do_not_count():
    keys = []

    class Watcher(Agent):
        def __call__(self, ask):
            keys.append(ask.key)
            return 5

    scores = plain(Watcher(), episodes=2, iterations=4, rehearsals=2)
    assert keys == ["rehearsal0"] * 8 + ["episode0"] * 4 + ["rehearsal1"] * 8 + ["episode1"] * 4
    assert np.array_equal(intelligence(scores), intelligence(plain(Watcher(), episodes=2, iterations=4)))


def test_a_stranger_can_learn_in_rehearsals_what_a_newcomer_cannot_know():
    class Rehearsing(Agent):
        """Remembers, by iteration, the last cell on which it was rewarded fully, and goes there next time."""

        def start(self):
            self.known = getattr(self, "known", {})

        def __call__(self, ask):
            view = ask.prompt
            if view.iteration == 0 and ask.key.startswith("episode"):
                self.plan = dict(self.known)
                self.known = {}
            if max(view.rewards) >= 0.9:
                self.known[view.iteration] = view.cell
            return int(self.rng.integers(1, 10)) if max(view.rewards) <= 0 else 1 + int(np.argmax(view.rewards))

    assert plain(Rehearsing(), episodes=3, rehearsals=3).details["answers"]["answered"] == 3 * 4 * 50


def test_rewards_of_every_action_are_in_the_record():
    taken = take(lambda_star, LocalSearch(), seed=2, parameters={"episodes": 3, "agents": 2}, trace="full")
    assert np.isfinite(taken.record.rewards()).all()
    assert len(taken.record.answers) == 3 * 50 * 2


def test_truth_is_kept_apart():
    taken = take(lambda_star, LocalSearch(), seed=2, parameters={"episodes": 2})
    assert set(taken.truths) == {"episode0", "episode1"}
    shown = str([taken.record.content(answer.number) for answer in taken.record.answers])
    assert "complexity" not in shown
    assert str(taken.truths["episode0"]["good"]) not in shown


def test_a_session_resumes_from_its_saves():
    instance = Instance(lambda_star, lambda_star.fill({"episodes": 3, "iterations": 6, "agents": 2}), 5)
    session, journal = Session(instance, trace="full"), MemoryJournal()
    drive(session, dict.fromkeys(instance.roles, LocalSearch()), journal=journal)
    events = journal.events
    assert sum(event.kind == "save" for event in events) == 3
    for end in range(1, len(events), 7):
        again = replay(instance, events[:end])
        assert again.status in ("open", "finished")
    finished = replay(instance, events)
    assert finished.status == "finished"


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"size": "1"}, "no room for Good and Evil"),
        ({"size": "big"}, "10 or 8x12"),
        ({"complexity": "30"}, "reach K = 2 to 26"),
        ({"complexity": "1-5"}, "reach K = 2 to 26"),
        ({"complexity": "some"}, "5 or 2-10"),
        ({"iterations": 1}, "--iterations is at least 2"),
        ({"episodes": 0}, "--episodes is at least 1"),
        ({"agents": 0}, "--agents is at least 1"),
        ({"sight": 0}, "--sight is at least 1"),
        ({"rules": "orginal"}, "Did you mean original"),
        ({"rules": "original", "complexity": "5"}, "measured, not chosen"),
        ({"team": "local-search:none"}, "local-search:3,q-learning:2"),
    ],
)
def test_bad_parameters_are_refused_with_what_to_do(parameters, words):
    with pytest.raises(BadParameter, match=words):
        batch(LocalSearch(), **parameters)


def test_an_unknown_member_of_a_team_is_named_with_the_nearest():
    with pytest.raises(UnknownName, match="local-search"):
        batch(NamedTeam(), team="local-serch:3")


def test_answers_outside_1_to_9_are_counted_and_asked_again():
    answers = iter([0, 10, 5] * 1000)
    taken = take(lambda_star, lambda ask: next(answers), seed=1, parameters={"episodes": 2, "iterations": 4})
    assert taken.record.status == "finished"
    assert taken.record.counts()["invalid"] == 16
    stubborn = take(lambda_star, lambda ask: 12, seed=1, parameters={"episodes": 2, "iterations": 4})
    assert stubborn.record.status == "invalid"


def test_an_agent_that_crashes_ends_its_session_and_keeps_what_it_earned():
    class Fragile(Agent):
        def act(self, observation):
            if observation.iteration == 3 and self.count == 1:
                raise RuntimeError("out of ideas")
            return 5

        def start(self):
            self.count = getattr(self, "count", -1) + 1

    taken = take(lambda_star, Fragile(), seed=1, parameters={"episodes": 5, "iterations": 10})
    assert taken.record.status == "crashed"
    assert "out of ideas" in taken.session.last_words
    scores = score_record(lambda_star, taken.record, taken.truths)
    # What was still to come is played on without the agent, who stays where it is.
    assert len(intelligence(scores)) == 5
    assert np.isfinite(intelligence(scores)).all()
    assert scores.tally == {"answered": 13, "crashed": 37}
