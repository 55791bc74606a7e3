"""The tutorial in a real browser: every control is tried with mouse and keys, and answers at once."""

import math
import re

import pytest

from mensura.catalog.sensemaking.dialogue import sensemaking
from mensura.catalog.sensemaking.practice import SPREAD

pytestmark = pytest.mark.browser


def _status(page):
    return page.inner_text(".sheet .sm-live")


def _told(page):
    return page.inner_text(".tolds")


def _key(page):
    page.wait_for_selector("main[data-ready]")
    return page.get_attribute("[data-ask]", "data-key")


def _answer(page):
    """Press Answer, twice where percents must be confirmed, and wait for the next ask."""
    number = page.get_attribute("[data-ask]", "data-ask")
    gone = "(number) => !document.querySelector(`[data-ask='${number}']`)"
    noted = "document.querySelector('.sm-note')?.textContent"
    for _ in range(2):
        page.click("form[data-answer] button.primary")
        page.wait_for_function(f"(number) => ({gone})(number) || {noted}", arg=number)
        if page.query_selector(f"[data-ask='{number}']") is None:
            break
    page.wait_for_function(gone, arg=number)
    page.wait_for_selector("main[data-ready]")


def _percents(page, **values):
    for name, value in values.items():
        page.fill(f'.sm-row[data-option="{name}"] input[data-percent]', str(value))


def _drag(page, start, *through):
    plane = page.query_selector(".sheet .plane")
    plane.scroll_into_view_if_needed()
    low, high = ([float(x) for x in plane.get_attribute(name).split()] for name in ("data-low", "data-high"))
    box = before = None
    while box is None or box != before:
        before, box = box, plane.bounding_box()
        page.wait_for_timeout(60)

    def at(place):
        return (
            box["x"] + (place[0] - low[0]) / (high[0] - low[0]) * box["width"],
            box["y"] + (high[1] - place[1]) / (high[1] - low[1]) * box["height"],
        )

    page.mouse.move(*at(start))
    page.mouse.down()
    for place in through:
        page.mouse.move(*at(place), steps=3)
    page.mouse.up()


def _part(page, name):
    return float(page.input_value(f'[data-part="{name}"]'))


def _inside(page):
    x, y, radius = (_part(page, name) for name in ("x", "y", "radius"))
    return sum(math.hypot(a - x, b - y) <= radius for a, b in SPREAD)


@pytest.fixture
def practising(lab):
    from mensura.web.participant.invitation import Frame, invite

    store, home, page = lab
    parameters = {"tutorial": True, "tasks": "1234567", "breaks": False}
    _, (link,) = invite(sensemaking, "human", store=store, seed=5, parameters=parameters, frame=Frame())
    page.goto(home + link.path)
    return store, link, page


def test_every_control_is_practised_and_every_try_is_answered(practising):
    store, link, page = practising
    assert _key(page) == "practice.distribution"
    _percents(page, A=80, B=40, C=40, D=40)
    assert page.inner_text(".sm-sum output") == "200 %, 100 too much"
    _answer(page)

    assert _key(page) == "practice.circle"
    assert "100 of 100 like the right one" in _told(page)
    _drag(page, (47, 56), (52, 56), (56, 56))
    assert _status(page) == f"The circle holds {_inside(page)} of 9."
    # Taken by its edge the circle is resized and stays where it is.
    _drag(page, (56, 56), (57, 56), (58.5, 56))
    assert _part(page, "x") == pytest.approx(47, abs=0.5)
    assert _part(page, "radius") == pytest.approx(11.5, abs=0.6)
    assert _status(page) == f"The circle holds {_inside(page)} of 9."
    page.fill('[data-part="radius"]', "12")
    assert _status(page) == "The circle holds 6 of 9."
    _answer(page)

    assert _key(page) == "practice.centre"
    assert "Your circle holds 6 of 9 events; two thirds are 6." in _told(page)
    assert {"a good circle", "your circle"} <= set(re.split(r"\s*\n\s*", page.inner_text(".tolds .sm-groups")))
    _drag(page, (20, 36))
    assert (_part(page, "x"), _part(page, "y")) == (20, 30)
    far = float(re.search(r"([\d.]+) miles along the road", _status(page))[1])
    _drag(page, (54, 28))
    near = float(re.search(r"([\d.]+) miles along the road", _status(page))[1])
    assert (_part(page, "x"), _part(page, "y")) == (54, 30)
    assert near < far
    _answer(page)

    assert _key(page) == "practice.choice"
    assert "Your centre is 0.3 miles along the road" in _told(page)
    page.keyboard.press("1")
    _answer(page)
    assert "You would score 0 of 100" in _told(page)

    assert _key(page) == "practice.allocation"
    _percents(page, A=70, B=30, C=0, D=0)
    _answer(page)
    assert _key(page) == "practice.surprise"
    assert "You would score 70 of 100" in _told(page)
    page.click('label:has(input[value="6"])')
    _answer(page)

    assert _key(page) == "practice.layer"
    page.click('label:has(input[value="SIGINT-A"])')
    _answer(page)
    assert _key(page) == "practice.update"
    assert "SIGINT on A" in page.inner_text(".prompt")
    assert page.query_selector_all(".prompt .sm-bars figure")[1].inner_text().startswith("The report alone")
    _percents(page, A=18, B=41, C=27, D=14)
    _answer(page)

    assert _key(page) == "practice.buy"
    assert "100 of 100 like the right one" in _told(page)
    page.click('label:has(input[value="MOVINT"])')
    _answer(page)
    assert _key(page) == "1.1.0"
    assert "You have 1.00 credits left." in _told(page)
    assert "From here on it counts." in _told(page)
    given = store.records.find(link.session).given()
    assert [key for key in given if key.startswith("practice.")] == list(given)
    assert len(given) == 9
