"""What forecasting shows on the tour: how often things happened that were given a probability."""

from mensura.exhibit.tour_stop import Guide, TourStop
from mensura.stats.wording import figure


def tour(take: Guide) -> TourStop:
    """Let a realistic and an overconfident forecaster answer, and draw the calibration of the second."""
    from mensura.catalog.forecasting.exhibits import exhibits

    groups = {name: take("forecasting-v1", name, sessions=2) for name in ("overvaluing", "realistic")}
    scores = {name: figure(group.estimates["logarithmic_score"].value) for name, group in groups.items()}
    shown = exhibits([groups["overvaluing"]])
    picture = next(one.figures[0] for one in shown if one.title.startswith("overvaluing"))
    return TourStop(
        "Forecasting: probabilities that pay",
        "A forecaster gives probabilities, is paid by a rule that rewards honesty, and learns how well they fit what "
        "happens.",
        f"A forecaster that overvalues what it knows earned {scores['overvaluing']} a question and a realistic one "
        f"{scores['realistic']}; knowing nothing and saying so earns 0.",
        picture.svg,
        picture.words,
        "mensura take forecasting --as human",
    )
