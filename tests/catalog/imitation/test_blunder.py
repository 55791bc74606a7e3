import json

import numpy as np
import pytest

from mensura.catalog.imitation.watson.blunder import BeliefSeries, blunder_effect, read_games
from mensura.errors import BadFile
from tests.proofs import proofs

TURNS = 10


MOVING = np.array([0, 0.04, 0.03, -0.04, 0.05, -0.04, 0.02, 0.02, -0.05, 0.02, 0.02])
"""How belief may move by itself, turn by turn: some questions are kind to every witness, others hard."""


def simulated(
    rng: np.random.Generator, *, drop: float, games: int = 30, moving: np.ndarray | float = 0.0
) -> list[BeliefSeries]:
    """Simulate games: belief drifts and wanders within 0 and 1; a blunder takes `drop`, half comes back in 2 turns.

    Steps are drawn evenly and are small enough that no belief can leave 0 to 1, so that nothing is cut off: a belief
    that was cut would have lost less than the drop that is to be recovered.
    """
    made = []
    for arm in ("none", "planted", "spread"):
        for _ in range(games):
            steps = np.concatenate([[0], rng.uniform(-0.015, 0.025, size=TURNS)])
            belief = rng.uniform(0.4, 0.7) + np.cumsum(steps + moving)
            count = {"none": 0, "planted": 1, "spread": 3}[arm]
            turns = sorted(int(turn) for turn in rng.choice(np.arange(1, 7), size=count, replace=False))
            for turn in turns:
                belief[turn:] -= drop / count
                belief[turn + 2 :] += drop / count / 2 if arm == "planted" else 0
            assert ((belief >= 0) & (belief <= 1)).all()
            made.append(BeliefSeries(belief, tuple(turns)))
    return made


def covered(drop: float, repetitions: int, moving: np.ndarray | float = 0.0) -> np.ndarray:
    rng, truths = np.random.default_rng([23, int(100 * drop)]), (drop, drop / 2, drop)
    found = [blunder_effect(simulated(rng, drop=drop, moving=moving)) for _ in range(repetitions)]
    rows = [(one.drop, one.recovery, one.spread_drop) for one in found]
    return np.mean([[not e.excludes(t) for e, t in zip(row, truths, strict=True)] for row in rows], axis=0)


@pytest.mark.parametrize("drop", [0.1])
def test_a_known_effect_is_recovered_within_the_error_of_200_studies(drop):
    assert (np.abs(covered(drop, 200) - 0.95) <= 0.02 + 3 * np.sqrt(0.95 * 0.05 / 200)).all()


def test_turns_that_move_belief_each_in_its_own_way_widen_no_interval():
    # Taken for error of the estimate, they covered a drop that is not there in all of 200 studies.
    assert (np.abs(covered(0.0, 200, MOVING) - 0.95) <= 0.02 + 3 * np.sqrt(0.95 * 0.05 / 200)).all()
    still = blunder_effect(simulated(np.random.default_rng(3), drop=0.1))
    moving = blunder_effect(simulated(np.random.default_rng(3), drop=0.1, moving=MOVING))
    assert moving.drop.value == pytest.approx(still.drop.value)
    assert moving.drop.high - moving.drop.low == pytest.approx(still.drop.high - still.drop.low)


@pytest.mark.parametrize("moving", [0.0, MOVING], ids=["still", "moving"])
@pytest.mark.parametrize("drop", proofs(0.0, 0.05, 0.1, 0.2))
def test_effects_and_none_are_covered_in_93_to_97_of_100_studies(drop, moving):
    share = covered(drop, 2000, moving)
    assert ((share >= 0.93) & (share <= 0.97)).all()


def test_the_order_of_games_changes_nothing():
    games = simulated(np.random.default_rng(1), drop=0.1)
    one, other = blunder_effect(games), blunder_effect(games[::-1])
    assert one.drop.value == pytest.approx(other.drop.value)
    assert one.spread_drop.low == pytest.approx(other.spread_drop.low)


def test_without_games_free_of_errors_nothing_is_known():
    assert np.isnan(blunder_effect([BeliefSeries(np.array([0.5, 0.2, 0.2]), (1,))]).drop.value)


@pytest.mark.parametrize("line", ["{", "[]", '{"belief": [0.5, 2]}', '{"belief": [0.5, 0.5], "errors": [2]}'])
def test_a_broken_line_is_named(line, tmp_path):
    file = tmp_path / "games.jsonl"
    file.write_text(json.dumps({"belief": [0.5, 0.6]}) + "\n" + line)
    with pytest.raises(BadFile, match="line 2"):
        read_games([file])
