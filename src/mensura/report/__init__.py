"""Reports: tables and pictures in one self-contained file."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from mensura.dialogue.canonical import plain
from mensura.errors import BadParameter
from mensura.text_file import write_text

if TYPE_CHECKING:
    from mensura.exhibit import FileScores
    from mensura.report.content import Report
    from mensura.store import Store

__all__ = ["write_file_report", "write_report", "write_report_of"]


def write_file_report(found: "FileScores", path: Path) -> Path:
    """Write what a scorer of files found, as .html, .md or .pdf, or as .json."""
    if path.suffix == ".json":
        return write_text(path, json.dumps(found.as_json(), ensure_ascii=False, indent=2, default=plain), private=True)
    from mensura.report.files import file_report

    return write_report(file_report(found), path)


def write_report_of(
    runs: Sequence[str], report: "Report", path: str | Path, *, store: "Store", again: str, who: str = "command line"
) -> Path:
    """Write a report, and note in the store that it holds these runs and which command writes it anew."""
    from mensura.store.people.copies import REPORTED

    written = write_report(report, path)
    named = list(dict.fromkeys(runs))
    store.copies.note(who, REPORTED, ", ".join(named), runs=named, places=[str(written.resolve())], again=again)
    return written


def write_report(report: "Report", path: str | Path) -> Path:
    """Write a report as .html, .md or .pdf, as the name of the file says."""
    target = Path(path)
    if target.suffix not in (".html", ".md", ".pdf"):
        raise BadParameter(f"A report is written as .html, .md or .pdf; got {str(target)!r}.")
    if target.suffix == ".md":
        from mensura.report.markdown import markdown_page

        return write_text(target, markdown_page(report), private=True)
    from mensura.report.page import html_page
    from mensura.report.paper import write_pdf

    html = html_page(report, folded=target.suffix == ".html")
    return write_text(target, html, private=True) if target.suffix == ".html" else write_pdf(html, target)
