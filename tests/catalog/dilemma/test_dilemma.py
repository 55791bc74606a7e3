"""The dilemma: payoffs known in closed form, by hand and by Markov chain."""

import numpy as np
import pytest

from mensura.catalog.dilemma.dialogue import dilemma, see
from mensura.catalog.dilemma.payoffs import COOPERATE, DEFECT, Payoffs
from mensura.catalog.dilemma.subjects import MemoryOne
from mensura.dialogue import Ask, Instance, Refused, Session, generator
from mensura.errors import MensuraError
from mensura.running.scoring.scoring import score_record
from mensura.running.take import take
from mensura.subjects.chance import Chance


def play(first, second, *, seed=1, **parameters):
    makers = [dilemma.subjects[player] if isinstance(player, str) else lambda p=player: p for player in (first, second)]
    cast = {"first": makers[0](), "second": makers[1]()}
    taken = take(dilemma, cast, seed=seed, parameters=parameters)
    return {name: items.values for name, items in score_record(dilemma, taken.record, taken.truths).values.items()}


def totals(first, second, **parameters):
    scores = play(first, second, **parameters)
    return scores["first_payoff"].sum(), scores["second_payoff"].sum()


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("tit-for-tat", "defect", (199, 204)),
        ("cooperate", "defect", (0, 1000)),
        ("defect", "defect", (200, 200)),
        ("tit-for-tat", "tit-for-tat", (600, 600)),
        # Out of step for ever: each in turn earns 5 and 0.
        ("tit-for-tat", "suspicious-tit-for-tat", (500, 500)),
        ("grim", "defect", (199, 204)),
        ("grim", "suspicious-tit-for-tat", (0 + 5 + 198, 5 + 0 + 198)),
        ("tit-for-two-tats", "defect", (198, 208)),
        # Pavlov tries again after every second round.
        ("pavlov", "defect", (100, 600)),
        ("pavlov", "cooperate", (600, 600)),
        ("grim", "pavlov", (600, 600)),
    ],
)
def test_two_hundred_rounds_pay_what_reckoning_by_hand_says(first, second, expected):
    assert totals(first, second, rounds=200) == expected


def test_cooperation_is_what_was_meant():
    scores = play("tit-for-tat", "defect", rounds=10)
    assert scores["first_cooperation"].tolist() == [1] + [0] * 9
    assert scores["second_cooperation"].sum() == 0


def long_run(first: MemoryOne, second: MemoryOne, *, noise: float):
    """Mean payoffs of two memory-one players, from the stationary distribution of their Markov chain."""
    states = [(a, b) for a in (COOPERATE, DEFECT) for b in (COOPERATE, DEFECT)]
    chain = np.zeros((4, 4))
    for i, (a, b) in enumerate(states):
        meant = first.chances[states.index((a, b))], second.chances[states.index((b, a))]
        p, q = (chance * (1 - noise) + (1 - chance) * noise for chance in meant)
        for j, (mine, theirs) in enumerate(states):
            chain[i, j] = (p if mine == COOPERATE else 1 - p) * (q if theirs == COOPERATE else 1 - q)
    weights = np.linalg.matrix_power(chain, 4096)[0]
    payoffs = Payoffs()
    return tuple(
        sum(weight * payoffs.earned(*pair[::side]) for weight, pair in zip(weights, states, strict=True))
        for side in (1, -1)
    )


def close_in_the_long_run(scores, expected):
    """Compare means of blocks, since neighbouring rounds depend on each other."""
    for name, value in zip(("first_payoff", "second_payoff"), expected, strict=True):
        blocks = scores[name][100:].reshape(-1, 100).mean(axis=1)
        if not abs(blocks.mean() - value) < 4 * blocks.std(ddof=1) / np.sqrt(len(blocks)) + 1e-9:
            return False
    return True


@pytest.mark.parametrize(
    ("first", "second"),
    [("tit-for-tat", "tit-for-tat"), ("pavlov", "pavlov"), ("generous", "tit-for-tat"), ("extort", "generous")],
)
def test_noisy_games_pay_what_the_chain_says(first, second):
    expected = long_run(dilemma.subjects[first](), dilemma.subjects[second](), noise=0.05)
    assert close_in_the_long_run(play(first, second, rounds=4100, noise=0.05), expected)


def test_noise_brings_tit_for_tat_down_to_chance():
    # Molander (1985), Journal of Conflict Resolution 29, 611-618: any noise makes all four outcomes equally frequent.
    tit_for_tat = dilemma.subjects["tit-for-tat"]()
    assert long_run(tit_for_tat, tit_for_tat, noise=0.05) == pytest.approx((2.25, 2.25))


def test_chance_scores_at_its_level():
    scores = play(Chance(), Chance(), rounds=3000)
    for name, level in dilemma.chance_levels(dilemma.fill()).items():
        assert abs(scores[name].mean() - level) < 4 * scores[name].std(ddof=1) / np.sqrt(3000), name


def test_a_void_round_counts_as_the_sucker_for_who_made_no_move_and_not_for_the_partner():
    class Shy:
        def __call__(self, ask: Ask):
            return Refused("not now") if ask.key == "round1" else COOPERATE

    scores = play("cooperate", Shy(), rounds=4)
    assert np.isnan(scores["first_payoff"]).tolist() == [False, True, False, False]
    assert np.isnan(scores["second_cooperation"]).tolist() == [False, True, False, False]
    assert np.nansum(scores["first_payoff"]) == 9
    assert scores["second_payoff"].tolist() == [3, 0, 3, 3]


@pytest.mark.parametrize(("crashing", "innocent"), [("first", "second"), ("second", "first")])
def test_who_crashes_is_the_sucker_for_the_rest_and_the_partner_keeps_what_was_earned(crashing, innocent):
    moves = iter([COOPERATE, COOPERATE])
    players = {crashing: lambda ask: next(moves), innocent: lambda ask: COOPERATE}
    scores = play(players["first"], players["second"], rounds=4)
    assert scores[f"{crashing}_payoff"].tolist() == [3, 3, 0, 0]
    assert np.nanmean(scores[f"{innocent}_payoff"]) == 3


def test_neither_player_sees_the_other_move_first():
    session = Session(Instance(dilemma, dilemma.fill({"rounds": 2}), 1))
    session.start()
    before = session.open["second"].prompt[1].text()
    session.answer(DEFECT, role="first")
    assert session.open["second"].prompt[1].text() == before
    session.answer(COOPERATE, role="second")
    assert session.open["second"].prompt[1].rows == [(1, COOPERATE, DEFECT, 0.0, 5.0)]
    assert see(session.open["second"].prompt).tolist() == [1, 2]
    assert session.open["first"].reward == 5.0


@pytest.mark.parametrize("wrong", [{"noise": 0.7}, {"temptation": 2.0}, {"temptation": 7.0}])
def test_games_that_are_no_dilemma_are_refused(wrong):
    with pytest.raises(MensuraError):
        next(dilemma(generator(1), **dilemma.fill(wrong)))
