"""Run every benchmark, those named (`python -m benchmarks dialogue web`), or parts (`... benchmarks models items`)."""

import sys
from importlib import import_module
from pathlib import Path

FOLDER = Path(__file__).parent


def main() -> None:
    """Run the benchmarks one after the other; each prints its own table."""
    known = sorted(path.parent.name for path in FOLDER.glob("*/__main__.py"))
    # Coverage is simulated for minutes and writes a page of the docs: it is run by its own name.
    wanted: list[tuple[str, list[str]]] = [] if sys.argv[1:] else [(name, []) for name in known if name != "coverage"]
    for word in sys.argv[1:]:
        if word in known:
            wanted.append((word, []))
        elif wanted:
            wanted[-1][1].append(word)
        else:
            sys.exit(f"There is no benchmark called {word!r}; there are {', '.join(known)}.")
    for name, parts in wanted:
        print(f"\n# {name}")
        import_module(f"benchmarks.{name}.__main__").main(*parts)


if __name__ == "__main__":
    main()
