"""Schemas and the calibration form in a real browser, on a desk and on a phone."""

import os

import pytest

from tests.web.browser.conftest import DESKTOP, PHONE

pytestmark = pytest.mark.browser


def fits(page):
    """Return whether nothing sticks out to the right."""
    return page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def kept(page, name):
    """Keep a picture of the page where a folder for them is named."""
    if folder := os.environ.get("MENSURA_PICTURES"):
        page.screenshot(path=f"{folder}/{name}.png", full_page=True)


@pytest.mark.parametrize(("name", "width"), [("desk", DESKTOP), ("phone", PHONE)])
def test_a_schema_and_the_calibration_form_fit_the_page(people, invited, name, width):
    page = people(invited("winograd", count=2, switch=False)[0], size=width)
    page.wait_for_selector('main[data-ready][data-kind="ask"]')
    assert "in brackets stand for?" in page.inner_text("main")
    assert fits(page)
    kept(page, f"schema-{name}")

    page = people(invited("schema-calibration", count=2)[0], size=width)
    page.wait_for_selector('main[data-ready][data-kind="ask"]')
    assert "How sure are you?" in page.inner_text("main")
    assert fits(page)
    kept(page, f"calibration-{name}")
