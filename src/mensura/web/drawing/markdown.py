"""Markdown: what prompts say, as HTML. HTML inside it is shown, never run."""

from functools import cache, lru_cache
from typing import Any

from markupsafe import Markup


@lru_cache(maxsize=2048)
def markdown(text: str) -> Markup:
    """Turn Markdown into HTML.

    >>> markdown("Press **now**, <b>please</b>")
    Markup('<p>Press <strong>now</strong>, &lt;b&gt;please&lt;/b&gt;</p>\\n')
    """
    return Markup(_parser().render(text))


@cache
def _parser() -> Any:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False}).enable("table").enable("strikethrough")
    # Headings of a prompt stand below those of the page.
    parser.add_render_rule("heading_open", lambda self, tokens, i, options, env: f"<{_lower(tokens[i].tag)}>")
    parser.add_render_rule("heading_close", lambda self, tokens, i, options, env: f"</{_lower(tokens[i].tag)}>\n")
    parser.add_render_rule("link_open", _link)
    parser.add_render_rule("table_open", lambda self, tokens, i, options, env: TABLE)
    parser.add_render_rule("table_close", lambda self, tokens, i, options, env: "</table></div>\n")
    for cell in ("th_open", "td_open"):
        parser.add_render_rule(cell, _cell)
    return parser


TABLE = '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>\n'


def _lower(tag: str) -> str:
    return f"h{min(int(tag[1]) + 1, 6)}"


def _link(self: Any, tokens: Any, i: int, options: Any, env: Any) -> str:
    """Open links beside the test, which must not be lost by a click, and without telling where they were met."""
    tokens[i].attrSet("target", "_blank")
    tokens[i].attrSet("rel", "noopener noreferrer")
    return str(self.renderToken(tokens, i, options, env))


def _cell(self: Any, tokens: Any, i: int, options: Any, env: Any) -> str:
    """Align by class: pages carry no inline styles."""
    align = str(tokens[i].attrs.pop("style", "")).removeprefix("text-align:")
    if align in ("right", "center"):
        tokens[i].attrSet("class", align)
    return str(self.renderToken(tokens, i, options, env))
