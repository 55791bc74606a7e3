"""The builder: what it answers, and a task built from nothing in a browser, tried, saved and opened again."""

from itertools import pairwise

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
WIDTHS = {"desktop": 1280, "phone": 390}


@pytest.fixture
def race():
    return find_task("car-race").data()


def test_it_checks_a_task_and_says_what_is_wrong(race):
    checked = Builder().answer({"task": race})
    assert checked["id"] == find_task("car-race").id
    assert checked["ranges"] == {"bodies.car.value": [0, 95]}
    race["goals"][0]["body"] = "lorry"
    with pytest.raises(MensuraError, match="lorry"):
        Builder().answer({"task": race})
    for asked in ([], {"task": 1}, {"task": race, "want": "money"}):
        with pytest.raises(MensuraError):
            Builder().answer(asked)


def test_it_gives_properties_and_the_curve_of_an_instance(race):
    rows = Builder().answer({"task": race, "want": "properties"})["properties"]
    assert len(rows) == 11
    found = Builder().answer({"task": race, "want": "curve"})
    assert found["kind"] == "closed-form"
    # From the middle of 0 to 95 there are 47.5 m to the finish's edge, against 10 N.
    assert found["drawn"] == {"bodies.car.value": 47.5}
    assert found["e_min"] == pytest.approx(475.0)
    assert Builder().answer({"task": race, "want": "curve", "share": 0})["e_min"] == pytest.approx(950.0)
    with pytest.raises(MensuraError, match="share"):
        Builder().answer({"task": race, "want": "curve", "share": 2})


@pytest.mark.parametrize(
    "who", [{"powers": [{"subject": [200.0]}]}, {"subjects": {"subject": "pid"}}, {"subjects": {"subject": "oracle"}}]
)
def test_somebody_tries_it(race, who):
    tried = Builder().answer({"task": race, "want": "run", "seed": 3, **who})
    assert tried["solved"]
    assert tried["over"]
    assert len(tried["times"]) == len(tried["trace"])
    assert tried["times"][-1] == pytest.approx(tried["time"])
    assert list(tried["drawn"]) == ["bodies.car.value"]


def test_a_hand_changes_its_powers_from_tick_to_tick(race):
    ticks = [{"subject": [power]} for power in (200.0, 200.0, 0.0, -200.0)]
    runs = [
        Builder().answer({"task": race, "want": "run", "powers": ticks[:n], "ticks": n})
        for n in range(1, len(ticks) + 1)
    ]
    # Each question makes the same run again, one tick longer.
    for shorter, longer in pairwise(runs):
        assert longer["trace"][:-1] == shorter["trace"]
    speeds = [seen[1] for seen in runs[-1]["trace"]]
    assert speeds[1] < speeds[2] > speeds[3] > speeds[4]
    assert not runs[-1]["over"]


def test_two_roles_try_it_together():
    two = find_task("two-agents").data()
    roles = Builder().answer({"task": two})["roles"]
    assert {role: [one["name"] for one in sliders] for role, sliders in roles.items()} == {
        "agent1": ["left push"],
        "agent2": ["right push"],
    }
    energies = [
        Builder().answer({"task": two, "want": "run", "ticks": 4, "subjects": subjects, "powers": [powers]})["energy"]
        for subjects, powers in (({"agent1": "full-throttle"}, {"agent2": [100.0]}), ({}, {"agent1": [100.0]}))
    ]
    assert energies == pytest.approx([200.0, 100.0])


def test_a_hand_cannot_drive_an_instance_harder_than_it_allows(race):
    race["motors"][0]["power"] = {"low": 50, "high": 200}
    tried = Builder().answer({"task": race, "want": "run", "powers": [{"subject": [200.0]}], "ticks": 4})
    assert tried["energy"] == pytest.approx(tried["drawn"]["motors.engine.power"])


@pytest.mark.parametrize(
    "who",
    [
        {"powers": [{"subject": [900.0]}]},
        {"powers": [{"subject": [1.0, 2.0]}]},
        {"powers": [{"subject": "full"}]},
        {"subjects": {"subject": "nobody"}},
        {"seed": -1},
        {"ticks": "many"},
    ],
)
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
        build(page)
        wire(page)
        nest(page)
        assert axe.faults_of(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        drive(page)
        file = saved(page, tmp_path)
        said = page.inner_text(".bl-fault")
        page.locator(".bl-begin").select_option("car-race")
        page.wait_for_selector("[data-state=ready]")
        page.locator(".bl-open").set_input_files(file)
        page.wait_for_selector(f".bl-fault:text-is('{said}')")
        context.close()
    task = Task.read(str(file))
    assert task.id in said
    assert list(task.ranges) == ["bodies.sled.value"]
    assert task.motors[0].targets == ("sled", "cargo.crate")
    assert task.flat.sensors[1].of == ("cargo.crate",)
    assert task.roles == ("ann", "ben")
    assert faults == []


def build(page):
    # So much time that a busy machine cannot let it run out.
    fill(page, time="500")
    press(page, "Add a body")
    fill(page, name="sled", value="0 to 20", mass="5", kinetic="0.1")
    press(page, "Add a motor")
    fill(page, power="100", agents="ann, ben")
    press(page, "Add a sensor")
    press(page, "Add a goal")
    fill(page, target="50", tolerance="nothing")
    page.wait_for_selector("[data-state=refused]")
    assert "tolerance" in page.inner_text(".bl-fault")
    fill(page, tolerance="2")
    page.wait_for_selector("[data-state=ready]")
    assert wires(page) == 3
    assert page.locator(".bl-properties tr").count() == 11
    assert "closed-form" in page.inner_text(".bl-least")


def wire(page):
    """Draw a wire by pointer and take it away by keys, move a block both ways, and undo."""
    press(page, "Add a body")
    page.wait_for_selector("[data-state=ready]")
    drag(page, port(page, "motor1"), block(page, "body1"))
    assert wires(page) == 4
    page.wait_for_selector("[data-state=ready]")
    # Drawn by hand it is a task like any other, and what is found of it is new.
    assert page.locator(".bl-picture .before").count() == 1
    port(page, "motor1").press("Enter")
    block(page, "body1").press("Enter")
    press(page, "Remove motor1 – targets – body1")
    assert wires(page) == 3
    before = block(page, "body1").bounding_box()
    drag(page, block(page, "body1"), page.locator(".bl-canvas"), down=20)
    block(page, "body1").press("ArrowDown")
    after = block(page, "body1").bounding_box()
    assert after["y"] != before["y"]
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    assert block(page, "body1").bounding_box() == before
    block(page, "body1").press("Delete")
    assert block(page, "body1").count() == 0


def nest(page):
    """Make a system with a body and a sensor in it, and wire the motor outside to the body inside."""
    press(page, "Add a system")
    press(page, "Open this system")
    press(page, "Add a body")
    fill(page, name="crate")
    press(page, "Add a sensor")
    block(page, "my-task").press("Enter")
    port(page, "motor1").press("Enter")
    block(page, "system1").press("Enter")
    assert wires(page) == 4
    block(page, "system1").press("Enter")
    fill(page, name="cargo")
    page.keyboard.press("Tab")
    page.wait_for_selector("[data-state=ready]")
    assert '"cargo.crate"' in page.locator(".bl-json").text_content()


def drive(page):
    """Hold a motor back, and let it go while it runs; another role is played by a subject."""
    page.get_by_label("Who plays ben").select_option("full-throttle")
    page.get_by_label("Time passes").select_option("eight times as fast")
    slider = page.get_by_role("slider", name="motor1").first
    slider.press("Home")
    press(page, "Run")
    page.wait_for_selector(".bl-time:text-matches('^([2-9]|[1-9][0-9])')")
    assert page.inner_text(".bl-result") == ""
    slider.press("End")
    page.wait_for_selector(".bl-result:has-text('Solved after')")


def saved(page, folder):
    with page.expect_download() as found:
        press(page, "Save as JSON")
    file = folder / found.value.suggested_filename
    found.value.save_as(file)
    return file


def press(page, name):
    page.get_by_role("button", name=name, exact=True).press("Enter")


def fill(page, **fields):
    for name, value in fields.items():
        page.locator(".bl-fields").get_by_label(name, exact=True).fill(value)


def block(page, name):
    return page.locator(".bl-block").filter(has_text=name)


def port(page, name):
    return page.get_by_role("button", name=f"Wire from {name}", exact=True)


def wires(page):
    return page.locator(".bl-wires g").count()


def drag(page, one, other, down=0):
    one.hover()
    page.mouse.down()
    box = other.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2 + down, steps=3)
    page.mouse.up()
