"""A browser that is closed for an hour: nothing is lost, the mail of the hour lies there, and work goes on."""

import json
import re

import pytest
from starlette.testclient import TestClient

from mensura.store import open_store
from mensura.web.app import create_app
from mensura.web.participant.invitation import invite
from mensura.web.settings import WebSettings

HOUR = 3600.0


@pytest.fixture
def link(tmp_path):
    parameters = {"condition": "cots", "package": "crisis-1", "minutes": 240}
    with open_store(tmp_path / "lab.db") as store:
        return invite("crisis", store=store, sessions=1, seed=1, parameters=parameters)[1][0]


def act(person, path, call, **arguments):
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', person.get(path).text))
    answer = json.dumps({"call": call, "arguments": arguments})
    return person.post(f"{path}/answer", data={**fields, "answer": answer, "shown": "1"})


def test_after_an_hour_everything_is_there_and_the_mail_has_come(tmp_path, link, monkeypatch):
    import time

    now = time.time
    with TestClient(create_app(WebSettings(store=str(tmp_path / "lab.db")))) as person:
        assert act(person, link.path, "note", text="Ask for the hall.").status_code == 200
        before = person.get(f"{link.path}.json").json()["prompt"]["office"]
    # The server was restarted meanwhile: all of it comes from the store.
    monkeypatch.setattr(time, "time", lambda: now() + HOUR)
    with TestClient(create_app(WebSettings(store=str(tmp_path / "lab.db")))) as person:
        assert act(person, link.path, "wait", seconds=0).status_code == 200
        view = person.get(f"{link.path}.json").json()
        after = view["prompt"]["office"]
        assert view["kind"] == "ask"
        assert view["clock"] >= HOUR
        assert "Ask for the hall." in json.dumps(after["notes"])
        assert after["place"] == before["place"]
        assert len(after["mailbox"]) > len(before["mailbox"]) + 30
        assert act(person, link.path, "brief", text="I was away.").status_code == 200
        assert person.get(f"{link.path}.json").json()["prompt"]["office"]["briefing"] == "I was away."
