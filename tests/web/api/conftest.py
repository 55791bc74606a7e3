"""A laboratory with a run of programs that is over, one that people have yet to take, and a token for every role."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from mensura.running.run import run
from mensura.store import Store, open_store
from mensura.store.people.accounts import ROLES
from mensura.web.app import create_app
from mensura.web.lab.people.invitation import InvitationPlan, invite
from mensura.web.settings import WebSettings

PASSWORD = "a long enough password"


@dataclass
class Served:
    """A laboratory that programs talk to."""

    app: FastAPI
    client: TestClient
    runs: tuple[str, str]
    people: str
    tokens: dict[str, str] = field(default_factory=dict)

    @property
    def store(self) -> Store:
        """The store behind it."""
        found: Store = self.app.state.laboratory.store
        return found

    def headers(self, role: str) -> dict[str, str]:
        """Give what a program of this role sends along."""
        return {"Authorization": f"Bearer {self.tokens[role]}"} if role in self.tokens else {}

    def get(self, path: str, role: str = "experimenter", **more: Any) -> Any:
        """Ask as a role."""
        return self.client.get(f"/api/v1{path}", headers=self.headers(role), **more)

    def post(self, path: str, body: Any = None, role: str = "experimenter", **more: Any) -> Any:
        """Send JSON as a role."""
        return self.client.post(f"/api/v1{path}", json=body, headers=self.headers(role), **more)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve a small laboratory for all tests of a file."""
    path: Path = tmp_path_factory.mktemp("api") / "api.db"
    with open_store(path) as store:
        heads = [
            run("coin", subject, store=store, sessions=4, seed=3, parameters={"flips": 3}).head.id
            for subject in ("chance", "stated")
        ]
        people = invite(InvitationPlan("coin", count=2), store=store, created_by="Erin").run.id
        tokens = {}
        for role in ROLES:
            account = store.accounts.add(f"the {role}", password=PASSWORD, role=role)
            tokens[role] = store.keys.give(account, kind="token", seconds=3600)[0]
    app = create_app(WebSettings(store=str(path)))
    with TestClient(app) as client:
        yield Served(app, client, (heads[0], heads[1]), people, tokens)
