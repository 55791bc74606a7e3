"""Laboratory: what the pages of one process share. Routers find it as `request.app.state.laboratory`."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mensura.running.live import LiveSessions
from mensura.store import open_store
from mensura.web.allowance import Allowance
from mensura.web.programs import Programs
from mensura.web.seal import Seal
from mensura.web.settings import WebSettings

if TYPE_CHECKING:
    from starlette.requests import Request

    from mensura.store import Store


@dataclass
class Laboratory:
    """What the pages of one process share: the store, the sessions at hand, who is there, and the seal."""

    settings: WebSettings
    store: "Store"
    seal: Seal
    sessions: LiveSessions
    programs: Programs
    beats: Allowance
    """How often a sign of life is written down: every few seconds, however often pages ask."""

    @classmethod
    def open(cls, settings: WebSettings) -> "Laboratory":
        """Open the store and take the seal from it."""
        store = open_store(settings.store)
        sessions = LiveSessions(store, most=settings.at_hand)
        beats = Allowance(20 / settings.absence_seconds, saved=1.0)
        return cls(settings, store, Seal.of_store(store), sessions, Programs(sessions), beats)

    def close(self) -> None:
        """Stop playing for programs, and close the store."""
        self.programs.close()
        self.store.close()


def laboratory(request: "Request") -> Laboratory:
    """Give the laboratory that a request is made to."""
    found: Laboratory = request.app.state.laboratory
    return found
