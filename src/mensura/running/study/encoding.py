"""Encoding: what two coders made of the same material, where they differ, and who settled it.

Used where something that people produced freely (a schedule in a spreadsheet, say) must be brought into the form that
is scored. Each coder works alone; whatever they agree on stands, and whatever they do not is settled by a third.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from mensura.errors import BadData, BadFile
from mensura.table_file import read_table

Coding = Mapping[str, str]
"""Item → what a coder made of it."""


@dataclass(frozen=True)
class Discrepancy:
    """An item that two coders read differently; "" where one of them has nothing."""

    item: str
    first: str
    second: str


@dataclass(frozen=True)
class Decision:
    """How a difference was settled: by whom, and why."""

    item: str
    value: str
    who: str
    why: str


@dataclass(frozen=True)
class Encoding:
    """The values after two codings were compared and every difference was settled."""

    values: dict[str, str]
    discrepancies: list[Discrepancy]
    decisions: list[Decision] = field(default_factory=list)
    items: int = 0

    @property
    def agreement(self) -> float:
        """The share of items on which both coders agreed; NaN where there were none."""
        return 1 - len(self.discrepancies) / self.items if self.items else float("nan")

    def as_json(self) -> dict[str, Any]:
        """Return the encoding as JSON."""
        return {
            "items": self.items,
            "agreement": self.agreement if self.items else None,
            "discrepancies": [asdict(one) for one in self.discrepancies],
            "decisions": [asdict(one) for one in self.decisions],
            "values": self.values,
        }


def compare_codings(first: Coding, second: Coding) -> list[Discrepancy]:
    """List the items that two coders read differently.

    >>> compare_codings({"E1": "A1 3", "E2": "B2 4"}, {"E1": "A1 3", "E3": "B2 5"})
    [Discrepancy(item='E2', first='B2 4', second=''), Discrepancy(item='E3', first='', second='B2 5')]
    """
    items = sorted({*first, *second})
    return [
        Discrepancy(item, first.get(item, ""), second.get(item, ""))
        for item in items
        if first.get(item, "") != second.get(item, "")
    ]


def settle(first: Coding, second: Coding, decisions: Mapping[str, Decision]) -> Encoding:
    """Bring two codings together; every difference needs a decision, and every decision a difference and a reason."""
    found = compare_codings(first, second)
    open_items = [one.item for one in found if one.item not in decisions]
    if open_items:
        raise BadData(f"{len(open_items)} differences are not settled; the first is {open_items[0]!r}.")
    different = {one.item for one in found}
    for item, decision in decisions.items():
        if item not in different:
            raise BadData(f"The coders agree on {item!r}; there is nothing to decide.")
        if not decision.who.strip():
            raise BadData(f"The decision on {item!r} does not say who made it.")
        if not decision.why.strip():
            raise BadData(f"The decision on {item!r} does not say why it was made so.")
    values = {item: value for item, value in first.items() if item not in different}
    values |= {item: decision.value for item, decision in decisions.items() if decision.value}
    return Encoding(values, found, list(decisions.values()), len({*first, *second}))


def read_coding(path: str | Path) -> dict[str, str]:
    """Read a coder's CSV: `item,value`. Where an item stands twice the first counts, as the rules of encoding say."""
    values: dict[str, str] = {}
    for line, row in read_table(path, ("item", "value")):
        if not row["item"]:
            raise BadFile(f"{path}:{line}: the item is missing.")
        values.setdefault(row["item"], row["value"])
    return values


def read_decisions(path: str | Path) -> dict[str, Decision]:
    """Read how differences were settled: `item,value,who,why`."""
    found: dict[str, Decision] = {}
    for line, row in read_table(path, ("item", "value", "who", "why")):
        if row["item"] in found:
            raise BadFile(f"{path}:{line}: {row['item']!r} is decided twice.")
        found[row["item"]] = Decision(row["item"], row["value"], row["who"], row["why"])
    return found
