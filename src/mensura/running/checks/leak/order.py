"""Order: whether the number of an ask, or the truths before it, tell its truth."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mensura.running.checks.leak.deciding import DECISIVE, gain
from mensura.running.checks.leak.explained import beyond
from mensura.running.checks.leak.permutation import (
    EXPLAINED,
    LEAST,
    SUSPICIOUS,
    Floats,
    Suspicion,
    chance_of,
    columns,
    even,
    flipped,
    goes_with,
    ranks,
    shifted,
    strands,
)
from mensura.running.checks.leak.signs import VALUES, WORD, content, quantities, visible, word_telltales
from mensura.running.checks.leak.sitting import Showing

PLACES = 40
"""Places of a session that are looked at one by one."""
PERIODS = 8
SURE = 0.9
"""Share of truths that must come again after a period."""
STICKY = 0.8
"""Share of truths that are that of the ask before, above which truths change too seldom to have a period."""
KIN = 0.05
"""By how much more alike questions after a period may be, above which they explain that truths come again."""
STEEP = 1e-3
"""How improbable an order must be before content is asked to explain it."""
SHUFFLE = "Draw the order, or each truth, by chance."

Truth = Callable[[Showing], Any]


def telling_order(
    asks: Sequence[Showing], truth: Truth, what: str, *, named: bool, rng: np.random.Generator
) -> list[Suspicion]:
    """Test whether truths come early or late, at certain numbers of all sessions, or again after a period."""
    found = []
    # Larger quantities come later in many a test: harder items do.
    if named:
        found += _numbers(asks, truth, what, rng)
    if len({str(truth(one)) for one in asks}) <= VALUES:
        found += _periods(asks, truth, what, rng)
    return found


def _numbers(asks: Sequence[Showing], truth: Truth, what: str, rng: np.random.Generator) -> list[Suspicion]:
    words = f"the number of the ask goes with {what}"
    found = []
    for blocks in _sequences(asks, truth):
        every = [one for block in blocks for one in block]
        own = columns([truth(one) for one in every])
        if len(blocks) < LEAST or not own.shape[1]:
            continue
        if max(map(len, blocks)) == 1:
            p = goes_with(blocks, lambda one: one.number, truth, rng)
            found += [] if p is None else [Suspicion(p, words, True, SHUFFLE)]
            continue
        ps = _at_numbers(blocks, own, rng)
        explained = False
        if min(ps) < STEEP:
            known = _known(every, truth)
            after = _at_numbers(blocks, beyond(own, known, np.array([one.session for one in every])), rng)
            explained = min(after) > SUSPICIOUS
            ps = ps if explained else [max(pair) for pair in zip(ps, after, strict=True)]
        found += [Suspicion(p, words, True, SHUFFLE, EXPLAINED if explained and p < STEEP else "") for p in ps]
    return found


def _known(asks: Sequence[Showing], truth: Truth) -> Floats:
    """Return the content that may explain an order; of one that decides alone no numbers, which follow the truth."""
    decides = gain([str(one.number) for one in asks], [str(truth(one)) for one in asks]) >= DECISIVE
    if not decides:
        return np.column_stack([content(asks), quantities(asks)])
    words = word_telltales([visible(one.ask.prompt) for one in asks]).values()
    return np.column_stack([np.zeros(len(asks)), *words])


def _sequences(asks: Sequence[Showing], truth: Truth) -> list[list[list[Showing]]]:
    """Return blocks in which order is looked at: sessions, or items where each always has the same number."""
    numbers: dict[Any, list[int]] = {}
    for one in asks:
        numbers.setdefault(one.item, []).append(one.number)
    again = [set(places) for places in numbers.values() if len(places) > 1]
    if again and sum(len(places) == 1 for places in again) > SURE * len(again):
        return strands(asks, truth=truth)
    return [_sessions(asks)]


def _sessions(asks: Sequence[Showing]) -> list[list[Showing]]:
    rows: dict[int, list[Showing]] = {}
    for one in asks:
        rows.setdefault(one.session, []).append(one)
    return [sorted(row, key=lambda one: one.number) for row in rows.values()]


def _at_numbers(blocks: Sequence[Sequence[Showing]], truths: Floats, rng: np.random.Generator) -> list[float]:
    """Test whether truths lean to one end of the session, and whether some numbers have truths of their own."""
    parts = np.split(truths, np.cumsum([len(block) for block in blocks])[:-1])
    own = list(zip(blocks, parts, strict=True))
    leans = [ranks([one.number for one in block]) @ (part - part.mean(axis=0)) for block, part in own]
    found = [flipped(np.array(leans), rng)]
    size = len(even(blocks)[0])
    table = np.array([part[: min(size, PLACES)] for part in parts if len(part) >= size])
    sessions = {one.session for block in blocks for one in block}
    if len(sessions) < len(blocks) or len(table) < LEAST or table.shape[1] < 2:
        return found
    # Turning a level that wanders puts its ends together, which are far apart; so its signs must be improbable, too.
    signs = (table - table.mean(axis=1, keepdims=True)).reshape(len(table), -1)
    improbable = flipped(signs, rng)
    return [*found, improbable if improbable > SUSPICIOUS else max(shifted(table, rng), improbable)]


def _periods(asks: Sequence[Showing], truth: Truth, what: str, rng: np.random.Generator) -> list[Suspicion]:
    """Test whether truths come again after so many asks, though neither they nor the questions are all alike."""
    # A bank that always comes in one order, with the same truths, counts once.
    rows = list({tuple((one.item, str(truth(one))) for one in row): row for row in _sessions(asks)}.values())
    names = {name: float(i) for i, name in enumerate(sorted({str(truth(one)) for one in asks}))}
    coded = [np.array([names[str(truth(one))] for one in row]) for row in rows]
    if _again(coded, 1) > STICKY:
        return []
    for period in range(2, PERIODS + 1):
        long = [row for row in coded if len(row) >= 2 * period]
        share = float(_again(long, period))
        if share < SURE or _alike(rows, period) > _alike(rows, 1) + KIN:
            continue

        def simulate(draws: int, long: Sequence[Floats] = long, period: int = period) -> Floats:
            return _again([rng.permuted(np.tile(row, (draws, 1)), axis=1) for row in long], period)

        p = min(1.0, PERIODS * chance_of(share, simulate, width=sum(map(len, long))))
        return [Suspicion(p, f"{what} comes again after {period} asks, in {share:.0%} of asks", remedy=SHUFFLE)]
    return []


def _again(rows: Sequence[Floats], period: int) -> Floats:
    """Return which share of truths is that of so many asks before; rows may be many orders of the same truths."""
    same = sum((np.asarray(row[..., period:] == row[..., :-period]).sum(axis=-1) for row in rows), np.zeros(()))
    share: Floats = same / max(1, sum(max(0, row.shape[-1] - period) for row in rows))
    return share


def _alike(rows: Sequence[Sequence[Showing]], period: int) -> float:
    """Return which share of words a question has in common with that of so many asks before."""
    words = [[set(WORD.findall(visible(one.ask.prompt))) for one in row] for row in rows]
    pairs = [(a, b) for row in words for a, b in zip(row, row[period:], strict=False)]
    return float(np.mean([len(a & b) / max(1, len(a | b)) for a, b in pairs])) if pairs else 0.0
