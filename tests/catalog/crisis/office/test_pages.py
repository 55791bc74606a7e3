"""Pages: all can be looked at; the specification of a room is the truth, the planner's table what was assumed."""

import pytest

from mensura.catalog.crisis.tools import PAGES

ITEMS = {
    "event": "keynote",
    "room": "l12",
    "vendor": "petal",
    "order": "o-1",
    "entry": "site-kofi",
    "person": "ada",
    "page": "parking",
}


@pytest.mark.parametrize("page", PAGES)
def test_every_page_can_be_looked_at(advised, do, page):
    arguments = {"page": page, "item": ITEMS[page]} if page in ITEMS else {"page": page}
    said = do(advised, "look", **arguments)
    assert said.ok, said.words
    assert said.words.strip()


def test_a_room_shows_its_specification_beside_the_planners_table(office, do):
    words = do(office, "look", page="room", item="Linden 12").words
    assert "- theatre: 60" in words
    assert "table says: theatre 80" in words
    assert "- built in: screen, whiteboard" in words


def test_the_portal_says_who_has_a_room_and_not_whether_they_would_give_it_up(office, do):
    words = do(office, "look", page="portal", item="auditorium").words
    assert "reserved by Ines Valdez (ines), staff training" in words
    assert "our events: papers" in words
    assert "yield" not in words
    grid = do(office, "look", page="portal").words
    assert "E.... R.R.x ..... .....  auditorium" in grid
    assert "....." in grid


def test_one_day_and_one_page_of_the_site_can_be_looked_at_alone(office, do):
    assert "keynote" not in do(office, "look", page="schedule", item="1").words
    assert "Come one, come all" in do(office, "look", page="site", item="news").words
    assert "no page 'wedding'" in do(office, "look", page="site", item="wedding").words


def test_unread_mail_can_be_listed_alone(office, do):
    do(office, "read", message="m-1", now=300)
    words = do(office, "look", page="mail", item="unread").words
    assert "m-3" in words
    assert "m-1" not in words


@pytest.mark.parametrize(
    ("page", "item", "words"),
    [
        ("schedul", "", "Did you mean schedule?"),
        ("gossip", "", "no page 'gossip'"),
        ("room", "", "Say which room"),
        ("room", "attic", "no room"),
        ("order", "o-77", "no order"),
        ("page", "swimming", "no page"),
    ],
)
def test_pages_that_are_not_there_are_answered(office, do, page, item, words):
    said = do(office, "look", page=page, item=item)
    assert not said.ok
    assert words in said.words


def test_help_names_every_tool_of_the_condition_and_no_other(office, advised, do):
    assert "optimise" not in do(office, "look", page="help").words
    assert "optimise()" in do(advised, "look", page="help").words


def test_help_shows_one_act_and_marks_what_may_be_left_out(office, do):
    words = do(office, "look", page="help").words
    assert "- look(page, [item]): " in words
    assert "- move(event, room, day, block): " in words
    one = do(office, "look", page="help", item="change_order").words
    assert one.startswith("change_order(order, [quantity], [event]): ")
    assert "May be left out: quantity, event." in one
    assert "cancel_order" not in one
    assert "no act 'optimise'" in do(office, "look", page="help", item="optimise").words
