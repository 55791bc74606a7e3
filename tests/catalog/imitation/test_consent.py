"""Consent and debriefing: people read that they may be deceived before they agree, and the truth when it is over."""

import re

import pytest
from starlette.testclient import TestClient

from mensura.catalog.imitation.dialogue import CONSENT, DEBRIEFING, imitation
from mensura.dialogue import Instance, Session
from mensura.store import open_store
from mensura.web.app import create_app
from mensura.web.lab.people.invitation import InvitationPlan, invite
from mensura.web.settings import WebSettings
from tests.catalog.imitation.games import judge

CAST = {"machine": "eliza", "human": "parrot", "judge": "human"}


@pytest.fixture
def person(tmp_path):
    url = f"{tmp_path}/mensura.db"
    with open_store(url) as store:
        plan = InvitationPlan("imitation-v1", cast=CAST, parameters={"messages": 1, "delays": False})
        path = invite(plan, store=store, created_by="").links[0].path
    with TestClient(create_app(WebSettings(store=url)), base_url="http://testserver") as client:
        yield client, path


def sent(client, path, **fields):
    """Send the first form of the page; returns what is seen then."""
    page = client.get(path).text
    form = re.search(r'<form[^>]*action="([^"]*)".*?</form>', page, re.S)
    hidden = dict(re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', form[0]))
    client.post(form[1], data={**hidden, **fields})
    return client.get(f"{path}.json").json()


def test_nobody_plays_before_they_agreed_that_they_may_be_deceived(person):
    client, path = person
    assert client.get(f"{path}.json").json()["kind"] == "consent"
    seen = sent(client, path, agree="yes")
    assert (seen["kind"], seen["prompt"]) == ("consent", CONSENT)
    assert "You may be deceived" in seen["prompt"]
    assert sent(client, path)["kind"] == "consent"
    assert sent(client, path, agree="yes")["kind"] not in ("consent", "over")


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_debriefing_tells_who_was_who_and_that_answers_can_be_withdrawn(seed):
    session = Session(Instance(imitation, imitation.fill({"messages": 1, "delays": False}), seed))
    session.start()
    asking = judge()
    while session.status == "open":
        role, ask = next(iter(session.open.items()))
        session.answer(asking(ask) if role == "judge" else "Yes.", role=role, tick=session.clock.now + 1)
    truth = session.drain_truths()["verdict"]
    assert f"{truth} was the woman" in session.outcome.prompt
    assert session.outcome.prompt.endswith(DEBRIEFING)
    assert "withdraw" in DEBRIEFING
