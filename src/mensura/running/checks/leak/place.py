"""Place: a fixed spot of an ask, such as the fourth word of the prompt, that always holds the right answer."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from math import exp, lgamma
from typing import Any

from mensura.dialogue import Ask, Prompt, Space, prompt_text
from mensura.dialogue.canonical import canonical
from mensura.running.checks.leak.permutation import Suspicion, strands
from mensura.running.checks.leak.sitting import Showing, same
from mensura.running.checks.leak.walk import LEAVES, attributes, walk

MOST = 2_000
"""Objects behind an ask that are looked at."""


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
            for path, value in walk(inner, f"the attribute {attribute} of {name}", seen=seen, most=MOST):
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
