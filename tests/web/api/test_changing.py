"""Changing by programs: runs started, people invited, links closed, sessions left out; cookies need a page's word."""

import io
import re
import time
import zipfile
from typing import Any

import pytest


def test_a_run_is_started_and_can_be_watched(served: Any) -> None:
    answer = served.post("/runs", {"test": "coin", "sessions": 3, "parameters": {"flips": 2}, "seed": 9})
    assert answer.status_code == 202
    run = answer.json()["id"]
    end = time.monotonic() + 120
    while served.get(f"/runs/{run}").json()["done"] < 3 and time.monotonic() < end:
        time.sleep(0.02)
    facts = served.get(f"/runs/{run}").json()
    assert (facts["sessions"], facts["seed"], facts["parameters"]) == ({"finished": 3}, "9", {"flips": 2})
    assert ("the experimenter", "started a run", run) in [
        (line["who"], line["did"], line["what"]) for line in served.get("/audit").json()
    ]


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        ({"test": "nothing"}, 404, "There is no test called 'nothing'"),
        ({"test": "coin", "subject": "./mine.py:respond"}, 422, "others are started from the command line"),
        ({"test": "coin", "sessions": 1001}, 422, "body.sessions is not right"),
        ({"test": "coin", "sessions": "3"}, 422, "body.sessions is not right"),
        ({"test": "coin", "flips": 3}, 422, "body.flips is not right"),
        ({"test": "coin", "parameters": {"flips": "x"}}, 422, "takes a whole number"),
        ({"test": "coin", "cast": {"nobody": "chance"}}, 422, "There is no role nobody"),
        ({}, 422, "body.test is not right"),
        (None, 422, "body is not right"),
    ],
)
def test_a_run_that_cannot_be_is_refused_and_nothing_is_written(
    served: Any, body: Any, status: int, words: str
) -> None:
    before = len(served.store.runs.all())
    answer = served.post("/runs", body)
    assert answer.status_code == status
    assert words in answer.json()["error"]
    assert len(served.store.runs.all()) == before


@pytest.mark.parametrize("levels", [150, 5000])
def test_a_body_that_is_nested_too_deeply_is_refused_in_a_sentence(served: Any, levels: int) -> None:
    body = '{"test": "coin", "parameters": {"flips": ' + "[" * levels + "]" * levels + "}}"
    headers = {**served.headers("experimenter"), "content-type": "application/json"}
    answer = served.client.post("/api/v1/runs", content=body, headers=headers)
    assert answer.status_code == 422
    assert "This is not JSON: it is nested more than 100 levels deep" in answer.json()["error"]


def test_people_are_invited_and_their_links_are_told_once(served: Any) -> None:
    answer = served.post("/invitations", {"test": "coin", "count": 2, "label": "pilot", "condition": "hints"})
    assert answer.status_code == 201
    links = answer.json()["links"]
    assert [link["label"] for link in links] == ["pilot 1", "pilot 2"]
    path = re.sub(r"^http://[^/]+", "", links[0]["url"])
    assert served.client.get(path).status_code == 200
    rows = served.get("/invitations?limit=2").text
    assert path.rpartition("/")[2] not in rows
    number = links[0]["number"]
    assert served.post(f"/invitations/{number}/close").json()["status"] == "closed"
    assert served.client.get(f"{path}.json").json()["kind"] == "expired"
    assert served.post("/invitations/99999/close").status_code == 404
    assert served.post("/invitations", {"test": "coin", "consent": " "}).status_code == 422


def test_a_condition_is_not_called_by_a_setting_that_it_does_not_have(served: Any) -> None:
    answer = served.post("/invitations", {"test": "coin", "condition": "short"})
    assert answer.status_code == 422
    assert "short is a setting of this test" in answer.json()["error"]
    assert served.post("/invitations", {"test": "coin", "condition": "short", "setting": "short"}).status_code == 201


def test_sessions_are_left_out_and_taken_in_again(served: Any) -> None:
    name = served.runs[1]
    body = {"sessions": ["0.0.1", "0.0.1"], "reason": "Fire alarm."}
    ledger = served.post(f"/runs/{name}/exclusions", body, role="analyst").json()
    assert [(one["session"], one["who"], one["planned"]) for one in ledger] == [(f"{name}/0.0.1", "the analyst", False)]
    assert served.post(f"/runs/{name}/exclusions", {**body, "rule": "fast"}).status_code == 422
    assert served.get(f"/runs/{name}/results").json()["excluded"] == 1
    assert served.get(f"/runs/{name}/sessions/0.0.1").json()["excluded"] == "Fire alarm."
    served.post(f"/runs/{name}/exclusions", {**body, "decision": "include"})
    assert len(served.get(f"/runs/{name}/exclusions").json()) == 2
    for wrong in ({**body, "reason": ""}, {**body, "reason": "  "}, {**body, "sessions": []}):
        assert served.post(f"/runs/{name}/exclusions", wrong).status_code == 422
    assert served.post(f"/runs/{name}/exclusions", {**body, "sessions": ["0.0.77"]}).status_code == 404
    assert len(served.store.exclusions.ledger(name)) == 2


def test_a_run_of_people_is_not_resumed(served: Any) -> None:
    answer = served.post(f"/runs/{served.people}/resume")
    assert answer.status_code == 422
    assert "send each person their link again" in answer.json()["error"]


def test_a_run_is_exported(served: Any) -> None:
    answer = served.get(f"/runs/{served.runs[0]}/export?format=csv", role="analyst")
    assert answer.headers["content-type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert f"{served.runs[0]}/answers.csv" in archive.namelist()
    assert served.get(f"/runs/{served.runs[0]}/export?seeds=true", role="analyst").status_code == 403
    assert served.get(f"/runs/{served.people}/export?format=zip").status_code == 409


def test_the_cookie_of_a_browser_changes_nothing_without_the_word_of_a_page(served: Any) -> None:
    store, client = served.store, served.client
    secret, _ = store.keys.give(store.accounts.find("the experimenter"), kind="login", seconds=60)
    signer = served.app.state.laboratory.signer
    try:
        client.cookies.set("mensura-login", signer.wrap(secret, purpose="login"))
        assert client.get("/api/v1/me").json()["name"] == "the experimenter"
        body = {"test": "coin", "count": 1}
        before = len(store.trail.lines())
        assert client.post("/api/v1/invitations", json=body).status_code == 403
        assert client.post("/api/v1/invitations", json=body, headers={"X-CSRF-Token": "guess"}).status_code == 403
        # A header that is no token does not make the cookie count for one.
        assert client.post("/api/v1/invitations", json=body, headers={"Authorization": "x"}).status_code == 401
        assert len(store.trail.lines()) == before
        found = re.search(r'name="csrf" value="([^"]+)"', client.get("/lab/me").text)
        assert found
        assert client.post("/api/v1/invitations", json=body, headers={"X-CSRF-Token": found[1]}).status_code == 201
    finally:
        client.cookies.clear()


def test_an_address_says_which_methods_it_takes(served: Any) -> None:
    for path, methods in (("/runs", "GET, POST"), ("/invitations", "GET, POST"), ("/me", "GET")):
        answer = served.client.put(f"/api/v1{path}")
        assert (answer.status_code, answer.headers["allow"]) == (405, methods)
        assert answer.json()["error"]
