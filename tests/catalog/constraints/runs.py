"""Runs of algorithms in memory, for tests of constraints."""

import numpy as np

from mensura.catalog.constraints.dialogue import constraints
from mensura.catalog.constraints.families.find import find_problem
from mensura.catalog.constraints.mail.mailman import Mailman
from mensura.catalog.constraints.mail.post import Post
from mensura.catalog.constraints.mail.share import shares_of
from mensura.catalog.constraints.order.find import ranks_of
from mensura.catalog.constraints.order.tree import tree_of
from mensura.catalog.constraints.problem.problem import Problem
from mensura.catalog.constraints.subjects import SUBJECTS
from mensura.dialogue import Ask
from mensura.running.take import take


def run(who, problem, seed=1, **parameters):
    """Let an algorithm, by name, solve a problem; returns the instance as --json gives it."""
    subject = SUBJECTS[who]() if isinstance(who, str) else who
    taken = take(constraints, subject, seed=seed, parameters={"problem": problem, **parameters}, trace="none")
    taken.record.status = taken.session.status
    return constraints.score(taken.record, taken.truths).details["instances"][0]


def carry(problem, make, *, seed=1, order="lex", **terms):
    """Let agents agree without a session; returns the mailman, and the agents by name."""
    problem = find_problem(problem, np.random.default_rng(seed)) if isinstance(problem, str) else problem
    mailman = Mailman(problem, rng=np.random.default_rng([seed, 1]), **terms)
    ranks = ranks_of(problem, order, np.random.default_rng(seed))
    agents = {}
    for place, (name, share) in enumerate(shares_of(problem, ranks, tree_of(problem)).items()):
        agent = agents[name] = make() if callable(make) else make[name]()
        agent.begin(np.random.default_rng([seed, 2, place]), name)
        mailman.take(name, agent(Ask(Post(share, (), 0), role=name)))
    if terms.get("execution") == "real":
        carry_as_it_comes(mailman, agents, np.random.default_rng([seed, 3]))
        return mailman, agents
    while woken := mailman.wake():
        calls = [(name, agents[name](Ask(Post(None, letters, mailman.cycle), role=name))) for name, letters in woken]
        for name, made in calls:
            mailman.take(name, made)
    return mailman, agents


def carry_as_it_comes(mailman, agents, rng):
    """Let those who read answer one by one, in an order drawn by chance."""
    busy = dict(mailman.wake_free({}))
    while busy:
        name = list(busy)[int(rng.integers(len(busy)))]
        letters = busy.pop(name)
        mailman.take(name, agents[name](Ask(Post(None, letters, mailman.cycle), role=name)))
        busy.update(mailman.wake_free(busy))


def problem_of(tables, *, size):
    """Make a problem of variables x0 … with domains of one size from (i, j) → allowed table."""
    from mensura.catalog.constraints.problem.constraint import Constraint

    count = 1 + max(max(pair) for pair in tables)
    names = [f"x{i}" for i in range(count)]
    constraints = tuple(Constraint((names[i], names[j]), np.asarray(table)) for (i, j), table in tables.items())
    domains = {"d": tuple(range(size))}
    return Problem("", "satisfy", domains, dict.fromkeys(names, "d"), {name: (name,) for name in names}, constraints)
