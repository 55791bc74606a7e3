"""Telling: whether what a reader does not need, such as key, spaces, capitals or deadlines, tells the truth."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from mensura.running.checks.check import Check
from mensura.running.checks.leak.alternatives import telling_alternatives, telling_positions
from mensura.running.checks.leak.deciding import deciding
from mensura.running.checks.leak.explained import left_over
from mensura.running.checks.leak.order import telling_order
from mensura.running.checks.leak.permutation import (
    EXPLAINED,
    LEAST,
    SUSPICIOUS,
    Floats,
    Suspicion,
    columns,
    goes_with,
    noted,
    ranks,
    strands,
    varies,
    worst,
)
from mensura.running.checks.leak.plain import UNSEEN
from mensura.running.checks.leak.signs import (
    Telltale,
    content,
    form_telltales,
    key_telltales,
    length_telltale,
    space_telltales,
)
from mensura.running.checks.leak.sitting import Showing, all_shown
from mensura.running.checks.trial import Trial

LEVEL = 2e-4
"""How often an honest test may fail by bad luck, for everything that is looked at together."""
TWICE = 2e-3
"""The same for times, which must fail twice, in other sessions."""
NOTICEABLE = 5e-4
"""Seconds that a subject may be able to notice."""
CLOSE = 0.9
"""Correlation of a bound with a quantity above which it gives the quantity."""
ALIKE = "Make it the same whatever is right."

Truth = Callable[[Showing], Any]


@dataclass(frozen=True)
class Comparable:
    """Asks whose truths can be compared, and what of the truth is compared: its name, its size or its place."""

    asks: list[Showing]
    truth: Truth
    what: str
    named: bool
    """Whether truths are names, places, or yes and no, and no quantities."""


def check_nothing_tells(trial: Trial) -> Check:
    """Try to tell the truth, over many sessions, from what a reader of the content does not need.

    The form of prompt and options, the key, the order of asks, the space, deadline and reward, and one word, size or
    odd number that decides alone. What the words and numbers of the prompt explain is a remark and no fault. One
    p-value, corrected for all that is looked at. Items that come again count once; fresh ones are compared session by
    session, since what is asked in one session may belong together.
    """
    name = "nothing tells"
    shown = all_shown(trial)
    if not any(_told_by(one) is not None for one in shown):
        return Check(name, None, "no ask carries a truth that could be told by a place, a length or a number")
    reason = trial.test.shows_truth
    found = telling(shown, np.random.default_rng(trial.seed))
    judged = [one for one in found if not one.explained and not (one.excused and reason)]
    remarks = () if reason else noted(found, level=LEVEL)
    if least := worst(judged, level=LEVEL):
        return Check(name, False, str(least), remarks)
    few = "" if trial.sessions >= LEAST else f" ({trial.sessions} sessions are too few to find what tells a little)"
    told = f"{len(judged)} signs tell no more than chance" if judged else "nothing changes but words and numbers"
    return Check(name, True, f"{told}, over {len(shown)} asks{few}", remarks)


def telling(shown: Sequence[Showing], rng: np.random.Generator) -> list[Suspicion]:
    """Return everything that may tell the truth, and how probable it is by chance."""
    found = [*telling_positions(shown, rng), *telling_alternatives(shown, rng)]
    if written := [one for one in shown if isinstance(one.truth, str) and one.ask.space is not None and not one.labels]:
        group = Comparable(written, lambda one: len(one.truth), "the length of the right text", named=False)
        found += [one for sign in _followed(group) for one in _tested(group, sign, rng)]
    for group in comparable(shown):
        found += _features(group, rng)
        found += telling_order(group.asks, group.truth, group.what, named=group.named, rng=rng)
        if group.named:
            found += deciding(group.asks, group.truth, group.what, rng)
    return found


def check_timing(trial: Trial) -> Check:
    """Try to read the truth, and whether the answer before was right, from the time that an ask takes to come.

    Times are compared by rank, within sessions, and a suspicion must come true in as many other sessions: a busy
    machine is no leak. Nobody notices less than half a millisecond.
    """
    name = "timing"
    if not trial.first.truths:
        return Check(name, None, "no ask carries a truth")
    shown = all_shown(trial)
    if not comparable(shown) and len({one.before for one in shown} - {None}) < 2:
        return Check(name, None, "no ask carries a truth that a time could tell")
    found = _suspect_times(trial, 0)
    if found is None:
        return Check(name, True, "the time to an ask tells neither its truth nor whether the last answer was right")
    again = _suspect_times(trial, trial.sessions)
    if again is None:
        return Check(name, True, "the time to an ask tells nothing that comes true in other sessions")
    return Check(name, False, str(again))


def comparable(shown: Sequence[Showing]) -> list[Comparable]:
    """Put asks together whose truths can be compared: one set of alternatives, as many, or one kind of space."""
    groups: dict[Any, list[Showing]] = {}
    placed: dict[Any, list[Showing]] = {}
    for one in shown:
        if _told_by(one) is not None and one.ask.space is not None:
            groups.setdefault((one.ask.space.kind, frozenset(one.labels)), []).append(one)
            if one.labels:
                placed.setdefault((one.ask.space.kind, len(one.labels)), []).append(one)
    found = [Comparable(asks, _told_by, f"the truth ({_kind(asks)})", _named(asks)) for asks in groups.values()]
    # Where all alternatives are in one order, their places are but other names.
    found += [
        Comparable(asks, _placed, f"the place of the right option (of {size})", named=True)
        for (_, size), asks in placed.items()
        if len({one.labels for one in asks}) > 1
    ]
    return [group for group in found if len({group.truth(one) for one in group.asks}) > 1]


def _told_by(one: Showing) -> Any:
    """Return the truth where it is a name or a number, else None."""
    truth = one.answer
    return truth if isinstance(truth, (str, int, float, np.number)) and truth == truth else None


def _placed(one: Showing) -> int:
    return one.right


def _named(group: Sequence[Showing]) -> bool:
    numbers = {float(one.truth) for one in group if not isinstance(one.truth, str)}
    return bool(group[0].labels) or numbers <= {0.0, 1.0}


def _kind(group: Sequence[Showing]) -> str:
    labels = group[0].labels
    what = f"of {', '.join(sorted(labels))}" if labels else f"a {group[0].ask.space.kind}"  # type: ignore[union-attr]
    return what if len(what) <= 60 else what[:57] + "..."


def _features(group: Comparable, rng: np.random.Generator) -> list[Suspicion]:
    found = [
        one for sign in (*key_telltales(group.asks), *form_telltales(group.asks)) for one in _tested(group, sign, rng)
    ]
    # Of a quantity, deadlines and bounds tell something rightly: more time, and more room, for more.
    left = np.array([[-1.0 if one.left is None else float(one.left)] for one in group.asks])
    given = [Telltale("the time left", left, not group.named)]
    given += space_telltales(group.asks) if group.named else _followed(group)
    found += [one for sign in given for one in _tested(group, sign, rng)]
    found += [
        Suspicion(p, f"the reward goes with {group.what}", True, remedy="Give it with the next ask, once it is earned.")
        for p in _rewards(group, rng)
    ]
    if group.named:
        # Every letter of a prompt is content or form, so its length alone is never a fault.
        found += _tested(group, length_telltale(group.asks), rng, remark=True)
    return found


def _followed(group: Comparable) -> list[Telltale]:
    """Return the space where it follows a quantity so closely that it gives it, and not only leaves room for it."""
    truths = ranks([float(group.truth(one)) for one in group.asks])
    if not truths.any():
        return []
    signs = space_telltales(group.asks)
    bounds = [ranks(column.tolist()) for sign in signs for column in sign.rows.T if (column != column[0]).any()]
    return signs if any(abs(float(np.corrcoef(bound, truths)[0, 1])) > CLOSE for bound in bounds) else []


def _tested(group: Comparable, sign: Telltale, rng: np.random.Generator, *, remark: bool = False) -> list[Suspicion]:
    """Test whether a sign goes with the truth, and where it does, whether also beyond what the content explains."""
    if not varies(sign.rows):
        return []
    found = []
    for blocks in strands(group.asks, item=_item_without(sign.name), truth=group.truth):
        p = goes_with(blocks, _of(group.asks, sign.rows), group.truth, rng)
        if p is None:
            continue
        rows, explained = sign.rows, EXPLAINED if remark else ""
        if p < LEVEL and not remark:
            rows = left_over(sign.rows, content(group.asks), len({one.item for one in group.asks}))
            beyond = goes_with(blocks, _of(group.asks, rows), group.truth, rng) if varies(rows) else 1.0
            explained = EXPLAINED if beyond is None or beyond > SUSPICIOUS else ""
            p = p if explained or beyond is None else max(p, beyond)
        example = group.asks[int(np.abs(rows - np.median(rows, axis=0)).max(axis=1).argmax())]
        words = f"{sign.name} goes with {group.what}" + ("" if remark else f", as in the ask {example.ask.key!r}")
        found.append(Suspicion(p, words, sign.excused, ALIKE, explained))
    return found


def _of(asks: Sequence[Showing], rows: Floats) -> Callable[[Showing], Floats]:
    places = {id(one): i for i, one in enumerate(asks)}
    return lambda one: rows[places[id(one)]]


def _rewards(group: Comparable, rng: np.random.Generator) -> list[float]:
    """Test whether the reward goes with the truth of its own ask, and not as much with that of the ask before.

    It is for the answer before, and where truths are alike from ask to ask what tells one rightly tells the next.
    """
    earlier = {id(two): one for one, two in pairwise(group.asks) if one.session == two.session}

    def reward(one: Showing) -> float:
        return float(one.ask.reward or 0)

    found = []
    for blocks in strands(group.asks, truth=group.truth):
        later = [row for row in ([one for one in block if id(one) in earlier] for block in blocks) if row]
        own = goes_with(blocks, reward, group.truth, rng)
        before = goes_with(later, reward, lambda one: group.truth(earlier[id(one)]), rng) if later else None
        if own is not None:
            found.append(1.0 if before is not None and before <= max(own, SUSPICIOUS**2) else own)
    return found


def _item_without(what: str) -> Callable[[Showing], Any]:
    """Return what is asked without the part that ought to tell nothing: the key, or what cannot be seen."""
    if "key" in what:
        return lambda one: one.item[1:]
    if "seen" in what:
        return lambda one: (one.ask.key, UNSEEN.sub("", one.prompt), one.item[2])
    return lambda one: one.item


def _suspect_times(trial: Trial, start: int) -> Suspicion | None:
    rng = np.random.default_rng([trial.seed, start])
    shown = all_shown(trial, start=start)
    found = []

    def seconds(one: Showing) -> float:
        return one.seconds

    for group in comparable(shown):
        for blocks in strands(group.asks, truth=group.truth):
            p = goes_with(blocks, seconds, group.truth, rng)
            if p is not None and (gap := _gap([one for block in blocks for one in block], group.truth)) >= NOTICEABLE:
                found.append(Suspicion(p, f"the time to an ask goes with {group.what}: {1000 * gap:.1f} ms"))
    after = [one for one in shown if one.before is not None]
    rows: dict[int, list[Showing]] = {}
    for one in after:
        rows.setdefault(one.session, []).append(one)
    p = goes_with(list(rows.values()), seconds, lambda one: one.before, rng) if rows else None
    if p is not None and (gap := _gap(after, lambda one: one.before)) >= NOTICEABLE:
        found.append(Suspicion(p, f"the time to an ask tells whether the answer before was right: {1000 * gap:.1f} ms"))
    return worst(found, level=TWICE)


def _gap(asks: Sequence[Showing], truth: Truth) -> float:
    """Return by how many seconds the median times of truths differ at most; of quantities, of the large and small."""
    truths, times = columns([truth(one) for one in asks]), np.array([one.seconds for one in asks])
    gaps = [0.0]
    for column in truths.T:
        large = column > np.median(column) if len(np.unique(column)) > 2 else column > column.min()
        if large.any() and not large.all():
            gaps.append(abs(float(np.median(times[large]) - np.median(times[~large]))))
    return max(gaps)
