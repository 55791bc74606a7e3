"""A page of a corpus: every document's score against a target, how the scores lie, and filters by topic and year."""

import json
from typing import Any

from mensura.catalog.analogy.retrieval.ranking import BY, Found
from mensura.catalog.analogy.showing.pair_page import PACKAGE
from mensura.exhibit.template_page import template_asset, template_page


def corpus_page(found: Found, *, best: int = 10) -> str:
    """Return the page as one HTML file that loads nothing; filters and the score are chosen on it."""
    held = found.as_json(best=best)
    rows = [
        {
            "file": row["file"],
            "year": row["year"],
            "topics": row["topics"],
            "scores": {name: row["scores"].get(name) for name in BY},
            "why": row.get("why", ""),
            "pairs": [[pair["first"], pair["second"]] for pair in row.get("pairs", []) if pair["type"] == "noun"],
        }
        for row in held["ranked"]
    ]
    data: dict[str, Any] = {"target": held["target"], "by": found.by, "rows": rows}
    # A script ends at its closing tag, wherever in the data that stands.
    embedded = json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")
    return template_page(
        PACKAGE,
        "corpus.html",
        found=found,
        data=embedded,
        topics=sorted({topic for row in rows for topic in row["topics"]}),
        years=any(row["year"] is not None for row in rows) and held["target"]["year"] is not None,
        by=BY,
        style=template_asset(PACKAGE, "page.css"),
        script=template_asset(PACKAGE, "corpus.js"),
    )
