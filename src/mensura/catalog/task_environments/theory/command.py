"""`mensura task-environments compare` and `choose`."""

from pathlib import Path

import click

from mensura.console import json_option, next_step, show
from mensura.errors import BadFile
from mensura.json_file import loads

HELP = {"help_option_names": ["-h", "--help"]}


@click.command("compare", context_settings=HELP)
@click.argument("first")
@click.argument("second")
@click.option("--metric", default="manhattan", show_default=True, help="manhattan or euclid.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Chance of the simulations.")
@json_option
def compare(first: str, second: str, metric: str, seed: int, as_json: bool) -> None:
    """Compare two tasks: eleven properties, their distance, least time and energy, size.

    \b
      mensura task-environments compare car-race parking --metric manhattan --json
    """
    from mensura.catalog.task_environments.tasks.find import find_task
    from mensura.catalog.task_environments.theory.comparing import compare_tasks
    from mensura.catalog.task_environments.theory.properties import DEFINITIONS
    from mensura.catalog.task_environments.theory.task_class import DISTANCE

    found = compare_tasks(find_task(first), find_task(second), seed=seed, metric=metric)
    lines = [f"{'':24}{first:>16}{second:>16}"]
    lines += [f"{name:24}{found.properties[0][name]:16.4f}{found.properties[1][name]:16.4f}" for name in DEFINITIONS]
    lines += [f"{'distance (' + metric + ')':24}{found.distance:16.4f}"]
    for name, words in (("t_min", "least time, s"), ("e_min", "least energy, J"), ("kind", "found by")):
        lines.append(f"{words:24}" + "".join(f"{_cell(one[name]):>16}" for one in found.least))
    lines += [f"{name:24}{found.size[0][name]:16}{found.size[1][name]:16}" for name in found.size[0]]
    apart = (
        DISTANCE
        if metric == "manhattan"
        else DISTANCE.replace("the sum of", "the square root of the sum of squares of")
    )
    definitions = {**DEFINITIONS, "distance": apart}
    lines += ["", *(f"{name}: {said}." for name, said in definitions.items())]
    show({**found.data(), "metric": metric, "definitions": definitions}, lines, as_json=as_json)
    if not as_json:
        next_step(f"mensura task-environments oracle {first}")


@click.command("choose", context_settings=HELP)
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@json_option
def choose(file: Path, as_json: bool) -> None:
    """Pick the task nearest a subject's limit, from how often it tried and solved each task in FILE.

    \b
    FILE is a JSON list of {"task": "car-race", "tried": 10, "solved": 7}; a task not yet tried has 0 and 0.
    """

    from mensura.catalog.task_environments.tasks.find import find_task
    from mensura.catalog.task_environments.theory.comparing import choose as pick

    try:
        rows = [(str(row["task"]), int(row["tried"]), int(row["solved"])) for row in loads(file.read_text())]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadFile(f"{file} is not a JSON list of objects with task, tried and solved: {error}.") from None
    tasks = [find_task(name) for name, _, _ in rows]
    found = pick(tasks, solved=[row[2] for row in rows], tried=[row[1] for row in rows])
    name = rows[tasks.index(found.task)][0]
    chances = [{"task": row[0], "chance": chance} for row, chance in zip(rows, found.chances, strict=True)]
    lines = [f"{one['task']:40}{one['chance']:8.3f}" for one in chances] + [f"\n{name}"]
    show({"task": name, "chances": chances}, lines, as_json=as_json)
    if not as_json:
        next_step(f"mensura run task-environments --task {name}")


def _cell(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
