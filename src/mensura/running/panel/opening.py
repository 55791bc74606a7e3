"""Opening a panel: artefacts get codes that reveal nothing, and are screened."""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from mensura.dialogue import Address, Seed, generator
from mensura.dialogue.canonical import short_hash
from mensura.errors import BadParameter
from mensura.running.panel.artefact import Artefact
from mensura.running.panel.screening import Screening, screen, telling
from mensura.survey.rubric import Rubric

if TYPE_CHECKING:
    from mensura.store import Store

LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
"""Letters of codes: no vowels, so that no code is a word."""
Resolution = Literal["tertium quid", "parity", "expert"]
RESOLUTIONS = ("tertium quid", "parity", "expert")


@dataclass(frozen=True)
class Opened:
    """A panel that was opened, and what screening did to its artefacts."""

    name: str
    codes: tuple[str, ...]
    screening: Screening


def open_panel(
    name: str,
    artefacts: Sequence[Artefact],
    *,
    rubric: Mapping[str, Any],
    store: "Store",
    mask: Iterable[str] = (),
    keep: Iterable[str] = (),
    resolution: Resolution = "tertium quid",
    seed: int | None = None,
    who: str = "",
    judge: Mapping[str, Any] | None = None,
) -> Opened:
    """Open a panel: give every artefact a code, screen it, and write all of it down.

    Parameters
    ----------
    name : str
        Name of the panel; raters do not see it.
    artefacts : sequence of Artefact
        What is to be rated.
    rubric : mapping
        What raters rate; see `mensura.survey.rubric`.
    store : Store
        Where the panel is kept.
    mask : iterable of str
        Names and terms that could tell who made an artefact; masked, and reported.
    keep : iterable of str
        Names of conditions that artefacts may hold because they reveal nothing. A condition that is named in an
        artefact must be masked or kept; otherwise the panel does not open.
    resolution : {"tertium quid", "parity", "expert"}
        How a third rating settles a difference: the mean of the third and the nearer of the others, the mean of all,
        or the third alone [1]_.
    seed : int, optional
        Makes codes, assignment and order repeatable; for trials only, since anyone who knows it knows the codes.
    who : str
        Who opened it, for the audit trail.
    judge : mapping, optional
        Of a panel that a model judges and people check: by whom, of which runs, and where what is right goes.

    References
    ----------
    .. [1] Johnson, Penny and Gordon (2000), Applied Measurement in Education 13, 121-138.
    """
    from mensura.store.log.deeds import RATED
    from mensura.store.people.panels import Origin, PanelHead

    Rubric.read(rubric)
    if resolution not in RESOLUTIONS:
        raise BadParameter(f"A difference is settled by {', '.join(RESOLUTIONS)}; got {resolution!r}.")
    if not artefacts:
        raise BadParameter("A panel needs artefacts to rate.")
    chosen = Seed.choose(seed)
    codes = draw_codes(len(artefacts), generator(chosen.value, Address(), stream="codes"))
    screened, report = screen(
        {code: artefact.content for code, artefact in zip(codes, artefacts, strict=True)}, mask=mask
    )
    _refuse_telling(screened, {artefact.condition for artefact in artefacts} - set(keep))
    details = {
        "seed": str(chosen.value),
        "resolution": resolution,
        "screening": report.as_json(),
        "kept": sorted(set(keep)),
    }
    if judge is not None:
        details |= {
            "judge": dict(judge),
            "about": {code: one.about for code, one in zip(codes, artefacts, strict=True)},
        }
    head = PanelHead(name, dict(rubric), details, time.time(), None)
    origins = {code: Origin(item.condition, item.source) for code, item in zip(codes, artefacts, strict=True)}
    store.panels.create(head, screened, origins)
    # Not the code: that would tell which artefact comes from where.
    told = {"panel": name, "rubric": short_hash(dict(rubric)), "artefacts": len(artefacts)}
    told |= {key: value for key, value in (judge or {}).items() if key in ("by", "truth_to")}
    known = [one.source for one in artefacts if "/" in one.source and store.sessions.known(one.source)]
    store.deeds.note_all(dict.fromkeys(known, told), RATED, who=who)
    store.trail.note(who, "opened panel", name, artefacts=len(artefacts), masked=len(report.masked), **_sent(judge))
    return Opened(name, tuple(codes), report)


def _sent(judge: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return where what is right goes, for the audit trail."""
    return {"truth_to": judge["truth_to"]} if judge is not None and "truth_to" in judge else {}


def draw_codes(count: int, rng: np.random.Generator) -> list[str]:
    """Draw this number of different codes; neither their letters nor their order tell anything of the artefacts."""
    size = 3 if count <= 1000 else 5
    drawn: dict[str, None] = {}
    while len(drawn) < count:
        drawn["".join(LETTERS[i] for i in rng.integers(len(LETTERS), size=size))] = None
    return list(drawn)


def _refuse_telling(screened: Mapping[str, Mapping[str, Any]], conditions: set[str]) -> None:
    for condition, codes in sorted(telling(screened, words=conditions).items()):
        raise BadParameter(
            f"{len(codes)} of {len(screened)} artefacts name the condition {condition!r}, so raters would not be "
            "blind. Add it to `mask`, or to `keep` if the word reveals nothing."
        )
