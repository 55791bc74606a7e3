"""Reading an archive that a stranger may have made: every size, name, checksum, type and text is checked first."""

import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self, get_args

from mensura.dialogue import Trace
from mensura.dialogue.canonical import content_address
from mensura.dialogue.session.event import Kind as EventKind
from mensura.errors import BadFile
from mensura.json_file import loads
from mensura.store.archive.ends import Ends, archive_chain
from mensura.store.archive.layout import ENDS_SINCE, FORMAT, LINES, MANIFEST, SINCE, VERSION, Field, Line
from mensura.store.migrations import MIGRATIONS
from mensura.store.sealed.chain import EVENTS
from mensura.store.sealed.sealing import is_sealed
from mensura.store.sealed.signature import check_signature

CUT = "something was taken out of it or changed after it was written"
LARGEST = 8 * 2**30
"""Bytes an archive may hold when unpacked, unless the caller allows more."""
EVENT_KINDS = frozenset(get_args(EventKind))
LONGEST_LINE = 64 * 2**20
MANIFEST_BYTES = 2**20
UNREADABLE = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    OSError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    RecursionError,
)
"""Errors of reading a damaged or hostile zip: bad structure, bad data, encryption, unknown compression."""


class ArchiveReader:
    """An archive opened for reading; `check` reads it all once before anything is believed."""

    def __init__(self, path: Path, *, largest: int = LARGEST) -> None:
        self.path = path
        self.ends = Ends()
        """Where the chains end, of the lines that were read so far."""
        try:
            self._zip = zipfile.ZipFile(path)
        except FileNotFoundError:
            raise BadFile(f"There is no file {path}. Check the path.") from None
        except UNREADABLE as error:
            raise self._bad(f"it is not a zip file ({error})") from error
        try:
            self._check_names(largest)
            self.manifest = self._read_manifest()
        except UNREADABLE as error:
            self._zip.close()
            raise self._bad(str(error)) from error
        except BaseException:
            self._zip.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._zip.close()

    def check(self) -> None:
        """Compare every table with the checksum and the count in the manifest, and that with its chain."""
        for table in self.tables:
            digest, rows = sha256(), 0
            try:
                with self._zip.open(f"{table}.jsonl") as file:
                    for line in self._raw_lines(file, table):
                        digest.update(line)
                        rows += 1
            except UNREADABLE as error:
                raise self._bad(f"{table}.jsonl cannot be read ({error})") from error
            facts = self.manifest["tables"][table]
            if digest.hexdigest() != facts.get("sha256") or rows != facts.get("rows"):
                raise self._bad(f"{table}.jsonl is not what was written (its checksum differs)")
        try:
            chain = archive_chain(self.manifest) if self.bound else None
        except UNREADABLE as error:
            raise self._bad(f"its manifest cannot be read ({error})") from error
        if chain != self.manifest.get("chain"):
            raise self._bad(CUT)

    @property
    def bound(self) -> bool:
        """Return whether the archive says where its chains end."""
        return bool(self.manifest["version"] >= ENDS_SINCE)

    def check_ends(self) -> str:
        """Compare the ends of all chains, once all was read, with those that were written.

        Returns the public key that signed them; empty where none did.
        """
        study, signature = self.manifest.get("study"), self.manifest.get("signature")
        if self.bound and self.ends.runs != self.manifest["ends"]:
            raise self._bad(CUT)
        if not self.bound and self.ends.named:
            raise self._bad("it says that it is of an earlier release, and its sessions say that it is not")
        if study is not None and (missing := self.ends.missing(str(study))):
            raise self._bad(missing)
        if not signature:
            return ""
        heads = {run: head for run, (_, _, head) in self.ends.runs.items()}
        if not isinstance(signature, dict) or not isinstance(signed := signature.get("heads"), dict):
            raise self._bad("its signature cannot be read")
        if signed.keys() != heads.keys():
            raise self._bad("its signature belongs to other runs than it holds")
        return check_signature(signature, heads)

    def lines(self, table: str) -> Iterator[Line]:
        """Return the lines of a table, each checked to be what the table holds."""
        fields = LINES[table]
        number = 0
        if table not in self.tables:
            return
        try:
            with self._zip.open(f"{table}.jsonl") as file:
                for number, raw in enumerate(self._raw_lines(file, table), start=1):
                    wrong = _wrong(line := loads(raw.decode()), table, fields)
                    if wrong is not None:
                        raise self._bad(f"{table}.jsonl, line {number} {wrong}")
                    whole = {name: line.get(name, field.default) for name, field in fields.items()}
                    self.ends.take(table, whole)
                    yield whole
        except UNREADABLE as error:
            raise self._bad(f"{table}.jsonl, line {number} cannot be read ({error})") from error

    def _check_names(self, largest: int) -> None:
        names = [info.filename for info in self._zip.infolist()]
        wanted, later = ({f"{table}.jsonl" for table in LINES if (table in SINCE) is late} for late in (False, True))
        expected = sorted([MANIFEST, *wanted, *(later & set(names))])
        if sorted(names) != expected:
            odd = sorted(set(names) ^ set(expected)) or names
            raise self._odd_names(odd)
        size = sum(info.file_size for info in self._zip.infolist())
        if size > largest:
            raise self._bad(f"it would unpack to {size:,} bytes, and {largest:,} are allowed")

    def _read_manifest(self) -> dict[str, Any]:
        if self._zip.getinfo(MANIFEST).file_size > MANIFEST_BYTES:
            raise self._bad("its manifest is too large")
        manifest = loads(self._zip.read(MANIFEST))
        if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
            raise self._bad("its manifest is not one of Mensura")
        version, schema = manifest.get("version"), manifest.get("schema")
        if not isinstance(version, int) or not isinstance(schema, int):
            raise self._bad("its manifest names no version")
        if version > VERSION or schema > len(MIGRATIONS):
            raise BadFile(
                f"The archive {self.path} was written by a newer Mensura (archive {version}, schema {schema}; this "
                f"program knows up to {VERSION} and {len(MIGRATIONS)}). Install a newer Mensura"
            )
        tables = manifest.get("tables")
        self.tables = tuple(table for table in LINES if SINCE.get(table, 1) <= version)
        if not isinstance(tables, dict) or not all(isinstance(tables.get(table), dict) for table in self.tables):
            raise self._bad("its manifest names no checksums")
        there = self._zip.namelist()
        if missing := [name for table in self.tables if (name := f"{table}.jsonl") not in there]:
            raise self._odd_names(missing)
        if version >= ENDS_SINCE and not isinstance(manifest.get("ends"), dict):
            raise self._bad("its manifest does not say where its chains end")
        return manifest

    def _raw_lines(self, file: IO[bytes], table: str) -> Iterator[bytes]:
        while line := file.readline(LONGEST_LINE + 1):
            if len(line) > LONGEST_LINE:
                raise self._bad(f"{table}.jsonl has a line of more than {LONGEST_LINE:,} bytes")
            yield line

    def _odd_names(self, names: Sequence[str]) -> BadFile:
        return self._bad(f"it holds other files than an archive does, or lacks some ({', '.join(names[:3])})")

    def _bad(self, why: str) -> BadFile:
        return BadFile(f"{self.path} cannot be imported: {why}. Nothing was changed; ask for the archive again.")


def _wrong(line: Any, table: str, fields: Mapping[str, Field]) -> str | None:
    """Return what is wrong with a line of a table; None if it is as it should be."""
    if not isinstance(line, dict) or not line.keys() <= fields.keys():
        return "has other fields than its table"
    for name, field in fields.items():
        value = line.get(name)
        if not (field.optional and value is None) and not _fits(value, field):
            return f"has {str(value)[:40]!r} as its {name}"
    holds, words = SHAPES.get(table, (None, ""))
    return None if holds is None or holds(line) else words


def _fits(value: Any, field: Field) -> bool:
    kind = field.kind
    if kind == "flag":
        return isinstance(value, bool)
    if kind == "integer":
        return type(value) is int and -(2**63) <= value < 2**63
    if kind == "real":
        return (type(value) is float and value == value) or (type(value) is int and abs(value) < 2**63)
    if not isinstance(value, str) or "\x00" in value or not _is_utf8(value):
        return False
    if kind == "text" or (field.sealed and is_sealed(value)):
        return True
    data = loads(value)
    return kind == "json" or isinstance(data, dict)


def _is_known_event(line: Line) -> bool:
    if line["kind"] not in EVENT_KINDS:
        return False
    needed = {"save": set(), "fail": {"status", "last_words"}, "end": {"status", "outcome", "last_words"}}
    if line["kind"] not in needed:
        return True
    if is_sealed(line.get("value")):
        return bool(line["kind"] == "save")
    value = loads(line.get("value") or "null")
    return isinstance(value, dict) and value.keys() >= needed[line["kind"]]


def _is_scored(line: Line) -> bool:
    if is_sealed(line["scores"]):
        return True
    scores = loads(line["scores"])
    return all(
        isinstance(score, int | float)
        or (isinstance(score, dict) and isinstance(score.get("values"), list) and isinstance(score.get("keys"), list))
        for score in scores.values()
    )


def _is_addressed(line: Line) -> bool:
    return content_address(line["body"]) == str(line["address"])


def _is_traced(line: Line) -> bool:
    return line["trace"] in get_args(Trace)


def _is_listed(line: Line) -> bool:
    """Return whether a link lists entries: each a kind, which one, and digests."""
    listed = loads(line["listed"])
    return isinstance(listed, list) and all(
        isinstance(one, list)
        and len(one) == 3
        and isinstance(one[0], str)
        and isinstance(one[2], str)
        and (type(one[1]) is int if one[0] == EVENTS else not isinstance(one[1], dict))
        for one in listed
    )


SHAPES = {
    "contents": (_is_addressed, "has a content that is not the one its address names"),
    "runs": (_is_traced, "has an unknown trace"),
    "events": (_is_known_event, "has an unknown kind of event, or an end or save that says too little"),
    "results": (_is_scored, "has a score that is not a number"),
    "links": (_is_listed, "lists something else than entries of a chain"),
}
"""Conditions on a line beyond the types of its fields, and the messages where they fail."""


def _is_utf8(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True
