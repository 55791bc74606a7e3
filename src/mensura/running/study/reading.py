"""Reading a study from a file: YAML, or Python that defines `study`. A mistake is named with its line."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mensura.errors import BadFile, MensuraError, unknown
from mensura.running.study.people.brand import inline_logo
from mensura.running.study.plan import Cast, ExclusionRule, Hypothesis, Stopping, Study
from mensura.running.study.registration.checked import check_plan
from mensura.text_file import read_text
from mensura.yaml_file import parse_yaml

KEYS = (
    *("name", "question", "test", "tests", "casts", "conditions", "factors", "phases", "hypotheses", "exclude"),
    *("stop", "sessions", "order", "seed", "chance", "generalise", "invitation", "procedure", "recruiting"),
    *("arms", "adaptivity"),
)
PARTS = {
    "hypotheses": ("name", "score", "compare", "expect", "phase"),
    "exclude": ("name", "when"),
    "stop": ("most", "width", "score", "check_every", "looks", "method"),
    "invitation": (
        *("consent", "briefing", "quiz", "thanks", "survey", "telemetry", "days", "language"),
        *("waiting", "replacement", "brand", "checks"),
    ),
}
SHAPES = {
    **dict.fromkeys(("casts", "conditions", "factors", "stop", "invitation", "procedure", "recruiting"), "mapping"),
    **dict.fromkeys(("arms", "adaptivity"), "mapping"),
    **dict.fromkeys(("tests", "phases", "hypotheses", "exclude"), "sequence"),
}
SHAPE_WORDS = {
    "mapping": "has named parts, each on a line `name: value`",
    "sequence": "is a list: `[one, other]`, or each line begins with `-`",
}
Admit = Callable[[Mapping[str, Any]], None]
"""Refuses plain data of a plan before anything that it names is loaded, or fills in the contents of files beside it."""


@dataclass(frozen=True)
class PlanFault:
    """A fault of a plan, as a sentence, and its line."""

    line: int
    sentence: str


def read_study(path: str | Path, *, budget: int | None = None) -> Study:
    """Read the study that a file describes.

    Parameters
    ----------
    path
        The file.
    budget
        How much its learners may have used, for a Python file that plans for any budget: it defines
        `study_for(budget)` beside `study`.
    """
    file = Path(path)
    if not file.exists():
        raise BadFile(f"There is no file {file}. Check the path.")
    if file.suffix == ".py":
        return _from_python(file, budget)
    if budget is not None:
        raise BadFile(f"{file} is a plan for no budget: only a Python file can define `study_for(budget)`.")
    return _from_yaml(file)


def _from_python(file: Path, budget: int | None) -> Study:
    from mensura.subjects.source import load_file

    module = load_file(file)
    if budget is None:
        study = getattr(module, "study", None)
    elif callable(planned := getattr(module, "study_for", None)):
        study = planned(budget)
    else:
        raise BadFile(f"{file} is a plan for no budget: it does not define `study_for(budget)`. Leave --budget out.")
    if study is None and callable(getattr(module, "study_for", None)):
        raise BadFile(f"{file} plans for a budget: say how much learners may have used, as `study run --budget 10e6`.")
    if not isinstance(study, Study):
        raise BadFile(f"{file} must define `study = Study(...)`.")
    return study


def _from_yaml(file: Path) -> Study:
    def with_logo(data: Mapping[str, Any]) -> None:
        brand = (data.get("invitation") or {}).get("brand")
        if isinstance(brand, dict) and brand.get("logo"):
            brand["logo"] = inline_logo(str(brand["logo"]), file.parent)

    return read_plan(read_text(file), source=file, admit=with_logo)


def read_plan(text: str, *, source: str | Path = "plan", admit: Admit | None = None) -> Study:
    """Read the study that YAML describes; `source` is what a mistake is named with, beside its line."""
    import yaml

    data = parse_yaml(text, source)
    if not isinstance(data, dict):
        raise BadFile(f"{source}:1: A plan is a mapping with {', '.join(KEYS[:5])} and so on.")
    # The same text was read within its bounds just now.
    root = yaml.compose(text, Loader=yaml.SafeLoader)  # noqa: TID251
    _check_names(root, source)
    try:
        if admit is not None:
            admit(data)
        return make_study(data)
    except MensuraError as error:
        line = _line_of_part(root, error.at) or _line_of(text, str(error))
        raise BadFile(f"{source}:{line}: {error}") from None
    except KeyError as error:
        raise BadFile(f"{source}:1: The part {error} is missing.") from None
    except (TypeError, ValueError, AttributeError) as error:
        raise BadFile(f"{source}:1: A part of the plan has a form that cannot be read: {error}.") from None


def check_text(text: str, *, admit: Admit | None = None) -> Study | PlanFault:
    """Read a plan as it is being written; what the command line would refuse is returned with its line."""
    try:
        return read_plan(text, admit=admit)
    except BadFile as error:
        return fault_of(error)


def fault_of(error: BadFile) -> PlanFault:
    """Return what is wrong with a plan by the error of its reader, which begins with the line."""
    found = re.fullmatch(r"plan(?::(\d+))?: (.*)", str(error), re.DOTALL)
    return PlanFault(int(found[1] or 1), found[2]) if found else PlanFault(1, str(error))


def make_study(data: Mapping[str, Any]) -> Study:
    """Make a study from plain data; a word or score that means nothing is refused."""
    tests = data.get("tests") or [data.get("test")]
    if tests == [None]:
        raise BadFile("A study names its test: `test: coin`.")
    if not data.get("casts"):
        raise BadFile("A study says who takes part: `casts: {people: human}`.")
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
        arms={str(name): tuple(phases) for name, phases in (data.get("arms") or {}).items()},
        adaptivity=dict(data.get("adaptivity") or {}),
        hypotheses=tuple(_hypothesis(number, given) for number, given in enumerate(data.get("hypotheses") or (), 1)),
        exclusions=tuple(ExclusionRule(given["name"], given["when"]) for given in data.get("exclude") or ()),
        stopping=Stopping(**stop),
        order=data.get("order", "written"),
        seed=data.get("seed"),
        chance=data.get("chance", "shared"),
        generalise=data.get("generalise"),
        invitation=dict(data.get("invitation") or {}),
        procedure=dict(data.get("procedure") or {}),
        recruiting=dict(data.get("recruiting") or {}),
    )
    return check_plan(made)


def _cast(name: str, given: Any) -> Cast:
    if isinstance(given, str):
        return Cast(name, {"": given})
    simulated = given.get("simulated", False)
    subjects = {role: subject for role, subject in given.items() if role not in ("simulated", "subject", "arms")}
    return Cast(name, subjects or {"": given["subject"]}, simulated, tuple(given.get("arms", ())))


def _hypothesis(number: int, given: Mapping[str, Any]) -> Hypothesis:
    first, second = given["compare"]
    name = str(given.get("name") or f"H{number}")
    expect, phase = given.get("expect", "different"), str(given.get("phase") or "")
    return Hypothesis(name, str(given["score"]), (str(first), str(second)), expect, phase)


def _check_names(node: Any, source: str | Path) -> None:
    """Point to the line of a key that no study has, or of a part that has not its form."""
    for key, value in node.value:
        _known(key, KEYS, source, "a study")
        empty = value.id == "scalar" and value.value in ("", "null", "~")
        if not empty:
            _shaped(key, value, SHAPES.get(key.value), source, key.value)
        allowed = PARTS.get(key.value)
        if allowed is None or empty:
            continue
        for group in value.value if value.id == "sequence" else [value]:
            _shaped(group, group, "mapping", source, f"each of {key.value}" if value.id == "sequence" else key.value)
            for inner, said in group.value:
                _known(inner, allowed, source, key.value)
                if inner.value == "looks" and said.value:
                    _shaped(inner, said, "sequence", source, inner.value)


def _shaped(place: Any, value: Any, shape: str | None, source: str | Path, what: str) -> None:
    if shape is not None and value.id != shape:
        raise BadFile(f"{source}:{place.start_mark.line + 1}: `{what}` {SHAPE_WORDS[shape]}.")


def _known(key: Any, allowed: tuple[str, ...], source: str | Path, what: str) -> None:
    if key.value not in allowed:
        line = key.start_mark.line + 1
        error = unknown(f"key of {what}", str(key.value), known=allowed, see=f"Keys are {', '.join(allowed)}.")
        raise BadFile(f"{source}:{line}: {error}")


def _line_of_part(root: Any, parts: tuple[str, ...]) -> int | None:
    """Find the line of the first of these parts that a plan has; None where it has none of them."""
    lines: dict[str, int] = {}
    for key, value in root.value:
        lines[key.value] = key.start_mark.line + 1
        inner = value.value if value.id == "mapping" else ()
        lines |= {f"{key.value}.{name.value}": name.start_mark.line + 1 for name, _ in inner}
    return next((lines[part] for part in parts if part in lines), None)


def _line_of(text: str, message: str) -> int:
    """Find the line that holds the name a message quotes; 1 where none does."""
    quoted = message.split("'")[1:2]
    for number, line in enumerate(text.splitlines(), start=1):
        if quoted and re.search(rf"(?<!\w){re.escape(quoted[0])}(?!\w)", line):
            return number
    return 1
