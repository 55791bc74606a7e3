"""Source: where Python code of a user's own is, a file or a module and a name in it."""

import ast
import importlib
import importlib.util
import sys
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from mensura.errors import BadFile, unknown


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
        """Whether it is a file rather than an importable module."""
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
        module = self._module()
        if not hasattr(module, self.name):
            known = [name for name in vars(module) if not name.startswith("_")]
            see = f"It has {', '.join(sorted(known)) or 'no names'}."
            raise unknown(f"name in {Path(self.place).name}", self.name, known=known, see=see)
        return getattr(module, self.name)

    def _module(self) -> Any:
        if not self.is_file:
            return importlib.import_module(self.place)
        path = Path(self.place)
        # Two files may share a name; the module must not.
        title = f"{path.stem}_{sha256(str(path).encode()).hexdigest()[:8]}"
        if title in sys.modules:
            return sys.modules[title]
        spec = importlib.util.spec_from_file_location(title, path)
        if spec is None or spec.loader is None or not path.is_file():
            raise BadFile(f"{path} cannot be read as Python.")
        if str(path.parent) not in sys.path:
            sys.path.insert(0, str(path.parent))
        module = importlib.util.module_from_spec(spec)
        sys.modules[title] = module
        try:
            spec.loader.exec_module(module)
        except BaseException:
            del sys.modules[title]
            raise
        return module


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
