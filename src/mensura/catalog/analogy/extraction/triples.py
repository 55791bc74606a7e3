"""Triples from a file: what another extractor, or a person, found in a text."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mensura.catalog.analogy.document.rows import rows_of
from mensura.catalog.analogy.graph.skeleton import KINDS
from mensura.catalog.analogy.graph.statement import Connection, NounPhrase, ReadStatements, Statement
from mensura.errors import BadFile

FIELDS = ("subject", "relation", "object")
FORM = '{"subject": "hunter", "relation": "shoot", "object": "hawk", "sentence": 3}'


class TripleFile:
    """Triples of JSON lines `{"subject", "relation", "object", "sentence"}`.

    `sentence` is the sentence itself, or its number from 0 on. A sentence that a text does not have says nothing
    of that text, so one file can hold the triples of many texts where sentences are written out. A line may further
    have `kind` (cause, condition, purpose or time) and `to`: the number, from 1 on, of the line that it
    leads to.
    """

    def __init__(self, file: str, *, texts: int = 1) -> None:
        self.name = f"triples:{file}"
        self.version: str | None = None
        self._file = Path(file).expanduser()
        self._rows = list(rows_of(self._file, _row, form=FORM))
        numbers = {number for number, _ in self._rows}
        for number, row in self._rows:
            if row.get("kind") and row["to"] not in numbers:
                raise BadFile(f"{file}:{number}: `to` is {row['to']}, and the file has no triple in that line.")
            if texts > 1 and not isinstance(row.get("sentence"), str):
                raise BadFile(
                    f"{file}:{number}: a number says which sentence, but not of which text; where several are read, "
                    "write each sentence out."
                )

    def read(self, sentences: Sequence[str]) -> ReadStatements:
        """Return the triples of these sentences."""
        place = {_bare(sentence): at for at, sentence in enumerate(sentences)}
        statements: list[Statement] = []
        where: dict[int, int] = {}
        for number, row in self._rows:
            says = row.get("sentence", 0)
            at = place.get(_bare(says)) if isinstance(says, str) else says if says < len(sentences) else None
            if at is None:
                continue
            where[number] = len(statements)
            subject, other = (_phrase(str(row.get(role) or "")) for role in ("subject", "object"))
            statements.append(Statement(str(row["relation"]).lower(), subject, other, at))
        connections = [
            Connection(row["kind"], where[number], where[row["to"]], "stated")
            for number, row in self._rows
            if row.get("kind") and number in where and row["to"] in where
        ]
        return ReadStatements(tuple(statements), tuple(connections))


def _bare(sentence: str) -> str:
    return " ".join(re.findall(r"\w+", sentence.lower()))


def _phrase(written: str) -> NounPhrase | None:
    lemma = written.strip()
    return NounPhrase(lemma.lower(), written, name=lemma[:1].isupper()) if lemma else None


def _row(row: Any) -> dict[str, Any]:
    if not isinstance(row, dict) or any(not isinstance(row.get(one) or "", str) for one in FIELDS):
        raise ValueError("subject, relation and object are texts")
    if not row.get("relation") or not (row.get("subject") or row.get("object")):
        raise ValueError("a relation, and a subject or an object, are missing")
    sentence = row.get("sentence", 0)
    if not (isinstance(sentence, str) or (isinstance(sentence, int) and sentence >= 0)):
        raise ValueError(f"sentence is {sentence!r}; it is the sentence, or its number from 0 on")
    if row.get("kind") and (row["kind"] not in KINDS or not isinstance(row.get("to"), int)):
        raise ValueError(f"kind is one of {', '.join(KINDS)}, and `to` the number of a line")
    return row
