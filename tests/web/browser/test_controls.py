"""Every control does by pointer and by keyboard what its fields do without scripts."""

import pytest

pytestmark = pytest.mark.browser


@pytest.fixture
def ask(people, invited, gallery, store):
    """Open one question of the gallery; gives the page and what reads the answer."""

    def make(key, **options):
        link = invited(gallery, only=key)[0]
        page = people(link, **options)
        page.wait_for_selector("main[data-ready]")

        def given():
            page.get_by_role("button", name="Answer").click()
            page.wait_for_selector('main[data-ready][data-kind="over"]')
            return [event.value for event in store.events.of(link.session) if event.kind == "answer"][-1]

        return page, given

    return make


def drag(page, box, *places):
    """Press at the first place of a box and move over the others; places are shares of width and height."""
    points = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in places]
    page.mouse.move(*points[0])
    page.mouse.down()
    for point in points[1:]:
        page.mouse.move(*point, steps=4)
    page.mouse.up()


def test_a_distribution_is_typed_and_made_to_sum_to_one(ask):
    page, given = ask("distribution")
    page.get_by_label("Ada").last.fill("30")
    page.get_by_label("Chidi").last.fill("10")
    assert "Sum 40 %, 60 missing" in page.inner_text(".sum")
    page.get_by_role("button", name="Answer").click()
    assert page.locator(":invalid").count() > 0, "a sum that is wrong is not sent"
    page.get_by_role("button", name="Make it 100 %").click()
    assert "Sum 100 %" in page.inner_text(".sum")
    assert given() == {"Ada": 0.75, "Bohdan": 0, "Chidi": 0.25, "someone else": 0}


def test_linked_sliders_move_the_others_that_are_set(ask):
    page, given = ask("distribution")
    page.get_by_text("Linked sliders").click()
    for name, text in (("Ada", "40"), ("Bohdan", "30"), ("Chidi", "20")):
        page.get_by_label(name).last.fill(text)
    page.locator(".amount input[type=range]").first.focus()
    page.keyboard.press("ArrowRight")
    assert page.get_by_label("someone else").last.input_value() == ""
    # What the fields show is what is stored, and it sums to 100 %.
    assert list(given().values()) == [0.41, 0.354, 0.236, 0]


def test_an_untouched_slider_can_be_clicked_at_its_hidden_start(ask):
    page, _ = ask("probability")
    page.locator("input[type=range]").click()
    assert page.input_value("input[name=answer]") == "50 %"


def test_bars_are_dragged_and_moved_by_keys(ask, size):
    page, given = ask("allocation", size=size)
    page.get_by_text("Bars").click()
    wells = page.locator(".column .well")
    drag(page, wells.nth(0).bounding_box(), (0.5, 0.9), (0.5, 0.5))
    wells.nth(1).focus()
    for key in ["PageUp"] * 5:
        page.keyboard.press(key)
    assert given() == {"north": pytest.approx(6), "east": pytest.approx(6), "south": 0}


def test_quantiles_have_no_place_before_they_are_set_and_each_sets_its_own(ask, size):
    page, given = ask("density", size=size)
    handles, fields = page.locator(".belief .handle"), page.locator(".density input")
    assert {handle.get_attribute("aria-valuetext") for handle in handles.all()} == {"not set"}
    circle = handles.nth(2).locator("circle").bounding_box()
    whole = page.locator(".belief").bounding_box()
    page.mouse.move(circle["x"] + circle["width"] / 2, circle["y"] + circle["height"] / 2)
    page.mouse.down()
    page.mouse.move(whole["x"] + whole["width"] * 0.85, circle["y"], steps=5)
    page.mouse.up()
    assert [bool(field.input_value()) for field in fields.all()] == [False, False, True, False, False]
    for place, text in ((1, "30"), (3, "90"), (4, "95")):
        fields.nth(place).fill(text)
    handles.nth(2).focus()
    for _ in range(3):
        page.keyboard.press("PageUp")
    handles.nth(0).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert given() == [15.5, 30, 90, 90, 95], "a handle stops at its neighbours"


def test_bins_of_a_density_are_amounts(ask):
    page, given = ask("bins")
    page.get_by_label("2 to 4 days").last.fill("25")
    page.get_by_label("8 to 10 days").last.fill("75")
    assert given() == [0, 0.25, 0, 0, 0.75]


def test_a_place_on_a_map_is_clicked_and_moved_by_arrow_keys(ask, size):
    page, given = ask("point", size=size)
    layer = page.locator(".layer")
    layer.scroll_into_view_if_needed()
    drag(page, layer.bounding_box(), (0.25, 0.75))
    x, y = float(page.input_value("[data-part=x]")), float(page.input_value("[data-part=y]"))
    assert (x, y) == (pytest.approx(5, abs=0.1), pytest.approx(3, abs=0.1))
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowUp")
    value = given()
    assert value == [pytest.approx(x + 0.2, abs=0.01), pytest.approx(y + 0.2, abs=0.01)]


def test_a_circle_on_a_picture_is_drawn_from_its_centre(ask):
    page, given = ask("circle")
    drag(page, page.locator(".layer").bounding_box(), (0.5, 0.3), (0.7, 0.3))
    page.keyboard.press("+")
    assert given() == [pytest.approx(5, abs=0.2), pytest.approx(3, abs=0.2), pytest.approx(2.1, abs=0.2)]


def test_rows_are_added_and_removed(ask):
    page, given = ask("table")
    for number in range(3):
        line = page.locator(".line").nth(number)
        line.get_by_label("name").fill(f"person {number}")
        line.get_by_label("age").fill(str(30 + number))
        line.get_by_text("b", exact=True).click()
    page.get_by_role("button", name="Remove row 2").click()
    page.get_by_role("button", name="Add a row").click()
    page.keyboard.type("late")
    page.locator(".line").last.get_by_label("age").fill("7")
    page.locator(".line").last.get_by_text("a", exact=True).click()
    assert [(row["name"], row["age"], row["kind"]) for row in given()] == [
        ("person 0", 30, "b"),
        ("person 2", 32, "b"),
        ("late", 7, "a"),
    ]


def test_a_file_is_sent(ask):
    page, given = ask("file")
    page.set_input_files("input[type=file]", {"name": "a.txt", "mimeType": "text/plain", "buffer": b"hello"})
    assert given() == {"name": "a.txt", "type": "text/plain", "content": "aGVsbG8="}


def test_layers_of_a_map_can_be_hidden(ask):
    page, _ = ask("point")
    page.get_by_role("checkbox", name="river").uncheck()
    assert page.locator("g[data-layer=river]").get_attribute("visibility") == "hidden"


def test_a_rating_by_number_key(ask):
    page, given = ask("likert")
    page.keyboard.press("6")
    assert given() == 6


def test_a_bounded_number_by_slider(ask):
    page, given = ask("number")
    page.locator("input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    assert given() == 251
