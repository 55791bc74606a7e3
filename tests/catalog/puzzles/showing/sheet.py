"""A test that asks one puzzle of a kind, for the tests of the pages."""

import numpy as np

from mensura.catalog.puzzles.kinds.find import find_kind
from mensura.catalog.puzzles.making.item import ItemOrder, make_item
from mensura.dialogue import Ask, test


@test("puzzle-sheet-v1")
def sheet(rng, *, kind="matrix", form="drawn"):
    """Choose the right figure."""
    order = ItemOrder(presentation=f"form={form}")
    streams = np.random.default_rng(4), np.random.default_rng(1)
    item = make_item(find_kind(kind), structure=streams[0], presentation=streams[1], order=order)
    yield Ask(item.prompt, item.space, key="puzzle", truth=item.answer)
