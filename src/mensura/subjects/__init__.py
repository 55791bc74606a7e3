"""Subjects take tests: anything that maps an ask to an answer, in this process or outside it."""

from mensura.subjects.callable import as_subject
from mensura.subjects.chance import Chance
from mensura.subjects.constant import Constant
from mensura.subjects.guard import failure, guarded
from mensura.subjects.outside.bounds import Bounds
from mensura.subjects.sandbox.confinement import Confinement
from mensura.subjects.spec import SubjectSpec, find_subject
from mensura.subjects.subject import Subject, name_of

__all__ = [
    "Bounds",
    "Chance",
    "Confinement",
    "Constant",
    "Subject",
    "SubjectSpec",
    "as_subject",
    "failure",
    "find_subject",
    "guarded",
    "name_of",
]
