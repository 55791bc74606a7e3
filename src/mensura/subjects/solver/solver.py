"""Solver: a function of several steps that is put before a subject; `solve:cot(llm:MODEL)` names one."""

import inspect
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from importlib.metadata import EntryPoint
from typing import Any

import numpy as np

from mensura.dialogue import SUBJECT, Address, Ask, Bank, Noted, Refused, Wait, prompt_text
from mensura.dialogue.session.log import loggable
from mensura.dialogue.spaces.text import folded
from mensura.errors import BadParameter, SubjectCrashed, unknown
from mensura.extension import extensions, load
from mensura.subjects.group import Several, Work, added, unnoted
from mensura.subjects.naming import Factory, Naming
from mensura.subjects.source import Source
from mensura.subjects.subject import Subject
from mensura.subjects.team import find_members

GROUP = "mensura.solvers"
"""Entry points of packages that bring solvers."""
OURS = {
    "few-shot": "few_shot:FewShot",
    "cot": "chain_of_thought:cot",
    "self-consistency": "self_consistency:self_consistency",
    "critique": "critique:critique",
}
HANDED_IN = ("rng", "folder", "asked")
"""The arguments that a solver may take besides its options: the session's generator, the folder of files, and the
prompts of all items of the bank that is taken."""
SAMPLES = "samples"
"""The option that says how many copies of the subject a solver asks; each is a separate mind, as in a team."""
Steps = Generator[Ask | Sequence[Ask], Any, Any]
Solve = Callable[..., Steps]


class Solved(Several):
    """Lets a function find the answer to an ask by further asks, and notes every step.

    The function is a generator: it is given the ask, yields an `Ask` and receives what was answered, as often as it
    likes, and returns the answer, `Noted`, `Refused` or `Wait`. With several copies of the subject it may yield a list
    of asks, one for each copy, and receives a list. The notes keep its name, the notes of each step, and add up tokens
    and cost.

    Parameters
    ----------
    members
        The subject that is asked, or several copies of it.
    solve
        The function; what it takes by the names `rng` and of its options is given to it.
    title
        What the record calls the function.

    Examples
    --------
    >>> from mensura.dialogue import Number
    >>> def twice(ask):
    ...     first = yield ask
    ...     second = yield ask
    ...     return max(first, second)
    >>> tries = iter([3, 5])
    >>> reply = Solved([lambda ask: next(tries)], solve=twice)(Ask("How many?", Number()))
    >>> reply.value, reply.notes
    (5, {'solver': 'twice', 'steps': [{'answer': 3}, {'answer': 5}]})
    """

    def __init__(
        self,
        members: Sequence[Subject],
        *,
        solve: Solve,
        title: str = "",
        options: Mapping[str, Any] | None = None,
        name: str = "",
    ) -> None:
        self.title = title or getattr(solve, "__name__", type(solve).__name__)
        super().__init__(members, name=name or f"solve:{self.title}")
        self._solve = solve
        self._options = dict(options or {})
        self._draws = "rng" in inspect.signature(solve).parameters
        self._rng = np.random.default_rng(0)

    def begin(self, rng: np.random.Generator, role: str = SUBJECT, address: Address | None = None) -> None:
        """Begin a session; the function's own chance comes from this generator."""
        self._rng = rng
        super().begin(rng, role, address)

    def said(self, answer: Any, notes: Mapping[str, Any]) -> Iterator[Any] | None:
        steps = notes.get("steps")
        return None if steps is None else map(_reply_of, steps)

    def work(self, ask: Ask) -> Work:
        taken: list[tuple[Any, dict[str, Any]]] = []
        chance = {"rng": self._rng} if self._draws else {}
        steps = self._solve(ask.without_truth(), **self._options, **chance)
        if not isinstance(steps, Generator):
            raise SubjectCrashed(f"The solver {self.title} is not a generator; it must yield what to ask.")
        received: Any = None
        while True:
            try:
                wanted = steps.send(received)
            except StopIteration as done:
                return self._reply(done.value, taken)
            alone = isinstance(wanted, Ask)
            turn = self._turn([wanted] if alone else wanted, ask, first=not taken)
            replies = [unnoted(reply) for reply in (yield turn)]
            taken += replies
            received = replies[0][0] if alone else [reply for reply, _ in replies]

    def _turn(self, asks: Any, outer: Ask, *, first: bool) -> list[tuple[Subject, Ask]]:
        listed = isinstance(asks, (list, tuple)) and len(asks) > 0
        if not listed or not all(isinstance(one, Ask) and one.space is not None for one in asks):
            raise SubjectCrashed(f"The solver {self.title} yielded {asks!r:.60}; it yields Asks with a space.")
        if len(asks) > len(self.members):
            raise SubjectCrashed(
                f"The solver {self.title} asks {len(asks)} copies of the subject and has {len(self.members)}; let it "
                f"take `{SAMPLES}`, the number of copies."
            )
        # What is true is for members that are declared to know it; a reward was for the answer before.
        reward = outer.reward if first else None
        kept = [replace(one, truth=outer.truth, aside=outer.aside, reward=reward) for one in asks]
        return list(zip(self.members, kept, strict=False))

    def _reply(self, value: Any, taken: Sequence[tuple[Any, dict[str, Any]]]) -> Any:
        if isinstance(value, Wait):
            return value
        reply, own = unnoted(value)
        steps = [{**_said(said), **notes} for said, notes in taken]
        return Noted(reply, {**added(notes for _, notes in taken), **own, "solver": self.title, "steps": steps})


def _said(reply: Any) -> dict[str, Any]:
    if isinstance(reply, Refused):
        return {"refused": reply.reason}
    return {"waited": True} if isinstance(reply, Wait) else {"answer": loggable(reply)}


def _reply_of(step: Mapping[str, Any]) -> Any:
    if "waited" in step:
        return Wait()
    return Noted(Refused(step["refused"]) if "refused" in step else step["answer"], dict(step))


def named(rest: str, *, naming: Naming) -> Factory:
    """Read a name such as `solve:cot(llm:MODEL)` or `solve:./mine.py:my_solver(chance)`; solvers may be nested."""
    title, inner = split_solver(rest)
    thing = find_solver(title, naming)
    takes = inspect.signature(thing).parameters
    # A function is given the ask first; a class makes the function, and is given its options only.
    names = [name for name in list(takes)[not isinstance(thing, type) :] if name not in HANDED_IN]
    (make,) = find_members([inner], naming, *names)
    options = {name: value for name, value in naming.options.items() if name in names}
    count = _count(options, takes)
    if "folder" in takes:
        options["folder"] = naming.folder
    if "asked" in takes:
        options["asked"] = asked_in(naming.test.bank)
    solve, given = _prepared(thing, options, title=title)
    return lambda: Solved([make() for _ in range(count)], solve=solve, title=title, options=given, name=naming.name)


def _prepared(thing: Any, options: dict[str, Any], *, title: str) -> tuple[Solve, dict[str, Any]]:
    """Return the function of a solver and the options that it is called with; a class has taken its own."""
    made, signature = isinstance(thing, type), inspect.signature(thing)
    chance = {"rng": None} if "rng" in signature.parameters and not made else {}
    try:
        signature.bind(*([] if made else [None]), **options, **chance)
    except TypeError as error:
        words = f"The solver {title} cannot be made: {error}. Options are written after its name: #NAME=VALUE"
        raise BadParameter(words) from None
    return (thing(**options), {}) if made else (thing, options)


def split_solver(rest: str) -> tuple[str, str]:
    """Part a name behind `solve:` into the solver and the subject that it asks.

    >>> split_solver("cot(team:vote(chance,chance))")
    ('cot', 'team:vote(chance,chance)')
    """
    title, bracket, inner = rest.partition("(")
    if not title or not bracket or not inner.endswith(")") or not inner[:-1].strip():
        raise BadParameter(f"A solver is named solve:SOLVER(SUBJECT), as in solve:cot(chance); got solve:{rest}")
    return title, inner[:-1].strip()


def find_solver(title: str, naming: Naming) -> Any:
    """Find a solver by its name: one of ours, one that a package brings, or one in a file or module."""
    if title in OURS:
        return load(EntryPoint(title, f"mensura.subjects.solver.{OURS[title]}", GROUP))
    brought = extensions(GROUP)
    if title in brought:
        found = load(brought[title])
    elif ":" in title:
        found = Source.read(title, folder=naming.folder).load()
    else:
        known = [*OURS, *brought]
        see = f"There are {', '.join(known)}, or one of your own: solve:./mine.py:my_solver(chance)"
        raise unknown("solver", title, known=known, see=see)
    if not callable(found):
        raise BadParameter(f"A solver is a generator function (ask) that yields asks; {title} is {found!r:.60}.")
    return found


def most_asks(title: str, options: Mapping[str, Any]) -> int:
    """Return how often a solver asks its subject for one answer at most; one of the user's own, each copy once."""
    given: dict[str, Any] = {"rounds": 0, SAMPLES: 1}
    if title in OURS:
        takes = inspect.signature(load(EntryPoint(title, f"mensura.subjects.solver.{OURS[title]}", GROUP))).parameters
        given |= {name: takes[name].default for name in given if name in takes}
    given |= {name: options[name] for name in given if isinstance(options.get(name), int)}
    return int(given[SAMPLES] * (1 + 2 * given["rounds"]))


@lru_cache(maxsize=4)
def asked_in(bank: Bank | None) -> frozenset[str]:
    """Return the prompts of all items of a bank, folded; nothing where there is no bank."""
    return frozenset(folded(prompt_text(item.prompt)) for item in bank or ())


def _count(options: Mapping[str, Any], takes: Mapping[str, inspect.Parameter]) -> int:
    """Return how many copies of the subject a solver asks."""
    if SAMPLES not in takes:
        return 1
    count = options.get(SAMPLES, takes[SAMPLES].default)
    if not isinstance(count, int) or isinstance(count, bool) or count < 1:
        raise BadParameter(f"`{SAMPLES}` is how often the subject is asked, at least 1; got {count!r}.")
    return count
