"""Studies: planned before the data, carried out, analysed as planned."""

from mensura.running.study.analysis.analysis import Analysis, analyse, exhibits_of
from mensura.running.study.conduct import (
    Progress,
    amend,
    conduct,
    progress_of,
    register,
    stored_study,
    unanswered,
)
from mensura.running.study.invite import Invited, invite
from mensura.running.study.plan import Cast, Cell, ExclusionRule, Hypothesis, Stopping, Study
from mensura.running.study.reading import make_study, read_study

__all__ = [
    "Analysis",
    "Cast",
    "Cell",
    "ExclusionRule",
    "Hypothesis",
    "Invited",
    "Progress",
    "Stopping",
    "Study",
    "amend",
    "analyse",
    "conduct",
    "exhibits_of",
    "invite",
    "make_study",
    "progress_of",
    "read_study",
    "register",
    "stored_study",
    "unanswered",
]
