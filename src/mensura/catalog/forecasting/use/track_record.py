"""Track record: skill by echelon, area, topic and time, publishable without questions or sources."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

from mensura.errors import BadData
from mensura.stats import Estimate, paired_difference, t_estimate

SMALLEST = 10
"""Cells with fewer questions are not published: they could point to a question or a source."""


@dataclass(frozen=True)
class Entry:
    """One scored forecast with what it is filed under."""

    question: str
    forecaster: str
    score: float
    area: str = ""
    topic: str = ""
    echelon: str = ""
    time: float = float("nan")


@dataclass(frozen=True)
class Cell:
    """The record of one area, topic, period or echelon."""

    label: str
    score: Estimate | None
    """None where the cell is too small to publish."""
    n: int


def record_by(entries: Sequence[Entry], key: Callable[[Entry], Hashable], *, smallest: int = SMALLEST) -> list[Cell]:
    """Average scores by area, topic or any label; each question counts once, by the mean of its forecasters.

    Examples
    --------
    >>> entries = [Entry(f"q{k}", "a", 0.1 * (k % 3), area="north") for k in range(12)]
    >>> print(record_by(entries, lambda entry: entry.area)[0].score)
    0.1 [0.0458, 0.154] (n=12, t)
    """
    cells: dict[str, dict[str, list[float]]] = {}
    for entry in entries:
        cells.setdefault(str(key(entry)), {}).setdefault(entry.question, []).append(entry.score)
    return [_cell(label, questions, smallest) for label, questions in sorted(cells.items())]


def record_over_time(
    entries: Sequence[Entry],
    *,
    length: float,
    smallest: int = SMALLEST,
    moment: Callable[[float], str] = "{:g}".format,
) -> list[Cell]:
    """Average scores by period of the given length, in order; entries without a time are left out.

    Periods are named by their ends, which `moment` writes.
    """
    inside: dict[int, list[Entry]] = {}
    for entry in entries:
        if entry.time == entry.time:
            inside.setdefault(int(entry.time // length), []).append(entry)
    cells = []
    for period, own in sorted(inside.items()):
        label = f"{moment(period * length)} to {moment((period + 1) * length)}"
        cells += record_by(own, lambda entry, label=label: label, smallest=smallest)  # type: ignore[misc]
    return cells


def _cell(label: str, questions: dict[str, list[float]], smallest: int) -> Cell:
    means = [sum(scores) / len(scores) for scores in questions.values()]
    return Cell(label, t_estimate(means) if len(means) >= smallest else None, len(means))


@dataclass(frozen=True)
class Stage:
    """What one echelon adds to the one before it, on the questions both have dealt with."""

    echelon: str
    score: Estimate
    added: Estimate | None
    """Gain over the stage before; None for the first."""

    @property
    def told(self) -> bool:
        """Whether it rests on enough questions to be published."""
        return self.score.n >= SMALLEST


def skill_by_echelon(entries: Sequence[Entry], *, order: Sequence[str], smallest: int = SMALLEST) -> list[Stage]:
    """Estimate the skill that each stage adds, pairing stages on the same questions.

    Parameters
    ----------
    entries : sequence of Entry
        Scored forecasts with their echelon.
    order : sequence of str
        Echelons from first to last.
    smallest : int
        Fewest shared questions for a published gain.

    References
    ----------
    .. [1] Brown and Shuford (1973), RAND R-1185, p. 36: what the forecast echelons contribute.
    """
    by_stage = {name: _question_means([entry for entry in entries if entry.echelon == name]) for name in order}
    if empty := [name for name, scores in by_stage.items() if not scores]:
        raise BadData(f"No forecast is filed under the echelon {empty[0]!r}.")
    stages = []
    for before, name in zip([None, *order], order, strict=False):
        scores = by_stage[name]
        added = None
        if before is not None:
            shared = sorted(set(scores) & set(by_stage[before]))
            if len(shared) >= smallest:
                added = paired_difference(
                    first=[scores[q] for q in shared], second=[by_stage[before][q] for q in shared]
                ).difference
        stages.append(Stage(name, t_estimate(list(scores.values())), added))
    return stages


def _question_means(entries: Sequence[Entry]) -> dict[str, float]:
    gathered: dict[str, list[float]] = {}
    for entry in entries:
        gathered.setdefault(entry.question, []).append(entry.score)
    return {question: sum(scores) / len(scores) for question, scores in gathered.items()}


def publishable(cells: Sequence[Cell]) -> list[dict[str, object]]:
    """Give what may be published: labels, counts and intervals; small cells say only that they are small."""
    return [
        {"label": cell.label, "n": cell.n, "score": cell.score.as_json()}
        if cell.score is not None
        else {"label": cell.label, "n": f"fewer than {SMALLEST}", "score": None}
        for cell in cells
    ]
