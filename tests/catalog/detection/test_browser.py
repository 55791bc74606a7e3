"""A person browses the evidence and assembles a hypothesis in the browser."""

import shutil

import pytest

from mensura.catalog.detection.dialogue import detection
from mensura.catalog.detection.prompts import Briefing, Reports
from mensura.catalog.detection.space import ATTACK, Hypotheses
from mensura.dialogue import prompt_data
from mensura.running.take import take

PARAMETERS = {"individuals": 120, "days": 90, "batch_days": 60, "clutter_per_individual": 4.0}


def test_prompts_and_space_are_drawn_without_a_script():
    rendering = pytest.importorskip("mensura.web.rendering", reason="the web pages are not installed")
    shown = []

    class Reader:
        def feedback(self, told):
            shown.append(told.prompt)

        def __call__(self, ask):
            shown.append(ask.prompt)
            return []

    take(detection, Reader(), seed=3, parameters=PARAMETERS)
    briefing = next(each for each in shown if isinstance(each, Briefing))
    reports = next(each for each in shown if isinstance(each, Reports))
    assert "acquire-resource" in rendering.show(prompt_data(briefing))
    assert rendering.show(prompt_data(reports)).count("<tr>") == 1 + len(reports.rows)
    field = rendering.control(Hypotheses(10, 3, 4, 90).data(), given={"answer": "[<b>]"})
    assert "[&lt;b&gt;]" in field
    assert 'name="answer"' in field


@pytest.fixture
def page():
    tools = pytest.importorskip("playwright.sync_api", reason="playwright drives the browser")
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("Chromium is not installed")
    with tools.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = opened.new_page(viewport={"width": 1280, "height": 1000})
        problems = []
        page.on("pageerror", lambda problem: problems.append(str(problem)))
        yield page
        opened.close()
        assert problems == []


def answer(page):
    """Press Answer and wait until the next step is shown."""
    number = page.get_attribute("[data-ask]", "data-ask")
    page.locator("form[data-answer] button.primary").click()
    page.wait_for_function('(number) => !document.querySelector(`[data-ask="${number}"]`)', arg=number)


@pytest.mark.browser
def test_a_person_searches_looks_at_the_network_and_reports_an_attack(tmp_path, page):
    local = pytest.importorskip("mensura.web.local", reason="the web pages are not installed")
    from mensura.store import open_store
    from mensura.web.inviting import Frame, invite
    from mensura.web.settings import WebSettings

    url = f"sqlite:///{tmp_path / 'lab.db'}"
    with open_store(url) as store, local.served(WebSettings(store=store.url)) as home:
        _, (link,) = invite(detection, "human", store=store, seed=3, parameters=PARAMETERS, frame=Frame())
        page.goto(home + link.path)
        page.wait_for_selector(".dt-tools:not([hidden])")
        first = page.locator(".dt-table tbody tr").count()
        assert first > 10
        page.locator(".dt-table tbody td:nth-child(5) button").first.click()
        name = page.locator(".dt-search").input_value()
        assert page.locator(".dt-centre").inner_text() == name
        assert page.locator(".dt-timeline circle").count() > 0
        assert page.locator(".dt-network g").count() >= 1
        answer(page)
        page.wait_for_selector(".dt-builder:not([hidden])")
        assert "so far" in page.locator(".dt-count").inner_text()
        page.fill('[data-part="targetInExploitation"]', "T1")
        page.fill('[data-part="startingDate"]', "soon")
        page.click(".dt-add")
        assert "not a number" in page.locator(".dt-note").inner_text()
        page.fill('[data-part="startingDate"]', "12")
        page.fill('[data-part="deliberateActors"]', "I4, I9")
        page.click(".dt-add")
        assert page.locator(".dt-list li").count() == 1
        answer(page)
        record = store.record(link.session)
    assert record.given()["hypotheses"] == [
        {
            "type": ATTACK,
            "uid": "attack-1",
            "targetInExploitation": "T1",
            "startingDate": 12,
            "deliberateActors": ["I4", "I9"],
        }
    ]
