"""Office: what the experimenters' pages of one process share, beside what the laboratory has."""

from threading import Lock
from typing import TYPE_CHECKING

from mensura.web.lab.at_hand import AtHand
from mensura.web.lab.items.tables import ItemTables
from mensura.web.lab.runs.background import Background
from mensura.web.lab.runs.study import StudyFindings
from mensura.web.lab.runs.summary import Summaries
from mensura.web.safety.rate_limit import RateLimit

if TYPE_CHECKING:
    from starlette.requests import Request

    from mensura.web.laboratory import Laboratory

TRIES = 10
SECONDS_PER_TRY = 20.0
SECONDS_PER_LOOK = 600.0
"""A look at a study as administrator is noted once in so long, however often its page renews itself."""


class Office:
    """The state that experimenters' pages of one process share: runs under way, cached results, attempts to log in."""

    def __init__(self, laboratory: "Laboratory") -> None:
        store = laboratory.store
        self.background = Background(store)
        self.summaries = Summaries(store)
        self.items = ItemTables(store)
        self.studies: AtHand[StudyFindings] = AtHand(8)
        # Each try is counted by all processes: it costs a slow hash, and is worth a write.
        self.tries = laboratory.limit("try", 1 / SECONDS_PER_TRY, saved=TRIES, alone=0.0)
        self.looks = RateLimit(1 / SECONDS_PER_LOOK, saved=1.0)


_making = Lock()


def office(request: "Request") -> Office:
    """Return the office of the laboratory that a request is made to; opened at the first request."""
    state = request.app.state
    with _making:
        found: Office | None = getattr(state, "office", None)
        if found is None:
            found = state.office = Office(state.laboratory)
    return found
