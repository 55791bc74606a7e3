"""Normalised scores from human starts (Nair et al. 2015, as printed in van Hasselt et al. 2015, Table 5)."""

import pytest

pytest.importorskip("ale_py", reason="ale-py is not installed")

from mensura.catalog.arcade.scoring import TABLE, normalised

PRINTED = {
    ("montezuma_revenge", 50.0): 0.60,
    ("private_eye", 298.2): -0.57,
}
"""Game and the score of DQN → its normalised score, in percent."""


@pytest.mark.parametrize(("game", "score"), PRINTED)
def test_normalised_scores_of_dqn_come_out_as_printed(game, score):
    assert round(100 * normalised(score, game=game), 2) == PRINTED[game, score]


@pytest.mark.parametrize("game", TABLE)
def test_random_is_0_and_human_is_1(game):
    random, human = TABLE[game]
    assert (normalised(random, game=game), normalised(human, game=game)) == (0, 1)


def test_the_difference_of_hcr_from_random_in_units_of_our_spread():
    """Table 1 gives no error; with 360 within starts, one evaluation of 100 starts has a standard error of 36."""
    assert round((379.1 - 177.1) / (36 * 2**0.5), 1) == 4.0
    assert round((1264.4 + 41) / (163 * 2**0.5), 1) == 5.7
