"""`mensura task-environments oracle`: the least time and energy of a task, or of one body from rest."""

from dataclasses import replace
from math import isfinite
from typing import Any

import click

from mensura.console import json_option, next_step, say, show
from mensura.errors import BadParameter

NEEDED = ("mass", "friction", "gravity", "power", "distance")


@click.command("oracle", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("task", required=False)
@click.option("--energy", type=float, default=None, help="Joules: say the least time, T, that they allow.")
@click.option("--time", type=float, default=None, help="Seconds: say the least energy, E, that they allow.")
@click.option("--points", type=click.IntRange(2), default=100, show_default=True, help="Points of the curve.")
@click.option("--seed", type=click.IntRange(0), default=None, help="Draw an instance of a family; else its middle.")
@click.option("--mass", type=float, default=None, help="Kilograms.")
@click.option("--friction", type=float, default=None, help="Coefficient of kinetic friction.")
@click.option("--gravity", type=float, default=None, help="Metres per second squared.")
@click.option("--power", type=float, default=None, help="Watts, the most that the motor gives.")
@click.option("--distance", type=float, default=None, help="Metres to the goal.")
@click.option("--slope", type=float, default=0.0, show_default=True, help="Radians, uphill positive.")
@click.option("--drag", type=float, default=0.0, show_default=True, help="k of the resistance k·v².")
@click.option("--stop", is_flag=True, help="Arrive at rest.")
@json_option
def oracle(
    task: str | None,
    energy: float | None,
    time: float | None,
    points: int,
    seed: int | None,
    as_json: bool,
    **body: Any,
) -> None:
    """Compute the least that a TASK, or one body from rest, takes: time, energy, and every best trade between them.

    \b
      mensura task-environments oracle car-race --energy 900 --json
      mensura task-environments oracle --mass 5 --friction 0.2 --gravity 10 --power 200 --distance 75 --stop
    """
    from mensura.catalog.task_environments.oracle.body import BodyProblem
    from mensura.catalog.task_environments.oracle.find import oracle_of
    from mensura.catalog.task_environments.oracle.solve import solve

    given = [name for name in NEEDED if body[name] is not None]
    if task is not None:
        if given or body["stop"] or body["slope"] or body["drag"]:
            raise BadParameter("Name a task, or give the numbers of one body, but not both.")
        found = oracle_of(instance_of(task, seed))
    else:
        if missing := [f"--{name}" for name in NEEDED if name not in given]:
            raise BadParameter(f"Name a task, or give the numbers of one body: {', '.join(missing)} missing.")
        found = solve(BodyProblem(**body))
    for name, number in (("--energy", energy), ("--time", time)):
        if number is not None and not isfinite(number):
            raise BadParameter(f"{name} is a finite number; got {number}.")
    data = found.data(points)
    if energy is not None:
        data["T"] = found.least_time(energy)
        if data["T"] == float("inf"):
            raise BadParameter(f"{energy:g} J are not enough: it takes at least {found.e_min:.6g} J.")
    if time is not None:
        data["E"] = found.least_energy(time)
        if data["E"] == float("inf"):
            raise BadParameter(f"{time:g} s are not enough: it takes at least {found.t_min:.6g} s.")
    show(data, _lines(data), as_json=as_json)
    if not as_json:
        next_step("mensura run task-environments --task car-race --as oracle")


def instance_of(name: str, seed: int | None = None) -> Any:
    """Return the task of a name or file; of a family the instance that a seed draws, else the middle one."""
    from mensura.catalog.task_environments.tasks.find import find_task
    from mensura.dialogue import Seed, generator

    task = find_task(name)
    if not task.ranges:
        return task
    if seed is not None:
        return replace(task.draw(generator(Seed.choose(seed).value)), name=task.name)
    say(f"{task.name} is a family: these are the figures of its middle instance (--seed draws one).")
    return task.fix(task.numbers([0.5] * len(task.ranges)))


def _lines(data: dict[str, Any]) -> list[str]:
    ends = isfinite(data["t_at_e_min"])
    slowest = f"in {data['t_at_e_min']:.6g} s" if ends else "which ever slower trips come near, and none attains"
    lines = [
        f"kind             {data['kind']}",
        f"least time       {data['t_min']:.6g} s, with {data['e_at_t_min']:.6g} J",
        f"least energy     {data['e_min']:.6g} J, {slowest}",
    ]
    if "sequence" in data:
        one = data["sequence"]
        lines.append(f"one after another {one['time']:.6g} s, with {one['energy']:.6g} J")
    if "T" in data:
        lines.append(f"T                {data['T']:.6g} s")
    if "E" in data:
        lines.append(f"E                {data['E']:.6g} J")
    return lines
