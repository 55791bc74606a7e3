"""Database: connections and transactions, the same for SQLite and PostgreSQL; its errors are sentences."""

import logging
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from sqlalchemy import Connection, Engine, Table, create_engine, event, make_url, select
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import QueuePool

from mensura.errors import MissingExtra, StoreError
from mensura.private_file import close_to_others
from mensura.store.faults import CAUGHT, fault
from mensura.store.flush import Flush
from mensura.store.migrations import MIGRATIONS, current_version, migrate
from mensura.store.place import Place
from mensura.store.schema import meta
from mensura.store.spares import Spares

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql

log = logging.getLogger("mensura.store")


class Database:
    """A database that is a store of the newest schema."""

    def __init__(
        self,
        place: Place,
        *,
        create: bool = True,
        read_only: bool = False,
        patience: float = 20.0,
        durable: bool = False,
    ) -> None:
        self.place = place
        self.durable = durable
        """Whether every commit is on the disk before `writing` is left, so that a power cut costs nothing."""
        self._flush = None if place.path is None else Flush(place.path)
        self.read_only = read_only
        self.patience = patience
        self.migrated = False
        """Whether it was of an older schema and was brought up to date just now."""
        self._turn = Lock()
        self._process = os.getpid()
        self._file: tuple[int, int] | None = None
        if place.path is not None:
            _check_file(place.path, create=create and not read_only)
            if not read_only:
                _close_to_others(place.path)
            self.read_only = read_only = read_only or not os.access(place.path, os.W_OK)
            self.engine = _sqlite_engine(place.path, read_only=read_only, patience=patience)
        else:
            self.engine = _postgres_engine(place.url, read_only=read_only, patience=patience)
        self._driver_error: type[Exception] = self.engine.dialect.loaded_dbapi.Error
        self._spares = [Spares(self.engine, network=place.path is None)]
        """Connections for every answer; those of the processes that this one was forked from stay theirs."""
        try:
            self._prepare(create=create)
        except CAUGHT as error:
            self.engine.dispose()
            raise fault(error, place=place.shown) from error
        except BaseException:
            self.engine.dispose()
            raise

    def close(self) -> None:
        """Close all connections; the store can still be opened again."""
        with suppress(*CAUGHT, self._driver_error):
            self._spares[-1].close()
            self.engine.dispose()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Open a connection to read with; what is read is one state of the database."""
        self._leave_parent()
        try:
            with self.engine.connect() as connection:
                yield connection
        except CAUGHT as error:
            raise fault(error, place=self.place.shown) from error

    @contextmanager
    def snapshot(self) -> Iterator[Connection]:
        """Open a connection for which the database stands still, however many questions are asked."""
        with self.reading() as connection:
            if self.place.path is None:
                connection.execution_options(isolation_level="REPEATABLE READ")
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Open a transaction that is committed at the end, or rolled back whole on any error."""
        self._leave_parent()
        self._check_there()
        try:
            with self._in_turn(), self.engine.connect() as connection:
                connection.execution_options(begin="BEGIN IMMEDIATE")
                with connection.begin():
                    yield connection
        except CAUGHT as error:
            raise fault(error, place=self.place.shown) from error
        if self.durable:
            self.flush()

    @contextmanager
    def appending(self) -> Iterator[Any]:
        """Open a transaction as `writing` does, for statements `at_once`: without SQLAlchemy it costs a quarter."""
        self._leave_parent()
        self._check_there()
        # PostgreSQL is sent all statements up to the first whose rows are read, and waited for once.
        with self._in_turn(), self._driver() as driver, nullcontext() if self.place.path else driver.pipeline():
            driver.execute("BEGIN IMMEDIATE" if self.place.path else "BEGIN")
            yield driver
            driver.execute("COMMIT")
        if self.durable:
            self.flush()

    def glance(self, statement: str, values: tuple[Any, ...]) -> list[Any]:
        """Read by one statement on the path of every answer, where going through SQLAlchemy would cost most of it."""
        self._leave_parent()
        with self._driver() as driver:
            # One statement is one state of the database: no transaction needs to be begun and ended around it.
            return list(driver.execute(self.sql(statement), values))

    def jot(self, statement: str, values: tuple[Any, ...]) -> list[Any]:
        """Write by one statement what a power cut may undo, such as a sign of life; returns its rows."""
        self._leave_parent()
        self._check_there()
        with self._in_turn():
            return self.glance(statement, values)

    @contextmanager
    def _in_turn(self) -> Iterator[None]:
        """Let the threads of this process write to SQLite one after the other.

        SQLite lets one write at a time anyway; those who wait for it sleep longer and longer and may be overtaken.
        """
        held = self.place.path is not None and self._turn.acquire(timeout=self.patience)
        try:
            yield
        finally:
            if held:
                self._turn.release()

    @contextmanager
    def _driver(self) -> Iterator[Any]:
        """Take a connection as the driver made it; what was not committed is rolled back."""
        spares = self._spares[-1]
        try:
            pooled = spares.take()
            try:
                yield pooled.driver_connection
            except BaseException:
                spares.drop(pooled)
                raise
            spares.keep(pooled)
        except (*CAUGHT, self._driver_error) as error:
            raise fault(error, place=self.place.shown) from error

    def flush(self) -> None:
        """Return once all that this thread has committed is on the disk; PostgreSQL sees to that at every commit."""
        if self._flush is not None:
            self._flush.wait()

    async def flushed(self) -> None:
        """Return, in an event loop, once all that was committed in its thread is on the disk."""
        if self._flush is not None:
            await self._flush.waited()

    def insert(self, table: Table) -> "sqlite.Insert | postgresql.Insert":
        """Begin an insert that can say what becomes of rows that are there already."""
        if self.place.path is not None:
            return sqlite.insert(table)
        from sqlalchemy.dialects import postgresql

        return postgresql.insert(table)

    def sql(self, statement: str) -> str:
        """Write a statement with the marks for values that this database knows."""
        return statement if self.place.path is not None else statement.replace("?", "%s")

    def at_once(self, connection: Any, statement: str, values: Any) -> Any:
        """Carry out a statement on the path of every answer, where going through SQLAlchemy would cost most of it.

        The connection is one of `appending` or `writing`. A list of rows is written row by row.
        """
        driver = connection
        if isinstance(connection, Connection):
            if self.place.path is None:
                return connection.exec_driver_sql(self.sql(statement), values)
            driver = connection.connection.driver_connection
        if self.place.path is not None:
            # No cursor may be named here: an error would keep it, and clearing it away later waits for the thread that
            # has its connection by then, perhaps while holding the lock that this thread waits for.
            many = isinstance(values, list)
            return driver.executemany(statement, values) if many else driver.execute(statement, values)
        if not isinstance(values, list):
            return driver.execute(self.sql(statement), values)
        cursor = driver.cursor()
        cursor.executemany(self.sql(statement), values)
        return cursor

    def facts(self) -> dict[str, str]:
        """Return what the store says of itself: its schema, its name, the keys of its servers."""
        with self.reading() as connection:
            return {row.name: row.value for row in connection.execute(select(meta.c.name, meta.c.value))}

    def settle(self, name: str, value: str) -> str:
        """Write a fact down unless another process was first, and return what is written."""
        with self.writing() as connection:
            connection.execute(self.insert(meta).values(name=name, value=value).on_conflict_do_nothing())
            return str(connection.execute(select(meta.c.value).where(meta.c.name == name)).scalar_one())

    def _prepare(self, *, create: bool) -> None:
        with self.engine.connect() as connection:
            version = current_version(connection, place=self.place.shown)
        if version < len(MIGRATIONS):
            if version == 0 and (self.read_only or not create):
                raise StoreError(f"There is no store at {self.place.shown} yet; `mensura run` makes one.")
            if self.read_only:
                raise StoreError(
                    f"The store {self.place.shown} has an older schema, written by an older Mensura, and can only be "
                    "read here. Open it once where it can be written: copy it there, and name the copy with --store."
                )
            if self.place.path is not None:
                self._write_ahead()
            migrate(self.engine, place=self.place.shown)
            self.migrated = version > 0
        self._file = self._identity()

    def _write_ahead(self) -> None:
        """Turn on SQLite's write-ahead log, which stays on, so that readers and the writer do not wait for each other.

        SQLite does not wait here for a program that does the same at the same moment; so this does.
        """
        deadline = time.monotonic() + self.patience
        while True:
            try:
                with self.engine.connect() as connection:
                    connection.execution_options(begin="").exec_driver_sql("PRAGMA journal_mode=WAL")
                return
            except OperationalError as error:
                # A full disk, say, is not worth waiting for.
                if "lock" not in str(error.orig) or time.monotonic() > deadline:
                    raise
                time.sleep(0.01)

    def _identity(self) -> tuple[int, int] | None:
        if self.place.path is None:
            return None
        status = os.stat(self.place.path)
        return status.st_dev, status.st_ino

    def _check_there(self) -> None:
        """Stop before writing to a file that was deleted or replaced: an open connection would not notice."""
        try:
            same = self._identity() == self._file
        except OSError:
            same = False
        if not same:
            raise StoreError(
                f"The store {self.place.shown} was moved, replaced or deleted while it was open. Nothing was "
                "changed; put it back and resume."
            )

    def _leave_parent(self) -> None:
        """Give a forked process its own connections."""
        if os.getpid() != self._process:
            self.engine.dispose(close=False)
            self._spares.append(Spares(self.engine, network=self.place.path is None))
            self._process = os.getpid()
            self._turn = Lock()
            if self.place.path is not None:
                self._flush = Flush(self.place.path)


def _check_file(path: Path, *, create: bool) -> None:
    if path.is_dir():
        raise StoreError(f"{path} is a folder; a store is a file, such as {path / 'mensura.db'}.")
    if path.exists():
        return
    if not create:
        raise StoreError(f"There is no store at {path} yet; `mensura run` makes one.")
    if not path.parent.is_dir():
        raise StoreError(f"The folder {path.parent} does not exist; make it first, or name another with --store.")
    try:
        # An empty file is an empty database; no later connection makes the file, so that a lost store is noticed.
        path.touch(mode=0o600)
    except OSError as error:
        raise StoreError(
            f"No store can be created in {path.parent} ({error.strerror}). Go to a folder that you may write to, or "
            "name a store in one, such as: --store ~/mensura.db"
        ) from error


def _close_to_others(path: Path) -> None:
    """Keep others on this machine from a store that they could read; SQLite's files beside it follow its mode."""
    with suppress(OSError):
        if close_to_others(path):
            log.warning("%s could be read by others on this machine; it is closed to them now.", path)
        for beside in ("-wal", "-shm"):
            with suppress(FileNotFoundError):
                close_to_others(path.with_name(path.name + beside))


def _sqlite_engine(path: Path, *, read_only: bool, patience: float) -> Engine:
    mode = "mode=rw"
    if read_only:
        mode = "mode=ro"
        if not os.access(path.parent, os.W_OK) and not path.with_name(path.name + "-wal").exists():
            # SQLite reads a WAL database only where it may write beside it, or is told that nobody writes.
            mode = "immutable=1"
    connect = partial(_connect_sqlite, path=path, mode=mode, patience=patience)
    engine = create_engine("sqlite://", creator=connect, poolclass=QueuePool, pool_size=32, max_overflow=0)
    event.listen(engine, "begin", _begin)
    return engine


def _connect_sqlite(*, path: Path, mode: str, patience: float) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"file:{quote(str(path))}?{mode}",
        uri=True,
        timeout=patience,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=256,
    )
    # A commit is not flushed to the disk here: those who need that wait for a flush (`mensura.store.flush`).
    connection.execute("PRAGMA synchronous=NORMAL")
    connection.execute("PRAGMA foreign_keys=ON")
    connection.execute("PRAGMA secure_delete=ON")
    return connection


def _begin(connection: Connection) -> None:
    """Begin as the caller said: writers take the lock at once, or two of them could each wait for the other."""
    statement = connection.get_execution_options().get("begin", "BEGIN")
    if statement:
        connection.exec_driver_sql(statement)


def _postgres_engine(url: str, *, read_only: bool, patience: float) -> Engine:
    try:
        import psycopg  # noqa: F401
    except ImportError as error:
        raise MissingExtra("Stores in PostgreSQL", package="psycopg", extra="postgres") from error
    parsed = make_url(url)
    # A database made without a locale is SQL_ASCII and would give bytes where text is expected.
    utf8 = "-c client_encoding=utf8"
    options = [utf8, str(parsed.query.get("options", "")), f"-c lock_timeout={int(patience * 1000)}"]
    options.append("-c synchronous_commit=on")
    if read_only:
        options.append("-c default_transaction_read_only=on")
    return create_engine(
        parsed,
        pool_pre_ping=True,
        # Servers allow 100 connections unless told otherwise: six processes fit. What was opened stays open: while many
        # wait, making connections and ending them again would take the time that they wait for.
        pool_size=16,
        max_overflow=0,
        pool_use_lifo=True,
        connect_args={"options": " ".join(options).strip(), "connect_timeout": max(2, int(patience))},
    )
