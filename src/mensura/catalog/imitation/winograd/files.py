"""Files of schemas: our JSON lines, the Davis collection in XML, and blocks of four lines (WSC273, PDP, DPR)."""

import json
import re
from collections.abc import Iterable
from difflib import SequenceMatcher
from pathlib import Path
from typing import Annotated

from mensura.catalog.imitation.winograd.schema import Schema, SchemaSentence, plain, read_schema
from mensura.errors import BadData, BadFile
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
    with different answers are put together, all others stand alone.
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
            schema = read_schema(json.loads(line))
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
    for number, node in enumerate(read_xml(file).iter("schema"), start=1):
        parts = [" ".join((node.findtext(f"text/{tag}") or "").split()) for tag in ("txt1", "pron", "txt2")]
        answers = tuple(" ".join((answer.text or "").split()) for answer in node.iter("answer"))
        letter = (node.findtext("correctAnswer") or "").strip()[:1].upper()
        text = re.sub(r" ([.,;:!?])", r"\1", f"{parts[0]} [{parts[1]}] {parts[2]}".strip())
        singles.append(_single(file, f"schema {number}", number, text, answers, "ABCDE".find(letter) if letter else -1))
    return _paired(singles)


def _read_blocks(file: Path) -> Iterable[Schema]:
    lines = [*read_text(file).splitlines(), ""]
    singles: list[Schema] = []
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
        singles.append(_single(file, where, len(singles) + 1, marked, candidates, names.index(plain(right))))
        start += 4
    return _paired(singles)


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


def _paired(singles: list[Schema]) -> Iterable[Schema]:
    place = 0
    while place < len(singles):
        one, other = singles[place], singles[place + 1] if place + 1 < len(singles) else None
        twin = other and _twin(one, other)
        yield twin or one
        place += 2 if twin else 1


def _twin(one: Schema, other: Schema) -> Schema | None:
    names = [plain(name) for name in one.candidates]
    (first,), (second,) = one.sentences, other.sentences
    right = plain(other.candidates[second.right])
    if set(names) != {plain(name) for name in other.candidates} or names[first.right] == right:
        return None
    if SequenceMatcher(None, first.text.lower().split(), second.text.lower().split()).ratio() < ALIKE:
        return None
    return Schema(one.id, one.candidates, (first, SchemaSentence(second.text, names.index(right), second.word)))
