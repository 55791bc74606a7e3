"""`mensura export`: a run as files."""

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

import click

from mensura.cli.completion import complete_run
from mensura.cli.options import opened, store_option
from mensura.console import next_step, say
from mensura.errors import BadParameter

if TYPE_CHECKING:
    from mensura.store import Store
    from mensura.store.archive.export import Exported


@click.command("export")
@click.argument("run", shell_complete=complete_run)
@click.option("--to", "place", help="A file, or a folder for tables; the ending says what is written.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["csv", "parquet", "xlsx", "jsonl", "zip", "jspsych", "inspect", "otel"]),
    default=None,
    help="What to write.  [default: as the ending says; parquet in a folder]",
)
@click.option("--with-seeds", is_flag=True, help="Include secret seeds: the reader can then foresee every ask.")
@click.option("--sign", "signed", is_flag=True, help="Sign the heads of the chains with the laboratory's key (zip).")
@click.option("--content", is_flag=True, help="Include prompts and replies in spans (otel).")
@store_option
def command(
    run: str, place: str | None, form: str | None, with_seeds: bool, signed: bool, content: bool, store: str | None
) -> None:
    """Write RUN as the ending of the file says.

    \b
      mensura export last --to coin.csv         a row for each answer
      mensura export last --to coin.xlsx        the same for a spreadsheet
      mensura export last --to coin.parquet     the same for Python, R and duckdb
      mensura export last --to coin.jsonl       the same, a line of JSON for each answer
      mensura export last --to tables/          a folder of all tables (--format csv: as CSV)
      mensura export last --to coin.zip         everything, for another installation
      mensura export last --to trials.json      jsPsych's trials
      mensura export last --to run.eval         a log of Inspect, for inspect view
      mensura export last --to run.spans.jsonl  OpenTelemetry's spans of generative AI
    """
    from mensura.store.archive.export import FORMS, form_of, is_folder
    from mensura.store.people.copies import EXPORTED

    if place is None:
        raise click.UsageError(
            f"Missing option '--to': name a file that ends in {', '.join(FORMS)}, .eval (Inspect) or .spans.jsonl "
            "(OpenTelemetry), or a folder for tables, such as tables/."
        )
    path = Path(place)
    replaced = path.is_file()
    chosen = form or _by_name(path.name) or ("parquet" if is_folder(place) else form_of(path))
    if content and chosen != "otel":
        raise BadParameter("--content is for spans (.spans.jsonl); all other forms hold prompts and replies anyway.")
    kept = opened(store)
    name = kept.runs.find(run).id
    written = _write(kept, name, place, chosen, with_seeds=with_seeds, signed=signed, content=content)
    sent = {"sha256": written.sha256} if written.sha256 else {}
    kept.copies.note("command line", EXPORTED, name, runs=[name], places=[str(path.resolve())], format=chosen, **sent)
    say(str(written).replace("Wrote", "Replaced", 1) if replaced else str(written))
    if path.is_dir() or chosen in NEXT:
        folder = quote(str(path.parent))
        command = NEXT.get(chosen, "ls {path}").format(path=quote(place), folder=folder, digest=written.sha256)
        next_step(command, when="on the other machine" if chosen == "zip" else "")


NEXT = {
    "zip": "mensura import {path} --digest {digest}",
    "inspect": "inspect view --log-dir {folder}",
}


def _by_name(name: str) -> str | None:
    if name.endswith(".eval"):
        return "inspect"
    return "otel" if name == "spans.jsonl" or name.endswith(".spans.jsonl") else None


def _write(
    store: "Store", run: str, place: str, form: str, *, with_seeds: bool, signed: bool, content: bool
) -> "Exported":
    if form in ("inspect", "otel") and (with_seeds or signed):
        raise BadParameter("Only a zip carries secret seeds and a signature; name a file that ends in .zip.")
    if form == "inspect":
        from mensura.store.archive.inspect_log import export_log

        return export_log(store, run, place)
    if form == "otel":
        from mensura.store.archive.spans import export_spans

        return export_spans(store, run, place, content=content)
    from mensura.store import export_run

    return export_run(store, run, place, format=form, with_seeds=with_seeds, signed=signed)  # type: ignore[arg-type]
