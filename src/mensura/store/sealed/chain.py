"""Chain: every row of a session is bound to all before it, so that none is altered, taken out or slipped in unseen.

A link lists salted digests of the rows that were written together; its head is a hash of the head before it and of that
list. Erasing a person's rows with the salt leaves the lists: the chain still holds, and tells nothing of what it was.
"""

import json
import re
from binascii import b2a_base64
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import Any

from mensura.errors import Altered
from mensura.store import text
from mensura.store.archive.layout import without_folders
from mensura.store.details import items_address
from mensura.store.head import BY_HASH, RunHead

Entry = tuple[str, Any, str]
"""Kind of row, which one, and its digest; of events the number of the first and the digests of a whole row of them."""
WIDTH = 22
"""Letters of one digest: sixteen bytes."""
EVENTS = "events"
ERASED = "erased"
"""Kind of the entry that says when how many events were taken out; what is left is listed anew behind it."""
RESULT = ("scoring", "instance_hash", "environment_hash", "scores", "details", "account", "time")
EXCLUSION = ("excluded", "reason", "planned", "who", "time")
DEED = ("kind", "body", "who", "time")
_encode = json.JSONEncoder(separators=(",", ":")).encode


def digest(salt: bytes, row: Sequence[Any]) -> str:
    """Digest a row as it is stored; a single space more makes another."""
    # With its length before it no text can be taken for two; JSON would be slower, on the path of every answer.
    whole = "".join([f"{len(value)}:{value}" if type(value) is str else f"{value!r};" for value in row])
    made = blake2b(whole.encode("utf-8", "surrogatepass"), key=salt, digest_size=16).digest()
    return b2a_base64(made, newline=False)[:WIDTH].decode()


def event_entries(salt: bytes, rows: Iterable[Sequence[Any]]) -> list[Entry]:
    """List events, those with consecutive numbers as one entry; the number of the session's row is not part of them."""
    entries: list[tuple[str, int, list[str]]] = []
    following = None
    for row in rows:
        if row[1] != following:
            entries.append((EVENTS, row[1], []))
        entries[-1][2].append(digest(salt, row[1:]))
        following = row[1] + 1
    return [(kind, first, "".join(digests)) for kind, first, digests in entries]


def truth_entry(salt: bytes, row: Sequence[Any]) -> Entry:
    """List a truth: key, version, value, source and time."""
    return "truth", [row[0], row[1]], digest(salt, row)


def result_entry(salt: bytes, row: Mapping[str, Any]) -> Entry:
    """List a result."""
    return "result", "", digest(salt, [row[name] for name in RESULT])


def exclusion_entry(salt: bytes, row: Mapping[str, Any]) -> Entry:
    """List a decision to leave a session out, or to take it in again."""
    return "exclusion", "", digest(salt, [row[name] for name in EXCLUSION])


def deed_entry(salt: bytes, row: Mapping[str, Any]) -> Entry:
    """List what was done about a session: that someone was invited to it, a panel, an analysis."""
    return "deed", "", digest(salt, [row[name] for name in DEED])


def status_entry(salt: bytes, status: str, last_words: str, ended: float | None) -> Entry:
    """List how a session stands."""
    return "status", status, digest(salt, [status, last_words, ended])


def begin_entries(salt: bytes, run: Sequence[Any], session: Mapping[str, Any]) -> list[Entry]:
    """List what a session begins with: its run with plan and seed, as `bound_run` writes it, and itself."""
    own = [session[name] for name in ("id", "course", "phase", "session", "item", "cast", "created")]
    return [
        ("run", "", digest(salt, run)),
        ("session", "", digest(salt, own)),
        status_entry(salt, session["status"], session["last_words"], session["ended"]),
    ]


def bound_run(head: RunHead) -> list[Any]:
    """Write what is bound of a run: the mark of its seed stands for the seed, and where files lay is left out.

    Of a run that says so, the hash of its items stands for them: there may be a hundred thousand, and what is bound is
    digested for each of as many sessions.
    """
    details = without_folders(head.details)
    if details.get("bound") == BY_HASH:
        details = {**details, "items": items_address(details.get("items"))}
    described = [head.parameters, head.cast, details]
    facts = [head.id, head.test, head.condition, head.instance_hash, head.environment_hash, head.seed_mark]
    return [*facts, head.seed_public, head.trace, head.created, *map(text.write, described)]


def next_head(before: str, listed: str) -> str:
    """Hash a link onto the one before it."""
    return blake2b(f"{before}\n{listed}".encode(), digest_size=20).hexdigest()


def write_entries(entries: Sequence[Entry]) -> str:
    """Write the list of a link."""
    return _encode(entries)


def read_entries(listed: str) -> list[Entry]:
    """Read the list of a link, each event as a separate entry."""
    entries: list[Entry] = []
    try:
        for kind, which, digests in text.read(listed):
            if kind != EVENTS:
                entries.append((kind, tuple(which) if isinstance(which, list) else which, digests))
                continue
            for place in range(0, len(digests), WIDTH):
                entries.append(("event", which + place // WIDTH, digests[place : place + WIDTH]))
    except (TypeError, ValueError):
        raise Altered(f"A link of a chain lists {str(listed)[:60]!r}, which are not entries: it was altered.") from None
    return entries


def register_of(sessions: Iterable[str], before: str = "") -> str:
    """Register sessions of a run, in whatever order they come: how many there are, and a sum of their hashes.

    >>> register_of(["a", "b"]) == register_of(["b"], register_of(["a"])) != register_of(["a"])
    True
    """
    count, total = read_register(before)
    for name in sessions:
        count += 1
        total += int.from_bytes(blake2b(name.encode(), digest_size=20).digest(), "big")
    return f"{count:x}-{total % 2**160:040x}"


def read_register(register: str) -> tuple[int, int]:
    """Read how many sessions a register counts, and the sum of their hashes; none where it is empty.

    >>> read_register("2-0a"), read_register("")
    ((2, 10), (0, 0))
    """
    if not register:
        return 0, 0
    if not re.fullmatch("[0-9a-f]{1,16}-[0-9a-f]{1,40}", str(register)):
        raise Altered(f"A run's register of sessions is {str(register)[:60]!r}: it was altered.")
    count, total = register.split("-")
    return int(count, 16), int(total, 16)


def run_chain_head(heads: Mapping[str, str]) -> str:
    """Hash the heads of a run's sessions into one; workers that write side by side need not wait for one another."""
    return ordered_chain_head(sorted(heads.items()))


def ordered_chain_head(heads: Iterable[tuple[str, str]]) -> str:
    """Hash the heads of a run's sessions as they come: in the order of the sessions' ids."""
    hashed, mark = blake2b(digest_size=20), b"["
    for pair in heads:
        hashed.update(mark + _encode(pair).encode())
        mark = b","
    hashed.update(b"]" if mark == b"," else b"[]")
    return hashed.hexdigest()
