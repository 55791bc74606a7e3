"""Learning curves: what a save, or the result beside it, tells of how its learner learned."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from mensura.errors import BadFile
from mensura.exhibit import Exhibit, Figure
from mensura.json_file import loads

KINDS = {
    "q_mean": "mean greatest predicted value",
    "return_recent": "mean return of the last 100 episodes",
    "rooms": "rooms entered so far",
    "fps": "frames a second",
}
"""What is drawn; the first is Figure 2 of the source."""


@dataclass(frozen=True)
class TrainingCurve:
    """How one learner learned.

    Parameters
    ----------
    name
        What it is called.
    stated
        What its save states of it.
    points
        How it stood, in the order of its frames.
    """

    name: str
    stated: Mapping[str, Any]
    points: Sequence[Mapping[str, Any]]


def read_curve(path: Path) -> TrainingCurve:
    """Read the curve of a save of `mensura arcade train`, or of the JSON that it printed."""
    if path.suffix == ".json":
        try:
            told = loads(path.read_text(encoding="utf-8"))
            stated = {**told, "method": told.get("method") or told["options"]["method"]}
            return TrainingCurve(path.stem, stated, with_speed(told["curve"]))
        except OSError as error:
            raise BadFile(f"The result {path} cannot be read: {error.strerror}.") from None
        except (ValueError, KeyError, TypeError) as error:
            raise BadFile(
                f"{path} is not a result of `mensura arcade train` ({type(error).__name__}: {error})."
            ) from None
    from mensura.catalog.arcade.learners.saving import read_save, stated_in

    return TrainingCurve(path.stem, stated_in(path), with_speed(read_save(path)[1]["curve"]))


def with_speed(points: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return points with the frames a second since the one before.

    >>> with_speed([{"frames": 100, "seconds": 2.0}, {"frames": 400, "seconds": 3.0}])[1]["fps"]
    300.0
    """
    found, before = [], {"frames": 0, "seconds": 0.0}
    for point in points:
        lasted = point["seconds"] - before["seconds"]
        found.append({**point, "fps": (point["frames"] - before["frames"]) / lasted if lasted > 0 else None})
        before = {"frames": point["frames"], "seconds": point["seconds"]}
    return found


def curve_exhibits(curves: Sequence[TrainingCurve]) -> list[Exhibit]:
    """Return a table of the learners, and a picture of each thing that is known of any of them."""
    columns = ("learner", "game", "method", "seed", "frames", "updates", *KINDS.values(), "what is human")
    rows = []
    for curve in curves:
        last = curve.points[-1] if curve.points else {}
        told = [curve.stated.get(name) for name in ("game", "method", "seed", "frames", "updates")]
        human = ", ".join(curve.stated.get("human", ())) or None
        rows.append([curve.name, *told, *(last.get(kind) for kind in KINDS), human])
    figures = [
        Figure(partial(_draw, curves, kind), f"{words[:1].upper()}{words[1:]}, over frames, of each learner.")
        for kind, words in KINDS.items()
        if any(point.get(kind) is not None for curve in curves for point in curve.points)
    ]
    words = "Each row and line is one training; what it stands at is its last point."
    drawn = "" if figures else "None of these trainings was long enough for a point."
    return [Exhibit("How they learned", f"{words} {drawn}".strip(), columns, rows, figures)]


def _draw(curves: Sequence[TrainingCurve], kind: str) -> Any:
    import altair

    points = [
        {"learner": curve.name, "frames": point["frames"] / 1e6, "value": point[kind]}
        for curve in curves
        for point in curve.points
        if point.get(kind) is not None
    ]
    chart = altair.Chart(altair.InlineData(points)).mark_line(point=len(points) < 80)
    return chart.encode(
        x=altair.X("frames:Q", title="million frames"),
        y=altair.Y("value:Q", title=KINDS[kind]),
        color=altair.Color("learner:N", title=None),
    ).properties(width=440, height=240)
