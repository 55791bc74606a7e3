"""Surveys as tests: `survey_test` makes one from data."""

from collections.abc import Generator, Mapping, Sequence
from inspect import Parameter, Signature
from typing import Annotated, Any

import numpy as np

from mensura.dialogue import Ask, Break, Outcome, Record, Scores, Test
from mensura.phrase import phrase
from mensura.survey.questionnaire import Questionnaire

REVIEW = phrase("You have answered all questions. You can still change your answers before you hand them in.")


def survey_test(items: Sequence[Any], *, name: str, version: int = 1, about: str = "", **rest: Any) -> Test:
    """Make a test of a survey.

    Parameters
    ----------
    items : sequence
        Texts, or mappings with `text` and, where wanted, `key`, `scale`, `category`, `reverse` and `open`.
    name : str
        Name of the test; its id is `name-v1`.
    version : int
        Raised with every change that can move a score.
    about : str
        What the survey is about, in a sentence.
    **rest
        `scale` (for items without one of their own), `words` (what {names} in the texts stand for; each is a parameter
        of the test), `introduction`, `thanks`, `order` ("written" or "random"), `differences` (name → two items),
        `page` (how many items on one page), `stem` (what stands above them) and `back` (whether people may go back
        and read their answers once more before they hand them in).

    Returns
    -------
    Test
        Its scores are the means of the categories, reversed items turned round. Subjects see neither categories nor
        the keys of items.

    Examples
    --------
    >>> from mensura.running.take import take
    >>> trust = survey_test([{"text": "I could rely on {tool}.", "category": "trust"},
    ...                      {"text": "I had to watch {tool}.", "category": "trust", "reverse": True}],
    ...                     name="trust", scale=7, words={"tool": "the assistant"})
    >>> taken = take(trust, lambda ask: 6 if "rely" in ask.prompt else 1, seed=1, parameters={"tool": "Robin"})
    >>> trust.score(taken.record, {}).values["trust"].values
    array([6., 7.])
    """
    survey = Questionnaire.read(items, **rest)

    def function(rng: np.random.Generator, **words: Any) -> Generator[Ask | Break, Any, Outcome | None]:
        return _dialogue(rng, survey, words)

    def score(record: Record, truths: Mapping[str, Any]) -> Scores:
        return survey.score(record.given())

    function.__doc__ = about or f"A survey of {len(survey.items)} items."
    # The words that names stand for are the parameters of the test: --tool Robin.
    named = [
        Parameter(word, Parameter.KEYWORD_ONLY, default=default, annotation=_meaning(word))
        for word, default in survey.words.items()
    ]
    function.__signature__ = Signature([Parameter("rng", Parameter.POSITIONAL_OR_KEYWORD), *named])  # type: ignore[attr-defined]
    function.__annotations__ = {word: _meaning(word) for word in survey.words}
    return Test(
        f"{name}-v{version}",
        function,
        score=score,
        scores=survey.declared,
        scoring=f"survey-{survey.hash}",
        questions=survey.pages,
        back=survey.back,
    )


def _meaning(word: str) -> Any:
    return Annotated[str, f"What {{{word}}} stands for in the texts of the survey: any text."]


def _dialogue(
    rng: np.random.Generator, survey: Questionnaire, words: Mapping[str, Any]
) -> Generator[Ask | Break, Any, Outcome | None]:
    yield from survey.ask(rng, words)
    if survey.back:
        yield Break(REVIEW)
    return Outcome(survey.shown(survey.thanks, words)) if survey.thanks else None
