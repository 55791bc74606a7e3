"""Report of a calibration: the same tables and pictures as on the page, in one file."""

from collections.abc import Sequence

from mensura.exhibit import FileScores
from mensura.exhibit.response import measurement_exhibits
from mensura.stats.response.measurement import Measurement


def calibration_report(found: Measurement, *, sources: Sequence[str]) -> FileScores:
    """Gather what a report shows of a calibration."""
    return FileScores(
        title=f"Calibration of {', '.join(sources)}",
        answer=found.calibrated.sentence,
        exhibits=measurement_exhibits(found),
        remarks=found.remarks,
    )
