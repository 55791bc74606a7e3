"""Reading a study from a file: YAML, or Python that defines `study`. A mistake is named with its line."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mensura.errors import BadFile, MensuraError, unknown
from mensura.running.study.plan import Cast, ExclusionRule, Hypothesis, Stopping, Study
from mensura.running.study.registration.checked import check_plan
from mensura.text_file import read_text
from mensura.yaml_file import parse_yaml

KEYS = (
    *("name", "question", "test", "tests", "casts", "conditions", "factors", "phases", "hypotheses", "exclude"),
    *("stop", "sessions", "order", "seed", "chance", "generalise", "invitation", "procedure"),
)
PARTS = {
    "hypotheses": ("name", "score", "compare", "expect"),
    "exclude": ("name", "when"),
    "stop": ("most", "width", "score", "check_every"),
    "invitation": ("consent", "briefing", "quiz", "thanks", "survey", "telemetry", "days"),
}


def read_study(path: str | Path) -> Study:
    """Read the study that a file describes."""
    file = Path(path)
    if not file.exists():
        raise BadFile(f"There is no file {file}.")
    return _from_python(file) if file.suffix == ".py" else _from_yaml(file)


def _from_python(file: Path) -> Study:
    from mensura.subjects.source import load_file

    study = getattr(load_file(file), "study", None)
    if not isinstance(study, Study):
        raise BadFile(f"{file} must define `study = Study(...)`.")
    return study


def _from_yaml(file: Path) -> Study:
    import yaml

    text = read_text(file)
    data = parse_yaml(text, file)
    if not isinstance(data, dict):
        raise BadFile(f"{file} must hold a mapping with {', '.join(KEYS[:5])} and so on.")
    _check_names(yaml.compose(text, Loader=yaml.SafeLoader), file)
    try:
        return make_study(data)
    except MensuraError as error:
        raise BadFile(f"{file}:{_line_of(text, str(error))}: {error}") from None
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadFile(f"{file}: {type(error).__name__}: {error}") from None


def make_study(data: Mapping[str, Any]) -> Study:
    """Make a study from plain data; a word or score that means nothing is refused."""
    tests = data.get("tests") or [data.get("test")]
    if tests == [None]:
        raise BadFile("A study names its test: `test: coin`.")
    stop = dict(data.get("stop") or {})
    if "sessions" in data:
        stop.setdefault("most", data["sessions"])
    made = Study(
        name=str(data.get("name") or "").strip() or "study",
        question=str(data.get("question") or ""),
        tests=tuple(tests),
        casts=tuple(_cast(name, given) for name, given in data["casts"].items()),
        conditions={str(name): dict(values or {}) for name, values in (data.get("conditions") or {}).items()},
        factors={name: tuple(values) for name, values in (data.get("factors") or {}).items()},
        phases=tuple(data.get("phases") or ()),
        hypotheses=tuple(_hypothesis(number, given) for number, given in enumerate(data.get("hypotheses") or (), 1)),
        exclusions=tuple(ExclusionRule(given["name"], given["when"]) for given in data.get("exclude") or ()),
        stopping=Stopping(**stop),
        order=data.get("order", "written"),
        seed=data.get("seed"),
        chance=data.get("chance", "shared"),
        generalise=data.get("generalise"),
        invitation=dict(data.get("invitation") or {}),
        procedure=dict(data.get("procedure") or {}),
    )
    return check_plan(made)


def _cast(name: str, given: Any) -> Cast:
    if isinstance(given, str):
        return Cast(name, {"": given})
    simulated = given.get("simulated", False)
    subjects = {role: subject for role, subject in given.items() if role not in ("simulated", "subject")}
    return Cast(name, subjects or {"": given["subject"]}, simulated)


def _hypothesis(number: int, given: Mapping[str, Any]) -> Hypothesis:
    first, second = given["compare"]
    name = str(given.get("name") or f"H{number}")
    return Hypothesis(name, str(given["score"]), (str(first), str(second)), given.get("expect", "different"))


def _check_names(node: Any, file: Path) -> None:
    """Point to the line of a key that no study has."""
    for key, value in node.value:
        _known(key, KEYS, file, "a study")
        allowed = PARTS.get(key.value)
        if allowed is None:
            continue
        for group in value.value if isinstance(value.value, list) and value.id == "sequence" else [value]:
            for inner, _ in group.value:
                _known(inner, allowed, file, key.value)


def _known(key: Any, allowed: tuple[str, ...], file: Path, what: str) -> None:
    if key.value not in allowed:
        line = key.start_mark.line + 1
        error = unknown(f"key of {what}", key.value, known=allowed, see=f"Keys are {', '.join(allowed)}.")
        raise BadFile(f"{file}:{line}: {error}")


def _line_of(text: str, message: str) -> int:
    """Find the line that holds the name a message quotes; 1 where none does."""
    quoted = message.split("'")[1:2]
    for number, line in enumerate(text.splitlines(), start=1):
        if quoted and re.search(rf"(?<!\w){re.escape(quoted[0])}(?!\w)", line):
            return number
    return 1
