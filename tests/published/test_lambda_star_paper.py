"""Numbers printed in Chmait, Li, Dowe and Green, A Dynamic Intelligence Test Framework (EGPAI 2016)."""

import pytest

from mensura.catalog.lambda_star.environment.complexity import lempel_ziv
from mensura.catalog.lambda_star.environment.pattern import wanted_range
from mensura.catalog.lambda_star.environment.torus import ACTIONS, Torus
from tests.catalog.lambda_star.definition import lempel_ziv_by_definition


def test_section_4_1_1_distance_round_the_border_is_1():
    ground = Torus(5, 5)
    assert ground.distance(ground.at(1, 3), ground.at(5, 3)) == 1


@pytest.mark.parametrize(("index", "coordinates"), [(1, (1, 1)), (2, (1, 2)), (6, (2, 1)), (25, (5, 5))])
def test_figure_3_cell_indices(index, coordinates):
    assert Torus(5, 5).coordinates(index - 1) == coordinates
    assert Torus(5, 5).at(*coordinates) == index - 1


def test_section_4_2_pattern_7_3_4_9_8_is_a_cycle_of_king_steps():
    ground = Torus(5, 5)
    cycle = [7, 3, 4, 9, 8]
    assert all(ground.distance(a - 1, b - 1) == 1 for a, b in zip(cycle, cycle[1:] + cycle[:1], strict=True))


def test_section_4_2_example_sequence_has_complexity_6():
    sequence = [int(symbol) for symbol in "73498734987349873498"]
    assert lempel_ziv(sequence) == lempel_ziv_by_definition(sequence) == 6


@pytest.mark.parametrize(("size", "bits"), [(5, 9.2288), (10, 13.2732)])
def test_section_4_3_search_space_entropy(size, bits):
    assert Torus.of(size).entropy_bits == pytest.approx(bits, abs=5e-5)


def test_section_5_1_complexities_go_from_2_to_23():
    reach = wanted_range(Torus(10, 10), iterations=50, lowest=None, highest=None)
    assert (reach.lowest, reach.highest) == (2, 23)


def test_section_5_1_actions_1_to_9_in_order():
    assert ACTIONS == (
        "up-left",
        "up",
        "up-right",
        "left",
        "stay",
        "right",
        "down-left",
        "down",
        "down-right",
    )


def test_lempel_and_ziv_1976_example_has_complexity_6():
    """The exhaustive history of Lempel and Ziv (1976), section II: 0 · 001 · 10 · 100 · 1000 · 101."""
    assert lempel_ziv([int(symbol) for symbol in "0001101001000101"]) == 6
