"""Given: names, functions, paths and objects, each accepted wherever one of them is."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mensura.catalog.find import find_test
from mensura.dialogue import Test
from mensura.errors import BadParameter
from mensura.store import Store, open_store
from mensura.subjects import SubjectSpec

TestLike = Test | str | Path | Callable[..., Any]
SubjectLike = SubjectSpec | str | Path | Callable[..., Any]
StoreLike = Store | str | Path | None


def given_test(test: TestLike) -> str | Test:
    """Return what a test is called, or the test itself; a plain generator function becomes one.

    >>> def two_questions(rng): yield
    >>> given_test(two_questions).id
    'two-questions-v1'
    """
    if isinstance(test, Path):
        return _written(test)
    if inspect.isgeneratorfunction(test):
        return Test(f"{test.__name__.strip('_<>').replace('_', '-').lower()}-v1", test)
    if callable(test) and not isinstance(test, Test):
        raise TypeError(f"A test is a generator function, one that yields asks; {test!r} is not.")
    if not isinstance(test, str | Test):
        raise BadParameter(f"A test is a name, a path, a generator function or a Test; got {test!r}.")
    return test


def found_test(test: TestLike) -> Test:
    """Find a test by whatever names it."""
    return find_test(given_test(test))


def given_cast(cast: SubjectLike | Mapping[str, SubjectLike]) -> Any:
    """Return a subject, or one for each role, in the form that a run takes."""
    if isinstance(cast, Mapping):
        return {role: given_cast(subject) for role, subject in cast.items()}
    if not isinstance(cast, str | Path | SubjectSpec) and not callable(cast):
        raise BadParameter(f"A subject is a name, a path, a function, a class or a SubjectSpec; got {cast!r}.")
    return _written(cast) if isinstance(cast, Path) else cast


@contextmanager
def opened(store: StoreLike) -> Iterator[Store]:
    """Open a store by its path or URL, the usual one where none is given; one that is open already stays so."""
    if isinstance(store, Store):
        yield store
    elif not isinstance(store, str | Path | None):
        raise BadParameter(f"A store is a path, a URL or an open store; got {store!r}.")
    else:
        with open_store(store) as made:
            yield made


def _written(path: Path) -> str:
    return str(path) if path.is_absolute() else f"./{path}"
