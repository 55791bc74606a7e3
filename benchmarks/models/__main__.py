"""Run the benchmarks of models, or those named: `python -m benchmarks models items`."""

import sys
from importlib import import_module
from pathlib import Path

FOLDER = Path(__file__).parent


def main(*named: str) -> None:
    """Run the benchmarks of this folder one after the other; each is a file with a `main` that prints its table."""
    known = sorted(path.stem for path in FOLDER.glob("*.py") if not path.stem.startswith("_"))
    for name in named or known:
        if name not in known:
            sys.exit(f"There is no benchmark called {name!r} here; there are {', '.join(known)}.")
        import_module(f"benchmarks.models.{name}").main()


if __name__ == "__main__":
    main(*sys.argv[1:])
