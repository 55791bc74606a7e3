"""`mensura constraints`: make problems, look at them, and ask the oracle what is true of them."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mensura.catalog.constraints.hub.command import agent, hub
from mensura.catalog.constraints.showing.command import film
from mensura.console import json_option, next_step, print_json, say, show

if TYPE_CHECKING:
    from mensura.catalog.constraints.problem.problem import Problem

HELP = {"help_option_names": ["-h", "--help"]}
seed_option: Callable[[Any], Any] = click.option(
    "--seed",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    help="Draws the problem: that of the first session of `mensura run` with it.",
)


@click.group("constraints", context_settings=HELP)
def command() -> None:
    """Make problems of distributed constraints, look at them, and find out what is true of them.

    \b
      mensura constraints generate queens.json --problem queens:n=8   write a problem to a file
      mensura constraints show queens.json                            what it is made of
      mensura constraints solve queens.json                           whether it can be solved, and how well
      mensura constraints film queens.json --as abt -o queens.gif     watch agents agree: .gif, .mp4 or .html
      mensura constraints hub --problem queens.json                   wait for agents elsewhere, and carry their mail
      mensura constraints agent --join HOST:PORT --as awcs            be one of them

    FILE ends in .json (ours), .yaml (pyDCOP), .xml (FRODO's XCSP 2.1 or DisChoco's XDisCSP) or .col (DIMACS). A family
    with its parameters may stand in place of a file: "scale-free:n=100,m=10,t=0.25,md=4".
    """


command.add_command(hub)
command.add_command(agent)
command.add_command(film)


@command.command("generate")
@click.argument("file")
@click.option("--problem", "text", help="A family with its parameters; without it FILE is one, and is printed.")
@click.option(
    "--format", "form", type=click.Choice(["json", "yaml", "frodo", "dischoco", "col"]), help="Else by ending."
)
@click.option(
    "--count", type=click.IntRange(1), default=1, show_default=True, help="Files to write: FILE-0, FILE-1 ..."
)
@seed_option
@json_option
def generate(file: str, text: str | None, form: str | None, count: int, seed: int, as_json: bool) -> None:
    """Draw problems of a family and write them to FILE.

    They are those that the sessions of `mensura run constraints` meet under the same --problem and --seed, in order.
    """
    from mensura.catalog.constraints.formats.find import save, text_of

    if text is None:
        click.echo(text_of(_problem(file, seed), form or "json"), nl=False)
        return
    path = Path(file)
    paths = [path] if count == 1 else [path.with_stem(f"{path.stem}-{i}") for i in range(count)]
    made = [_problem(text, seed, i) for i in range(count)]
    for problem, one in zip(made, paths, strict=True):
        save(problem, one, form=form)
    found = [{"file": str(one), **_about(problem)} for problem, one in zip(made, paths, strict=True)]
    show({"problems": found}, [str(one) for one in paths], as_json=as_json)
    next_step(f"mensura constraints solve {paths[0]}")


@command.command("show")
@click.argument("file")
@click.option("--data", is_flag=True, help="Print the problem itself, as JSON.")
@seed_option
@json_option
def show_(file: str, data: bool, seed: int, as_json: bool) -> None:
    """Print what a problem is made of."""
    problem = _problem(file, seed)
    if data:
        print_json(problem.data())
        return
    found = _about(problem)
    lines = [f"{key.replace('_', ' ')}: {value}" for key, value in found.items() if key != "notes"]
    notes = [f"  {key}: {value}" for key, value in problem.notes.items()]
    show(found, [*lines, *(["notes:", *notes] if notes else [])], as_json=as_json)
    next_step(f"mensura constraints solve {file!r}")


@command.command("solve")
@click.argument("file")
@click.option(
    "--seconds", type=click.FloatRange(0), default=10.0, show_default=True, help="Work of CP-SAT on a large problem."
)
@seed_option
@json_option
def solve(file: str, seconds: float, seed: int, as_json: bool) -> None:
    """Find out whether a problem can be solved, in how many ways, and at which cost: by other means than agents."""
    from mensura.catalog.constraints.oracle.find import truth_of

    problem = _problem(file, seed)
    truth = truth_of(problem, seconds=seconds)
    found = {
        "truth": truth.flag,
        "solutions": truth.solutions,
        "optimum": truth.optimum,
        "assignment": truth.assignment,
        "by": truth.by,
    }
    lines = [f"{key}: {value}" for key, value in found.items() if key != "assignment" and value is not None]
    lines += [f"  {name} = {value}" for name, value in (truth.assignment or {}).items()]
    show(found, lines, as_json=as_json)
    if truth.why:
        say(truth.why)
    who = "abt" if problem.objective == "satisfy" else "dpop"
    next_step(f"mensura run constraints --as {who} --problem {file!r} --seed {seed}")


def _problem(text: str, seed: int, number: int = 0) -> "Problem":
    from mensura.catalog.constraints.families.find import find_problem
    from mensura.catalog.constraints.streams import streams_of
    from mensura.dialogue import Address, generator

    return find_problem(text, streams_of(generator(seed, Address(session=number)))[0])


def _about(problem: "Problem") -> dict[str, Any]:
    """Return what a problem is made of."""
    from mensura.catalog.constraints.order.tree import tree_of

    tree = tree_of(problem)
    sizes = [len(values) for values in problem.values.values()]
    return {
        "name": problem.name,
        "objective": problem.objective,
        "agents": len(problem.agents),
        "variables": len(problem.variables),
        "values": f"{min(sizes)} to {max(sizes)}" if min(sizes) < max(sizes) else str(sizes[0]),
        "constraints": len(problem.constraints),
        "arity": max((len(one.scope) for one in problem.constraints), default=0),
        "links": problem.links,
        "links_per_variable": len([one for one in problem.constraints if len(one.scope) > 1]) / len(sizes),
        "most_neighbours": max(map(len, problem.graph.values())),
        "components": problem.components,
        "depth": max(tree.depth.values()) + 1,
        "width": tree.width,
        "notes": dict(problem.notes),
    }
