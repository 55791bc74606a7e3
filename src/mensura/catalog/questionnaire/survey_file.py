"""Survey file: a questionnaire in YAML."""

from pathlib import Path

from mensura.catalog.questionnaire.dialogue import survey_test
from mensura.dialogue import Test
from mensura.errors import BadFile, MensuraError, UnknownName
from mensura.survey.parts import check_parts
from mensura.survey.questionnaire import SURVEY_KEYS
from mensura.yaml_file import read_yaml


def read_survey(path: str | Path) -> Test:
    """Make the test of the survey that a YAML file holds; a mistake is named with its line where it has one."""
    file = Path(path).expanduser()
    data = read_yaml(path)
    if not isinstance(data, dict) or not isinstance(data.get("items"), list):
        raise BadFile(f"{path} holds no survey: a survey is a mapping with a list of `items`.")
    for key in data:
        try:
            check_parts([key], SURVEY_KEYS, "survey")
        except UnknownName as error:
            raise BadFile(f"{path}:{_line(file, str(key))}: {error}") from None
    name = str(data.pop("name", None) or file.stem.lower().replace(" ", "-"))
    try:
        return survey_test(data.pop("items"), name=name, **data)
    except MensuraError as error:
        raise BadFile(f"{path}: {error}") from None


def _line(file: Path, key: str) -> int:
    lines = file.read_text(encoding="utf-8").splitlines()
    return next((number for number, line in enumerate(lines, start=1) if line.startswith(key)), 1)
