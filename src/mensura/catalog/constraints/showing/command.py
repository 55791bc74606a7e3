"""`mensura constraints film`: a run as a GIF, an MP4 or a standalone page."""

from pathlib import Path
from typing import Any

import click

from mensura.console import next_step, say
from mensura.errors import BadParameter

FORMS = (".gif", ".mp4", ".html")


@click.command("film")
@click.argument("file", required=False)
@click.option("--problem", help="A family with its parameters, in place of FILE.")
@click.option(
    "--as", "who", multiple=True, required=True, help="An algorithm, or FILE.py:CLASS; on a page two are shown."
)
@click.option(
    "--output",
    "-o",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="Ends in .gif, .mp4 or .html.",
)
@click.option("--order", default="lex", show_default=True, help="The public order of agents.")
@click.option(
    "--execution", type=click.Choice(["sync", "async"]), default="sync", show_default=True, help="How agents are woken."
)
@click.option("--stop", default="cycles=300", show_default=True, help="Limits, as in `mensura run constraints`.")
@click.option(
    "--per-second", type=click.FloatRange(0.1, 60), default=8.0, show_default=True, help="Drawings in a second."
)
@click.option("--between", type=click.IntRange(1, 60), default=4, show_default=True, help="Drawings for each cycle.")
@click.option(
    "--seed", type=click.IntRange(0), default=1, show_default=True, help="That of the run: its first session is shown."
)
def film(
    file: str | None,
    problem: str | None,
    who: tuple[str, ...],
    output: Path,
    order: str,
    execution: str,
    stop: str,
    per_second: float,
    between: int,
    seed: int,
) -> None:
    """Show a run: agents, letters, values and violated constraints.

    \b
      mensura constraints film --problem queens:n=4 --as abt -o queens.gif
      mensura constraints film problem.json --as abt --as mine.py:Mine -o both.html
    """
    from mensura.catalog.constraints.hub.command import find_agent
    from mensura.catalog.constraints.showing.computing import compute
    from mensura.catalog.constraints.showing.film import drawings, write_page
    from mensura.exhibit.film import write_film

    if (file is None) == (problem is None):
        raise BadParameter("Give a FILE or a --problem.")
    if output.suffix not in FORMS:
        raise BadParameter(f"A run becomes a {', '.join(FORMS)} file; got {output.name}.")
    most = 2 if output.suffix == ".html" else 1
    if len(who) > most:
        raise BadParameter(f"A {output.suffix} file shows {most} of them; got {len(who)} --as.")
    text = file or problem or ""
    given: dict[str, Any] = {"problem": text, "order": order, "execution": execution, "stop": stop}
    own = {one: find_agent(one) for one in who if ".py:" in one}
    runs = [
        compute(one.rpartition(":")[2] if one in own else one, make=own.get(one), seed=seed, **given) for one in who
    ]
    for run in runs:
        say(f"{run.who}: {', '.join(dict.fromkeys(run.verdicts))}.")
    if output.suffix == ".html":
        write_page([run.data() for run in runs], output, title=f"{' and '.join(who)} on {Path(text).name}")
    else:
        count = write_film(drawings(runs[0].data(), between=between), output, per_second=per_second)
        say(f"{count} drawings, {count / per_second:.0f} seconds.")
    click.echo(str(output))
    next_step(f"mensura run constraints --as {who[0]} --problem {text!r} --seed {seed}")
