"""How this folder compiles: `lean` what makes no array, and `inlined` what is written into it."""

from pathlib import Path

from mensura.machine_code import compiler

compiled = compiler(Path(__file__).parent)
lean = compiler(Path(__file__).parent, counted=False)
inlined = compiler(Path(__file__).parent, inline=True, counted=False)
