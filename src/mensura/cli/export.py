"""`mensura export`: a run as files."""

from pathlib import Path

import click

from mensura.cli.options import store_option
from mensura.cli.printing import next_step, say


@click.command("export")
@click.argument("run")
@click.option("--to", "path", type=click.Path(path_type=Path), required=True, help="A .zip file, or a folder.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["zip", "parquet", "csv"]),
    default=None,
    help="What to write.  [default: zip if the name ends in .zip, else parquet]",
)
@click.option("--with-seeds", is_flag=True, help="Include secret seeds: the reader can then foresee every ask.")
@store_option
def command(run: str, path: Path, form: str | None, with_seeds: bool, store: str | None) -> None:
    """Write RUN to one zip that another installation can import, or to Parquet or CSV tables for analysis.

    \b
      mensura export last --to coin.zip
      mensura export last --to tables --format csv
    """
    from mensura.store import export_run, open_store

    chosen = form or ("zip" if path.suffix == ".zip" else "parquet")
    with open_store(store) as opened:
        written = export_run(opened, opened.run(run).id, path, format=chosen, with_seeds=with_seeds)
    say(f"Wrote {written}.")
    next_step(f"mensura import {path}, on the other machine" if chosen == "zip" else f"ls {path}")
