"""Visible parts: what lies open in an office from moment to moment, as plain data that leads nowhere behind it."""

from typing import Any

from mensura.catalog.crisis.office.office import PROPOSE, OfficeState
from mensura.catalog.crisis.office.visible import PARTS, mailbox
from mensura.catalog.crisis.settings import ASSISTED

MAILBOX = "mailbox"
COMES = (MAILBOX, "granted", "bumps")
"""What mail that arrives can change."""
_PLACES, _ORDERS = ("place", "sheet", "spent"), ("orders", "cancelled", "payments", "spent")
CHANGES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("look", "search", "quote", "wait", "finish", *ASSISTED), ()),
    **dict.fromkeys(("move", "copy", "unschedule"), _PLACES),
    **dict.fromkeys(("order", "change_order", "cancel_order"), _ORDERS),
    **dict.fromkeys(("set_room_fact", "set_event_fact"), ("facts", "lost")),
    **dict.fromkeys(("reply", "send"), ("sent",)),
    **dict.fromkeys(("edit_entry", "publish"), ("site",)),
    **dict.fromkeys(("constrain", "unconstrain"), ("constraints",)),
    "read": (MAILBOX,),
    "ask_room": ("bumps",),
    "note": ("notes",),
    "brief": ("briefing",),
    PROPOSE: ("proposals", "labels", "lost"),
}
"""What each act can change; one that is not named can change everything."""


class VisibleParts:
    """Gives what `visible` gives, but makes anew only what has changed since it was last asked."""

    def __init__(self, office: OfficeState) -> None:
        self._office = office
        self._parts: dict[str, Any] = {}
        self._acts = self._mail = 0

    def now(self) -> dict[str, Any]:
        """Show the office as it is; what was shown before stays as it was."""
        office, every = self._office, (*PARTS, MAILBOX)
        stale = {part for act in office.journal[self._acts :] for part in CHANGES.get(act[2], every)}
        stale.update(COMES if len(office.mailbox) != self._mail else ())
        for part in stale if self._parts else every:
            self._parts[part] = mailbox(office) if part == MAILBOX else PARTS[part](office)
        self._acts, self._mail = len(office.journal), len(office.mailbox)
        return {**office.index.static, **self._parts, "now": office.now, "checks": office.checks}
