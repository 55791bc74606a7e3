"""The builder: what it answers, and a task built from nothing in a browser, tried, and saved as a file that runs."""

import pytest

from mensura.catalog.task_environments.builder import Builder
from mensura.catalog.task_environments.task.task import Task
from mensura.catalog.task_environments.tasks.find import find_task
from mensura.errors import MensuraError
from mensura.extension import extensions
from mensura.store import open_store
from mensura.web.local import served
from mensura.web.settings import WebSettings
from tests.proofs import proofs
from tests.web import axe

PASSWORD = "a long enough password"
WIDTHS = {"desktop": 1100, "phone": 390}


@pytest.fixture
def race():
    return find_task("car-race").data()


def test_it_checks_a_task_and_says_what_is_wrong(race):
    assert Builder().answer({"task": race})["id"] == find_task("car-race").id
    race["goals"][0]["body"] = "lorry"
    with pytest.raises(MensuraError, match="lorry"):
        Builder().answer({"task": race})
    for asked in ([], {"task": 1}, {"task": race, "want": "money"}):
        with pytest.raises(MensuraError):
            Builder().answer(asked)


def test_it_gives_properties_and_the_curve_of_the_middle_instance(race):
    rows = Builder().answer({"task": race, "want": "properties"})["properties"]
    assert len(rows) == 11
    found = Builder().answer({"task": race, "want": "curve"})
    assert found["family"]
    assert found["kind"] == "closed-form"
    # From the middle of 0 to 95 there are 47.5 m to the finish's edge, against 10 N.
    assert found["e_min"] == pytest.approx(475.0)


@pytest.mark.parametrize("who", [{"powers": [200.0]}, {"subject": "pid"}, {"subject": "oracle"}])
def test_somebody_tries_it(race, who):
    tried = Builder().answer({"task": race, "want": "run", "seed": 3, **who})
    assert tried["solved"]
    assert len(tried["times"]) == len(tried["trace"])
    assert tried["times"][-1] == pytest.approx(tried["time"])


@pytest.mark.parametrize("who", [{"powers": [900.0]}, {"powers": [1.0, 2.0]}, {"subject": "nobody"}, {"seed": -1}])
def test_what_cannot_be_tried_is_refused(race, who):
    with pytest.raises(MensuraError):
        Builder().answer({"task": race, "want": "run", **who})


@pytest.mark.browser
@pytest.mark.skipif("task-builder" not in extensions("mensura.pages"), reason="the package must be installed anew")
@pytest.mark.parametrize("width", [*proofs("desktop"), "phone"])
def test_a_task_is_built_from_nothing_and_saved(chromium, tmp_path, width):
    place, faults = str(tmp_path / "mensura.db"), []
    with open_store(place) as store:
        store.accounts.add("Erin", password=PASSWORD, role="experimenter")
    with served(WebSettings(store=place)) as address:
        context = chromium.new_context(viewport={"width": WIDTHS[width], "height": 800}, base_url=address)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto("/lab/login")
        page.get_by_label("Name").fill("Erin")
        page.get_by_label("Password").fill(PASSWORD)
        page.keyboard.press("Enter")
        page.wait_for_url("**/lab*")
        page.goto("/lab/pages/task-builder")
        page.wait_for_selector("[data-state=refused]")
        press(page, "Add a body")
        fill(page, name="sled", value="0 to 20", mass="5", kinetic="0.1")
        press(page, "Add a motor")
        fill(page, power="100")
        press(page, "Add a sensor")
        press(page, "Add a goal")
        fill(page, target="50", tolerance="nothing")
        page.wait_for_selector("[data-state=refused]")
        assert "tolerance" in page.inner_text(".bl-fault")
        fill(page, tolerance="2")
        page.wait_for_selector("[data-state=ready]")
        assert page.locator(".bl-wires line").count() == 3
        assert page.locator(".bl-properties tr").count() == 11
        assert "closed-form" in page.inner_text(".bl-least")
        press(page, "Run")
        page.wait_for_selector(".bl-trace figure")
        assert "Solved after" in page.inner_text(".bl-result")
        assert axe.faults_of(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        with page.expect_download() as saved:
            press(page, "Save as JSON")
        file = tmp_path / saved.value.suggested_filename
        saved.value.save_as(file)
        context.close()
    task = Task.read(str(file))
    assert list(task.ranges) == ["bodies.sled.value"]
    assert task.motors[0].targets == ("sled",)
    assert faults == []


def press(page, name):
    page.get_by_role("button", name=name, exact=True).press("Enter")


def fill(page, **fields):
    for name, value in fields.items():
        page.locator(".bl-fields").get_by_label(name, exact=True).fill(value)
