"""The control for probabilities in a real browser: slider, triangle, sliders, keyboard, and points that move along."""

import math
from base64 import b64encode
from importlib.resources import files

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
def board(browser):
    """Open a page with nothing but the control."""
    rendering = pytest.importorskip("mensura.web.drawing.prompt", reason="the web pages are not installed")
    page = browser.new_page()
    problems = []
    page.on("pageerror", lambda problem: problems.append(problem))
    pages = files("mensura.catalog.forecasting").joinpath("pages")
    shared = files("mensura.dialogue.spaces").joinpath("pages", "percent.js")
    scripts = [b64encode(each.read_bytes()).decode() for each in (pages.joinpath("stakes.js"), shared)]
    style = pages.joinpath("stakes.css").read_text()

    def open_with(*options):
        space = Stakes(options)
        page.set_content(f"<form>{rendering.control(space.data())}</form>")
        page.add_style_tag(content=style)
        page.evaluate(
            """async ([sources, data]) => {
                const [module, { readPercent }] = await Promise.all(
                    sources.map((source) => import(`data:text/javascript;base64,${source}`)));
                module.default(document.querySelector(".own"), {data, form: document.forms[0], readPercent});
            }""",
            [scripts, space.data()],
        )
        return page

    yield open_with
    page.close()
    assert problems == []


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


def test_more_alternatives_have_a_slider_each_and_keep_their_sum(board):
    page = board("a", "b", "c", "d")
    assert page.locator("input[type=range]").count() == 4
    page.locator("input[type=range]").nth(2).focus()
    for _ in range(30):
        page.keyboard.press("ArrowRight")
    values = shares(page)
    assert values[2] == pytest.approx(0.55)
    assert values[0] == pytest.approx(0.15, abs=1e-3)
    assert math.fsum(values) == pytest.approx(1, abs=1e-9)
    assert points(page) == expected(values)


def test_numbers_can_be_typed_and_the_rest_gives_way(board):
    page = board("rain", "dry")
    page.locator(".stakes-table input").first.fill("90")
    assert shares(page) == [0.9, 0.1]
    assert points(page) == expected([0.9, 0.1])
    page.locator(".stakes-table input").first.fill("0.7")
    assert points(page) == [None, None]
    page.get_by_role("button", name="70 %").click()
    assert shares(page) == [0.7, 0.3]


def test_what_was_typed_stays_and_the_last_one_is_the_rest(board):
    page = board("a", "b", "c")
    fields = page.locator(".stakes-table input")
    fields.nth(0).fill("60")
    assert shares(page) == [0.6, None, None]
    fields.nth(1).fill("30")
    assert shares(page) == [0.6, 0.3, 0.1]
    fields.nth(2).fill("11")
    assert shares(page) == [0.6, 0.3, 0.11]
    assert page.inner_text(".stakes-sum") == "Sum 101 %"
    assert points(page) == expected([0.6 / 1.01, 0.3 / 1.01, 0.11 / 1.01])


def test_points_are_spoken_for_those_who_cannot_see_them(board):
    page = board("rain", "dry")
    page.locator(".stakes-table input").first.fill("90")
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
