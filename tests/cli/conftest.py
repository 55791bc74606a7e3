"""The command line as a user meets it: words in, exit status, data and words out."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

DICE = '''
from typing import Annotated

from mensura.dialogue import Ask, Choice, test

FACES = Choice(tuple("123456"))


@test("dice-v1", chance={"accuracy": 1 / 6}, settings={"short": {"rolls": 2}})
def dice(rng, *, rolls: Annotated[int, "How many throws are asked about, 1 or more."] = 6):
    """Say what a die shows."""
    for i in range(rolls):
        face = str(rng.integers(1, 7))
        yield Ask(f"A die was thrown {i} times before.", FACES, key=f"roll{i}", truth=face)


def one(ask):
    return "1"


def lost(ask):
    raise ValueError("I am lost")
'''


@dataclass
class Done:
    """What a command left."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def mensura(tmp_path, monkeypatch, capfd) -> Callable[..., Done]:
    """Run the command line in an empty folder that holds a small test of its own."""
    from mensura.cli.main import main

    (tmp_path / "dice.py").write_text(DICE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MENSURA_STORE", raising=False)

    def call(*words: str) -> Done:
        monkeypatch.setattr("sys.argv", ["mensura", *words])
        capfd.readouterr()
        status = 0
        try:
            main()
        except SystemExit as leaving:
            status = int(leaving.code or 0)
        said = capfd.readouterr()
        return Done(status, said.out, said.err)

    return call
