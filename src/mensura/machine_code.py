"""Machine code: functions compiled by numba on their first call, free of the interpreter lock.

The code is kept in a folder of the user, shared by clones, virtual environments and processes.
"""

import fcntl
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NoReturn, TypeVar, cast

from mensura.errors import MissingExtra
from mensura.private_file import cache_folder

Function = TypeVar("Function", bound=Callable[..., object])

DAYS = 90
"""The kernels of sources that have changed are deleted after this number of days."""


class Compiling:
    """How long this process has compiled so far, and what it compiles now; kernels from the cache take no time."""

    def __init__(self) -> None:
        self._spent = 0.0
        self._since: dict[str, float] = {}

    def begin(self, name: str) -> None:
        """Note that a function is compiled from now on, perhaps within another."""
        self._since.setdefault(name, time.monotonic())

    def end(self, name: str) -> None:
        """Note that a function is compiled."""
        begun = self._since.pop(name, None)
        if begun is not None and not self._since:
            self._spent += time.monotonic() - begun

    @property
    def words(self) -> str:
        """Return a message on what is compiled, once it has taken longer than `SAID_SECONDS`; "" where nothing is."""
        under_way = dict(self._since)
        if not under_way or self._spent + time.monotonic() - min(under_way.values()) < SAID_SECONDS:
            return ""
        system = next(iter(under_way)).removeprefix("mensura.catalog.").partition(".")[0]
        return f"Compiling the loops of {system} for this machine. This is done once and can take a minute."


SAID_SECONDS = 3.0
COMPILING = Compiling()


def compiler(*folders: Path, extra: str, inline: bool = False, counted: bool = True) -> Callable[[Function], Function]:
    """Return what compiles the functions of some folders, each on its first call.

    Without numba its functions can be imported; a call of one raises MissingExtra.

    Parameters
    ----------
    extra
        The extra that brings numba to those who call these functions.
    folders
        Where all that is compiled stands, with all that it calls. numba looks at the function's own file only, but
        machine code holds all it calls: a change in any of their files counts.
    inline
        Whether a function is written into those that call it: handing over a dozen arrays can cost more than its work.
    counted
        Whether references to arrays are counted as they are handed on, which can take longer than all else; a function
        without it can make no array.
    """
    try:
        import numba
    except ImportError:
        return _refusing(extra)

    def compiled(function: Function) -> Function:
        if getattr(numba.config, "DISABLE_JIT", False):
            return function
        given: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": counted}
        made: Any = numba.njit(inline="always" if inline else "never", **given)(function)
        made._cache = cache_of(function, folders)
        return cast(Function, made)

    return compiled


def for_types_of(function: Any, *arguments: Any) -> Any:
    """Return the machine code of a compiled function for arguments of these types, and for no others.

    It does not look at the types of what it is handed, which for two dozen arrays takes half as long as their work;
    arrays of other types are misread.
    """
    try:
        import numba
    except ImportError:
        return function(*arguments)
    compiles, type_of = getattr(function, "compile", None), cast(Callable[[Any], Any], numba.typeof)
    return function if compiles is None else compiles(tuple(type_of(one) for one in arguments))


def _refusing(extra: str) -> Callable[[Function], Function]:
    def refuse(*_: object, **__: object) -> NoReturn:
        raise MissingExtra(f"Compiled loops of {extra}", package="numba", extra=extra)

    def refused(function: Function) -> Function:
        return cast(Function, refuse)

    return refused


def kernel_folder() -> Path:
    """Return where kernels are kept."""
    return cache_folder() / "kernels"


def cache_of(function: Any, sources: Sequence[Path]) -> Any:
    """Return a cache for numba that keeps one function, by the content of its own file and of others it is made of."""
    own = Path(function.__code__.co_filename)
    digest = sha256(f"{_versions()} {_digest(tuple(sources))}".encode() + own.read_bytes()).hexdigest()[:20]
    return _cache_class()(function, kernel_folder() / digest)


@cache
def _cache_class() -> Any:
    import numba.core.caching

    # numba has no types. It would keep machine code beside the source, by the place and time of its file, so that each
    # clone compiles anew; here its folder is named after the content of all files that the code was made of.
    caching: Any = numba.core.caching

    class _Place(caching._CacheLocator):  # type: ignore[misc]
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

    class _Reduced(caching.CompileResultCacheImpl):  # type: ignore[misc]
        def __init__(self, function: Any, place: _Place) -> None:
            self._locator = place
            self._filename_base = f"{function.__module__}.{function.__qualname__}".replace("<locals>", "")

    class _Files(caching.IndexDataCacheFile):  # type: ignore[misc]
        def save(self, key: Any, data: Any) -> None:
            # Two processes that save at once would each give their code the same number.
            with Path(self._cache_path, "lock").open("w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                super().save(key, data)

    class _Kept(caching.FunctionCache):  # type: ignore[misc]
        def __init__(self, function: Any, folder: Path) -> None:
            place = _Place(folder)
            self._name, self._py_func, self._impl = repr(function), function, _Reduced(function, place)
            self._cache_path = place.get_cache_path()
            self._cache_file = _Files(self._cache_path, self._impl.filename_base, place.get_source_stamp())
            self.enable()

        def _load_overload(self, sig: Any, target_context: Any) -> Any:
            found = None
            with suppress(OSError):
                found = super()._load_overload(sig, target_context)
            if found is None:
                COMPILING.begin(self._impl.filename_base)
            return found

        def _save_overload(self, sig: Any, data: Any) -> None:
            COMPILING.end(self._impl.filename_base)
            # Where nothing can be written, each process compiles for itself.
            with suppress(OSError):
                super()._save_overload(sig, data)

    return _Kept


@cache
def _versions() -> str:
    import numba

    return f"{sys.version_info[:2]} {numba.__version__}"


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
