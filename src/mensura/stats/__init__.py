"""Estimates: numbers with n, interval and method."""

from mensura.stats.adaptivity.arms import Transfer, branched_transfer, transfer
from mensura.stats.adaptivity.curve import LearningCurve, learning_curve
from mensura.stats.adaptivity.forgetting import Forgetting, forgetting
from mensura.stats.comparisons.difference import ScoreDifference, difference_estimate, score_difference
from mensura.stats.comparisons.effect_size import hedges_g, paired_effect, superiority
from mensura.stats.comparisons.equivalence import Equivalence, paired_equivalence, two_sample_equivalence
from mensura.stats.comparisons.multiplicity import Adjusted, benjamini_hochberg, holm
from mensura.stats.comparisons.paired import PairedDifference, paired_difference
from mensura.stats.comparisons.permutation import Permutation, paired_permutation, two_sample_permutation
from mensura.stats.comparisons.sequential import Boundaries, spending_boundaries
from mensura.stats.comparisons.two_sample import (
    PairwiseDifferences,
    TwoSampleDifference,
    pairwise_differences,
    two_sample_difference,
)
from mensura.stats.consistency.agreement import Agreement, cohen_kappa, krippendorff_alpha
from mensura.stats.consistency.intraclass import intraclass_correlation
from mensura.stats.consistency.reliability import Reliability, cronbach_alpha
from mensura.stats.detection_theory import Detection, detection_estimate
from mensura.stats.epochs import Reducer, pass_at_k, read_reducer
from mensura.stats.estimate import Estimate, without_interval
from mensura.stats.finding import Finding
from mensura.stats.generalise import estimate_score, unit_estimate
from mensura.stats.intervals.bootstrap import (
    bootstrap_estimate,
    clustered_bootstrap_estimate,
    record_generator,
    resampled_estimate,
)
from mensura.stats.intervals.bounded import bounded_interval, rule_of_three
from mensura.stats.intervals.combined import combined_proportions
from mensura.stats.intervals.half_bounded import half_bounded_interval
from mensura.stats.intervals.mean import mean_estimate, skewed_mean_estimate, t_estimate
from mensura.stats.intervals.proportion import proportion_estimate
from mensura.stats.intervals.ratio import ratio_estimate
from mensura.stats.intervals.spread import sd_estimate
from mensura.stats.intervals.tango import tango_interval
from mensura.stats.intervals.total import total_estimate
from mensura.stats.judged import JudgedScore, judged_score
from mensura.stats.models.chi_squared import Association, Fit, chi_squared, goodness_of_fit
from mensura.stats.observations import Observations
from mensura.stats.population import POPULATIONS, default_population, read_population, sentence_of
from mensura.stats.power import (
    Power,
    detectable_difference,
    power_of_difference,
    sample_size,
    sample_size_from_pilot,
)
from mensura.stats.proportion_rule import (
    ProportionPower,
    ProportionRule,
    critical_count,
    proportion_power,
    proportion_sample_size,
    proportion_test,
)
from mensura.stats.scale import Scale
from mensura.stats.survival import KaplanMeier, LogRank, Survival, log_rank, survival_estimate

__all__ = [
    "POPULATIONS",
    "Adjusted",
    "Agreement",
    "Association",
    "Boundaries",
    "Detection",
    "Equivalence",
    "Estimate",
    "Finding",
    "Fit",
    "Forgetting",
    "JudgedScore",
    "KaplanMeier",
    "LearningCurve",
    "LogRank",
    "Observations",
    "PairedDifference",
    "PairwiseDifferences",
    "Permutation",
    "Power",
    "ProportionPower",
    "ProportionRule",
    "Reducer",
    "Reliability",
    "Scale",
    "ScoreDifference",
    "Survival",
    "Transfer",
    "TwoSampleDifference",
    "benjamini_hochberg",
    "bootstrap_estimate",
    "bounded_interval",
    "branched_transfer",
    "chi_squared",
    "clustered_bootstrap_estimate",
    "cohen_kappa",
    "combined_proportions",
    "critical_count",
    "cronbach_alpha",
    "default_population",
    "detectable_difference",
    "detection_estimate",
    "difference_estimate",
    "estimate_score",
    "forgetting",
    "goodness_of_fit",
    "half_bounded_interval",
    "hedges_g",
    "holm",
    "intraclass_correlation",
    "judged_score",
    "krippendorff_alpha",
    "learning_curve",
    "log_rank",
    "mean_estimate",
    "paired_difference",
    "paired_effect",
    "paired_equivalence",
    "paired_permutation",
    "pairwise_differences",
    "pass_at_k",
    "power_of_difference",
    "proportion_estimate",
    "proportion_power",
    "proportion_sample_size",
    "proportion_test",
    "ratio_estimate",
    "read_population",
    "read_reducer",
    "record_generator",
    "resampled_estimate",
    "rule_of_three",
    "sample_size",
    "sample_size_from_pilot",
    "score_difference",
    "sd_estimate",
    "sentence_of",
    "skewed_mean_estimate",
    "spending_boundaries",
    "superiority",
    "survival_estimate",
    "t_estimate",
    "tango_interval",
    "total_estimate",
    "transfer",
    "two_sample_difference",
    "two_sample_equivalence",
    "two_sample_permutation",
    "unit_estimate",
    "without_interval",
]
