"""Rows: runs and sessions as they stand in the database."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Row, Select, select

from mensura.dialogue import Address
from mensura.errors import MissingKey, StoreError
from mensura.store import text
from mensura.store.details import read_details, write_details
from mensura.store.head import RunHead, SessionHead
from mensura.store.schema import runs, sessions
from mensura.store.sealed.keyring import Keyring
from mensura.store.sealed.sealing import is_sealed

SECRET = ("seed", "instance_hash")
"""The parts of a run that are sealed with the store's key until it is over."""
JOINED = select(sessions, runs.c.id.label("run_id")).join(runs, sessions.c.run == runs.c.number)


def run_row(head: RunHead) -> dict[str, Any]:
    """Write a run as a row."""
    return {
        "id": head.id,
        "test": head.test,
        "parameters": text.write(head.parameters),
        "cast": text.write(head.cast),
        "condition": head.condition,
        "environment_hash": head.environment_hash,
        **secrets_of(head),
        "seed_mark": head.seed_mark,
        "seed_public": head.seed_public,
        "trace": head.trace,
        "created": head.created,
        "details": write_details(head.details),
    }


def secrets_of(head: RunHead) -> dict[str, str | None]:
    """Write of a run's row what is sealed until it is over."""
    # As text: 128 bits are more than a database's integers hold.
    return {"seed": None if head.seed is None else str(head.seed), "instance_hash": head.instance_hash}


def kept_back(row: Mapping[str, Any], keyring: Keyring) -> dict[str, Any]:
    """Seal of a run's row what tells its questions: a secret seed, and the hash of its items with their answers."""
    sealer, sealed = keyring.sealer, {}
    for name in SECRET:
        value = row[name]
        if value and not is_sealed(value) and not (name == "seed" and row["seed_public"]):
            sealed[name] = sealer.seal(value, about=f"{name} of {row['id']}")
    return {**row, **sealed}


def run_head(row: Row[Any], keyring: Keyring) -> RunHead:
    """Read a run from a row; without the key what is kept back is unknown."""
    read: dict[str, str | None] = {}
    for name in SECRET:
        value = getattr(row, name)
        try:
            opened = keyring.sealer.open(value, about=f"{name} of {row.id}") if is_sealed(value) else value
        except MissingKey:
            opened = None
        read[name] = opened
    seed = read["seed"]
    return RunHead(
        id=row.id,
        test=row.test,
        parameters=text.read_mapping(row.parameters),
        cast=text.read_mapping(row.cast),
        condition=row.condition,
        instance_hash=read["instance_hash"] or "",
        environment_hash=row.environment_hash,
        seed=None if seed is None else _read_seed(seed, row.id),
        seed_public=row.seed_public,
        trace=row.trace,
        created=row.created,
        details=read_details(row.details),
        seed_mark=row.seed_mark,
        opened=row.opened,
        kept_back=any(read[name] is None and getattr(row, name) is not None for name in SECRET),
    )


def _read_seed(seed: str, run_id: str) -> int:
    try:
        return int(seed)
    except ValueError:
        raise StoreError(
            f"The store is damaged: the seed of {run_id} is not a whole number. Restore a copy or an export."
        ) from None


def of_run(run_id: str) -> Select[Any]:
    """Select the sessions of a run in the order of their addresses."""
    columns = sessions.c
    return JOINED.where(runs.c.id == run_id).order_by(columns.course, columns.phase, columns.session, columns.number)


def session_row(head: SessionHead, *, run: int) -> dict[str, Any]:
    """Write a session as a row."""
    return {
        "id": head.id,
        "run": run,
        "course": head.address.course,
        "phase": head.address.phase,
        "session": head.address.session,
        "item": head.address.item,
        "cast": text.write(head.cast),
        "status": head.status,
        "created": head.created,
        "ended": head.ended,
        "last_words": text.clean(head.last_words),
    }


def session_head(row: Row[Any]) -> SessionHead:
    """Read a session from a row."""
    return SessionHead(
        id=row.id,
        run=row.run_id,
        address=session_address(row),
        cast=text.read_mapping(row.cast),
        status=row.status,
        created=row.created,
        ended=row.ended,
        last_words=row.last_words,
    )


def session_address(row: Row[Any]) -> Address:
    """Read the address of a session from a row."""
    return Address(row.course, row.phase, row.session, row.item)
