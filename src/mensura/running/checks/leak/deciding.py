"""Deciding: one word, size, odd number or hidden field that tells the truth alone, though the rest of the ask changes.

Words and numbers are content, so that they go with the truth is no fault. But where one of them decides, the rest need
not be read: either the test is about that word, or it is a leak.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from mensura.dialogue import prompt_text
from mensura.running.checks.leak.permutation import Suspicion, goes_with, strands
from mensura.running.checks.leak.signs import (
    NUMBER,
    VALUES,
    data_leaves,
    normal,
    one_hot,
    parities,
    sizes,
    visible,
    word_telltales,
)
from mensura.running.checks.leak.sitting import Showing

DECISIVE = 0.7
"""Share of errors that a sign must save who knows it: for yes and no, right in 85 of 100."""
FEWEST = 14
"""Different asks that it takes."""
REST = 5
"""How often at least the rest of the ask must change."""
FEW = 6
"""Values of a word in one place up to which it is looked at."""
SLOTS, LAST = 12, 4
"""Words from the beginning and from the end of the prompt that are looked at by their place."""
FIELDS = 40
TOLD = "what is told before"


@dataclass(frozen=True)
class Decider:
    """Something of the content that may decide: its value in each ask, and what else each ask shows."""

    name: str
    values: list[str]
    rest: list[str]
    margin: float = -0.05
    """How much less it must say of the truth of the ask before."""


def deciding(
    asks: Sequence[Showing], truth: Callable[[Showing], Any], what: str, rng: np.random.Generator
) -> list[Suspicion]:
    """Find what decides alone, and how probable that is by chance among all that was looked at."""
    once = list({(one.item, str(truth(one))): one for one in asks}.values())
    if len(once) < FEWEST:
        return []
    truths = [str(truth(one)) for one in once]
    before = _before(asks, truth)
    earlier = [before.get(id(one), "") for one in once]
    best: tuple[float, Decider] | None = None
    count = 0
    for candidate in _candidates(once):
        if 2 <= len(set(candidate.values)) <= VALUES:
            count += 1
            found = gain(candidate.values, truths)
            if found < DECISIVE or (best is not None and found <= best[0]) or len(set(candidate.rest)) < REST:
                continue
            # What says how the ask before came out is told rightly, also where truths seldom change.
            if gain(candidate.values, earlier) <= found - candidate.margin:
                best = found, candidate
    if best is None:
        return []
    saved, candidate = best
    rows = dict(zip(map(id, once), one_hot(candidate.values), strict=True))
    example = once[int(np.argmax([value == candidate.values[0] for value in candidate.values]))]
    words = f"{candidate.name} decides {what} though the rest of the ask changes: who knows only that avoids"
    words += f" {saved:.0%} of errors, as in the ask {example.ask.key!r}"
    remedy = "Let it be the same, or change by chance, whatever is right."
    ps = [goes_with(blocks, lambda one: rows[id(one)], truth, rng) for blocks in strands(once, truth=truth)]
    return [Suspicion(min(1.0, p * count), words, True, remedy) for p in ps if p is not None]


def _before(asks: Sequence[Showing], truth: Callable[[Showing], Any]) -> dict[int, str]:
    """Return the truth of the ask before, by ask."""
    ordered = sorted(asks, key=lambda one: (one.session, one.ask.role, one.number))
    same = [(a, b) for a, b in pairwise(ordered) if (a.session, a.ask.role) == (b.session, b.ask.role)]
    return {id(b): str(truth(a)) for a, b in same}


def gain(values: Sequence[str], truths: Sequence[str]) -> float:
    """Return which share of errors is saved by answering by value, beside always answering what is most often right.

    >>> gain(["a", "a", "b", "b"], ["yes", "yes", "no", "no"])
    1.0
    """
    told: dict[str, Counter[str]] = defaultdict(Counter)
    for value, truth in zip(values, truths, strict=True):
        told[value][truth] += 1
    base = Counter(truths).most_common(1)[0][1]
    right = sum(counts.most_common(1)[0][1] for counts in told.values())
    return (right - base) / (len(truths) - base) if base < len(truths) else 0.0


def _candidates(asks: Sequence[Showing]) -> Iterator[Decider]:
    texts = [visible(one.ask.prompt) for one in asks]
    # The number of the ask is order, not content.
    words = [
        [word for word in normal(text).split() if word not in (str(one.number), str(one.number + 1))]
        for one, text in zip(asks, texts, strict=True)
    ]
    for word, where in word_telltales(texts).items():
        if len(word) > 1:
            rest = [" ".join(other for other in said if other != word) for said in words]
            yield Decider(f"whether the prompt says {word!r}", [str(value) for value in where], rest)
    for slot in (*range(SLOTS), *range(-LAST, 0)):
        there = [said[slot] if -len(said) <= slot < len(said) else "" for said in words]
        if 2 < len(set(there)) <= FEW and not any(word[:1].isdigit() for word in there):
            rest = [" ".join(said[:slot] + said[slot + 1 :] if slot != -1 else said[:-1]) for said in words]
            place = f"word {slot + 1}" if slot >= 0 else f"word {-slot} from the end"
            yield Decider(f"{place} of the prompt", there, rest)
    whole = [" ".join(said) for said in words]
    for i, size in enumerate(("how many lines the prompt has", "how wide the prompt is")):
        yield Decider(size, [str(sizes(one)[i]) for one in asks], whole)
    yield from _numbers(asks, texts)
    yield from _fields(asks, whole)
    yield from _told(asks, whole)


def _numbers(asks: Sequence[Showing], texts: Sequence[str]) -> Iterator[Decider]:
    """Yield whether the first, second and so on number is odd, where other numbers change, too."""
    odd = [parities(one) for one in asks]
    for place in range(min(map(len, odd))):
        others = []
        for one, text in zip(asks, texts, strict=True):
            found = NUMBER.findall(text)
            others.append(" ".join(n for i, n in enumerate(found) if i != place and n != str(one.number + 1)))
        yield Decider(f"whether number {place + 1} of the prompt is odd", [str(row[place]) for row in odd], others)


def _fields(asks: Sequence[Showing], whole: Sequence[str]) -> Iterator[Decider]:
    """Yield the fields of prompts that their text does not show."""
    rows = []
    for one in asks:
        shown = prompt_text(one.ask.prompt)
        leaves = {path: str(value) for path, value in data_leaves(one.ask.prompt)}
        hidden = {path: value for path, value in leaves.items() if len(value) < 100 and value not in shown}
        rows.append({path: value for path, value in hidden.items() if not path.endswith(("kind", "url"))})
    paths = sorted(set.intersection(*(set(row) for row in rows)))[:FIELDS] if rows else []
    for path in paths:
        values = [row[path] for row in rows]
        yield Decider(f"the field {path} of the prompt, which its text does not show,", values, list(whole))
        if all(re.fullmatch(r"-?\d+", value) for value in values):
            odd = [str(int(value) % 2) for value in values]
            yield Decider(f"whether the field {path} of the prompt is odd", odd, list(whole))


def _told(asks: Sequence[Showing], whole: Sequence[str]) -> Iterator[Decider]:
    """Yield the words of the last thing that was told before each ask."""
    told = [normal(prompt_text(one.told[-1].prompt)) if one.told else "" for one in asks]
    for word, where in word_telltales(told).items():
        yield Decider(f"whether {TOLD} says {word!r}", [str(value) for value in where], list(whole), 0.05)
