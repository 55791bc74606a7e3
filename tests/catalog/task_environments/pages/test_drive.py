"""People drive: by the keyboard alone, on a phone and on a desk, together, in attempts, and in their own languages."""

import json
import pickle

import pytest

from mensura.catalog.task_environments.dashboard import Dashboard
from mensura.catalog.task_environments.tasks.find import find_task
from mensura.dialogue import Instance, replay
from mensura.running.reference import administration, definition_of
from mensura.store import open_store
from mensura.store.people.invitations import Step
from mensura.web.local import served
from mensura.web.participant.invitation import Frame, invite
from mensura.web.settings import WebSettings
from tests.proofs import proofs
from tests.web import axe

WIDTHS = {"desktop": 1280, "phone": 390}
HEIGHT = 800


def test_a_dashboard_travels_as_readings_alone():
    seen = pickle.loads(pickle.dumps(Dashboard([1.0], ("place",), object(), "driver")))
    assert seen == Dashboard([1.0], ("place",))
    assert seen.page_data() == seen.data() == {"kind": "dashboard", "values": [1.0], "names": ["place"]}


@pytest.fixture
def visits(chromium, tmp_path):
    """Give a maker of people, each with a browser of their own, in a new session of the test."""
    place, faults, contexts = str(tmp_path / "mensura.db"), [], []
    with served(WebSettings(store=place)) as address, open_store(place) as store:

        def make(cast="human", language="en", task="car-race", **others):
            # Near their goals, so that no test takes long: time passes for people as it does in the world.
            near = find_task(task).data()
            near["bodies"][0]["value"] = 90
            (tmp_path / "near.json").write_text(json.dumps(near))
            parameters = {"task": str(tmp_path / "near.json"), **others}
            frame = Frame(after=[Step("thanks")], details={"language": language})
            people = []
            for link in invite("task-environments", cast, store=store, seed=1, parameters=parameters, frame=frame)[1]:
                contexts.append(chromium.new_context(viewport={"width": WIDTHS["phone"], "height": HEIGHT}))
                page = contexts[-1].new_page()
                page.on("pageerror", lambda error: faults.append(str(error)))
                page.goto(address + link.path)
                people.append(page)
            return *people, lambda: [event for event in store.events.of(link.session) if event.kind == "answer"]

        yield make
        for context in contexts:
            context.close()
    assert faults == []


@pytest.mark.browser
def test_two_people_drive_one_sledge(visits):
    ann, ben, answers = visits({"agent1": "human", "agent2": "human"}, task="two-agents")
    for page, motor in ((ann, "left push"), (ben, "right push")):
        page.wait_for_selector("main[data-ready] .drive")
        assert page.get_by_role("slider").count() == page.get_by_role("slider", name=motor).count() == 1
    ann.get_by_role("button", name="Drive", exact=True).press("Enter")
    ann.keyboard.press("End")
    # The world stands still until both have set their motors, and it is said why.
    ann.wait_for_selector(".drive-say:text('Please wait for the others')")
    assert ann.inner_text("[data-left=time]") == "60.00"
    ben.get_by_role("button", name="Drive", exact=True).press("Enter")
    ben.keyboard.press("End")
    for page in (ann, ben):
        page.wait_for_selector("main[data-kind=over]")
        assert page.inner_text("main").count("You reached your goals.") == 1
    given = [(event.role, event.value) for event in answers()]
    assert {role for role, _ in given} == {"agent1", "agent2"}
    assert ("agent1", [100.0]) in given
    assert ("agent2", [100.0]) in given


@pytest.mark.browser
def test_a_german_asks_for_help_gives_up_and_tries_again(visits):
    page, answers = visits(language="de", told="reward", signals=True, episodes=2)
    page.wait_for_selector("main[data-ready] .drive")
    assert "Niemand sagt, was zu tun ist" in page.inner_text(".drive-words")
    page.get_by_role("button", name="Losfahren").press("Enter")
    page.get_by_role("button", name="Um Hilfe bitten").press("Enter")
    # Help is told in the place of what was told, and time waits until it is read.
    page.wait_for_selector(".drive-words:has-text('finish: car bei 100, höchstens 5 daneben')")
    assert "Niemand sagt" not in page.inner_text("main")
    assert page.get_by_role("button", name="Losfahren").is_visible()
    page.get_by_role("button", name="Aufgeben").press("Enter")
    page.wait_for_selector(".drive-say:has-text('Der Versuch ist vorbei')")
    assert page.inner_text("[data-left=time]") == "60.00"
    # The second attempt begins with motors off, and those who asked for help once know the goals.
    assert page.get_by_role("slider").input_value() == "0"
    page.get_by_role("button", name="Losfahren").press("Enter")
    assert page.inner_text(".drive-say") == ""
    page.keyboard.press("End")
    page.wait_for_selector("main[data-kind=over]")
    assert "Sie haben Ihre Ziele erreicht." in page.inner_text("main")
    signals = [event.value[-1] for event in answers()]
    assert [signal for signal in signals if signal] == [-1.0, -2.0]
    assert signals[-1] == 0.0


@pytest.mark.browser
def test_a_spaniard_is_told_in_spanish(visits):
    page, _ = visits(language="es")
    page.wait_for_selector("main[data-ready] .drive")
    words = page.inner_text("main")
    for said in ("Sus metas", "finish: car en 100", "Segundos restantes", "Sus motores, en vatios", "Conducir"):
        assert said in words


@pytest.mark.browser
@pytest.mark.parametrize("width", [*proofs("desktop"), "phone"])
def test_a_person_drives_to_the_finish_by_keyboard(chromium, tmp_path, width):
    place, faults = str(tmp_path / "mensura.db"), []
    with served(WebSettings(store=place)) as address, open_store(place) as store:
        frame = Frame(after=[Step("thanks")], details={"show_scores": True})
        [link] = invite("task-environments", "human", store=store, seed=1, frame=frame)[1]
        context = chromium.new_context(viewport={"width": WIDTHS[width], "height": HEIGHT})
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(address + link.path)
        page.wait_for_selector("main[data-ready] .drive")
        # What is told is told once, and the button is in sight with it.
        assert page.inner_text("main").count("finish: car at 100, at most 5 off") == 1
        button = page.get_by_role("button", name="Drive", exact=True).bounding_box()
        assert button["y"] + button["height"] <= HEIGHT
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
