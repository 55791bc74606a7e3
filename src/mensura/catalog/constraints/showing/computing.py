"""Computing: a run in memory, the same that `mensura run constraints` would take with its seed, as frames."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import inf
from time import monotonic
from typing import Any

from mensura.catalog.constraints.agent import Agent
from mensura.catalog.constraints.dialogue import constraints
from mensura.catalog.constraints.families.chain import Chain
from mensura.catalog.constraints.families.find import find_chain
from mensura.catalog.constraints.mail.ends import RunEnds
from mensura.catalog.constraints.mail.post import Post
from mensura.catalog.constraints.oracle.brute_force import try_all
from mensura.catalog.constraints.problem.problem import Problem
from mensura.catalog.constraints.relation import Relation
from mensura.catalog.constraints.scoring import POST, verdict_of
from mensura.catalog.constraints.several import compiled
from mensura.catalog.constraints.showing.picture import picture_of
from mensura.catalog.constraints.showing.watching import RunWatch
from mensura.catalog.constraints.streams import streams_of
from mensura.dialogue import Address, Ask, Clock, Instance, Round, generator
from mensura.errors import BadParameter, MensuraError
from mensura.subjects import SubjectSpec

MOST_AGENTS = 2000
MOST_MESSAGES = 100_000
TOLD = 60
"""Agents up to which what they know is kept with every waking, as long as there is room."""
MOST_WRITTEN = 400
FEW = 100_000
"""Partial assignments that are tried at once while someone waits for the page."""
ROOM = 3_000_000
"""Characters of it, over a whole run."""
BESIDE = frozenset(vars(Agent)) | {"possible", "neighbours", "relations", "rng", "turn"} | set(Agent.__annotations__)
"""What every agent has; the rest is what its algorithm knows."""


@dataclass
class Computed:
    """A run as it goes on: one watch for each problem of its chain."""

    who: str
    parameters: Mapping[str, Any]
    seed: int
    agents: Mapping[str, Any]
    acts: list[RunWatch] = field(default_factory=list)
    room: int = ROOM
    verdicts: list[str] = field(default_factory=list)

    def data(self) -> dict[str, Any]:
        """Return it as JSON."""
        acts = [act.data() | {"verdict": verdict} for act, verdict in zip(self.acts, self.verdicts, strict=True)]
        given = {name: self.parameters[name] for name in ("problem", "execution", "reading", "order")}
        return {"name": self.who, "seed": self.seed, **given, "acts": acts}

    def known(self, role: str) -> dict[str, str]:
        """Return what an agent knows now beside its share: whatever its algorithm keeps under a public name."""
        kept = vars(self.agents[role]).items()
        return {name: _written(value) for name, value in kept if name[0] != "_" and name not in BESIDE}


def compute(
    who: str,
    *,
    make: Callable[[], Any] | None = None,
    seed: int = 1,
    upto: tuple[int, int] | None = None,
    **parameters: Any,
) -> Computed:
    """Let an algorithm solve a problem and keep all that happens.

    A run that would become too large to be watched ends at a limit of messages; seconds are those of computing.

    Parameters
    ----------
    who
        An algorithm as `--as` names it, "abt-temp#k=3".
    make
        What makes its agents, where it is none of ours; `who` is then what it is called.
    seed
        That of the run; what is shown is its first session.
    upto
        Stop within which problem of a chain, and after how many wakings there.
    parameters
        Parameters of the test; the oracle is not asked.
    """
    filled = constraints.fill({**parameters, "oracle": 0.0})
    if make is None:
        make = _maker(who)
        SubjectSpec(who).refuse(constraints, filled)
    if filled["execution"] == "real":
        raise BadParameter("What takes real time cannot be computed beforehand: choose sync or async.")
    instance = Instance(constraints, filled, seed, Address())
    if len(instance.roles) > MOST_AGENTS:
        raise BadParameter(f"At most {MOST_AGENTS} agents can be watched; this problem has {len(instance.roles)}.")
    filled["stop"] = _bounded(filled["stop"])
    run = Computed(who, filled, seed, {role: make() for role in instance.roles})
    for role, agent in run.agents.items():
        agent.begin(instance.chance_of(role), role)
    _drive(run, upto)
    return run


def _maker(who: str) -> Callable[[], Any]:
    spec = SubjectSpec(who)
    naming, plain = spec.naming(constraints).read(who)
    if naming.sort_of(plain) != "reference":
        raise BadParameter(f"An algorithm of this test can be watched so, such as abt or awcs; got {who!r}.")
    return lambda: spec.make(constraints)


def _bounded(stop: str) -> str:
    ends = RunEnds.read(stop)
    if ends.messages is not None and ends.messages <= MOST_MESSAGES:
        return stop
    parts = [f"{name}={most}" for name in ("cycles", "checks", "seconds") if (most := getattr(ends, name)) is not None]
    return ",".join([*parts, f"messages={MOST_MESSAGES}"])


def _drive(run: Computed, upto: tuple[int, int] | None) -> None:
    # The problem is the first thing that the test draws; it is drawn here once more for its picture.
    drawn, _, _ = streams_of(generator(run.seed, Address()))
    chain = find_chain(run.parameters["problem"], drawn)
    clock, began = Clock(), monotonic()
    # What an agent had known at a waking is known at it again, however slow this machine is now.
    until = None if upto is not None else RunEnds.read(run.parameters["stop"]).seconds
    dialogue: Any = constraints(generator(run.seed, Address()), clock=clock, **run.parameters)
    answer: Any = None
    while True:
        try:
            asked = dialogue.send(answer)
        except StopIteration:
            return
        asks: Any = asked.asks if isinstance(asked, Round) else [asked]
        if asks[0].space is None:
            if asks[0].key == POST:
                for act, report in zip(run.acts, asks[0].truth["runs"], strict=True):
                    act.report = report
                    run.verdicts.append(verdict_of(report, _tried(act.problem)))
            answer = None
            continue
        if asks[0].prompt.share is not None:
            _begin_act(run, chain)
        if until is not None and monotonic() - began >= until:
            clock.now = until
            answer = {} if isinstance(asked, Round) else None
            continue
        answers = {ask.role: ask.space.check(_asked(run, ask)) for ask in asks}
        for ask in asks:
            _note(run, ask, answers[ask.role])
            if upto is not None and (len(run.acts) - 1, len(run.acts[-1].wakings)) >= upto:
                return
        answer = answers if isinstance(asked, Round) else answers[asked.role]


def _tried(problem: Problem) -> dict[str, Any] | None:
    """Return what is true of a small problem with costs, so that whether an end is the best can be said."""
    found = try_all(problem, most=FEW) if problem.objective != "satisfy" else None
    return None if found is None else {"solvable": found.solutions > 0, "optimum": found.optimum}


def _begin_act(run: Computed, chain: Chain) -> None:
    if run.acts:
        last = run.acts[-1]
        whole = len(last.values) == len(last.problem.variables)
        chain.advance(last.values if whole and not last.violated else None)
    problem = compiled(chain.problem, run.parameters["several"]).problem
    run.acts.append(RunWatch(problem, picture_of(problem, chain=chain)))


def _asked(run: Computed, ask: Ask) -> Any:
    try:
        return run.agents[ask.role](ask)
    except Exception as error:
        # What an algorithm cannot do (costs where it wants none, say) is told to who chose it.
        words = f"{run.who} could not continue with {run.parameters['problem']}: {error or type(error).__name__}"
        raise error if isinstance(error, MensuraError) else BadParameter(words) from error


def _note(run: Computed, ask: Ask, calls: Any) -> None:
    post: Post = ask.prompt  # type: ignore[assignment]
    act = run.acts[-1]
    frame = act.wake(ask.role, post.cycle, post.letters, calls)
    if run.room > 0 and len(run.agents) <= TOLD:
        known = run.known(ask.role)
        frame.append({name: act.texts(text) for name, text in known.items()})
        run.room -= sum(8 + len(text) for text in known.values())


def _written(value: Any) -> str:
    """Write what an agent knows, as short as it can be read."""
    if isinstance(value, Mapping):
        text = ", ".join(f"{_written(key)}: {_written(one)}" for key, one in value.items()) or "nothing"
    elif isinstance(value, (list, tuple, set, frozenset)):
        text = ", ".join(map(_written, value)) or "nothing"
        text = f"({text})" if isinstance(value, tuple) and value else text
    elif isinstance(value, Relation):
        text = "–".join(value.scope)
    elif isinstance(value, float):
        text = "ever" if value == inf else f"{value:g}"
    else:
        # A bare object stands for what is not known.
        text = "–" if value is None or type(value) is object else str(value)
    return text if len(text) <= MOST_WRITTEN else f"{text[:MOST_WRITTEN]} …"
