"""`mensura analogy page` and `corpus-page`: what was compared, as pages for a browser."""

from pathlib import Path

import click

from mensura.console import next_step, say

document = click.Path(path_type=Path)


@click.command("page")
@click.argument("first", type=document)
@click.argument("second", type=document)
@click.option("--extractor", default="shallow", show_default=True, help="How graphs are made, as for `compare`.")
@click.option("--method", type=click.Choice(["greedy", "improved", "exact"]), default="greedy", show_default=True)
@click.option("-o", "--out", "path", type=document, default="pair.html", show_default=True, help="Where the page goes.")
def page(first: Path, second: Path, extractor: str, method: str, path: Path) -> None:
    """Write a page of two documents: pairs by colour and line, both graphs, the generic space, and what did not map."""
    from mensura.catalog.analogy.comparison import compare
    from mensura.catalog.analogy.document.reading import read_document
    from mensura.catalog.analogy.showing.pair_page import pair_page
    from mensura.text_file import write_text

    texts = read_document(first), read_document(second)
    found = compare(*texts, extractor=extractor, method=method)
    write_text(path, pair_page(found, titles=(first.name, second.name), texts=texts))
    say(f"Wrote {path}.")
    next_step(f"open {path} in a browser")


@click.command("corpus-page")
@click.argument("target", type=document)
@click.option("--corpus", required=True, type=document, help="A folder of documents, with corpus.jsonl or without.")
@click.option("--best", default=10, show_default=True, help="How many documents are shown with their pairs.")
@click.option("-o", "--out", "path", type=document, default="corpus.html", show_default=True, help="Where it goes.")
def corpus(target: Path, corpus: Path, best: int, path: Path) -> None:
    """Write a page of a corpus: every document's score against TARGET, how the scores lie, and filters."""
    from mensura.catalog.analogy.retrieval.ranking import find_analogies
    from mensura.catalog.analogy.showing.corpus_page import corpus_page
    from mensura.text_file import write_text

    write_text(path, corpus_page(find_analogies(target, corpus), best=best))
    say(f"Wrote {path}.")
    next_step(f"open {path} in a browser")
