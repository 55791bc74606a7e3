"""Sessions and results in a database: SQLite by default, PostgreSQL by URL."""

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mensura.store.head import RunHead, SessionHead
from mensura.store.journal import Journal, MemoryJournal

if TYPE_CHECKING:
    from mensura.store.archive.export import Exported, export_run
    from mensura.store.archive.imported import Imported
    from mensura.store.archive.importer import import_archive
    from mensura.store.log.results import Result
    from mensura.store.log.truths import Truth
    from mensura.store.store import Store

__all__ = [
    "Exported",
    "Imported",
    "Journal",
    "MemoryJournal",
    "Result",
    "RunHead",
    "SessionHead",
    "Store",
    "Truth",
    "export_run",
    "import_archive",
    "open_store",
]

# These import SQLAlchemy, which takes a third of a second; listing tests must not pay for it.
LAZY = {
    "Exported": "mensura.store.archive.export",
    "Imported": "mensura.store.archive.imported",
    "Result": "mensura.store.log.results",
    "Store": "mensura.store.store",
    "Truth": "mensura.store.log.truths",
    "export_run": "mensura.store.archive.export",
    "import_archive": "mensura.store.archive.importer",
}


def open_store(
    url: str | Path | None = None,
    *,
    create: bool = True,
    read_only: bool = False,
    patience: float = 20.0,
    durable: bool = False,
    key: bytes | None = None,
) -> "Store":
    """Open a store; a new one is made where there is none.

    Parameters
    ----------
    url
        A path or `sqlite:///path` for SQLite, `postgresql://user@host/database` for PostgreSQL. None: what the
        environment variable MENSURA_STORE says, else `mensura.db` in this folder.
    create
        Whether to make a store where there is none.
    read_only
        Whether to refuse every change, even of a store that could be changed.
    patience
        Seconds to wait for another writer before giving up.
    durable
        Whether what is stored survives a power cut from the moment it is acknowledged, as people's answers must.
    key
        The store's key, where it was handed over; None: from its file (`MENSURA_KEY_FILE`, or the user's state folder).

    Raises
    ------
    StoreError
        If the store is damaged, newer than this program, out of reach or something else than a store of Mensura.
        Nothing is changed then.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder, open_store(f"{folder}/mensura.db") as store:
    ...     store.runs.all()
    []
    """
    from mensura.store.place import find_place
    from mensura.store.store import Store

    options = {"create": create, "read_only": read_only, "patience": patience, "durable": durable}
    return Store(find_place(url), key=key, **options)


def __getattr__(name: str) -> Any:
    if name in LAZY:
        return getattr(import_module(LAZY[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
