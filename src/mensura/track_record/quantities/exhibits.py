"""Exhibits of quantities: whether bands hold what they claim, losses and scores, and where truths fell."""

from collections.abc import Sequence

from mensura.exhibit import Exhibit, Figure
from mensura.track_record import figures
from mensura.track_record.quantities.scoring import QuantityDiagnosis


def quantity_exhibits(diagnoses: Sequence[QuantityDiagnosis]) -> list[Exhibit]:
    """Show bands, losses and transforms; one set for files, ledgers, runs, comparisons and studies."""
    names = list(dict.fromkeys(name for one in diagnoses for name in one.losses))
    outside = [
        (one.name, one.n, one.coverage.outside, round(1 - one.coverage.claimed, 6), one.words) for one in diagnoses
    ]
    bands = Figure(
        lambda: figures.band_chart({one.name: one.coverage for one in diagnoses}),
        "Share of truths outside the stated band with its 95 % interval; the black mark is what the band allows.",
    )
    losses = [[one.name, one.n, *(one.losses.get(name) for name in names)] for one in diagnoses]
    shown = ["CRPS loss" if name == "crps_loss" else name.replace("_", " ") for name in names]
    return [
        Exhibit(
            "Do the bands hold what they claim?",
            "Students of whom the report R-1185 tells missed 40 % where 2 % should be.",
            ["forecaster", "n", "outside the band", "allowed", "in words"],
            outside,
            [bands],
        ),
        Exhibit(
            "Losses and scores",
            " ".join(
                [
                    "Losses are better when small, scores when large. Intervals are 95 %, for questions like these.",
                    *dict.fromkeys(one.density_words for one in diagnoses if one.density_words),
                ]
            ),
            ["forecaster", "n", *shown],
            losses,
        ),
        Exhibit("Where truths fell", _words(diagnoses), figures=[_transforms(one) for one in diagnoses]),
    ]


def _words(diagnoses: Sequence[QuantityDiagnosis]) -> str:
    words = (
        "Honest densities put truths evenly over their distributions; the grey stripe is where a column would lie 95 "
        "times in 100. Columns high at both ends mean bands that are too tight, high in the middle too wide."
    )
    for one in diagnoses:
        if one.forms:
            best = ", ".join(f"{form} {count}" for form, count in one.forms.items())
            words += (
                f" {one.name}: forms that fit the bins best are {best}; they lose {one.misfit:.3g} nats on average."
            )
    return words


def _transforms(one: QuantityDiagnosis) -> Figure:
    return Figure(lambda: figures.pit_chart(one.pit, title=one.name), f"Where truths fell in what {one.name} stated.")
