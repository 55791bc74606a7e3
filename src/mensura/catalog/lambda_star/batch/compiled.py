"""The one way this folder compiles."""

from pathlib import Path

from mensura.machine_code import Function, compiler

FOLDERS = tuple(Path(__file__).parents[1] / name for name in ("batch", "environment"))
"""Where all that is compiled stands, with all that it calls."""


def compiled(function: Function) -> Function:
    """Compile a function on its first call, and keep the machine code beside its file for the next process."""
    return compiler(*FOLDERS, extra="lambda-star")(function)
