"""A run that still goes on, and an archive of it."""

import json
import zipfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Literal

import numpy as np
import pytest

from mensura.dialogue import Event, Items, Scores
from mensura.store import Store, export_run, open_store
from mensura.store.archive.ends import TOLD_BY, Ends, archive_chain
from mensura.store.archive.layout import LINES

Begin = Callable[..., str]
Turn = Callable[..., list[Event]]
SESSION = "coin-1/0.0.0"
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


Seal = Literal["", "checksums", "whole"]


def rewrite(archive: Path, change: Callable[[dict[str, bytes]], None], *, seal: Seal = "whole") -> None:
    """Change the files of an archive; `seal` makes the checksums, or all hashes, right again, as a forger would."""
    with zipfile.ZipFile(archive) as opened:
        files = {name: opened.read(name) for name in opened.namelist()}
    change(files)
    if seal:
        manifest = json.loads(files["manifest.json"])
        for table in LINES:
            data = files.get(f"{table}.jsonl", b"")
            manifest["tables"][table] = {"rows": data.count(b"\n"), "sha256": sha256(data).hexdigest()}
        if seal == "whole":
            ends = Ends()
            for table in TOLD_BY:
                for line in files[f"{table}.jsonl"].splitlines():
                    with suppress(ValueError, RecursionError, TypeError):
                        ends.take(table, defaultdict(lambda: None, json.loads(line)))
            manifest["ends"] = ends.runs
            manifest["chain"] = archive_chain(manifest)
        files["manifest.json"] = json.dumps(manifest).encode()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, data in files.items():
            opened.writestr(name, data)


@pytest.fixture
def target(tmp_path: Path) -> Iterator[Store]:
    """Give an empty store to import into."""
    with open_store(tmp_path / "target.db") as opened:
        yield opened
