"""A server that is killed with -9 under an open page: the page goes on by itself when the server is back."""

import pytest

from mensura.store import open_store
from mensura.web.participant.invitation import invite

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_a_page_survives_the_death_of_its_server(browser, server, tmp_path):
    with open_store(tmp_path / "mensura.db") as store:
        link = invite("coin", store=store, seed=1, parameters={"flips": 3})[1][0]
        context = browser.new_context()
        page = context.new_page()
        page.goto(server.home + link.path)
        page.wait_for_selector("main[data-ready]")
        server.kill()
        page.fill("input[name=answer]", "70")
        page.keyboard.press("Enter")
        page.wait_for_selector("#status:has-text('will be sent again')")
        server.start()
        page.wait_for_selector('main[data-ready] [data-key="coin1"]')
        page.fill("input[name=answer]", "20")
        page.keyboard.press("Enter")
        page.wait_for_selector('main[data-ready] [data-key="coin2"]')
        context.close()
        assert [event.value for event in store.events.of(link.session) if event.kind == "answer"] == [0.7, 0.2]
