"""A person drives a car to the finish by the keyboard alone, on a phone and on a desk."""

import pickle

import pytest

from mensura.catalog.task_environments.dashboard import Dashboard
from mensura.dialogue import Instance, replay
from mensura.running.reference import administration, definition_of
from mensura.store import open_store
from mensura.store.people.invitations import Step
from mensura.web.local import served
from mensura.web.participant.invitation import Frame, invite
from mensura.web.settings import WebSettings
from tests.proofs import proofs
from tests.web import axe

WIDTHS = {"desktop": 1100, "phone": 390}


def test_a_dashboard_travels_as_readings_alone():
    seen = pickle.loads(pickle.dumps(Dashboard([1.0], ("place",), object(), "driver")))
    assert seen == Dashboard([1.0], ("place",))
    assert seen.page_data() == seen.data() == {"kind": "dashboard", "values": [1.0], "names": ["place"]}


@pytest.mark.browser
@pytest.mark.parametrize("width", [*proofs("desktop"), "phone"])
def test_a_person_drives_to_the_finish_by_keyboard(chromium, tmp_path, width):
    place, faults = str(tmp_path / "mensura.db"), []
    with served(WebSettings(store=place)) as address, open_store(place) as store:
        frame = Frame(after=[Step("thanks")], details={"show_scores": True})
        [link] = invite("task-environments", "human", store=store, seed=1, frame=frame)[1]
        context = chromium.new_context(viewport={"width": WIDTHS[width], "height": 800})
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(address + link.path)
        page.wait_for_selector("main[data-ready] .drive")
        assert "finish: car at 100, at most 5 off" in page.inner_text(".drive-words")
        assert axe.faults_of(page) == []
        page.get_by_role("button", name="Drive", exact=True).press("Enter")
        # The hands are on the first motor now; backward leads nowhere, so that nothing hurries.
        page.keyboard.press("ArrowLeft")
        while page.evaluate("document.querySelector('.drive polyline').points.numberOfItems") < 5:
            page.wait_for_timeout(50)
        page.get_by_role("button", name="Stop the time").press("Enter")
        page.wait_for_selector("main[data-ready] form[data-answer]:not([data-busy])", state="attached")
        assert axe.faults_of(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        page.reload()
        page.wait_for_selector("main[data-ready] .drive")
        assert page.get_by_role("slider", name="engine").input_value() == "-10"
        page.get_by_role("button", name="Drive", exact=True).press("Enter")
        page.keyboard.press("End")
        page.wait_for_selector("main[data-kind=over]")
        assert "You reached your goals." in page.inner_text("main")
        context.close()
        head = store.sessions.find(link.session)
        run = store.runs.find(head.run)
        instance = Instance(definition_of(run), run.parameters, run.own_seed(), head.address, **administration(run))
        events = store.events.since_save(link.session)
    powers = [event.value for event in events if event.kind == "answer"]
    # Each tick is an answer of its own, as a program would give it, and the log makes the same session again.
    assert len(powers) >= 8
    assert [-10.0] in powers
    assert powers[-1] == [200.0]
    assert replay(instance, events).status == "finished"
    assert faults == []
