"""Sensemaking keeps the contract in another form too, and knows its levels of chance."""

from pathlib import Path

import pytest

from mensura.catalog.sensemaking.chance import chance_levels
from mensura.catalog.sensemaking.dialogue import sensemaking
from mensura.running.check import CheckOptions, check_test

GOLDEN = Path(__file__).parents[2] / "golden"


@pytest.mark.proof
def test_sensemaking_keeps_the_contract_without_breaks():
    check_test(sensemaking, options=CheckOptions(sessions=2), trials=1, tasks="1267", breaks=False).require()


def test_chance_levels_count_the_trials_that_are_taken(tmp_path):
    import numpy as np

    from mensura.catalog.sensemaking.generating import Design, generate_exam, write_generated

    design = Design(blocks_1=2, blocks_2=2, blocks_3=2, trials_4=2, trials_5=2, trials_6=2, trials_7=4, networks=1)
    write_generated(generate_exam(np.random.default_rng(1), design=design), tmp_path)
    assert chance_levels(exam=str(tmp_path), tasks="17")["s2"] == pytest.approx((2 * 50 + 4 * 25) / 6)
    assert chance_levels(exam=str(tmp_path), tasks="17", trials=1)["s2"] == pytest.approx((50 + 25) / 2)
