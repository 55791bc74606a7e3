"""Imported: what an import brought, and what was verified of it."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Imported:
    """The result of an import."""

    runs: list[str]
    """The ids of the runs in the archive, new or known."""
    seeds: str
    """The treatment of their seeds in the archive: "public", "left out" or "included"."""
    added: dict[str, int] = field(default_factory=dict)
    """New rows by table."""
    sha256: str = ""
    """Of the file."""
    expected: bool = False
    """Whether that is the one that was given beforehand."""
    bound: bool = True
    """Whether the archive says where its chains end; those of earlier releases do not."""
    signed_by: str = ""
    """The public key that signed the heads of its chains; empty where none did."""
    elsewhere: tuple[str, ...] = ()
    """Runs of the same study, as its sessions name them, that are not in the archive."""
    chained: bool = True
    """Whether it has chains of ours; the log of another program has none."""

    @property
    def verified(self) -> str:
        """Return what was verified, and what was not, in words."""
        if not self.chained:
            return f"A log of Inspect has no chain that shows whether it was altered: its SHA-256 is {self.sha256}."
        said = [f"Its heads are signed by {self.signed_by}."] if self.signed_by else []
        if self.elsewhere:
            said.append(f"Its study has other runs, which are not in it: {', '.join(self.elsewhere)}.")
        if self.expected:
            return " ".join(["It is the file that was sent: its SHA-256 is the one given.", *said])
        whole = "It agrees with its own chains."
        if not self.bound:
            whole = "It agrees with its own chains; of an earlier release, it does not say where they ended."
        apart = f"Not compared with what was sent (--digest): its SHA-256 is {self.sha256}."
        return " ".join([whole, *said, apart])

    def __str__(self) -> str:
        news = ", ".join(f"{count} {table}" for table, count in self.added.items() if count) or "nothing new"
        note = " Their secret seeds were left out: they can be scored, not resumed." * (self.seeds == "left out")
        return f"Imported {', '.join(self.runs)}: {news}.{note} {self.verified}"
