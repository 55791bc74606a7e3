"""Estimates: numbers with n, interval and method."""

from mensura.stats.bootstrap import bootstrap_estimate, clustered_bootstrap_estimate, record_generator
from mensura.stats.effect_size import hedges_g, paired_effect, superiority
from mensura.stats.estimate import Estimate, without_interval
from mensura.stats.finding import Finding
from mensura.stats.mean import mean_estimate, skewed_mean_estimate, t_estimate
from mensura.stats.multiplicity import Adjusted, benjamini_hochberg, holm
from mensura.stats.paired import PairedDifference, paired_difference
from mensura.stats.permutation import Permutation, paired_permutation, two_sample_permutation
from mensura.stats.proportion import proportion_estimate
from mensura.stats.sessions import summarise

__all__ = [
    "Adjusted",
    "Estimate",
    "Finding",
    "PairedDifference",
    "Permutation",
    "benjamini_hochberg",
    "bootstrap_estimate",
    "clustered_bootstrap_estimate",
    "hedges_g",
    "holm",
    "mean_estimate",
    "paired_difference",
    "paired_effect",
    "paired_permutation",
    "proportion_estimate",
    "record_generator",
    "skewed_mean_estimate",
    "summarise",
    "superiority",
    "t_estimate",
    "two_sample_permutation",
    "without_interval",
]
