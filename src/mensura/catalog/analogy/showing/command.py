"""`mensura analogy page` and `corpus-page`: what was compared, as pages for a browser."""

from pathlib import Path

import click

from mensura.catalog.analogy.options import document, extractor_option, graphs_kept, method_option, store_option
from mensura.console import next_step, say


@click.command("page")
@click.argument("first", type=document)
@click.argument("second", type=document)
@extractor_option
@method_option
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
@store_option
def corpus(target: Path, corpus: Path, best: int, path: Path, store: str | None) -> None:
    """Write a page of a corpus: every document's score against TARGET, how the scores lie, and filters."""
    from mensura.catalog.analogy.retrieval.ranking import find_analogies
    from mensura.catalog.analogy.showing.corpus_page import corpus_page
    from mensura.text_file import write_text

    with graphs_kept(store) as kept:
        write_text(path, corpus_page(find_analogies(target, corpus, store=kept), best=best))
    say(f"Wrote {path}.")
    next_step(f"open {path} in a browser")
