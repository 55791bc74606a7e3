"""Milestones: what supplemental payments are for, checked by program from the office as it was left.

The source paid 12, 4 and 4 dollars for the schedule, the briefing and the site. Participants hear of them in general
words and are not told what exactly is checked.
"""

from typing import TYPE_CHECKING

from mensura.catalog.crisis.scoring.snapshot import Snapshot, untouched

if TYPE_CHECKING:
    from collections.abc import Mapping

PAY = {"schedule": 12.0, "briefing": 4.0, "site": 4.0}
"""What the source paid, as the default of a procedure."""


def milestones(standing: Snapshot) -> "Mapping[str, bool]":
    """Return which milestones an office has reached.

    `schedule`: no event stands in a room that is lost, and every event has a place. `briefing`: one was written.
    `site`: some entry is not as it was found.
    """
    empty = not standing.schedule.inside(standing.world.portal.lost)
    placed = all(standing.place.get(event.id) is not None for event in standing.world.events)
    found = untouched(standing.world).site
    changed = any(dict(fields) != dict(found.get(entry, {})) for entry, fields in standing.site.items())
    return {"schedule": empty and placed, "briefing": bool(standing.briefing.strip()), "site": changed}
