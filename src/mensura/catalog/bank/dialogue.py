"""Banks as tests: `bank` makes one of a file or of data, in one line."""

import os
from collections.abc import Generator
from functools import partial
from math import log
from typing import Annotated, Any, Literal

import numpy as np

from mensura.catalog.bank.adaptive import ask_adaptively, require_calibrated
from mensura.catalog.bank.exhibits import exhibits
from mensura.catalog.bank.reading import Source, read_file, read_items
from mensura.catalog.bank.shelf import shelved
from mensura.dialogue import ABILITY, Ask, Bank, Choice, Distribution, Item, Score, Space, Test, Text
from mensura.dialogue.score import Precision
from mensura.scores.grades.grade import is_graded


def bank(source: Source, *, name: str | None = None, space: Any = None, grade: Any = None) -> Test:
    """Make a test of a bank of items.

    Parameters
    ----------
    source
        A file of JSON lines, or dicts or `Item`s, or a function that yields them. A dict has `prompt` and `answer`,
        and may have `options`, `id`, `tags`, `group`, `licence`, `space` and `grade`. Or data of any other shape, with
        what its columns mean behind the name: `data.csv#prompt=question#options=A,B,C#answer=label`; a grader may stand
        there too: `items.jsonl#grade=numeric`.
    name
        Name of the test; its id is `name-v1`. After the file or function where nothing is given.
    space
        The space of the items that name none: "probability", {"kind": "number", "low": 0, "high": 10}, or a space.
    grade
        The grader of the items that name none: "exact", {"by": "numeric", "relative": 0.01}; see
        `mensura.scores.grades.grade`.

    Returns
    -------
    Test
        It is scored by its graders, and by the natural scores of its spaces. Each item is a dialogue of its own when a
        run asks for that; otherwise all are asked in turn.

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
        return bank_test(read_items(source, name=name, space=space, grade=grade))
    if name is not None or space is not None or grade is not None:
        return bank_test(read_file(source, name=name, space=space, grade=grade))
    return shelved(str(source), lambda: bank_test(read_file(source)))


def bank_test(items: Bank) -> Test:
    """Make the test of a bank; it can be pickled, so that workers in other processes can take it."""
    function = partial(ask_items, items)
    about = f"Answer the {len(items)} item{'s' if len(items) > 1 else ''} of {items.name}."
    function.__doc__ = " ".join([about, *items.remarks])
    return Test(
        f"{items.name}-v1",
        function,
        bank=items,
        scores=partial(declared_scores, items),
        chance=partial(chance_levels, items),
        questions=partial(count_questions, items),
        exhibits=partial(exhibits, items),
    )


def ask_items(
    items: Bank,
    rng: np.random.Generator,
    *,
    item: Item | None = None,
    shuffle: Annotated[bool, "Whether the options of each item are put in an order drawn by chance."] = False,
    elicit: Annotated[
        Literal["answers", "probabilities"],
        "What is asked of items with options: answers, or probabilities of all options.",
    ] = "answers",
    order: Annotated[
        Literal["file", "shuffled"],
        "In which order items are asked in one conversation: file (as in the file) or shuffled.",
    ] = "file",
    adaptive: Annotated[
        bool,
        "Whether the most informative item comes next; it needs a bank that `mensura calibrate` has calibrated.",
    ] = False,
    precision: Precision = 0.3,
) -> Generator[Ask, Any, None]:
    """Ask one item, or all of them in turn in one conversation; adaptively, those that tell most of the ability.

    Options are permuted by a stream of the item's own, so neither its place nor what else is asked matters: with one
    item that is the session's, whose address names the item; else it comes from one draw and the item's hash.
    """
    if item is not None:
        yield _ask(item, rng if shuffle else None, elicit)
        return
    drawn = int(rng.integers(2**63)) if shuffle else 0

    def asked(one: Item) -> Ask:
        return _ask(one, np.random.default_rng([drawn, int(one.hash, 16)]) if shuffle else None, elicit)

    if adaptive:
        yield from ask_adaptively(items, rng, precision=precision, asked=asked)
        return
    turns = rng.permutation(len(items)) if order == "shuffled" else range(len(items))
    for one in (items.items[place] for place in turns):
        yield asked(one)


def declared_scores(items: Bank, *, adaptive: bool = False, precision: float = 0.3, **others: Any) -> list[Score]:
    """Declare the ability where it decides what is asked; natural scores declare themselves."""
    if not adaptive:
        return []
    require_calibrated(items, precision=precision)
    return [ABILITY]


def count_questions(items: Bank, *, adaptive: bool = False, **others: Any) -> int | None:
    """Return how many items are asked; of an adaptive test nobody knows beforehand."""
    return None if adaptive else len(items)


def chance_levels(items: Bank, *, elicit: str = "answers", **others: Any) -> dict[str, float]:
    """Return what random answers score, where that is the same for every item and so for any selection of them."""
    levels: dict[str, float] = {}
    naming = (Choice.natural, Text.natural, Distribution.natural)
    counts: set[int | None] = set()
    shared: set[int] = set()
    kinds: set[str] = set()
    for item in items:
        if item.answer is None:
            continue
        space = asked_space(item.space, elicit)
        kinds.add(space.kind)
        counts |= {_count(space)} if space.natural in naming else set()
        counts |= {None} if is_graded(item.answer) else set()
        shared |= {_count(space) or 2} if space.kind in ("probability", "distribution") else set()
    if len(counts) == 1 and None not in counts:
        levels["accuracy"] = 1 / max(count or 1 for count in counts)
    if len(shared) == 1 and "density" not in kinds:
        # All distributions over n alternatives alike: E ln p = -(1/1 + ... + 1/(n-1)) and E p^2 = 2/n(n+1).
        n = shared.pop()
        levels["logarithmic_score"] = log(n) - sum(1 / part for part in range(1, n))
        levels["quadratic_score"] = (1 - n) / (2 * n * (n + 1))
    return levels


def asked_space(space: Space, elicit: str) -> Space:
    """Return the space that an item is asked in: of a choice, its probabilities where these are elicited.

    >>> asked_space(Choice(("yes", "no")), "probabilities").kind
    'distribution'
    """
    return Distribution(space.options) if elicit == "probabilities" and type(space) is Choice else space


def _ask(item: Item, rng: np.random.Generator | None, elicit: str) -> Ask:
    space = item.space
    if rng is not None and type(space) is Choice:
        space = Choice(tuple(space.options[place] for place in rng.permutation(len(space.options))))
    return Ask(item.shown, asked_space(space, elicit), key=item.key, truth=item.answer)


def _count(space: Space) -> int | None:
    return len(getattr(space, space.alternatives)) if space.alternatives else None
