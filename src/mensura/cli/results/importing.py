"""`mensura import`: a run from another installation, or from a log of Inspect."""

from pathlib import Path

import click

from mensura.cli.options import opened, store_option
from mensura.console import next_step, say
from mensura.errors import BadParameter


@click.command("import")
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--digest", default="", help="The SHA-256 that the sender told you; another file is refused.")
@store_option
def command(path: Path, digest: str, store: str | None) -> None:
    """Read the zip at PATH, as `mensura export` wrote it, or a log of Inspect (.eval, .json).

    Reading it twice changes nothing.

    What was altered, doubled or cut off is refused. A file that was rewritten as a whole is detected only by its
    SHA-256, which the sender's `mensura export` prints: give it with --digest.

    \b
      mensura import coin.zip
      mensura import logs/2026-10-01_popularity.eval
    """
    if path.suffix in (".eval", ".json"):
        from mensura.running.elsewhere.importing import import_log

        if digest:
            raise BadParameter("--digest is for a zip that `mensura export` wrote; leave it out for a log of Inspect.")
        imported = import_log(opened(store), path)
    else:
        from mensura.store import import_archive

        imported = import_archive(opened(store), path, digest=digest)
    say(str(imported))
    next_step(f"mensura report {' '.join(imported.runs)} -o report.html" if imported.runs else "mensura list --runs")
