"""Occurrence: whether a truth stands, by value or as part of a text, in what was shown before it was answered."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import islice
from typing import Any

import numpy as np
from scipy.stats import poisson

from mensura.dialogue import prompt_text
from mensura.dialogue.canonical import canonical
from mensura.running.checks.leak.deciding import hidden
from mensura.running.checks.leak.permutation import (
    EXPLAINED,
    LEAST,
    SUSPICIOUS,
    Floats,
    Suspicion,
    even,
    exchanged,
    ranks,
    strands,
)
from mensura.running.checks.leak.plain import numbers, plain
from mensura.running.checks.leak.signs import normal
from mensura.running.checks.leak.sitting import Showing

LONG = 4
"""Letters from which a truth is looked for inside longer words, too."""
SPECIFIC = 5
"""Letters from which a truth is rarely said by accident."""
DIGITS = (4, 5, 6)
"""The same for the digits of a number that are shown, each number of them looked at by itself."""
RARE = 1e-5
"""How often a word of that length is taken to be said by accident."""
SMALL = 12
"""Asks with alternatives below which permutations decide little, and such rarity must do."""
BLOCKS = 150
"""Items or sessions that are compared with one another."""
SLOTS = 20
"""Asks of one kind that are looked at in a session."""
LEAVES = 12
"""Parts of a truth that are looked for."""
LITTLE = 0.02
"""Share of asks below which a truth that stands in the prompt helps nobody, who must answer all the others."""
CLEAR = 0.8
"""Share of asks in which something must be so, to be so as a rule."""
WORD = re.compile(r"\w+")

TOLD = "what is told before"
COMMON = {"yes", "no", "true", "false"}
"""Truths that any text may hold."""

PLACES: dict[str, Callable[[Showing], str]] = {
    "the key": lambda one: one.ask.key,
    "the prompt": lambda one: one.prompt,
    TOLD: lambda one: _told(one),
    "the space": lambda one: _space(one),
    "what lies behind the ask": lambda one: "\n".join(map(str, (value for _, value in hidden(one)))),
}
SHOWING = ("the prompt", TOLD)
"""Places where a test may rightly show a truth."""


def occurrences(shown: Sequence[Showing], rng: np.random.Generator) -> list[Suspicion]:
    """Look for truths in every place, and tell how probable so many are by accident."""
    found = []
    groups = _groups(shown)
    for place, text in PLACES.items():
        excused = place in SHOWING
        for every in groups:
            # What was the truth of an earlier ask may be told once that is over.
            group = [one for one in every if not one.repeated] if place == TOLD else every
            contents = {id(one): Content(text(one)) for one in group}
            own = [one for one in group if occurs(_parts(one.answer), contents[id(one)]) == 1]
            if not own:
                continue
            words = f"{place} holds the truth, {_quoted(own[0])}, as in the ask {own[0].ask.key!r}"
            words += f" ({len(own)} of {len(group)} asks)"
            ps = [_by_rarity(group, contents)]
            ps += [exchanged(_fits(blocks, contents), rng, one_sided=True) for blocks in _blocks(group, place)]
            explained = ""
            if excused and len(own) < LITTLE * len(group):
                explained = "too seldom to help anyone"
            elif excused and min(ps) < SUSPICIOUS and to_choose(group, own, text):
                explained = EXPLAINED
            found += [Suspicion(p, words, excused, explained=explained) for p in ps]
    return found


def to_choose(group: Sequence[Showing], own: Sequence[Showing], text: Callable[[Showing], str]) -> bool:
    """Return whether a reader still has to choose or to compute the truth, though a text holds it.

    Either it is one of several numbers or words that change from ask to ask, in no fixed place among them; or it is a
    number that is near one shown, and now and then the same.
    """
    if any(not isinstance(one.answer, (str, int, float, np.number)) for one in own):
        return False
    changing = _changing(group, text)
    places = []
    for one in own:
        truth = _spelled(one.answer)
        said = list(dict.fromkeys(changing[id(one)]))
        if truth in said and len(said) > 1:
            places.append((said.index(truth), said.index(truth) - len(said)))
    if len(places) > CLEAR * len(own) and len(group) >= LEAST:
        ends: Sequence[Counter[int]] = [Counter(end) for end in zip(*places, strict=True)]
        return all(counts.most_common(1)[0][1] < CLEAR * len(places) for counts in ends)
    return len(own) < len(group) / 2 and _near(group, own, changing)


def _changing(group: Sequence[Showing], text: Callable[[Showing], str]) -> dict[int, list[str]]:
    """Return the words and numbers of each text that are not in most of them."""
    said = {id(one): [_spelled(part) for part in normal(text(one)).split()] for one in group}
    counts = Counter(part for parts in said.values() for part in set(parts))
    return {name: [part for part in parts if counts[part] < CLEAR * len(group)] for name, parts in said.items()}


def _spelled(part: Any) -> str:
    text = normal(str(part)) or str(part)
    try:
        return f"{float(text.replace(',', '')):.12g}"
    except ValueError:
        return text


def _near(group: Sequence[Showing], own: Sequence[Showing], changing: Mapping[int, Sequence[str]]) -> bool:
    """Return whether a number is shown that goes with the truth where it is not the truth."""
    hits = {id(one) for one in own}
    pairs = []
    for one in group:
        shown = [float(part) for part in changing[id(one)] if part.lstrip("-")[:1].isdigit() and "," not in part]
        if id(one) not in hits and shown and isinstance(one.answer, (int, float, np.number)):
            pairs.append((float(one.answer), min(shown, key=lambda value: abs(value - float(one.answer)))))
    x, y = (ranks([pair[i] for pair in pairs]) for i in (0, 1))
    spread = float(np.sqrt((x**2).sum() * (y**2).sum()))
    return spread > 0 and float(x @ y) > spread / 2


class Content:
    """A text in which truths are looked for.

    Numbers and words are found when they are asked for: a prompt with a recording is a million letters long.
    """

    def __init__(self, text: str) -> None:
        self.text = plain(text)

    @cached_property
    def numbers(self) -> set[str]:
        return numbers(self.text)

    @cached_property
    def words(self) -> int:
        return len(WORD.findall(self.text))


def occurs(parts: Sequence[Any], content: Content) -> float:
    """Return which share of a truth's parts stands in a content: 0 or 1 for a truth of one part."""
    return sum(_stands(part, content) for part in parts) / len(parts) if parts else 0.0


def _parts(truth: Any) -> tuple[Any, ...]:
    return tuple(islice(_leaves(truth), LEAVES))


def _leaves(truth: Any) -> Iterator[Any]:
    if isinstance(truth, (dict, list, tuple, np.ndarray)):
        for inner in truth.values() if isinstance(truth, dict) else truth:
            yield from _leaves(inner)
    elif truth is not None and bool(truth == truth) and str(truth).strip() and not _common(truth):
        yield truth.item() if isinstance(truth, np.generic) else truth


def _common(truth: Any) -> bool:
    """Return whether a truth is in too many texts to be looked for: yes, no, and numbers of one digit."""
    if isinstance(truth, (int, float, np.number)):
        number = float(truth)
        return abs(number) < 10 and number == int(number)
    return str(truth).strip().casefold() in COMMON


def _stands(part: Any, content: Content) -> bool:
    if isinstance(part, (int, float)) and not isinstance(part, bool):
        return not content.numbers.isdisjoint(_written(part))
    text = plain(str(part)).strip()
    if len(text) >= LONG and not text.isdigit():
        return text in content.text
    return text in content.text and _alone(text).search(content.text) is not None


@lru_cache(maxsize=4096)
def _alone(text: str) -> re.Pattern[str]:
    edge = r"\d" if text.isdigit() and len(text) >= LONG else r"\w"
    return re.compile(rf"(?<!{edge}){re.escape(text)}(?!{edge})")


@lru_cache(maxsize=4096)
def _written(number: float) -> frozenset[str]:
    """Write a number in the ways it may be shown, rounded to fractions but not to whole numbers.

    What is near a whole number of the prompt, as a mean is or a sum with its interest, is rightly so.
    """
    ways = {f"{number:.6g}", f"{number:.4g}", f"{number:.3g}", *(f"{number:.{d}f}" for d in range(1, 7))}
    ways = {way for way in ways if float(way) == number or not float(way).is_integer()} | {repr(number)}
    if number == int(number):
        ways.add(str(int(number)))
    return frozenset(ways)


def _count_digits(written: str) -> int:
    """Count the digits of a number that say something."""
    return len(written.lstrip("-").split("e")[0].replace(".", "").strip("0"))


def _groups(shown: Sequence[Showing]) -> list[list[Showing]]:
    """Put asks together whose truths can stand for one another: as many alternatives, or one kind of space."""
    groups: dict[Any, list[Showing]] = {}
    taken: Counter[Any] = Counter()
    for one in shown:
        kind = "" if one.ask.space is None else one.ask.space.kind, len(one.labels)
        taken[kind, one.session] += 1
        if taken[kind, one.session] <= SLOTS:
            groups.setdefault(kind, []).append(one)
    return list(groups.values())


def _blocks(group: Sequence[Showing], place: str) -> Iterator[list[list[Showing]]]:
    """Return what may be exchanged: items that come again, and whole sessions of those that do not."""
    # Keys ought to tell nothing, so they are no part of what is asked.
    for blocks in strands(group, item=(lambda one: one.item[1:]) if place == "the key" else (lambda one: one.item)):
        if len(even(blocks)) >= LEAST:
            yield even(blocks)[:BLOCKS]


def _fits(blocks: Sequence[Sequence[Showing]], contents: Mapping[int, Content]) -> Floats:
    """Count for each two blocks how often the truths of one stand in what the other shows."""
    known: dict[tuple[int, Any], float] = {}
    parts = {id(one): _parts(one.truth) for block in blocks for one in block}

    def fit(one: Showing, other: Showing) -> float:
        truth = _parts(_as_if(one, other)) if one.labels else parts[id(other)]
        key = id(one), truth
        if key not in known:
            known[key] = occurs(truth, contents[id(one)])
        return known[key]

    return np.array([[sum(fit(x, y) for x, y in zip(a, b, strict=True)) for b in blocks] for a in blocks])


def _as_if(one: Showing, other: Showing) -> str:
    """Return the right alternative of another ask as it would be in this one: that which sorts the same."""
    return sorted(one.labels)[sorted(other.labels).index(other.labels[other.right])]


def _by_rarity(group: Sequence[Showing], contents: Mapping[int, Content]) -> float:
    """Return how probable so many truths are if long words and long numbers were said at random."""
    different = list({(one.item, canonical(one.answer)): one for one in group}.values())
    if different[0].labels and len(different) >= SMALL:
        return 1.0
    # A number that is rounded is charged by the digits that are shown.
    return min(1.0, len(DIGITS) * min(_said_at_random(different, contents, digits) for digits in DIGITS))


def _said_at_random(asks: Sequence[Showing], contents: Mapping[int, Content], digits: int) -> float:
    """Return the same with numbers of at least so many digits."""
    expected, hits = 0.0, 0
    for one in asks:
        content, rarity = contents[id(one)], _rarity(one.answer, digits)
        if rarity is None:
            continue
        expected += rarity * max(1, content.words)
        others = [label for label in one.labels if label != one.answer]
        if _stands_long(one.answer, content, digits) and not any(_stands(label, content) for label in others):
            hits += 1
    return float(poisson.sf(hits - 1, expected)) if hits else 1.0


def _rarity(truth: Any, digits: int) -> float | None:
    """Return how often a truth is said by accident per word; None where it is too short to tell, or has parts."""
    if isinstance(truth, (int, float, np.number)) and not isinstance(truth, bool):
        return 10.0**-digits if _count_digits(f"{abs(truth):.12g}") >= digits else None
    if not isinstance(truth, str):
        return None
    return RARE if sum(letter.isalnum() for letter in truth) >= SPECIFIC else None


def _stands_long(truth: Any, content: Content, digits: int) -> bool:
    """Return whether a truth stands in a content, a number with at least so many digits."""
    if isinstance(truth, (int, float, np.number)) and not isinstance(truth, bool):
        shown = content.numbers & _written(truth.item() if isinstance(truth, np.generic) else truth)
        return any(_count_digits(written) >= digits for written in shown)
    return _stands(truth, content)


def _told(one: Showing) -> str:
    return "\n".join(prompt_text(told.prompt) for told in one.told)


def _space(one: Showing) -> str:
    """Write the space without its alternatives, which name the truth as they must."""
    data = {} if one.ask.space is None else one.ask.space.described()
    return canonical({name: value for name, value in data.items() if name not in ("kind", "options", "names")})


def _quoted(one: Showing) -> str:
    text = repr(one.answer)
    return text if len(text) <= 60 else text[:57] + "..."
