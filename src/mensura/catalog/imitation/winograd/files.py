"""Files of schemas: our JSON lines, the Davis collection in XML, and blocks of four lines (WSC273, PDP, DPR)."""

import json
import re
from collections.abc import Iterable
from difflib import SequenceMatcher
from pathlib import Path
from typing import Annotated

from mensura.catalog.imitation.winograd.schema import Schema, SchemaSentence, plain, read_schema
from mensura.errors import BadData, BadFile
from mensura.json_file import loads
from mensura.text_file import read_text
from mensura.xml_file import read_xml

OWN = Path(__file__).parent / "schemas.jsonl"
UNCLEAR = Path(__file__).parent / "unclear.jsonl"
"""Our own sentences that leave open who is meant, for subjects that may ask back."""
SchemaFile = Annotated[
    str,
    "A file of schemas: .jsonl (ours), .xml (the Davis collection) or .txt (WSC273, PDP, DPR); none: the sixty "
    "that come with the test.",
]
ALIKE = 0.6
"""Least likeness of two neighbours, word by word, that are taken for twins where a file does not say."""


def read_schemas(path: str | Path = OWN) -> tuple[Schema, ...]:
    """Read the schemas of a file, by its ending: .jsonl, .xml or .txt.

    The foreign files do not say which sentences are twins: neighbours with the same candidates, alike word by word and
    with different answers are put together. Such neighbours with the same answer are refused; all others stay single.
    """
    file = Path(path)
    readers = {".jsonl": _read_lines, ".xml": _read_collection, ".txt": _read_blocks}
    if file.suffix not in readers:
        raise BadFile(f"Schemas are read from {', '.join(readers)}; got {str(path)!r}.")
    found = tuple(readers[file.suffix](file))
    if not found:
        raise BadFile(f"{file} holds no schemas.")
    return found


def _read_lines(file: Path) -> Iterable[Schema]:
    seen: set[str] = set()
    for number, line in enumerate(read_text(file).splitlines(), start=1):
        if not line.strip():
            continue
        try:
            schema = read_schema(loads(line))
        except json.JSONDecodeError as error:
            raise BadFile(f"{file}, line {number} is not JSON: {error.msg}.") from None
        except BadData as error:
            raise BadFile(f"{file}, line {number}: {error}") from None
        if schema.id in seen:
            raise BadFile(f"{file}, line {number}: there is another schema called {schema.id!r}.")
        seen.add(schema.id)
        yield schema


def _read_collection(file: Path) -> Iterable[Schema]:
    singles = []
    nodes = list(read_xml(file).iter("schema"))
    places = _lines_of(file, len(nodes))
    for number, node in enumerate(nodes, start=1):
        where = places[number - 1] if places else f"schema {number}"
        parts = [" ".join((node.findtext(f"text/{tag}") or "").split()) for tag in ("txt1", "pron", "txt2")]
        answers = tuple(" ".join((answer.text or "").split()) for answer in node.iter("answer"))
        letter = (node.findtext("correctAnswer") or "").strip()[:1].upper()
        text = re.sub(r" ([.,;:!?])", r"\1", f"{parts[0]} [{parts[1]}] {parts[2]}".strip())
        right = "ABCDE".find(letter) if letter else -1
        singles.append((where, _single(file, where, number, text, answers, right)))
    return _paired(file, singles)


def _lines_of(file: Path, count: int) -> list[str]:
    """Return the lines on which the schemas begin; none where that cannot be told, as within comments."""
    text, lines, line, last = file.read_bytes(), list[str](), 1, 0
    for found in re.finditer(rb"<schema\b", text):
        line += text.count(b"\n", last, found.start())
        last = found.start()
        lines.append(f"line {line}")
    return lines if len(lines) == count else []


def _read_blocks(file: Path) -> Iterable[Schema]:
    lines = [*read_text(file).splitlines(), ""]
    singles: list[tuple[str, Schema]] = []
    start = 0
    while start < len(lines):
        if not lines[start].strip():
            start += 1
            continue
        where = f"line {start + 1}"
        block = lines[start : start + 4]
        if len(block) < 4 or not all(line.strip() for line in block):
            raise BadFile(f"{file}, {where}: a block has four lines: sentence, pronoun, candidates, the right one.")
        text, pronoun, listed, right = (" ".join(line.split()) for line in block)
        candidates = _split(listed, right=right, text=text)
        names = [plain(name) for name in candidates]
        if plain(right) not in names:
            raise BadFile(f"{file}, {where}: {right!r} is not among the candidates {listed!r}.")
        marked = text.replace("[MASK]", "[_]", 1) if "[MASK]" in text else _bracket(text, pronoun)
        one = _single(file, where, len(singles) + 1, marked, candidates, names.index(plain(right)))
        singles.append((where, one))
        start += 4
    return _paired(file, singles)


def _bracket(text: str, pronoun: str) -> str:
    """Put the last place where the pronoun stands as a word in brackets: what it refers to comes before it."""
    found = list(re.finditer(rf"\b{re.escape(pronoun)}\b", text)) or list(
        re.finditer(rf"\b{re.escape(pronoun)}\b", text, re.IGNORECASE)
    )
    return f"{text[: found[-1].start()]}[{found[-1][0]}]{text[found[-1].end() :]}" if found else text


def _split(listed: str, *, right: str, text: str) -> tuple[str, ...]:
    """Split candidates at commas, but not at those inside the right candidate or inside words of the sentence."""
    parts, candidates = [part.strip() for part in listed.split(",")], list[str]()
    for part in parts:
        joined = f"{candidates[-1]}, {part}" if candidates else ""
        if joined and (plain(joined) in plain(right) or plain(joined) in plain(text)) and len(parts) > 2:
            candidates[-1] = joined
        else:
            candidates.append(part)
    return tuple(candidates)


def _single(file: Path, where: str, number: int, text: str, candidates: tuple[str, ...], right: int) -> Schema:
    try:
        return Schema(f"{file.stem}-{number}", candidates, (SchemaSentence(text, right),))
    except BadData as error:
        raise BadFile(f"{file}, {where}: {error}") from None


def _paired(file: Path, singles: list[tuple[str, Schema]]) -> Iterable[Schema]:
    place = 0
    while place < len(singles):
        (where, one), *rest = singles[place : place + 3]
        twin = _twin(one, rest[0][1]) if rest else None
        if rest and twin is None and _alike(one, rest[0][1]) and not (rest[1:] and _twin(rest[0][1], rest[1][1])):
            raise BadFile(
                f"{file}: {where} and {rest[0][0]} are alike as twins are, and the answer does not change: it is "
                f"{one.candidates[one.sentences[0].right]!r} in both. Correct one, or put another schema between them."
            )
        yield twin or one
        place += 2 if twin else 1


def _twin(one: Schema, other: Schema) -> Schema | None:
    names = [plain(name) for name in one.candidates]
    (first,), (second,) = one.sentences, other.sentences
    right = plain(other.candidates[second.right])
    if not _same_candidates(one, other) or names[first.right] == right or _likeness(first, second).ratio() < ALIKE:
        return None
    return Schema(one.id, one.candidates, (first, SchemaSentence(second.text, names.index(right), second.word)))


def _alike(one: Schema, other: Schema) -> bool:
    """Return whether two sentences with the same candidates differ as twins do: in a word, not in what is asked."""
    (first,), (second,) = one.sentences, other.sentences
    likeness = _likeness(first, second)
    if not _same_candidates(one, other) or likeness.ratio() < ALIKE:
        return False
    words = first.text.split(), second.text.split()
    blocks = [(words[0][a:b], words[1][c:d]) for kind, a, b, c, d in likeness.get_opcodes() if kind != "equal"]
    return any(not any("[" in word for part in block for word in part) for block in blocks)


def _same_candidates(one: Schema, other: Schema) -> bool:
    return {plain(name) for name in one.candidates} == {plain(name) for name in other.candidates}


def _likeness(one: SchemaSentence, other: SchemaSentence) -> "SequenceMatcher[str]":
    return SequenceMatcher(None, one.text.lower().split(), other.text.lower().split())
