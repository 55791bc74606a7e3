"""Cells of figures: rasters tell all objects apart, numbers can be decoded, words say everything."""

from itertools import product

import pytest

from mensura.catalog.puzzles.grammar.figure import LEVELS, figure_of, mirror_image
from mensura.catalog.puzzles.showing.figure_cell import NOISE, figure_cell, raster, read_cell, words
from mensura.catalog.puzzles.showing.presentation import Presentation

OBJECTS = sorted({figure_of([one]) for one in product(range(10), range(3), (2,), range(4), range(2), (4,))})


@pytest.mark.parametrize("symbols", ["plain", "other"])
def test_no_two_objects_have_the_same_raster_or_the_same_words(symbols):
    assert len({raster(figure, symbols) for figure in OBJECTS}) == len(OBJECTS)
    assert len({words(figure, symbols) for figure in OBJECTS}) == len(OBJECTS)


def test_a_raster_shows_what_lies_inside_something_of_the_same_fill():
    outer, inner = (1, 2, 3, 0, 0, 4), (0, 0, 3, 0, 0, 4)
    assert raster((outer, inner), "plain") != raster((outer,), "plain")


def test_numbers_are_off_by_less_than_is_said_and_round_to_the_attributes():
    for figure in OBJECTS[::7]:
        cell = figure_cell(figure, Presentation({"form": "features"}))
        assert all(
            abs(a - b) <= NOISE
            for row, one in zip(cell["rows"], figure, strict=True)
            for a, b in zip(row, one, strict=True)
        )
        assert read_cell(cell) == (figure, ())


def test_a_mirror_image_mirrored_is_the_figure_again():
    for figure in OBJECTS[::5]:
        turned = figure_of((*one[:5], place) for one, place in zip(figure, range(LEVELS[5]), strict=False))
        assert mirror_image(mirror_image(turned)) == turned
