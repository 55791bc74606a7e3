"""Axe: what a browser finds hard to use on a page."""

from pathlib import Path
from typing import Any

SCRIPT = Path(__file__).parent / "vendor" / "axe.min.js"
# Only what is counted leaves the browser: the whole report of a page takes longer to send than to make.
FIND = """() => axe.run(document, {resultTypes: ['violations']}).then((found) => found.violations
  .map((one) => `${one.id}: ${one.help} ${JSON.stringify(one.nodes.slice(0, 3).map((node) => node.target))}`))"""


def faults_of(page: Any) -> list[str]:
    """Name all that axe-core finds wrong on a page, whatever its weight."""
    # Evaluated by the debugger, which no policy of the page holds back.
    if not page.evaluate("'axe' in window"):
        page.evaluate(SCRIPT.read_text() + ";0")
    return page.evaluate(FIND)
