"""A power cut costs nothing that was acknowledged.

How it is simulated: people answer in a process in which a small library (`power/record.c`) records every write, flush
and name of the store's files, in order. From that record the files are rebuilt as they would be if the power failed at
some moment: of what was not flushed nothing is left, or this sector and not that one (`power/disk.py`). Then every
answer that was acknowledged before that moment must be there, and the chain must hold. Without flushes it is not so,
which shows that the simulation would notice.
"""

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from mensura.running.live import LiveSessions
from mensura.store import open_store
from mensura.store.sealed.proof import audit_run
from tests.web.power.disk import Disk, read_changes

HERE = Path(__file__).parent / "power"
CUTS = 30
"""Cuts at moments of chance, beside those right after something was acknowledged."""
ANSWERS = """SELECT sessions.id, events.value FROM events JOIN sessions ON sessions.number = events.session
             WHERE events.kind = 'answer'"""


@pytest.fixture(scope="module")
def recorded(tmp_path_factory) -> Path:
    """Let people answer, and record what the disk was told."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None or sys.platform != "linux":
        pytest.skip("A power cut is simulated by a library that is compiled: that needs Linux and a C compiler.")
    folder = tmp_path_factory.mktemp("power").resolve()
    library = folder / "record.so"
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-O1", "-o", library, HERE / "record.c", "-ldl", "-lpthread"], check=True
    )
    (folder / "disk").mkdir()
    told = {"LD_PRELOAD": str(library), "RECORD_TO": str(folder / "trace"), "RECORD_FOLDER": str(folder / "disk")}
    subprocess.run(
        [sys.executable, "-m", "tests.web.power.people", folder / "disk"],
        check=True,
        env={**os.environ, **told},
        cwd=HERE.parents[2],
    )
    return folder


def images(recorded: Path, name: str, tmp_path: Path):
    """Cut the power again and again; give what is left each time, and what had been acknowledged."""
    folder, rng = recorded / "disk" / name, Random(1)
    changes = [one for one in read_changes(recorded / "trace") if one.path.startswith(str(folder))]
    disk, told = Disk(folder), list[str]()
    by_chance = set(rng.sample(range(len(changes)), CUTS))
    for number, change in enumerate(changes):
        disk.tell(change)
        acknowledged = change.what == "W" and change.path.endswith("acknowledged")
        if acknowledged:
            told += change.written.decode().splitlines()
        # Of what was not flushed nothing is left, and then by chance something.
        for chance in [None, rng] * acknowledged + [rng] * (number in by_chance):
            place = tmp_path / f"{number}-{chance is None}"
            disk.cut(place, chance)
            yield place, set(told)


def missing(place: Path, told: set[str]) -> set[str]:
    """Return what was acknowledged and is not there."""
    if not (place / "mensura.db").exists():
        return told
    try:
        with closing(sqlite3.connect(place / "mensura.db")) as connection:
            ((whole,),) = connection.execute("PRAGMA integrity_check(1)")
            there = connection.execute(ANSWERS).fetchall() if told else []
    except sqlite3.DatabaseError:
        return told
    return told - {f"{session} {value}" for session, value in there} if whole == "ok" else told


def test_nothing_acknowledged_is_lost_when_the_power_fails(recorded, tmp_path, monkeypatch):
    cuts = list(images(recorded, "safe", tmp_path))
    assert [place.name for place, told in cuts if missing(place, told)] == []
    assert len(cuts[-1][1]) == 15
    for place, told in cuts[len(cuts) // 2 :: 12]:
        monkeypatch.setenv("MENSURA_KEY_FILE", str(place / "keys" / "store.key"))
        with open_store(place / "mensura.db") as store:
            (run,) = store.runs.all()
            assert audit_run(store, run.id).altered == []
            live = LiveSessions(store).copy(next(iter(told)).split()[0])
            assert live.session.status == "open"


def test_without_flushes_the_simulation_notices_what_is_lost(recorded, tmp_path):
    assert [place for place, told in images(recorded, "unsafe", tmp_path) if missing(place, told)]
