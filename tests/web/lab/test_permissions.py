"""Who may see and do what: every route, for every role and for nobody."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fastapi.routing import APIRoute
from starlette.routing import BaseRoute

from mensura.web.api import changing, reading
from mensura.web.lab.routes import PARTS

ALL = {"experimenter", "analyst", "rater", "member"}
BOTH = {"experimenter", "analyst"}
ONE = {"experimenter"}

# Written by hand and apart from the table in the program, so that a slip there is seen here.
PAGES: dict[tuple[str, str], set[str]] = {
    ("GET", "/lab"): BOTH,
    ("GET", "/lab/live"): BOTH,
    ("GET", "/lab/tests"): BOTH,
    ("GET", "/lab/tests/{test:path}"): BOTH,
    ("POST", "/lab/runs"): ONE,
    ("GET", "/lab/runs"): BOTH,
    ("GET", "/lab/runs/{run}"): BOTH,
    ("GET", "/lab/runs/{run}/progress"): BOTH,
    ("GET", "/lab/runs/{run}/results"): BOTH,
    ("GET", "/lab/runs/{run}/results/part"): BOTH,
    ("GET", "/lab/runs/{run}/figures/{score}.svg"): BOTH,
    ("POST", "/lab/runs/{run}/resume"): ONE,
    ("GET", "/lab/runs/{run}/sessions/{address}"): BOTH,
    ("GET", "/lab/runs/{run}/sessions/{address}/playback"): BOTH,
    ("GET", "/lab/runs/{run}/sessions/{address}/playback/part"): BOTH,
    ("GET", "/lab/compare"): BOTH,
    ("GET", "/lab/compare/figure.svg"): BOTH,
    ("GET", "/lab/items"): BOTH,
    ("GET", "/lab/items/{item}"): BOTH,
    ("GET", "/lab/calibration"): BOTH,
    ("GET", "/lab/studies"): BOTH,
    ("GET", "/lab/studies/new"): ONE,
    ("POST", "/lab/studies/new"): ONE,
    ("POST", "/lab/studies/new/check"): ONE,
    ("POST", "/lab/studies/dry-runs"): ONE,
    ("GET", "/lab/studies/dry-runs/{rehearsal}"): ONE,
    ("GET", "/lab/studies/dry-runs/{rehearsal}/progress"): ONE,
    ("GET", "/lab/studies/dry-runs/{rehearsal}/export"): ONE,
    ("GET", "/lab/studies/{study}"): BOTH,
    ("GET", "/lab/studies/{study}/export"): BOTH,
    ("GET", "/lab/studies/{study}/archive"): BOTH,
    ("POST", "/lab/studies/register"): ONE,
    ("POST", "/lab/studies/{study}/start"): ONE,
    ("GET", "/lab/studies/import"): ONE,
    ("POST", "/lab/studies/import"): ONE,
    ("GET", "/lab/studies/{study}/amend"): ONE,
    ("POST", "/lab/studies/{study}/amend"): ONE,
    ("GET", "/lab/studies/{study}/people"): ONE,
    ("GET", "/lab/studies/{study}/people/live"): ONE,
    ("POST", "/lab/studies/{study}/people"): ONE,
    ("POST", "/lab/studies/{study}/invitations"): ONE,
    ("POST", "/lab/studies/{study}/enrol"): ONE,
    ("POST", "/lab/studies/{study}/replace"): ONE,
    ("POST", "/lab/studies/{study}/recruiting"): ONE,
    ("GET", "/lab/studies/{study}/panels"): ONE,
    ("POST", "/lab/studies/{study}/panels"): ONE,
    ("GET", "/lab/studies/{study}/members"): ONE,
    ("POST", "/lab/studies/{study}/members"): ONE,
    ("POST", "/lab/studies/{study}/members/remove"): ONE,
    ("GET", "/lab/observe"): ONE,
    ("GET", "/lab/observe/{study}"): ONE,
    ("GET", "/lab/observe/{study}/live"): ONE,
    ("GET", "/lab/observe/{study}/{number}"): ONE,
    ("POST", "/lab/observe/{study}/{number}"): ONE,
    ("GET", "/lab/exclusions"): BOTH,
    ("GET", "/lab/exclusions.csv"): BOTH,
    ("POST", "/lab/runs/{run}/exclusions"): BOTH,
    ("GET", "/lab/runs/{run}/export"): BOTH,
    ("GET", "/lab/identities.csv"): ONE,
    ("GET", "/lab/identities"): ONE,
    ("POST", "/lab/identities"): ONE,
    ("GET", "/lab/invitations"): ONE,
    ("GET", "/lab/invitations/live"): ONE,
    ("POST", "/lab/invitations"): ONE,
    ("POST", "/lab/invitations/{number}/close"): ONE,
    ("POST", "/lab/invitations/{number}/extend"): ONE,
    ("GET", "/lab/invitations/{number}/erase"): ONE,
    ("POST", "/lab/invitations/{number}/erase"): ONE,
    ("GET", "/lab/audit"): ONE,
    ("GET", "/lab/accounts"): ONE,
    ("POST", "/lab/accounts"): ONE,
    ("POST", "/lab/accounts/{name}/disabled"): ONE,
    ("POST", "/lab/accounts/{name}/reset"): ONE,
    ("POST", "/lab/accounts/{name}/second-factor"): ONE,
    ("POST", "/lab/me/second-factor"): ALL,
    ("POST", "/lab/me/second-factor/confirm"): ALL,
    ("POST", "/lab/me/second-factor/off"): ALL,
    ("GET", "/lab/me"): ALL,
    ("POST", "/lab/me/password"): ALL,
    ("POST", "/lab/me/tokens"): ALL,
    ("POST", "/lab/me/tokens/{number}/end"): ALL,
    ("GET", "/lab/pages/{page}"): ONE,
    ("POST", "/lab/pages/{page}"): ONE,
    ("GET", "/lab/panels"): {"experimenter", "rater"},
    ("POST", "/lab/panels/work"): {"experimenter", "rater"},
    ("POST", "/lab/panels/links"): ONE,
    ("POST", "/lab/panels/close"): ONE,
    ("GET", "/lab/panels/{panel}/export"): ONE,
}
OPEN = {
    ("GET", "/lab/login"),
    ("POST", "/lab/login"),
    ("POST", "/lab/login/code"),
    ("POST", "/lab/logout"),
    ("GET", "/lab/reset/{secret}"),
    ("POST", "/lab/reset/{secret}"),
}
REHEARSAL = "0123456789abcdef"
API: dict[tuple[str, str], set[str]] = {
    ("GET", "/me"): ALL,
    ("GET", "/tests"): BOTH,
    ("GET", "/tests/{test:path}"): BOTH,
    ("GET", "/runs"): BOTH,
    ("POST", "/runs"): ONE,
    ("GET", "/runs/{run}"): BOTH,
    ("GET", "/runs/{run}/sessions"): BOTH,
    ("GET", "/runs/{run}/sessions/{address}"): BOTH,
    ("GET", "/runs/{run}/sessions/{address}/events"): BOTH,
    ("GET", "/runs/{run}/results"): BOTH,
    ("GET", "/runs/{run}/exclusions"): BOTH,
    ("POST", "/runs/{run}/exclusions"): BOTH,
    ("POST", "/runs/{run}/resume"): ONE,
    ("GET", "/runs/{run}/export"): BOTH,
    ("GET", "/compare"): BOTH,
    ("GET", "/invitations"): ONE,
    ("POST", "/invitations"): ONE,
    ("POST", "/invitations/{number}/close"): ONE,
    ("GET", "/audit"): ONE,
}


@pytest.fixture
def rehearsal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let there be a dry run that is under way."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    folder = tmp_path / f"mensura-dry-runs-{os.getuid()}" / REHEARSAL
    folder.parent.mkdir(mode=0o700)
    folder.mkdir()
    (folder / "state.json").write_text('{"study": "coins", "total": 4}')


def found(routes: list[BaseRoute]) -> set[tuple[str, str]]:
    """Name the methods and addresses of routes, without the twins."""
    return {
        (method, route.path)
        for route in routes
        if isinstance(route, APIRoute) and not route.path.endswith(".json")
        for method in route.methods
    }


def twins() -> list[str]:
    return sorted(
        route.path
        for part in PARTS
        for route in part.router.routes
        if isinstance(route, APIRoute) and route.path.endswith(".json")
    )


def filled_in(path: str, run: str) -> str:
    """Put names into an address; those of things that are there, except what would be changed."""
    for name, value in (
        ("{run}", run),
        ("{test:path}", "coin-v1"),
        ("{page}", "task-builder"),
        ("{address}", "0.0.0"),
        ("{score}", "quadratic_score"),
        ("{number}", "9999"),
        ("{name}", "Nobody"),
        ("{study}", "coins"),
        ("{panel}", "none"),
        ("{rehearsal}", REHEARSAL),
        ("{item}", "nothing"),
    ):
        path = path.replace(name, value)
    if path.removesuffix(".json").endswith(("/items/nothing", "/calibration")):
        path += f"?run={run}"
    if path.endswith("figure.svg"):
        path += f"?first={run}&second={run}&score=quadratic_score"
    return path


def test_every_route_is_in_the_table_of_this_test() -> None:
    assert found([route for part in PARTS for route in part.router.routes]) == set(PAGES) | OPEN
    assert found([*reading.router.routes, *changing.router.routes]) == set(API)


def test_every_page_for_people_has_a_twin_for_programs() -> None:
    parts = ("/live", "/part", "/progress", ".svg", ".csv", "/export", "/archive", "/erase")
    expected = {path for method, path in PAGES if method == "GET" and not path.endswith(parts)}
    assert {path.removesuffix(".json") for path in twins()} == expected


@pytest.mark.parametrize("role", ["experimenter", "analyst", "rater", "member", "nobody"])
@pytest.mark.usefixtures("study", "rehearsal")
def test_pages_are_for_those_who_may(role: str, visitor: Callable[[str], Any], runs: tuple[str, str]) -> None:
    client = visitor(role)
    token = client.token("/lab/login" if role == "nobody" else "/lab/me")
    for (method, path), roles in PAGES.items():
        address = filled_in(path, runs[0])
        answer = client.get(address) if method == "GET" else client.post(address, data={"csrf": token})
        where = f"{role} {method} {address}: {answer.status_code}"
        if role == "nobody":
            assert answer.status_code == 303, where
            assert answer.headers["location"].startswith("/lab/login"), where
        elif role in roles:
            assert answer.status_code not in (401, 403), where
            assert not answer.headers.get("location", "").startswith("/lab/login"), where
        else:
            assert answer.status_code == 403, where
            assert f"logged in as {'an' if role == 'analyst' else 'a'} {role}" in answer.text


@pytest.mark.parametrize("role", ["experimenter", "analyst", "rater", "member", "nobody"])
@pytest.mark.usefixtures("study", "rehearsal")
def test_twins_are_for_those_who_may_see_the_page(
    role: str, visitor: Callable[[str], Any], runs: tuple[str, str]
) -> None:
    client = visitor(role)
    for path in twins():
        answer = client.get(filled_in(path, runs[0]))
        roles = PAGES["GET", path.removesuffix(".json")]
        # Nobody is invited to the study of this test, and no item is called so.
        there = 404 if path.startswith(("/lab/observe/", "/lab/items/")) else 200
        expected = 401 if role == "nobody" else there if role in roles else 403
        assert answer.status_code == expected, f"{role} {path}: {answer.status_code}"
        assert answer.headers["content-type"].startswith("application/json")
        assert ("error" in answer.json()) == (expected != 200)


@pytest.mark.parametrize("role", ["experimenter", "analyst", "rater", "member", "nobody"])
def test_the_interface_is_for_those_who_may(
    role: str, lab: Any, visitor: Callable[[str], Any], runs: tuple[str, str], names: dict[str, str]
) -> None:

    client, headers = visitor("nobody"), {}
    if role != "nobody":
        store = lab.state.laboratory.store
        secret, _ = store.keys.give(store.accounts.find(names[role]), kind="token", seconds=60)
        headers = {"Authorization": f"Bearer {secret}"}
    for (method, path), roles in API.items():
        address = f"/api/v1{filled_in(path, runs[0])}"
        answer = client.request(method, address, headers=headers, json={} if method == "POST" else None)
        where = f"{role} {method} {address}: {answer.status_code}"
        if role == "nobody":
            assert answer.status_code == 401, where
        elif role in roles:
            assert answer.status_code not in (401, 403), where
        else:
            assert answer.status_code == 403, where
            assert "is for" in answer.json()["error"]


@pytest.mark.parametrize("number", ["9" * 23, "9" * 5000, "-1"])
def test_a_number_that_no_address_has_is_not_found(erin: Any, store: Any, number: str) -> None:
    token = erin.token("/lab/me")
    secret, _ = store.keys.give(store.accounts.find("Erin"), kind="token", seconds=60)
    headers = {"Authorization": f"Bearer {secret}"}
    answers = [
        erin.request(
            method,
            prefix + path.replace("{study}", "coins").replace("{number}", number),
            headers=headers if prefix else {},
            data={"csrf": token} if method == "POST" and not prefix else None,
        )
        for prefix, table in (("", PAGES), ("/api/v1", API))
        for method, path in table
        if "{number}" in path
    ]
    assert len(answers) == 8
    assert {(answer.status_code, str(answer.url)[:80]) for answer in answers if answer.status_code != 404} == set()
    assert all("Not found" in answer.text or "error" in answer.json() for answer in answers)


def test_no_form_is_taken_from_elsewhere(erin: Any, runs: tuple[str, str], store: Any) -> None:
    erin.get("/lab/me")
    before = len(store.trail.lines())
    for path in [path for method, path in (*PAGES, *OPEN) if method == "POST"]:
        for data in ({}, {"csrf": "forged"}):
            answer = erin.post(filled_in(path, runs[0]), data=data)
            assert answer.status_code == 403, path
            assert "nothing was changed" in answer.text, path
        assert len(store.trail.lines()) == before, path
    assert erin.get("/lab/me").status_code == 200
