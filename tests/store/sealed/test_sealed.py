"""What is kept back: nothing in a store tells truth, seed or chance before its time."""

import os
import re
import sqlite3
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mensura.dialogue import Address, Event, Items, Scores
from mensura.errors import MissingKey, StoreError
from mensura.store import RunHead, SessionHead, Store, open_store
from mensura.store.sealed.keyring import key_folder
from mensura.store.sealed.sealing import Sealer

Begin = Callable[..., str]
Turn = Callable[..., list[Event]]
HASHES = {"instance_hash": "0f0f0f0f", "environment_hash": "e"}
TRUTH = "the-very-truth"
CHANCE = np.random.default_rng(99).bit_generator.state


def written(path: Path) -> bytes:
    """Give every byte that a store has on disk."""
    return b"".join(file.read_bytes() for file in sorted(path.parent.glob(f"{path.name}*")))


def fill(store: Store, begin: Begin, turn: Turn, ending: Callable[..., Event], *, end: bool = False) -> str:
    """Write a session with a truth, a reward, a save and a result."""
    session = begin(store, sessions=2)
    store.events.append(session, turn(0), truths={"coin0": TRUTH})
    save = {"state": {"deck": TRUTH}, "rng": CHANCE}
    store.events.append(session, [Event(3, "save", value=save), Event(4, "tell", reward=0.7315)])
    store.results.add(session, Scores({"right": Items([0.84297], ["coin0"])}), scoring="1", **HASHES)
    if end:
        for number in range(2):
            store.events.append(f"coin-1/0.0.{number}", [ending(5 if number == 0 else 1)])
    return session


def test_a_store_tells_no_truth_seed_save_reward_or_result_while_a_run_goes_on(
    lite: Store, begin: Begin, turn: Turn, ending: Callable[..., Event]
) -> None:
    session = fill(lite, begin, turn, ending)
    assert lite.database.place.path is not None
    seen = written(lite.database.place.path)
    state = CHANCE["state"]["state"]
    for secret in (TRUTH, str(2**127 + 12345), str(state), "0.7315", "0.84297", "0f0f0f0f", "0123456789abcdef"):
        assert secret.encode() not in seen, secret
    assert lite.truths.of(session) == {"coin0": TRUTH}
    assert [event.reward for event in lite.events.of(session)][-1] == 0.7315
    assert lite.events.of(session)[2].value == {"state": {"deck": TRUTH}, "rng": CHANCE}
    assert lite.runs.find("coin-1").seed == 2**127 + 12345
    [result] = lite.results.history(session)
    assert result.instance_hash == "0f0f0f0f"


def test_what_the_test_tells_and_what_was_answered_stays_readable(
    lite: Store, begin: Begin, turn: Turn, ending: Callable[..., Event]
) -> None:
    fill(lite, begin, turn, ending)
    assert lite.database.place.path is not None
    with sqlite3.connect(lite.database.place.path) as connection:
        assert connection.execute("SELECT value FROM events WHERE kind = 'answer'").fetchone() == ("0.5",)


def test_the_key_is_the_owners_alone_and_lies_outside_the_store(lite: Store, begin: Begin) -> None:
    begin(lite)
    path = lite.keyring.path
    assert path.parent == key_folder()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert lite.database.place.path is not None
    for file in lite.database.place.path.parent.glob("lite.db*"):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file


def test_without_the_key_an_unfinished_run_says_one_sentence_and_a_finished_one_is_read(
    tmp_path: Path, begin: Begin, turn: Turn, ending: Callable[..., Event]
) -> None:
    with open_store(tmp_path / "a.db") as store:
        session = fill(store, begin, turn, ending, end=True)
        key = store.keyring.path
        begin(store, "coin-2", seed=5)
        store.events.append("coin-2/0.0.0", turn(0), truths={"coin0": TRUTH})
        assert store.runs.open("coin-1")
        assert not store.runs.open("coin-2")
    key.rename(tmp_path / "away")
    with open_store(tmp_path / "a.db") as store:
        assert store.truths.of(session) == {"coin0": TRUTH}
        assert store.runs.find("coin-1").seed == 2**127 + 12345
        with pytest.raises(MissingKey, match=r"needs its key, which is not at .* MENSURA_KEY_FILE"):
            store.truths.of("coin-2/0.0.0")
        head = store.runs.find("coin-2")
        assert head.seed is None
        with pytest.raises(MissingKey, match="MENSURA_KEY_FILE"):
            head.own_seed()


def test_a_run_without_sessions_keeps_its_seed_when_the_key_is_away(
    tmp_path: Path, run_head: Callable[..., RunHead]
) -> None:
    with open_store(tmp_path / "a.db") as store:
        store.runs.add(run_head())
        store.runs.add(run_head("coin-2", seed=7, seed_public=True))
        key = store.keyring.path
    key.rename(tmp_path / "away")
    with open_store(tmp_path / "a.db") as store:
        for name in ("coin-1", "coin-2"):
            with pytest.raises(MissingKey):
                store.runs.open(name)
    (tmp_path / "away").rename(key)
    with open_store(tmp_path / "a.db") as store:
        assert store.runs.open("coin-1")
        assert (store.runs.find("coin-1").seed, store.runs.find("coin-2").instance_hash) == (
            2**127 + 12345,
            "0123456789abcdef",
        )


def test_a_key_can_lie_elsewhere_and_another_stores_is_refused(
    tmp_path: Path, begin: Begin, turn: Turn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MENSURA_KEY_FILE", str(tmp_path / "keys" / "one"))
    with open_store(tmp_path / "a.db") as store:
        store.events.append(begin(store), turn(0), truths={"coin0": 1})
    assert (tmp_path / "keys" / "one").exists()
    monkeypatch.setenv("MENSURA_KEY_FILE", str(tmp_path / "keys" / "two"))
    with open_store(tmp_path / "b.db") as store:
        begin(store)
    with open_store(tmp_path / "a.db") as store, pytest.raises(MissingKey, match="not that of the store"):
        store.truths.of("coin-1/0.0.0")
    os.chmod(tmp_path / "keys" / "one", 0o644)
    monkeypatch.setenv("MENSURA_KEY_FILE", str(tmp_path / "keys" / "one"))
    with open_store(tmp_path / "a.db") as store, pytest.raises(MissingKey, match="chmod 600"):
        store.truths.of("coin-1/0.0.0")


def test_a_run_opens_when_no_session_is_open_planned_or_can_be_resumed(
    store: Store, begin: Begin, turn: Turn, ending: Callable[..., Event]
) -> None:
    begin(store, sessions=2, details={"sessions": 3})
    store.events.append("coin-1/0.0.0", [ending(1)])
    assert not store.runs.open("coin-1")
    store.sessions.end("coin-1/0.0.1", status="lost")
    assert not store.runs.open("coin-1")
    store.sessions.end("coin-1/0.0.1", status="finished")
    assert not store.runs.open("coin-1"), "a third session is planned"
    store.sessions.add(SessionHead("coin-1/0.0.2", "coin-1", Address(session=2), {}))
    store.events.append("coin-1/0.0.2", [ending(1)])
    assert store.runs.open("coin-1")
    assert store.runs.find("coin-1").opened


def test_runs_of_one_secret_seed_open_together_and_close_again_for_a_further_session(
    store: Store, begin: Begin, turn: Turn, ending: Callable[..., Event]
) -> None:
    begin(store, "coin-1")
    begin(store, "coin-2")
    store.events.append("coin-1/0.0.0", [*turn(0), ending(3)], truths={"coin0": TRUTH})
    assert not store.runs.open("coin-1"), "the other run is still asked the same"
    store.events.append("coin-2/0.0.0", [ending(1)])
    assert store.runs.open("coin-1")
    assert store.runs.find("coin-2").opened
    begin(store, "coin-3")
    assert store.runs.find("coin-1").opened is None
    with store.database.reading() as connection:
        kept = connection.exec_driver_sql("SELECT seed FROM runs UNION ALL SELECT secret FROM sessions").scalars().all()
    assert all(text.startswith("sealed:") for text in kept)
    assert store.truths.of("coin-1/0.0.0") == {"coin0": TRUTH}


def test_public_seeds_stay_public(store: Store, begin: Begin) -> None:
    begin(store, seed=7, seed_public=True)
    with store.database.reading() as connection:
        assert connection.exec_driver_sql("SELECT seed FROM runs").scalar() == "7"


def test_sealed_text_opens_only_in_its_place() -> None:
    sealer = Sealer(b"s" * 32)
    sealed = sealer.seal("heads", about="truth 1 of coin0")
    assert sealer.open(sealed, about="truth 1 of coin0") == "heads"
    assert sealed != sealer.seal("heads", about="truth 1 of coin0")
    for other, about in ((Sealer(b"t" * 32), "truth 1 of coin0"), (sealer, "truth 1 of coin1")):
        with pytest.raises(StoreError, match="altered, or sealed under another key"):
            other.open(sealed, about=about)
    with pytest.raises(StoreError, match="altered"):
        sealer.open(sealed[:-6] + "AAAA" + sealed[-2:], about="truth 1 of coin0")


def test_a_worker_elsewhere_is_handed_the_key(lite: Store, begin: Begin, turn: Turn, tmp_path: Path) -> None:
    session = begin(lite)
    secret = lite.keyring.sealer.secret
    lite.keyring.path.rename(tmp_path / "away")
    with open_store(lite.url, key=secret) as worker:
        worker.events.append(session, turn(0), truths={"coin0": 1})
        assert worker.truths.of(session) == {"coin0": 1}
    with pytest.raises(MissingKey, match="handed over is not that"):
        open_store(lite.url, key=b"x" * 32).truths.of(session)


def test_old_stores_keep_back_what_is_still_open(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    with sqlite3.connect(path) as old:
        old.executescript((Path(__file__).parents[1] / "schema-6.sql").read_text(encoding="utf-8"))
    path.chmod(0o644)
    with sqlite3.connect(path) as old:
        going = old.execute("SELECT id, number FROM sessions WHERE status IN ('open', 'lost')").fetchall()
        before = dict(old.execute("SELECT session || key, value FROM truths").fetchall())
    assert going
    with open_store(path) as store:
        for session, number in going:
            assert all(f"{number}{key}" in before for key in store.truths.of(session))
        with store.database.reading() as connection:
            for _, number in going:
                wanted = f"SELECT value FROM truths WHERE session = {number}"
                assert all(re.match("sealed:", value) for value in connection.exec_driver_sql(wanted).scalars())
    assert stat.S_IMODE(path.stat().st_mode) & 0o007 == 0


def test_equal_seeds_have_equal_marks_which_tell_nothing(run_head: Callable[..., RunHead]) -> None:
    one, two, other = run_head("a"), run_head("b"), run_head("c", seed=2**127 + 12346)
    assert one.seed_mark == two.seed_mark != other.seed_mark
    facts: dict[str, Any] = {"seed": None, "seed_mark": one.seed_mark}
    assert run_head("d", **facts).seed_mark == one.seed_mark
