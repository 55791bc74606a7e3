"""The forecasting test: give probabilities, be paid by a proper rule, learn how realistic you are."""

from collections.abc import Collection, Generator, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from mensura.catalog.forecasting.almanac import draw_choice, draw_quantity
from mensura.catalog.forecasting.bands import Bands, outermost
from mensura.catalog.forecasting.exhibits import exhibits
from mensura.catalog.forecasting.pupil import Pupil, carry
from mensura.catalog.forecasting.question_set import read_questions
from mensura.catalog.forecasting.scoring import FLOOR, score, scores
from mensura.catalog.forecasting.settings import SETTINGS
from mensura.catalog.forecasting.stakes import Stakes
from mensura.catalog.forecasting.subjects import SUBJECTS
from mensura.catalog.forecasting.urns import draw_urn
from mensura.dialogue import Ask, Break, Density, Outcome, PromptLike, Space, TableView, test
from mensura.errors import BadParameter
from mensura.scores.rule import rule

POINTS = 100.0
"""Points to the nat: pay is proportional to score, and there is no prize for coming first."""
LEVELS = (0.01, 0.25, 0.5, 0.75, 0.99)

Dialogue = Generator[Ask | Break, Any, Outcome]


@dataclass(frozen=True)
class Posed:
    """A question ready to be asked."""

    prompt: PromptLike
    space: Space
    truth: Any


def chance_levels(**parameters: Any) -> Mapping[str, float]:
    """Return what evenly drawn answers score, where that is known in closed form."""
    n = parameters["alternatives"]
    if parameters["questions"] in ("urns", "almanac"):
        return {"quadratic_score": 1 / (2 * n) - 1 / (n + 1)}
    return {}


@test(
    "forecasting-v1",
    score=score,
    scores=scores,
    scoring="4",
    subjects=SUBJECTS,
    settings=SETTINGS,
    chance=chance_levels,
    carry=carry,
    exhibits=exhibits,
)
def forecasting(
    rng: np.random.Generator,
    *,
    questions: Annotated[
        str,
        "What is asked: urns, almanac, quantities, or a CSV file with the columns question, options (separated by "
        "|) and answer.",
    ] = "urns",
    alternatives: Annotated[
        int,
        "How many alternatives a question about urns or from the almanac has, from 2 to 8.",
    ] = 2,
    count: Annotated[
        int,
        "About how many questions a round has, 1 or more: exactly so many with `fixed`; otherwise at least half of "
        "them, and chance decides after each whether another comes.",
    ] = 40,
    fixed: Annotated[bool, "Whether a round has exactly `count` questions, so that the last one is known."] = False,
    draws: Annotated[int, "How many balls are drawn from an urn, 0 or more; more of them tell more."] = 4,
    contrast: Annotated[float, "How far the shares of red in the urns may lie from one half, from 0 to 0.5."] = 0.3,
    feedback: Annotated[bool, "Whether the answer and what it earned are told after each question."] = True,
    rounds: Annotated[int, "How many rounds there are, 1 or more, with a summary and a break between them."] = 1,
    bins: Annotated[
        int,
        "Into how many ranges the answer to a quantity is divided, from 3 to 50; 0: five quantiles are asked for "
        "instead.",
    ] = 0,
    saved: Mapping[str, Any] | None = None,
) -> Dialogue:
    """Give probabilities of exclusive alternatives and be paid by how well they foretell what is true."""
    if not 2 <= alternatives <= 8 or count < 1 or rounds < 1:
        wanted = "Ask for 2 to 8 alternatives, at least one question and one round"
        raise BadParameter(f"{wanted}; got {alternatives}, {count} and {rounds}.")
    if bins and not 3 <= bins <= 50:
        raise BadParameter(f"A quantity is asked for in 3 to 50 bins, or by its quantiles (0); got {bins}.")
    yield Ask(_rules(questions, alternatives, bins))
    pupil, bands, number = Pupil(saved), Bands(LEVELS[-1] - LEVELS[0]), 0
    if feedback and (standing := pupil.greet()) is not None:
        yield Ask(standing)
    reward: float | None = None
    source = _source(
        rng, questions, alternatives=alternatives, draws=draws, contrast=contrast, bins=bins, leave_out=pupil.asked
    )
    for lap in range(rounds):
        asked, left = 0, True
        while _goes_on(rng, asked, count=count, fixed=fixed):
            posed = next(source, None)
            if posed is None:
                left = False
                break
            answer = yield Ask(posed.prompt, posed.space, key=f"q{number}", truth=posed.truth, reward=reward)
            asked, number, reward = asked + 1, number + 1, None
            told: PromptLike = "" if posed.truth is None else f"The answer is {posed.truth}."
            if answer is not None and isinstance(posed.space, Stakes) and posed.truth is not None:
                reward = posed.space.pay(answer)[posed.truth]
                told = pupil.learn(answer, posed.truth, reward, explain=feedback)
            elif answer is not None and isinstance(posed.space, Density):
                told = f"{told} {bands.learn(outermost(posed.space, answer), posed.truth)}"
            if feedback and told:
                yield Ask(told, reward=reward)
                reward = None
        if not left:
            break
        if lap + 1 < rounds:
            yield Ask(pupil.sum_up())
            yield Break()
    words = f"{_farewell(number, left)} {bands.sum_up() if bands.answers else pupil.sum_up(last=True)}"
    return Outcome([words, pupil.history()] if pupil.before and feedback else words, reward=reward)


def _farewell(number: int, left: bool) -> str:
    if left:
        return "That was the last question."
    if not number:
        return "You have answered every question of this set in earlier sessions; bring another one."
    return "That was the last question of the set."


def _stakes(options: tuple[str, ...]) -> Stakes:
    return Stakes(options, points=POINTS, floor=FLOOR)


def _goes_on(rng: np.random.Generator, asked: int, *, count: int, fixed: bool) -> bool:
    """Let nobody know which question is the last: half are sure to come, then each may be the end."""
    if fixed:
        return asked < count
    least = (count + 1) // 2
    if asked < least:
        return True
    return asked < 4 * count and bool(rng.random() >= 1 / (count - least + 1))


def _source(
    rng: np.random.Generator,
    questions: str,
    *,
    alternatives: int,
    draws: int,
    contrast: float,
    bins: int = 0,
    leave_out: Collection[str] = (),
) -> Iterator[Posed]:
    if questions == "urns":
        while True:
            urn = draw_urn(rng, alternatives=alternatives, draws=draws, contrast=contrast)
            yield Posed(urn.prompt(), _stakes(urn.options), urn.options[urn.truth])
    elif questions == "almanac":
        while True:
            fact = draw_choice(rng, alternatives=alternatives)
            yield Posed(fact.text, _stakes(fact.options), fact.answer)
    elif questions == "quantities":
        while True:
            known, (low, high) = draw_quantity(rng)
            asked = "Give the probability of each range" if bins else "Give the quantiles of what you believe"
            space = Density(low, high, levels=LEVELS, bins=bins or None)
            yield Posed(f"**{known.item}**: {known.table}? {asked}.", space, known.value)
    else:
        chosen = read_questions(questions)
        for i in rng.permutation(len(chosen)):
            one = chosen[int(i)]
            words = f"{one.text} Give a probability for each."
            if words in leave_out:
                continue
            yield Posed(words, _stakes(one.options), one.answer)


def _rules(questions: str, alternatives: int, bins: int = 0) -> PromptLike:
    """Tell how answers are paid, with the table, before anything is asked."""
    if questions == "quantities" and bins:
        return (
            f"You are asked for quantities. Give a probability to each of {bins} ranges; together they make one. You "
            "expect most by saying what you believe. The truth should lie beyond your outermost hundredths once in "
            "fifty questions."
        )
    if questions == "quantities":
        levels = ", ".join(f"{level:.0%}" for level in LEVELS)
        return (
            f"You are asked for quantities. Give five values: the quantiles at {levels} of what you believe. The truth "
            "should lie outside your outermost values once in fifty questions."
        )
    shares = [0.01, 0.1, 0.25, 1 / alternatives, 0.5, 0.75, 0.9, 0.99]
    paid = rule("log", floor=FLOOR)
    rows = []
    for share in sorted({round(share, 4) for share in shares}):
        rest = (1 - share) / (alternatives - 1)
        pay = paid.payoffs([share, *[rest] * (alternatives - 1)])[0]
        rows.append((f"{share:.0%}", f"{round(POINTS * pay):+d}"))
    return [
        "Give each alternative a probability; together they make one. You are paid by the probability you gave to what "
        "proves true. The rule is made so that you expect most by saying what you believe, neither bolder nor more "
        "cautious. Points are simply added up: coming first earns nothing more, and nobody knows which question is the "
        f"last. A probability below {FLOOR:.0%} counts as {FLOOR:.0%}.",
        TableView(("given to what is true", "points"), rows),
    ]
