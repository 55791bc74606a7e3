"""Archives: one zip that another installation imports."""

import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mensura.dialogue import Event, Scores
from mensura.errors import Conflict
from mensura.store import Store, export_run, import_archive
from mensura.store.archive.layout import LINES
from mensura.store.sealed.proof import audit_run
from tests.store.archive.conftest import HASHES, SESSION, Begin, Turn, rewrite

MORE = {"exclusions": 0, "deeds": 0, "links": 2}


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
