"""`mensura serve` with real processes: killed with -9, it goes on, and nothing acknowledged is lost or doubled."""

import re

import httpx
import pytest

from mensura.store import open_store
from mensura.web.participant.invitation import invite


def form_of(page):
    return dict(re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', page.text))


@pytest.mark.slow
def test_a_server_that_is_killed_goes_on_with_the_same_form(tmp_path, server):
    with open_store(tmp_path / "mensura.db") as store:
        link = invite("coin", store=store, seed=1, parameters={"flips": 6})[1][0]
        with httpx.Client(follow_redirects=True, timeout=120) as client:
            page = client.get(server.home + link.path)
            for kill in range(2):
                before = form_of(page)
                page = client.post(f"{server.home}{link.path}/answer", data={**before, "answer": "50"})
                after = form_of(page)
                server.kill()
                server.start()
                # The very form that was shown before the kill is still good, and a retry of the one before is known.
                retry = client.post(f"{server.home}{link.path}/answer", data={**before, "answer": "90"})
                assert retry.status_code == 200
                page = client.post(f"{server.home}{link.path}/answer", data={**after, "answer": "25"})
                assert page.status_code == 200, kill
        given = [event.value for event in store.events.of(link.session) if event.kind == "answer"]
        assert given == [0.5, 0.25, 0.5, 0.25]


@pytest.mark.slow
def test_serving_says_how_to_make_the_first_account_and_writes_no_links(tmp_path, server):
    with open_store(tmp_path / "mensura.db") as store:
        link = invite("coin", store=store)[1][0]
    assert httpx.get(server.home + link.path).status_code == 200
    server.stop()
    said = server.process.stderr.read()
    assert "mensura account add NAME" in said
    assert link.token not in said
