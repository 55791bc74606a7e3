"""`mensura task-environments`: list tasks, print their schema, step one."""

from typing import Any

import click

from mensura.catalog.task_environments.oracle.command import oracle
from mensura.catalog.task_environments.theory.command import choose, compare
from mensura.console import json_option, next_step, print_json, say, show
from mensura.stats.adaptivity.command import command as adaptivity

HELP = {"help_option_names": ["-h", "--help"]}


@click.group("task-environments", context_settings=HELP)
def command() -> None:
    """Look at tasks: which there are, what they are made of, and how they move.

    \b
      mensura task-environments list                        the tasks that come with it
      mensura task-environments schema                      the JSON Schema of a task
      mensura task-environments step car-race --power 150   where a motor takes a body
      mensura task-environments oracle car-race             the least time and energy, and every trade between them
      mensura task-environments compare car-race parking    how far two tasks are apart
      mensura task-environments transfer FILE.json          what courses gained, lost and took (`mensura adaptivity`)
    """


for _verb in (oracle, compare, choose):
    command.add_command(_verb)
command.add_command(adaptivity, "transfer")


@command.command("list")
@json_option
def list_(as_json: bool) -> None:
    """List the tasks that come with it, with their ids."""
    from mensura.catalog.task_environments.tasks.find import find_task, list_tasks

    tasks = {name: find_task(name) for name in list_tasks()}
    found = [{"name": name, "id": task.id, "about": task.about, "roles": task.roles} for name, task in tasks.items()]
    show({"tasks": found}, [f"{one['name']:<24}{one['about']}" for one in found], as_json=as_json)
    next_step("mensura run task-environments --task car-race --as full-throttle --episodes 100")


@command.command("schema")
@click.argument("task", required=False)
def schema(task: str | None) -> None:
    """Print the JSON Schema of a task; with TASK, that task as JSON, to begin one of your own."""
    from mensura.catalog.task_environments.task.task import Task
    from mensura.catalog.task_environments.tasks.find import find_task

    print_json(Task.schema() if task is None else find_task(task).data())


@command.command("step")
@click.argument("task")
@click.option("--physics", type=click.Choice(["exact", "paper", "original"]), default="exact", show_default=True)
@click.option("--power", "powers", type=float, multiple=True, help="Watts, once for each motor; else 0.")
@click.option("--steps", type=click.IntRange(0), default=250, show_default=True, help="Steps of a millisecond.")
@click.option("--start", "starts", type=float, multiple=True, help="Where bodies start, in order; else as drawn.")
@click.option("--velocity", "velocities", type=float, multiple=True, help="How fast bodies start, in order.")
@click.option("--slope", "slopes", type=float, multiple=True, help="Slopes of bodies in radians, in order.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Chooses the instance of a family.")
@click.option("--on", "go_on", is_flag=True, help="Go on when the goals are met or the limits reached.")
@json_option
def step(
    task: str,
    physics: Any,
    powers: tuple[float, ...],
    steps: int,
    starts: tuple[float, ...],
    velocities: tuple[float, ...],
    slopes: tuple[float, ...],
    seed: int,
    go_on: bool,
    as_json: bool,
) -> None:
    """Step TASK with its motors at constant power, and print where its bodies are.

    Goals and limits end it, with --on they do not. TASK is a name or a JSON file.
    """
    from mensura.catalog.task_environments.physics.stepping import Starts, step_task
    from mensura.catalog.task_environments.tasks.find import find_task

    given = Starts(starts, velocities, slopes)
    world = step_task(find_task(task), physics=physics, powers=powers, steps=steps, given=given, seed=seed, on=go_on)
    state, names = world.state, [body.name for body in world.task.bodies]
    one = len(names) == 1
    found = {
        "task": world.task.id,
        "physics": physics,
        "x": state.value[0] if one else dict(zip(names, state.value, strict=True)),
        "v": state.velocity[0] if one else dict(zip(names, state.velocity, strict=True)),
        "t": state.time,
        "energy": state.energy,
        "created": state.created,
        "solved": world.solved,
    }
    lines = [f"{n}: x {x:.10f}, v {v:.10f}" for n, x, v in zip(names, state.value, state.velocity, strict=True)]
    show(found, [*lines, f"t {state.time:.3f} s, energy {state.energy:.6g} J"], as_json=as_json)
    for (_, name, _, high), power in zip(world.batch.limits, powers, strict=False):
        if power > high:
            # Elsewhere it is refused; the program of 2016 goes on.
            say(f"{name} gives {high:g} W at most: the rest of {power:g} W was wasted, as the original program has it.")
    if physics != "exact":
        say(f"These steps made {state.created:.4g} J out of nothing; `exact` makes none.")
    next_step(f"mensura run task-environments --task {task} --as full-throttle --episodes 100")
