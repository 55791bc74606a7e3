"""Direction: whether more of a score is better, as its name says."""

SMALLER_IS_BETTER = ("loss", "error", "distance", "delay")
"""How the names of scores end of which less is better."""
OPINION = "survey_"
"""How the names of answers to a survey begin: they are no achievement, and what is good of them the survey says."""


def smaller_is_better(name: str) -> bool | None:
    """Say whether less of a score is better; None where neither more nor less is.

    >>> smaller_is_better("money_loss"), smaller_is_better("final"), smaller_is_better("survey_flow")
    (True, False, None)
    """
    return None if name.startswith(OPINION) else name.endswith(SMALLER_IS_BETTER)


def direction_words(smaller: bool | None) -> str:
    """Say the direction of a score in words.

    >>> direction_words(True), direction_words(None)
    ('smaller is better', 'an opinion on a scale')
    """
    if smaller is None:
        return "an opinion on a scale"
    return "smaller is better" if smaller else "larger is better"
