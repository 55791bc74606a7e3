"""Progress: how far raters are; nothing of what they rated or of where artefacts come from."""

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from mensura.running.panel.raters.collecting import collect

if TYPE_CHECKING:
    from mensura.store import Store
    from mensura.store.people.panels import Kind


@dataclass(frozen=True)
class RaterProgress:
    """How far one rater is with one piece of work."""

    rater: str
    subject: str
    kind: "Kind"
    artefacts: int
    rated: int
    session: str
    status: str


@dataclass(frozen=True)
class PanelProgress:
    """How far a panel is."""

    name: str
    artefacts: int
    closed: bool
    raters: tuple[RaterProgress, ...]

    @property
    def behind(self) -> list[RaterProgress]:
        """Whose work is not done, language models left aside."""
        return [one for one in self.raters if one.rated < one.artefacts and one.kind != "additional"]

    def as_json(self) -> dict[str, Any]:
        """Return the progress as JSON."""
        return asdict(self)


def progress_of(name: str, *, store: "Store") -> PanelProgress:
    """Return how far a panel is; takes in what raters have done."""

    panels = store.panels
    head = panels.get(name)
    collect(name, store=store)
    known = {(rating.code, rating.rater, rating.kind, rating.item) for rating in panels.ratings(name)}
    raters = []
    for one in panels.assignments(name):
        rated = sum(all((code, one.rater, one.kind, item) in known for item in items) for code, items in one.work)
        status = store.sessions.find(one.session).status
        raters.append(RaterProgress(one.rater, one.subject, one.kind, len(one.work), rated, one.session, status))
    return PanelProgress(name, len(panels.artefacts(name)), head.closed is not None, tuple(raters))
