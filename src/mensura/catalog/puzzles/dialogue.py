"""The puzzles: intelligence-test problems of ten kinds, with measured load and one right answer each."""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any

import numpy as np

from mensura.catalog.puzzles.adapting import adapted, in_order
from mensura.catalog.puzzles.exhibits import exhibits
from mensura.catalog.puzzles.files.line import PuzzleLine
from mensura.catalog.puzzles.kinds.find import ALL, KindNames, find_kind
from mensura.catalog.puzzles.making.item import AnswerForm
from mensura.catalog.puzzles.making.wanted import WantedLoad
from mensura.catalog.puzzles.norm import read_norm
from mensura.catalog.puzzles.posing import USUAL, PuzzleRequest, pose, practise, read_bank, shares
from mensura.catalog.puzzles.scoring import ABOUT, SCORES, same, score
from mensura.catalog.puzzles.settings import SETTINGS
from mensura.catalog.puzzles.showing.presentation import PresentationName
from mensura.catalog.puzzles.subjects import SUBJECTS
from mensura.dialogue import Ask, test
from mensura.dialogue.score import Precision
from mensura.errors import BadParameter


def chance_levels(*, kinds: str, count: int, answer: AnswerForm, bank: str, **others: Any) -> Mapping[str, float]:
    """Return what random answers score: one in so many options; nothing is known of random constructions."""
    if answer != "choice" or bank:
        return {}
    asked = shares(PuzzleRequest(kinds).names, count or USUAL)
    return {"accuracy": float(np.mean([1 / find_kind(kind).offered for kind, _ in asked])), "generality": 0.0}


def count_questions(*, count: int, practice: int, bank: str, **others: Any) -> int:
    """Return how many questions are asked at most."""
    held = len(read_bank(bank)) if bank else count or USUAL
    return practice + (min(count, held) if count else held)


def refuse(*, practice: int, precision: float, norm: str, adaptive: bool, feedback: bool, **asked: Any) -> None:
    """Raise a sentence where puzzles cannot be asked so: a file that cannot be read, a kind that is not there."""
    if practice < 0:
        raise BadParameter(f"--practice is how many puzzles are shown first that do not count; got {practice}.")
    if not precision > 0:
        raise BadParameter(f"--precision is how well --adaptive must know the ability, above 0; got {precision:g}.")
    PuzzleRequest(**asked).refuse()
    _norm(norm)


@test(
    "puzzles-v1",
    extra="puzzles",
    score=score,
    scoring="2",
    scores=SCORES,
    subjects=SUBJECTS,
    settings=SETTINGS,
    refuse=refuse,
    chance=chance_levels,
    exhibits=exhibits,
    memory=0,
    shows_truth="the next term of a series that repeats itself stands in it: answers are found in what is shown",
    questions=count_questions,
)
def puzzles(
    rng: np.random.Generator,
    *,
    kinds: KindNames = ALL,
    count: Annotated[
        int,
        "How many puzzles are asked, 1 or more, and with `adaptive` at most; 0: 20, or all puzzles of a bank.",
    ] = 0,
    load: WantedLoad = "",
    presentation: PresentationName = "plain",
    answer: Annotated[AnswerForm, "How puzzles are answered: choice (from options) or construct (typed)."] = "choice",
    feedback: Annotated[bool, "Whether the answer is told after each puzzle."] = False,
    practice: Annotated[int, "How many puzzles come first that do not count, 0 or more."] = 0,
    bank: Annotated[
        str,
        "A file of puzzles to ask (`mensura generate puzzles` writes one); none: new puzzles are made.",
    ] = "",
    adaptive: Annotated[bool, "Whether the most informative puzzle comes next; it needs a calibrated `bank`."] = False,
    precision: Precision = 0.3,
    norm: Annotated[
        str,
        "A CSV file with the columns kind, right and asked of a group of people that profiles are compared with; "
        "none: no comparison.",
    ] = "",
) -> Generator[Ask, Any, None]:
    """Solve problems of intelligence tests, each of which has one answer that follows from what is shown."""
    request = PuzzleRequest(kinds, count, load, presentation, answer, bank)
    if practice:
        yield Ask("First some practice: what you answer does not count, and you are told the answer.")
    for number, line in enumerate(practise(request, practice, rng)):
        given = yield Ask(line.prompt, line.space, key=f"practice-{number}", may_pass=True)
        yield Ask(_told(given, line))
    # All of a bank may be asked next where answers decide on it; else so many of its puzzles are drawn beforehand.
    lines = pose(replace(request, count=0) if adaptive else request, rng)
    yield Ask(_opening(len(lines), adaptive), key=ABOUT, truth={"items": _about(lines), "norm": _norm(norm)})
    turns = adapted(lines, most=count, precision=precision, rng=rng) if adaptive else in_order(lines)
    next_line = next(turns, None)
    while next_line is not None:
        line = next_line
        given = yield Ask(line.prompt, line.space, key=line.id, truth=line.answer, may_pass=True)
        right = given is not None and same(given, line.answer)
        if feedback:
            yield Ask(_told(given, line))
        try:
            next_line = turns.send(right)
        except StopIteration:
            next_line = None


def _about(lines: Sequence[PuzzleLine]) -> dict[str, Any]:
    """Return what scoring must know of the items, kept with the truths: it says nothing that a subject may see."""
    return {
        line.id: {
            "kind": line.kind,
            "load": dict(line.load),
            "chance": line.chance,
            "structure": line.structure,
            "presentation": dict(line.presentation),
            **({"worth": _worth(line)} if line.answers else {}),
            **({"calibration": dict(line.calibration)} if line.calibration else {}),
        }
        for line in lines
    }


def _worth(line: PuzzleLine) -> dict[str, float]:
    """Return what each good answer is worth beside the best, as it would be given."""
    kind = find_kind(line.kind)
    return {kind.say(value, line.prompt, line.space): weight for value, weight in line.answers}


def _norm(path: str) -> dict[str, Any]:
    return {kind: one.as_json() for kind, one in read_norm(path).items()} if path else {}


def _opening(count: int, adaptive: bool) -> str:
    many = (
        "Puzzles follow, as many as are needed"
        if adaptive
        else f"{count} puzzle{'s' if count != 1 else ''} will follow"
    )
    return f"{many}. In each of them one answer follows from what is shown. If you do not know it, you may pass."


def _told(given: Any, line: PuzzleLine) -> str:
    if given is None:
        return f"You gave no answer. The answer is {line.answer}."
    return "That is right." if same(given, line.answer) else f"That is wrong. The answer is {line.answer}."
