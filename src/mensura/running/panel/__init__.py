"""Panels: raters score artefacts blind to condition, and how far they agree is reported."""

from mensura.running.panel.adjudication import Dispute, adjudicate, disputes, settle
from mensura.running.panel.agreement import ItemAgreement, PanelAgreement, agreement_of
from mensura.running.panel.applying import Applied, apply_panel
from mensura.running.panel.artefact import Artefact, session_artefacts
from mensura.running.panel.closing import close
from mensura.running.panel.judging.estimates import JudgedRun
from mensura.running.panel.judging.judge import JudgePanel, JudgePlan, judge_runs
from mensura.running.panel.opening import Opened, open_panel
from mensura.running.panel.raters.assignment import assign, share_out
from mensura.running.panel.raters.collecting import collect
from mensura.running.panel.raters.invite import RaterLink, invite_raters
from mensura.running.panel.raters.progress import PanelProgress, progress_of
from mensura.running.panel.raters.rate import rate
from mensura.running.panel.raters.rater import Rater
from mensura.running.panel.reading import PanelPlan, read_panel
from mensura.running.panel.results import FinalScore, PanelResults, results
from mensura.running.panel.screening import Screening, screen

__all__ = [
    "Applied",
    "Artefact",
    "Dispute",
    "FinalScore",
    "ItemAgreement",
    "JudgePanel",
    "JudgePlan",
    "JudgedRun",
    "Opened",
    "PanelAgreement",
    "PanelPlan",
    "PanelProgress",
    "PanelResults",
    "Rater",
    "RaterLink",
    "Screening",
    "adjudicate",
    "agreement_of",
    "apply_panel",
    "assign",
    "close",
    "collect",
    "disputes",
    "invite_raters",
    "judge_runs",
    "open_panel",
    "progress_of",
    "rate",
    "read_panel",
    "results",
    "screen",
    "session_artefacts",
    "settle",
    "share_out",
]
