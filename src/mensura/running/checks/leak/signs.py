"""Signs: what an ask shows besides its words and numbers, and what its words and numbers are.

A reader of the content needs the words and numbers. Spaces, capitals, punctuation, look-alike letters, the way a number
is written, the key and the space are form: they should say nothing that the content does not.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, islice
from math import isfinite
from struct import unpack
from typing import Any

import numpy as np

from mensura.dialogue import Image, Prompt, prompt_text
from mensura.running.checks.leak.permutation import Floats, varies
from mensura.running.checks.leak.plain import UNSEEN, unseen
from mensura.running.checks.leak.sitting import Showing

LONGEST = 20_000
"""Characters of a prompt that are looked at."""
VALUES = 12
"""Different values up to which a sign is compared value by value; one with more is compared by size."""
WORDS = 40
"""Words that are looked at one by one: those that are in some prompts and not in others."""
FEWEST = 5
"""Different texts that a word must be in."""
LOOK_ALIKE = str.maketrans(
    "аеорсухіјѕԁһԛԝАВЕКМНОРСТХІЈЅΑΒΕΖΗΙΚΜΝΟΡΤΥΧοɡ", "aeopcyxijsdhqwABEKMHOPCTXIJSABEZHIKMNOPTYXog"
)
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
PICTURE = 3
"""Lines of one width that make a picture."""
STOP = re.compile(r"[.!?:\n]")
TOKEN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d+(?:[.,]\d+)*")
WORD = re.compile(r"[^\W\d_]+")
NUMBER = re.compile(r"(?<![\w.,])[+-]?\d+(?:,\d{3})*(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\d]|[.,]\d)")
SYMBOL = re.compile(r"[^\w\s.,;:!?'\"’‘“”–—…-]")
PUNCTUATION = re.compile(r"(?<=[\w)\]'\"’”])[.,;:!?…]+(?=\s|$|['\"’”)])")


@dataclass(frozen=True)
class Telltale:
    """Something that an ask shows: a row of numbers for each ask."""

    name: str
    rows: Floats
    excused: bool = False
    """Whether a test may be about it: a reader sees it."""


@lru_cache(maxsize=4096)
def normal(text: str) -> str:
    """Return a text without its form: look-alike letters made equal, in small letters, nothing invisible."""
    return " ".join(TOKEN.findall(_clean(text).casefold()))


def _clean(text: str) -> str:
    shown = UNSEEN.sub("", text)
    return shown if shown.isascii() else unicodedata.normalize("NFKC", shown).translate(LOOK_ALIKE)


def visible(prompt: Any) -> str:
    """Return the texts and numbers that a prompt is made of, a line each, without the spaces that a layout adds."""
    if isinstance(prompt, str):
        return prompt[:LONGEST]
    if isinstance(prompt, Prompt):
        leaves = (str(value) for path, value in data_leaves(prompt) if path.split(".")[-1] not in ("kind", "url"))
        return "\n".join(leaves)[:LONGEST]
    return "\n".join(visible(part) for part in prompt)[:LONGEST]


def data_leaves(prompt: Any) -> Iterator[tuple[str, Any]]:
    """Yield every value of a prompt's data with the path to it."""
    if isinstance(prompt, Prompt):
        yield from _leaves("", prompt.data())
    elif not isinstance(prompt, str):
        for i, part in enumerate(prompt):
            yield from ((f"{i}.{path}", value) for path, value in data_leaves(part))


def _leaves(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _leaves(f"{path}.{name}" if path else str(name), inner)
    elif isinstance(value, (list, tuple)):
        for i, inner in enumerate(value):
            yield from _leaves(f"{path}.{i}", inner)
    else:
        yield path, value


def form_telltales(asks: Sequence[Showing]) -> list[Telltale]:
    """Return every sign that is form: of the text, of the kind of prompt, of the role and of the space."""
    texts = [visible(one.ask.prompt) for one in asks]
    prose = [_prose(text) for text in texts]
    found = [
        Telltale("the spacing of the prompt", _each(_spaces, prose)),
        Telltale("what cannot be seen of the prompt", _each(lambda text: (len(_unseen(text)),), texts)),
        Telltale(
            "which characters cannot be seen of the prompt", _each(lambda text: (sum(map(ord, _unseen(text))),), texts)
        ),
        Telltale("the use of look-alike letters in the prompt", _each(look_alikes, texts)),
        Telltale("the use of capitals in the prompt", _capitals(prose), True),
        Telltale("the punctuation of the prompt", _punctuation(prose), True),
        Telltale("the way numbers are written in the prompt", _each(_written, texts), True),
        Telltale("the role that is asked", one_hot([one.ask.role for one in asks])),
        Telltale("the kind of prompt", one_hot([_kinds(one.ask.prompt) for one in asks])),
        Telltale("the size of the picture", _rows(_picture(one.ask.prompt) for one in asks)),
    ]
    return [sign for sign in found if varies(sign.rows)]


def space_telltales(asks: Sequence[Showing]) -> list[Telltale]:
    """Return what the space declares besides its alternatives, numbers only where the prompt does not say them."""
    rows: list[dict[str, Any]] = []
    unsaid: Counter[str] = Counter()
    for one in asks:
        said = set(NUMBER.findall(visible(one.ask.prompt)))
        data = {} if one.ask.space is None else one.ask.space.described()
        leaves = dict(leaf for leaf in _leaves("", data) if not leaf[0].startswith(("options", "names", "kind")))
        rows.append({path: value for path, value in leaves.items() if not _number(value) or isfinite(value)})
        unsaid.update(path for path, value in rows[-1].items() if not _number(value) or f"{value:g}" not in said)
    paths = [path for path, count in unsaid.most_common(VALUES) if count > len(asks) / 2]
    columns = [_rows((len(one.labels),) for one in asks)]
    for path in paths:
        values = [row.get(path, 0) for row in rows]
        columns.append(_rows((value,) for value in values) if all(map(_number, values)) else one_hot(values))
    sign = Telltale("the space", np.column_stack(columns))
    return [sign] if varies(sign.rows) else []


def _number(value: Any) -> bool:
    return isinstance(value, (int, float))


def key_telltales(asks: Sequence[Showing]) -> list[Telltale]:
    """Return what keys say that the prompt and the number of the ask do not say."""
    texts, numbers = [], []
    for one in asks:
        said = {*normal(one.prompt).split(), str(one.number), str(one.number + 1)}
        parts = [part for part in re.findall(r"[^\W\d_]+|\d+|[\W_]+", one.ask.key) if part.casefold() not in said]
        texts.append("".join(parts))
        digits = [part for part in parts if part.isdigit()]
        numbers.append(int(digits[-1][:15]) if digits else 0)
    found = [
        Telltale("the length of the key", _rows((len(text),) for text in texts)),
        Telltale("the end of the key", one_hot([text[-1:] for text in texts])),
        Telltale("the letters of the key", one_hot([re.sub(r"\d+", "", text) for text in texts])),
        Telltale("the number in the key", _rows((number, number % 2, number % 3) for number in numbers)),
    ]
    return [sign for sign in found if varies(sign.rows)]


def length_telltale(asks: Sequence[Showing]) -> Telltale:
    """Return the length of the prompt, which words and numbers always explain."""
    return Telltale("the length of the prompt", _rows((len(one.prompt),) for one in asks))


def content(asks: Sequence[Showing]) -> Floats:
    """Count what was told last, and visible letters, digits, symbols, words and numbers; mark common words."""
    texts = [_clean(visible(one.ask.prompt)) for one in asks]
    often = Counter(char for text in texts for char in set(SYMBOL.findall(text)))
    symbols = [symbol for symbol, _ in often.most_common(8)]
    counts = _rows(
        (
            len(prompt_text(one.told[-1].prompt)) if one.told else 0,
            sum(map(str.isalpha, text)),
            sum(map(str.isdigit, text)),
            len(WORD.findall(text)),
            len(numbers := NUMBER.findall(text)),
            sum(_decimals(f"{_value(number):.12g}") for number in numbers),
            sum(number.startswith("-") for number in numbers),
            sum(abs(_value(number)) >= 1000 for number in numbers),
            text.count("\n"),
            *(text.count(symbol) for symbol in symbols),
        )
        for one, text in zip(asks, texts, strict=True)
    )
    words = list(word_telltales(texts).values())
    return np.column_stack([counts, *words]) if words else counts


def quantities(asks: Sequence[Showing]) -> Floats:
    """Return the numbers of each prompt by their place in it, as they are and by size, for a learner."""
    rows = [[_value(number) for number in NUMBER.findall(visible(one.ask.prompt))[:8]] for one in asks]
    width = max(map(len, rows), default=0)
    table = np.array([row + [0.0] * (width - len(row)) for row in rows]).reshape(len(rows), width)
    return np.column_stack([table, np.sign(table) * np.log1p(np.abs(table))])


def word_telltales(texts: Sequence[str]) -> dict[str, Floats]:
    """Return for each word that is in some texts and not in others where it is.

    A word that belongs to a few texts only is the name of an item, which comes with all that the item has.
    """
    words = [frozenset(normal(text).split()) for text in texts]
    different = set(words)
    counts = Counter(word for said in different for word in said if not word[0].isdigit())
    least, most = max(FEWEST, 0.02 * len(different)), 0.98 * len(different)
    often = [word for word, count in counts.items() if least <= count <= most]
    often = sorted(often, key=lambda word: (abs(counts[word] - len(different) / 2), word))[:WORDS]
    return {word: np.array([float(word in said) for said in words]) for word in often}


def one_hot(values: Sequence[Any]) -> Floats:
    """Return a column per value where there are few, else nothing but zeros."""
    names = sorted({str(value) for value in values})
    if len(names) > VALUES:
        return np.zeros((len(values), 1))
    return np.array([[float(str(value) == name) for name in names] for value in values])


def _each(form: Callable[[str], tuple[float, ...]], texts: Sequence[str]) -> Floats:
    known = {text: form(text) for text in set(texts)}
    return _rows(known[text] for text in texts)


def _rows(values: Any) -> Floats:
    rows = np.array([tuple(row) for row in values], dtype=float)
    return rows.reshape(len(rows), -1)


def _prose(text: str) -> str:
    """Return a text without pictures made of letters, whose spaces are content: code, and lines of one width."""
    lines: list[str] = []
    for width, group in groupby(FENCED.sub("", text).split("\n"), key=len):
        block = list(group)
        lines += block if len(block) < PICTURE or not width else []
    return "\n".join(lines)


def _unseen(text: str) -> str:
    """Return what cannot be seen of a text, of its pictures only what is no space."""
    return unseen(_prose(text)) if UNSEEN.search(text) else ""


def _spaces(text: str) -> tuple[float, ...]:
    return (
        len(re.findall(r"[ \t]+$", text, re.MULTILINE)),
        len(re.findall(r"^[ \t]+", text, re.MULTILINE)),
        len(re.findall(r"(?<=\S)[ \t]{2,}(?=\S)", text)),
        len(re.findall(r"[^\S \n]", text)),
        text.count("\n\n") + text.endswith("\n"),
        len(re.findall(r"\s[.,;:!?](?=\s|$)", text)),
        len(re.findall(r"(?<=[a-z])[.,;:!?](?=[A-Za-z])", text)),
    )


def look_alikes(text: str) -> tuple[float, ...]:
    """Count the letters of a text that are another letter than they look, or written in another way than usual."""
    if text.isascii():
        return 0.0, 0.0, 0.0
    other = sum(letter.translate(LOOK_ALIKE) != letter for letter in text)
    wide = sum(unicodedata.normalize("NFKC", char) != char and not char.isspace() for char in text if ord(char) > 127)
    return other, wide, len(text) - len(unicodedata.normalize("NFC", text))


def _capitals(texts: Sequence[str]) -> Floats:
    """Count capitals where the same word usually has none, apart for words that begin a sentence."""
    forms = []
    usual: dict[tuple[str, bool], list[tuple[bool, bool]]] = {}
    for text in texts:
        found, end = [], 0
        for match in WORD.finditer(text):
            word, between = match.group(), text[end : match.start()]
            begins = not end or STOP.search(between) is not None
            end = match.end()
            if len(word) > 1:
                found.append(((word.casefold(), begins), (word[0].isupper(), word.isupper())))
        forms.append(found)
        for name, form in found:
            usual.setdefault(name, []).append(form)
    odd = {name for name, rows in usual.items() if len(set(rows)) > 1}
    means = {name: np.mean(usual[name], axis=0) for name in odd}
    over = [[np.array(form) - means[name] for name, form in found if name in odd] for found in forms]
    return np.round([sum(parts, np.zeros(2)) for parts in over], 9)


def _punctuation(texts: Sequence[str]) -> Floats:
    marks = [PUNCTUATION.findall(text) for text in texts]
    counts = _rows(
        (
            *(sum(mark.count(char) for mark in found) for char in ".,;:!?"),
            sum(len(mark) > 1 for mark in found),
            sum(text.count(char) for char in "’‘“”"),
            sum(text.count(char) for char in "–—−"),
            text.count("…"),
        )
        for text, found in zip(texts, marks, strict=True)
    )
    ends = [(UNSEEN.sub("", text).rstrip() or " ")[-1] for text in texts]
    return np.column_stack([counts, one_hot([end if not end.isalnum() else "" for end in ends])])


def _value(number: str) -> float:
    return float(number.replace(",", ""))


def _decimals(number: str) -> int:
    return len(number.split("e")[0].partition(".")[2])


def _written(text: str) -> tuple[float, ...]:
    """Count what the writing of numbers adds to their values."""
    numbers = NUMBER.findall(text)
    return (
        sum(_decimals(number.lower()) - _decimals(f"{_value(number):.12g}") for number in numbers),
        len(re.findall(r"(?<![\w.,])[+-]?0\d", text)),
        sum("," in number for number in numbers),
        sum(number.startswith("+") for number in numbers),
        sum("e" in number.lower() for number in numbers),
    )


def excess(text: str) -> tuple[float, ...]:
    """Return how a short text is written, for alternatives: one number for each of `EXCESS`."""
    shown = UNSEEN.sub("", text)
    numbers = NUMBER.findall(shown)
    return (
        len(unseen(text)) + sum(_spaces(text)),
        sum(look_alikes(text)),
        float(shown[:1].isupper()) + float(len(shown) > 1 and shown.isupper()),
        float(bool(shown) and not shown[-1].isalnum()),
        len(re.findall(r"[^\w\s]", NUMBER.sub("", shown))),
        sum(_decimals(number.lower()) for number in numbers),
        sum(_written(shown)[1:]),
        len(NUMBER.sub("", shown)),
    )


EXCESS = (
    "spaces or invisible characters",
    "letters that only look like others",
    "capital letters",
    "a mark at its end",
    "punctuation",
    "decimals",
    "a number that is written in another way",
    "letters",
)


def _kinds(prompt: Any) -> str:
    if isinstance(prompt, (str, Prompt)):
        return "text" if isinstance(prompt, str) else prompt.kind
    return "+".join(_kinds(part) for part in prompt)


def _picture(prompt: Any) -> tuple[float, ...]:
    """Return the width and height of the PNG picture of a prompt; zeros where it has none."""
    if isinstance(prompt, Image):
        head = prompt.content[:24]
        return unpack(">II", head[16:24]) if head.startswith(b"\x89PNG") and len(head) == 24 else (0.0, 0.0)
    if isinstance(prompt, (str, Prompt)):
        return 0.0, 0.0
    return max((_picture(part) for part in prompt), default=(0.0, 0.0))


def sizes(one: Showing) -> dict[str, int]:
    """Return how many lines a prompt has, how wide they are where several are equally wide, and how long its lists."""
    lines = prompt_text(one.ask.prompt)[:LONGEST].split("\n")
    width, count = Counter(map(len, lines)).most_common(1)[0]
    found = {"how many lines the prompt has": len(lines), "how wide the prompt is": width if count >= PICTURE else 0}
    for path, size in islice(_lists("", one.ask.prompt), VALUES):
        found[_how_many(path.split("."))] = size
    return found


def _how_many(path: Sequence[str]) -> str:
    """Name the length of a list of a prompt's data: "how many cells of part 1 the prompt has"."""
    part = f" of part {int(path[0]) + 1}" if path[0].isdigit() else ""
    names = " of ".join(name for name in reversed(path) if name and not name.isdigit()) or "parts"
    inner = "in the first of the " if len(path) > 1 and path[-1].isdigit() else ""
    return f"how many {inner}{names}{part} the prompt has"


def _lists(path: str, value: Any) -> Iterator[tuple[str, int]]:
    """Yield the length of every list of a prompt with the path to it; of lists in a list, that of the first."""
    if isinstance(value, Prompt):
        yield from _lists(path, value.data())
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _lists(f"{path}.{name}" if path else str(name), inner)
    elif isinstance(value, (list, tuple)):
        yield path, len(value)
        inside = value if not path else value[:1]
        for i, inner in enumerate(inside):
            yield from _lists(f"{path}.{i}" if path else str(i), inner)


def parities(one: Showing) -> list[int]:
    """Return for each of the first numbers of a prompt whether it is odd; 2 where it is no whole number."""
    numbers = NUMBER.findall(visible(one.ask.prompt))[:8]
    return [int(number.replace(",", "")) % 2 if re.fullmatch(r"[+-]?[\d,]+", number) else 2 for number in numbers]
