"""`mensura export`: a run as files."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mensura.cli.options import opened, store_option
from mensura.console import next_step, say
from mensura.errors import BadParameter

if TYPE_CHECKING:
    from mensura.store import Store
    from mensura.store.archive.export import Exported


@click.command("export")
@click.argument("run")
@click.option("--to", "path", type=click.Path(path_type=Path), required=True, help="A file, or a folder for tables.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["zip", "parquet", "csv", "jsonl", "jspsych", "inspect", "otel"]),
    default=None,
    help="What to write.  [default: zip for .zip, jspsych for .json, inspect for .eval, otel for .jsonl, else parquet]",
)
@click.option("--with-seeds", is_flag=True, help="Include secret seeds: the reader can then foresee every ask.")
@click.option("--sign", "signed", is_flag=True, help="Sign the heads of the chains with the laboratory's key (zip).")
@click.option("--content", is_flag=True, help="Include prompts and replies in spans (otel).")
@store_option
def command(
    run: str, path: Path, form: str | None, with_seeds: bool, signed: bool, content: bool, store: str | None
) -> None:
    """Write RUN to one zip that another installation can import, to tables, or as other programs read it.

    \b
      mensura export last --to coin.zip
      mensura export last --to tables --format csv
      mensura export last --to trials.json      jsPsych's trials
      mensura export last --to run.eval         a log of Inspect, for inspect view
      mensura export last --to spans.jsonl      OpenTelemetry's spans of generative AI
    """
    from mensura.store.people.copies import EXPORTED

    chosen = form or BY_NAME.get(path.suffix, "parquet")
    if content and chosen != "otel":
        raise BadParameter("--content is for spans (otel); all other forms hold prompts and replies anyway.")
    kept = opened(store)
    name = kept.runs.find(run).id
    written = _write(kept, name, path, chosen, with_seeds=with_seeds, signed=signed, content=content)
    sent = {"sha256": written.sha256} if written.sha256 else {}
    kept.copies.note("command line", EXPORTED, name, runs=[name], places=[str(path.resolve())], format=chosen, **sent)
    say(str(written))
    next_step(NEXT.get(chosen, "ls {path}").format(path=path, digest=written.sha256))


BY_NAME = {".zip": "zip", ".json": "jspsych", ".eval": "inspect", ".jsonl": "otel"}
NEXT = {
    "zip": "mensura import {path} --digest {digest}, on the other machine",
    "inspect": "inspect view --log-dir {path.parent}",
}


def _write(
    store: "Store", run: str, path: Path, form: str, *, with_seeds: bool, signed: bool, content: bool
) -> "Exported":
    if form in ("inspect", "otel") and (with_seeds or signed):
        raise BadParameter("Only a zip carries secret seeds and a signature; name a file that ends in .zip.")
    if form == "inspect":
        from mensura.store.archive.inspect_log import export_log

        return export_log(store, run, path)
    if form == "otel":
        from mensura.store.archive.spans import export_spans

        return export_spans(store, run, path, content=content)
    from mensura.store import export_run

    return export_run(store, run, path, format=form, with_seeds=with_seeds, signed=signed)  # type: ignore[arg-type]
