"""Reading: texts of files and folders by name, and experts by name."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mensura.catalog.analogy.document.reading import read_document
from mensura.errors import BadFile

ENDINGS = (".txt", ".md", ".pdf")


def read_documents(places: Sequence[Path]) -> dict[str, str]:
    """Read texts by the names of their files, folders with all texts in them."""
    found: dict[str, str] = {}
    for place in places:
        files = sorted(file for file in place.iterdir() if file.suffix in ENDINGS) if place.is_dir() else [place]
        if not files:
            raise BadFile(f"{place} holds no texts ({', '.join(ENDINGS)}).")
        for file in files:
            found[file.name] = read_document(file)
    return found


def read_rater(words: str) -> dict[str, Any] | str:
    """Read an expert: a name, or NAME=SUBJECT for a simulated one.

    >>> read_rater("ann"), read_rater("bob=chance")
    ('ann', {'name': 'bob', 'as': 'chance'})
    """
    name, _, subject = words.partition("=")
    return {"name": name, "as": subject} if subject else name
