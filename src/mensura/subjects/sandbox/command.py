"""Command: the words that start a program, and what of the file system belongs to it."""

import os
import shlex
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from mensura.errors import BadParameter

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store")
"""Where programs and libraries of the machine are."""
SHARED = ("/", "/tmp", "/var", "/var/tmp", "/etc", "/proc", "/sys", "/dev", "/run", "/boot")
"""Folders that are nobody's own: of a file that lies right in one, only the file is shown."""
LIBRARIES = ("bin", "lib", "lib64", "libexec")


@dataclass(frozen=True)
class Command:
    """Words that start a program, meant from a folder; they can be run from any other.

    Parameters
    ----------
    own
        The subject's own file, where it is not among the words.
    needs
        Folders of the machine that it cannot start without.
    """

    words: tuple[str, ...]
    folder: Path
    own: Path | None = None
    needs: tuple[Path, ...] = ()

    @classmethod
    def read(cls, given: str | Sequence[str], *, folder: str | Path) -> "Command":
        """Read words, or one text that is split as a shell would, and make those absolute that name files."""
        try:
            words = shlex.split(given) if isinstance(given, str) else list(given)
        except ValueError as error:
            raise BadParameter(f"The command {given!r} cannot be split into words: {error}.") from None
        if not words:
            raise BadParameter("A program needs a command: program:node agent.js")
        place = Path(folder).resolve()
        first = shutil.which(words[0]) or shutil.which(str(place / words[0])) or words[0]
        return cls((first, *(_located(word, place) for word in words[1:])), place)

    def __str__(self) -> str:
        return shlex.join(self.words)

    @property
    def files(self) -> list[Path]:
        """Return the files named outside the system's folders, by real path: the subject's own file first."""
        named = [_path(word) for word in self.words if "/" in word]
        found = [path.resolve() for path in named if path.is_absolute() and _exists(path)]
        own = [] if self.own is None else [self.own.resolve()]
        return [*own, *(path for path in found if not _of_system(path) and not _is_tool(path))]

    @property
    def folders(self) -> list[Path]:
        """The subject's own folder, and whatever else its words name: what it may read."""
        home = self.folder.resolve()
        shown: list[Path] = []
        for path in self.files:
            if not shown:
                inside = self.own is None and path.is_relative_to(home)
                folder = home if inside else path if path.is_dir() else path.parent
                shown.append(path if str(folder) in SHARED else folder)
            elif not any(path.is_relative_to(one) for one in shown):
                shown.append(path)
        return shown

    @property
    def prefixes(self) -> list[Path]:
        """Where the program itself and its interpreter are installed, outside the system's own folders."""
        found = list(self.needs)
        for program in _interpreters(Path(self.words[0])):
            if not _of_system(program):
                found += _prefix(program)
        return list(dict.fromkeys(found))


def _located(word: str, folder: Path) -> str:
    """Make a word absolute that names a file; a bare name that is only a folder's may mean anything."""
    option, equals, value = word.partition("=") if word.startswith("-") else ("", "", word)
    name, colon, member = value.partition(":")
    path = folder / name
    if not name or name.startswith(("/", "-")) or not _exists(path) or (path.is_dir() and "/" not in name):
        return word
    return f"{option}{equals}{os.path.normpath(path)}{colon}{member}"


def _path(word: str) -> Path:
    """Take the path out of a word such as `--model=/path`, or `/mine.py:respond`, as Python names its own."""
    return Path(word[word.find("/") :] if word.startswith("-") else word.partition(":")[0])


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        # A whole program can be a word too, and be longer than any name.
        return False


def _of_system(path: Path) -> bool:
    return any(path.is_relative_to(folder) for folder in SYSTEM)


def _is_tool(path: Path) -> bool:
    """Return whether a file is a program that was installed, rather than the subject's own."""
    return path.parent.name in ("bin", "shims") and os.access(path, os.X_OK)


def _interpreters(program: Path, depth: int = 3) -> Iterator[Path]:
    """Name a program, what it really is, and what it is interpreted by."""
    if not program.is_absolute() or not program.is_file():
        return
    real = program.resolve()
    yield from dict.fromkeys((program, real))
    try:
        with open(real, "rb") as file:
            start = file.readline(400)
    except OSError:
        return
    words = start[2:].decode(errors="replace").split() if start.startswith(b"#!") else []
    for word in words[:2] if depth else []:
        if (found := shutil.which(word)) is not None:
            yield from _interpreters(Path(found), depth - 1)


def _prefix(program: Path) -> list[Path]:
    """Return the folders in which a program is installed; of a user's folder for everything, only some."""
    folder = program.parent
    if folder.name not in ("bin", "shims"):
        return [folder] if str(folder) not in SHARED else [program]
    whole = folder.parent
    single = folder.name == "shims" or (whole / "pyvenv.cfg").exists() or not whole.name.startswith(".")
    if single and whole not in (Path.home(), Path("/")):
        return [whole]
    return [whole / name for name in LIBRARIES if (whole / name).is_dir()]
