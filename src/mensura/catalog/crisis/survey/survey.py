"""The survey itself: read from its file, asked at the end of a session, scored with it."""

from functools import cache
from importlib.resources import files
from typing import Any

from mensura.survey.questionnaire import Questionnaire
from mensura.yaml_file import parse_yaml

PREFIX = "survey."
MACROS = ("ease_of_use", "usefulness", "collaboration", "disorientation", "flow")
"""The categories that are averaged, in the source's order."""


@cache
def survey() -> Questionnaire:
    """Read the survey.

    >>> len(survey().items), [item.key for item in survey().items if item.reverse]
    (29, ['10', '13', '17', '18', '19', '20', '21', '22', '23', '24'])
    """

    data: dict[str, Any] = parse_yaml(
        files(__package__).joinpath("survey.yaml").read_text(encoding="utf-8"), "survey.yaml"
    )
    rest = {name: data[name] for name in ("introduction", "scale", "differences", "thanks")}
    return Questionnaire.read(data["items"], **rest)
