"""The network page in a browser: a class steps through backtracking on four queens, and compares two algorithms."""

import pytest

from mensura.extension import extensions
from mensura.store import open_store
from mensura.store.people.invitations import Step
from mensura.web.local import served
from mensura.web.participant.invitation import Frame, invite
from mensura.web.settings import WebSettings
from tests.proofs import proofs
from tests.web import axe

PASSWORD = "a long enough password"
WIDTHS = {"desktop": 1280, "phone": 390}
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif("constraints" not in extensions("mensura.pages"), reason="the package must be installed anew"),
]


def log_in(page):
    page.goto("/lab/login")
    page.get_by_label("Name").fill("Erin")
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/lab*")


@pytest.fixture
def laboratory(tmp_path):
    place = str(tmp_path / "mensura.db")
    with open_store(place) as store:
        store.accounts.add("Erin", password=PASSWORD, role="experimenter")
        with served(WebSettings(store=place)) as address:
            yield store, address


@pytest.mark.parametrize("width", [*proofs("phone"), "desktop"])
def test_a_class_steps_through_backtracking_on_four_queens(chromium, laboratory, width):
    faults = []
    context = chromium.new_context(viewport={"width": WIDTHS[width], "height": 900}, base_url=laboratory[1])
    page = context.new_page()
    page.on("pageerror", lambda error: faults.append(str(error)))
    log_in(page)
    page.goto("/lab/pages/constraints")
    page.wait_for_selector("[data-state=ready]")
    assert "solved after 11 cycles, 33 messages" in page.inner_text(".nw-pane h2")
    words = lambda: page.inner_text(".nw-words")  # noqa: E731
    assert "4 agents, 6 links" in words()
    press(page, "Forward a message")
    assert words() == "Cycle 0: x0 begins; sets x0 to 0; sends ok 0 to x1. 0 constraints are violated."
    # The same by the keyboard alone: on to the end of the cycle, into the next, and back again.
    page.locator(".nw-stage").focus()
    page.keyboard.press("ArrowDown")
    assert "6 constraints are violated" in words()
    page.keyboard.press("ArrowRight")
    assert words() == "Cycle 1: x1 reads ok 0 from x0; sets x1 to 2; sends ok 2 to x2. 4 constraints are violated."
    page.keyboard.press("ArrowLeft")
    assert "Cycle 0: x3 begins" in words()
    assert "6 constraints are violated" in words()
    page.keyboard.press("ArrowDown")
    click_cell(page, column=3, row=2)
    details = page.inner_text(".nw-details")
    assert "Agent x2" in details
    assert "from x0: ok 0" in details
    assert "reasons" in details
    page.locator(".nw-links").get_by_role("button", name="x3").press("Enter")
    assert "Link x2 – x3" in page.inner_text(".nw-details")
    assert "x2 → x3" in page.inner_text(".nw-details")
    assert axe.faults_of(page) == []
    press(page, "To the end")
    assert "Cycle 11" in words()
    assert "0 constraints are violated" in words()
    plots = page.locator(".nw-plot figcaption").all_inner_texts()
    assert [text.split() for text in plots if text.startswith("Checks")] == [["Checks", "120"]]
    # Sliders and lists start a new run: another size, and a second algorithm beside the first.
    page.get_by_label("n, slider", exact=True).press("ArrowRight")
    page.locator("[name=second]").select_option("awcs")
    page.wait_for_selector(".nw-pane:nth-child(2)")
    assert page.locator(".nw-pane h2").all_inner_texts()[1].startswith("awcs queens:n=5: solved")
    assert page.locator(".nw-plot").first.locator("polyline").count() == 2
    page.locator("[name=family]").select_option("meetings")
    page.wait_for_selector("[data-state=refused]")
    assert axe.faults_of(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    context.close()
    assert faults == []


def click_cell(page, *, column, row):
    """Click on a cell of the board of four: it fits into the middle, with room for queens that stand beside it."""
    box = page.locator(".nw-canvas").bounding_box()
    (left, across), (top, down) = (-1, 4.4), (-0.4, 3.8)
    cell = min((box["width"] - 48) / across, (box["height"] - 48) / down)
    x = (box["width"] - across * cell) / 2 + (column - left) * cell
    y = (box["height"] - down * cell) / 2 + (row - top) * cell
    page.locator(".nw-canvas").click(position={"x": x, "y": y})


@pytest.mark.parametrize("width", [*proofs("desktop"), "phone"])
def test_a_person_is_one_agent_among_programs_and_a_class_looks_on(chromium, laboratory, width):
    store, address = laboratory
    cast = {"x0": "abt", "x1": "abt", "x2": "human", "x3": "abt"}
    frame = Frame(after=[Step("thanks")])
    _, [link] = invite(
        "constraints", cast, store=store, seed=1, frame=frame, parameters={"problem": "queens:n=4", "stop": "cycles=4"}
    )
    faults = []
    context = chromium.new_context(viewport={"width": WIDTHS[width], "height": 900}, base_url=address)
    page, wall = context.new_page(), context.new_page()
    for one in (page, wall):
        one.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(link.path)
    page.wait_for_selector("main[data-ready] .post h2")
    assert "You are agent x2" in page.inner_text(".post")
    page.get_by_role("radio", name="0").check()
    page.get_by_label("x0").uncheck()
    press(page, "Add this letter")
    assert axe.faults_of(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    press(page, "Hand over and wait for mail")
    page.wait_for_selector("text=New letters: 2")
    log_in(wall)
    wall.goto(f"/lab/pages/constraints?session={link.session}")
    wall.wait_for_selector("[data-state=ready]")
    assert "waiting for x2" in wall.inner_text(".nw-fault")
    page.reload()
    page.wait_for_selector("main[data-ready] .post table")
    # What was heard of the others stands beside each value: only the last column is attacked by neither.
    rows = page.locator(".post tbody tr").all_inner_texts()
    assert ["forbidden" in row for row in rows] == [True, True, True, False]
    assert axe.faults_of(page) == []
    page.get_by_role("radio", name="3").check()
    press(page, "Add this letter")
    press(page, "Hand over and wait for mail")
    page.wait_for_selector("text=cycle 2")
    wall.wait_for_selector(".nw-words:has-text('Cycle 2')")
    page.get_by_text("End the run with a claim").click()
    press(page, "unsolvable")
    press(page, "Hand over and wait for mail")
    page.wait_for_selector("main[data-kind=over]")
    wall.wait_for_selector("[data-over=yes]")
    context.close()
    answers = [event.value for event in store.events.of(link.session) if event.kind == "answer" and event.role == "x2"]
    assert answers[0] == [["assign", "x2", 0, None], ["send", ["x1", "x3"], "ok", 0, None]]
    assert answers[-1] == [["stop", "unsolvable", None]]
    assert faults == []


def test_a_class_joins_one_instance_by_links_an_agent_each_and_the_wall_shows_them(chromium, laboratory):
    store, address = laboratory
    cast, triangle = dict.fromkeys(("x0", "x1", "x2"), "human"), {"problem": "colouring:n=3,k=3,links=3"}
    frame = Frame(after=[Step("thanks")])
    _, links = invite("constraints", cast, store=store, seed=1, frame=frame, parameters=triangle)
    assert len({link.session for link in links}) == 1
    faults = []
    # Nobody shares a phone: each has cookies of its own.
    contexts = [chromium.new_context(viewport={"width": 390, "height": 800}, base_url=address) for _ in range(4)]
    *people, wall = [context.new_page() for context in contexts]
    for page in (*people, wall):
        page.on("pageerror", lambda error: faults.append(str(error)))
    for page, link in zip(people, links, strict=True):
        page.goto(link.path)
    for place, page in enumerate(people):
        page.wait_for_selector("main[data-ready] .post h2")
        assert f"You are agent x{place}" in page.inner_text(".post")
    log_in(wall)
    wall.goto(f"/lab/pages/constraints?session={links[0].session}")
    wall.wait_for_selector("[data-state=ready]")
    for page, colour in zip(people, "011", strict=True):
        page.get_by_role("radio", name=colour).check()
        press(page, "Add this letter")
        press(page, "Hand over and wait for mail")
    for page in people:
        page.wait_for_selector("text=New letters: 2")
    wall.wait_for_selector(".nw-words:has-text('1 constraint is violated')")
    assert [mark in wall.inner_text(".nw-fault") for mark in ("x0", "x1", "x2")] == [True] * 3
    # Two are alike: one of them takes another colour, and nobody has mail any more.
    people[2].get_by_role("radio", name="2").check()
    for page in people:
        press(page, "Hand over and wait for mail")
    for page in people:
        page.wait_for_selector("main[data-kind=over]")
    wall.wait_for_selector("[data-over=yes]")
    assert "0 constraints are violated" in wall.inner_text(".nw-words")
    for context in contexts:
        context.close()
    [end] = [event.value for event in store.events.of(links[0].session) if event.kind == "end"]
    assert end["status"] == "finished"
    assert faults == []


def press(page, name):
    page.get_by_role("button", name=name, exact=True).press("Enter")
