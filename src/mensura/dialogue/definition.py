"""Test: what can be taken. `@test` makes one from a generator function."""

import inspect
import re
from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, TypedDict, Unpack

import numpy as np

from mensura.dialogue.administered import Administrator
from mensura.dialogue.ask import SUBJECT
from mensura.dialogue.bank import Bank
from mensura.dialogue.canonical import short_hash
from mensura.dialogue.clock import Clock, Timing
from mensura.dialogue.parameters import Parameter, flag_of, read_parameters
from mensura.dialogue.score import Score
from mensura.dialogue.spaces.base import Space
from mensura.dialogue.streams import KEYED, Address, subject_generator
from mensura.errors import BadParameter, BrokenTest, MissingExtra, unknown
from mensura.extension import missing_extra

Dialogue = Generator[Any, Any, Any]
Roles = tuple[str, ...] | Callable[..., Iterable[str]]
DeclaredScores = Sequence[Score] | Callable[..., Iterable[Score]]
HANDED_IN = ("rng", "clock", "saved", "item")
"""The arguments that the session gives to the test's function; every other one is a parameter of the test."""


@dataclass(frozen=True)
class Sees:
    """The array that an agent sees: its shape, bounds and type, and how it is made from a prompt."""

    shape: tuple[int, ...]
    low: float
    high: float
    dtype: Any = np.float32
    view: Callable[[Any], Any] = field(default=lambda prompt: prompt.values)

    shaped: Callable[..., tuple[int, ...]] | None = None
    """The parameters of the test → the shape, where it depends on them."""

    def under(self, parameters: Mapping[str, Any]) -> "Sees":
        """Return the same with the shape that these parameters give it."""
        return self if self.shaped is None else replace(self, shape=self.shaped(**parameters))


@dataclass(frozen=True)
class Judged:
    """The artefacts of a session that a panel of raters judges, because no formula can.

    The panel's rating comes back as a later truth of the session, {"value": 0 to 1, "raters": n, "panel": name}.
    """

    artefact: Callable[[Any], str]
    """Record → the text that is rated; empty where there is none."""
    rubric: Mapping[str, Any] = field(default_factory=dict)
    """The rubric for raters, unless the panel's file has another."""
    mask: tuple[str, ...] = ()
    """Words that could tell raters the condition."""
    key: str = "panel"
    """The truth's key."""


@dataclass(frozen=True)
class TaskClass:
    """Properties of the tasks of a test whose parameters make many: sizes and distances for reports of courses."""

    properties: Callable[..., Mapping[str, float]]
    """Parameters → size, complexity and the like by name, the chief one first; numbers above 0."""
    distance: Callable[[Mapping[str, Any], Mapping[str, Any]], float]
    """The parameters of two tasks → how far they are apart, from 0, the same, up."""
    about: str
    """The meaning of these numbers, in sentences."""
    spent: tuple[str, ...] = ()
    """Scores that say what an item took of something, such as time: learning is counted in them beside sessions."""


@dataclass(frozen=True, eq=False)
class Test:
    """A test: an id with a version, a generator function, and what belongs to it."""

    __test__ = False

    id: str
    function: Callable[..., Dialogue]
    score: Callable[..., Any] | None = None
    scoring: str = "1"
    scored_by: Literal["record", "truths"] = "record"
    """"truths": its scoring needs no answers, so that sessions of which only scores are stored keep none."""
    scores: DeclaredScores = ()
    """The scores that its scoring gives: which way is good, bounds, who may see them (`mensura.dialogue.score`)."""
    pooled: Callable[..., Mapping[str, Any]] | None = None
    """Session → scores, and those of the games of control or None → the scores that only all sessions give together,
    as estimates by name; None for one that was not asked for. It reads what scoring kept as `record.POOLED`."""
    roles: Roles = (SUBJECT,)
    played: Mapping[str, str] = field(default_factory=dict)
    """Role → the reference subject that plays it unless someone else is cast: an assistant, a partner."""
    subjects: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    settings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    extra: str = ""
    """The extra of Mensura without whose packages it cannot be taken; "" where the default installation does."""
    refuse: Callable[..., None] | None = None
    """Raises a sentence where it cannot be taken with these parameters: before a run is begun, not in its sessions."""
    chance: Mapping[str, float] | Callable[..., Mapping[str, float]] = field(default_factory=dict)
    timing: Timing = field(default_factory=Timing)
    sees: Sees | None = None
    acts: Any = None
    """The space of what an agent does, or a function of its role and the parameters that returns it."""
    batch: Callable[..., Any] | None = None
    carry: Callable[..., Any] | None = None
    """The start of a person's next session: `saved` of a session, its record and truths → `saved` of the next."""
    judged: Judged | None = None
    tasks: TaskClass | None = None
    """Sizes and distances of the tasks that its parameters make; None where it does not say."""
    bank: Bank | None = None
    """Its items, each of which can be a separate dialogue: the function then takes `item`, None for all of them."""
    exhibits: Callable[..., Any] | None = None
    """The exhibits of a study: groups of sessions → tables and pictures (`mensura.exhibit.exhibit`)."""
    failing: Callable[..., Mapping[str, Sequence[int]] | None] | None = None
    """Record, truths → the numbers of asks at which the subject did what tells how it fails, by the way of failing
    (`mensura.running.adaptivity.failing`): retreated to safety, gathered information, took up another task ..."""
    shows_truth: str = ""
    """Why its prompts and messages may hold the truth of an ask, in a sentence; "" where they may not."""
    memory: int | None = None
    """How many earlier asks a model sees again unless its name says otherwise; None: all, 0: each ask stands alone."""
    questions: int | Callable[..., int | None] | None = None
    """How many questions each person is asked, for the counter on their pages; None: pages only number them."""
    consent: str = ""
    """The text that people must read before they agree to take part, in every study: that they may be deceived."""
    back: bool = False
    """Whether people may go back and change answers: nothing that it asks or tells depends on them."""
    administer: Administrator | None = None
    """Another program that administers its items where nothing here can; None: everyone takes it here."""

    def __post_init__(self) -> None:
        if not re.fullmatch(r"([a-z0-9_-]+/)?[A-Za-z0-9_:./-]+-v\d+", self.id):
            raise BrokenTest(f"A test's id is name-v1 or owner/name-v1 in lower case; got {self.id!r}.")
        if self.back and self.takes("clock"):
            raise BrokenTest(f"{self.id} has a clock, so nobody can go back in it: leave out back=True.")

    @property
    def name(self) -> str:
        """The id without its version."""
        return self.id.rsplit("-v", 1)[0]

    @property
    def version(self) -> int:
        """The number behind -v."""
        return int(self.id.rsplit("-v", 1)[1])

    @property
    def about(self) -> str:
        """The first line of the function's docstring."""
        return (inspect.getdoc(self.function) or "").split("\n", 1)[0]

    @property
    def missing(self) -> MissingExtra | None:
        """The error that says which extra has to be installed before it can be taken; None where nothing is missing."""
        return missing_extra(self.extra, what=f"Sessions of {self.name}")

    @cached_property
    def _arguments(self) -> Mapping[str, inspect.Parameter]:
        # A dict, not the signature's own mapping: tests are pickled.
        return dict(inspect.signature(self.function).parameters)

    @cached_property
    def parameters(self) -> dict[str, Parameter]:
        """The parameters a user can set, by name."""
        return read_parameters(self.function, leave_out=HANDED_IN)

    def takes(self, argument: str) -> bool:
        """Return whether the function takes `clock` or `saved`."""
        return argument in self._arguments

    def fill(self, given: Mapping[str, Any] | None = None, *, setting: str | None = None) -> dict[str, Any]:
        """Complete parameters: defaults, then a named setting, then what the user gave."""
        values = {name: parameter.default for name, parameter in self.parameters.items()}
        if setting is not None:
            if setting not in self.settings:
                see = f"{self.name} has {', '.join(self.settings) or 'none'}."
                raise unknown("setting", setting, known=self.settings, see=see)
            values.update(self.settings[setting])
        if given is not None and not isinstance(given, Mapping):
            raise BadParameter(f"Parameters are given by name, as in {{'flips': 3}}; got {given!r}.")
        for name, value in (given or {}).items():
            if name not in self.parameters:
                see = f"{self.name} has {', '.join(self.parameters) or 'none'}."
                raise unknown(f"parameter of {self.name}", name, known=self.parameters, see=see)
            values[name] = self.parameters[name].read(value)
        if missing := [name for name, value in values.items() if value is inspect.Parameter.empty]:
            raise BadParameter(f"{self.name} needs a value for {missing[0]}: {flag_of(missing[0])} VALUE")
        if self.refuse is not None:
            self.refuse(**values)
        return values

    def cast_roles(self, parameters: Mapping[str, Any]) -> tuple[str, ...]:
        """Return which roles take part under these parameters."""
        return tuple(self.roles(**parameters)) if callable(self.roles) else tuple(self.roles)

    def complete_cast(self, cast: Any, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Give every role its subject: one for all, or one per role; roles the test plays itself are filled in.

        Raises
        ------
        BadParameter
            If a role is left without a subject, or a subject is cast for a role that the test does not have.
        """
        roles = self.cast_roles(parameters)
        played = {role: who for role, who in self.played.items() if role in roles}
        if not isinstance(cast, Mapping):
            cast = {role: cast for role in roles if role not in played}
        complete = {**played, **cast}
        require_cast(complete, roles)
        return complete

    def chance_levels(self, parameters: Mapping[str, Any]) -> dict[str, float]:
        """Return what the chance subject scores under these parameters, for the scores where that is known."""
        return dict(self.chance(**parameters) if callable(self.chance) else self.chance)

    def acts_of(self, role: str, parameters: Mapping[str, Any]) -> Any:
        """Return the space of what a role does under these parameters."""
        return self.acts if isinstance(self.acts, Space) else self.acts(role, **parameters)

    def count_questions(self, parameters: Mapping[str, Any]) -> int | None:
        """Return how many questions each role is asked under these parameters; None where the test does not say."""
        return self.questions(**parameters) if callable(self.questions) else self.questions

    def declared_scores(self, parameters: Mapping[str, Any]) -> dict[str, Score]:
        """Return the scores that the test declares under these parameters, by name."""
        scores = self.scores(**parameters) if callable(self.scores) else self.scores
        return {score.name: score for score in scores}

    def begin(
        self,
        rng: np.random.Generator,
        clock: Clock,
        parameters: Mapping[str, Any],
        *,
        saved: Any = None,
        item: str = "",
    ) -> Dialogue:
        """Call the function with what it takes."""
        extra: dict[str, Any] = {"clock": clock} if self.takes("clock") else {}
        if item and self.bank is not None:
            extra["item"] = self.bank.find(item)
        if saved is not None:
            if not self.takes("saved"):
                raise BrokenTest(f"{self.id} yields Save but does not take `saved`; add saved=None to its arguments.")
            extra["saved"] = saved
        return self.function(rng, **extra, **parameters)

    def __call__(self, rng: np.random.Generator, **arguments: Any) -> Dialogue:
        """Begin the dialogue as the plain function would."""
        return self.function(rng, **arguments)


def require_cast(cast: Collection[str], roles: Collection[str]) -> None:
    """Raise a sentence where a role has no subject, or a subject a role that there is not."""
    for role in roles:
        if role not in cast:
            raise BadParameter(f"The role {role} has no subject: --as {role}=SUBJECT. Roles are {', '.join(roles)}.")
    known = frozenset(roles)
    for role in cast:
        if role not in known:
            raise BadParameter(f"There is no role {role}; roles are {', '.join(roles)}.")


@dataclass(frozen=True)
class Instance:
    """One administration, described: test, parameters, seed and which session of the run it is."""

    test: Test
    parameters: Mapping[str, Any]
    seed: int
    address: Address = field(default_factory=Address)
    streams: str = KEYED
    """How the generators of its subjects are derived."""
    knowing: frozenset[str] = frozenset()
    """The roles whose subject is declared to know the truth: their asks keep it."""

    @property
    def hash(self) -> str:
        """Return the hash of what is measured: test, version, parameters, scoring and items, not the seed."""
        return instance_hash(self.test, self.parameters)

    def chance_of(self, role: str) -> np.random.Generator:
        """Make the generator that the subject of a role is handed."""
        return subject_generator(self.seed, self.address, role, derivation=self.streams)

    @property
    def roles(self) -> tuple[str, ...]:
        """Return the roles that take part."""
        return self.test.cast_roles(self.parameters)


def instance_hash(definition: Test, parameters: Mapping[str, Any]) -> str:
    """Hash what is to be measured: test, parameters, scoring, and the items of its bank.

    What a session really administered is hashed by its content when it is scored.
    """
    described = {"test": definition.id, "parameters": dict(parameters), "scoring": definition.scoring}
    return short_hash(described if definition.bank is None else {**described, "items": definition.bank.hash})


class Declared(TypedDict, total=False):
    """The declarations of a test besides its id and its function: the fields of `Test`."""

    score: Callable[..., Any]
    scoring: str
    scored_by: Literal["record", "truths"]
    scores: DeclaredScores
    pooled: Callable[..., Mapping[str, Any]]
    roles: Roles
    played: Mapping[str, str]
    subjects: Mapping[str, Callable[..., Any]]
    settings: Mapping[str, Mapping[str, Any]]
    extra: str
    refuse: Callable[..., None]
    chance: Mapping[str, float] | Callable[..., Mapping[str, float]]
    timing: Timing
    sees: Sees
    acts: Any
    batch: Callable[..., Any] | None
    carry: Callable[..., Any]
    judged: Judged
    tasks: TaskClass
    bank: Bank
    exhibits: Callable[..., Any]
    failing: Callable[..., Mapping[str, Sequence[int]] | None]
    shows_truth: str
    memory: int
    questions: int | Callable[..., int | None]
    consent: str
    back: bool


def test(id: str, **declared: Unpack[Declared]) -> Callable[[Callable[..., Dialogue]], Test]:
    """Declare a generator function to be a test.

    Its keyword arguments are its parameters; each says beside itself what it is and which values it takes, as in
    `flips: Annotated[int, "How many coins are asked about."] = 20`.

    Parameters
    ----------
    id
        Name and version, `coin-v1`; a change that can move a score raises the version.
    score, scoring, scores
        (record, truths) → scores, its version, and a `Score` for each of them (or a function of the parameters):
        direction, bounds, unit, what an unanswered item counts.
    pooled
        (session → scores, the same of games of control or None) → the scores that only all sessions give together.
    scored_by
        "truths" where its scoring reads the truths alone: with `--trace none` a session then keeps no answers.
    roles, played
        Who takes part (a tuple, or a function of the parameters), and role → the reference subject that plays it
        unless someone else is cast.
    subjects, settings, chance
        Reference subjects by name; named parameters; what the chance subject scores (a dict, or a function of the
        parameters).
    extra
        The extra of Mensura that it needs, `arcade` for `pip install "mensura[arcade]"`: without it the test is
        listed with that command, and a run is refused before anything is stored.
    refuse
        A function of the parameters that raises a sentence where they cannot be taken, as where a file that one names
        cannot be read: before anything is stored.
    timing
        Which clock it needs.
    sees, acts, batch
        The arrays that make it a Gymnasium environment, and its form for thousands of episodes.
    carry, judged, bank
        What the next session of the same person begins with; what raters judge; its items.
    tasks
        Sizes of the tasks that its parameters make, and distances between them: reports of courses then say how fast
        a class of tasks is learned and how far what was learned reaches.
    exhibits
        Groups of sessions → the tables and pictures that any report, page or terminal shows of them.
    failing
        (record, truths) → way of failing → the numbers of the asks at which it was seen: what tells that a subject
        retreated to safety, gathered information or took up another task is known to the test alone.
    shows_truth
        Why prompts may hold the truth, as where a word is shown and asked for later.
    memory
        How many earlier asks a language model needs to see again; 0 where each ask says all that it needs.
    questions
        How many questions a person is asked (a number, or a function of the parameters): pages say "7 of 20".
    consent
        What people must read before they agree, below what their invitation says: that they may be deceived.
    back
        Whether people may go back and change their answers until the session ends; what is asked must not depend on
        them, and the last answer counts.

    Examples
    --------
    >>> from typing import Annotated
    >>> from mensura.dialogue import Ask, Probability
    >>> @test("even-v1")
    ... def even(rng, *, flips: Annotated[int, "How many coins are asked about."] = 3):
    ...     '''Give the probability of heads.'''
    ...     for _ in range(flips):
    ...         yield Ask("A fair coin.", Probability(), truth=int(rng.random() < 0.5))
    >>> even.name, even.version, even.fill({"flips": "5"})
    ('even', 1, {'flips': 5})
    """
    if not isinstance(id, str):
        raise BrokenTest(f'Give the test an id with a version, as in @test("coin-v1"); got {id!r}.')
    return lambda function: Test(id, function, **declared)


# pytest would otherwise collect the decorator wherever it is imported.
test.__test__ = False  # type: ignore[attr-defined]
