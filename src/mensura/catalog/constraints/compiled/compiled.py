"""The one way this folder compiles."""

from pathlib import Path

from mensura.machine_code import compiler

compiled = compiler(Path(__file__).parent)
inlined = compiler(Path(__file__).parent, inline=True)
