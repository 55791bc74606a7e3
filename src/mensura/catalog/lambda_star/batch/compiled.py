"""The one way this folder compiles: numba, cached on disk, free of the interpreter lock."""

from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

Function = TypeVar("Function", bound=Callable[..., object])
FOLDERS = tuple(Path(__file__).parents[1] / name for name in ("batch", "environment"))
"""Where all that is compiled stands, with all that it calls."""


def compiled(function: Function) -> Function:
    """Compile a function on its first call and keep the machine code beside its file for the next process."""
    made: Any = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    # numba looks at the function's own file only, but machine code holds all it calls: a change anywhere counts.
    kept = made._cache._cache_file
    kept._source_stamp = (kept._source_stamp, sources())
    return cast(Function, made)


@cache
def sources() -> str:
    """Return one text for the content of all files that machine code can hold something of."""
    digest = sha256()
    for path in sorted(path for folder in FOLDERS for path in folder.glob("*.py")):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()
