"""FileView: the part of the file system that a subject in a sandbox sees."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from mensura.subjects.sandbox.command import SYSTEM, Command
from mensura.subjects.sandbox.confinement import Confinement
from mensura.subjects.sandbox.records import HISTORIES, search_records

MOST_ENTRIES = 400
"""Each entry is a separate mount, and the time for them grows with the square of their number."""
Mount = tuple[str, ...]


@dataclass(frozen=True)
class FileView:
    """Shows a subject's own folders entry by entry, so that what is hidden is not there, nor what appears later."""

    command: Command
    confinement: Confinement = field(default_factory=Confinement)

    @property
    def whole(self) -> list[Path]:
        """Folders that are shown as they are: where the program is installed."""
        return [path for path in self.command.prefixes if path.exists()]

    @cached_property
    def own(self) -> list[Path]:
        """Return the folders shown entry by entry: the subject's own, and those that were opened to it."""
        return [*self.command.folders, *(Path(path).resolve() for path in self.confinement.allow)]

    @cached_property
    def masked(self) -> frozenset[Path]:
        """Everything that is hidden: what we were told, and what is found in the folders shown."""
        told = self.confinement.masked - set(self.command.files[:1])
        opened = [Path(path).resolve() for path in self.confinement.allow]
        found = set(told)
        for folder in self.own:
            if folder.is_dir():
                search = search_records(folder, known=told, leave=self.whole)
                found |= search.hidden | (search.unsearched if folder not in opened else set())
        return frozenset(path for path in found if path not in opened)

    def shows(self, path: Path) -> bool:
        """Return whether a path is seen from inside."""
        real = path.resolve()
        if any(real.is_relative_to(hidden) for hidden in self.masked):
            return False
        return any(real.is_relative_to(folder) for folder in (*map(Path, SYSTEM), *self.whole, *self.own))

    def mounts(self) -> list[str]:
        """Return the words that make bubblewrap show it."""
        mounts = [*self._installed(), *(mount for folder in self.own for mount in self._entries(folder, top=True))]
        # A folder before what lies in it, or it would cover it.
        mounts.sort(key=lambda mount: mount[-1].count("/"))
        closing = [("--remount-ro", mount[-1]) for mount in mounts if mount[0] == "--tmpfs"]
        return [word for mount in (*mounts, *closing) for word in mount]

    def _installed(self) -> Iterator[Mount]:
        for folder in self.whole:
            yield "--ro-bind", str(folder), str(folder)
        for path in self.masked:
            installed = any(path.is_relative_to(folder) for folder in (*self.whole, *map(Path, SYSTEM)))
            if installed and path.exists() and not any(path.is_relative_to(folder) for folder in self.own):
                yield _cover(path)

    def _entries(self, place: Path, *, top: bool = False) -> Iterator[Mount]:
        """Show a file as it is, and a folder entry by entry where something in it is hidden or may yet appear."""
        if place in self.masked:
            return
        beneath = [path for path in self.masked if path.is_relative_to(place)]
        # Nothing of a history appears beside it later, and there may be many: covering is one mount for each.
        histories = [path for path in beneath if path.name in HISTORIES]
        if not place.is_dir() or not (top or len(beneath) > len(histories)):
            yield "--ro-bind-try", str(place), str(place)
            yield from (_cover(path) for path in histories if path.exists())
            return
        entries = sorted(os.scandir(place), key=lambda entry: entry.name)
        if len(entries) > MOST_ENTRIES:
            yield "--ro-bind", str(place), str(place)
            yield from (_cover(path) for path in beneath if path.exists())
            return
        yield "--tmpfs", str(place)
        for entry in entries:
            path = Path(entry.path)
            if path in self.masked:
                continue
            if entry.is_symlink():
                yield "--symlink", os.readlink(path), str(path)
            elif entry.is_file(follow_symlinks=False) or entry.is_dir(follow_symlinks=False):
                yield from self._entries(path)


def _cover(path: Path) -> Mount:
    """Put nothing in the place of what is hidden."""
    return ("--tmpfs", str(path)) if path.is_dir() else ("--ro-bind", "/dev/null", str(path))
