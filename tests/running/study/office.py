"""Office: a small study with people in cohorts, and those who apply to it."""

from mensura.running.study.cohorts import plan_cohorts
from mensura.running.study.procedure import Procedure
from mensura.running.study.recruiting import Applicant, enrol

SLOTS = tuple(f"2027-03-{day:02d} {hour}" for day in range(1, 4) for hour in ("09:00", "14:00"))
PROCEDURE = {
    "criteria": [{"key": "adult", "text": "Are you 18 to 65?"}, {"key": "staff", "text": "Staff?", "admits": False}],
    "cohorts": {"size": 2, "per_condition": 4, "spares": 1, "slots": list(SLOTS)},
    "instruction": ["First page.", "Second page."],
    "pay": {"per_half_hour": 10, "milestones": {"schedule": 12, "briefing": 4}},
    "answers": ["That information is available to you."],
    "exclude_for": ["sleeping"],
    "consider_for": ["long idle"],
}


def cohorts_of(study):
    return plan_cohorts(["few", "many"], Procedure.read(study.procedure).cohorts, seed=3)


def apply(study, store, *, cohort=1, contact="ann@example.org", adult=True, staff=False):
    applicant = Applicant("Ann", contact, {"adult": adult, "staff": staff})
    procedure = Procedure.read(study.procedure)
    return enrol(study, procedure, cohorts_of(study), applicant, cohort=cohort, store=store)
