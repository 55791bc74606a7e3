"""Pages of an instrument from templates of its own folder: one HTML file each, which loads nothing from anywhere."""

import re
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any


def template_page(package: str, template: str, **shown: Any) -> str:
    """Return the page of a template in a package's `templates`; everything shown is escaped, None reads `not scored`.

    These are pages of what was computed of documents. Results of a test are exhibits, which the report lays out.
    """
    return str(_environment(package).get_template(template).render(**shown))


def template_asset(package: str, name: str) -> str:
    """Return a style or script from the folder of a package's templates."""
    return (files(package) / "templates" / name).read_text(encoding="utf-8")


def inline(words: str) -> str:
    """Return a sentence as HTML: what is in backticks as code, what is between asterisks stressed.

    >>> inline("Type `ls <x>`, **now**.")
    'Type <code>ls &lt;x&gt;</code>, <b>now</b>.'
    """
    shown = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(words))
    return re.sub(r"\*([^*]+)\*", r"<i>\1</i>", re.sub(r"\*\*([^*]+)\*\*", r"<b>\1</b>", shown))


@cache
def _environment(package: str) -> Any:
    from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
    from markupsafe import Markup

    made = Environment(
        loader=PackageLoader(package),
        autoescape=select_autoescape(),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["inline"] = lambda words: Markup(inline(words))
    made.filters["three"] = lambda value: "not scored" if value is None else f"{value:.3f}"
    return made
