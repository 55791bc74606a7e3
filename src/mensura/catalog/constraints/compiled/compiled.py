"""How this folder compiles: `lean` what makes no array, and `inlined` what is written into it."""

from pathlib import Path

from mensura.machine_code import compiler

FOLDER = Path(__file__).parent
compiled = compiler(FOLDER, extra="constraints")
lean = compiler(FOLDER, extra="constraints", counted=False)
inlined = compiler(FOLDER, extra="constraints", inline=True, counted=False)
