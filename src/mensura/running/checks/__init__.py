"""The conformance kit's checks, one noun per file; each takes a `Trial` and gives a `Check`."""

from mensura.running.checks.batch import check_batch
from mensura.running.checks.chance import check_chance_level
from mensura.running.checks.check import Check
from mensura.running.checks.clock import check_clock
from mensura.running.checks.declared import check_scores_declared
from mensura.running.checks.ending import check_declines, check_ends
from mensura.running.checks.fitting import check_truth_fits
from mensura.running.checks.golden import check_golden, write_golden
from mensura.running.checks.invalid import check_invalid_refused
from mensura.running.checks.leak.reaching import check_reach
from mensura.running.checks.leak.telling import check_nothing_tells, check_timing
from mensura.running.checks.leak.truth import check_truth_hidden
from mensura.running.checks.replaying import check_replays_alike
from mensura.running.checks.saving import check_saves
from mensura.running.checks.speed import check_world_speed
from mensura.running.checks.trial import Trial

__all__ = [
    "Check",
    "Trial",
    "check_batch",
    "check_chance_level",
    "check_clock",
    "check_declines",
    "check_ends",
    "check_golden",
    "check_invalid_refused",
    "check_nothing_tells",
    "check_reach",
    "check_replays_alike",
    "check_saves",
    "check_scores_declared",
    "check_timing",
    "check_truth_fits",
    "check_truth_hidden",
    "check_world_speed",
    "write_golden",
]
