"""Numbers published about strategies of the iterated prisoner's dilemma."""

import numpy as np
import pytest

from mensura.catalog.dilemma.dialogue import dilemma
from mensura.catalog.dilemma.payoffs import COOPERATE, DEFECT, Payoffs


def stationary(first, second):
    """Stationary weights of CC, CD, DC, DD from the first player's side."""
    states = [(a, b) for a in (COOPERATE, DEFECT) for b in (COOPERATE, DEFECT)]
    p = np.array(first)
    q = np.array([second[states.index((b, a))] for a, b in states])
    chain = np.stack([p * q, p * (1 - q), (1 - p) * q, (1 - p) * (1 - q)], axis=1)
    values, vectors = np.linalg.eig(chain.T)
    weights = np.real(vectors[:, np.argmin(abs(values - 1))])
    return weights / weights.sum()


@pytest.mark.parametrize("seed", range(20))
def test_press_and_dyson_2012_extortion_takes_three_times_the_surplus(seed):
    # Press and Dyson (2012), PNAS 109, 10409-10413: with payoffs 5, 3, 1, 0 and chi = 3 the strategy
    # (11/13, 1/2, 7/26, 0) enforces s_X - P = 3 (s_Y - P) against any opponent.
    opponent = np.random.default_rng(seed).uniform(0.05, 0.95, 4)
    weights = stationary(dilemma.subjects["extort"]().chances, opponent)
    mine, theirs = weights @ [3, 0, 5, 1], weights @ [3, 5, 0, 1]
    assert mine - 1 == pytest.approx(3 * (theirs - 1))


def test_nowak_and_sigmund_1992_generosity_is_one_third():
    # Nowak and Sigmund (1992), Nature 355, 250-253: q = min(1 - (T - R)/(R - S), (R - P)/(T - P)).
    payoffs = Payoffs()
    best = min(
        1 - (payoffs.temptation - payoffs.reward) / (payoffs.reward - payoffs.sucker),
        (payoffs.reward - payoffs.punishment) / (payoffs.temptation - payoffs.punishment),
    )
    assert dilemma.subjects["generous"]().chances == pytest.approx((1, best, 1, best))


def test_axelrod_1980_tit_for_tat_never_earns_more_than_its_partner():
    # Axelrod (1984), The Evolution of Cooperation, ch. 6: tit-for-tat cannot score more than the other in a game.
    from mensura.running.take import take

    for name, make in dilemma.subjects.items():
        cast = {"first": dilemma.subjects["tit-for-tat"](), "second": make()}
        record = take(dilemma, cast, seed=4, parameters=dilemma.fill(setting="axelrod"), trace="summary").record
        assert record.rewards(role="first").sum() <= record.rewards(role="second").sum(), name
