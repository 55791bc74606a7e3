"""Ends: where every chain of an archive ends, so that neither a run nor the end of a session can be cut off unseen.

The manifest names the ends and has one chain over them and the checksums of all tables. In the archive of a study each
session ends with a deed that names all of its runs and where their chains ended. Someone who rewrites every hash of a
file is found out only by what was kept apart from it: its SHA-256, or a signature.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mensura.store import text
from mensura.store.archive.layout import Line
from mensura.store.log.deeds import ARCHIVED
from mensura.store.sealed.chain import next_head, run_chain_head

TOLD_BY = ("runs", "sessions", "deeds", "links")
"""The tables from which the ends are read."""


@dataclass
class _Chain:
    """A session and the end of its chain."""

    run: str
    bound: bool
    """Whether the session has a secret: those that were erased get no deeds."""
    links: int = 0
    before: str = ""
    """The head before the last link."""
    head: str = ""
    listed: str = "[]"
    told: Mapping[str, Any] | None = None
    """The content of the last deed, where that is the deed of a study's archive."""

    @property
    def archived(self) -> Mapping[str, Any] | None:
        """Return the end of the chain, where that is the deed of a study's archive; else None."""
        last = text.read(self.listed)
        alone = isinstance(last, list) and len(last) == 1 and isinstance(last[0], list) and last[0][:1] == ["deed"]
        return self.told if alone else None


@dataclass
class Ends:
    """The ends of the chains of some runs, gathered line by line."""

    ids: list[str] = field(default_factory=list)
    """The runs."""
    chains: dict[str, _Chain] = field(default_factory=dict)
    """Session → the end of its chain."""
    named: set[str] = field(default_factory=set)
    """Runs that were ever archived together with these."""

    def take(self, table: str, line: Line) -> None:
        """Take in a line of an archive."""
        if table == "runs":
            self.ids.append(line["id"])
        elif table == "sessions":
            self.chains[line["id"]] = _Chain(line["run"], line["secret"] is not None)
        elif table in TOLD_BY and line["session"] in self.chains:
            chain = self.chains[line["session"]]
            if table == "deeds":
                chain.told = _told(line)
                self.named |= set() if chain.told is None else set(chain.told["runs"])
            else:
                chain.links, chain.before = chain.links + 1, chain.head
                chain.head, chain.listed = line["head"], line["listed"]

    @property
    def runs(self) -> dict[str, list[Any]]:
        """Run → how many sessions and links it has, and the head of its chain."""
        found: dict[str, dict[str, _Chain]] = {run: {} for run in self.ids}
        for session, chain in self.chains.items():
            found.setdefault(chain.run, {})[session] = chain
        return {
            run: [
                len(chains),
                sum(chain.links for chain in chains.values()),
                run_chain_head({session: chain.head for session, chain in chains.items()}),
            ]
            for run, chains in found.items()
        }

    def of_study(self, study: str) -> dict[str, Any]:
        """Return what the archive of a study says of it: its runs, each with the head of its chain before that."""
        heads: dict[str, dict[str, str]] = {run: {} for run in self.ids}
        for session, chain in self.chains.items():
            heads.setdefault(chain.run, {})[session] = chain.head if chain.archived is None else chain.before
        return {"study": study, "runs": {run: run_chain_head(each) for run, each in heads.items()}}

    def missing(self, study: str) -> str:
        """Return what was taken out of the archive of a study, by its sessions; empty where nothing was."""
        now = self.of_study(study)
        for session, chain in self.chains.items():
            if not chain.bound or (then := chain.archived) == now:
                continue
            if then is None:
                return f"the end of the chain of session {session} is gone"
            if gone := sorted(then["runs"].keys() - now["runs"].keys()):
                return f"the study has other runs, and they are gone: {', '.join(gone)}"
            changed = [run for run, head in now["runs"].items() if then["runs"].get(run) != head]
            return f"a session of {', '.join(changed) or study} was taken out, slipped in or lost its end"
        return ""


def _told(deed: Line) -> Mapping[str, Any] | None:
    body = text.read(deed["body"]) if deed["kind"] == ARCHIVED else {}
    return body if isinstance(body.get("runs"), dict) else None


def archive_chain(manifest: Mapping[str, Any]) -> str:
    """Hash the checksums of all tables and the ends of all runs of an archive onto one another."""
    head = ""
    for part in (
        *([name, manifest.get(name)] for name in ("format", "version", "schema", "study", "seeds", "runs")),
        *manifest["tables"].items(),
        *manifest["ends"].items(),
    ):
        head = next_head(head, text.write(part))
    return head
