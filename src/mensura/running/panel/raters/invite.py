"""Links by which the people of a panel enter: each leads to their rating session and nothing else."""

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mensura.languages import check_language
from mensura.subjects.spec import HUMAN

if TYPE_CHECKING:
    from mensura.store import Store

BRIEFING = (
    "You will see artefacts one after the other and rate each of them. You are not told where they come from; please "
    "judge only what you see. You may stop and come back by the same link."
)
THANKS = "Thank you. All your ratings are stored."


@dataclass(frozen=True)
class RaterLink:
    """A link for one rater; it is shown once and cannot be looked up again."""

    rater: str
    token: str
    session: str


def invite_raters(
    name: str,
    *,
    store: "Store",
    briefing: str = BRIEFING,
    days: float | None = None,
    created_by: str = "",
    language: str = "",
) -> list[RaterLink]:
    """Make a link for every piece of people's work that is open and has none yet."""
    details = {"language": check_language(language)} if language else {}
    from mensura.store.people.invitations import Step

    invitations = store.invitations
    expires = None if days is None else time.time() + 86400 * days
    invited = {step.session for one in invitations.all() for step in one.steps if step.session and not one.expired}
    links = []
    for one in store.panels.assignments(name):
        if one.subject != HUMAN or one.session in invited or store.sessions.find(one.session).status != "open":
            continue
        # Neither title nor label names the panel: its name may say what is compared.
        steps = [
            Step("page", title="Rating", text=briefing),
            Step("session", title="Rating", session=one.session),
            Step("thanks", title="Thank you", text=THANKS),
        ]
        token, _ = invitations.add(steps, label=one.rater, created_by=created_by, expires=expires, details=details)
        links.append(RaterLink(one.rater, token, one.session))
    return links
