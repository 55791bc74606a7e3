"""Page: a report as one self-contained HTML file that loads nothing from anywhere."""

from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from shlex import quote
from typing import Any

from mensura.report.content import Report, label_of
from mensura.report.figures import figures_of
from mensura.stats import Estimate


def html_page(report: Report) -> str:
    """Lay a report out as HTML: text, tables, pictures and styles in one file."""
    return str(
        _template("report.html").render(
            report=report,
            figures={section.test: figures_of(section.scores) for section in report.sections},
            label_of=label_of,
            written=datetime.fromtimestamp(report.written, tz=UTC).strftime("%Y-%m-%d %H:%M UTC"),
            style=(files("mensura.report") / "templates" / "report.css").read_text(),
        )
    )


def number(value: float) -> str:
    """Write a number for a table; an unknown one as a dash."""
    return "–" if value != value else f"{value:.3g}"


def interval(estimate: Estimate) -> str:
    """Write an interval for a table, or that it is unknown."""
    return f"{estimate.low:.3g} to {estimate.high:.3g}" if estimate.has_interval else "unknown"


@cache
def _environment() -> Any:
    from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

    environment = Environment(
        loader=PackageLoader("mensura.report"),
        autoescape=select_autoescape(),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"number": number, "interval": interval, "shell": quote}
    return environment


def _template(name: str) -> Any:
    return _environment().get_template(name)
