"""Deciding: one word, place, size or hidden field that tells the truth alone, though the rest of the ask changes.

Words and numbers are content, so that they go with the truth is no fault. But where one of them decides, the rest need
not be read: either the test is about that word, or it is a leak.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from math import exp, lgamma
from typing import Any

import numpy as np

from mensura.dialogue import Ask, Prompt, Space, prompt_text
from mensura.dialogue.canonical import canonical
from mensura.running.checks.leak.permutation import Suspicion, goes_with, strands
from mensura.running.checks.leak.signs import (
    NUMBER,
    VALUES,
    data_leaves,
    normal,
    one_hot,
    parities,
    quantities,
    sizes,
    visible,
    word_telltales,
)
from mensura.running.checks.leak.sitting import Showing, same
from mensura.running.checks.leak.walk import LEAVES, attributes, walk

DECISIVE = 0.7
"""Share of errors that a sign must save who knows it: for yes and no, right in 85 of 100."""
FEWEST = 14
"""Different asks that it takes."""
REST = 5
"""How often at least the rest of the ask must change."""
FEW = 6
"""Values of a word in one place above which it may be the name of a thing, whose nature the test asks for."""
CLEAR = 1e-3
"""How improbable it must be that numbers go with an outcome, for it to be drawn by them."""
SLOTS, LAST = 12, 4
"""Words from the beginning and from the end of the prompt that are looked at by their place."""
FIELDS = 40
TOLD = "what is told before"
MOST_BEHIND = 2_000
"""Objects behind an ask that are looked at."""

Truth = Callable[[Showing], Any]


@dataclass(frozen=True)
class Decider:
    """Something of the content that may decide: its value in each ask, and what else each ask shows."""

    name: str
    values: list[str]
    rest: list[str]
    margin: float = -0.05
    """How much less it must say of the truth of the ask before."""
    named: bool = False
    """Whether it may be the name of a thing, on which an honest truth may hang."""


def deciding(asks: Sequence[Showing], truth: Truth, what: str, rng: np.random.Generator) -> list[Suspicion]:
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
            if gain(candidate.values, earlier) > found - candidate.margin:
                continue
            if not candidate.named or _drawn(once, truth, rng):
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


def _drawn(asks: Sequence[Showing], truth: Truth, rng: np.random.Generator) -> bool:
    """Return whether the truth is an outcome that the numbers of the prompt make likely, so that no name decides it."""
    if asks[0].labels:
        return False
    rows = dict(zip(map(id, asks), quantities(asks), strict=True))
    ps = [goes_with(blocks, lambda one: rows[id(one)], truth, rng) for blocks in strands(asks, truth=truth)]
    return any(p is not None and p < CLEAR for p in ps)


def _before(asks: Sequence[Showing], truth: Truth) -> dict[int, str]:
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
    words = [_content(one, normal(text).split()) for one, text in zip(asks, texts, strict=True)]
    for word, where in word_telltales(texts).items():
        if len(word) > 1:
            rest = [" ".join(other for other in said if other != word) for said in words]
            yield Decider(f"whether the prompt says {word!r}", [str(value) for value in where], rest)
    for slot in (*range(SLOTS), *range(-LAST, 0)):
        there = [said[slot] if -len(said) <= slot < len(said) else "" for said in words]
        if 2 < len(set(there)) <= VALUES and not any(word[:1].isdigit() for word in there):
            rest = [" ".join(said[:slot] + said[slot + 1 :] if slot != -1 else said[:-1]) for said in words]
            place = f"word {slot + 1}" if slot >= 0 else f"word {-slot} from the end"
            yield Decider(f"{place} of the prompt", there, rest, named=len(set(there)) > FEW)
    whole = [" ".join(_content(one, text.split())) for one, text in zip(asks, texts, strict=True)]
    shapes = [sizes(one) for one in asks]
    for size in sorted(set.intersection(*map(set, shapes))):
        yield Decider(size, [str(shape[size]) for shape in shapes], whole)
    yield from _numbers(asks, texts)
    yield from _fields(asks, whole)
    yield from _told(asks, whole)


def _content(one: Showing, words: Sequence[str]) -> list[str]:
    """Leave out the number of the ask, which is order and no content."""
    return [word for word in words if word not in (str(one.number), str(one.number + 1))]


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


def telling_places(shown: Sequence[Showing]) -> list[Suspicion]:
    """Find the places that hold the right answer in every ask, and how probable that is by accident."""
    # Keys ought to tell nothing, so they are no part of what is asked.
    found = []
    for item, places in ((_question, _in_key), (_item, _in_content)):
        blocks = chain(*strands(shown, item=item))
        units = [one for one in chain(*blocks) if not isinstance(one.truth, (dict, list, tuple))]
        by_accident = _by_accident(units) if units else 1.0
        if by_accident > 1e-3:
            continue
        telling: set[str] | None = None
        most = 1
        for one in units:
            here = list(places(one))
            most = max(most, len(here))
            holding = {place for place, value in here if same(value, one.truth) or same(value, one.answer)}
            telling = holding if telling is None else telling & holding
            if not telling:
                break
        for place in sorted(telling or ())[:1]:
            excused = place.startswith(("word", "part")) and "key" not in place
            found.append(
                Suspicion(min(1.0, by_accident * most), f"{place} of every ask holds its right answer", excused)
            )
    return found


def _by_accident(units: Sequence[Showing]) -> float:
    """Return how often truths dealt anew would all come to lie where they were; a session's equal truths count once."""
    counts = Counter(truth for _, truth in {(one.session, canonical(one.truth)) for one in units})
    return exp(sum(lgamma(count + 1) for count in counts.values()) - lgamma(sum(counts.values()) + 1))


def _item(one: Showing) -> Any:
    return one.item


def _question(one: Showing) -> Any:
    return one.item[1:]


def _in_key(one: Showing) -> Iterator[tuple[str, Any]]:
    for i, part in enumerate(re.split(r"[^A-Za-z0-9]+", one.ask.key)):
        yield f"part {i + 1} of the key", part


def _in_content(one: Showing) -> Iterator[tuple[str, Any]]:
    """Name every fixed place where an answer could stand."""
    ask = one.ask
    yield "the deadline", ask.until
    yield "the time left", one.left
    yield "the reward", ask.reward
    if ask.space is not None:
        yield from _inside("the space", ask.space.data())
    yield from hidden(one)
    for i, part in enumerate(_prompts(ask)):
        if isinstance(part, Prompt):
            yield from _inside(f"part {i + 1} of the prompt", part.data())
    yield from _words(prompt_text(ask.prompt))


def _words(text: str) -> Iterator[tuple[str, str]]:
    words = [word.strip(".,;:!?()[]\"'*") for word in text.split()]
    for i, word in enumerate(words):
        yield f"word {i + 1} of the prompt", word
        yield f"word {len(words) - i} from the end of the prompt", word


def _inside(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _inside(f"{path}, {name}", inner)
    elif isinstance(value, (list, tuple)):
        for i, inner in enumerate(value):
            yield from _inside(f"{path}, number {i + 1}", inner)
    else:
        yield path, value


def hidden(one: Showing) -> Iterator[tuple[str, Any]]:
    """Return what lies behind the prompt and the space of an ask and is not shown, but could be read by a program."""
    ask = one.ask
    seen: dict[int, Any] = {}
    behind = [("the key", ask.key), ("the space", ask.space), *(("the prompt", part) for part in _prompts(ask))]
    for name, shown in behind:
        if not isinstance(shown, (Prompt, Space, str)):
            continue
        data = {} if isinstance(shown, str) else shown.data()
        seen[id(shown)] = shown
        for attribute, inner in attributes(shown):
            # What is cached of the data is no more than the data.
            if attribute in data or attribute in ("fingerprint", "_known"):
                continue
            for path, value in walk(inner, f"the attribute {attribute} of {name}", seen=seen, most=MOST_BEHIND):
                if isinstance(value, LEAVES):
                    yield _relative(path, ask, one.number), value


def _prompts(ask: Ask) -> Sequence[Any]:
    return ask.prompt if isinstance(ask.prompt, (list, tuple)) else [ask.prompt]


def _relative(path: str, ask: Ask, number: int) -> str:
    """Name a place in a list of all asks by what it is for this one."""
    parts = path.split(", ")
    return ", ".join(
        "its key" if part == ask.key else "its number" if part == f"number {number + 1}" else part for part in parts
    )
