"""The reader: damaged and hostile archives are refused and change nothing."""

import json
import zipfile
from pathlib import Path

import numpy as np
import pytest

from mensura.errors import BadFile, Conflict
from mensura.store import Store, import_archive
from tests.store.archive.conftest import rewrite
from tests.store.archive.test_archive import assert_untouched


def refused(store: Store, archive: Path, words: str) -> None:
    """Check that an import is refused with a sentence and leaves nothing."""
    with pytest.raises(BadFile, match=words) as caught:
        import_archive(store, archive)
    assert str(archive) in str(caught.value)
    assert_untouched(store)


def test_what_is_no_archive_is_refused(target: Store, tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="There is no file"):
        import_archive(target, tmp_path / "none.zip")
    (tmp_path / "letter.zip").write_text("Dear colleague")
    refused(target, tmp_path / "letter.zip", "not a zip file")
    with zipfile.ZipFile(tmp_path / "photos.zip", "w") as photos:
        photos.writestr("beach.jpg", b"...")
    refused(target, tmp_path / "photos.zip", "other files than an archive does")
    with pytest.raises(BadFile):
        import_archive(target, tmp_path)


def test_every_damaged_byte_is_noticed_or_harmless(archive: Path, target: Store) -> None:
    data = archive.read_bytes()
    chance = np.random.default_rng(7)
    noticed = 0
    for _ in range(60):
        broken = bytearray(data)
        broken[chance.integers(len(data))] ^= int(chance.integers(1, 256))
        archive.write_bytes(broken)
        try:
            import_archive(target, archive)
        except BadFile:
            noticed += 1
            continue
        # A flipped date or attribute of the zip changes nothing that is read.
        assert [len(target.events.of(session.id)) for session in target.sessions.of("coin-1")] == [4, 4, 0]
    assert noticed > 30
    for length in (10, len(data) // 2, len(data) - 5):
        archive.write_bytes(data[:length])
        with pytest.raises(BadFile):
            import_archive(target, archive)


def test_a_change_that_does_not_fit_its_checksum_is_noticed(archive: Path, target: Store) -> None:
    def cheat(files: dict[str, bytes]) -> None:
        files["events.jsonl"] = files["events.jsonl"].replace(b'"coin0"', b'"coin9"')

    rewrite(archive, cheat, seal="")
    refused(target, archive, "checksum differs")


def test_names_that_would_leave_the_folder_are_refused_and_nothing_is_unpacked(
    archive: Path, target: Store, tmp_path: Path
) -> None:
    rewrite(archive, lambda files: files.update({"../../escaped.txt": b"boo"}))
    before = sorted(path.name for path in tmp_path.rglob("*"))
    refused(target, archive, "other files than an archive does")
    assert sorted(path.name for path in tmp_path.rglob("*")) == before
    assert not (tmp_path.parent.parent / "escaped.txt").exists()


def test_a_file_that_is_there_twice_is_refused(archive: Path, target: Store) -> None:
    with zipfile.ZipFile(archive, "a") as opened, pytest.warns(UserWarning, match="Duplicate name"):
        opened.writestr("runs.jsonl", b"")
    refused(target, archive, "other files than an archive does")


@pytest.mark.parametrize("table", ["events", "links", "deeds", "exclusions"])
def test_an_archive_that_lacks_a_file_is_refused_with_its_name(archive: Path, target: Store, table: str) -> None:
    rewrite(archive, lambda files: files.__delitem__(f"{table}.jsonl"), seal="")
    refused(target, archive, rf"other files than an archive does, or lacks some \({table}\.jsonl\)")


def test_an_archive_that_unpacks_to_too_much_is_refused(archive: Path, target: Store) -> None:
    rewrite(archive, lambda files: files.update({"contents.jsonl": b" " * 30_000_000}))
    assert archive.stat().st_size < 100_000
    with pytest.raises(BadFile, match="would unpack to 30,"):
        import_archive(target, archive, largest=20_000_000)
    refused(target, archive, "cannot be imported")


def test_a_newer_archive_is_refused_with_what_to_do(archive: Path, target: Store) -> None:
    def age(files: dict[str, bytes]) -> None:
        files["manifest.json"] = json.dumps({**json.loads(files["manifest.json"]), "schema": 99}).encode()

    rewrite(archive, age)
    refused(target, archive, "newer Mensura .* Install a newer Mensura")


@pytest.mark.parametrize(
    "manifest",
    [
        b"[]",
        b"{",
        b"{}",
        b'{"format": "mensura-archive"}',
        b'{"format": "mensura-archive", "version": 1, "schema": 1}',
        b'{"format": "mensura-archive", "version": 1, "schema": 1, "tables": {"runs": 3}}',
        b"[" * 100_000,
        b" " * 2_000_000,
        b"\xff\xfe",
    ],
)
def test_a_manifest_that_makes_no_sense_is_refused(archive: Path, target: Store, manifest: bytes) -> None:
    rewrite(archive, lambda files: files.update({"manifest.json": manifest}), seal="")
    refused(target, archive, "cannot be imported")


LINE = '{"session":"coin-1/0.0.2","number":1,"kind":"answer","role":"","key":"","tick":0%s}'


RESULT = (
    '{"session":"coin-1/0.0.2","scoring":"1","instance_hash":"","environment_hash":"","scores":"%s",'
    '"details":"{}","time":1}'
)


@pytest.mark.parametrize(
    ("table", "line"),
    [
        ("events", "[]"),
        ("events", "nonsense"),
        ("events", "[" * 100_000),
        ("events", LINE % ',"tock":1'),
        ("events", LINE % ',"value":1'),
        ("events", LINE % ',"value":"{"'),
        ("events", LINE % (',"value":"' + "[" * 100_000 + '"')),
        ("events", LINE % (',"value":"' + "1" * 100_000 + '"')),
        ("events", LINE % ',"until":1e3'),
        ("events", LINE % f',"until":{2**63}'),
        ("events", LINE % ',"reward":NaN'),
        ("events", LINE % f',"reward":{10**400}'),
        ("events", LINE % ',"nonce":"\\u0000"'),
        ("events", LINE % ',"nonce":"\\ud800"'),
        ("events", LINE % ',"notes":"[1]"'),
        ("events", LINE % ',"content":"00000000000000000000000000000000"'),
        ("events", LINE.replace('"number":1', '"number":true') % ""),
        ("events", LINE.replace("answer", "hack") % ""),
        ("events", LINE.replace("answer", "end") % ""),
        ("events", LINE.replace("answer", "end") % ',"value":"{}"'),
        ("events", LINE.replace("0.0.2", "0.0.9") % ""),
        ("events", LINE.replace("0.0.2", "0.0.0") % ""),
        ("truths", '{"session":"coin-1/0.0.2","key":"a","version":1,"value":"NOPE","source":""}'),
        ("contents", '{"address":"00000000000000000000000000000000","body":"1"}'),
        ("results", RESULT % "[]"),
        ("results", RESULT % '{\\"a\\":\\"high\\"}'),
        ("results", RESULT % '{\\"a\\":{\\"values\\":1}}'),
        ("links", '{"session":"coin-1/0.0.2","place":99,"listed":"[1]","head":""}'),
        ("links", '{"session":"coin-1/0.0.2","place":99,"listed":"[[\\"events\\",\\"x\\",\\"\\"]]","head":""}'),
        ("links", '{"session":"coin-1/0.0.2","place":99,"listed":"{}","head":""}'),
        ("sessions", '{"id":"x","run":"unknown","course":0,"phase":0,"session":0,"cast":"{}","status":"open"}'),
    ],
)
def test_a_line_that_is_not_what_its_table_holds_is_refused(
    archive: Path, target: Store, table: str, line: str
) -> None:
    def add(files: dict[str, bytes]) -> None:
        files[f"{table}.jsonl"] += line.encode() + b"\n"

    rewrite(archive, add)
    refused(target, archive, "cannot be imported")


@pytest.mark.parametrize(
    ("table", "old", "new"),
    [
        ("runs", b'"full"', b'"loud"'),
        ("runs", b'"condition": ""', b'"condition": "", "seed": "-1"'),
        ("sessions", b'"run": "coin-1"', b'"run": "coin-2"'),
        ("contents", b"Coin 0?", b"Coin X?"),
        ("events", b'"number": 2,', b'"number": 1,'),
    ],
)
def test_a_line_changed_by_somebody_who_can_count_is_refused_all_the_same(
    archive: Path, target: Store, table: str, old: bytes, new: bytes
) -> None:
    def cheat(files: dict[str, bytes]) -> None:
        assert old in files[f"{table}.jsonl"]
        files[f"{table}.jsonl"] = files[f"{table}.jsonl"].replace(old, new, 1)

    rewrite(archive, cheat)
    with pytest.raises((BadFile, Conflict)):
        import_archive(target, archive)
    assert_untouched(target)
