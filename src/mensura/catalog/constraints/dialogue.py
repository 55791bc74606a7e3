"""The test of constraints: agents agree on values by messages, and the test is their mailman."""

from collections.abc import Generator
from dataclasses import asdict
from typing import Annotated, Any

import numpy as np

from mensura.catalog.constraints.calls import SPACE
from mensura.catalog.constraints.exhibits import exhibits
from mensura.catalog.constraints.families.find import ProblemName, find_chain
from mensura.catalog.constraints.mail.ends import RunEnds
from mensura.catalog.constraints.mail.letter import Letter
from mensura.catalog.constraints.mail.mailman import Execution, Mailman, Reading, latencies_of
from mensura.catalog.constraints.mail.network import Channel, NetworkTerms
from mensura.catalog.constraints.mail.post import Post
from mensura.catalog.constraints.mail.share import AgentShare, shares_of
from mensura.catalog.constraints.oracle.find import truth_of
from mensura.catalog.constraints.order.find import AgentOrder, check_order, ranks_of
from mensura.catalog.constraints.order.tree import TreeChild, TreeRoot, tree_of
from mensura.catalog.constraints.playing import play_batch
from mensura.catalog.constraints.scoring import ORACLE, POST, score, scores
from mensura.catalog.constraints.settings import SETTINGS
from mensura.catalog.constraints.several import Several, agents_of, compiled
from mensura.catalog.constraints.streams import streams_of
from mensura.catalog.constraints.subjects import SUBJECTS
from mensura.dialogue import Ask, Clock, Outcome, Round, Timing, test

Asking = Generator[Ask | Round, Any, Any]


def roles(*, problem: str, several: Several, **others: Any) -> tuple[str, ...]:
    """Return the agents of a problem."""
    return agents_of(problem, several)


def refuse(**parameters: Any) -> None:
    """Refuse parameters with which nothing can be run."""
    check_order(parameters["order"], agents_of(parameters["problem"], parameters["several"]))
    RunEnds.read(parameters["stop"])
    latencies_of(parameters["latency"])
    NetworkTerms(*(parameters[name] for name in ("delay", "loss", "duplication", "reordering", "channel")))


@test(
    "constraints-v1",
    extra="constraints",
    scoring="2",
    score=score,
    scores=scores,
    roles=roles,
    refuse=refuse,
    subjects=SUBJECTS,
    settings=SETTINGS,
    batch=play_batch,
    exhibits=exhibits,
    scored_by="truths",
    timing=Timing(people="wall", programs="wall"),
)
def constraints(
    rng: np.random.Generator,
    clock: Clock,
    *,
    problem: ProblemName = "queens:n=4",
    several: Annotated[
        Several,
        "How an agent that holds several variables is treated: product (one variable of combined values), virtual "
        "(an agent for each variable) or as-is.",
    ] = "product",
    order: AgentOrder = "lex",
    root: TreeRoot = "max-degree",
    child: TreeChild = "max-visited",
    execution: Annotated[
        Execution,
        "Who reads when: sync (all in cycles), async (one agent at a time, drawn by chance) or real (each as fast "
        "as it is).",
    ] = "sync",
    reading: Annotated[
        Reading,
        "How agents read what has arrived: packet (all at once), each (all, one letter at a waking) or one (one "
        "letter a cycle).",
    ] = "packet",
    delay: Annotated[
        str,
        "How long messages take: none, fixed:D, uniform:A,B, exponential:MEAN or link:A,B (drawn once for each link).",
    ] = "none",
    loss: Annotated[float, "The chance that a message is lost, from 0 to less than 1."] = 0.0,
    duplication: Annotated[float, "The chance that a message arrives twice, from 0 to less than 1."] = 0.0,
    reordering: Annotated[float, "The chance that later messages overtake a message, from 0 to less than 1."] = 0.0,
    channel: Annotated[
        Channel,
        "What happens to lost messages: plain (they stay lost) or acknowledged (they are sent again until they "
        "arrive).",
    ] = "plain",
    latency: Annotated[
        str,
        "How many checks a message takes when concurrent checks are counted: whole numbers of 0 or more, separated "
        "by commas.",
    ] = "0",
    stop: Annotated[
        str,
        "The limits of a run, separated by commas: cycles=N, messages=N, checks=N or seconds=N; none: no limit.",
    ] = "cycles=10000",
    oracle: Annotated[
        float,
        "How many seconds of work the solver may spend on the true answer, above 0; 0: it is not asked.",
    ] = 10.0,
    privacy: Annotated[
        int,
        "Up to how many private tuples of an agent the privacy that letters give away is computed, 1 or more; 0: it is "
        "not computed.",
    ] = 0,
) -> Generator[Ask | Round, Any, Outcome]:
    """Agree on values by messages, each agent knowing only its own constraints."""
    drawn, ordered, carried = streams_of(rng)
    chain = find_chain(problem, drawn)
    terms = NetworkTerms(delay, loss, duplication, reordering, channel)
    reports: list[dict[str, Any]] = []
    truths: list[dict[str, Any] | None] = []
    cut_off = False
    while not chain.over and not cut_off:
        made = compiled(chain.problem, several)
        instance = made.problem
        mailman = Mailman(
            instance,
            rng=carried,
            execution=execution,
            reading=reading,
            terms=terms,
            ends=RunEnds.read(stop),
            latencies=latencies_of(latency),
        )
        tree, ranks = tree_of(instance, root=root, child=child), ranks_of(instance, order, ordered)
        carry = carry_as_it_comes if execution == "real" else carry_mail
        yield from carry(mailman, shares_of(instance, ranks, tree), clock)
        assignment = made.expand(mailman.standing.assignment())
        report = {**mailman.report(), "assignment": assignment, "notes": dict(instance.notes)}
        if privacy and execution == "sync" and terms.plain:
            # In other worlds the network would draw otherwise.
            report["world"] = {"problem": instance.data(), "order": sorted(ranks, key=ranks.__getitem__)}
        reports.append(report)
        truths.append(asdict(truth_of(chain.problem, seconds=oracle)) if oracle > 0 else None)
        cut_off = mailman.over == "lost" or mailman.why == "seconds"
        chain.advance(assignment if mailman.standing.stands else None)
    # What came of it and what is true are truths: nobody is told more than that it is over.
    first = next(iter(chain.problem.agents)) if several != "virtual" else next(iter(chain.problem.variables))
    yield Ask("The run is over.", key=POST, role=first, truth={"runs": reports, "chain": chain.report()})
    yield Ask("", key=ORACLE, role=first, truth={"runs": truths})
    return Outcome("The run is over.", truncated=mailman.over in ("limit", "lost"))


def carry_mail(mailman: Mailman, shares: dict[str, AgentShare], clock: Clock) -> Asking:
    """Hand every agent its share, then carry what they send until the run is over."""
    until = mailman.ends.seconds
    woken: list[tuple[str, list[Letter]]] = [(agent, []) for agent in mailman.agents]
    told = dict(shares)
    while woken:
        asks = [
            Ask(
                Post(told.pop(agent, None), letters, mailman.cycle, mailman.refusals.take(agent), shares[agent]),
                SPACE,
                "mail",
                agent,
                until=until,
            )
            for agent, letters in woken
        ]
        if len(asks) == 1:
            answer = yield asks[0]
            answers = {} if answer is None else {asks[0].role: answer}
        else:
            answers = yield Round(asks)
        if len(answers) < len(asks) and _lapsed(mailman, clock):
            return
        for ask in asks:
            mailman.take(ask.role, answers.get(ask.role))
        woken = mailman.wake()


def carry_as_it_comes(mailman: Mailman, shares: dict[str, AgentShare], clock: Clock) -> Asking:
    """Carry what is sent while others still read, each as fast as it is: what one answers goes out at once.

    What is asked of those who are busy stays asked, so that the order of answers is all that a replay needs.
    """
    until = mailman.ends.seconds
    asks = {
        agent: Ask(Post(share, [], 0, (), share), SPACE, "mail", agent, until=until) for agent, share in shares.items()
    }
    while asks:
        answers = yield Round(list(asks.values()), need="any", stays=True)
        if not answers and _lapsed(mailman, clock):
            return
        if not answers:
            # Someone failed, and nobody is asked any more.
            mailman.take(next(iter(asks)), None)
            return
        for agent, calls in answers.items():
            del asks[agent]
            mailman.take(agent, calls)
        for agent, letters in mailman.wake_free(asks):
            post = Post(None, letters, mailman.cycle, mailman.refusals.take(agent), shares[agent])
            asks[agent] = Ask(post, SPACE, "mail", agent, until=until)


def _lapsed(mailman: Mailman, clock: Clock) -> bool:
    """End the run where its seconds are over; a cycle that they cut short does not count."""
    until = mailman.ends.seconds
    if until is None or clock.now < until:
        return False
    mailman.lapse()
    return True
