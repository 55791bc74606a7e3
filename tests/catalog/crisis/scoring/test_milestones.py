"""The milestones that a session may reach."""

from dataclasses import replace

import pytest

from mensura.catalog.crisis.scoring.milestones import PAY, milestones
from mensura.catalog.crisis.scoring.snapshot import untouched


def test_an_untouched_office_has_reached_nothing(small):
    assert milestones(untouched(small)) == {"schedule": False, "briefing": False, "site": False}
    assert set(PAY) == {"schedule", "briefing", "site"}


@pytest.fixture
def cleared(small):
    world = small
    start = untouched(world)
    driven_out = start.schedule.inside(world.portal.lost)
    place = {event: (at[0], 0) if event in driven_out else at for event, at in start.place.items()}
    return replace(start, place=place)


def test_empty_lost_rooms_and_all_events_placed_reach_the_schedule(cleared):
    assert milestones(cleared)["schedule"]
    one = next(iter(cleared.place))
    assert not milestones(replace(cleared, place={**cleared.place, one: None}))["schedule"]


def test_any_changed_entry_and_any_words_count(cleared):
    entry = next(iter(cleared.site))
    fields = {name: value + "!" for name, value in cleared.site[entry].items()}
    done = milestones(replace(cleared, site={**cleared.site, entry: fields}, briefing="All is well."))
    assert done["site"]
    assert done["briefing"]
