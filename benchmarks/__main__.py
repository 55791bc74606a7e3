"""Run every benchmark, or those named: `python -m benchmarks dialogue store`."""

import sys
from importlib import import_module
from pathlib import Path

FOLDER = Path(__file__).parent


def main() -> None:
    """Run the benchmarks one after the other; each prints its own table."""
    known = sorted(path.parent.name for path in FOLDER.glob("*/__main__.py"))
    # Coverage is simulated for minutes and writes a page of the docs: it is run by its own name.
    for name in sys.argv[1:] or [name for name in known if name != "coverage"]:
        if name not in known:
            sys.exit(f"There is no benchmark called {name!r}; there are {', '.join(known)}.")
        print(f"\n# {name}")
        import_module(f"benchmarks.{name}.__main__").main()


if __name__ == "__main__":
    main()
