"""The report of scored forecasters: one self-contained HTML page a decision maker can read."""

from math import isnan
from pathlib import Path
from typing import Any

from mensura.catalog.forecasting import figures
from mensura.catalog.forecasting.calibration.diagnosis import Diagnosis
from mensura.catalog.forecasting.files.record import TrackRecord
from mensura.catalog.forecasting.files.scoring import Scored
from mensura.catalog.forecasting.files.strict import write_json
from mensura.catalog.forecasting.files.summary import in_short
from mensura.catalog.forecasting.files.timelines import Timeline
from mensura.catalog.forecasting.quantities.scoring import ScoredQuantities
from mensura.exhibit.look import as_svg
from mensura.scores.rule import rule
from mensura.stats import Estimate

PICTURED = 12
"""So many forecasters get pictures of their own: those with the most questions."""


def write_report(scored: Scored, path: str | Path, *, quantities: ScoredQuantities | None = None) -> None:
    """Write the tables and pictures of scored forecasters to one HTML file that needs nothing else."""
    Path(path).write_text(render(scored, quantities=quantities), encoding="utf-8")


def write_record(record: TrackRecord, path: str | Path) -> None:
    """Write a track record alone, as HTML or, where the name ends in .json, as JSON."""
    if Path(path).suffix == ".json":
        told = {"rule": record.rule, "questions": record.questions, "track_record": record.as_json()}
        Path(path).write_text(write_json(told), encoding="utf-8")
        return
    page = draw("record.html", record=record, charts=_record_charts(record))
    Path(path).write_text(page, encoding="utf-8")


def draw(template: str, **shown: Any) -> str:
    """Draw one of the pages of reports."""
    from jinja2 import Environment, PackageLoader, select_autoescape

    environment = Environment(
        loader=PackageLoader("mensura.catalog.forecasting", "pages"), autoescape=select_autoescape(default=True)
    )
    environment.filters |= {"short": _short, "interval": _interval, "give_or_take": _give_or_take}
    return environment.get_template(template).render(**shown)


def render(scored: Scored, *, quantities: ScoredQuantities | None = None) -> str:
    """Give the report as HTML; with forecasts of quantities in a part of their own, where there are some."""
    from markupsafe import Markup

    best = sorted(scored.diagnoses, key=lambda d: (-d.score.value, d.name))
    pictured = sorted(sorted(best, key=lambda d: -d.n)[:PICTURED], key=best.index)
    several = best[:40]
    normalised = {name: rule(name, normalised=True) for name in ("log", "quadratic")}
    pictures = {
        "scores": figures.score_chart(several),
        "losses": figures.loss_chart(several),
        "information": figures.information_chart(best),
        "gains": figures.gain_chart(normalised | {"absolute prediction": rule("absolute")}),
    }
    return draw(
        "report.html",
        scored=scored,
        short=in_short(scored),
        best=best,
        timed=any(not isnan(diagnosis.coverage) for diagnosis in best),
        pictures={name: Markup(as_svg(chart)) for name, chart in pictures.items()},
        pictured=[(diagnosis, _own_pictures(diagnosis)) for diagnosis in pictured],
        left=len(best) - len(pictured),
        charts=_record_charts(scored.record) if scored.record else {},
        quantities=None if quantities is None else quantity_parts(quantities),
        timelines=[Markup(as_svg(_timeline(line))) for line in scored.timelines],
    )


def quantity_parts(scored: ScoredQuantities) -> dict[str, Any]:
    """Give what the part on quantities shows."""
    from markupsafe import Markup

    return {
        "scored": scored,
        "pictured": [
            (one, Markup(as_svg(figures.pit_chart(one.pit, title="Where truths fell")))) for one in scored.diagnoses
        ],
        "bands": Markup(as_svg(figures.band_chart({one.name: one.coverage for one in scored.diagnoses}))),
        "names": list(dict.fromkeys(name for one in scored.diagnoses for name in one.losses)),
    }


def _record_charts(record: TrackRecord) -> dict[str, Any]:
    from markupsafe import Markup

    drawn = {name: [cell for cell in cells if cell.score] for name, cells in record.cells.items()}
    return {name: Markup(as_svg(figures.record_chart(cells))) for name, cells in drawn.items() if cells}


def _own_pictures(diagnosis: Diagnosis) -> list[Any]:
    from markupsafe import Markup

    charts = [
        figures.validity_chart(diagnosis.calibrated.points(), line=diagnosis.realism, title="External validity"),
        figures.discrimination_chart(diagnosis, title="Discrimination"),
    ]
    if len(diagnosis.total.curve[0]) > 1:
        charts.append(figures.total_chart(diagnosis.total, title="Total score expected, and the one that came"))
    return [Markup(as_svg(chart)) for chart in charts]


def _timeline(line: Timeline) -> Any:
    return figures.timeline_chart(
        {name: [(time - line.opened, p) for time, p in steps] for name, steps in line.standing.items()},
        resolved=line.resolved - line.opened,
        outcome=1.0,
        unit="since opening",
        title=f"{line.question}: probability of {line.option}, which came true"[:90],
    )


def _interval(estimate: Estimate) -> str:
    return f"{_short(estimate.low)} to {_short(estimate.high)}" if estimate.has_interval else "no interval"


def _give_or_take(value: float, error: float) -> str:
    if isnan(value):
        return "unknown"
    return _short(value) if isnan(error) else f"{_short(value)} ± {_short(error, 2)}"


def _short(value: float | None, digits: int = 3) -> str:
    if value is None or isnan(value):
        return "unknown"
    return f"{value:.{digits}g}".replace("inf", "∞").replace("-", "−")
