"""Template: the text of a plan, started from a test, conditions and a number of people, or from a stored plan."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mensura.catalog.find import find_test
from mensura.dialogue import Test
from mensura.errors import BadFile, BadParameter
from mensura.running.study.invite import CONSENT
from mensura.running.study.plan import Cast, Stopping, Study
from mensura.running.study.registration.checked import declared_scores_of
from mensura.subjects.spec import HUMAN
from mensura.yaml_file import parse_yaml

Conditions = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class PlanDraft:
    """The fields of a template."""

    test: str
    name: str = "my-study"
    question: str = ""
    conditions: Conditions = field(default_factory=dict)
    n: int = 20
    """People in each condition."""
    score: str = ""
    """The score by which the first two conditions are compared; empty: the first bounded score of the test."""
    expect: str = "different"


def plan_text(draft: PlanDraft) -> str:
    """Write the plan of a draft as YAML, to be edited further."""
    import yaml

    if not 1 <= draft.n <= 100_000:
        raise BadParameter(f"A condition has 1 to 100000 people; got {draft.n}.")
    values = {name: dict(given) for name, given in draft.conditions.items()}
    test = find_test(draft.test)
    plan: dict[str, Any] = {"name": draft.name.strip() or "my-study", "question": draft.question.strip()}
    plan |= {"test": test.id} | ({"conditions": values} if values else {})
    plan |= {"casts": {"people": HUMAN}, "sessions": draft.n}
    score = draft.score or (_first_score(test, next(iter(values.values()))) if values else "")
    if len(values) > 1 and score:
        compared = {"name": "H1", "score": score, "compare": list(values)[:2], "expect": draft.expect}
        plan["hypotheses"] = [compared]
    plan["exclude"] = [{"name": "unfinished", "when": "status != finished"}]
    plan["invitation"] = {"consent": CONSENT, "briefing": "", "thanks": "Thank you for taking part.", "days": 14}
    written: str = yaml.safe_dump(plan, sort_keys=False, allow_unicode=True, width=100)
    return written


def _first_score(test: Test, parameters: Mapping[str, Any]) -> str:
    """Return the first score with a bound on both sides, else the first one; empty where none is known.

    One answer that scores minus infinity would leave the study nothing to compare.
    """
    found = declared_scores_of(test, parameters) or {}
    bounded = (name for name, one in found.items() if one and one.low is not None and one.high is not None)
    return next(bounded, next(iter(found), ""))


def text_of(study: Study) -> str:
    """Write a plan as YAML from which the same plan is read, to be amended."""
    import yaml

    written = study.as_json()
    unset = Study(study.name, study.tests, study.casts).as_json()
    stop = {name: value for name, value in written.pop("stopping").items() if value != getattr(Stopping(), name)}
    plan: dict[str, Any] = {"name": study.name, "question": study.question}
    plan |= {"test": study.tests[0]} if len(study.tests) == 1 else {"tests": study.tests}
    plan["casts"] = {cast.name: _written_cast(cast) for cast in study.casts}
    said = {name: value for name, value in written.items() if value not in (None, "", (), [], {})}
    plan |= {name: value for name, value in said.items() if name not in plan and value != unset.get(name)}
    if "exclusions" in plan:
        plan["exclude"] = plan.pop("exclusions")
    most = study.stopping.most
    plan |= {"sessions": most} if set(stop) <= {"most"} else {"stop": {**stop, "most": most}}
    text: str = yaml.safe_dump(_plain(plan), sort_keys=False, allow_unicode=True, width=100)
    return text


def _written_cast(cast: Cast) -> Any:
    subjects = dict(cast.subjects)
    alone = subjects.get("") if set(subjects) == {""} else None
    if alone is not None and not cast.simulated:
        return alone
    return {**({"subject": alone} if alone is not None else subjects), "simulated": cast.simulated}


def _plain(value: Any) -> Any:
    """Make lists and dictionaries of what a plan holds; nothing in it is written as a reference to another part."""
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value


def read_conditions(text: str) -> dict[str, dict[str, Any]]:
    """Read conditions as people write them, one a line with the parameters that it sets.

    >>> read_conditions("short: flips=10\\nlong: flips=30, slip=0.1")
    {'short': {'flips': 10}, 'long': {'flips': 30, 'slip': 0.1}}
    """

    found: dict[str, dict[str, Any]] = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        name, _, given = line.partition(":")
        parts = [part.partition("=") for part in given.split(",") if part.strip()]
        if not name.strip() or any(not sign or not key.strip() for key, sign, _ in parts):
            raise BadParameter(f"A condition is written `short: flips=10`; got {line[:80]!r}.")
        if name.strip() in found:
            raise BadParameter(f"Two conditions are called {name.strip()!r}.")
        try:
            found[name.strip()] = {key.strip(): parse_yaml(value, "condition") for key, _, value in parts}
        except BadFile:
            raise BadParameter(f"A condition is written `short: flips=10`; got {line[:80]!r}.") from None
    return found
