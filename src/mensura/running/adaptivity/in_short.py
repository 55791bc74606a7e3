"""In short: what a reader who must decide asks first of every subject, with the number that answers it."""

from collections.abc import Iterator, Sequence
from typing import Any

from mensura.exhibit import Exhibit
from mensura.running.adaptivity.levels import CourseLevels
from mensura.running.adaptivity.tasks import by_subject, named, tasks_of
from mensura.stats.adaptivity import PARTS
from mensura.stats.wording import several

TITLE = "In short"


def in_short(levels: CourseLevels, made: Sequence[Exhibit]) -> Exhibit | None:
    """Return one table for all subjects, from what the exhibits of the study show; None where nobody trained."""
    rows: dict[str, dict[str, Any]] = {}
    whose = [named(who, where) for who, where in by_subject(levels)]
    for who, arms in zip(whose, by_subject(levels).values(), strict=True):
        one = next((each for each in arms if each.training), None)
        if one is None:
            continue
        task, block = tasks_of(one)[0], several(levels.measures.block, "session")
        along = levels.along(one, task)
        rows.setdefault(f"{task}, first {block}", {})[who] = along[0]
        rows.setdefault(f"{task}, last {block} of training", {})[who] = along[-1]
        ends = [taken for at, taken in one.probes(frozen=True) if at and taken.task == task]
        if ends:
            rows.setdefault(f"{task} at the end, frozen", {})[who] = levels.level(one, ends[-1])
    for question, who, answer in _read(made):
        # What an exhibit is of begins with the name of its subject; an arm or a condition may follow.
        subject = max((one for one in whose if who.startswith(one)), key=len, default=None)
        if subject is not None and answer is not None:
            rows.setdefault(question, {}).setdefault(subject, answer)
    if not rows:
        return None
    how = levels.how if levels.measures.oracle is not None else "Levels are mean scores."
    return Exhibit(
        TITLE,
        f"One line for each question, from the tables below, which define it. {how}",
        ("question", *whose),
        [[question, *(found.get(who) for who in whose)] for question, found in rows.items()],
    )


def _read(made: Sequence[Exhibit]) -> Iterator[tuple[str, str, Any]]:
    """Find the answers in exhibits: the question, whom it is of, and the estimate."""
    for one in made:
        kind = one.kind
        rows: Sequence[Sequence[Any]] = one.rows
        learning = "probed learning" in kind
        if kind.startswith("Transfer from") and learning and "by training" not in kind:
            form = "gain with extra time"
            pair = kind.removeprefix("Transfer ").removesuffix(", probed learning")
            yield from ((f"{form} {pair}", one.of, row[1]) for row in rows if row[0] == form)
        elif kind.startswith("Interference of tasks learned one") and learning:
            for row in rows:
                for other, loss in zip(one.columns[1:], row[1:], strict=True):
                    if loss is not None:
                        yield f"loss on {row[0]} {other}", one.of, loss
        elif kind.startswith("Dose and response"):
            what = kind.removeprefix("Dose and response: ")
            yield f"level under {what}, {one.columns[0]} {rows[-1][0]:g}", one.of, rows[-1][1]
        elif one.title == "Generalisation, probed learning":
            farthest = max(row[1] for row in rows)
            yield from ((f"level at distance {row[1]:.3g}", row[0], row[3]) for row in rows if row[1] == farthest)
        elif kind.startswith("Understanding of") and not learning:
            task = kind.removeprefix("Understanding of ").partition(" along")[0]
            last = [row for row in rows if row[0] != "growth"][-1]
            yield from ((f"{task}: {part}", one.of, value) for part, value in zip(PARTS, last[1:], strict=True))
