"""Speaking: which language a page is drawn in, and its sentences in that language."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import Any

from babel import negotiate_locale
from markupsafe import Markup

from mensura.phrase import Sentence
from mensura.web.language.tongue import ENGLISH, Tongue, tongues

SPOKEN: ContextVar[Tongue | None] = ContextVar("spoken", default=None)


@contextmanager
def speaking(name: str) -> Iterator[Tongue]:
    """Draw pages in a language; English where it is not known."""
    known = tongues()
    tongue = known.get(name, known[ENGLISH])
    before = SPOKEN.set(tongue)
    try:
        yield tongue
    finally:
        SPOKEN.reset(before)


def spoken() -> Tongue:
    """Return the language of the page that is being drawn."""
    return SPOKEN.get() or tongues()[ENGLISH]


def chosen(invited: str, accepted: str) -> str:
    """Return the language for a visitor: that of the invitation, else the first that the browser asks for and we have.

    >>> chosen("", "fr;q=0.9, de-AT, en;q=0.5"), chosen("es", "de"), chosen("", "xx")
    ('de', 'es', 'en')
    """
    known = tongues()
    return invited if invited in known else _negotiated(accepted[:1000], tuple(known))


@lru_cache(maxsize=256)
def _negotiated(accepted: str, known: tuple[str, ...]) -> str:
    return negotiate_locale(_asked_for(accepted), known, sep="-") or ENGLISH


def translate(said: Any) -> Any:
    """Return a phrase in the language that is spoken; anything else is returned unchanged."""
    # An empty text leads to the head of a file of sentences.
    if not isinstance(said, Sentence) or not said.words:
        return said
    words = spoken().sentences.gettext(said.words)
    if not said.values:
        return words
    try:
        return words.format(**{name: translate(value) for name, value in said.values.items()})
    except (KeyError, IndexError, ValueError):
        # A translation with a wrong placeholder must not cost anyone their page.
        return str(said)


def translated(shown: Any) -> Any:
    """Translate the phrases in nested data."""
    if isinstance(shown, Mapping):
        return {name: translated(part) for name, part in shown.items()}
    return [translated(part) for part in shown] if isinstance(shown, (list, tuple)) else translate(shown)


def gettext(words: str) -> str:
    """Return a sentence of a template in the language that is spoken."""
    return spoken().sentences.gettext(words)


def say(words: str, **values: Any) -> Markup:
    """Return a sentence of a template as Jinja's own `_` does, by a shorter way: pages have many of them.

    >>> str(say("Questions? %(contact)s", contact="<ann>"))
    'Questions? &lt;ann&gt;'
    """
    return Markup(gettext(words)) % values


def ngettext(one: str, many: str, count: int) -> str:
    """Return a sentence with a number in it in the language that is spoken."""
    return spoken().sentences.ngettext(one, many, count)


def _asked_for(accepted: str) -> list[str]:
    """Read an Accept-Language header, the most wanted language first; nonsense is dropped."""
    found = []
    for place, part in enumerate(accepted.split(",")):
        name, _, more = part.strip().partition(";")
        try:
            weight = float(more.strip().removeprefix("q=")) if more else 1.0
        except ValueError:
            continue
        if name and weight > 0:
            found.append((-weight, place, name.strip()))
    return [name for *_, name in sorted(found)]
