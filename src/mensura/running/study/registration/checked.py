"""Checked: a plan whose words mean something, so that none of them can be read in another way after the data."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import combinations
from typing import Any, get_args

from mensura.catalog.find import find_test
from mensura.dialogue import Score, Status, Test
from mensura.dialogue.streams import Seed
from mensura.errors import BadParameter, MensuraError, unknown
from mensura.languages import language_names
from mensura.running.adaptivity.able import check_people
from mensura.running.adaptivity.measures import Measures
from mensura.running.adaptivity.phases import cell_phases
from mensura.running.checks.trial import Trial
from mensura.running.course import State, check_phases
from mensura.running.people.waiting_room import WaitingRoom
from mensura.running.study.people.brand import Brand
from mensura.running.study.plan import Chance, Expect, Order, Stopping, Study
from mensura.stats.comparisons.sequential import METHODS
from mensura.subjects import SubjectSpec
from mensura.subjects.spec import HUMAN

RESERVED = ("new", "dry-runs", "register", "import")
"""Addresses of the laboratory's pages that a study of this name would be hidden behind."""
LONGEST_NAME = 100
MOST_LOOKS = 10
MOST_SESSIONS = 1_000_000
"""Sessions of a cell that a plan may ask for."""
STOP_RULE = "the stop rule"


def check_plan(study: Study) -> Study:
    """Refuse a plan with a word, a score or a number that means nothing, or that expects opposites; returns it."""
    _check_name(study.name)
    for what, word, known in _words(study):
        if word not in known:
            raise unknown(what, str(word), known=known, see=f"There are {', '.join(known)}.")
    for what in ("hypotheses", "exclusions", "casts"):
        names = [part.name for part in getattr(study, what)]
        if twice := next((name for name in names if names.count(name) > 1), ""):
            raise BadParameter(f"Two {what} are called {twice!r}; a name means one of them.")
    for one, other in combinations(study.hypotheses, 2):
        if one.score == other.score and {one.upper, other.upper} == set(one.compare) == set(other.compare):
            raise BadParameter(f"{one.name!r} and {other.name!r} expect opposites: one always comes true. Keep one.")
    _check_stop(study)
    with _at("seed"):
        Seed.choose(study.seed)
    _check_courses(study)
    _check_checks(study.invitation.get("checks"))
    if "brand" in study.invitation:
        Brand.read(study.invitation["brand"])
    if "waiting" in study.invitation:
        WaitingRoom.read(study.invitation["waiting"])
    if replacement := study.invitation.get("replacement"):
        for test in study.tests:
            SubjectSpec(str(replacement)).find(find_test(test))
    telemetry = study.invitation.get("telemetry", False)
    if telemetry != "focus" and type(telemetry) is not bool:
        raise BadParameter(f"telemetry is true or false, or focus for no keystrokes; got {telemetry!r}.")
    for name, answer in {f"simulated of {one.name}": one.simulated for one in study.casts}.items():
        if type(answer) is not bool:
            raise BadParameter(f"{name} is true or false; got {answer!r}.")
    for test, values, subjects in _taken(study):
        # A condition that cannot be taken, or not by a cast, is refused before any other has begun.
        definition = find_test(test)
        filled = definition.fill(values)
        for name in subjects:
            if name != HUMAN:
                SubjectSpec(name).refuse(definition, filled)
    return _check_scores(study)


def _check_name(name: str) -> None:
    if name in RESERVED:
        raise BadParameter(
            f"A study cannot be called {name!r}: the laboratory has a page of that name. Choose another."
        )
    if not name.strip() or len(name) > LONGEST_NAME or not name.isprintable() or "/" in name or name.endswith(".json"):
        raise BadParameter(
            f"A study's name has 1 to {LONGEST_NAME} characters that can be printed, no slash, and does not end in "
            f".json; got {name[:LONGEST_NAME]!r}."
        )


def _check_courses(study: Study) -> None:
    """Refuse phases that cannot be told apart, and phases of people that nobody could take."""
    with _at("phases", "arms"):
        if study.phases and study.arms:
            raise BadParameter("A study has phases that all cells share, or arms that have their own; not both.")
        for cell in study.cells():
            phases = cell_phases(study, cell)
            check_phases(phases)
            if cell.cast.people:
                check_people(phases)
    names = {one.name for cell in study.cells() for one in cell_phases(study, cell)}
    for hypothesis in study.hypotheses:
        if hypothesis.phase and hypothesis.phase not in names:
            see = f"There are {', '.join(sorted(names)) or 'none'}."
            raise unknown(f"phase in hypothesis {hypothesis.name}", hypothesis.phase, known=names, see=see)
    with _at("adaptivity"):
        Measures.read(study)


@contextmanager
def _at(*parts: str) -> Iterator[None]:
    """Tell the reader of a plan from a file which part is wrong."""
    try:
        yield
    except MensuraError as error:
        error.at = parts
        raise


def _check_stop(study: Study) -> None:
    """Refuse a stop rule that means nothing, or looks at the outcome before the end without a method for it."""
    stop = study.stopping
    for name, number, parts in (
        ("most (or sessions)", stop.most, ("stop.most", "sessions")),
        ("check_every", stop.check_every, ("stop.check_every",)),
    ):
        if type(number) is not int or not 1 <= number <= MOST_SESSIONS:
            with _at(*parts):
                raise BadParameter(f"{name} is a whole number from 1 to {MOST_SESSIONS:,}; got {number!r}.")
    with _at("stop.width"):
        if stop.width is not None and not (isinstance(stop.width, int | float) and stop.width > 0):
            raise BadParameter(f"width is a number above 0; got {stop.width!r}.")
    if not stop.looks and not stop.method:
        return
    with _at("stop.method"):
        if stop.method and stop.method not in METHODS:
            raise unknown("sequential method", str(stop.method), known=METHODS, see=f"There are {', '.join(METHODS)}.")
    with _at("stop.looks", "stop.method"):
        _check_looks(stop)
    with _at("hypotheses", "stop.method"):
        if len(study.hypotheses) != 1:
            raise BadParameter("A sequential method decides about one hypothesis; the plan has another number of them.")
    with _at("stop.width", "phases", "procedure"):
        if stop.width is not None or study.courses or study.procedure:
            raise BadParameter("A sequential method cannot be combined with `width`, `phases` or `procedure`.")


def _check_looks(stop: Stopping) -> None:
    if not stop.method:
        raise BadParameter(
            f"Looking at the outcome after {_listed(stop.looks)} sessions makes chance findings more likely. Name a "
            "sequential method (`method: obrien-fleming` or `method: pocock`), or stop by count alone, without `looks`."
        )
    rising = all(type(one) is int for one in stop.looks) and list(stop.looks) == sorted(set(stop.looks))
    if not rising or not 2 <= len(stop.looks) <= MOST_LOOKS or stop.looks[0] < 2:
        raise BadParameter(f"`looks` are 2 to {MOST_LOOKS} rising numbers of at least 2; got {_listed(stop.looks)}.")
    if stop.looks[-1] != stop.most:
        raise BadParameter(f"The last look is at all sessions: {stop.most} (most), not {stop.looks[-1]}.")


def _listed(numbers: Iterable[Any]) -> str:
    return ", ".join(map(str, numbers)) or "none"


def _check_checks(named: Any) -> None:
    """Refuse screens before the test that are not a list of tests which one person takes alone."""
    if named is None:
        return
    if not isinstance(named, list):
        raise BadParameter(f"checks is a list of tests, as in [display-size, headphones]; got {named!r}.")
    for name in named:
        test = find_test(str(name))
        if len(test.cast_roles(test.fill())) != 1:
            raise BadParameter(f"A check is taken by one person alone; {test.id} has several roles.")


def _words(study: Study) -> Iterator[tuple[str, Any, tuple[str, ...]]]:
    """List what a plan says where only certain words can stand: what it is, the word, and those that can."""
    yield "order of cells", study.order, get_args(Order)
    yield "chance", study.chance, get_args(Chance)
    if study.invitation.get("language") is not None:
        yield "language of the pages", study.invitation["language"], language_names()
    for one in study.hypotheses:
        yield f"expectation in hypothesis {one.name}", one.expect, get_args(Expect)
    for rule in study.exclusions:
        measure, _, bound = rule.parts()
        if measure == "status":
            yield f"status in {rule.when!r}", bound, get_args(Status)
    for cell in study.cells():
        for phase in cell_phases(study, cell):
            yield "state of a phase", phase.state, get_args(State)


def _check_scores(study: Study) -> Study:
    stop = study.stopping
    named = {f"hypothesis {one.name}": one.score for one in study.hypotheses}
    named |= {STOP_RULE: stop.score} if stop.width is not None else {}
    named |= {"adaptivity": study.adaptivity["score"]} if study.adaptivity else {}
    if not named:
        return study
    given = [scores_of(find_test(test), values) for test, values, _ in _taken(study)]
    there = list(dict.fromkeys(name for scores in given for name in scores or ()))
    for where, score in named.items():
        with _at(*(("stop.score", "stop.width") if where == STOP_RULE else ())):
            if score not in there and None not in given:
                raise unknown(f"score in {where}", score, known=there, see=f"Scores are {', '.join(there)}.")
    return study


def scores_of(test: Test, parameters: Mapping[str, Any]) -> list[str] | None:
    """Name the scores of a test: those it declares, else what one session by chance gives; None where that fails."""
    found = declared_scores_of(test, parameters)
    return None if found is None else list(found)


def declared_scores_of(test: Test, parameters: Mapping[str, Any]) -> dict[str, Score | None] | None:
    """Return the scores of a test with what is declared of each; None where nothing can be known."""
    values = test.fill(parameters)
    if test.scores:
        return {**test.declared_scores(values)}
    try:
        scores = Trial(test, values).first.scores()
    except MensuraError:
        return None
    return {name: scores.declared.get(name) for name in scores.values}


def _taken(study: Study) -> list[tuple[str, Mapping[str, Any], set[str]]]:
    """List what is taken, each test under each condition and in each phase, and which subjects take it."""
    taken: dict[str, tuple[str, Mapping[str, Any], set[str]]] = {}
    for cell in study.cells():
        phases = cell_phases(study, cell)
        for test, values in [(one.test, one.parameters) for one in phases] or [(cell.test, cell.parameters)]:
            _, _, names = taken.setdefault(f"{test} {values}", (test, values, set()))
            names.update(cell.cast.subjects.values())
    return list(taken.values())
