"""A small specialist reaches the norm of its kind and is not general: one kind says little about a mind."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from mensura.catalog.puzzles.cards.size import measure
from mensura.catalog.puzzles.files.digit_matrices import digit_matrices_lines, read_accuracies
from mensura.catalog.puzzles.files.line import read_line, write_lines
from mensura.catalog.puzzles.subjects import solver_class
from mensura.running.run import run
from mensura.store import open_store

KINDS = "number-series,letter-series,letter-string,mental-rotation,grid,matrix"
SIMULATED = "kind,right,asked\nmatrix,412,600\n"
"""Of nobody: counts of people on the same puzzles take its place where they are at hand."""


def people_norm(folder: Path) -> str:
    """Return the counts of people who chose answers to digit matrices (Webb, Holyoak & Lu 2023) as a norm."""
    rows = [row for row in read_accuracies(folder / "accuracy.csv") if row.who == "people"]
    return f"kind,right,asked\nmatrix,{sum(row.chosen for row in rows)},{sum(row.count for row in rows)}\n"


def specialist(data: Path | None = None, *, count: int = 60) -> dict[str, Any]:
    """Hold the solver of matrices against a norm in its kind, and let it take several kinds.

    Parameters
    ----------
    data
        A folder with `problems.json` and `accuracy.csv` of the digit matrices: the norm is then that of people on these
        problems. Without it the norm is simulated.
    """
    with TemporaryDirectory() as folder, open_store(f"{folder}/runs.db") as store:
        norm, bank = Path(folder) / "norm.csv", Path(folder) / "digits.jsonl"
        norm.write_text(people_norm(data) if data else SIMULATED)
        own_kind: dict[str, Any] = {"kinds": "matrix", "count": count, "norm": str(norm)}
        if data:
            write_lines((read_line(line) for line in digit_matrices_lines(data / "problems.json")), bank)
            own_kind["bank"] = str(bank)
        found = run("puzzles", "raven", store=store, seed=1, parameters=own_kind).as_json()
        general = run("puzzles", "raven", store=store, seed=2, parameters={"kinds": KINDS, "count": count})
    own, size = found["by_kind"]["matrix"], measure(solver_class("raven"))
    return {
        "lines": size.lines,
        "bits": size.bits,
        "accuracy": own["accuracy"],
        "interval": own["interval"],
        "norm": found["norm"]["matrix"]["accuracy"],
        "who": "people on the same problems" if data else "simulated",
        "generality": general.scores["generality"],
    }


if __name__ == "__main__":
    told = specialist(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
    print(f"{told['lines']} lines solve {told['accuracy']:.2f} of the matrices.")
    print(f"The norm ({told['who']}) is {told['norm']:.2f}.")
    print(f"Generality over {KINDS.count(',') + 1} kinds: {told['generality']}.")
