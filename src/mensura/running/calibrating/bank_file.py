"""Bank file: the items of a bank written again, each with its calibration."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from mensura.catalog.find import find_test
from mensura.dialogue import Bank, Item
from mensura.errors import BadParameter
from mensura.json_file import loads
from mensura.running.items.table import ItemTable
from mensura.stats.response.curves import ItemCurve
from mensura.stats.response.presentations import ItemLook

LINES = (".jsonl", ".ndjson")


def bank_of(runs: ItemTable | None, *, named: str | None) -> Bank:
    """Find the bank to write: the one that is named, else that of the runs."""
    if named is not None:
        bank = find_test(named).bank
        if bank is None:
            raise BadParameter(f"{named} is not a bank of items. Name the file that holds them: --bank items.jsonl")
        return bank
    banks = {run.bank.hash: run.bank for run in (runs.runs if runs else ()) if run.bank is not None}
    if len(banks) != 1:
        raise BadParameter(
            "-o writes the items with their calibrations; say which items are meant: --bank items.jsonl. Columns and "
            "runs are matched to it by id and by content."
        )
    return next(iter(banks.values()))


def write_bank(bank: Bank, curves: Mapping[str, ItemCurve], path: Path) -> int:
    """Write a bank as JSON lines with the calibrations of its items, and return how many have one.

    A bank that was read from a file of JSON lines keeps all that its lines hold. Items without a calibration lose the
    one that they had: it was on another scale.
    """
    found = [curves.get(item.key) or curves.get(item.hash) for item in bank]
    lines = []
    for data, curve in zip(_lines(bank), found, strict=True):
        kept = {part: value for part, value in data.items() if part != "calibration"}
        lines.append(kept if curve is None else {**kept, "calibration": curve.as_json()})
    # All is made before anything is written: the file may be the bank itself.
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    return sum(curve is not None for curve in found)


def looks_of(banks: Iterable[Bank]) -> dict[str, ItemLook]:
    """Return of items, by key and by hash, what they ask and how they look, where their lines say both.

    Only the axes that differ are named.
    """
    said = [
        (item, line["structure"], line["presentation"])
        for bank in banks
        if len(lines := _written(bank)) == len(bank)
        for item, line in zip(bank, lines, strict=True)
        if line.get("structure") and line.get("presentation")
    ]
    axes = {axis: {str(look.get(axis)) for *_, look in said} for *_, one in said for axis in one}
    varied = [axis for axis, values in axes.items() if len(values) > 1]
    found: dict[str, ItemLook] = {}
    for item, structure, look in said:
        named = ",".join(f"{axis}={look[axis]}" for axis in varied if axis in look) or "alike"
        found[item.key] = found[item.hash] = ItemLook(str(structure), named)
    return found


def _lines(bank: Bank) -> Sequence[Mapping[str, Any]]:
    return _written(bank) or list(_made(bank))


def _written(bank: Bank) -> Sequence[Mapping[str, Any]]:
    files = bank.origin.files
    if len(files) == 1 and files[0].endswith(LINES):
        text = Path(files[0]).read_text(encoding="utf-8-sig")
        lines = [loads(line) for line in text.splitlines() if line.strip()]
        if len(lines) == len(bank):
            return lines
    return []


def _made(bank: Bank) -> Iterator[dict[str, Any]]:
    for item in bank:
        if not isinstance(item.prompt, str):
            raise BadParameter(f"The items of {bank.name} are not plain text and cannot be written as lines.")
        yield {part: value for part, value in _parts(item).items() if value not in (None, "", [])}


def _parts(item: Item) -> dict[str, Any]:
    graded = item.answer if isinstance(item.answer, Mapping) and set(item.answer) == {"grade", "answer"} else None
    return {
        "prompt": item.prompt,
        "space": item.space.data(),
        "answer": graded["answer"] if graded else item.answer,
        "grade": graded["grade"] if graded else None,
        "id": item.id,
        "tags": list(item.tags),
        "group": item.group,
        "licence": item.licence,
    }
