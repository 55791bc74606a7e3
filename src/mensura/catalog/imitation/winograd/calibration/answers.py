"""People's answers to schemas, with their confidence, from JSON lines."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mensura.catalog.imitation.winograd.subjects import ASK_BACK
from mensura.dialogue import Record
from mensura.errors import BadFile
from mensura.json_file import loads
from mensura.text_file import read_text


@dataclass(frozen=True, slots=True)
class PersonAnswer:
    """One person's answer to one sentence: confidence from 0 to 1, None where it was not asked."""

    person: str
    item: str
    answer: str
    confidence: float | None = None
    group: str = ""
    sample: str = ""


def read_answers(path: str | Path) -> tuple[PersonAnswer, ...]:
    """Read {"person", "item", "answer", "confidence", "group", "sample"} by line; the last three may be left out."""
    found = []
    seen: dict[tuple[str, str], int] = {}
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        if not line.strip():
            continue
        where = f"{path}, line {number}"
        one = _answer(line, where)
        if earlier := seen.get((one.person, one.item)):
            raise BadFile(f"{where}: {one.person} answered {one.item} already, in line {earlier}.")
        seen[one.person, one.item] = number
        found.append(one)
    if not found:
        raise BadFile(f"{path} holds no answers.")
    return tuple(found)


def answers_of(records: Iterable[Record], *, sample: str = "") -> tuple[PersonAnswer, ...]:
    """Return the answers of stored sessions: of the calibration form with confidence, of the schema test without.

    Each session is one person or system. Of exchanged candidates and of what was answered after asking back nothing is
    taken: those are other questions.
    """
    found = []
    for record in records:
        given = record.given()
        who = f"{next(iter(record.cast.values()), 'person')} {record.session}".strip()
        group = str(given.pop("group", ""))
        for item, value in given.items():
            if item.count("/") != 1:
                continue
            said = value if isinstance(value, Mapping) else {"answer": value}
            if said["answer"] != ASK_BACK:
                found.append(PersonAnswer(who, item, said["answer"], said.get("confidence"), group, sample))
    return tuple(found)


def answers_by_item(answers: Iterable[PersonAnswer]) -> dict[str, list[tuple[str, float | None, str]]]:
    """Return for each item its answers with their confidence and the group of who gave them."""
    found: dict[str, list[tuple[str, float | None, str]]] = defaultdict(list)
    for one in answers:
        found[one.item].append((one.answer, one.confidence, one.group))
    return dict(found)


def sample_of(answers: Sequence[PersonAnswer]) -> str:
    """Return the names of the samples that answers are from."""
    named = sorted({one.sample for one in answers if one.sample})
    return " and ".join(named) if named else "people of whom the file says no more"


def _answer(line: str, where: str) -> PersonAnswer:
    try:
        data: Any = loads(line)
        person, item, answer = str(data["person"]), str(data["item"]), str(data["answer"])
    except (ValueError, TypeError, KeyError):
        raise BadFile(
            f'{where}: an answer is {{"person": "p1", "item": "jar/0", "answer": "the jar", "confidence": 0.9}}.'
        ) from None
    confidence = data.get("confidence")
    if confidence is not None and not (isinstance(confidence, int | float) and 0 <= confidence <= 1):
        raise BadFile(f"{where}: confidence lies between 0 and 1; got {confidence!r}.")
    return PersonAnswer(person, item, answer, confidence, str(data.get("group", "")), str(data.get("sample", "")))
