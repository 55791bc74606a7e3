"""Run every benchmark, those named (`python -m benchmarks dialogue web`), or parts (`... benchmarks models items`)."""

import ast
import sys
from importlib import import_module
from pathlib import Path

FOLDER = Path(__file__).parent


def main() -> None:
    """Run the benchmarks one after the other; each prints its own table."""
    known = sorted(path.parent.name for path in FOLDER.glob("*/__main__.py"))
    if {"-h", "--help"} & set(sys.argv[1:]):
        print(help_on([word for word in sys.argv[1:] if word in known] or known))
        return
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


def help_on(names: list[str]) -> str:
    """Return what can be run, of each benchmark with its parts."""
    lines = [str(__doc__), ""]
    for name in names:
        lines.append(f"{name:14} {_about(FOLDER / name / '__main__.py')}")
        parts = sorted(path for path in (FOLDER / name).glob("[!_]*.py") if "\ndef main(" in path.read_text())
        lines += [f"  {part.stem:12} {_about(part)}" for part in parts]
    return "\n".join(lines)


def _about(path: Path) -> str:
    return (ast.get_docstring(ast.parse(path.read_text())) or "").partition("\n")[0]


if __name__ == "__main__":
    main()
