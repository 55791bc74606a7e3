"""Pure functions on arrays that turn answers and truths into scores, one per item."""

from mensura.scores.absolute import absolute_payoffs, absolute_score
from mensura.scores.betting import betting_payoffs, house_payoffs
from mensura.scores.crps import (
    crps_ensemble,
    crps_histogram,
    crps_logistic,
    crps_lognormal,
    crps_normal,
    crps_quantiles,
)
from mensura.scores.density import (
    histogram_density,
    logarithmic_density_score,
    normal_density,
    quadratic_density_score,
)
from mensura.scores.divergence import entropy, information, jensen_shannon, kullback_leibler, total_variation
from mensura.scores.interval import interval_loss, quantile_loss, weighted_interval_loss
from mensura.scores.logarithmic import log_loss, logarithmic_payoffs, logarithmic_score, project
from mensura.scores.natural import natural
from mensura.scores.quadratic import brier_loss, multicategory_brier_loss, quadratic_payoffs, quadratic_score
from mensura.scores.ranked import ranked_probability_loss
from mensura.scores.rule import Rule, rule
from mensura.scores.spherical import spherical_payoffs, spherical_score

__all__ = [
    "Rule",
    "absolute_payoffs",
    "absolute_score",
    "betting_payoffs",
    "brier_loss",
    "crps_ensemble",
    "crps_histogram",
    "crps_logistic",
    "crps_lognormal",
    "crps_normal",
    "crps_quantiles",
    "entropy",
    "histogram_density",
    "house_payoffs",
    "information",
    "interval_loss",
    "jensen_shannon",
    "kullback_leibler",
    "log_loss",
    "logarithmic_density_score",
    "logarithmic_payoffs",
    "logarithmic_score",
    "multicategory_brier_loss",
    "natural",
    "normal_density",
    "project",
    "quadratic_density_score",
    "quadratic_payoffs",
    "quadratic_score",
    "quantile_loss",
    "ranked_probability_loss",
    "rule",
    "spherical_payoffs",
    "spherical_score",
    "total_variation",
    "weighted_interval_loss",
]
