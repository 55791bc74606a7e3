"""Languages: in which of them the participants' pages are there, for plans and command lines that name one."""

import os
from collections.abc import Iterator
from pathlib import Path

from mensura.errors import unknown

SHIPPED = Path(__file__).parent / "web" / "language"
VARIABLE = "MENSURA_LANGUAGES"
"""Names a folder with more languages, or with other words for those that are shipped."""
FILE = Path("LC_MESSAGES") / "mensura.po"
ENGLISH = "en"


def language_files() -> Iterator[tuple[str, Path]]:
    """Return the name and the file of each language but English; a folder that `MENSURA_LANGUAGES` names comes last."""
    more = os.environ.get(VARIABLE, "")
    for folder in (SHIPPED, *([Path(more)] if more else [])):
        for path in sorted(folder.glob(f"*/{FILE}")):
            yield path.parts[-3].replace("_", "-"), path


def language_names() -> tuple[str, ...]:
    """Return the languages of the pages, English first.

    >>> language_names()[:3]
    ('en', 'de', 'es')
    """
    return (ENGLISH, *dict.fromkeys(name for name, _ in language_files()))


def check_language(name: str) -> str:
    """Return a language that the pages speak, or raise those that they do."""
    known = language_names()
    if name and name not in known:
        raise unknown("language of the pages", name, known=known, see=f"There are {', '.join(known)}.")
    return name
