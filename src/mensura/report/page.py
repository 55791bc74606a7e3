"""Page: a report as one self-contained HTML file that loads nothing from anywhere."""

from functools import cache
from importlib.resources import files
from typing import Any

from mensura.report.content import Report
from mensura.store.text import moment


def html_page(report: Report, *, folded: bool = True) -> str:
    """Lay a report out as HTML: text, tables, pictures and styles in one file; `folded` off opens all of it."""
    template = _environment().get_template("report.html")
    return str(
        template.render(
            report=report,
            folded=folded and len(report.sections) > 1,
            written=moment(report.written),
            style=(files("mensura.report") / "templates" / "report.css").read_text(),
        )
    )


@cache
def _environment() -> Any:
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined, select_autoescape

    return Environment(
        loader=ChoiceLoader([PackageLoader("mensura.report"), PackageLoader("mensura.exhibit")]),
        autoescape=select_autoescape(),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
