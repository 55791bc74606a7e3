"""Archive: one zip of runs that another installation can import. Here is its layout; nothing in it is ever unpacked."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

FORMAT = "mensura-archive"
VERSION = 4
ENDS_SINCE = 4
"""The version of archives that say where their chains end."""
MANIFEST = "manifest.json"
Kind = Literal["text", "json", "object", "integer", "real", "flag"]
SINCE = {"links": 2, "exclusions": 2, "deeds": 3}
"""The version of archives that brought a table; older ones are read without it."""
Seeds = Literal["public", "left out", "included"]


@dataclass(frozen=True)
class Field:
    """One field of a line: its kind, whether it may be missing and what it is then, and whether it may be sealed."""

    kind: Kind
    optional: bool = False
    default: str | None = None
    sealed: bool = False


TEXT, JSON, OBJECT, INTEGER, REAL = Field("text"), Field("json"), Field("object"), Field("integer"), Field("real")

LINES: Mapping[str, Mapping[str, Field]] = {
    "runs": {
        "id": TEXT,
        "test": TEXT,
        "parameters": OBJECT,
        "cast": OBJECT,
        "condition": TEXT,
        "instance_hash": TEXT,
        "environment_hash": TEXT,
        "seed": Field("text", optional=True),
        "seed_mark": Field("text", optional=True, default=""),
        "seed_public": Field("flag"),
        "trace": TEXT,
        "created": REAL,
        "details": OBJECT,
        "register": Field("text", optional=True, default=""),
    },
    "sessions": {
        "id": TEXT,
        "run": TEXT,
        "course": INTEGER,
        "phase": INTEGER,
        "session": INTEGER,
        "item": Field("text", optional=True, default=""),
        "cast": OBJECT,
        "status": TEXT,
        "created": REAL,
        "ended": Field("real", optional=True),
        "last_words": TEXT,
        "secret": Field("text", optional=True),
        "head": Field("text", optional=True),
    },
    "contents": {"address": TEXT, "body": JSON},
    "events": {
        "session": TEXT,
        "number": INTEGER,
        "kind": TEXT,
        "role": TEXT,
        "key": TEXT,
        "tick": INTEGER,
        "value": Field("json", optional=True, sealed=True),
        "reward": Field("real", optional=True),
        "until": Field("integer", optional=True),
        "nonce": Field("text", optional=True),
        "notes": Field("object", optional=True),
        "content": Field("text", optional=True),
        "time": Field("real", optional=True),
        "sealed": Field("text", optional=True),
    },
    "truths": {
        "session": TEXT,
        "key": TEXT,
        "version": INTEGER,
        "value": Field("json", sealed=True),
        "source": TEXT,
        "time": Field("real", optional=True),
    },
    "results": {
        "session": TEXT,
        "scoring": TEXT,
        "instance_hash": TEXT,
        "environment_hash": TEXT,
        "scores": Field("object", sealed=True),
        "details": OBJECT,
        "account": Field("object", optional=True, default="{}"),
        "time": REAL,
    },
    "exclusions": {
        "session": TEXT,
        "excluded": Field("flag"),
        "reason": TEXT,
        "planned": Field("flag"),
        "who": TEXT,
        "time": REAL,
    },
    "deeds": {"session": TEXT, "kind": TEXT, "body": OBJECT, "who": TEXT, "time": REAL},
    "links": {"session": TEXT, "place": INTEGER, "listed": JSON, "head": TEXT},
}
"""The files of an archive, `NAME.jsonl`, in the order in which they are imported, and the fields of their lines.

JSON values stay texts inside the lines, letter by letter as they were stored: contents are found by their hash, and
the chain is made of digests of what was stored. What is sealed stays sealed; the secret of its session opens it.
"""

Line = dict[str, Any]


def without_folders(details: Any) -> Any:
    """Leave out where files lay on the machine of a run: the path may name its user.

    >>> without_folders({"folder": "/home/ada", "subjects": {"subject": {"name": "x", "folder": "/home/ada"}}})
    {'subjects': {'subject': {'name': 'x'}}}
    """
    if isinstance(details, dict):
        return {name: without_folders(value) for name, value in details.items() if name != "folder"}
    return details


def without_chance(value: str) -> str:
    """Take the state of the generator out of a save: from it all chance of the session could be computed.

    >>> without_chance('{"state":1,"rng":{"state":7}}')
    '{"state":1,"rng":null}'
    """
    from mensura.store import text

    saved = text.read(value)
    if isinstance(saved, dict) and saved.get("rng") is not None:
        saved["rng"] = None
    return text.write(saved)
