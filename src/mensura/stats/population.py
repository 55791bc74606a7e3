"""Populations: what an estimate generalises to."""

from mensura.errors import BadData, unknown
from mensura.stats.observations import Factor, Observations
from mensura.stats.wording import times

THESE_ITEMS = "these items"
ITEMS = "items"
SESSIONS = "sessions"
COURSES = "courses"
PEOPLE = "people"
ITEMS_AND_SESSIONS = "items and sessions"
PEOPLE_AND_ITEMS = "people and items"
POPULATIONS = (THESE_ITEMS, ITEMS, SESSIONS, COURSES, PEOPLE, ITEMS_AND_SESSIONS, PEOPLE_AND_ITEMS)
CROSSED = (ITEMS_AND_SESSIONS, PEOPLE_AND_ITEMS)

TYPED = {
    "these-items": THESE_ITEMS,
    "items": ITEMS,
    "sessions": SESSIONS,
    "courses": COURSES,
    "people": PEOPLE,
    "items+sessions": ITEMS_AND_SESSIONS,
    "people+items": PEOPLE_AND_ITEMS,
}
UNITS = {THESE_ITEMS: "answer", ITEMS: "item", SESSIONS: "session", COURSES: "course", PEOPLE: "person"}


def read_population(words: str) -> str:
    """Return the population that a user typed.

    >>> read_population("these-items"), read_population("items+sessions"), read_population("items and sessions")
    ('these items', 'items and sessions', 'items and sessions')
    """
    known = TYPED | {name: name for name in POPULATIONS}
    if words not in known:
        see = f"There are {', '.join(TYPED)}."
        raise unknown("population", words, known=tuple(TYPED), see=see)
    return known[words]


def default_population(observations: Observations, *, apart: bool, people: bool = False, learners: bool = False) -> str:
    """Return what a score generalises to unless the user says otherwise.

    Parameters
    ----------
    observations : Observations
        The scores; whether their items were fixed or redrawn is read from their labels.
    apart : bool
        Whether each item was its own dialogue, so that answers to different items share nothing but the subject.
    people : bool
        Whether different people answered, one per session or per course.
    learners : bool
        Whether several sessions make up a course of one learner.

    Examples
    --------
    >>> fixed = Observations([1, 0, 1, 1], items=["a", "b", "a", "b"], sessions=["1", "1", "2", "2"])
    >>> default_population(fixed, apart=True), default_population(fixed, apart=False)
    ('items', 'items and sessions')
    >>> default_population(Observations([0.4, 0.5]), apart=False)
    'sessions'
    """
    several = observations.count("sessions") > 1
    shared = observations.has_items and several and observations.design != "redrawn"
    if people and (several or not observations.has_items):
        return PEOPLE_AND_ITEMS if shared else PEOPLE
    if learners:
        return COURSES
    if not observations.has_items:
        return SESSIONS
    if apart:
        return ITEMS
    if shared:
        return ITEMS_AND_SESSIONS
    return SESSIONS if several else ITEMS


def needs_items(population: str) -> bool:
    """Return whether a population speaks of items, which must then be known one by one.

    >>> needs_items("these items"), needs_items("sessions")
    (True, False)
    """
    return population in (THESE_ITEMS, ITEMS, *CROSSED)


def unit_of(population: str) -> str:
    """Return what a population is made of, in the singular; for a crossed one, its second factor.

    >>> unit_of("items"), unit_of("people"), unit_of("people and items")
    ('item', 'person', 'person')
    """
    if population not in POPULATIONS:
        raise BadData(f"There is no population {population!r}; there are {', '.join(POPULATIONS)}.")
    return UNITS.get(population) or ("session" if population == ITEMS_AND_SESSIONS else "person")


def factor_of(population: str) -> Factor:
    """Return the labels that the units of a population carry.

    >>> factor_of("people"), factor_of("items")
    ('courses', 'items')
    """
    unit = unit_of(population)
    return {"item": "items", "answer": "items", "session": "sessions"}.get(unit, "courses")  # type: ignore[return-value]


def counted(count: int, unit: str) -> str:
    """Count units in words.

    >>> counted(1, "person"), counted(3, "person"), counted(3, "item")
    ('1 person', '3 people', '3 items')
    """
    return f"{count} {unit if count == 1 else plural(unit)}"


def plural(unit: str) -> str:
    """Return the plural of a unit.

    >>> plural("person"), plural("session")
    ('people', 'sessions')
    """
    return "people" if unit == "person" else f"{unit}s"


def sentence_of(population: str, observations: Observations) -> str:
    """Return what an estimate generalises to and what it rests on.

    >>> seen = Observations([1, 0, 1, 1], items=["a", "b", "a", "b"], sessions=["1", "1", "2", "2"])
    >>> sentence_of("items", seen)
    'Generalises to items like these: 2 items, each answered 2 times.'
    >>> sentence_of("items and sessions", seen)
    'Generalises to other items and other sessions: 2 items in 2 sessions.'
    """
    unit_of(population)
    items, sessions = counted(observations.count("items"), "item"), counted(observations.count("sessions"), "session")
    if population in (THESE_ITEMS, ITEMS):
        like = "these items only, answered again" if population == THESE_ITEMS else "items like these"
        return f"Generalises to {like}: {items}, {_times(observations)}."
    unit = unit_of(population)
    units = counted(observations.count(factor_of(population)), unit)
    if population == ITEMS_AND_SESSIONS:
        return f"Generalises to other items and other sessions: {items} in {units}."
    if population == PEOPLE_AND_ITEMS:
        return f"Generalises to other people and other items: {units} on {items}."
    if population == SESSIONS or not observations.has_courses:
        return f"Generalises to other {plural(unit)}: {units}."
    return f"Generalises to other {plural(unit)}: {units}, {sessions} in all."


def _times(observations: Observations) -> str:
    held = observations.answers("items")
    if len(held) == 0:
        return "none answered"
    least, most = int(held.min()), int(held.max())
    if least == most:
        return f"each answered {times(most)}"
    return f"answered {least} to {most} times"
