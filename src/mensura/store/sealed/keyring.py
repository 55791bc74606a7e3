"""Keyring: where the key of a store lies. Not in the store, so that a copy of the store tells nothing early."""

import os
from contextlib import suppress
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from secrets import token_bytes, token_hex
from typing import TYPE_CHECKING

from mensura.errors import MissingKey, StoreError
from mensura.store.sealed.sealing import Sealer, read_secret, write_secret

if TYPE_CHECKING:
    from mensura.store.database import Database

VARIABLE = "MENSURA_KEY_FILE"
STORE, CHECK = "store", "key_check"
"""Names under which a store keeps its own name, and a digest by which its key is known."""


def key_folder() -> Path:
    """Return the folder of keys: of the user's state, which no project folder and no backup of one holds."""
    state = os.environ.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / "mensura"


def key_path(store: str) -> Path:
    """Return the place of a store's key."""
    given = os.environ.get(VARIABLE)
    return Path(given).expanduser().absolute() if given else key_folder() / f"{store}.key"


class Keyring:
    """The key of one store: read where it is, made with the store's first secret, and never made twice."""

    def __init__(self, database: "Database", given: bytes | None = None) -> None:
        self._database = database
        self.given = given
        """The key where it was handed over, as to a worker on another machine."""

    @cached_property
    def sealer(self) -> Sealer:
        """Return the cipher of the store's key.

        Raises
        ------
        MissingKey
            If the key is not here, or is another store's.
        """
        known = self._database.facts()
        drawn = token_hex(8)
        name = known.get(STORE) or (drawn if self._database.read_only else self._database.settle(STORE, drawn))
        if self.given is not None:
            return self._checked(self.given, known.get(CHECK), "that was handed over")
        path = key_path(name)
        check = known.get(CHECK)
        if not path.exists():
            if check is not None or self._database.read_only:
                raise MissingKey(
                    f"What the store {self._database.place.shown} keeps sealed until its sessions are over needs its "
                    f"key, which is not at {path}. Bring the key there, or name it with {VARIABLE}."
                )
            _make(path)
        return self._checked(_read(path), check, f"at {path}")

    def require(self) -> None:
        """Raise the sentence of `sealer` where the key is not here."""
        self.sealer  # noqa: B018

    @property
    def path(self) -> Path:
        """Where the key lies, or would."""
        return key_path(self._database.facts().get(STORE, ""))

    def _checked(self, key: bytes, check: str | None, where: str) -> Sealer:
        own = blake2b(key, digest_size=16, person=b"mensura check").hexdigest()
        if check is None and not self._database.read_only:
            check = self._database.settle(CHECK, own)
        if check != own:
            raise MissingKey(
                f"The key {where} is not that of the store {self._database.place.shown}. Bring the right one, or name "
                f"it with {VARIABLE}."
            )
        return Sealer(key)


def _make(path: Path) -> None:
    """Draw a key and put it in its place, whole and for its owner only; one that is there stays."""
    part = path.with_name(f".{path.name}.{token_hex(4)}.part")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(write_secret(token_bytes(32)) + "\n")
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            os.link(part, path)
        part.unlink()
        # Without it a power cut could leave a store without its key, and so without its truths.
        for folder in (path.parent, path.parent.parent):
            _flush(folder)
    except OSError as error:
        raise StoreError(
            f"The key of the store cannot be written to {path} ({error.strerror}); name another place with {VARIABLE}."
        ) from error


def _flush(folder: Path) -> None:
    """Bring the names in a folder to the disk."""
    with suppress(PermissionError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def _read(path: Path) -> bytes:
    try:
        if path.stat().st_mode & 0o077:
            raise MissingKey(f"The key {path} can be read by others; protect it with: chmod 600 {path}")
        key = read_secret(path.read_text(encoding="ascii").strip())
    except OSError as error:
        raise MissingKey(f"The key {path} cannot be read ({error.strerror}).") from error
    except ValueError:
        key = b""
    if len(key) != 32:
        raise MissingKey(f"{path} is not a key of Mensura; name the right one with {VARIABLE}.")
    return key
