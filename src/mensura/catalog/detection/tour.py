"""What detection shows on the tour: when attacks happened, and which were found."""

from collections.abc import Mapping, Sequence
from typing import Any

from mensura.exhibit.tour_stop import Guide, TourStop
from mensura.stats.wording import figure

ATTACK = "VulnerabilityExploitationCase"
WIDTH, ROW, LEFT = 640, 34, 60
WORLD: Mapping[str, Any] = {"individuals": 500, "days": 240, "attacks_per_threat_group": 3.0}


def tour(take: Guide) -> TourStop:
    """Let a detector read the transactions of a small society, and draw its attacks against the true ones."""
    group = take("detection-v2", "links", **WORLD)
    record, truths = next(iter(group.records))
    true = _attacks(truths["hypotheses"]["reference"])
    found = _attacks(record.given()["hypotheses"])
    recall, precision = (figure(100 * group.estimates[name].value) for name in ("attack_recall", "attack_precision"))
    return TourStop(
        "Detection: who is planning what?",
        "Reports of everyday transactions in a simulated society hide a few groups that prepare attacks, which must be "
        "described precisely.",
        f"A detector that links people by what they share described {len(found)} attacks where there were {len(true)}: "
        f"weighted by how well they fit, recall was {recall} % and precision {precision} %.",
        _drawn(true, found),
        "Targets by day: grey bars are attacks that happened, orange lines those that the detector described.",
        "mensura run detection --as links --setting tiny --seed 1",
    )


def _attacks(objects: Sequence[Mapping[str, Any]]) -> list[tuple[str, int, int]]:
    """List the target, first and last day of every attack that names them."""
    names = ("targetInExploitation", "startingDate", "endingDate")
    known = (one for one in objects if one["type"] == ATTACK and all(name in one for name in names))
    return [(one["targetInExploitation"], one["startingDate"], one["endingDate"]) for one in known]


def _drawn(true: Sequence[tuple[str, int, int]], found: Sequence[tuple[str, int, int]]) -> str:
    """Draw attacks as bars along the days, a row for each target."""
    targets = sorted({target for target, _, _ in (*true, *found)}, key=lambda name: (len(name), name))
    days = max((end for _, _, end in (*true, *found)), default=1)
    scale = (WIDTH - LEFT - 10) / days
    height = 30 + ROW * len(targets) + 30
    parts = [f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>']
    for number, target in enumerate(targets):
        y = 30 + number * ROW
        parts.append(f'<text x="{LEFT - 8}" y="{y + 19}" text-anchor="end">{target}</text>')
        parts.append(f'<line x1="{LEFT}" y1="{y + ROW}" x2="{WIDTH}" y2="{y + ROW}" stroke="#e5e9ee"/>')
    for attacks, colour, top, thick in ((true, "#9aa5b1", 5, 12), (found, "#d55e00", 20, 5)):
        for target, start, end in attacks:
            x, y = LEFT + start * scale, 30 + targets.index(target) * ROW + top
            wide = max(3.0, (end - start) * scale)
            parts.append(
                f'<rect x="{x:.1f}" y="{y}" width="{wide:.1f}" height="{thick}" rx="2" fill="{colour}" opacity="0.8"/>'
            )
    key = '<tspan fill="#6b7680">■ happened</tspan> <tspan fill="#d55e00">■ described by the detector</tspan>'
    parts.append(f'<text x="{LEFT}" y="18">{key}</text>')
    parts.append(f'<text x="{LEFT}" y="{height - 8}">day 0</text>')
    parts.append(f'<text x="{WIDTH - 8}" y="{height - 8}" text-anchor="end">day {days}</text>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" '
        f'font-size="14" fill="#1f2933">{"".join(parts)}</svg>'
    )
