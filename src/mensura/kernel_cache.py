"""The cache of compiled kernels: one folder of the user, shared by clones, virtual environments and processes.

numba keeps machine code beside the source, by the place and time of its file, so that each clone would compile anew.
Here the folder is named after the content of all files that the code was made of.
"""

import fcntl
import os
import shutil
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

DAYS = 90
"""The kernels of sources that have changed are deleted after so many days."""


def kernel_folder() -> Path:
    """Return where kernels are kept; `XDG_CACHE_HOME` moves it."""
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "mensura" / "kernels"


def cache_of(function: Any, sources: Sequence[Path]) -> Any:
    """Return a cache for numba that keeps one function, by the content of its own file and of others it is made of."""
    own = Path(function.__code__.co_filename)
    digest = sha256(f"{_versions()} {_digest(tuple(sources))}".encode() + own.read_bytes()).hexdigest()[:20]
    return _cache_class()(function, kernel_folder() / digest)


@cache
def _cache_class() -> Any:
    from numba.core import caching

    class Place(caching._CacheLocator):  # type: ignore[misc]
        def __init__(self, folder: Path) -> None:
            self.folder = folder

        def ensure_cache_path(self) -> None:
            if not self.folder.is_dir():
                self.folder.mkdir(parents=True, exist_ok=True)
                _delete_old(self.folder.parent)

        def get_cache_path(self) -> str:
            return str(self.folder)

        def get_source_stamp(self) -> str:
            return self.folder.name

        def get_disambiguator(self) -> str:
            return ""

        @classmethod
        def from_function(cls, py_func: Any, py_file: str) -> None:
            return None

    class Reduced(caching.CompileResultCacheImpl):  # type: ignore[misc]
        def __init__(self, function: Any, place: Place) -> None:
            self._locator = place
            self._filename_base = f"{function.__module__}.{function.__qualname__}".replace("<locals>", "")

    class Files(caching.IndexDataCacheFile):  # type: ignore[misc]
        def save(self, key: Any, data: Any) -> None:
            # Two processes that save at once would each give their code the same number.
            with Path(self._cache_path, "lock").open("w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                super().save(key, data)

    class Kept(caching.FunctionCache):  # type: ignore[misc]
        def __init__(self, function: Any, folder: Path) -> None:
            place = Place(folder)
            self._name, self._py_func, self._impl = repr(function), function, Reduced(function, place)
            self._cache_path = place.get_cache_path()
            self._cache_file = Files(self._cache_path, self._impl.filename_base, place.get_source_stamp())
            self.enable()

        def _load_overload(self, sig: Any, target_context: Any) -> Any:
            try:
                return super()._load_overload(sig, target_context)
            except OSError:
                return None

        def _save_overload(self, sig: Any, data: Any) -> None:
            # Where nothing can be written, each process compiles for itself.
            with suppress(OSError):
                super()._save_overload(sig, data)

    return Kept


@cache
def _versions() -> str:
    import llvmlite
    import numba

    return f"{sys.version_info[:2]} {numba.__version__} {llvmlite.__version__}"


@cache
def _digest(folders: tuple[Path, ...]) -> str:
    """Return one text for the content of all modules of some folders."""
    digest = sha256()
    for path in sorted(path for folder in folders for path in folder.glob("*.py")):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


def _delete_old(folder: Path) -> None:
    for one in folder.iterdir():
        with suppress(OSError):
            if time.time() - one.stat().st_mtime > DAYS * 86400:
                shutil.rmtree(one)
