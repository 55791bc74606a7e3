"""Options that several verbs of this folder share."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from mensura.catalog.analogy.retrieval.graph_store import GraphStore

document = click.Path(path_type=Path)
extractor_option: Callable[[Any], Any] = click.option(
    "--extractor", default="shallow", show_default=True, help="shallow, udpipe:FILE, spacy:MODEL or triples:FILE."
)
parts_option: Callable[[Any], Any] = click.option(
    "--parts", default="", help="Parts to read, by their headings: abstract,background. Without it all but references."
)
rhetoric_option: Callable[[Any], Any] = click.option(
    "--rhetoric", default="", help="A classifier of sentences that `rhetoric train` wrote; without it cue words."
)
method_option: Callable[[Any], Any] = click.option(
    "--method", type=click.Choice(["greedy", "improved", "exact"]), default="greedy", show_default=True,
    help="How the mapping is found; exact is for small graphs.",
)  # fmt: skip
second_option: Callable[[Any], Any] = click.option(
    "--second-order", type=click.Choice(["on", "off"]), default="on", show_default=True,
    help="Whether causes, conditions, purposes and times count.",
)  # fmt: skip
counts_option: Callable[[Any], Any] = click.option(
    "--counts", default="", help="A file of counts, `word noun|verb count` a line, for the information of words."
)
store_option: Callable[[Any], Any] = click.option(
    "--store", envvar="MENSURA_STORE", metavar="URL", help="Where graphs are kept.  [default: mensura.db]"
)


@contextmanager
def graphs_kept(store: str | None) -> "Iterator[GraphStore]":
    """Open the store's room of graphs; where no command line brings a store every graph is made anew."""
    from mensura.catalog.analogy.retrieval.graph_store import GraphStore

    stored = click.get_current_context().obj
    if stored is None:
        yield GraphStore()
        return
    with stored.open(store) as held:
        yield GraphStore(held.graphs)


def names_of(text: str) -> tuple[str, ...]:
    """Return the names in a text with commas."""
    return tuple(one.strip() for one in text.split(",") if one.strip())
