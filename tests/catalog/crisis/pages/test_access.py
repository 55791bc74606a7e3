"""Everyone can work in the office: no serious fault of accessibility, and nothing wider than the window."""

from pathlib import Path

import pytest

pytestmark = pytest.mark.browser

AXE = Path(__file__).parents[3] / "web" / "vendor" / "axe.min.js"


def faults(page):
    """Find serious faults on a page."""
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{one['id']}: {one['help']} {[node['target'] for node in one['nodes'][:3]]}"
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize("condition", ["radar-l", "cots"])
def test_every_view_can_be_read_and_reached_at_both_widths(sit, phone, condition):
    desk = sit(condition)
    page = desk.page
    page.locator(".letter", has_text="under water").click()
    page.wait_for_selector(".message .body")
    # Evaluated by the debugger, which no policy of the page holds back.
    page.evaluate(AXE.read_text() + ";0")
    wrong, too_wide = {}, []
    names = page.locator(".desk-tab").evaluate_all("tabs => tabs.map((tab) => tab.dataset.place)")
    for name in names:
        page.set_viewport_size({"width": 1280, "height": 800})
        page.locator(f"[data-place='{name}']").click()
        if name == "tab:schedule":
            page.locator("[data-drop='great:1'], [data-event=tutorial]").first.click()
        if found := faults(page):
            wrong[name] = found
        page.set_viewport_size(phone)
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            too_wide.append(name)
    assert not wrong
    assert not too_wide
