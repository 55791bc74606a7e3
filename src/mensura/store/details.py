"""Details: what else is known of a run, as JSON; of its items, perhaps a hundred thousand, few are texts at a time."""

from collections.abc import Iterator, Mapping
from itertools import islice
from secrets import token_hex
from typing import Any

from mensura.dialogue.canonical import content_address
from mensura.dialogue.packed import Names
from mensura.store import text

ITEMS = "items"
NAMED = f'"{ITEMS}":'
WIDTH = len(text.write("0" * 16)) + 1
"""Letters of a hash with its quotation marks and the comma behind it."""
WRITTEN_AT_ONCE = 1000


def write_details(details: Mapping[str, Any]) -> str:
    """Write the details of a run as `text.write` would, without a text in memory for every item."""
    items = details.get(ITEMS)
    if not (isinstance(items, Names) and items.are_hashes):
        return text.write(details)
    place = token_hex(16)
    before, after = text.write({**details, ITEMS: place}).split(f'"{place}"')
    return "".join([before, *_written(items), after])


def items_address(items: Any) -> str:
    """Hash the items of a run as they are written.

    >>> items_address(Names(["00000000000000ff"])) == items_address(["00000000000000ff"])
    True
    """
    if not (isinstance(items, Names) and items.are_hashes):
        return content_address(text.write(items))
    return content_address(_written(items))


def _written(items: Names) -> Iterator[str]:
    """Write hashes as JSON, part by part."""
    names, mark = iter(items), "["
    while some := list(islice(names, WRITTEN_AT_ONCE)):
        yield mark + text.write(some)[1:-1]
        mark = ","
    yield "]" if mark == "," else "[]"


def read_details(written: str) -> Mapping[str, Any]:
    """Read the details of a run, its items as `Names` where they are texts."""
    if not isinstance(written, str):
        return text.read_mapping(written)  # Bytes in a damaged store: this raises the sentence.
    begin = written.find(NAMED + "[")
    end = written.find("]", begin)
    if 0 <= begin < end and written.count(NAMED) == 1:
        items = _read_hashes(written, begin + len(NAMED) + 1, end)
        details = text.read_mapping(f"{written[:begin]}{NAMED}null{written[end + 1 :]}")
        if items is not None and details.get(ITEMS, items) is None:
            return {**details, ITEMS: items}
    details = text.read_mapping(written)
    items = details.get(ITEMS)
    # Details may come from an archive that a stranger made.
    if isinstance(items, list) and all(isinstance(item, str) for item in items):
        return {**details, ITEMS: Names(items)}
    return details


def _read_hashes(written: str, begin: int, end: int) -> Names | None:
    """Read a list of short hashes where one stands as we write it."""
    marks = (written[begin + mark : end : WIDTH] for mark in (0, WIDTH - 2, WIDTH - 1))
    if (end - begin + 1) % WIDTH or any(set(found) - {sign} for found, sign in zip(marks, '"",', strict=True)):
        return None
    items = Names(written[place + 1 : place + WIDTH - 2] for place in range(begin, end, WIDTH))
    return items if items.are_hashes else None
