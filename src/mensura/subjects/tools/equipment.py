"""Equipment: which tools a language model is given, read from the options behind its name."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from mensura.errors import BadParameter, SubjectCrashed, UnknownName
from mensura.subjects.naming import Factory, Naming, split_names
from mensura.subjects.outside.bounds import Bounds
from mensura.subjects.outside.program import Program
from mensura.subjects.sandbox.command import Command
from mensura.subjects.source import Source
from mensura.subjects.subject import Subject
from mensura.subjects.tools.approval import Approval
from mensura.subjects.tools.functions import WORKSHOP, Functions, Workshop
from mensura.subjects.tools.kit import Kit
from mensura.subjects.tools.server import ToolServer
from mensura.subjects.tools.steward import NOBODY
from mensura.subjects.tools.workbench import Workbench

OPTIONS = ("tools", "mcp", "approve", "approve_tools", "tool_seconds")
SECONDS = 30.0


@dataclass(frozen=True)
class Equipment:
    """The tools of a model by name, and who approves of their use.

    Parameters
    ----------
    tools
        `python`, `shell`, and files with functions.
    mcp
        Servers of the Model Context Protocol: `program:COMMAND`, or an address.
    approver
        What makes the subject that approves of calls; None: nobody is asked.
    approve_tools
        The tools for which it is asked; empty: all of them.
    seconds
        The longest that one call of a tool may take.
    """

    naming: Naming
    tools: tuple[str, ...] = ()
    mcp: tuple[str, ...] = ()
    approver: Factory | None = None
    approve_tools: tuple[str, ...] = ()
    seconds: float = SECONDS

    @classmethod
    def read(cls, options: Mapping[str, Any], naming: Naming) -> "Equipment | None":
        """Read the options; None where no tool is named. Raises a sentence for what cannot be used."""
        bare = naming.with_options({})
        approve = options.get("approve")
        found = cls(
            bare,
            _several(options.get("tools", ())),
            _several(options.get("mcp", ())),
            None if approve is None else _approver(str(approve), bare),
            _several(options.get("approve_tools", ())),
            options.get("tool_seconds", SECONDS),
        )
        if not (found.tools or found.mcp):
            if unused := [name for name in OPTIONS if name in options]:
                raise BadParameter(f"The option {unused[0]} is for tools, and there are none: #tools=python,shell")
            return None
        for kit in found.equip():
            if isinstance(kit, Functions):
                kit.learn()
        return found

    def make(self, *, rehearsed: bool = False) -> Workbench:
        """Make the workbench of a subject; a rehearsal starts no server."""
        if rehearsed:
            return Workbench(replace(self, mcp=()).equip)
        approval = None if self.approver is None else Approval(self.approver, self.approve_tools)
        return Workbench(self.equip, approval=approval)

    def equip(self) -> list[Kit]:
        """Make the tools of a session; nothing is started before it is needed."""
        kits: list[Kit] = [self._file(name) for name in self.tools if name not in WORKSHOP]
        if ours := [name for name in self.tools if name in WORKSHOP]:
            confinement = self.naming.confinement
            kits.append(Workshop(ours, seconds=self.seconds, bounds=self._bounds, confinement=confinement))
        kits += [self._server(place) for place in self.mcp]
        return kits

    @property
    def _bounds(self) -> Bounds:
        return self.naming.bounds

    def _file(self, name: str) -> Functions:
        source = Source.read(name, folder=self.naming.folder)
        if not source.is_file or not source.name:
            raise UnknownName(
                f"There is no tool {name!r}. There are {', '.join(WORKSHOP)}, and lists of functions in a file: "
                "#tools=./mine.py:tools"
            )
        source.check()
        confinement = self.naming.confinement
        return Functions([source], name=name, seconds=self.seconds, bounds=self._bounds, confinement=confinement)

    def _server(self, place: str) -> ToolServer:
        kind, _, rest = place.partition(":")
        if kind in ("http", "https"):
            return ToolServer(place, place, self.seconds, self._bounds)
        if kind != "program":
            raise BadParameter(
                f"A tool server is program:COMMAND or an address such as http://host/mcp; got {place!r}."
            )
        command = Command.read(rest, folder=self.naming.folder)
        Program(command).check()
        return ToolServer(place, command, self.seconds, self._bounds, self.naming.confinement)


def _approver(name: str, naming: Naming) -> Factory:
    """Find who approves; a person on a page is there only where a run has a desk for them."""
    if name.strip("()") != "human":
        return naming.find(name)

    def made() -> Subject:
        if naming.steward is None:
            raise SubjectCrashed(NOBODY)
        return naming.steward.approver(naming.name)

    return made


def _several(given: Any) -> tuple[str, ...]:
    """Read one name, several with commas between them, or a list."""
    names = split_names(given, ",") if isinstance(given, str) else given
    return tuple(str(name) for name in names if name)
