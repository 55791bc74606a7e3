"""Tongue: one language with its sentences, found in a folder of languages."""

import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from io import BytesIO
from pathlib import Path
from types import MappingProxyType

from babel import Locale, UnknownLocaleError
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import NullTranslations, Translations

from mensura.languages import ENGLISH, FILE, SHIPPED, VARIABLE, language_files

__all__ = ["ENGLISH", "FILE", "SHIPPED", "VARIABLE", "Tongue", "locale_of", "read_sentences", "tongues"]

log = logging.getLogger("mensura.web")


@dataclass(frozen=True, eq=False)
class Tongue:
    """A language that pages can be shown in."""

    name: str
    """As in the `lang` attribute: "de", "pt-BR"."""
    sentences: NullTranslations = field(default_factory=NullTranslations)
    in_scripts: Mapping[str, str] = field(default_factory=dict)
    """The sentences of scripts, by the English ones."""

    @property
    def direction(self) -> str:
        """Where lines begin: "ltr" or "rtl"."""
        locale = locale_of(self.name)
        return "ltr" if locale is None else locale.text_direction

    @property
    def title(self) -> str:
        """The name of the language in itself."""
        locale = locale_of(self.name)
        return (locale.get_display_name() if locale else None) or self.name


def locale_of(name: str) -> Locale | None:
    """Return what is known of a language; None where nothing is.

    >>> str(locale_of("pt-BR")), locale_of("nonsense")
    ('pt_BR', None)
    """
    try:
        return Locale.parse(name.replace("-", "_"))
    except (UnknownLocaleError, ValueError):
        return None


def tongues() -> Mapping[str, Tongue]:
    """Return all languages by name, English first; a folder that `MENSURA_LANGUAGES` names adds to those shipped."""
    return _tongues(os.environ.get(VARIABLE, ""))


@cache
def _tongues(more: str) -> Mapping[str, Tongue]:
    found = {ENGLISH: Tongue(ENGLISH)}
    for name, path in language_files():
        try:
            found[name] = _made(name, read_sentences(path))
        except (OSError, ValueError) as wrong:
            # Pages in other languages must be served all the same.
            log.warning("The language %s is left out: %s: %s", name, path, wrong)
    return MappingProxyType(found)


def read_sentences(path: Path) -> Catalog:
    """Read a file of sentences."""
    with path.open("rb") as file:
        return read_po(file, locale=None, abort_invalid=True)


def _made(name: str, catalog: Catalog) -> Tongue:
    packed = BytesIO()
    write_mo(packed, catalog)
    packed.seek(0)
    scripts = {
        str(message.id): str(message.string)
        for message in catalog
        if message.id and message.string and any(place.endswith(".js") for place, _ in message.locations)
    }
    return Tongue(name, Translations(packed), MappingProxyType(scripts))
