"""Hidden: what a subject must not see where its session is taken: the store, its key, the test, other runs."""

import inspect
import os
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from mensura.catalog.find import INSPECT, file_in
from mensura.dialogue import Test
from mensura.running.journal import shared_store
from mensura.subjects.sandbox.confinement import Confinement
from mensura.subjects.sandbox.records import beside, compiled

RUN_NAME = re.compile(r"(.+-[0-9a-f]{8})(\.\w+)*")


def hiding(
    confinement: Confinement, *, reference: str | Test, test: Test, store: str | None, folders: Iterable[str]
) -> Confinement:
    """Hide what would tell a subject the truth, or lead to it.

    Parameters
    ----------
    reference
        How the run names its test.
    store
        URL of the store, where this process writes into it.
    folders
        Where subjects are named from.
    """
    paths = [*_keys(), *_files_of_test(reference, test)]
    if store is not None:
        paths += [*_files_of_store(store), *(path for folder in set(folders) for path in _of_runs(folder, store))]
    return confinement.hiding(*paths)


def _files_of_store(url: str) -> Iterator[Path]:
    from mensura.store.place import find_place

    path = find_place(url).path
    if path is not None:
        yield path
        yield from beside(path)


def _keys() -> Iterator[Path]:
    """Name the folder of keys, and the key that the environment names."""
    from mensura.store.sealed.keyring import VARIABLE, key_folder

    yield key_folder()
    if given := os.environ.get(VARIABLE):
        yield Path(given).expanduser().absolute()


def _files_of_test(reference: str | Test, test: Test) -> Iterator[Path]:
    """Name the files of a test that is not installed: its code in all forms, and what its items were read from."""
    if test.bank is not None:
        yield from map(Path, test.bank.origin.files)
    named = reference if isinstance(reference, str) else ""
    file = Path(file_in(named)).expanduser().absolute()
    if not file.suffix or not file.exists():
        try:
            file = Path(inspect.getfile(inspect.unwrap(test.function)))
        except TypeError:
            return
        if not file.is_file() or _installed(file):
            return
    yield file
    yield from compiled(file)
    if test.bank is not None:
        # Other parts of the same data lie beside it; a task of Inspect may read its samples from any of these, and logs
        # hold them with their targets.
        kinds = (".jsonl", file.suffix, *((".json", ".csv", ".eval") if named.startswith(INSPECT) else ()))
        yield from (path for path in file.parent.iterdir() if path.suffix in kinds)
        if named.startswith(INSPECT):
            yield from file.parent.glob("logs")


def _installed(file: Path) -> bool:
    """Return whether a file was published with a package: what everybody can look up is no secret."""
    ours = Path(__file__).parents[1]
    return any(file.resolve().is_relative_to(place) for place in (ours, sys.prefix, sys.base_prefix))


def _of_runs(folder: str, store: str) -> Iterator[Path]:
    """Name what is called after a run of the store: its exports and reports."""
    try:
        names = {name: found[1] for name in os.listdir(folder) if (found := RUN_NAME.fullmatch(name))}
    except OSError:
        return
    if names:
        known = {head.id for head in shared_store(store).runs.all()}
        yield from (Path(folder, name) for name, run in names.items() if run in known)
