"""From the record of a session to the answers of a subject, as the assessment takes them."""

from collections.abc import Mapping
from typing import Any

from mensura.catalog.sensemaking.answers.answer import Answers, Drawn, Response, TrialAnswer
from mensura.catalog.sensemaking.exam import GridPoint, Layer
from mensura.catalog.sensemaking.showing.percents import HOW, shares_of
from mensura.dialogue import Answer, Record

GROUPS = ("A", "B", "C", "D")


def answers_from_record(record: Record, *, subject: str | None = None) -> Answers:
    """Read a subject's answers out of a session, with the times that are known.

    The HUMINT given in Tasks 5 and 6 is no answer: stage 0 is None there, and the check of answers fills it in.
    """
    trials: dict[tuple[int, int], dict[str, Answer]] = {}
    for answer in record.answers:
        task, _, rest = answer.key.partition(".")
        trial, _, what = rest.partition(".")
        if task.isdecimal() and trial.isdecimal() and answer.status == "answered":
            trials.setdefault((int(task), int(trial)), {})[what] = answer
    tasks: dict[int, dict[int, TrialAnswer]] = {}
    before: Response | None = None
    for (number, place), given in sorted(trials.items()):
        if number == 7:
            groups = _report(given.get("groups")) or before
            before = groups
            tasks.setdefault(7, {})[place] = _wave(place, given, groups)
        else:
            tasks.setdefault(number, {})[place] = _trial(number, place, given)
    cast = next(iter(record.cast.values()), "subject")
    return Answers(
        subject=subject or record.session or cast,
        tasks=tasks,
        human=cast == "human",
        layer_order=_menu_order(record),
    )


def _menu_order(record: Record) -> str:
    """The order of the INT menu: as the condition said, else as the first menu was shown (an exam may say it)."""
    said = str(record.parameters.get("order") or "")
    if said:
        return said
    first = next((answer for answer in record.answers if answer.key.endswith(".layer1")), None)
    content = None if first is None else record.content(first.number)
    options = content["space"]["options"] if content else ["IMINT"]
    return "standard" if Layer.parse(options[0]).kind == "IMINT" else "reverse"


def _trial(number: int, place: int, given: Mapping[str, Answer]) -> TrialAnswer:
    last = max((int(what) for what in given if what.isdecimal()), default=0)
    stages = [_report(given.get(str(stage))) for stage in range(last + 1)]
    layers = [given[f"layer{k}"] for k in range(1, 5) if f"layer{k}" in given]
    choice, surprise = given.get("choice"), given.get("surprise")
    drawn = [name for name in given if name.startswith(("circle.", "centre."))]
    return TrialAnswer(
        trial=place,
        stages=tuple(stages),
        allocation=_forced(choice, number) if choice is not None else _report(given.get("allocation"), scale=1.0),
        layers=tuple(Layer.parse(each.value) for each in layers),
        layer_ms=tuple(_ms(each) for each in layers),
        drawn=tuple(_drawn(name, given[name]) for name in sorted(drawn)),
        # The scale of the pages runs from 1 to 7, the original's from 0 to 6.
        surprise=None if surprise is None else float(surprise.value) - 1,
        surprise_ms=None if surprise is None else _ms(surprise),
    )


def _wave(place: int, given: Mapping[str, Answer], groups: Response | None) -> TrialAnswer:
    bought = [given[f"buy{k}"].value for k in range(1, 8) if f"buy{k}" in given]
    return TrialAnswer(
        trial=place,
        stages=(groups, _report(given.get("sites"))),
        allocation=_report(given.get("allocation"), scale=1.0),
        layers=tuple(Layer.parse(name) for name in bought if name != "nothing"),
    )


def _report(answer: Answer | None, *, scale: float = 100.0) -> Response | None:
    if answer is None:
        return None
    shares = shares_of(answer.value)
    values = tuple(scale * value for value in shares.values())
    how: Mapping[str, Any] = answer.value.get(HOW) or {}
    raw, controls = how.get("raw"), how.get("control_ms")
    names = list(shares)
    return Response(
        values,
        raw=tuple(float(raw.get(name, 0.0)) for name in names) if isinstance(raw, Mapping) else None,
        control_ms=tuple(int(controls.get(name, 0)) for name in names) if isinstance(controls, Mapping) else None,
        time_ms=_ms(answer),
    )


def _forced(answer: Answer, number: int) -> Response:
    groups = GROUPS[:2] if number == 1 else GROUPS
    return Response(tuple(100.0 * (group == answer.value) for group in groups), time_ms=_ms(answer))


def _drawn(name: str, answer: Answer) -> Drawn:
    x, y, *radius = answer.value
    return Drawn(name.rpartition(".")[2], GridPoint(x, y), radius[0] if radius else None, _ms(answer))


def _ms(answer: Answer) -> int | None:
    return None if answer.seconds is None else round(1000 * answer.seconds)
