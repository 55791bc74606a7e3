"""Collecting: every sentence that the laboratory shows to participants, for those who translate."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_file
from babel.messages.pofile import write_po

from mensura.errors import BadParameter
from mensura.web.language.tongue import FILE, locale_of, read_sentences

SOURCE = Path(__file__).parents[2]
PLACES = (
    ("python", "dialogue/spaces/*.py"),
    ("python", "dialogue/session/*.py"),
    ("python", "dialogue/score.py"),
    ("python", "catalog/questionnaire/*.py"),
    ("python", "catalog/approval/*.py"),
    ("python", "catalog/display_size/*.py"),
    ("python", "catalog/headphones/*.py"),
    ("jinja2.ext:babel_extract", "catalog/display_size/pages/*.html"),
    ("python", "catalog/task_environments/*.py"),
    ("jinja2.ext:babel_extract", "catalog/task_environments/pages/drive.html"),
    ("python", "store/people/copies.py"),
    ("python", "store/people/recruiting_links.py"),
    ("python", "running/study/invite.py"),
    ("python", "running/study/people/arriving.py"),
    ("python", "web/*.py"),
    ("python", "web/lab/people/invitation.py"),
    ("python", "web/participant/*.py"),
    ("python", "web/drawing/*.py"),
    ("python", "web/safety/*.py"),
    ("jinja2.ext:babel_extract", "web/templates/**/*.html"),
    ("jinja2.ext:babel_extract", "dialogue/spaces/pages/*.html"),
    ("jinja2.ext:babel_extract", "dialogue/prompts/pages/*.html"),
    ("javascript", "dialogue/spaces/pages/*.js"),
    ("javascript", "web/static/*.js"),
)
"""How and where sentences are found."""
KEYWORDS = {"phrase": None, "Invalid": None, "_": None, "gettext": None, "ngettext": (1, 2)}
TRIMMED = {"trimmed": "true", "silent": "false"}
PLACEHOLDER = re.compile(r"\{(\w*)[^}]*\}|%\((\w+)\)")
MOMENT = datetime(2026, 1, 1, tzinfo=UTC)
"""Files of sentences carry no time stamp, so that they change only when a sentence does."""
HEAD: dict[str, Any] = {
    "project": "mensura",
    "version": "0",
    "copyright_holder": "the Mensura project",
    "msgid_bugs_address": "the issues of the Mensura project",
    "last_translator": "the Mensura project",
    "language_team": "none",
    "charset": "utf-8",
    "creation_date": MOMENT,
    "revision_date": MOMENT,
    "fuzzy": False,
    "header_comment": (
        "# Translations template for the participants' pages of PROJECT; licence Apache-2.0.\n"
        "# Not read by a native speaker yet.\n#"
    ),
}
"""The head of a new file."""


@cache
def collected() -> Catalog:
    """Return every sentence, with the files that it occurs in."""
    found = Catalog(**HEAD)
    for method, pattern in PLACES:
        options = TRIMMED if method.startswith("jinja2") else {}
        for path in sorted(SOURCE.glob(pattern)):
            for _, words, _, _ in extract_from_file(method, path, keywords=KEYWORDS, options=options):
                if words and (isinstance(words, tuple) or words.strip()):
                    found.add(words, locations=[(path.relative_to(SOURCE).as_posix(), 0)])
    return found


def write_language(name: str, folder: Path) -> Path:
    """Write the file of a language into a folder, or bring it up to date; what is translated stays."""
    if locale_of(name) is None:
        raise BadParameter(f"{name!r} is not the name of a language, such as de, pt-BR or ar.")
    path = folder / name / FILE
    before = read_sentences(path) if path.exists() else None
    catalog = Catalog(locale=name.replace("-", "_"), **(HEAD if before is None else _head_of(before)))
    for message in collected():
        if message.id:
            known = before.get(message.id) if before is not None else None
            catalog.add(message.id, known.string if known else None, locations=message.locations)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, catalog, include_lineno=False, sort_output=True, omit_header=False, width=110)
    return path


def _head_of(before: Catalog) -> dict[str, Any]:
    """Keep what translators wrote at the head of their file."""
    return HEAD | {
        name: kept
        for name in ("last_translator", "language_team", "header_comment", "copyright_holder", "msgid_bugs_address")
        if (kept := getattr(before, name))
    }


def faults(path: Path) -> list[str]:
    """Return what is wrong with a file of sentences: what is missing, stale, or has other placeholders."""
    wanted = {_key(message): message for message in collected() if message.id}
    given = {_key(message): message for message in read_sentences(path) if message.id}
    found = [f"missing: {key}" for key in wanted if key not in given or not all(_strings(given[key]))]
    found += [f"no longer said: {key}" for key in given if key not in wanted]
    for key in wanted.keys() & given.keys():
        message = given[key]
        if all(_strings(message)) and any(_placeholders(said) != _placeholders(key) for said in _strings(message)):
            found.append(f"other placeholders than in English: {key}")
        if message.fuzzy:
            found.append(f"marked as uncertain: {key}")
    return found


def _key(message: Message) -> str:
    return message.id[-1] if isinstance(message.id, (tuple, list)) else str(message.id)


def _strings(message: Message) -> tuple[str, ...]:
    said = message.string
    return tuple(said) if isinstance(said, (tuple, list)) else (str(said or ""),)


def _placeholders(words: str) -> set[str]:
    return set(_names(words))


def _names(words: str) -> Iterator[str]:
    for curly, percent in PLACEHOLDER.findall(words):
        yield curly or percent
