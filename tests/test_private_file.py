"""Private files: the store, its exports and archives are for their owner only, whatever the umask says."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from mensura.private_file import make_private
from mensura.running.run import run
from mensura.running.study.archiving import archive
from mensura.store import export_run, open_store


@pytest.fixture(autouse=True)
def loose() -> Iterator[None]:
    """Let new files be open to everyone, unless they are made otherwise."""
    before = os.umask(0)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(os.stat(path).st_mode)


def test_all_that_holds_answers_is_for_its_owner_only(tmp_path: Path) -> None:
    with open_store(tmp_path / "mensura.db") as store:
        head = run("coin", "chance", store=store, sessions=1, seed=1).head
        made = [tmp_path / f"mensura.db{ending}" for ending in ("", "-wal", "-shm")]
        for format in ("zip", "csv", "jsonl", "parquet"):
            target = tmp_path / (f"coin.{format}" if format == "zip" else format)
            made += export_run(store, head.id, target, format=format).paths  # type: ignore[arg-type]
        places = [tmp_path / "one", tmp_path / "two"]
        archive([head], places, store=store)
        made += [path for place in places for path in place.iterdir()]
        assert {path.name: oct(mode(path)) for path in made if mode(path) != 0o600} == {}
        assert {mode(folder) for folder in (*places, tmp_path / "csv")} == {0o700}


def test_a_store_that_others_could_read_is_closed_to_them_with_one_note(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "mensura.db"
    open_store(path).close()
    for before, after in ((0o644, 0o600), (0o664, 0o660), (0o660, 0o660)):
        path.chmod(before)
        caplog.clear()
        for _ in range(2):
            open_store(path).close()
        assert mode(path) == after
        assert caplog.text.count("closed to them now") == (before != after)
    path.chmod(0o644)
    open_store(path, read_only=True).close()
    assert mode(path) == 0o644


def test_a_file_that_was_there_is_emptied_and_closed(tmp_path: Path) -> None:
    path = tmp_path / "old"
    path.write_text("old")
    assert make_private(path).read_text() == ""
    assert mode(path) == 0o600
