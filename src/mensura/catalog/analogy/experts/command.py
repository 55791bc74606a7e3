"""`mensura analogy experts`: a panel of experts made ready, and how many proposals it needs."""

from pathlib import Path

import click

from mensura.console import json_option, next_step, show


@click.command("experts")
@click.argument("targets", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--corpus", required=True, type=click.Path(path_type=Path), help="Folder of texts to choose sources from."
)
@click.option("--rater", "raters", multiple=True, required=True, help="An expert; NAME=SUBJECT for a simulated one.")
@click.option("--overlap", default=3, show_default=True, help="How many experts rate each proposal.")
@click.option("--alpha", default=0.4, show_default=True, help="The agreement that you expect.")
@click.option("--width", default=0.5, show_default=True, help="How wide the interval of agreement may be.")
@click.option("--seed", default=None, type=int, help="Makes the random choices repeatable; for trials.")
@click.option("-o", "--out", "path", default="experts.yaml", show_default=True, type=click.Path(path_type=Path))
@json_option
def experts(
    targets: tuple[Path, ...],
    corpus: Path,
    raters: tuple[str, ...],
    overlap: int,
    alpha: float,
    width: float,
    seed: int | None,
    path: Path,
    as_json: bool,
) -> None:
    """Make a panel of experts ready: each TARGET with four sources, chosen blind.

    The sources are structure mapping's choice, TF-IDF's, one at random and one planted to be poor. Experts rate
    novelty, usefulness and challenge from 1 to 5 and write what an analogy suggested. How many proposals are needed is
    said now, before anyone rates.

    \b
      mensura analogy experts draft.txt --corpus papers --rater ann --rater bob --rater cy
      mensura panel create experts.yaml
      mensura panel invite experts
      mensura panel close experts -o experts.html
    """
    import yaml

    from mensura.catalog.analogy.document.reading import read_document
    from mensura.catalog.analogy.experts.panel_file import panel_data, read_rater, size_sentence
    from mensura.catalog.analogy.experts.proposing import propose
    from mensura.catalog.analogy.experts.sizing import items_needed
    from mensura.catalog.analogy.retrieval.corpus import read_corpus
    from mensura.dialogue import Seed, generator
    from mensura.text_file import write_text

    named = [read_rater(one) for one in raters]
    held = {one.name: read_document(one.file) for one in read_corpus(corpus)}
    asked = {one.name: read_document(one) for one in targets}
    proposals = propose(asked, held, rng=generator(Seed.choose(seed).value))
    data = panel_data(path.stem, proposals, raters=named, overlap=overlap)
    needed = items_needed(raters=overlap, alpha=alpha, width=width)
    write_text(path, yaml.safe_dump(data, sort_keys=False, allow_unicode=True), private=True)
    told = size_sentence(len(proposals), needed, alpha=alpha, width=width)
    chosen = [{"target": one.target, "source": one.source, "arm": one.arm} for one in proposals]
    found = {"panel": str(path), "proposals": chosen, "needed": needed, "alpha": alpha, "width": width, "said": told}
    show(found, [f"Wrote {path}.", told], as_json=as_json)
    next_step(f"mensura panel create {path}")
