"""The site: publishing and other changes apart; what nobody asked for costs."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from mensura.catalog.crisis.scoring.site import grade_site
from mensura.catalog.crisis.scoring.snapshot import Snapshot

Change = Callable[..., Snapshot]


def edited(standing: Snapshot, entry: str, **fields: str) -> Snapshot:
    """Change an entry of the site."""
    return replace(standing, site={**standing.site, entry: {**standing.site[entry], **fields}})


def test_publishing_counts_the_events_that_moved_or_lost_their_room(found: Snapshot, done: Snapshot) -> None:
    assert grade_site(found).to_publish == 3
    assert grade_site(done).to_publish == 4
    assert grade_site(done).publishing == 1


def test_an_announcement_needs_room_and_time(done: Snapshot) -> None:
    graded = grade_site(edited(done, "site-dinner", time="whenever"))
    assert graded.publishing == pytest.approx(3 / 4)
    assert list(graded.unpublished) == ["dinner"]
    assert "whenever" in graded.unpublished["dinner"]


def test_announcing_a_place_that_cannot_be_had_counts_for_nothing(moved: Change, done: Snapshot) -> None:
    office = moved({"keynote": ("auditorium", 7)})
    office = edited(office, "site-keynote", **office.world.announcement(("auditorium", 7)))
    assert grade_site(office).publishing == pytest.approx(3 / 4)


def test_case_spaces_and_dashes_do_not_matter(done: Snapshot) -> None:
    time = done.site["site-dinner"]["time"].replace("–", "-").upper() + " "
    assert grade_site(edited(done, "site-dinner", time=time)).publishing == 1


def test_a_requested_change_that_is_not_made_is_named(done: Snapshot) -> None:
    graded = grade_site(edited(done, "site-kofi", name="Kofi Mensa"))
    assert graded.web == 0
    assert "Kofi Mensa" in graded.undone["task-name"]


def test_changes_that_nobody_asked_for_cost(done: Snapshot) -> None:
    graded = grade_site(edited(done, "site-ada", phone="0", affiliation="?"))
    assert graded.web == pytest.approx(1 - 2 * 0.02)
    assert sorted(graded.unrequested) == ["site-ada.affiliation", "site-ada.phone"]


def test_a_wrong_announcement_of_an_event_that_never_moved_is_unrequested(done: Snapshot) -> None:
    graded = grade_site(edited(done, "site-papers", room="Terrace Room"))
    assert graded.publishing == 1
    assert list(graded.unrequested) == ["site-papers.room"]


def test_web_never_goes_below_nothing(found: Snapshot) -> None:
    graded = grade_site(edited(found, "site-ada", phone="0"))
    assert graded.web == 0
    assert graded.penalty == 0
