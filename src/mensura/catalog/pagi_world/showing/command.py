"""`mensura pagi-world film`: a session as a GIF, an MP4 or a standalone page."""

from pathlib import Path
from typing import Any

import click

from mensura.console import next_step, say
from mensura.errors import BadParameter

FORMS = (".gif", ".mp4", ".html")


@click.command("film")
@click.argument("record", metavar="RECORD|RUN")
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
@click.option("--store", envvar="MENSURA_STORE", default=None, metavar="URL", help="Where records of runs are kept.")
@click.pass_obj
def film(stored: Any, record: str, output: Path, session: int | None, per_second: float, store: str | None) -> None:
    """Show a session: as a film, or as a page with a time bar.

    RECORD is a file that `serve --record` wrote; else RUN is a run, such as last, or RUN/ADDRESS one of its sessions.

    \b
      mensura pagi-world film session.jsonl -o session.html
      mensura pagi-world film session.jsonl -o session.gif
      mensura pagi-world film last -o session.gif
    """
    from mensura.catalog.pagi_world.showing.film import drawings, watch_page
    from mensura.catalog.pagi_world.showing.replaying import watch_events, watch_file
    from mensura.dialogue import Address
    from mensura.exhibit.film import write_film

    if output.suffix not in FORMS:
        raise BadParameter(f"A session becomes a {', '.join(FORMS)} file; got {output.name}.")
    if Path(record).is_file() or record.endswith(".jsonl"):
        watch, following = watch_file(Path(record), session), f"mensura pagi-world replay {record}"
    else:
        name = record if session is None else f"{record}/{Address(session=session).place}"
        instance, events, how = stored.again(name, test="pagi-world", store=store)
        watch, following = watch_events(instance, events, **how), f"mensura items {record.partition('/')[0]}"
    if output.suffix == ".html":
        found = watch.data()
        page = watch_page({"recording": found}, title=f"PAGI World: {found['room']}")
        output.write_text(page, encoding="utf-8")
    else:
        say(f"{write_film(drawings(watch, per_second=per_second), output, per_second=per_second)} drawings.")
    click.echo(str(output))
    next_step(following)
