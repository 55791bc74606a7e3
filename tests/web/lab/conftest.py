"""A laboratory with people in every role, two runs to look at, and clients that are logged in."""

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from mensura.running.results.summary import RunResult
from mensura.running.run import run
from mensura.running.study import Study, conduct, make_study
from mensura.store import Store, open_store
from mensura.web.app import create_app
from mensura.web.settings import WebSettings

PASSWORD = "a long enough password"
NAMES = {"experimenter": "Erin", "analyst": "Anna", "rater": "Rob", "member": "Mia"}


PLAN = {
    "name": "coins",
    "question": "Does it help to be told?",
    "test": "coin",
    "casts": {"guesser": "chance", "told": "stated"},
    "factors": {"flips": [4, 6]},
    "hypotheses": [{"score": "quadratic_score", "compare": ["told", "guesser"], "expect": "greater"}],
    "sessions": 12,
    "seed": 3,
}


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a store with an account of each role, and two runs of the coin on the same items."""
    path = tmp_path_factory.mktemp("lab") / "lab.db"
    with open_store(path) as store:
        for role, name in NAMES.items():
            store.accounts.add(name, password=PASSWORD, role=role)
        make_run(store, "chance")
        make_run(store, "stated")
    return path


def make_run(store: Store, subject: str, *, seed: int | None = 7, sessions: int = 6) -> RunResult:
    """Run the coin."""
    return run("coin", subject, store=store, sessions=sessions, seed=seed, parameters={"flips": 4})


@pytest.fixture(scope="session")
def studied(filled: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give such a store in which a study of the coin was carried out."""
    path = copied(filled, tmp_path_factory.mktemp("studied"))
    with open_store(path) as store:
        conduct(make_study(PLAN), store=store)
    return path


def copied(path: Path, folder: Path) -> Path:
    """Copy a store, so that tests do not see one another."""
    for ending in ("", "-wal", "-shm"):
        if (source := path.with_name(path.name + ending)).exists():
            (folder / source.name).write_bytes(source.read_bytes())
    return folder / path.name


@pytest.fixture
def lab(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[FastAPI]:
    """Give the app over a copy of one of these stores."""
    made: Path = request.getfixturevalue("studied" if "study" in request.fixturenames else "filled")
    copy = copied(made, tmp_path)
    app = create_app(WebSettings(store=str(copy)))
    with TestClient(app) as opened:
        app.state.portal = opened.portal
        yield app


@pytest.fixture
def store(lab: FastAPI) -> Store:
    """Give the store of the app."""
    found: Store = lab.state.laboratory.store
    return found


class Visitor(TestClient):
    """A browser without a screen: keeps cookies, and sends forms as their page would.

    All of them ask in the loop in which the laboratory was started, as they would of a server: a loop and a thread of
    its own for each request took a sixth of the time.
    """

    def __init__(self, app: FastAPI, **options: Any) -> None:
        super().__init__(app, **options)
        self.portal = app.state.portal

    def token(self, path: str = "/lab/login") -> str:
        """Give what a form must carry, as a page has it."""
        found = re.search(r'name="csrf" value="([^"]+)"', self.get(path).text)
        assert found, path
        return found[1]

    def submit(self, path: str, fields: dict[str, Any] | None = None, **more: Any) -> Any:
        """Send a form from a page of ours."""
        page = "/lab/me" if "mensura-login" in self.cookies else "/lab/login"
        return self.post(path, data={"csrf": self.token(page), **(fields or {})}, **more)


@pytest.fixture
def visitor(lab: FastAPI) -> Callable[[str], Visitor]:
    """Give a maker of visitors: logged in as a role, or "nobody"."""

    def make(role: str = "nobody") -> Visitor:
        client = Visitor(lab, follow_redirects=False)
        if role != "nobody":
            store: Store = lab.state.laboratory.store
            account = store.accounts.find(NAMES[role])
            secret, _ = store.keys.give(account, kind="login", seconds=600)
            client.cookies.set("mensura-login", lab.state.laboratory.signer.wrap(secret, purpose="login"))
        return client

    return make


@pytest.fixture
def erin(visitor: Callable[[str], Visitor]) -> Visitor:
    """Give an experimenter who is logged in."""
    return visitor("experimenter")


@pytest.fixture
def anna(visitor: Callable[[str], Visitor]) -> Visitor:
    """Give an analyst who is logged in."""
    return visitor("analyst")


@pytest.fixture
def wait_until() -> Callable[..., Any]:
    """Give a function that waits for something that happens in the background."""

    def wait(condition: Callable[[], Any], seconds: float = 120.0) -> Any:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if found := condition():
                return found
            time.sleep(0.02)
        raise AssertionError("It did not happen in time.")

    return wait


@pytest.fixture
def runs(store: Store) -> tuple[str, str]:
    """Name the run by chance and the run of the stated probabilities."""
    first, second = (head.id for head in store.runs.all()[:2])
    return first, second


@pytest.fixture
def study(store: Store, runs: tuple[str, str]) -> Study:
    """Give a study of the coin that was carried out."""
    return make_study(PLAN)


@pytest.fixture
def password() -> str:
    """Give the password of every account."""
    return PASSWORD


@pytest.fixture
def names() -> dict[str, str]:
    """Say who has which role."""
    return NAMES
