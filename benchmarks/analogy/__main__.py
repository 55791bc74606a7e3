"""Speed, clones, distance from the optimum, coverage: `OPENBLAS_NUM_THREADS=1 python -m benchmarks analogy`.

Parts may be named: speed, clones, optimality, panel. Seconds are processor time of one thread.
"""

from benchmarks.analogy import clones, optimality, panel, speed

PARTS = {"speed": speed, "clones": clones, "optimality": optimality, "panel": panel}


def main(*parts: str) -> None:
    """Run all parts, or those named."""
    for name in parts or PARTS:
        PARTS[name].main()


if __name__ == "__main__":
    main()
