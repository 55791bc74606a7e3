"""Given: names, functions, paths and objects, each accepted wherever one of them is."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mensura.errors import BadParameter
from mensura.store import Store, open_store
from mensura.subjects import SubjectSpec

SubjectLike = SubjectSpec | str | Path | Callable[..., Any]
StoreLike = Store | str | Path | None


def given_cast(cast: SubjectLike | Mapping[str, SubjectLike]) -> Any:
    """Return a subject, or one for each role, in the form that a run takes."""
    if isinstance(cast, Mapping):
        return {role: given_cast(subject) for role, subject in cast.items()}
    if isinstance(cast, Path):
        return str(cast) if cast.is_absolute() else f"./{cast}"
    if not isinstance(cast, str | SubjectSpec) and not callable(cast):
        raise BadParameter(f"A subject is a name, a path, a function, a class or a SubjectSpec; got {cast!r}.")
    return cast


@contextmanager
def opened(store: StoreLike) -> Iterator[Store]:
    """Open a store by its path or URL, the usual one where none is given; one that is open already stays so."""
    if isinstance(store, Store):
        yield store
    else:
        with open_store(store) as made:
            yield made
