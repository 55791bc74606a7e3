"""Laboratory: what the pages of one process share. Routers find it as `request.app.state.laboratory`."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mensura.running.live import LiveSessions
from mensura.store import open_store
from mensura.web.participant.news import SessionNews
from mensura.web.participant.programs import Programs
from mensura.web.safety.rate_limit import RateLimit
from mensura.web.safety.signing import Signer
from mensura.web.settings import WebSettings

if TYPE_CHECKING:
    from starlette.requests import Request

    from mensura.store import Store


@dataclass
class Laboratory:
    """The state that the pages of one process share: the store, open sessions, who is present, and the signer."""

    settings: WebSettings
    store: "Store"
    signer: Signer
    sessions: LiveSessions
    programs: Programs
    news: SessionNews
    beats: RateLimit
    """How often a sign of life is written down: every few seconds, however often pages ask."""

    @classmethod
    def open(cls, settings: WebSettings) -> "Laboratory":
        """Open the store and take the signer from it."""
        store = open_store(settings.store, durable=True)
        sessions = LiveSessions(store, most=settings.at_hand)
        beats = RateLimit(10 / settings.absence_seconds, saved=1.0)
        return cls(
            settings, store, Signer.of_store(store), sessions, Programs(sessions), SessionNews(store.events), beats
        )

    def limit(self, name: str, rate: float, *, saved: float, alone: float = 0.5) -> RateLimit:
        """Make a rate limit that all processes of this laboratory share, where there are several."""
        together = self.store.limits if self.settings.workers > 1 else None
        return RateLimit(rate, saved=saved, name=name, together=together, alone=alone)

    def close(self) -> None:
        """Stop playing for programs, and close the store."""
        self.programs.close()
        self.store.close()


def laboratory(request: "Request") -> Laboratory:
    """Return the laboratory that a request is made to."""
    found: Laboratory = request.app.state.laboratory
    return found
