"""A standalone page: template, scripts, styles and data of a test in one HTML file, which needs no network."""

import re
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from typing import Any

from mensura.dialogue.canonical import canonical


def alone_page(
    package: str,
    template: str,
    *,
    scripts: Sequence[str],
    styles: Sequence[str],
    data: Any,
    title: str,
) -> str:
    """Return the page as HTML.

    Parameters
    ----------
    package
        The folder `pages` in it has the files.
    scripts
        Each after those that it needs; names at their top are the same in all of them.
    data
        What the scripts read from the element `.own-data`.
    """
    folder = files(package) / "pages"
    read = {name: (folder / name).read_text(encoding="utf-8") for name in (*scripts, *styles, template)}
    # In one script nothing is imported or exported.
    script = "\n".join(
        re.sub(r"^(import .*|export \{.*)$|^export ", "", read[name], flags=re.MULTILINE) for name in scripts
    )
    body = re.sub(r"\{#.*?#\}", "", read[template], flags=re.DOTALL)
    known = canonical(data).replace("<", "\\u003c")
    head = (
        f'<meta charset="utf-8"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{''.join(read[name] for name in styles)}</style>"
    )
    main = f'<main><h1>{escape(title)}</h1><div class="own">{body}'
    last = (
        f'<script type="application/json" class="own-data">{known}</script></div></main><script type="module">{script}'
    )
    return f'<!doctype html>\n<html lang="en"><head>{head}</head>\n<body>{main}{last}</script></body></html>\n'
