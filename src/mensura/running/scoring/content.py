"""Content: which item an ask is, and what a session administered, by hashes of what was shown and of its truth."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, islice
from typing import Any

from mensura.dialogue import Record, Test
from mensura.dialogue.canonical import content_address, hash_of_all, short_hash
from mensura.dialogue.packed import Names
from mensura.store import text


def item_names(record: Record, truths: Mapping[str, Any], *, test: Test) -> dict[str, str]:
    """Name everything that was asked or told and has a truth, by what was shown and what is true of it.

    Only what has a truth is an item: rounds of a game and steps in a world are parts of a session. An item of a bank
    is named by its own content, before its options were permuted.

    Returns
    -------
    dict
        Key → name; "" where it is not known what was shown.
    """
    first = _first_asked(record)
    names = {}
    for key in dict.fromkeys((*first, *record.told)):
        if key in truths:
            shown = _bank_content(test, key) or _address(record, first.get(key) or record.told.get(key))
            names[key] = short_hash([shown, truths[key]]) if shown else ""
    return names


def item_ids(keys: Sequence[str], names: Mapping[str, str]) -> list[str]:
    """Return the ids of items by their keys; empty where one of them is not known.

    The same content asked twice in one session gives ids with a number behind them.

    >>> item_ids(["a", "b"], {"a": "0f", "b": "0f"}), item_ids(["a", "x"], {"a": "0f"})
    (['0f', '0f#2'], [])
    """
    ids: list[str] = []
    seen: dict[str, int] = {}
    for key in keys:
        name = names.get(key)
        if not name:
            return []
        seen[name] = seen.get(name, 0) + 1
        ids.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
    return ids


def item_groups(test: Test, keys: Sequence[str]) -> list[str]:
    """Name the group of each item of a bank; "" for an item that stands alone, empty where there is no bank."""
    return [test.bank.group_of(key) for key in keys] if test.bank is not None else []


def content_hash(record: Record, names: Mapping[str, str], opening: str, *, test: Test, scoring: str) -> str:
    """Hash what a session administered: test, parameters, scoring, how it opened and every item that has a truth.

    Equal hashes mean that the same was asked and the same counted as right. What depends on answers is left out, so
    two subjects who took the same session share its hash.
    """
    described = {
        "test": test.id,
        "parameters": dict(record.parameters),
        "scoring": scoring,
        "opening": "" if record.item else opening,
        "items": sorted(item_ids(list(names), names)),
    }
    return short_hash(described)


def opening_hash(record: Record) -> str:
    """Hash what was shown before the subject did anything; "" where it was not kept."""
    opening = [_address(record, number) for number in record.opening]
    return short_hash(opening) if opening and all(opening) else ""


def run_hash(instances: Iterable[str]) -> str:
    """Hash what a run administered from the hashes of its sessions: their order and number do not matter.

    >>> run_hash(["a", "b"]) == run_hash(["b", "a", "a"]), run_hash(["a"])
    (True, 'a')
    """
    distinct = (instances if isinstance(instances, Names) else Names(instances)).each()
    first = list(islice(distinct, 2))
    return first[0] if len(first) == 1 else hash_of_all(chain(first, distinct))


def _first_asked(record: Record) -> dict[str, int]:
    first: dict[str, int] = {}
    for answer in record.answers:
        first.setdefault(answer.key, answer.number)
    return first


def _bank_content(test: Test, key: str) -> str:
    return "" if test.bank is None else test.bank.hash_of(key)


def _address(record: Record, number: int | None) -> str:
    """Find where the content of an ask is stored, or would be; "" where it was not kept."""
    if number is None:
        return ""
    if number in record.addresses:
        return record.addresses[number]
    content = record.content(number)
    return "" if content is None else content_address(text.write(content))
