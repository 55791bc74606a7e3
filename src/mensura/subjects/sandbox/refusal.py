"""Refusal: says which file or connection a subject missed that it is not given, and what opens it."""

import re
from pathlib import Path

from mensura.subjects.sandbox.view import FileView

PATH = re.compile(r"(?<![\w/.])(/[^\s'\"`:;,()<>|\\]*[^\s'\"`:;,()<>|\\.])")
MISSING = re.compile(r"No such file or directory:? '([^'/][^']*)'|ENOENT[^']*'([^'/][^']*)'|cannot open '?([^\s'/]+)")
COMPLAINT = re.compile(r"no such file|not found|cannot|can't|unable|denied|ENOENT|exist|missing|Error", re.IGNORECASE)
MODULE = re.compile(r"No module named '([\w.]+)'")
NETWORK = re.compile(
    r"network is unreachable|ENETUNREACH|temporary failure in name resolution|name or service not known|EAI_AGAIN|"
    r"could not resolve host|no address associated|connection refused|ECONNREFUSED|failed to resolve",
    re.IGNORECASE,
)
TRIED = (
    re.compile(r"host='([^']+)', port=(\d+)"),
    re.compile(r"(?:EAI_AGAIN|ENETUNREACH|ECONNREFUSED) ([\w.-]+)(?::(\d+))?"),
    re.compile(r"\(['\"]([\w.-]+)['\"], (\d+)\)"),
    re.compile(r"https?://([\w.-]+)(?::(\d+))?"),
    re.compile(r"resolve host:? ([\w.-]+)"),
)
READ_ONLY = re.compile(r"Read-only file system|EROFS")


def refused(last_words: str, view: FileView, *, closed: bool) -> str:
    """Return what the last words of a subject name that it was refused; empty where they name nothing such.

    Parameters
    ----------
    closed
        Whether it was in a sandbox; in none, all it can miss is the folder it used to be started in.
    """
    said = [_beside(last_words, view)]
    if closed:
        said += [*_hidden_files(last_words, view), _module(last_words, view)]
        said += [_network(last_words) if not view.confinement.network else ""]
        if READ_ONLY.search(last_words):
            said.append("In a sandbox it may write only to its scratch folder ($HOME) and to /tmp.")
    return " ".join(dict.fromkeys(words for words in said if words))


def _hidden_files(words: str, view: FileView) -> list[str]:
    complaints = [line for line in words.splitlines() if COMPLAINT.search(line)]
    named = [Path(match[1]) for line in complaints for match in PATH.finditer(line)]
    return [_closed_path(path, view) for path in dict.fromkeys(named) if _is_closed(path, view)][-2:]


def _is_closed(path: Path, view: FileView) -> bool:
    """Return whether something is outside that is not there inside."""
    try:
        within = path.is_relative_to("/tmp") or not path.is_relative_to("/proc")
        return len(path.parts) > 2 and within and path.exists() and not view.shows(path)
    except OSError:
        return False


def _closed_path(path: Path, view: FileView) -> str:
    what = "folder" if path.is_dir() else "file"
    if any(path.resolve().is_relative_to(hidden) for hidden in view.confinement.masked):
        return f"The {what} {path} is hidden from it."
    return f"The {what} {path} is not open to it: --allow {path} opens it."


def _beside(words: str, view: FileView) -> str:
    """Point to files that were meant from the folder where programs used to be started."""
    for match in MISSING.finditer(words):
        name = next(group for group in match.groups() if group)
        for folder in view.command.folders:
            if folder.is_dir() and (folder / name).exists():
                return (
                    f"It starts in a separate empty folder, and {name} was meant from there: name it by its full "
                    f"path, {folder / name}, or from the place of its own file."
                )
    return ""


def _module(words: str, view: FileView) -> str:
    for match in MODULE.finditer(words):
        for folder in view.command.folders:
            place = folder / match[1].split(".")[0]
            for path in (place.with_suffix(".py"), place):
                if path.exists() and not view.shows(path):
                    return f"{path} belongs to the test and is hidden from it: --allow {path} opens it."
    return ""


def _network(words: str) -> str:
    if not NETWORK.search(words):
        return ""
    for pattern in TRIED:
        if found := pattern.search(words):
            place = ":".join(group for group in found.groups() if group)
            return f"It has no network (it tried {place}): --network opens it."
    return "It has no network: --network opens it."
