"""Telling: what ought to say nothing of the truth, and is asked whether it does: key, number, lengths, time."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from mensura.running.checks.check import Check
from mensura.running.checks.leak.permutation import (
    LEAST,
    SUSPICIOUS,
    Suspicion,
    columns,
    even,
    exchanged,
    flipped,
    ranks,
    shifted,
    strands,
    worst,
)
from mensura.running.checks.leak.plain import UNSEEN, unseen
from mensura.running.checks.leak.position import telling_positions
from mensura.running.checks.leak.sitting import Showing, all_shown
from mensura.running.checks.trial import Trial

LEVEL = 2e-4
"""How often an honest test may fail by bad luck, for everything that is looked at together."""
TWICE = 2e-3
"""The same for times, which must fail twice, in other sessions."""
NOTICEABLE = 5e-4
"""Seconds that a subject may be able to notice."""
PLACES = 40
"""Places of a session that are looked at one by one."""

Feature = Callable[[Showing], float]


@dataclass(frozen=True)
class Comparable:
    """Asks whose truths can be compared, and what of the truth is compared: its name, its size or its place."""

    asks: list[Showing]
    truth: Callable[[Showing], Any]
    what: str

    @property
    def named(self) -> bool:
        """Whether truths are names, places, or yes and no, and no quantities."""
        return bool(self.asks[0].labels) or _few(self.asks)


def check_nothing_tells(trial: Trial) -> Check:
    """Try to read the truth from what ought to say nothing of it, over many sessions.

    Where the right option stands, how long it is beside the others, the key, the number of the ask, its deadline and
    reward, the length of the prompt and what cannot be seen of it. One p-value, corrected for all of them. Items that
    come again count once; fresh ones are compared session by session, since what is asked in one session may hang
    together.
    """
    name = "nothing tells"
    shown = all_shown(trial)
    if not any(_told_by(one) is not None for one in shown):
        return Check(name, None, "no ask carries a truth that could be told by a place, a length or a number")
    reason = trial.test.shows_truth
    judged = [one for one in telling(shown, np.random.default_rng(trial.seed)) if not (one.excused and reason)]
    if least := worst(judged, level=LEVEL):
        return Check(name, False, str(least))
    few = "" if trial.sessions >= LEAST else f" ({trial.sessions} sessions are too few to find what tells a little)"
    return Check(name, True, f"{len(judged)} things tell no more than chance over {len(shown)} asks{few}")


def telling(shown: Sequence[Showing], rng: np.random.Generator) -> list[Suspicion]:
    """Return everything that may tell the truth, and how probable it is by chance."""
    return [*telling_positions(shown, rng), *(one for group in comparable(shown) for one in _features(group, rng))]


def check_timing(trial: Trial) -> Check:
    """Try to read the truth, and whether the answer before was right, from the time that an ask takes to come.

    Times are compared by rank, within sessions, and a suspicion must come true in as many other sessions: a busy
    machine is no leak. Less than half a millisecond is nobody's to notice.
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
    found = [Comparable(asks, _told_by, f"the truth ({_kind(asks)})") for asks in groups.values()]
    # Where all alternatives stand in one order, their places are but other names.
    found += [
        Comparable(asks, _placed, f"the place of the right option (of {size})")
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


def _features(group: Comparable, rng: np.random.Generator) -> list[Suspicion]:
    features: dict[str, Feature] = {
        "the length of the key": lambda one: len(one.ask.key),
        "the end of the key": lambda one: ord(one.ask.key[-1:] or " "),
        "the number in the key": lambda one: int((re.findall(r"\d+", one.ask.key) or ["0"])[-1][:15]),
        "what cannot be seen of the prompt": lambda one: len(unseen(one.prompt)),
        "which characters cannot be seen of the prompt": lambda one: sum(map(ord, unseen(one.prompt))),
    }
    found = [Suspicion(p, f"{what} goes with {group.what}") for what, p in _all(group, features, rng)]
    # Of a quantity, deadlines tell something rightly: more time for more.
    given: dict[str, Feature] = {"the time left": lambda one: -1.0 if one.left is None else one.left}
    found += [Suspicion(p, f"{what} goes with {group.what}", not group.named) for what, p in _all(group, given, rng)]
    found += [Suspicion(p, f"the reward goes with {group.what}", True) for p in _rewards(group, rng)]
    shown: dict[str, Feature] = {}
    # So do length and number: harder items come later and have more digits.
    if group.named:
        shown["the length of the prompt"] = lambda one: len(one.prompt)
        found += [Suspicion(p, f"the number of the ask goes with {group.what}", True) for p in _numbers(group, rng)]
    return found + [Suspicion(p, f"{what} goes with {group.what}", True) for what, p in _all(group, shown, rng)]


def _few(group: Sequence[Showing]) -> bool:
    return {float(one.truth) for one in group if not isinstance(one.truth, str)} <= {0.0, 1.0}


def _kind(group: Sequence[Showing]) -> str:
    labels = group[0].labels
    what = f"of {', '.join(sorted(labels))}" if labels else f"a {group[0].ask.space.kind}"  # type: ignore[union-attr]
    return what if len(what) <= 60 else what[:57] + "..."


def _all(group: Comparable, features: dict[str, Feature], rng: np.random.Generator) -> list[tuple[str, float]]:
    found = []
    for what, feature in features.items():
        for blocks in strands(group.asks, item=_item_without(what), truth=group.truth):
            if (p := _goes_with(blocks, feature, group.truth, rng)) is not None:
                found.append((what, p))
    return found


def _rewards(group: Comparable, rng: np.random.Generator) -> list[float]:
    """Test whether the reward goes with the truth of its own ask, and not as much with that of the ask before.

    It is for the answer before, and where truths hang together what tells one rightly tells the next.
    """
    earlier = {id(two): one for one, two in pairwise(group.asks) if one.session == two.session}

    def reward(one: Showing) -> float:
        return float(one.ask.reward or 0)

    found = []
    for blocks in strands(group.asks, truth=group.truth):
        later = [row for row in ([one for one in block if id(one) in earlier] for block in blocks) if row]
        own = _goes_with(blocks, reward, group.truth, rng)
        before = _goes_with(later, reward, lambda one: group.truth(earlier[id(one)]), rng) if later else None
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


def _goes_with(
    rows: Sequence[Sequence[Showing]], feature: Feature, truth: Callable[[Showing], Any], rng: np.random.Generator
) -> float | None:
    """Test whether a feature goes with the truths of its own block better than with those of other blocks."""
    blocks = even(rows)
    every = [one for block in blocks for one in block]
    truths, values = columns([truth(one) for one in every]), ranks([feature(one) for one in every])
    if len(blocks) < LEAST or not truths.shape[1] or not values.any():
        return None
    shape = len(blocks), -1
    # Each less the mean of its place in the session: what the place tells is another question.
    x, ys = values.reshape(shape), [column.reshape(shape) for column in truths.T]
    return exchanged(np.stack([(x - x.mean(axis=0)) @ (y - y.mean(axis=0)).T for y in ys]), rng)


def _numbers(group: Comparable, rng: np.random.Generator) -> list[float]:
    """Test whether a truth comes early or late, over items and over sessions, or at certain numbers of all sessions."""
    found = []
    for blocks in strands(group.asks, truth=group.truth):
        if len(blocks) < LEAST:
            continue
        every = [one for block in blocks for one in block]
        truths = columns([group.truth(one) for one in every])
        if max(map(len, blocks)) == 1:
            found.append(_goes_with(blocks, lambda one: one.number, group.truth, rng))
        elif truths.shape[1]:
            ends = np.cumsum([len(block) for block in blocks])[:-1]
            own = zip(blocks, np.split(truths, ends), strict=True)
            leans = [ranks([one.number for one in block]) @ (part - part.mean(axis=0)) for block, part in own]
            found += [flipped(np.array(leans), rng), _at_numbers(blocks, group.truth, rng)]
    return [p for p in found if p is not None]


def _at_numbers(
    blocks: Sequence[Sequence[Showing]], truth: Callable[[Showing], Any], rng: np.random.Generator
) -> float | None:
    """Test whether some numbers of the session have truths of their own; None where blocks are no sessions."""
    if len({one.session for block in blocks for one in block}) < len(blocks):
        return None
    rows = [block[:PLACES] for block in even(blocks)]
    truths = columns([truth(one) for row in rows for one in row])
    if len(rows) < LEAST or len(rows[0]) < 2 or not truths.shape[1]:
        return None
    table = truths.reshape(len(rows), len(rows[0]), -1)
    # Turning a level that wanders puts its ends together, which are far apart; so its signs must be improbable, too.
    signs = (table - table.mean(axis=1, keepdims=True)).reshape(len(rows), -1)
    return max(shifted(table, rng), flipped(signs, rng))


def _suspect_times(trial: Trial, start: int) -> Suspicion | None:
    rng = np.random.default_rng([trial.seed, start])
    shown = all_shown(trial, start=start)
    found = []

    def seconds(one: Showing) -> float:
        return one.seconds

    for group in comparable(shown):
        for blocks in strands(group.asks, truth=group.truth):
            p = _goes_with(blocks, seconds, group.truth, rng)
            if p is not None and (gap := _gap([one for block in blocks for one in block], group.truth)) >= NOTICEABLE:
                found.append(Suspicion(p, f"the time to an ask goes with {group.what}: {1000 * gap:.1f} ms"))
    after = [one for one in shown if one.before is not None]
    rows: dict[int, list[Showing]] = {}
    for one in after:
        rows.setdefault(one.session, []).append(one)
    p = _goes_with(list(rows.values()), seconds, lambda one: one.before, rng) if rows else None
    if p is not None and (gap := _gap(after, lambda one: one.before)) >= NOTICEABLE:
        found.append(Suspicion(p, f"the time to an ask tells whether the answer before was right: {1000 * gap:.1f} ms"))
    return worst(found, level=TWICE)


def _gap(asks: Sequence[Showing], truth: Callable[[Showing], Any]) -> float:
    """Return by how many seconds the median times of truths differ at most; of quantities, of the large and small."""
    truths, times = columns([truth(one) for one in asks]), np.array([one.seconds for one in asks])
    gaps = [0.0]
    for column in truths.T:
        large = column > np.median(column) if len(np.unique(column)) > 2 else column > column.min()
        if large.any() and not large.all():
            gaps.append(abs(float(np.median(times[large]) - np.median(times[~large]))))
    return max(gaps)
