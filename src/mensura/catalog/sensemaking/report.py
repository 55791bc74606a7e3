"""The page of an assessment: self-contained, nothing fetched."""

from pathlib import Path
from typing import TYPE_CHECKING

from mensura.catalog.sensemaking import figures
from mensura.errors import BadFile
from mensura.exhibit.look import as_svg

if TYPE_CHECKING:
    from mensura.catalog.sensemaking.scoring_run import ScoringRun


def write_report(found: "ScoringRun", path: Path) -> None:
    """Write an assessment as one HTML file."""
    try:
        path.write_text(report_page(found), encoding="utf-8")
    except OSError as error:
        raise BadFile(f"{path} cannot be written: {error.strerror or error}.") from error


def report_page(found: "ScoringRun") -> str:
    """Give the page as text."""
    from jinja2 import Environment, PackageLoader

    pages = Environment(loader=PackageLoader("mensura.catalog.sensemaking", "pages"), autoescape=True)
    assessment = found.assessment
    both = [assessment] if found.second is None else [assessment, found.second]
    charts = {
        "tasks": as_svg(figures.task_chart(both)),
        "direction": as_svg(figures.direction_chart(assessment)),
        "individuals": ""
        if found.individuals is None
        else as_svg(figures.individual_chart(found.individuals, cpa=float(assessment.scores.cpa))),
    }
    stages = {
        number: as_svg(figures.stage_chart(assessment, number)) for number in sorted(assessment.benchmark.normative)
    }
    return pages.get_template("report.html").render(found=found.as_json(), charts=charts, stages=stages)
