"""The page of panels: a rater sees their own work, and not what is compared."""

import pytest
from starlette.testclient import TestClient

from mensura.running.panel import Artefact, Rater, assign, open_panel, rate
from mensura.store.accounts import Accounts
from mensura.store.keys import Keys

RUBRIC = {"scale": 5, "items": [{"key": "clear", "text": "It is clear."}]}


@pytest.fixture
def shown(app, store):
    """Give what an account of a role sees of two panels, on the page and as JSON."""
    artefacts = [Artefact.from_text(f"Text {i}.", condition=f"condition-{i % 2}") for i in range(4)]
    for name, raters in {"drilled-or-plain": ("rob", "ann"), "others": ("ann", "bob")}.items():
        open_panel(name, artefacts, rubric=RUBRIC, store=store)
        assign(name, [Rater(rater, "constant:3") for rater in raters], store=store)
    rate("drilled-or-plain", store=store)

    def look(name, role):
        account = Accounts(store).add(name, password="a long enough password", role=role)
        token, _ = Keys(store).give(account, kind="token", seconds=60)
        client = TestClient(app, headers={"Authorization": f"Bearer {token}"})
        return client.get("/lab/panels").text, client.get("/lab/panels.json").json()["panels"]

    return look


def test_a_rater_sees_their_own_work_without_the_name_of_the_panel(shown):
    page, rows = shown("rob", "rater")
    assert rows == [{"name": "Rating 1", "artefacts": 4, "rated": 4}]
    assert "Rating 1" in page
    assert not [secret for secret in ("drilled", "others", "condition-") if secret in page]


def test_an_experimenter_sees_the_panels_by_name(shown):
    page, rows = shown("erin", "experimenter")
    assert [row["name"] for row in rows] == ["drilled-or-plain", "others"]
    assert "condition-" not in page
