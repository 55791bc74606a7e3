"""`mensura analogy`: compare documents beneath their words, look at their graphs, and search for analogies."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mensura.catalog.analogy.experts.command import experts
from mensura.catalog.analogy.options import (
    counts_option,
    document,
    extractor_option,
    graphs_kept,
    method_option,
    names_of,
    parts_option,
    rhetoric_option,
    second_option,
    store_option,
)
from mensura.catalog.analogy.showing.command import corpus, page
from mensura.console import json_option, next_step, say, show

if TYPE_CHECKING:
    from mensura.catalog.analogy.comparison import DocumentComparison

HELP = {"help_option_names": ["-h", "--help"]}


@click.group("analogy", context_settings=HELP)
def command() -> None:
    """Compare documents beneath their words: as graphs of who does what to what, and why.

    \b
      mensura analogy compare a.txt b.pdf --json             scores, mapped pairs, what did not map
      mensura analogy graph a.txt --json                     nodes, edges and second-order edges of one document
      mensura analogy graph a.txt --picture a.svg            the same, drawn
      mensura analogy find draft.txt --corpus papers/        every document against one, ranked
      mensura analogy sme hawk.lisp country.lisp --rules an  hand-coded predicates, by the published rules
      mensura analogy rhetoric train labelled.jsonl          what sentences are there for, learned from yours
      mensura analogy page a.txt b.txt -o pair.html          two documents side by side, for a browser
      mensura analogy corpus-page draft.txt --corpus papers/ how scores lie over a corpus, with filters
      mensura analogy experts draft.txt --corpus papers/     a panel of experts, made ready
      mensura analogy extraction annotated.jsonl --data DIR  precision and recall of an extractor

    Documents are plain text, Markdown (.md) or PDF. Nothing but WordNet is needed.
    """


@command.command("compare")
@click.argument("first", type=document)
@click.argument("second", type=document)
@extractor_option
@method_option
@parts_option
@second_option
@rhetoric_option
@counts_option
@click.option("--budget", type=click.IntRange(0), default=50, show_default=True, help="Repairs that `improved` tries.")
@click.option("--seconds", type=click.FloatRange(0), default=60.0, show_default=True, help="How long `exact` may look.")
@json_option
def compare(
    first: Path, second: Path, extractor: str, method: str, parts: str, second_order: str, rhetoric: str, counts: str,
    budget: int, seconds: float, as_json: bool,
) -> None:  # fmt: skip
    """Map one document to another and score how alike they are."""
    from mensura.catalog.analogy.comparison import compare as compare_texts
    from mensura.catalog.analogy.comparison import not_scored
    from mensura.catalog.analogy.document.reading import read_document
    from mensura.errors import BadFile

    texts = []
    try:
        texts = [read_document(one, parts=names_of(parts), rhetoric=rhetoric) for one in (first, second)]
    except BadFile as error:
        if not (first.is_file() and second.is_file()):
            raise
        found = not_scored(f"{error} The pair is not scored.", method=method)
    else:
        found = compare_texts(
            *texts, extractor=extractor, method=method, second_order=second_order == "on", budget=budget,
            seconds=seconds, counts=counts,
        )  # fmt: skip
    show(found.as_json(), _lines(found), as_json=as_json)
    if not found.scored:
        say(found.why)
        click.get_current_context().exit(3)
    next_step(f"mensura analogy graph {first}")


@command.command("graph")
@click.argument("file", type=document)
@extractor_option
@parts_option
@rhetoric_option
@click.option("--picture", type=click.Path(path_type=Path), help="Draw the graph into this .svg file.")
@store_option
@json_option
def graph(
    file: Path, extractor: str, parts: str, rhetoric: str, picture: Path | None, store: str | None, as_json: bool
) -> None:
    """Print what a document states: concepts, relations, and relations between relations."""
    from mensura.catalog.analogy.comparison import unfit
    from mensura.catalog.analogy.document.reading import read_document
    from mensura.catalog.analogy.extraction.find import find_extractor
    from mensura.catalog.analogy.rhetoric.category import BY_CUES
    from mensura.errors import BadFile

    text = read_document(file, parts=names_of(parts), rhetoric=rhetoric)
    why = unfit(text)
    if why:
        raise BadFile(f"{file} {why}, so it has no graph.")
    with graphs_kept(store) as kept:
        found = kept.graph(text, find_extractor(extractor), rhetoric=rhetoric)
    if not found.relations:
        raise BadFile(f"{file} states no relation between things that {found.extractor} could find: it has no graph.")
    if picture is not None:
        from mensura.catalog.analogy.showing.picture import draw_graph
        from mensura.text_file import write_text

        write_text(picture, draw_graph(found).svg)
        say(f"{picture} holds the picture.")
    lines = []
    for at, one in enumerate(found.relations):
        names = ["" if place is None else found.concepts[place].lemma for place in one.places]
        lines.append(f"r{at}  {names[0] or '-'}  {'not ' if one.negated else ''}{one.lemma}  {names[1] or '-'}")
    lines += [f"r{one.first} -> r{one.second}  {one.kind} ({one.by})" for one in found.second_order]
    categories = {"rhetoric": "trained" if rhetoric else BY_CUES}
    show(found.as_json() | categories, lines, as_json=as_json)
    next_step(f"mensura analogy compare {file} OTHER")


@command.command("sme")
@click.argument("base", type=document)
@click.argument("target", type=document)
@click.option("--rules", type=click.Choice(["an", "ma"]), default="an", show_default=True,
              help="an: analogy, ma: mere appearance.")  # fmt: skip
@json_option
def sme(base: Path, target: Path, rules: Any, as_json: bool) -> None:
    """Map hand-coded predicates, (cause (attack hunter hawk) ...), by the rules of the structure-mapping engine."""
    from mensura.catalog.analogy.predicates.description import read_description
    from mensura.catalog.analogy.predicates.mapping import map_descriptions

    descriptions = [read_description(one) for one in (base, target)]
    found = map_descriptions(*descriptions, rules=rules)
    chosen = [{"base": str(one.base), "target": str(one.target), "belief": found.beliefs[one]} for one in found.chosen]
    data = {"hypotheses": len(found.beliefs), "weight": found.weight, "rules": rules, "mapping": chosen}
    lines = [f"hypotheses: {len(found.beliefs)}", f"weight: {found.weight:.4f}"]
    lines += [f"  {one['base']}  ~  {one['target']}  {one['belief']:.3f}" for one in chosen]
    show(data, lines, as_json=as_json)


@command.command("find")
@click.argument("target", type=document)
@click.option("--corpus", type=click.Path(path_type=Path), required=True, help="A folder of documents; corpus.jsonl "
              "in it may give file, year and topics.")  # fmt: skip
@extractor_option
@method_option
@parts_option
@second_option
@counts_option
@click.option("--by", type=click.Choice(["unified", "semantic", "jaccard", "conceptual", "relational", "tfidf",
              "containment3"]), default="unified", show_default=True, help="The score that ranks.")  # fmt: skip
@click.option("--best", type=click.IntRange(1), default=10, show_default=True, help="How many are shown with pairs.")
@click.option("--topic", default="", help="Only documents of this topic.")
@click.option("--near", "share", flag_value=True, type=bool, default=None, help="Only those that share a topic.")
@click.option("--far", "share", flag_value=False, type=bool, help="Only those that share no topic with the target.")
@click.option("--years-from", type=click.IntRange(0), default=0, help="Only those at least this many years away.")
@click.option("--years-to", type=click.IntRange(0), help="Only those at most this many years away.")
@click.option("--year", type=int, help="The target's year, where corpus.jsonl does not have it.")
@click.option("--topics", default="", help="The target's topics, with commas, where corpus.jsonl does not have them.")
@store_option
@json_option
def find(
    target: Path, corpus: Path, extractor: str, method: str, parts: str, second_order: str, counts: str, by: str,
    best: int, topic: str, share: bool | None, years_from: int, years_to: int | None, year: int | None, topics: str,
    store: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Map a document with every document of a corpus; the best, their pairs and why, and how the scores lie."""
    from mensura.catalog.analogy.retrieval.corpus import Distance
    from mensura.catalog.analogy.retrieval.ranking import find_analogies

    with graphs_kept(store) as kept:
        found = find_analogies(
            target, corpus, extractor=extractor, method=method, parts=names_of(parts),
            distance=Distance(topic, share, years_from, years_to), year=year, topics=names_of(topics), by=by,
            second_order=second_order == "on", counts=counts, store=kept,
        )  # fmt: skip
    lines = [f"{'rank':>4} {by:>10} {'tfidf':>6}  document"]
    for rank, one in enumerate(found.ranked[:best], 1):
        scores = one.comparison.scores
        lines.append(f"{rank:4} {figure(scores[by]):>10} {figure(scores['tfidf']):>6}  {one.entry.name}")
        lines.append(f"{'':24}{one.why}")
    lines += [found.tail.sentence] if found.tail else []
    lines += [f"Novelty (1 less the greatest unified score): {figure(found.novelty)}"]
    lines += [f"not scored: {why}" for _, why in found.unscored]
    show(found.as_json(best=best), lines, as_json=as_json)
    if found.ranked:
        next_step(f"mensura analogy compare {target} {found.ranked[0].entry.file}")


@command.group("rhetoric", context_settings=HELP)
def rhetoric_group() -> None:
    """Learn what sentences are there for: background, approach, challenge, outcome or future work."""


@rhetoric_group.command("train")
@click.argument("file", type=document)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="Where the classifier goes; else FILE.model.json."
)
@click.option("--folds", type=click.IntRange(2), default=10, show_default=True, help="Parts of the cross-validation.")
@json_option
def train_rhetoric(file: Path, output: Path | None, folds: int, as_json: bool) -> None:
    """Train a logistic classifier on lines {"sentence", "category", "document"}, and cross-validate it by documents."""
    from mensura.catalog.analogy.rhetoric.report import trained

    found = trained(file, output or file.with_suffix(".model.json"), folds=folds)
    show(found, found["lines"], as_json=as_json)
    next_step(f"mensura analogy graph paper.pdf --rhetoric {found['file']}")


@command.command("extraction")
@click.argument("annotated", type=document)
@click.option("--data", type=click.Path(path_type=Path), required=True, help="The folder of the annotated texts.")
@extractor_option
@json_option
def extraction(annotated: Path, data: Path, extractor: str, as_json: bool) -> None:
    """Measure precision and recall of an extractor on sentences with triples."""
    from mensura.catalog.analogy.extraction.measuring import measure

    found = measure(annotated, data, extractor=extractor)
    show(found.as_json(), found.lines, as_json=as_json)


def figure(value: float | None) -> str:
    """Return a score as it is read; - for none."""
    return "-" if value is None else f"{value:.3f}"


def _lines(found: "DocumentComparison") -> list[str]:
    lines = [f"{name:12} {figure(value)}" for name, value in found.scores.items()]
    if found.scored:
        held = found.pairs
        lines.append(f"{len(held)} pairs; {sum(map(len, found.unmapped))} nodes without a counterpart")
        for one in held:
            name, _ = one.generic()
            lines.append(f"  {one.first} ~ {one.second}  {figure(one.lin)}  {name or 'unknown to WordNet'}")
    return lines


for more in (page, corpus, experts):
    command.add_command(more)
