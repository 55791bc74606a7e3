"""A page of two documents: pairs by colour and line, graphs face to face, the generic space, and what did not map."""

from mensura.catalog.analogy.comparison import DocumentComparison, node_labels
from mensura.catalog.analogy.showing.aligned import aligned_svg
from mensura.catalog.analogy.showing.marking import COLOURS, marked_sentences, marks_of
from mensura.exhibit.template_page import template_asset, template_page

PACKAGE = "mensura.catalog.analogy.showing"
SHOWN = ("unified", "jaccard", "semantic", "conceptual", "relational", "tfidf", "containment3", "lcs")


def pair_page(comparison: DocumentComparison, *, titles: tuple[str, str], texts: tuple[str, str] | None = None) -> str:
    """Return the page as one HTML file that loads nothing; texts are shown plainly where the pair is not scored."""
    marks = marks_of(comparison)
    labels = [node_labels(graph) for graph in comparison.graphs]
    return template_page(
        PACKAGE,
        "pair.html",
        titles=titles,
        comparison=comparison,
        scores=[(name, comparison.scores.get(name)) for name in SHOWN],
        sentences=[
            marked_sentences(graph, held) if graph.sentences else []
            for graph, held in zip(comparison.graphs, marks, strict=True)
        ],
        texts=texts or ("", ""),
        picture=aligned_svg(comparison, marks) if comparison.scored else "",
        pairs=[
            (number, COLOURS[(number - 1) % len(COLOURS)], pair, *pair.generic())
            for number, pair in enumerate(comparison.pairs, start=1)
        ],
        unmapped=[[labels[side][name] for name in names] for side, names in enumerate(comparison.unmapped)],
        style=template_asset(PACKAGE, "page.css"),
        script=template_asset(PACKAGE, "pair.js"),
    )
