"""`mensura pagi-world film`: a served session as a GIF, an MP4 or a page that stands alone."""

from pathlib import Path

import click

from mensura.console import next_step, say
from mensura.errors import BadParameter

FORMS = (".gif", ".mp4", ".html")


@click.command("film")
@click.argument("record", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--output",
    "-o",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="Ends in .gif, .mp4 or .html.",
)
@click.option("--session", type=click.IntRange(0), help="Which of them; else the last.")
@click.option(
    "--per-second", type=click.FloatRange(1, 60), default=15.0, show_default=True, help="Drawings in a second."
)
def film(record: Path, output: Path, session: int | None, per_second: float) -> None:
    """Show a session of RECORD, which `serve --record` wrote: as a film, or as a page with a time bar.

    \b
      mensura pagi-world film session.jsonl -o session.html
      mensura pagi-world film session.jsonl -o session.gif
    """
    from mensura.catalog.pagi_world.showing.film import drawings, watch_page
    from mensura.catalog.pagi_world.showing.replaying import watch_file
    from mensura.exhibit.film import write_film

    if output.suffix not in FORMS:
        raise BadParameter(f"A session becomes a {', '.join(FORMS)} file; got {output.name}.")
    watch = watch_file(record, session)
    if output.suffix == ".html":
        found = watch.data()
        page = watch_page({"recording": found}, title=f"PAGI World: {found['room']}")
        output.write_text(page, encoding="utf-8")
    else:
        say(f"{write_film(drawings(watch, per_second=per_second), output, per_second=per_second)} drawings.")
    click.echo(str(output))
    next_step(f"mensura pagi-world replay {record}")
