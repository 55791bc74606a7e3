"""`mensura where`: where store, keys and caches lie, and how large they are."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree

import click

from mensura.cli.options import store_option
from mensura.console import json_option, next_step, print_json, say
from mensura.private_file import cache_folder

ANOTHER = "Another place for all caches: $XDG_CACHE_HOME."


@dataclass(frozen=True)
class Whereabouts:
    """A place where something is kept."""

    what: str
    path: str
    bytes: int | None
    """None where it is not on this machine."""
    about: str
    cache: bool = False
    """Whether all of it can be made again."""


@click.command("where")
@click.option("--purge-cache", is_flag=True, help="Empty the caches; never the store or its keys.")
@click.option("--yes", is_flag=True, help="Do so without asking.")
@store_option
@json_option
def command(purge_cache: bool, yes: bool, store: str | None, as_json: bool) -> None:
    """Show where store, keys and caches lie on this machine, and how large they are.

    The store holds all records; without its key nobody reads what it keeps back, so both belong into a backup. Caches
    hold what can be had again: answers of models that were paid for, word lists and compiled code.

    \b
      mensura where
      mensura where --purge-cache
    """
    if purge_cache:
        _purge([place for place in places(store) if place.cache], yes=yes)
        return
    found = list(places(store))
    if as_json:
        print_json([vars(place) for place in found])
    else:
        for place in found:
            click.echo(f"{place.what:12} {_size(place.bytes):>9}  {place.path}")
            click.echo(f"{'':12} {'':9}  {place.about}")
    next_step("mensura list runs")


def places(store: str | None) -> Iterator[Whereabouts]:
    """Yield the store, its keys, and the caches of this user."""
    from mensura.store.place import VARIABLE, find_place
    from mensura.store.sealed.keyring import VARIABLE as KEY_VARIABLE
    from mensura.store.sealed.keyring import key_folder

    place = find_place(store)
    files = [] if place.path is None else [place.path.with_name(place.path.name + end) for end in ("", "-wal", "-shm")]
    size = None if place.path is None else sum(map(_bytes, files))
    about = f"All records. Another one: --store, or ${VARIABLE}."
    yield Whereabouts(
        "store", place.shown, size, about if size or place.path is None else f"Nothing is stored yet. {about}"
    )
    given = os.environ.get(KEY_VARIABLE)
    keys = Path(given).expanduser().absolute() if given else key_folder()
    yield Whereabouts("keys", str(keys), _bytes(keys), f"The keys of stores. Another place: ${KEY_VARIABLE}.")
    yield from caches()


def caches() -> Iterator[Whereabouts]:
    """Yield what lies in the folders of which all can be had again, by what it is."""
    from mensura.machine_code import kernel_folder
    from mensura.subjects.model.cost.cache import FILE

    folder, kernels = cache_folder(), kernel_folder()
    answers = sorted(folder.glob(f"{FILE}*"))
    words = sorted(folder.glob("*.npz"))
    yield Whereabouts(
        "answers", str(folder / FILE), sum(map(_bytes, answers)), "Answers of models, kept by --cache on.", True
    )
    yield Whereabouts("kernels", str(kernels), _bytes(kernels), "Compiled code; the first run after is slower.", True)
    about = f"What was read of WordNet. {ANOTHER}"
    yield Whereabouts("word lists", str(folder / "*.npz"), sum(map(_bytes, words)), about, True)


def _purge(found: list[Whereabouts], *, yes: bool) -> None:
    folder, size = cache_folder(), sum(place.bytes or 0 for place in found)
    if not size:
        say(f"The caches in {folder} are empty.")
    elif yes or click.confirm(f"Empty {folder} ({_size(size)})? Cached models are asked, and paid, again.", err=True):
        for entry in folder.iterdir():
            rmtree(entry) if entry.is_dir() and not entry.is_symlink() else entry.unlink()
        say(f"Emptied {folder} ({_size(size)}).")
    else:
        say(f"Kept {folder}.")
    next_step("mensura where")


def _bytes(path: Path) -> int:
    """Return the size of a file or of all files in a folder; 0 where there is none."""
    if path.is_dir():
        return sum(one.lstat().st_size for one in path.rglob("*") if one.is_file())
    return path.stat().st_size if path.exists() else 0


def _size(count: int | None) -> str:
    """Write a number of bytes.

    >>> _size(5_300_000), _size(1000), _size(12), _size(None)
    ('5.3 MB', '1.0 kB', '12 B', 'elsewhere')
    """
    if count is None:
        return "elsewhere"
    for unit, factor in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= factor:
            return f"{count / factor:.1f} {unit}"
    return f"{count} B"
