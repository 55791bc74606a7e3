"""Everyone can work in the office: no fault of accessibility, and nothing wider than the window."""

import pytest

from tests.proofs import proofs
from tests.web.axe import faults_of

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("condition", ["radar-l", *proofs("cots")])
def test_every_view_can_be_read_and_reached_at_both_widths(sit, phone, condition):
    desk = sit(condition)
    page = desk.page
    page.locator(".letter", has_text="under water").click()
    page.wait_for_selector(".message .body")
    wrong, too_wide = {}, []
    names = page.locator(".desk-tab").evaluate_all("tabs => tabs.map((tab) => tab.dataset.place)")
    for name in names:
        page.set_viewport_size({"width": 1280, "height": 800})
        page.locator(f"[data-place='{name}']").click()
        if name == "tab:schedule":
            page.locator("[data-drop='great:1'], [data-event=tutorial]").first.click()
        if found := faults_of(page):
            wrong[name] = found
        page.set_viewport_size(phone)
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            too_wide.append(name)
    assert not wrong
    assert not too_wide
