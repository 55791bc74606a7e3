"""Models: the shapes of what goes in and comes out."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from mensura.web.lab.people.invitation import CONSENT, MOST_DAYS, MOST_PEOPLE, MOST_WORDS, THANKS
from mensura.web.lab.people.invitation import MOST_SESSIONS as MOST_EACH
from mensura.web.lab.runs.background import MOST_SESSIONS

# Names of ours have no spaces, quotes or control signs.
NAME = r"^[A-Za-z0-9_.:/-]+$"
ADDRESS = r"^[0-9]{1,12}\.[0-9]{1,12}\.[0-9]{1,12}(\.[0-9a-f]{1,64})?$"
Name = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=NAME)]
MaybeName = Annotated[str, StringConstraints(max_length=200, pattern=r"^[A-Za-z0-9_.:/-]*$")]
Label = Annotated[str, StringConstraints(max_length=100, pattern=r"^[ -~]*$")]
Words = Annotated[str, StringConstraints(max_length=MOST_WORDS)]
Moment = Annotated[float, Field(description="Seconds since 1970, UTC")]


class Strict(BaseModel):
    """Input: taken as it is or not at all, and an unknown name is a mistake."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Me(BaseModel):
    """Whose token or login this is."""

    name: str
    role: str
    may: list[str] = Field(description="What this role may do outside studies that have members")
    studies: dict[str, str] = Field(description="Study → what the account is there")


class ParameterOut(BaseModel):
    """A parameter of a test."""

    name: str
    about: str = Field(description="What it is and which values it takes")
    type: str
    choices: list[bool | int | float | str] = Field(description="The only values it takes; empty: any of its type")
    default: bool | int | float | str | None
    needed: bool


class TestOut(BaseModel):
    """A test that can be taken."""

    id: str
    about: str
    roles: list[str]
    parameters: list[ParameterOut]
    settings: dict[str, dict[str, Any]]
    subjects: list[str] = Field(description="Programs that can be started here")
    timed: bool
    needs: str = Field(description="The command that installs what the test needs and is missing here; empty: nothing")


class RunOut(BaseModel):
    """A run; a secret seed is never told."""

    id: str
    test: str
    cast: dict[str, str]
    people: bool
    condition: str
    parameters: dict[str, Any]
    seed: str | None
    seed_public: bool
    instance: str
    environment: str
    created: Moment
    study: str
    simulated: bool
    sessions: dict[str, int] = Field(description="Sessions by how they stand")
    not_begun: int = Field(description="How many of the open ones nobody has begun, such as those of unopened links")
    total: int
    done: int
    state: str


class RunIn(Strict):
    """A run of programs to be started."""

    test: Name
    subject: MaybeName = Field("chance", description="The program for every role that `cast` does not name")
    cast: dict[Name, Name] = Field(default_factory=dict, description="Role → program", max_length=50)
    sessions: int = Field(20, ge=1, le=MOST_SESSIONS)
    parameters: dict[Name, Any] = Field(default_factory=dict, max_length=100)
    setting: MaybeName = ""
    seed: int | None = Field(None, ge=0, lt=2**128, description="Public once given; without it a secret one is drawn")
    same_items_as: MaybeName = ""


class SessionOut(BaseModel):
    """A session of a run."""

    id: str
    address: str
    status: str
    cast: dict[str, str]
    created: Moment
    ended: Moment | None
    answers: int
    invalid: int
    last: Moment | None
    last_words: str
    excluded: str | None = Field(description="The reason why it does not count; null where it does")


class EventOut(BaseModel):
    """One event of a session. The truth of an ask is told only when the session is over."""

    number: int
    kind: str
    role: str
    key: str
    tick: int
    until: int | None
    time: Moment | None
    seconds: float | None
    value: Any
    reward: float | None
    notes: dict[str, Any]
    prompt: Any
    space: Any
    truth: Any


class EstimateOut(BaseModel):
    """A number with what is known of its error; unknown numbers are null."""

    value: float | None
    low: float | None
    high: float | None
    n: int
    method: str
    population: str = Field(description="What the interval generalises to, such as items or sessions")
    note: str = Field(description="What must be said beside it, in plain sentences")


class DeclaredOut(BaseModel):
    """The declaration of a score."""

    name: str
    label: str = Field(description="What people read in tables")
    better: Literal["more", "less"] | None = Field(description="Which way is good; null where neither is")
    best: float | None = Field(description="The best value, where both more and less are worse")
    low: float | None = Field(description="The least value that the score can take; null: no bound")
    high: float | None = Field(description="The largest value that the score can take; null: no bound")
    unit: str
    direction: str = Field(description="Which way is good, in words")


class LostOut(BaseModel):
    """A score with all that we lost at its worst and at its best."""

    worst: float
    best: float


Outcomes = Annotated[
    dict[str, int],
    Field(
        description="What became of everything that was asked: answered, refused, abstained, invalid, timed_out, "
        "crashed (the subject's doing), lost (ours or the network's), unresolved (no truth yet)"
    ),
]


class ScoreOut(DeclaredOut):
    """One score of a run."""

    estimate: EstimateOut = Field(description="Over what was asked less what we lost")
    answered: EstimateOut = Field(description="Over what was answered only")
    population: str
    generalises: str = Field(description="What the estimate generalises to, as a sentence")
    outcomes: Outcomes
    with_lost: LostOut | None = Field(description="null where nothing was lost, or the score has no bounds")
    with_excluded: EstimateOut | None = Field(description="Over all sessions; null where none was excluded")
    chance: float | None


class ResultsOut(BaseModel):
    """The results of a run."""

    run: str
    scored: int = Field(description="Sessions that count and are scored")
    excluded: int = Field(description="Sessions excluded by decision")
    excluded_words: str = Field(description="How many sessions count and why others do not; empty where all do")
    instance: str = Field(description="Hash of what was administered")
    scores: list[ScoreOut]


class ComparedOut(DeclaredOut):
    """One score of two runs."""

    first: EstimateOut
    second: EstimateOut
    outcomes: list[Outcomes] = Field(description="Of the first run and of the second")
    difference: EstimateOut = Field(description="First minus second")
    population: str
    generalises: str = Field(description="What the comparison generalises to, as a sentence")
    paired: bool = Field(description="Whether both met the same items, sessions or courses")
    p: float | None = Field(description="The smallest error rate at which the interval leaves out 0")
    p_permutation: float | None
    adjusted_p: float | None
    claim: bool = Field(description="Whether the interval of the difference leaves out 0")
    real: bool = Field(description="Whether it still does when all comparisons are allowed for")
    sentence: str
    with_excluded: str = Field(description="The same with the excluded sessions; empty where none was")


class ComparisonOut(BaseModel):
    """Two runs side by side."""

    first: str
    second: str
    paired: bool
    answer: str = Field(description="Whether the difference is real, in words")
    warnings: list[str]
    family: str
    scores: list[ComparedOut]


class DecisionIn(Strict):
    """A decision about sessions of a run."""

    sessions: list[Annotated[str, StringConstraints(pattern=ADDRESS)]] = Field(
        min_length=1, max_length=1000, description="Addresses, such as 0.0.3; of one item of a bank, 0.0.3.5d1f"
    )
    reason: Annotated[str, StringConstraints(min_length=1, max_length=2000, pattern=r"[!-~]")]
    rule: str = Field("", max_length=200, description="The rule of the registered plan; empty: decided after the data")
    decision: Literal["exclude", "include"] = "exclude"


class DecisionOut(BaseModel):
    """One line of the ledger of exclusions."""

    session: str
    excluded: bool
    reason: str
    planned: bool
    who: str
    time: Moment


class WaitingIn(Strict):
    """How people wait for others: after `minutes` they may leave, with pay and a code."""

    minutes: float | None = Field(None, gt=0, le=1440, description="null: until the others come")
    pay: float = Field(0.0, ge=0, le=1e6)
    code: Label = ""
    match: Literal["links", "arrival"] = "links"


class InvitationIn(Strict):
    """A batch of people to be invited."""

    test: Name
    count: int = Field(1, ge=1, le=MOST_PEOPLE)
    parameters: dict[Name, Any] = Field(default_factory=dict, max_length=100)
    setting: MaybeName = ""
    cast: dict[Name, Name] = Field(default_factory=dict, max_length=50, description="Role → human, or a program")
    same_items_as: MaybeName = ""
    condition: Label = ""
    label: Label = ""
    days: float | None = Field(14.0, gt=0, le=MOST_DAYS, description="null: the links stay open")
    sessions: int = Field(1, ge=1, le=MOST_EACH)
    consent: Annotated[str, StringConstraints(min_length=1, max_length=MOST_WORDS, pattern=r"[!-~]")] = CONSENT
    briefing: Words = ""
    practice: bool = False
    survey: MaybeName = ""
    thanks: Words = THANKS
    telemetry: bool | Literal["focus"] = Field(False, description="focus: when people look away, and no keystrokes")
    show_scores: bool = False
    language: MaybeName = Field("", description="Of the participants' pages; empty: what each browser asks for")
    replacement: MaybeName = ""
    waiting: WaitingIn = Field(default_factory=lambda: WaitingIn.model_validate({}))


class LinkOut(BaseModel):
    """A link for one person. It is told here and never again."""

    number: int
    label: str
    role: str
    url: str


class BatchOut(BaseModel):
    """The links and sessions that were made for a batch of people."""

    run: str
    links: list[LinkOut]


class InvitationOut(BaseModel):
    """Where one participant is. Who they are is not told here."""

    number: int
    label: str
    condition: str
    run: str
    study: str
    status: str
    step: int
    steps: int
    at: str
    answers: int
    invalid: int
    created: Moment
    created_by: str
    expires: Moment | None
    entered: Moment | None
    finished: Moment | None
    last: Moment | None


class AuditOut(BaseModel):
    """One line of the audit trail."""

    number: int
    time: Moment
    who: str
    did: str
    what: str
    details: dict[str, Any]
