"""The torus: sizes, distances, steps and what is seen."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mensura.catalog.lambda_star.environment.torus import STEPS, Torus
from mensura.errors import BadParameter

SIDES = st.integers(1, 9)


@pytest.mark.parametrize(("size", "shape"), [(10, (10, 10)), ("10", (10, 10)), ("8x12", (8, 12)), ((3, 4), (3, 4))])
def test_sizes_are_read_as_people_write_them(size, shape):
    torus = Torus.of(size)
    assert (torus.rows, torus.columns) == shape


@pytest.mark.parametrize("size", ["ten", "3x", "-4", 2.5, True])
def test_a_size_that_is_no_size_is_refused_with_an_example(size):
    with pytest.raises(BadParameter, match="10 or 8x12"):
        Torus.of(size)


@pytest.mark.parametrize("size", [1, "1x1", 0, "0x5"])
def test_a_torus_without_room_for_two_objects_is_refused(size):
    with pytest.raises(BadParameter, match="no room for Good and Evil"):
        Torus.of(size)


@given(rows=SIDES, columns=SIDES, data=st.data())
def test_distance_is_the_number_of_steps_toward(rows, columns, data):
    if rows * columns < 2:
        return
    torus = Torus(rows, columns)
    cell, target = data.draw(st.integers(0, torus.cells - 1)), data.draw(st.integers(0, torus.cells - 1))
    steps = torus.distance(cell, target)
    for _ in range(steps):
        assert cell != target
        cell = torus.moves[cell][torus.toward(cell, target)]
    assert cell == target


@given(rows=SIDES, columns=SIDES)
def test_nobody_sees_further_than_their_sight(rows, columns):
    if rows * columns < 2:
        return
    torus = Torus(rows, columns)
    for sight in (1, 2, 3):
        seen = torus.neighbourhood(sight)
        assert all(len(cells) == (2 * sight + 1) ** 2 for cells in seen)
        near = {other for other in range(torus.cells) if torus.distance(0, other) <= sight}
        assert set(seen[0]) == near


def test_moves_are_the_nine_steps_in_order():
    torus = Torus(10, 10)
    here = torus.at(5, 5)
    assert torus.moves[here] == [torus.at(5 + down, 5 + right) for down, right in STEPS]
