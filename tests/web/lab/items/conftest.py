"""A bank of sums that a model, a program and three people took."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from mensura.running.plan import Selection
from mensura.running.run import RunOptions, run
from mensura.store import open_store
from mensura.web.app import create_app
from mensura.web.participant.invitation import Frame, invite
from mensura.web.settings import WebSettings
from tests.sums import addends, model, program, write_sums
from tests.web.conftest import Visitor as Person
from tests.web.lab.conftest import NAMES, PASSWORD
from tests.web.lab.test_browser import address, browser, wide  # noqa: F401

MANY = 12
SLIPS = ((2, 5), (), (2,))
"""For each person the sums at which they slip, by their places in the bank."""


class Taken(NamedTuple):
    """Where the store and the bank are, and the runs of the model, the program and the people."""

    store: Path
    bank: str
    ids: list[str]


@pytest.fixture(scope="module")
def taken(tmp_path_factory: pytest.TempPathFactory) -> Taken:
    """Let a model take the sums twice, a program once in one conversation, and three people by the pages."""
    folder = tmp_path_factory.mktemp("sums")
    bank, path = write_sums(folder / "sums.jsonl", MANY), folder / "lab.db"
    with open_store(path) as store:
        for role, name in NAMES.items():
            store.accounts.add(name, password=PASSWORD, role=role)
        ids = [run(bank, model, store=store, sessions=2, seed=1).head.id]
        ids.append(run(bank, program, store=store, options=RunOptions(selection=Selection(together=True))).head.id)
        head, links = invite(bank, store=store, sessions=len(SLIPS), frame=Frame())
    app = create_app(WebSettings(store=str(path)))
    with TestClient(app):
        for link, slips in zip(links, SLIPS, strict=True):
            answer_all(app, link.path, slips)
        assert app.state.laboratory.store.sessions.count(head.id) == {"finished": len(SLIPS)}
        app.state.laboratory.store.close()
    return Taken(path, bank, [*ids, head.id])


def answer_all(app: FastAPI, path: str, slips: Sequence[int]) -> None:
    """Take the sums as a person does, one page after the other."""
    person = Person(app, path)
    for place in range(MANY):
        first, second = addends(person.text.split("What is ")[1].split("?")[0])
        person.answer(str(first + second + (place in slips)))


@pytest.fixture(scope="module")
def filled(taken: Taken) -> Path:
    """Let the laboratory of these tests be over that store."""
    return taken.store


@pytest.fixture
def ids(taken: Taken) -> list[str]:
    """Name the runs of the model, the program and the people."""
    return taken.ids
