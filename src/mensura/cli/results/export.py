"""`mensura export`: a run as files."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mensura.cli.options import opened, store_option
from mensura.console import next_step, say

if TYPE_CHECKING:
    from mensura.store.archive.export import Format


@click.command("export")
@click.argument("run")
@click.option("--to", "path", type=click.Path(path_type=Path), required=True, help="A .zip or .json file, or a folder.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["zip", "parquet", "csv", "jsonl", "jspsych"]),
    default=None,
    help="What to write.  [default: zip for .zip, jspsych for .json, else parquet]",
)
@click.option("--with-seeds", is_flag=True, help="Include secret seeds: the reader can then foresee every ask.")
@click.option("--sign", "signed", is_flag=True, help="Sign the heads of the chains with the laboratory's key (zip).")
@store_option
def command(run: str, path: Path, form: "Format | None", with_seeds: bool, signed: bool, store: str | None) -> None:
    """Write RUN to one zip that another installation can import, to Parquet or CSV tables, or as jsPsych's trials.

    \b
      mensura export last --to coin.zip
      mensura export last --to tables --format csv
      mensura export last --to trials.json
    """
    from mensura.store import export_run
    from mensura.store.people.copies import EXPORTED

    by_name: dict[str, Format] = {".zip": "zip", ".json": "jspsych"}
    chosen = form or by_name.get(path.suffix, "parquet")
    kept = opened(store)
    name = kept.runs.find(run).id
    written = export_run(kept, name, path, format=chosen, with_seeds=with_seeds, signed=signed)
    sent = {"sha256": written.sha256} if written.sha256 else {}
    kept.copies.note("command line", EXPORTED, name, runs=[name], places=[str(path.resolve())], format=chosen, **sent)
    say(str(written))
    there = f"mensura import {path} --digest {written.sha256}, on the other machine"
    next_step(there if chosen == "zip" else f"ls {path}")
