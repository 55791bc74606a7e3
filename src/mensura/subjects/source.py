"""Source: where Python code of a user's own is, a file or a module and a name in it."""

import ast
import importlib
import importlib.util
import re
import sys
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from types import ModuleType
from typing import Any

from mensura.dialogue.canonical import short_hash
from mensura.errors import BadFile, raised, unknown


@dataclass(frozen=True)
class Source:
    """A name in a file (`./mine.py:respond`) or in a module (`package.module:name`)."""

    place: str
    name: str

    @classmethod
    def read(cls, text: str, *, folder: str | Path = ".") -> "Source":
        """Read `place:name`; files are meant from a folder.

        >>> Source.read("package.module:name")
        Source(place='package.module', name='name')
        """
        place, _, name = text.rpartition(":")
        if place.endswith(".py"):
            place = str(Path(folder, Path(place).expanduser()).resolve())
        return cls(place, name)

    @property
    def is_file(self) -> bool:
        """Return whether it is a file rather than an importable module."""
        return self.place.endswith(".py")

    def check(self) -> None:
        """Raise a sentence where the file or the name is not there, without running the file."""
        if not self.is_file:
            return
        try:
            tree = ast.parse(Path(self.place).read_text(encoding="utf-8"))
        except OSError as error:
            raise BadFile(f"{self.place} cannot be read: {error.strerror}.") from None
        except (SyntaxError, ValueError) as error:
            raise BadFile(f"{self.place} is not Python: {error}.") from None
        names = _top_names(tree)
        if names is not None and self.name not in names:
            see = f"It has {', '.join(sorted(names)) or 'no names'}."
            raise unknown(f"name in {Path(self.place).name}", self.name, known=sorted(names), see=see)

    def load(self) -> Any:
        """Run the file or import the module, and give what the name stands for."""
        module = load_module(self.place)
        if not hasattr(module, self.name):
            known = [name for name in vars(module) if not name.startswith("_")]
            see = f"It has {', '.join(sorted(known)) or 'no names'}."
            raise unknown(f"name in {Path(self.place).name}", self.name, known=known, see=see)
        return getattr(module, self.name)


def load_module(place: str) -> ModuleType:
    """Run a Python file, or import a module by its name."""
    return load_file(place) if place.endswith(".py") else importlib.import_module(place)


def load_file(path: str | Path) -> ModuleType:
    """Run a Python file as a separate module; again when it, or what it imported from beside it, has changed.

    Raises
    ------
    BadFile
        If it cannot be read or run; the message says in which line.
    """
    place = Path(path).expanduser().resolve()
    try:
        content = place.read_bytes()
    except OSError as error:
        raise BadFile(f"{path} cannot be read: {error.strerror}. Check the path.") from None
    # The content is part of the module's name, so a changed file is a new module and an unchanged one is run once.
    digest = blake2b(str(place).encode() + b"\0" + content, digest_size=8).hexdigest()
    name = f"{place.stem}_{digest}"
    if name in sys.modules and all(_stamp(file) == stamp for file, stamp in _beside[name].items()):
        return sys.modules[name]
    _forget_others(place.parent)
    spec = importlib.util.spec_from_file_location(name, place)
    if spec is None or spec.loader is None:
        raise BadFile(f"{path} is not a Python file.")
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    # What the file imports from beside itself must be found, as when Python runs it.
    sys.path.insert(0, str(place.parent))
    writes, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        # Compiled here, not by the loader: its cache goes by whole seconds and misses a quick second change.
        exec(compile(content, str(place), "exec"), module.__dict__)
    except Exception as error:
        del sys.modules[name]
        raise BadFile(f"{path} cannot be run: it {raised(error)}") from error
    finally:
        sys.dont_write_bytecode = writes
        sys.path.remove(str(place.parent))
    _beside[name] = {file: _stamp(file) for file in _imported_from(place.parent).values()}
    return module


def files_named(name: str) -> list[str]:
    """Return the files that the name of a subject holds, in brackets and options too; the name itself where none does.

    >>> files_named("solve:few-shot(./mine.py:respond)#examples=shots.jsonl"), files_named("./mine.py:respond#bias=1")
    (['./mine.py:respond', 'shots.jsonl'], ['./mine.py:respond#bias=1'])
    """
    inside = re.findall(r"[\w./~-]+\.(?:py:\w+|jsonl\b)", name) if "(" in name or "+" in name else []
    return inside or [name]


def file_digest(name: str, *, folder: str | Path = ".") -> str:
    """Hash the file that a test or subject is in, and what it imports from beside it; empty where it is in none."""
    path = Path(name.rpartition(":")[0] if ".py:" in name else name).expanduser()
    if not path.suffix and "/" not in name:
        return ""
    waiting, contents = [Path(folder, path)], {}
    for file in waiting:
        if file.name in contents or not file.is_file():
            continue
        contents[file.name] = file.read_bytes().decode("utf-8", "replace")
        for word in re.findall(r"^\s*(?:from|import)\s+([\w, ]+)", contents[file.name], re.M):
            waiting += [file.with_name(f"{title.split()[0]}.py") for title in word.split(",") if title.split()]
    return short_hash(contents) if contents else ""


_beside: dict[str, dict[str, tuple[int, int]]] = {}
"""Module → the files beside its own that were imported when it had been run, and how they stood."""


def _imported_from(folder: Path) -> dict[str, str]:
    """List the modules that were imported from a folder by their plain names, with their files."""
    files = {title: getattr(module, "__file__", None) or "" for title, module in list(sys.modules.items())}
    return {title: file for title, file in files.items() if file == str(folder / f"{title}.py")}


def _forget_others(folder: Path) -> None:
    """Forget what was imported from beside a file before, here or in another folder: it may have changed since."""
    earlier = {file for files in _beside.values() for file in files}
    for title, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if file in earlier and (folder / f"{title}.py").is_file():
            del sys.modules[title]


def _stamp(file: str) -> tuple[int, int]:
    try:
        standing = Path(file).stat()
    except OSError:
        return 0, 0
    return standing.st_mtime_ns, standing.st_size


def _top_names(tree: ast.Module) -> set[str] | None:
    """List the names that a file defines; None where only running it can say."""
    names: set[str] = set()
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
        elif isinstance(node, ast.Assign):
            names |= {part.id for target in node.targets for part in ast.walk(target) if isinstance(part, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
        elif not isinstance(node, (ast.Expr, ast.Pass, ast.Assert)):
            return None
    return None if "*" in names else names
