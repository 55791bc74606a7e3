"""All measurements, one after the other: `OPENBLAS_NUM_THREADS=1 python -m benchmarks analogy`."""

from benchmarks.analogy import optimality, speed


def main() -> None:
    """Measure speed and clones, then the gaps of greedy and improved to exact."""
    speed.main()
    optimality.main()


if __name__ == "__main__":
    main()
