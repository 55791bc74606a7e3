"""The control for probabilities in a real browser: slider, triangle, sliders, keyboard, and points that move along."""

import math

import pytest

from mensura.catalog.forecasting.pupil import Pupil
from mensura.catalog.forecasting.stakes import Stakes
from mensura.dialogue.spaces.percent import read_percent
from mensura.scores import rule

pytestmark = pytest.mark.browser


@pytest.fixture
def browser(chromium):
    return chromium


@pytest.fixture
def board(alone):
    """Open a page with nothing but the control."""
    return lambda *options: alone(Stakes(options))


def shares(page):
    texts = page.eval_on_selector_all(".stakes-table input", "all => all.map(i => i.value)")
    return [read_percent(text) if text else None for text in texts]


def points(page):
    texts = page.eval_on_selector_all(".stakes-pay", "all => all.map(cell => cell.textContent)")
    return [float(text.replace("−", "-")) if text else None for text in texts]


def expected(values):
    return [round(100 * p) for p in rule("log", floor=0.01).payoffs(values)]


def test_it_begins_empty_and_the_slider_has_no_place(board):
    page = board("rain", "dry")
    assert shares(page) == [None, None]
    assert points(page) == [None, None]
    assert page.locator(".stakes-board.untouched").count() == 1
    assert page.locator("input[type=range]").get_attribute("aria-valuetext") == "not set"
    page.locator("input[type=range]").click()
    assert shares(page) == [0.5, 0.5], "the middle can be clicked"


def test_a_triangle_that_nobody_touched_says_so(board):
    assert board("a", "b", "c").locator("circle.point").get_attribute("aria-valuetext") == "not set"


def test_the_slider_moves_by_keyboard_and_points_follow(board):
    page = board("rain", "dry")
    page.locator("input[type=range]").focus()
    for _ in range(20):
        page.keyboard.press("ArrowLeft")
    assert shares(page) == [0.7, 0.3]
    assert points(page) == expected([0.7, 0.3])


def test_three_alternatives_are_a_triangle_that_follows_the_mouse(board):
    page = board("a", "b", "c")
    middle, top, left = (place(page, x, y) for x, y in ((150, 171), (150, 14), (14, 250)))
    page.mouse.move(*middle)
    page.mouse.down()
    page.mouse.move(*top, steps=5)
    page.mouse.up()
    assert shares(page) == [1, 0, 0]
    assert points(page) == expected([1, 0, 0])
    page.mouse.move(*middle)
    assert shares(page) == [1, 0, 0]
    page.mouse.move(*left)
    page.mouse.down()
    page.mouse.up()
    assert shares(page) == [0, 1, 0]


def place(page, x, y):
    """Find where a point of the triangle's own plane lies on the screen."""
    return page.evaluate(
        """([x, y]) => {
            const svg = document.querySelector("svg");
            const found = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
            return [found.x, found.y];
        }""",
        [x, y],
    )


def test_the_triangle_moves_by_keyboard(board):
    page = board("a", "b", "c")
    page.locator("circle.point").focus()
    page.keyboard.press("Shift+ArrowUp")
    page.keyboard.press("ArrowLeft")
    first, second, third = shares(page)
    assert first == pytest.approx(0.4334, abs=1e-3)
    assert second > third
    assert math.fsum([first, second, third]) == pytest.approx(1, abs=1e-9)
    assert points(page) == expected([first, second, third])
    page.keyboard.press("Home")
    assert points(page) == [0, 0, 0]
    assert "a 33 %" in page.locator("circle.point").get_attribute("aria-valuetext")


def test_more_alternatives_have_a_slider_each_that_sets_its_own(board):
    page = board("a", "b", "c", "d")
    ranges = page.locator("input[type=range]")
    assert {each.get_attribute("aria-valuetext") for each in ranges.all()} == {"not set"}
    ranges.nth(2).focus()
    for _ in range(30):
        page.keyboard.press("ArrowRight")
    assert shares(page) == [None, None, 0.55, None]
    for place, text in enumerate(("20", "15", "", "20")):
        if text:
            page.locator(".stakes-table input").nth(place).fill(text)
    assert shares(page) == [0.2, 0.15, 0.55, 0.2]
    page.get_by_role("button", name="Make it 100 %").click()
    values = shares(page)
    assert math.fsum(values) == pytest.approx(1, abs=1e-9)
    assert points(page) == expected(values)


@pytest.mark.parametrize(
    ("options", "texts"),
    [("ab", ("98", "4")), ("ab", ("60,5", "39.5")), ("abc", ("60", "3", "37")), ("abcd", ("40", "30", "20", "10"))],
)
def test_what_is_typed_is_never_changed_by_the_page(board, options, texts):
    page = board(*options)
    fields = page.locator(".stakes-table input")
    for place, text in enumerate(texts):
        fields.nth(place).press_sequentially(text)
        now = [field.input_value() for field in fields.all()]
        assert now == [*texts[: place + 1], *[""] * (len(texts) - place - 1)]
    given = [read_percent(text) for text in texts]
    assert points(page) == expected([each / sum(given) for each in given])


def test_the_rest_is_offered_and_is_an_answer_only_where_it_is_taken(board):
    page = board("rain", "dry")
    page.locator(".stakes-table input").first.fill("90")
    assert shares(page) == [0.9, None]
    assert points(page) == [None, None]
    page.get_by_role("button", name="Answer").click()
    assert page.evaluate("window.sent") == 0
    assert page.locator(".stakes-table input").first.evaluate("field => field.validationMessage") == (
        "Together they must be 100 %; they are 90 %. 98 to 102 is taken as 100."
    )
    page.get_by_role("button", name="the rest, 10 %").click()
    assert shares(page) == [0.9, 0.1]
    assert points(page) == expected([0.9, 0.1])
    assert page.inner_text(".stakes-sum output") == "Sum 100 %"


def test_a_number_below_one_is_asked_back(board):
    page = board("rain", "dry")
    page.locator(".stakes-table input").first.fill("0.7")
    assert page.get_by_role("button", name="the rest").count() == 0
    page.get_by_role("button", name="70 %").click()
    assert shares(page) == [0.7, None]


def test_points_are_spoken_for_those_who_cannot_see_them(board):
    page = board("rain", "dry")
    page.locator(".stakes-table input").first.fill("90")
    page.locator(".stakes-table input").last.fill("10")
    page.wait_for_function("document.querySelector('.stakes-said').textContent.includes('rain 90 %, +59 points')")


def test_what_the_control_gives_is_a_valid_answer(board):
    page = board("a", "b", "c")
    page.locator("circle.point").focus()
    for key in ("ArrowUp", "ArrowUp", "ArrowLeft", "ArrowDown", "Shift+ArrowRight"):
        page.keyboard.press(key)
    fields = page.evaluate("Object.fromEntries(new FormData(document.forms[0]))")
    space = Stakes(("a", "b", "c"))
    assert sum(space.check(space.parse(fields)).values()) == pytest.approx(1)


def test_the_lesson_shows_truth_points_and_the_realism_picture(browser):
    rendering = pytest.importorskip("mensura.web.drawing.prompt")
    pupil, space = Pupil(), Stakes(("a", "b"))
    for k in range(30):
        answer = {"a": 0.8, "b": 0.2} if k % 2 else {"a": 0.3, "b": 0.7}
        truth = "a" if k % 3 else "b"
        lesson = pupil.learn(answer, truth, space.pay(answer)[truth])
    page = browser.new_page()
    page.set_content(str(rendering.show(lesson.data())))
    assert "The answer is a" in page.inner_text(".lesson")
    assert page.locator(".lesson circle").count() >= 2
    assert "slope" in page.locator(".lesson svg").get_attribute("aria-label")
    page.close()
