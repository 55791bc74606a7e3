"""The corridor: rewards, endings and scores, against a Markov chain of another make."""

from pathlib import Path

import numpy as np
import pytest

from mensura.catalog.corridor import world
from mensura.catalog.corridor.dialogue import corridor
from mensura.catalog.corridor.world import MOVES, see, views
from mensura.dialogue import Refused, Session, generator
from mensura.errors import MensuraError, SubjectLost
from mensura.running.scoring.scoring import score_record
from mensura.running.take import take
from mensura.subjects.chance import Chance


def scores_of(taken):
    return {name: items.values for name, items in score_record(corridor, taken.record, taken.truths).values.items()}


def expected(towards: float, *, length=11, step_cost=0.01, most_steps=200):
    """Solve the walk by powers of its transition matrix, counted towards the goal: (return, steps, reached)."""
    chain = np.zeros((length, length))
    for place in range(length - 1):
        chain[place, place + 1] += towards
        chain[place, max(place - 1, 0)] += 1 - towards
    chain[-1, -1] = 1
    still_walking = []
    for _ in range(most_steps):
        still_walking.append(np.linalg.matrix_power(chain, len(still_walking))[length // 2, :-1].sum())
    reached = np.linalg.matrix_power(chain, most_steps)[length // 2, -1]
    return reached - step_cost * sum(still_walking), sum(still_walking), reached


def test_declared_chance_is_that_of_the_chain():
    levels = corridor.chance_levels(corridor.fill())
    assert [levels["return"], levels["steps"], levels["reached"]] == pytest.approx(expected(0.5), abs=1e-12)


def test_chance_of_an_even_corridor_averages_over_both_ends():
    levels = corridor.chance_levels(corridor.fill({"length": 4, "most_steps": 1}))
    # From the third of four cells only the right end is one step away.
    assert levels["reached"] == pytest.approx(0.25)


def test_optimal_walk_scores_as_the_chain_says():
    taken = take(corridor, corridor.subjects["optimal"](), seed=2, parameters={"episodes": 2000})
    for name, value in zip(("return", "steps", "reached"), expected(0.9), strict=True):
        scores = scores_of(taken)[name]
        error = scores.std(ddof=1) / np.sqrt(len(scores))
        assert abs(scores.mean() - value) < 4 * error + 1e-9, name


def test_without_slips_the_best_walk_takes_five_steps():
    taken = take(corridor, corridor.subjects["optimal"](), seed=1, parameters={"slip": 0.0})
    scores = scores_of(taken)
    assert scores["steps"] == [5]
    assert scores["return"] == pytest.approx([0.95])
    assert taken.record.outcome["truncated"] is False


def test_a_walk_that_does_not_arrive_is_truncated():
    taken = take(corridor, lambda ask: 1 - corridor.subjects["optimal"]()(ask), seed=1, parameters={"slip": 0.0})
    scores = scores_of(taken)
    assert taken.record.outcome["truncated"] is True
    assert scores["steps"] == [200]
    assert scores["return"] == pytest.approx([-2.0])
    assert scores["reached"] == [0]


def test_who_declines_to_move_stands_still():
    taken = take(corridor, lambda ask: Refused("no"), seed=1, parameters={"slip": 0.0, "most_steps": 3})
    assert taken.record.counts()["refused"] == 3
    assert len({str(event.content) for event in take_events() if event.kind == "ask"}) == 1


def take_events():
    from mensura.dialogue import Instance

    session = Session(Instance(corridor, corridor.fill({"slip": 0.0, "most_steps": 3}), 1))
    session.start()
    while session.status == "open":
        session.refuse()
    return session.drain()


class Leaves:
    """Takes three steps and is gone."""

    def __init__(self, how):
        self.how = how
        self.steps = 0

    def __call__(self, ask):
        self.steps += 1
        if self.steps > 3:
            raise self.how("enough")
        return 0


def test_a_walk_broken_off_by_a_crash_counts_as_standing_still_for_the_rest():
    taken = take(corridor, Leaves(RuntimeError), seed=1)
    assert taken.record.status == "crashed"
    scores = scores_of(taken)
    assert scores["return"].tolist() == [corridor.declared_scores(corridor.fill())["return"].low]
    assert scores["reached"].tolist() == [0.0]


def test_a_walk_that_we_lost_has_no_score(monkeypatch):
    # Only our own code may say that a subject was lost.
    monkeypatch.setattr("mensura.subjects.guard._raised_outside", lambda error: False)
    taken = take(corridor, Leaves(SubjectLost), seed=1)
    assert taken.record.status == "lost"
    assert np.isnan(scores_of(taken)["return"]).all()


def test_each_walk_of_a_session_is_scored_by_itself():
    taken = take(corridor, Chance(), seed=5, parameters={"episodes": 3})
    scores = scores_of(taken)
    rewards = taken.record.rewards()
    assert scores["steps"].sum() == len(rewards)
    assert scores["return"].sum() == pytest.approx(rewards.sum())
    assert np.isfinite(rewards).all()


def test_a_person_sees_where_they_are_and_an_agent_the_same():
    grid = views(5, 0)[3]
    assert grid.text().splitlines()[1] == "G . . A ."
    assert see(grid).tolist() == [0.75, 0.0]
    assert see(views(5, 0)[0]).tolist() == [0.0, 0.0]
    assert see(views(5, 4)[4]).tolist() == [1.0, 1.0]
    assert see(views(5, 4)[0]).tolist() == [0.0, 1.0]
    assert MOVES.keys == ("ArrowLeft", "ArrowRight")


@pytest.mark.parametrize(("name", "value"), [("length", 2), ("slip", 0.7), ("most_steps", 0), ("episodes", 0)])
def test_impossible_corridors_are_refused_with_a_sentence(name, value):
    with pytest.raises(MensuraError, match=f"(--)?{name.replace('_', '-')}"):
        next(corridor(generator(1), **corridor.fill({name: value})))


def test_the_readme_gives_the_numbers_of_the_chain():
    words = (Path(world.__file__).parent / "README.md").read_text()
    chance, best = expected(0.5), expected(0.9)
    assert f"| `chance`, `random-walk` | {chance[0]:.3f} | {chance[1]:.1f} |" in words
    assert f"| `optimal`, the ceiling | {best[0]:.4f} | {best[1]:.2f} |" in words
