"""Both measurements, one after the other: `OPENBLAS_NUM_THREADS=1 python -m benchmarks puzzles`."""

from benchmarks.puzzles import making, measuring


def main() -> None:
    """Measure how fast puzzles are made, then how fast they are calibrated and chosen."""
    making.main()
    measuring.main()


if __name__ == "__main__":
    main()
