"""The one way this folder compiles."""

from pathlib import Path

from mensura.machine_code import compiler

FOLDERS = tuple(Path(__file__).parents[1] / name for name in ("batch", "environment"))
"""Where all that is compiled stands, with all that it calls."""

compiled = compiler(*FOLDERS)
