"""Panels in the store: written wholly or not at all, blind until closed, each rating once."""

import pytest

from mensura.errors import BadParameter, Conflict, UnknownName
from mensura.store import Store
from mensura.store.people.panels import Assignment, Origin, PanelHead, Panels, Rating

CONTENTS = {"KTR": {"kind": "text", "text": "A."}, "MVB": {"kind": "text", "text": "B."}}
ORIGINS = {"KTR": Origin("drilled", "person-1"), "MVB": Origin("plain", "person-2")}


@pytest.fixture
def panels(store: Store) -> Panels:
    """Write down a panel of two texts."""
    panels = store.panels
    panels.create(PanelHead("essays", {"items": []}, {"seed": "1"}, 5.0, None), CONTENTS, ORIGINS)
    return panels


def test_a_panel_is_read_as_it_was_written(panels: Panels) -> None:
    assert panels.get("essays") == PanelHead("essays", {"items": []}, {"seed": "1"}, 5.0, None)
    assert {one.code: one.content for one in panels.artefacts("essays")} == CONTENTS
    assert panels.names() == ["essays"]


def test_an_unknown_panel_is_refused_with_the_nearest(panels: Panels) -> None:
    with pytest.raises(UnknownName, match="Did you mean essays"):
        panels.get("esays")


def test_a_second_panel_of_the_same_name_changes_nothing(panels: Panels) -> None:
    with pytest.raises(Conflict, match="already a panel"):
        panels.create(PanelHead("essays", {}, {}, 6.0, None), {"XXX": {}}, {"XXX": Origin("a", "b")})
    assert len(panels.artefacts("essays")) == 2


def test_origins_are_told_of_a_closed_panel_only(panels: Panels) -> None:
    with pytest.raises(BadParameter, match="blind"):
        panels.origins("essays")
    panels.close("essays")
    closed = panels.get("essays").closed
    panels.close("essays")
    assert panels.get("essays").closed == closed
    assert panels.origins("essays") == ORIGINS


def test_groups_tell_conditions_apart_without_naming_them(panels: Panels) -> None:
    groups = panels.groups("essays")
    assert set(groups) == {"KTR", "MVB"}
    assert sorted(groups.values()) == [0, 1]


def test_a_rating_is_kept_once_and_never_changed(panels: Panels) -> None:
    assert panels.add("essays", [Rating("KTR", "ann", "clear", 3.0)]) == 1
    assert panels.add("essays", [Rating("KTR", "ann", "clear", 5.0), Rating("KTR", "bob", "clear", 5.0)]) == 1
    assert [(one.rater, one.value) for one in panels.ratings("essays")] == [("ann", 3.0), ("bob", 5.0)]
    assert panels.ratings("essays", kinds=["third"]) == []


def test_erasing_takes_one_raters_ratings_and_leaves_the_others(panels: Panels) -> None:
    mine = Assignment("essays", "ann", "human", "rating", "run/0.0.0", (("KTR", ("clear",)),))
    other = Assignment("essays", "bob", "human", "rating", "run-2/0.0.0", (("KTR", ("clear",)),))
    panels.assign(mine)
    panels.assign(other)
    panels.add("essays", [Rating("KTR", "ann", "clear", 3.0), Rating("KTR", "bob", "clear", 5.0)])
    panels.erase(mine)
    assert panels.assignments("essays") == [other]
    assert [one.rater for one in panels.ratings("essays")] == ["bob"]
