"""Panel of a study: what its people did, before raters who do not know the condition."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mensura.errors import BadParameter
from mensura.running.panel import Opened
from mensura.running.panel.reading import make_panel
from mensura.running.study.registration.register import study_runs
from mensura.subjects.spec import HUMAN

if TYPE_CHECKING:
    from mensura.store import Store


@dataclass(frozen=True)
class PanelRequest:
    """A request for a panel about a study."""

    name: str
    raters: tuple[str, ...]
    """Names of raters; those of accounts find their work when they log in."""
    items: str = ""
    """The items to rate, one a line, such as `clear: The answer is clear.`; empty: what the test says is judged."""
    instructions: str = ""
    points: int = 7
    overlap: int = 2
    mask: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()


def panel_about(study: str, request: PanelRequest, *, store: "Store", who: str = "") -> Opened:
    """Open a panel of everything that people finished in a study, and share it out among its raters."""
    people = [head.id for head in study_runs(study, store=store) if HUMAN in head.cast.values()]
    done = [run for run in people if store.sessions.count(run).get("finished")]
    if not done:
        raise BadParameter(f"No person of {study} has finished yet; a panel rates what was finished.")
    if not request.name.strip() or len(request.name) > 100 or "/" in request.name or not request.name.isprintable():
        raise BadParameter("A panel's name has 1 to 100 characters that can be printed, and no slash.")
    data: dict[str, Any] = {
        "name": request.name.strip(),
        "artefacts": [{"run": run} for run in done],
        "raters": list(request.raters),
        "overlap": request.overlap,
        "mask": list(request.mask),
        "keep": list(request.keep),
    }
    if request.items.strip():
        data["rubric"] = {
            "items": [_item(line, number) for number, line in enumerate(_lines(request.items), start=1)],
            "scale": {"points": request.points},
            **({"instructions": request.instructions.strip()} if request.instructions.strip() else {}),
        }
    if not request.raters:
        raise BadParameter("A panel needs raters: give their names, one per line.")
    return make_panel(data, folder=Path(), name=request.name).carry_out(store=store, who=who)[0]


def _item(line: str, number: int) -> dict[str, str]:
    key, colon, text = line.partition(":")
    if not colon or not text.strip() or not key.strip().isidentifier():
        raise BadParameter(f"Line {number} of what is rated is {line[:80]!r}; write a key, a colon and a sentence.")
    return {"key": key.strip(), "text": text.strip()}


def _lines(text: str) -> Sequence[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]
