"""One JSON text for one value: for hashes, digests and comparison."""

import json
from collections.abc import Iterable
from dataclasses import fields
from functools import cache
from hashlib import blake2b, sha256
from typing import Any

import numpy as np


def canonical(value: Any) -> str:
    """Write a value as JSON with sorted keys and no spaces.

    >>> canonical({"b": 1, "a": np.float64(0.5)})
    '{"a":0.5,"b":1}'
    """
    return _ENCODER.encode(value)


def plain(value: Any) -> Any:
    """Turn numpy numbers and arrays, tuples and sets of keys into what JSON knows."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    if hasattr(value, "data") and callable(value.data):
        return value.data()
    raise TypeError(f"{type(value).__name__} {value!r} cannot be written as JSON.")


# Made once: every ask that is shown or replayed is written.
_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=plain)


def fields_data(value: Any) -> dict[str, Any]:
    """Return the kind and all fields of a prompt or a space."""
    return {"kind": value.kind, **{name: getattr(value, name) for name in _field_names(value.__class__)}}


@cache
def _field_names(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def short_hash(value: Any) -> str:
    """Hash a JSON value to sixteen hexadecimal digits, to be printed beside a score."""
    return sha256(canonical(value).encode()).hexdigest()[:16]


def hash_of_all(values: Iterable[Any]) -> str:
    """Hash JSON values as `short_hash` hashes the list of them, with one of them in memory at a time.

    >>> hash_of_all(iter(["a", 1])) == short_hash(["a", 1]), hash_of_all([]) == short_hash([])
    (True, True)
    """
    hashed, mark = sha256(b"["), b""
    for value in values:
        hashed.update(mark + canonical(value).encode())
        mark = b","
    hashed.update(b"]")
    return hashed.hexdigest()[:16]


def content_address(text: str | Iterable[str]) -> str:
    """Hash a text, or the parts of one, to the address under which it is stored once."""
    hashed = blake2b(digest_size=16)
    for part in (text,) if isinstance(text, str) else text:
        hashed.update(part.encode())
    return hashed.hexdigest()
