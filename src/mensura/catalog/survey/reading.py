"""Reading a survey from a YAML file."""

from pathlib import Path
from typing import Any

from mensura.catalog.survey.dialogue import survey_test
from mensura.dialogue import Test
from mensura.errors import BadFile, MensuraError, unknown
from mensura.scores.questionnaire import SURVEY_KEYS


def read_survey(path: str | Path) -> Test:
    """Make the test of the survey that a YAML file holds; a mistake is named with its line where it has one."""
    import yaml

    file = Path(path).expanduser()
    try:
        data: Any = yaml.safe_load(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise BadFile(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}. Check the path.") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"{path}:{mark.line + 1}" if mark else str(path)
        raise BadFile(f"{where}: this is not YAML: {getattr(error, 'problem', error)}.") from None
    if not isinstance(data, dict) or not isinstance(data.get("items"), list):
        raise BadFile(f"{path} holds no survey: a survey is a mapping with a list of `items`.")
    for key in data:
        if key not in SURVEY_KEYS:
            see = f"Parts are {', '.join(SURVEY_KEYS)}."
            raise BadFile(
                f"{path}:{_line(file, str(key))}: {unknown('part of a survey', str(key), known=SURVEY_KEYS, see=see)}"
            )
    name = str(data.pop("name", None) or file.stem.lower().replace(" ", "-"))
    try:
        return survey_test(data.pop("items"), name=name, **data)
    except MensuraError as error:
        raise BadFile(f"{path}: {error}") from None


def _line(file: Path, key: str) -> int:
    lines = file.read_text(encoding="utf-8").splitlines()
    return next((number for number, line in enumerate(lines, start=1) if line.startswith(key)), 1)
