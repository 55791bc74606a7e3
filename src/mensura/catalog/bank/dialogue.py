"""Banks as tests: `bank` makes one of a file or of data, in one line."""

import os
from collections.abc import Generator
from functools import partial
from math import log
from typing import Any

import numpy as np

from mensura.catalog.bank.reading import Source, read_file, read_items
from mensura.catalog.bank.shelf import shelved
from mensura.dialogue import Ask, Bank, Choice, Item, Space, Test, Text


def bank(source: Source, *, name: str | None = None, space: Any = None) -> Test:
    """Make a test of a bank of items.

    Parameters
    ----------
    source
        A file of JSON lines, or dicts or `Item`s, or a function that yields them. A dict has `prompt` and `answer`,
        and may have `options`, `id`, `tags`, `group`, `licence` and `space`. Or data of any other shape, with what its
        columns mean behind the name: `data.csv#prompt=question#options=A,B,C#answer=label`.
    name
        Name of the test; its id is `name-v1`. After the file or function where nothing is given.
    space
        The space of the items that name none: "probability", {"kind": "number", "low": 0, "high": 10}, or a space.

    Returns
    -------
    Test
        It is scored by the natural scores of its spaces. Each item is a dialogue of its own when a run asks for that;
        otherwise all are asked in turn.

    Raises
    ------
    BadFile
        If an item is not what it should be; the message names its line.

    Examples
    --------
    >>> from mensura.running.take import take
    >>> sums = bank([{"prompt": "2 + 2?", "answer": 4}, {"prompt": "Is 7 prime?", "answer": True}], name="sums")
    >>> taken = take(sums, lambda ask: 4 if "2" in ask.prompt else "no", seed=1)
    >>> list(taken.record.given().values()), list(taken.truths.values())
    ([4.0, 'no'], [4.0, 'yes'])
    """
    if not isinstance(source, (str, os.PathLike)):
        return bank_test(read_items(source, name=name, space=space))
    if name is not None or space is not None:
        return bank_test(read_file(source, name=name, space=space))
    return shelved(str(source), lambda: bank_test(read_file(source)))


def bank_test(items: Bank) -> Test:
    """Make the test of a bank; it can be pickled, so that workers in other processes can take it."""
    function = partial(ask_items, items)
    about = f"Answer the {len(items)} item{'s' if len(items) > 1 else ''} of {items.name}."
    function.__doc__ = " ".join([about, *items.remarks])
    return Test(f"{items.name}-v1", function, bank=items, chance=chance_levels(items), questions=len(items))


def ask_items(
    items: Bank, rng: np.random.Generator, *, item: Item | None = None, shuffle: bool = False
) -> Generator[Ask, Any, None]:
    """Ask one item, or all of them in turn in one conversation.

    Options are permuted by a stream of the item's own, so neither its place nor what else is asked matters: with one
    item that is the session's, whose address names the item; else it comes from one draw and the item's hash.
    """
    if item is not None:
        yield _ask(item, rng if shuffle else None)
        return
    drawn = int(rng.integers(2**63)) if shuffle else 0
    for one in items:
        yield _ask(one, np.random.default_rng([drawn, int(one.hash, 16)]) if shuffle else None)


def chance_levels(items: Bank) -> dict[str, float]:
    """Return what random answers score, where that is the same for every item and so for any selection of them."""
    spaces = [item.space for item in items if item.answer is not None]
    kinds = {space.kind for space in spaces}
    levels: dict[str, float] = {}
    counts = {_count(space) for space in spaces if space.natural in (Choice.natural, Text.natural)}
    if len(counts) == 1 and None not in counts:
        levels["accuracy"] = 1 / max(count or 1 for count in counts)
    if "probability" in kinds and not kinds & {"distribution", "density"}:
        # A uniform answer: E(1 - U)^2 = 1/3 and E ln U = -1, whatever happens.
        levels["logarithmic_score"], levels["quadratic_score"] = log(2) - 1, -1 / 12
    return levels


def _ask(item: Item, rng: np.random.Generator | None) -> Ask:
    space = item.space
    if rng is not None and type(space) is Choice:
        space = Choice(tuple(space.options[place] for place in rng.permutation(len(space.options))))
    return Ask(item.shown, space, key=item.key, truth=item.answer)


def _count(space: Space) -> int | None:
    return len(getattr(space, space.alternatives)) if space.alternatives else None
