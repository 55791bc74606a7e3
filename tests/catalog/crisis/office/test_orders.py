"""Orders: vendors' forms are checked as a vendor would, confirmed by mail, and paid for."""

from datetime import date

import pytest

from mensura.catalog.crisis.office.office import OfficeState
from mensura.catalog.crisis.settings import CONDITIONS
from mensura.catalog.crisis.world.supply.money import hire

MICROPHONE = {"vendor": "brightline", "item": "microphone-set", "quantity": 2, "event": "board"}


def test_an_order_goes_to_where_its_event_is_and_is_confirmed_by_mail(office, do):
    said = do(office, "order", **MICROPHONE, now=10)
    assert said.ok
    made = office.orders["o-3"]
    assert (made.event, made.room, made.slot, made.quantity) == ("board", "l12", 10, 2)
    assert office.spent == 2 * 35 + 15
    office.arrive(40)
    receipt = office.mailbox["r-1"]
    assert (receipt.sender, receipt.order) == ("brightline", "o-3")
    assert "o-3" in receipt.body


def test_goods_for_a_long_event_are_paid_for_each_block(office, do):
    said = do(office, "order", vendor="brightline", item="projector-set", quantity=1, event="tutorial")
    assert said.data["cost"] == 60 * 2 + 15


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"vendor": "brightlin"}, "Did you mean brightline?"),
        ({"vendor": "acme"}, "no vendor 'acme'"),
        ({"item": "coffee"}, "Saffron Kitchen does"),
        ({"item": "microphone"}, "Did you mean microphone"),
        ({"item": "elephant"}, "It sells"),
        ({"quantity": 0}, "at least 1"),
        ({"quantity": -3}, "at least 1"),
        ({"quantity": 10**9}, "cannot bring"),
        ({"event": "opera"}, "no event 'opera'"),
    ],
)
def test_a_form_filled_in_wrongly_is_answered_and_orders_nothing(office, do, changed, words):
    said = do(office, "order", **{**MICROPHONE, **changed})
    assert not said.ok
    assert words in said.words
    assert list(office.orders) == ["o-1", "o-2"]
    assert office.spent == 0
    assert len(office.history) == 1


def test_nothing_is_delivered_to_an_event_without_a_place(office, do):
    do(office, "unschedule", event="board")
    assert "do not know where to deliver" in do(office, "order", **MICROPHONE).words


def test_orders_past_the_lead_time_are_refused(small, do):
    world = small.model_copy(update={"today": date(2027, 5, 9)})
    office = OfficeState(world, tools=CONDITIONS["agent"].tools)
    assert do(office, "order", vendor="brightline", item="screen-set", quantity=1, event="papers").ok
    said = do(office, "order", vendor="saffron", item="coffee", quantity=40, event="papers")
    assert not said.ok
    assert "2 days of notice; for Monday 10 May it was open until Saturday 8 May" in said.words
    assert do(office, "order", vendor="saffron", item="coffee", quantity=40, event="posters").ok
    late = small.model_copy(update={"today": date(2027, 5, 10)})
    office = OfficeState(late, tools=CONDITIONS["agent"].tools)
    assert "Not cancelled" in do(office, "cancel_order", order="o-2").words


def test_the_same_order_twice_is_taken_with_a_hint(office, do):
    assert "Note" not in do(office, "order", **MICROPHONE).words
    said = do(office, "order", **MICROPHONE)
    assert said.ok
    assert "Note: order o-3 asks for the same" in said.words
    assert list(office.orders) == ["o-1", "o-2", "o-3", "o-4"]


def test_a_changed_order_follows_its_event(office, do):
    do(office, "move", event="dinner", room="terrace", day=3, block=5)
    before = office.spent
    said = do(office, "change_order", order="o-2")
    assert said.ok
    assert (office.orders["o-2"].room, office.orders["o-2"].slot) == ("terrace", 14)
    assert office.spent == before + 30
    said = do(office, "change_order", order="o-2", quantity=100)
    assert office.spent == before + 30 + 30 + 10 * 22
    assert "goods +220.00" in said.words
    assert "nothing was changed" in do(office, "change_order", order="o-2").words


def test_a_cancelled_order_is_paid_back_without_its_delivery(office, do):
    said = do(office, "cancel_order", order="o-2")
    assert said.ok
    assert office.spent == 60 - 90 * 22
    assert list(office.cancelled) == ["o-2"]
    assert "was cancelled" in do(office, "cancel_order", order="o-2").words
    assert "was cancelled" in do(office, "change_order", order="o-2", quantity=3).words
    assert "no order 'o-9'" in do(office, "cancel_order", order="o-9").words


def test_a_quote_comes_by_mail_and_orders_nothing(office, do):
    assert do(office, "quote", **MICROPHONE, now=0).ok
    office.arrive(90)
    assert "would cost 85.00" in office.mailbox["r-1"].body
    assert office.spent == 0


def test_rooms_cost_by_the_block_against_the_original_plan(office, do):
    do(office, "move", event="tutorial", room="terrace", day=1, block=1)
    assert office.spent == 2 * 30
    do(office, "unschedule", event="papers")
    assert office.spent == 2 * 30 - 50
    assert hire(office.world, office.place) == 2 * 30 + 30
    assert "The replanning costs so far: 10.00" in do(office, "look", page="budget").words
