"""Sequences of the OEIS: a CSV of `id,name,terms` as number series whose next term is to be given."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mensura.catalog.puzzles.kinds.find import find_kind
from mensura.catalog.puzzles.showing.presentation import Presentation
from mensura.errors import BadFile
from mensura.table_file import read_table

SHOWN, FEWEST = 8, 5
"""Terms that are shown before the one that is asked for, at most and at least."""
KIND = "number-series"


def oeis_lines(path: str | Path) -> Iterator[dict[str, Any]]:
    """Return each sequence as a line of our format; its answer is given by its source, not proven by our grammar.

    Raises
    ------
    BadFile
        If a row is not what it should be; the message names it.
    """
    form = "sequences are a CSV with the columns id, name and terms, terms with spaces between."
    kind, plain = find_kind(KIND), Presentation({axis: values[0] for axis, values in find_kind(KIND).axes.items()})
    for number, row in read_table(path, ("id", "terms"), absent=form):
        try:
            terms = [int(term) for term in row["terms"].split()]
        except ValueError as error:
            raise BadFile(f"{path}:{number}: terms are whole numbers with spaces between: {error}.") from None
        shown = min(SHOWN, len(terms) - 1)
        if shown < FEWEST:
            raise BadFile(f"{path}:{number}: {row['id']} has {len(terms)} terms; at least {FEWEST + 1} are needed.")
        yield {
            "id": row["id"],
            "kind": KIND,
            "prompt": kind.show(terms[:shown], plain).data(),
            "space": kind.construct(plain).data(),
            "answer": kind.write(terms[shown], plain),
            "presentation": plain.as_json(),
            "tags": [KIND, "oeis"],
            "source": f"OEIS {row['id']}: {row.get('name', '')}"[:200],
            "licence": "CC BY-SA 4.0",
        }
