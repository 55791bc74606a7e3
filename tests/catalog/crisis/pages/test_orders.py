"""Vendors and orders in the browser: price before the order, changes, cancellations, and nothing twice."""

import pytest

pytestmark = pytest.mark.browser


def fill_order(page, *, quantity="2", event="papers"):
    page.select_option("[data-place='order:brightline:item']", "microphone-set")
    page.fill("[data-place='order:brightline:quantity']", quantity)
    page.select_option("[data-place='order:event']", event)


@pytest.mark.usefixtures("prompt_answers")
def test_an_order_is_placed_changed_and_cancelled_by_its_receipt(sit):
    desk = sit()
    page = desk.page
    desk.tab("Vendors")
    fill_order(page)
    assert "$85" in page.inner_text(".price")
    desk.click("button:text-is('Order')")
    assert "o-3" in desk.said
    page.wait_for_selector(".desk-said:has-text('New mail')")
    desk.tab("Mail")
    page.locator(".letter", has_text="Your order o-3").click()
    page.locator(".receipt button", has_text="Change").click()
    page.fill("[data-place='change:o-3:quantity']", "3")
    page.select_option("[data-place='change:o-3:event']", "posters")
    desk.click("button:text('Change the order')")
    assert "has changed order o-3" in desk.said
    assert desk.office().orders["o-3"].room == "terrace"
    page.locator("button", has_text="Cancel the order").first.click()
    desk.click("button:text('Yes, cancel')")
    assert "is cancelled" in desk.said
    assert page.locator("tr.gone").count() == 1
    office = desk.office()
    assert "o-3" in office.cancelled
    assert office.spent == pytest.approx(2 * 35 + 15 + 35 + 10 + 20 - 105)


def test_an_order_is_given_by_the_keyboard_alone(sit):
    desk = sit()
    page = desk.page
    desk.tab("Vendors")
    page.focus("[data-place='order:brightline:quantity']")
    page.keyboard.press("Control+A")
    page.keyboard.type("25")
    page.keyboard.press("Tab")
    page.keyboard.type("Papers")
    assert "$1,515" in page.inner_text(".price")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    desk.settled()
    assert "o-3" in desk.said
    assert page.evaluate("document.activeElement.textContent") == "Order"
    assert desk.calls("order")[0]["quantity"] == 25


def test_two_clicks_are_one_order(sit):
    desk = sit()
    page = desk.page
    desk.tab("Vendors")
    fill_order(page)
    page.evaluate(
        """() => {
            const button = [...document.querySelectorAll('button')].find((each) => each.textContent === 'Order');
            button.click();
            button.click();
        }"""
    )
    desk.settled()
    page.wait_for_selector(".desk-said:has-text('o-3')")
    assert len(desk.calls("order")) == 1


def test_a_second_tab_does_not_double_an_order(sit):
    desk = sit()
    first = desk.page
    desk.tab("Vendors")
    fill_order(first)
    second = first.context.new_page()
    second.goto(desk.path)
    second.locator(".desk-tab", has_text="Vendors").click()
    fill_order(second)
    desk.click("button:text-is('Order')")
    assert "o-3" in desk.said
    second.locator("button:text-is('Order')").click()
    second.wait_for_selector(".desk-said.bad")
    assert "not taken" in second.inner_text(".desk-said")
    second.locator(".desk-tab", has_text="Orders").click()
    assert second.locator("tbody th button", has_text="o-3").count() == 1
    assert len(desk.calls("order")) == 1
    # It shows what is so now, and an order that is really wanted twice can be given.
    second.locator(".desk-tab", has_text="Vendors").click()
    assert second.input_value("[data-place='order:brightline:quantity']") == "2"
    second.locator("button:text-is('Order')").click()
    second.wait_for_selector(".desk-said:has-text('asks for the same')")
    assert len(desk.calls("order")) == 2


def test_a_cancellation_that_was_not_confirmed_is_asked_anew_later(sit):
    desk = sit()
    page = desk.page
    desk.tab("Orders")
    page.locator("[data-place='order:o-1']").click()
    page.locator("button:text-is('Cancel the order')").click()
    assert page.locator("button", has_text="Yes, cancel").count() == 1
    desk.tab("Mail")
    desk.tab("Orders")
    assert page.locator("button", has_text="Yes, cancel").count() == 0
    assert page.locator("button:text-is('Cancel the order')").is_visible()
