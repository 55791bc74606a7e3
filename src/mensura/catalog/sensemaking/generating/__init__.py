"""New exams of the published design, from a seed."""

from mensura.catalog.sensemaking.generating.design import Design, read_design
from mensura.catalog.sensemaking.generating.generate import generate_exam, write_generated

__all__ = ["Design", "generate_exam", "read_design", "write_generated"]
