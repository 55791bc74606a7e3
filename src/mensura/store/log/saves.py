"""Saves: what a session is resumed from, sealed, and the state of its chance sealed once more under the seed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from mensura.errors import BadParameter
from mensura.store import text
from mensura.store.database import Database
from mensura.store.log.row import run_head
from mensura.store.schema import runs
from mensura.store.sealed.custody import Custody
from mensura.store.sealed.keyring import Keyring
from mensura.store.sealed.sealing import Sealer


@dataclass(eq=False, repr=False)
class Saves:
    """The saves of a store's sessions."""

    database: Database
    keyring: Keyring

    def seal(self, custody: Custody, number: int, value: Mapping[str, Any]) -> str:
        """Seal a save, and in it the state of the test's generator once more: it goes where the seed goes."""
        if value.get("rng") is not None:
            chance = self._seed_sealer(custody).seal(text.write(value["rng"]), about=f"chance {number}")
            value = {**value, "rng": chance}
        return custody.seal(text.write(value), f"save {number}")

    def open(self, custody: Custody, number: int, stored: str) -> Any:
        """Open a save."""
        value = text.read(custody.open(stored, f"save {number}"))
        if isinstance(value.get("rng"), str):
            try:
                value["rng"] = text.read(self._seed_sealer(custody).open(value["rng"], about=f"chance {number}"))
            except BadParameter:
                # The run came without its secret seed: it can be read, but not resumed.
                value["rng"] = None
        return value

    def _seed_sealer(self, custody: Custody) -> Sealer:
        with self.database.reading() as connection:
            row = connection.execute(select(runs).where(runs.c.number == custody.run)).one()
        return Sealer(str(run_head(row, self.keyring).own_seed()).encode())
