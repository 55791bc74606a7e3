"""A person browses the evidence and assembles a hypothesis in the browser."""

import pytest

from mensura.catalog.detection.dialogue import detection
from mensura.catalog.detection.patrol.acts import acts
from mensura.catalog.detection.patrol.dialogue import patrol
from mensura.catalog.detection.prompts import Dossier, Reports
from mensura.catalog.detection.space import ATTACK, Hypotheses
from mensura.dialogue import prompt_data
from mensura.running.take import take

PATROL = {"individuals": 120, "days": 90, "step_days": 20, "clutter_per_individual": 4.0}
PARAMETERS = {"individuals": 120, "days": 90, "batch_days": 60, "clutter_per_individual": 4.0}


def test_prompts_and_space_are_drawn_without_a_script():
    rendering = pytest.importorskip("mensura.web.drawing.prompt", reason="the web pages are not installed")
    shown = []

    class Reader:
        def feedback(self, told):
            shown.append(told.prompt)

        def __call__(self, ask):
            shown.append(ask.prompt)
            return []

    take(detection, Reader(), seed=3, parameters=PARAMETERS)
    briefing = next(each for each in shown if isinstance(each, Dossier))
    reports = next(each for each in shown if isinstance(each, Reports))
    assert "acquire-resource" in rendering.show(prompt_data(briefing))
    assert rendering.show(prompt_data(reports)).count("<tr>") == 1 + len(reports.rows)
    field = rendering.control(Hypotheses(10, 3, 4, 90).data(), given={"answer": "[<b>]"})
    assert "[&lt;b&gt;]" in field
    assert 'name="answer"' in field


@pytest.fixture
def page(chromium):
    with chromium.new_context(viewport={"width": 1280, "height": 1000}) as context:
        page = context.new_page()
        problems = []
        page.on("pageerror", lambda problem: problems.append(str(problem)))
        yield page
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
    from mensura.web.participant.invitation import Frame, invite
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
        page.get_by_role("button", name="actor", exact=True).click()
        assert page.input_value('[data-part="deliberateActors"]') == name
        page.fill('[data-part="targetInExploitation"]', "T2")
        page.click(".dt-add")
        answer(page)
        page.wait_for_selector(".dt-builder:not([hidden])")
        assert "so far" in page.locator(".dt-count").inner_text()
        page.fill(".dt-search", name)
        assert page.locator(".dt-table tbody tr").count() > 0, "reports of the first batch are still there"
        page.locator("summary", has_text="What is known of this world").click()
        assert page.locator("summary", has_text="event patterns").is_visible()
        page.locator("summary", has_text="Targets, and what it takes").click()
        assert page.locator(".dt-destructive").first.is_visible()
        page.fill('[data-part="targetInExploitation"]', "T1")
        page.fill('[data-part="startingDate"]', "soon")
        page.click(".dt-add")
        assert "not a number" in page.locator(".dt-note").inner_text()
        page.fill('[data-part="startingDate"]', "12")
        page.fill('[data-part="deliberateActors"]', "I4, I9")
        page.fill('[data-part="confidence"]', "0.8")
        page.click(".dt-add")
        assert "Do you mean 0.8 % or 80 %?" in page.locator(".dt-note").inner_text()
        page.get_by_role("button", name="80 %", exact=True).click()
        page.select_option('[data-part="type"]', "ThreatGroup")
        page.locator("form[data-answer] button.primary").click()
        assert "not added yet" in page.locator(".dt-note").inner_text()
        page.reload()
        page.wait_for_selector("main[data-ready]")
        assert page.input_value('[data-part="confidence"]') == "80 %"
        page.click(".dt-add")
        assert page.locator(".dt-list li").count() == 1
        page.get_by_role("button", name="Add what I said before (1)").click()
        assert page.locator(".dt-list li").count() == 2
        assert f"target T2, by {name}" in page.locator(".dt-list").inner_text()
        page.get_by_role("button", name="Remove").last.click()
        answer(page)
        record = store.records.find(link.session)
    assert record.given()["alerts-60"] == [
        {"type": ATTACK, "uid": "attack-1", "targetInExploitation": "T2", "deliberateActors": [name]}
    ]
    assert record.given()["hypotheses"] == [
        {
            "type": ATTACK,
            "uid": "attack-2",
            "targetInExploitation": "T1",
            "startingDate": 12,
            "deliberateActors": ["I4", "I9"],
            "confidence": 0.8,
        }
    ]
    last = next(answer for answer in record.answers if answer.key == "hypotheses")
    said = [text for _, field, text in last.notes["changes"] if field == "answer.new.confidence" and text]
    assert said == ["0.8", "80 %"]


def press(page, act):
    """Press a button that acts, and wait until the next step is shown."""
    number = page.get_attribute("[data-ask]", "data-ask")
    page.locator(act).click()
    page.wait_for_function('(number) => !document.querySelector(`[data-ask="${number}"]`)', arg=number)
    page.wait_for_selector("main[data-ready]")


@pytest.mark.browser
def test_a_person_guards_the_town_with_buttons_and_sees_what_it_costs(tmp_path, page):
    local = pytest.importorskip("mensura.web.local", reason="the web pages are not installed")
    from mensura.store import open_store
    from mensura.web.participant.invitation import Frame, invite
    from mensura.web.settings import WebSettings

    def costs():
        return dict(row.split("\t") for row in page.locator(".dt-costs tbody").inner_text().splitlines())

    url = f"sqlite:///{tmp_path / 'lab.db'}"
    with open_store(url) as store, local.served(WebSettings(store=store.url)) as home:
        _, (link,) = invite(patrol, "human", store=store, seed=3, parameters=PATROL, frame=Frame())
        page.goto(home + link.path)
        page.wait_for_selector(".dt-house")
        assert page.locator(".dt-house").count() == 6
        assert "costs 20 if wrong" in page.locator('[data-act="arrest"]').inner_text()
        page.locator('[data-act="inquire"]').click()
        assert "Give a name first" in page.locator(".dt-acts .dt-note").inner_text()
        page.locator('.dt-house[data-target="T1"]').click()
        assert page.locator(".dt-search").input_value() == "T1"
        assert page.input_value('input[name="answer.target"]') == "T1"
        press(page, '[data-act="watch"]')
        assert (costs()["information"], costs()["together"]) == ("1", "1")
        page.fill('input[name="answer.target"]', "t2")
        press(page, '[data-act="alert"][data-level="2"]')
        assert costs()["alerts"] == "6"
        assert "alert 2" in page.locator('.dt-house[data-target="T2"]').inner_text()
        page.fill('input[name="answer.name"]', "I3")
        press(page, '[data-act="arrest"]')
        assert "I3 on day 20: not part of any" in page.locator(".dt-news").inner_text()
        assert "7 acts left today" in page.locator(".dt-day").inner_text()
        press(page, '[data-act="go_on"]')
        assert "Day 40" in page.locator(".dt-day").inner_text()
        record = store.records.find(link.session)
    done = [answer.value for answer in record.answers if answer.status == "answered"]
    assert [each["call"] for each in done] == ["watch", "alert", "arrest", "go_on"]
    assert done[1]["arguments"] == {"target": "T2", "level": "2"}


@pytest.mark.browser
def test_the_town_can_be_guarded_on_a_phone_without_scrolling_sideways(tmp_path, page):
    local = pytest.importorskip("mensura.web.local", reason="the web pages are not installed")
    from mensura.store import open_store
    from mensura.web.participant.invitation import Frame, invite
    from mensura.web.settings import WebSettings

    page.set_viewport_size({"width": 390, "height": 844})
    url = f"sqlite:///{tmp_path / 'lab.db'}"
    with open_store(url) as store, local.served(WebSettings(store=store.url)) as home:
        _, (link,) = invite(patrol, "human", store=store, seed=3, parameters=PATROL, frame=Frame())
        page.goto(home + link.path)
        page.wait_for_selector(".dt-house")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        press(page, '[data-act="go_on"]')
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_acts_can_be_chosen_without_a_script():
    rendering = pytest.importorskip("mensura.web.drawing.prompt", reason="the web pages are not installed")
    space = acts(
        20, 4, prices={"information": 1, "false_arrest": 20, "alert": 3, "alert_days": 20, "damage": 100}, back=90
    )
    field = rendering.control(space.data(), given={"answer.call": "watch", "answer.target": '"<b>'})
    assert '<option value="watch" selected>' in field
    assert "&#34;&lt;b&gt;" in field
    form = {"answer.call": "alert", "answer.target": "t3", "answer.level": "1", "answer.name": ""}
    assert space.check(space.parse(form)) == {"call": "alert", "arguments": {"target": "T3", "level": "1"}}
