"""Every type of cell is drawn, named for screen readers, and free of what the site's policy forbids."""

from itertools import product
from xml.etree import ElementTree

import pytest

from mensura.catalog.puzzles.showing.drawing import draw_cell
from mensura.catalog.puzzles.showing.outline import SHAPES, outline
from mensura.catalog.puzzles.showing.prompt import PuzzlePrompt
from mensura.dialogue.prompts.base import prompt_data
from mensura.web.drawing.prompt import show

CELLS = {
    "text": {"text": "3 < 4"},
    "figure": {"objects": [[4, 2, 0, 1, 0, 4], [0, 0, 3, 0, 0, 4]], "marks": [0, 3]},
    "grid": {"rows": [[0, 1, 2], [9, 8, 7]]},
    "pixels": {"rows": ["0120", "4444"]},
    "features": {"names": ["shape", "size"], "rows": [[1.04, 2.1]]},
    "polyomino": {"cells": [[0, 0], [1, 0], [1, 1]]},
    "gap": {},
}


@pytest.mark.parametrize("kind", CELLS)
def test_every_type_of_cell_is_drawn_as_valid_markup(kind):
    drawn = draw_cell({"type": kind, "words": 'a "so-called" <b>', **CELLS[kind]})
    root = ElementTree.fromstring(drawn)
    assert "style" not in drawn
    assert "<b>" not in drawn
    if root.tag == "svg":
        assert root.attrib["role"] == "img"
        assert root.attrib["aria-label"] == 'a "so-called" <b>'


def test_what_is_inside_is_drawn_after_what_it_is_in():
    drawn = draw_cell({"type": "figure", "words": "", **CELLS["figure"]})
    filled = [part.attrib["fill"] for part in ElementTree.fromstring(drawn) if part.attrib["fill"] != "none"]
    assert filled[:2] == ["#ffffff", "#1c2733"]


def test_each_shape_has_the_symmetries_that_its_class_says():
    """The first four look alike at every quarter and mirrored, the next four mirrored only, the last two never."""

    def corners(symbols, shape, turn, flip):
        return frozenset((round(x, 1), round(y, 1)) for x, y in outline(symbols, shape, 2, turn, flip, 4))

    for symbols, shape in product(SHAPES, range(10)):
        looks = {corners(symbols, shape, turn, flip) for turn, flip in product(range(4), range(2))}
        assert len(looks) == (1 if shape < 4 else 4 if shape < 8 else 8), (symbols, shape)
        assert (corners(symbols, shape, 0, 0) == corners(symbols, shape, 0, 1)) == (shape < 8)


@pytest.mark.parametrize("layout", ["row", "column", "matrix:2", "analogy", "sides:1", "pairs"])
def test_each_layout_draws_every_cell_once_and_letters_the_options(layout):
    cells = [{"type": "text", "words": f"cell {n}"} for n in range(4)]
    options = [{"type": "figure", "words": f"option {n}", "objects": []} for n in range(4)]
    page = str(show(prompt_data(PuzzlePrompt("matrix", "Which?", cells, layout, options))))
    assert all(page.count(f">cell {n}<") == 1 for n in range(4))
    assert all(page.count(f'aria-label="option {n}"') == 1 for n in range(4))
    assert all(f'<span class="pz-label">{letter}</span>' in page for letter in "ABCD")
