"""`mensura import`: a run from another installation, or from a log of Inspect."""

from pathlib import Path

import click

from mensura.cli.options import opened, store_option
from mensura.console import next_step, say


@click.command("import")
@click.argument("path", type=click.Path(path_type=Path))
@store_option
def command(path: Path, store: str | None) -> None:
    """Read the zip at PATH, as `mensura export` wrote it, or a log of Inspect (.eval, .json).

    Reading it twice changes nothing.

    \b
      mensura import coin.zip
      mensura import logs/2026-10-01_popularity.eval
    """
    if path.suffix in (".eval", ".json"):
        from mensura.running.elsewhere.importing import import_log

        imported = import_log(opened(store), path)
    else:
        from mensura.store import import_archive

        imported = import_archive(opened(store), path)
    say(str(imported))
    next_step(f"mensura report {' '.join(imported.runs)} -o report.html" if imported.runs else "mensura list --runs")
