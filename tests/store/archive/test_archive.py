"""Archives: one zip that another installation imports; damaged and hostile ones change nothing."""

import json
import zipfile
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mensura.dialogue import Event, Items, Scores
from mensura.errors import BadFile, Conflict
from mensura.store import Store, export_run, import_archive, open_store
from mensura.store.archive.layout import LINES
from mensura.store.sealed.proof import audit_run

Begin = Callable[..., str]
Turn = Callable[..., list[Event]]
SESSION = "coin-1/0.0.0"
MORE = {"exclusions": 0, "links": 2}
HASHES = {"instance_hash": "i", "environment_hash": "e"}


@pytest.fixture
def filled(lite: Store, begin: Begin, turn: Turn) -> Store:
    """Give a store with a run of three sessions that still goes on."""
    begin(lite, sessions=3)
    save = {"state": {"é": [1, 2]}, "rng": np.random.PCG64(3).state, "tick": 0}
    lite.events.append(SESSION, turn(0, {"b": "日本\x00\ud800", "a": 2**90}, nonce="n-0"), truths={"coin0": "heads"})
    lite.events.append(SESSION, [Event(3, "save", value=save), Event(4, "tell", reward=float("inf"))])
    lite.events.append("coin-1/0.0.1", [*turn(0), *turn(1)], truths={"coin0": np.arange(2)})
    lite.truths.resolve(SESSION, "coin0", "tails", source="we looked again", time=50.0)
    lite.results.add(SESSION, Scores({"brier": Items([0.5, np.nan], ["a", "b"]), "all": 1 / 3}), scoring="1", **HASHES)
    return lite


@pytest.fixture
def archive(filled: Store, tmp_path: Path) -> Path:
    """Give an archive of the run."""
    path = tmp_path / "run.zip"
    export_run(filled, "coin-1", path, format="zip")
    return path


def everything(store: Store) -> Iterator[Any]:
    """Give all a store holds, but seeds and the order in which runs came."""
    for run in sorted(store.runs.all(), key=lambda run: run.id):
        yield run.id, run.test, run.parameters, run.cast, run.created, run.details, run.instance_hash
        for session in store.sessions.of(run.id):
            yield session
            yield store.events.of(session.id, content=True)
            yield store.truths.history(session.id)
            yield [repr(result) for result in store.results.history(session.id)]


def assert_untouched(store: Store) -> None:
    """Check that nothing came in."""
    with store.database.reading() as connection:
        for table in LINES:
            assert connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar() == 0, table


def test_a_run_with_its_seed_comes_back_whole_on_either_database(filled: Store, store: Store, tmp_path: Path) -> None:
    path = tmp_path / "whole.zip"
    exported = export_run(filled, "last", path, format="zip", with_seeds=True)
    assert exported.seeds == "included"
    imported = import_archive(store, path)
    assert imported.runs == ["coin-1"]
    assert imported.added == exported.rows
    assert imported.added["events"] == 8
    assert list(everything(store)) == list(everything(filled))
    assert store.runs.find("coin-1") == filled.runs.find("coin-1")
    assert store.events.of(SESSION)[2].value["rng"] == np.random.PCG64(3).state
    back = tmp_path / "back.zip"
    export_run(store, "coin-1", back, format="zip", with_seeds=True)
    assert same_lines(path, back)


def same_lines(first: Path, second: Path) -> bool:
    """Say whether two archives hold the same lines."""
    with zipfile.ZipFile(first) as one, zipfile.ZipFile(second) as two:
        return all(
            sorted(one.read(f"{table}.jsonl").splitlines()) == sorted(two.read(f"{table}.jsonl").splitlines())
            for table in LINES
        )


def test_importing_twice_brings_nothing_new(archive: Path, store: Store) -> None:
    first = import_archive(store, archive)
    before = list(everything(store))
    second = import_archive(store, archive)
    assert sum(first.added.values()) > 10
    assert set(second.added.values()) == {0}
    assert "nothing new" in str(second)
    assert list(everything(store)) == before


def test_an_archive_without_its_secret_seed_can_be_scored_and_says_that_it_cannot_be_resumed(
    archive: Path, store: Store
) -> None:
    with zipfile.ZipFile(archive) as opened:
        texts = [opened.read(name).decode() for name in opened.namelist()]
    assert not any(str(2**127 + 12345) in text for text in texts)
    assert not any(str(np.random.PCG64(3).state["state"]["state"]) in text for text in texts)
    imported = import_archive(store, archive)
    assert "seeds were left out" in str(imported)
    assert store.runs.find("coin-1").seed is None
    assert store.events.of(SESSION)[2].value == {"state": {"é": [1, 2]}, "rng": None, "tick": 0}
    assert store.records.find(SESSION).given() == {"coin0": {"b": "日本\x00\ud800", "a": 2**90}}


def test_a_seed_that_comes_later_makes_the_run_whole(
    filled: Store, archive: Path, store: Store, tmp_path: Path
) -> None:
    import_archive(store, archive)
    export_run(filled, "coin-1", tmp_path / "whole.zip", format="zip", with_seeds=True)
    import_archive(store, tmp_path / "whole.zip")
    assert store.runs.find("coin-1") == filled.runs.find("coin-1")
    assert list(everything(store)) == list(everything(filled))


def test_a_bare_archive_takes_nothing_from_a_store_that_knows_more(filled: Store, archive: Path) -> None:
    before = list(everything(filled))
    assert set(import_archive(filled, archive).added.values()) == {0}
    assert filled.runs.find("coin-1").seed == 2**127 + 12345
    assert list(everything(filled)) == before


def test_a_later_archive_of_a_run_that_went_on_brings_the_rest(
    filled: Store, archive: Path, store: Store, turn: Turn, ending: Callable[..., Event], tmp_path: Path
) -> None:
    import_archive(store, archive)
    filled.events.append("coin-1/0.0.1", [*turn(2), ending(7)], truths={"coin2": 1})
    filled.results.add("coin-1/0.0.1", Scores({"all": 0.5}), scoring="1", **HASHES)
    export_run(filled, "coin-1", tmp_path / "later.zip", format="zip")
    imported = import_archive(store, tmp_path / "later.zip")
    assert imported.added == {
        "runs": 0,
        "sessions": 0,
        "contents": 1,
        "events": 3,
        "truths": 1,
        "results": 1,
        **MORE,
    }
    assert store.sessions.find("coin-1/0.0.1") == filled.sessions.find("coin-1/0.0.1")
    assert store.events.last_number("coin-1/0.0.1") == 7
    import_archive(store, archive)
    assert store.sessions.find("coin-1/0.0.1").status == "finished"


def score(store: Store) -> None:
    """Score the sessions of the run, one after the other."""
    for place in range(3):
        store.results.add(f"coin-1/0.0.{place}", Scores({"all": 0.5}), scoring="2", **HASHES)


def test_a_run_that_was_scored_twice_comes_back_whole(filled: Store, store: Store, tmp_path: Path) -> None:
    score(filled)
    score(filled)
    exported = export_run(filled, "last", tmp_path / "scored.zip", format="zip", with_seeds=True)
    assert import_archive(store, tmp_path / "scored.zip").added == exported.rows
    assert list(everything(store)) == list(everything(filled))
    assert len(store.results.history(SESSION)) == 3


def test_an_archive_in_which_results_of_sessions_alternate_is_read(
    filled: Store, target: Store, tmp_path: Path
) -> None:
    def alternate(files: dict[str, bytes]) -> None:
        lines = files["results.jsonl"].splitlines(keepends=True)
        files["results.jsonl"] = b"".join(sorted(lines, key=lambda line: float(json.loads(line)["time"])))

    score(filled)
    score(filled)
    export_run(filled, "last", tmp_path / "scored.zip", format="zip")
    rewrite(tmp_path / "scored.zip", alternate)
    assert import_archive(target, tmp_path / "scored.zip").added["results"] == 7
    assert audit_run(target, "coin-1").whole


def test_later_decisions_reach_a_store_that_scored_the_run_itself(
    filled: Store, archive: Path, store: Store, tmp_path: Path
) -> None:
    def bring() -> dict[str, int]:
        path = tmp_path / "later.zip"
        export_run(filled, "coin-1", path, format="zip")
        return import_archive(store, path).added

    import_archive(store, archive)
    score(store)
    store.exclusions.decide("coin-1/0.0.2", reason="Ours, and earlier", who="bea")
    filled.exclusions.decide(SESSION, reason="Asleep", who="ada")
    filled.exclusions.decide("coin-1/0.0.2", reason="Fine", who="ada", excluded=False)
    assert bring()["exclusions"] == 2
    assert list(store.exclusions.excluded("coin-1")) == [SESSION]
    score(filled)
    filled.exclusions.decide(SESSION, reason="Awake after all", who="ada", excluded=False)
    assert bring()["exclusions"] == 1
    assert set(bring().values()) == {0}
    assert store.exclusions.excluded("coin-1") == {}
    assert len(store.results.history(SESSION)) == 3
    assert audit_run(store, "coin-1").whole


def test_an_earlier_decision_that_comes_later_does_not_win(
    filled: Store, archive: Path, store: Store, tmp_path: Path
) -> None:
    import_archive(store, archive)
    filled.exclusions.decide(SESSION, reason="Asleep", who="ada")
    store.exclusions.decide(SESSION, reason="Awake", who="bea", excluded=False)
    export_run(filled, "coin-1", tmp_path / "later.zip", format="zip")
    assert import_archive(store, tmp_path / "later.zip").added["exclusions"] == 1
    assert store.exclusions.excluded("coin-1") == {}
    assert audit_run(store, "coin-1").whole


def test_an_archive_that_contradicts_the_store_changes_nothing(
    archive: Path, store: Store, begin: Begin, turn: Turn
) -> None:
    begin(store, sessions=3)
    store.events.append("coin-1/0.0.1", turn(0, value=0.9))
    before = list(everything(store))
    with pytest.raises(Conflict, match="nothing was changed"):
        import_archive(store, archive)
    assert list(everything(store)) == before


def test_another_run_of_the_same_name_is_refused(archive: Path, store: Store, begin: Begin) -> None:
    begin(store, test="inbox-v1")
    with pytest.raises(Conflict, match="another run called 'coin-1'"):
        import_archive(store, archive)


def test_several_runs_travel_in_one_archive(filled: Store, store: Store, begin: Begin, tmp_path: Path) -> None:
    begin(filled, "public-1", seed=4, seed_public=True)
    export_run(filled, ["coin-1", "public-1"], tmp_path / "both.zip", format="zip")
    assert sorted(import_archive(store, tmp_path / "both.zip").runs) == ["coin-1", "public-1"]
    assert store.runs.find("public-1").seed == 4


def rewrite(archive: Path, change: Callable[[dict[str, bytes]], None], *, seal: bool = True) -> None:
    """Change the files of an archive; `seal` makes the checksums right again, as somebody hostile would."""
    with zipfile.ZipFile(archive) as opened:
        files = {name: opened.read(name) for name in opened.namelist()}
    change(files)
    if seal:
        manifest = json.loads(files["manifest.json"])
        for table in LINES:
            data = files.get(f"{table}.jsonl", b"")
            manifest["tables"][table] = {"rows": data.count(b"\n"), "sha256": sha256(data).hexdigest()}
        files["manifest.json"] = json.dumps(manifest).encode()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, data in files.items():
            opened.writestr(name, data)


def refused(store: Store, archive: Path, words: str) -> None:
    """Check that an import is refused with a sentence and leaves nothing."""
    with pytest.raises(BadFile, match=words) as caught:
        import_archive(store, archive)
    assert str(archive) in str(caught.value)
    assert_untouched(store)


@pytest.fixture
def target(tmp_path: Path) -> Iterator[Store]:
    """Give an empty store to import into."""
    with open_store(tmp_path / "target.db") as opened:
        yield opened


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

    rewrite(archive, cheat, seal=False)
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
    refused(target, archive, "newer Mensura .* pip install --upgrade mensura")


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
    rewrite(archive, lambda files: files.update({"manifest.json": manifest}), seal=False)
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
