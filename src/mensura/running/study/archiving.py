"""Archiving: every session of a study in two places, with checksums that are read back, and releases to people."""

import gzip
import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mensura.errors import BadData, BadParameter
from mensura.private_file import make_private
from mensura.running.panel.artefact import names_behind
from mensura.running.people.closing import close_expired
from mensura.store.archive.tables import table_rows
from mensura.store.people.copies import ARCHIVED, MADE_GOOD, RELEASED
from mensura.store.people.erasure import masking

if TYPE_CHECKING:
    from mensura.store import Store
    from mensura.store.head import RunHead

SUMS = "SHA256SUMS"
DECIDED = "-exclusion-"
TABLES = ("sessions", "events", "contents", "truths", "results", "details")


@dataclass(frozen=True)
class Archived:
    """The archived sessions, and where they are."""

    places: tuple[Path, ...]
    checksums: dict[str, str]
    """File → SHA-256."""

    @property
    def sessions(self) -> int:
        """How many sessions there are; decisions about them are separate files."""
        return sum(DECIDED not in name for name in self.checksums)


def archive(heads: Sequence["RunHead"], places: Sequence[str | Path], *, store: "Store", who: str = "") -> Archived:
    """Write every session of some runs to at least two places, and read each copy back.

    A session is one compressed file: its events with all prompts, truths, scores and the run it belongs to. Who the
    participants are is not in it. Each decision to exclude one is a file beside it. Files that are there already
    must be the same, byte for byte.
    """
    folders = _apart(places)
    close_expired(store)
    files = {name: content for head in heads for name, content in _sessions(store, head)}
    checksums = {name: sha256(content).hexdigest() for name, content in files.items()}
    for folder in folders:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for name, content in files.items():
            _write(folder / name, content)
        _write_sums(folder, {**_read_sums(folder), **checksums})
    verify(folders)
    runs = [head.id for head in heads]
    store.copies.note(who, ARCHIVED, ", ".join(runs), runs=runs, places=list(map(str, folders)), files=len(files))
    return Archived(folders, checksums)


def verify(places: Sequence[str | Path]) -> int:
    """Read every archived file and compare it with its checksum, and the places with one another; return how many."""
    folders = _apart(places)
    for folder in folders:
        if not (folder / SUMS).is_file():
            raise BadData(f"{folder} holds no archive: its {SUMS} is missing.")
    listed = [_read_sums(folder) for folder in folders]
    if any(each != listed[0] for each in listed[1:]):
        raise BadData(f"The archives at {' and '.join(map(str, places))} do not hold the same files.")
    for place in folders:
        for name, wanted in listed[0].items():
            path = place / name
            if not path.is_file():
                raise BadData(f"{path} is missing; copy it back from the other place.")
            if sha256(path.read_bytes()).hexdigest() != wanted:
                raise BadData(f"{path} has been damaged or changed; copy it back from the other place.")
    return len(listed[0])


def erased_since(places: Sequence[str | Path], *, store: "Store") -> list[str]:
    """List the archived files of sessions from which people have withdrawn since."""
    known = {name for folder in _apart(places) for name in _read_sums(folder)}
    gone = store.sessions.withdrawn()
    files = {_file_name(session) for session in gone}
    return sorted(name for name in known if re.sub(rf"{DECIDED}\d+", "", name) in files)


def erase_archived(places: Sequence[str | Path], *, store: "Store", who: str = "") -> list[str]:
    """Take the sessions from which people have withdrawn out of an archive, and give the files that are gone."""
    gone, folders = erased_since(places, store=store), _apart(places)
    for folder in folders:
        left = {name: digest for name, digest in _read_sums(folder).items() if name not in gone}
        _write_sums(folder, left)
        for name in gone:
            (folder / name).unlink(missing_ok=True)
    verify(places)
    store.trail.note(who, MADE_GOOD, "", places=list(map(str, folders)), files=len(gone))
    return gone


def release(
    heads: Sequence["RunHead"],
    path: str | Path,
    *,
    to: str,
    why: str,
    training: str,
    store: "Store",
    who: str = "",
    with_names: bool = False,
) -> str:
    """Write an anonymous export for someone, and keep in the trail who got what, why, and on which proof of training.

    Gives the checksum of the file, which the trail holds too. What people typed, or reasons say, may hold a name from
    the book of identities: that is refused unless `with_names` says that it was looked at.
    """
    from mensura.store import export_run

    for what, said in (("who receives it", to), ("why", why), ("their proof of training", training)):
        if not said.strip():
            raise BadParameter(f"Data are released only when it is written down {what}.")
    if not with_names and (named := _naming(heads, store)):
        raise BadParameter(
            f"Names of participants occur in answers, prompts or reasons of {', '.join(named[:5])}"
            f"{' and others' if len(named) > 5 else ''}; nothing was written. A release is anonymous: look at them, "
            "and give --with-names if they may be released."
        )
    file = Path(path)
    runs = [head.id for head in heads]
    checksum = export_run(store, runs, file, format="zip").sha256
    store.copies.note(
        who, RELEASED, to, runs=runs, places=[str(file.resolve())], why=why, training=training, sha256=checksum
    )
    return checksum


def _naming(heads: Sequence["RunHead"], store: "Store") -> list[str]:
    """List the sessions, or the prompts, that hold the name of someone who took part."""
    told = {head.id: store.sessions.of(head.id) for head in heads}
    masked = masking(names_behind([one.id for each in told.values() for one in each], store=store))
    rows = (
        row
        for table in (*TABLES, "exclusions")
        for row in table_rows(store, heads, table, sessions=told, with_seeds=False)
        if masked(text := json.dumps(row, ensure_ascii=False, default=str)) != text
    )
    return list(dict.fromkeys(str(row.get("session") or "a prompt") for row in rows))


def _sessions(store: "Store", head: "RunHead") -> list[tuple[str, bytes]]:
    """Write each session that is over as one file; the same session gives the same bytes."""
    tables: dict[str, dict[str, list[dict[str, Any]]]] = {}
    contents: dict[str, Any] = {}
    over = {head.id: [one for one in store.sessions.of(head.id) if one.status not in ("open", "withdrawn")]}
    for table in TABLES:
        for row in table_rows(store, [head], table, sessions=over, with_seeds=False):
            if table == "contents":
                contents[row["content"]] = row["body"]
            else:
                # Whether a session counts is decided later, too; the file of a session never changes.
                row.pop("excluded", None)
                tables.setdefault(row["session"], {}).setdefault(table, []).append(row)
    decided: dict[str, list[dict[str, Any]]] = {}
    for row in table_rows(store, [head], "exclusions", sessions=over, with_seeds=False):
        decided.setdefault(row["session"], []).append(row)
    run = next(iter(table_rows(store, [head], "runs", sessions=over, with_seeds=False)))
    made = []
    for session, rows in sorted(tables.items()):
        used = {row["content"] for row in rows.get("events", ()) if row["content"]}
        whole = {"run": run, **rows, "contents": {name: contents[name] for name in sorted(used) if name in contents}}
        text = json.dumps(whole, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        made.append((_file_name(session), gzip.compress(text.encode(), mtime=0)))
        # Each decision is a file of its own: what was archived before it stays as it was.
        for number, row in enumerate(decided.get(session, ()), start=1):
            text = json.dumps(row, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
            made.append((_file_name(session, f"{DECIDED}{number}"), gzip.compress(text.encode(), mtime=0)))
    return made


def _file_name(session: str, part: str = "") -> str:
    return f"{session.replace('/', '_')}{part}.json.gz"


def _apart(places: Sequence[str | Path]) -> tuple[Path, ...]:
    folders = tuple(Path(place).expanduser().resolve() for place in places)
    if len(set(folders)) < 2:
        raise BadParameter("An archive is kept in at least two different places: --to A --to B")
    return folders


def _write(path: Path, content: bytes) -> None:
    if path.exists():
        if path.read_bytes() != content:
            raise BadData(f"{path} is archived already and differs; archives are never overwritten.")
        return
    _replace(path, content)


def _replace(path: Path, content: bytes) -> None:
    part = path.with_name(f".{path.name}.part")
    with make_private(part).open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)


def _write_sums(folder: Path, known: Mapping[str, str]) -> None:
    _replace(folder / SUMS, "".join(f"{known[name]}  {name}\n" for name in sorted(known)).encode())


def _read_sums(folder: Path) -> dict[str, str]:
    path = folder / SUMS
    if not path.exists():
        return {}
    lines = path.read_text(encoding="utf-8").splitlines()
    return {name: digest for digest, name in (line.split("  ", 1) for line in lines if line)}
