"""Many subjects as arrays: people, runs of a model, or both kinds of simulated ones."""

from mensura.catalog.sensemaking.people.cohort import Cohort, TaskAnswers, cohort_of
from mensura.catalog.sensemaking.people.reading import read_people

__all__ = ["Cohort", "TaskAnswers", "cohort_of", "read_people"]
