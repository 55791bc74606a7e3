"""`mensura adaptivity`; the command lies with the statistics, where tests of the catalog can offer it too."""

from mensura.stats.adaptivity.command import command

__all__ = ["command"]
