"""Scrubbing: writing a database anew, so that no file keeps the bytes of what was erased."""

import sys
import time

from sqlalchemy import Connection, delete

from mensura.store.database import Database
from mensura.store.faults import CAUGHT
from mensura.store.schema import meta, metadata

UNSCRUBBED = "unscrubbed"
AT_ONCE = 300_000_000
"""Bytes of a database that is written anew while people wait: about two seconds for each hundred million."""
# PostgreSQL's statistics hold frequent values; who may not write those anew is warned, and the rest is done.
POSTGRES = (f"VACUUM (FULL, ANALYZE) {', '.join(metadata.tables)}", "VACUUM FULL pg_statistic")
PATIENCE = 5.0
"""Seconds that an erasure waits for transactions of others to end."""
# Rows that were deleted are written along while any transaction, of this database or another of the server, is older.
NOBODY_BEFORE = """SELECT pg_snapshot_xmin(pg_current_snapshot()) > '{0}'::xid8 AND NOT EXISTS (
  SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
    AND age(backend_xmin) >= age('{0}'::xid8::xid))"""


def scrub(database: Database, *, largest: int = AT_ONCE) -> bool:
    """Write the database anew, so that no file keeps what was deleted; False where that is left for later.

    Neither database overwrites a row that is deleted: its bytes stay in free pages and in the log of changes.
    Writers wait meanwhile, so a large database is written anew only when a server starts.
    """
    database.settle(UNSCRUBBED, "yes")
    try:
        write_anew = _write_server_anew if database.place.path is None else _write_file_anew
        if not write_anew(database, largest):
            return False
        with database.writing() as writer:
            writer.execute(delete(meta).where(meta.c.name == UNSCRUBBED))
        return database.place.path is None or _empty_log(database)
    except CAUGHT:
        # Someone reads or writes for long; what was erased cannot be read by any question all the same.
        return False


def scrub_left(database: Database) -> None:
    """Write the database anew if an erasure left that for later."""
    if UNSCRUBBED in database.facts():
        scrub(database, largest=sys.maxsize)


def _write_file_anew(database: Database, largest: int) -> bool:
    with database.engine.connect() as connection:
        connection = connection.execution_options(begin="")
        size = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
        if connection.exec_driver_sql(size).scalar_one() > largest:
            return False
        connection.exec_driver_sql("VACUUM")
        return True


def _write_server_anew(database: Database, largest: int) -> bool:
    with database.engine.connect() as connection:
        connection = connection.execution_options(isolation_level="AUTOCOMMIT")
        if connection.exec_driver_sql("SELECT pg_database_size(current_database())").scalar_one() > largest:
            return False
        for statement in POSTGRES:
            if not _outlive_the_others(connection):
                return False
            connection.exec_driver_sql(statement)
        return True


def _outlive_the_others(connection: Connection) -> bool:
    """Wait until no transaction is left that began before; False where one goes on for too long."""
    now = connection.exec_driver_sql("SELECT pg_current_xact_id()::text").scalar_one()
    end = time.monotonic() + PATIENCE
    while not connection.exec_driver_sql(NOBODY_BEFORE.format(now)).scalar_one():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def _empty_log(database: Database) -> bool:
    with database.engine.connect() as connection:
        connection = connection.execution_options(begin="")
        busy = connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").one()[0]
    if busy:
        database.settle(UNSCRUBBED, "yes")
    return not busy
