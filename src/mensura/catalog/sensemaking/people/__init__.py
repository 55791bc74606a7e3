"""Many subjects as arrays: people, runs of a model, or both kinds of simulated ones."""

from mensura.catalog.sensemaking.people.answer_folder import read_people
from mensura.catalog.sensemaking.people.respondents import Respondents, TaskAnswers, respondents_of

__all__ = ["Respondents", "TaskAnswers", "read_people", "respondents_of"]
