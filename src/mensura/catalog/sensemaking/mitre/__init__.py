"""The file formats of the original software: exams, their tables, and response files."""

from mensura.catalog.sensemaking.mitre.exam_reading import find_exam, read_exam
from mensura.catalog.sensemaking.mitre.exam_writing import Reveal, write_exam
from mensura.catalog.sensemaking.mitre.response_reading import read_responses
from mensura.catalog.sensemaking.mitre.response_writing import write_responses

__all__ = ["Reveal", "find_exam", "read_exam", "read_responses", "write_exam", "write_responses"]
