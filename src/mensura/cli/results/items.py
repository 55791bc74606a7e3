"""`mensura items`: what became of each item, subject beside subject."""

import click

from mensura.cli.completion import complete_run
from mensura.cli.options import opened, read_conditions, reading
from mensura.cli.printing import print_exhibits
from mensura.console import next_step, print_json, say


@click.command("items")
@click.argument("runs", nargs=-1, required=True, shell_complete=complete_run)
@click.option(
    "--where",
    multiple=True,
    metavar="NAME=VALUE",
    help="Only items with this tag=, with this outcome= (right, wrong, partly, refused, lost ...) of any subject or of "
    "subject=, with this text= in the prompt, or on which differ=subjects (or people and programs: differ=people). "
    "May be repeated; all must hold.",
)
@click.option("--score", default=None, help="Which score to use.  [default: the one that most items have]")
@click.option(
    "--sort", default="bank", show_default=True, help="bank, hardest, easiest, differ, tokens, cost or seconds."
)
@click.option("--limit", type=click.IntRange(min=1), default=None, help="Show this many items; the sums are over all.")
@reading
def command(
    runs: tuple[str, ...],
    where: tuple[str, ...],
    score: str | None,
    sort: str,
    limit: int | None,
    store: str | None,
    as_json: bool,
) -> None:
    """Show what became of each item in RUNS side by side: people and models, paired by content.

    \b
      mensura items last
      mensura items last~1 last --where tag=hard --where differ=subjects --sort hardest
    """
    from mensura.running.items.cell import table_data
    from mensura.running.items.exhibit import items_exhibits
    from mensura.running.items.table import item_table
    from mensura.running.items.view import ItemView

    view = ItemView.of(read_conditions(where), sort=sort)
    table = item_table(runs, store=opened(store), score=score)
    if as_json:
        print_json(table_data(table, view, limit=limit))
    else:
        print_exhibits(items_exhibits(table, view, limit=limit))
    say(f"{len(view.rows(table))} of {len(table.rows)} items.")
    next_step("mensura serve", then="Then open /lab/items, where the same table leads to every transcript.")
