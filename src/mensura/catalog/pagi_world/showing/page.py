"""The page of the laboratory on which sessions of rooms are watched."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from mensura.catalog.pagi_world.showing.replaying import watch_events
from mensura.dialogue import Event, Instance
from mensura.errors import BadParameter


class WatchPage:
    """Watch a room: a session of a run, finished or under way, with a time bar."""

    title: ClassVar[str] = "Watch a room"
    page: ClassVar[Mapping[str, str]] = {
        "package": "mensura.catalog.pagi_world",
        "template": "watch.html",
        "script": "watch.js",
        "style": "watch.css",
    }

    def data(self) -> dict[str, Any]:
        """Return what the page is drawn with: nothing until a session is chosen."""
        return {}

    def answer(self, asked: Any) -> dict[str, Any]:
        """Refuse: the page asks for sessions alone."""
        raise BadParameter("Ask with a session.")

    def rerun(self, events: Sequence[Event], instance: Instance) -> dict[str, Any]:
        """Return a session as frames, from its log, administered again."""
        if instance.test.name != "pagi-world":
            raise BadParameter("Sessions of the test pagi-world can be watched here.")
        watch = watch_events(instance, events)
        return {"recording": watch.data(), "over": any(event.kind in ("end", "fail") for event in events)}
