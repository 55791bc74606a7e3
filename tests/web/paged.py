"""Tests with several questions on a page: a survey with a table of ratings, and a rubric beside an artefact."""

from mensura.catalog.questionnaire.dialogue import survey_test
from mensura.dialogue import Ask, Beside, Break, Choice, Likert, Probability, Questions, Text, test

paged = survey_test(
    [
        "I could **rely** on it.",
        "I had to watch it all the time, because it did things that nobody had asked it to do.",
        "I would work with it again.",
        {"text": "How clear was it?", "scale": ["not at all", "partly", "fully"]},
        {"text": "How useful was it?", "scale": ["not at all", "partly", "fully"]},
        {"text": "What should be better?", "open": True},
    ],
    name="paged",
    scale=7,
    page=6,
    stem="How far do you agree with each statement?",
)


@test("beside-v1")
def beside(rng):
    """Rate a letter beside it."""
    letter = "\n\n".join(["Dear all, ice floats because water takes more room when it freezes."] * 12)
    rubric = {
        "right": ("The letter is right.", Likert(5)),
        "clear": ("The letter is clear.", Likert(5)),
        "sure": ("How likely is it that an expert wrote it?", Probability()),
        "why": ("Why?", Text(lines=2)),
    }
    yield Ask([Beside(["**Artefact KTR**", letter]), "Rate the letter."], Questions(rubric), key="letter")


@test("reviewed-v1", back=True, questions=2)
def reviewed(rng):
    """Answer twice, and read it once more."""
    yield Ask("Will it rain?", Probability(), key="rain")
    yield Ask("Why?", Text(lines=2), key="why")
    yield Break("Read your answers once more.")


@test("passed-v1", questions=2)
def passed(rng):
    """Answer a question that may be passed, and one that may not."""
    yield Ask("Which river is longer?", Choice(("Nile", "Rhine")), key="river", truth="Nile", may_pass=True)
    yield Ask("How sure are you?", Probability(), key="sure")
