"""Pages: looking things up. Each shows what lies open in the office; rooms show their specifications, too."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mensura.catalog.crisis.office.history import Said
from mensura.catalog.crisis.office.naming import named, near
from mensura.catalog.crisis.office.pages import lists, things

if TYPE_CHECKING:
    from mensura.catalog.crisis.office.office import OfficeState

PLAIN: dict[str, Callable[["OfficeState"], str]] = {
    "sent": lists.sent,
    "rooms": lists.rooms,
    "vendors": lists.vendors,
    "orders": lists.orders,
    "manual": lists.manual,
    "budget": lists.budget,
    "people": lists.people,
    "map": lists.campus,
    "notes": lists.notes,
    "briefing": lists.briefing,
    "original": lists.original,
    "constraints": lists.constraints,
    "proposals": lists.proposals,
}
"""Pages that need no item."""
SOME: dict[str, Callable[["OfficeState", str], str]] = {
    "mail": lists.mail,
    "schedule": lists.schedule,
    "portal": lists.portal,
    "site": lists.site,
    "help": lists.guide,
}
"""Pages that an item narrows down."""
ONE: dict[str, tuple[str, Callable[["OfficeState", str], str]]] = {
    "event": ("event", things.event),
    "room": ("room", things.room),
    "vendor": ("vendor", things.vendor),
    "entry": ("entry", things.entry),
    "person": ("person", things.person),
}
"""Pages about one thing of a kind."""


def look(office: "OfficeState", role: str, arguments: dict[str, Any]) -> Said:
    """Look at a page."""
    page, item = arguments["page"].strip().lower(), arguments.get("item", "").strip()
    data = {"page": page, "item": item}
    if page in PLAIN:
        return Said(True, PLAIN[page](office), data)
    if page in SOME:
        return Said(True, SOME[page](office, item), data)
    if page in ONE:
        kind, write = ONE[page]
        if not item:
            return Said(False, f"Say which {kind}: look at {page} with an item.")
        id = named(office, kind, item)
        return Said(True, write(office, id), {"page": page, "item": id})
    if page == "order":
        return things.order(office, item)
    return _other(office, item if page == "page" else page)


def _other(office: "OfficeState", name: str) -> Said:
    pages = office.world.pages
    if name in pages:
        return Said(True, pages[name], {"page": "page", "item": name})
    known = [*PLAIN, *SOME, *ONE, "order", *pages]
    hint = near(name, known, cutoff=0.6) or (f"Other pages are {', '.join(pages)}." if pages else "")
    return Said(False, f"There is no page {name[:60]!r}. {hint}".strip())


PAGES = {"look": look}
