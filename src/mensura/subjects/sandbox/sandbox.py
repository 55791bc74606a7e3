"""Sandbox: starts a program where it sees no more than it may, by bubblewrap or else as another user."""

import glob
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from mensura.errors import BadParameter, NotInstalled
from mensura.subjects.outside.bounds import Bounds
from mensura.subjects.sandbox.calls import call_filter
from mensura.subjects.sandbox.command import SYSTEM
from mensura.subjects.sandbox.confinement import ANOTHER_USER, BUBBLEWRAP, MEANS, NOT_ISOLATED, Confinement
from mensura.subjects.sandbox.view import FileView

SCRATCH = "/tmp/scratch"
MOST_TASKS = 4096
"""Of all processes and threads; does not bind root, for whom `mensura.subjects.sandbox.watch` counts."""
NOBODY = 65534
LIMITED = (
    'ulimit -d "$1" 2>/dev/null || ulimit -v "$1" 2>/dev/null; ulimit -u "$2" 2>/dev/null || ulimit -p "$2" '
    '2>/dev/null; shift 2; exec /usr/bin/env -u PWD -u OLDPWD -u SHLVL -u _ "$@"'
)
"""Sets limits in the new process itself, so that no child can be born before them, and takes out of the environment
what the shell put there. The limit on data counts what is really private and writable; that on addresses would also
count what engines such as V8 only reserve."""
LINKING = ("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "localtime", "timezone", "nsswitch.conf")
# Not the whole of their folders, which hold private keys too.
CERTIFICATES = ("ssl/certs", "ssl/cert.pem", "ssl/openssl.cnf", "pki/tls/certs", "pki/ca-trust/extracted")
RESOLVING = ("resolv.conf", "hosts", "services", "protocols", "gai.conf")
CARDS = ("/dev/nvidia*", "/dev/dri", "/dev/kfd")
CLOSED = ("--unshare-all", "--die-with-parent", "--cap-drop", "ALL")
# No namespaces of its own making: in them it would be root again, and the kernel would have more to defend.
NO_MORE_NAMESPACES = ("--unshare-user", "--disable-userns")
APART = ("--net", "--ipc", "--pid", "--fork", "--kill-child", "--mount-proc")
ALONE = ("--reuid", str(NOBODY), "--regid", str(NOBODY), "--clear-groups", "--no-new-privs", "--bounding-set=-all")


@dataclass(frozen=True)
class Launch:
    """The command and settings to start a program with."""

    words: list[str]
    environment: dict[str, str]
    folder: str
    """Where it is started."""
    closed: bytes = b""
    """The arguments that bubblewrap reads from a file, as a command line has too little room; empty without it."""
    calls: bytes = b""
    """The filter of calls that bubblewrap hands to the kernel; empty where there is none."""
    scratch: str = ""
    """A folder to remove when it has ended; in bubblewrap it is gone by itself."""


def means_of(confinement: Confinement) -> str:
    """Return by which means programs and files are kept apart here.

    Raises
    ------
    BadParameter
        Where a sandbox is demanded and none works, or not the one that the run began with.
    """
    if confinement.means:
        if _works(confinement.means):
            return confinement.means
        raise BadParameter(
            f"This run began with its subjects kept apart by {confinement.means}, which does not work here: install "
            "bubblewrap and allow user namespaces, or begin a new run with --sandbox=off."
        )
    if confinement.sandbox == "off":
        return NOT_ISOLATED
    demanded = confinement.sandbox == "on"
    # Another user can seldom read what lies in one's own folders, so none is put in place unasked.
    best = next(means for means in MEANS if (demanded or means != ANOTHER_USER) and _works(means))
    if best == NOT_ISOLATED and demanded:
        raise NotInstalled(
            "No sandbox works on this machine: install bubblewrap (apt install bubblewrap) and allow user namespaces, "
            "or run without one, with --sandbox=off.",
            install="apt install bubblewrap",
        )
    return best


def launch(view: FileView, bounds: Bounds) -> Launch:
    """Return how a command is started so that it sees only its view."""
    means = means_of(view.confinement)
    limited = ["/bin/sh", "-c", LIMITED, "sh", _kibibytes(bounds), _tasks(means), *view.command.words]
    if means == BUBBLEWRAP:
        closed = "\0".join([*_closed(), *_inside(view, bounds)]).encode(errors="surrogateescape")
        return Launch(limited, view.confinement.environment(SCRATCH), "/", closed, _calls())
    scratch = tempfile.mkdtemp(prefix="mensura-")
    environment = view.confinement.environment(scratch)
    if means == ANOTHER_USER:
        _check_unreadable(view)
        _check_runnable(view.command.words[0])
        os.chown(scratch, NOBODY, NOBODY)
        apart = [word for word in _apart() or () if word != "--net" or not view.confinement.network]
        limited = [*apart, "setpriv", *ALONE, "--", *limited]
    return Launch(limited, environment, scratch, scratch=scratch)


def _inside(view: FileView, bounds: Bounds) -> Iterator[str]:
    """Return the words by which bubblewrap makes the world of a subject."""
    confinement = view.confinement
    yield from ("--proc", "/proc", "--dev", "/dev", "--size", str(bounds.written_bytes), "--tmpfs", "/dev/shm")
    yield from ("--size", str(bounds.written_bytes), "--perms", "1777", "--tmpfs", "/tmp", "--dir", SCRATCH)
    yield from _system()
    for name in (*LINKING, *CERTIFICATES, *(RESOLVING if confinement.network else ())):
        place = Path("/etc", name)
        if place.exists():
            yield from ("--ro-bind", str(place.resolve()), str(place))
    if confinement.network:
        yield "--share-net"
    yield from view.mounts()
    if confinement.gpu:
        for card in (path for pattern in CARDS for path in glob.glob(pattern)):
            yield from ("--dev-bind", card, card)
        yield from ("--ro-bind-try", "/sys", "/sys")
    # As root we own what lies in /proc/sys, and need no further right to write there.
    for folder in ("/proc", "/dev", "/"):
        yield from ("--remount-ro", folder)
    yield from ("--chdir", SCRATCH)


def _system() -> Iterator[str]:
    for folder in SYSTEM:
        if os.path.islink(folder):
            yield from ("--symlink", os.readlink(folder), folder)
        elif os.path.isdir(folder):
            yield from ("--ro-bind", folder, folder)


def takes_network_away() -> bool:
    """Return whether another user can be left without the network here; where not, the record says that it had one."""
    return bool(_apart())


def _check_unreadable(view: FileView) -> None:
    """Refuse to pretend: another user reads what everyone may read."""
    for path in view.masked:
        if path.exists() and all(place.stat().st_mode & 0o005 for place in (path, *path.parents)):
            raise BadParameter(f"Other users could read {path}, which must be hidden: close it with chmod o-rwx {path}")


def _check_runnable(program: str) -> None:
    """Refuse a program that another user cannot run, in words that say why."""
    if not _runs_for_others(program):
        raise BadParameter(
            f"The subject would be started as another user, who cannot run {program}: it, or what it needs, lies in a "
            f"folder that is closed to others, such as /root. Install bubblewrap (apt install bubblewrap), name a "
            f"program that all may run, such as /usr/bin/python3, or run without a sandbox, with --sandbox=off."
        )


def _kibibytes(bounds: Bounds) -> str:
    return "unlimited" if bounds.memory_bytes is None else str(bounds.memory_bytes // 1024)


def _tasks(means: str) -> str:
    # Outside a sandbox all other processes of the same user would count too.
    return "unlimited" if means == NOT_ISOLATED else str(MOST_TASKS)


def _works(means: str) -> bool:
    """Try out what works on this machine."""
    if means == BUBBLEWRAP:
        return bool(_closed())
    return means == NOT_ISOLATED or _apart() is not None


@cache
def _closed() -> tuple[str, ...]:
    """Return the words that close a sandbox as far as can be here; none where bubblewrap does not work."""
    for words in ((*CLOSED, *NO_MORE_NAMESPACES), CLOSED):
        if _runs(["bwrap", *words, *_system(), "--proc", "/proc", "--dev", "/dev", "/usr/bin/env", "true"]):
            return words
    return ()


@cache
def _calls() -> bytes:
    """Return the filter of calls; none where the machine is unknown to us or its kernel takes no filters."""
    calls = call_filter()
    if not calls:
        return b""
    with tempfile.TemporaryFile() as file:
        file.write(calls)
        file.seek(0)
        words = ["bwrap", *_closed(), "--seccomp", str(file.fileno()), *_system(), "--proc", "/proc", "--dev", "/dev"]
        return calls if _runs([*words, "/usr/bin/env", "true"], pass_fds=(file.fileno(),)) else b""


@cache
def _apart() -> list[str] | None:
    """Return the words that take away the network and other processes, where root may; None where there is no root."""
    if os.geteuid() != 0:
        return None
    for words in (["unshare", *APART, "--"], []):
        if _runs([*words, "setpriv", *ALONE, "--", "/usr/bin/env", "true"]):
            return words
    return None


@cache
def _runs_for_others(program: str) -> bool:
    """Return whether another user can run a program, and import mensura in the Python that hosts files."""
    trial = 'exec "$1" -c "import mensura"' if program == sys.executable else 'test -x "$1"'
    # By way of a shell: what setpriv itself starts is still found with the rights of root.
    return _runs(["setpriv", *ALONE, "--", "/bin/sh", "-c", trial, "sh", program])


def _runs(words: Sequence[str], pass_fds: tuple[int, ...] = ()) -> bool:
    if shutil.which(words[0]) is None or shutil.which("env") is None:
        return False
    try:
        done = subprocess.run(words, capture_output=True, timeout=20, cwd="/", check=False, pass_fds=pass_fds)
        return done.returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False
