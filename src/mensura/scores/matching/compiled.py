"""How the loops of matching are compiled."""

from pathlib import Path

from mensura.machine_code import compiler

FOLDER = Path(__file__).parent
compiled = compiler(FOLDER, FOLDER / "assignment", extra="detection")
inlined = compiler(FOLDER, FOLDER / "assignment", extra="detection", inline=True)
