"""The bare room: the README's commands, from a fresh clone, on a machine that has only Python, make and a network.

Bubblewrap makes the room: another user, an empty home, and no WordNet, Chromium, bubblewrap, apt, uv, compiler or pip
cache. The clone is of HEAD. Each step prints how long it took; what a reader would see is read, and what is wrong ends
the program with a sentence and status 1.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from glob import glob
from html import unescape
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parents[1]
HOME = "/home/stranger"
MOST_LINES = 10
LEAST_PICTURES = 10
LIMIT = 1200
"""Seconds after which a step is ended."""
FOLDERS = ("/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin")
HIDDEN = (
    *("apt*", "dpkg*", "chromium*", "google-chrome*", "bwrap", "uv", "uvx", "conda", "mamba", "node", "npm", "npx"),
    *(
        "gcc*",
        "g++*",
        "cc",
        "c++*",
        "c89*",
        "c99*",
        "clang*",
        "*-linux-gnu-gcc*",
        "*-linux-gnu-g++*",
        "as",
        "ld",
        "ld.bfd",
        "ld.gold",
    ),
    *("cargo", "rustc", "go", "gfortran*", "sudo", "su"),
)
"""Programs that a stranger's machine may lack."""
HIDDEN_FOLDERS = ("/usr/share/wordnet", "/usr/lib/chromium", "/usr/lib/gcc", "/usr/lib/node_modules")
KEPT = ("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "LANG")
"""Settings of the network that the room shares with this machine, besides those of proxies and of pip."""
ANSWER = "The lead is almost certainly real"


def main() -> None:
    """Make the room, clone HEAD into it, and do there what the README says."""
    if shutil.which("bwrap") is None:
        fail("The bare room needs bubblewrap, which is not installed. On Debian: apt-get install bubblewrap")
    with tempfile.TemporaryDirectory(prefix="mensura-bare-") as folder:
        home = Path(folder) / "home"
        home.mkdir()
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(home / "mensura")], check=True)
        begin = room(home)
        check_room(begin)
        demo, tour = readme_commands(home / "mensura")
        said = step(home, begin, demo, "with installation")
        if len(said) > MOST_LINES:
            fail(f"{demo} printed {len(said)} lines; at most {MOST_LINES} were promised.")
        read_demo(home / "mensura" / "report.html", said)
        step(home, begin, demo, "once installed")
        step(home, begin, tour, "with installation")
        read_tour(home / "mensura" / "tour.html")
        step(home, begin, tour, "once installed")


def room(home: Path) -> list[str]:
    """Return the command line that begins any command in the room."""
    command = ["bwrap", "--unshare-user", "--unshare-pid", "--unshare-ipc", "--die-with-parent", "--new-session"]
    command += ["--uid", "1000", "--gid", "1000", "--ro-bind", "/usr", "/usr", "--ro-bind", "/etc", "/etc"]
    for name in ("/bin", "/sbin", "/lib", "/lib32", "/lib64"):
        if os.path.islink(name):
            command += ["--symlink", os.readlink(name), name]
        elif os.path.isdir(name):
            command += ["--ro-bind", name, name]
    command += ["--ro-bind-try", "/opt", "/opt", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"]
    resolving = os.path.realpath("/etc/resolv.conf")
    if not resolving.startswith("/etc/"):
        command += ["--ro-bind-try", resolving, resolving]
    for name in filter(os.path.isdir, HIDDEN_FOLDERS):
        command += ["--tmpfs", name]
    for program in sorted(set(hidden_programs())):
        command += ["--ro-bind", "/dev/null", program]
    # The Python that runs this, where it lies: one from a version manager may lie in the home that is hidden.
    python = sys.base_prefix
    if not python.startswith("/usr"):
        command += ["--ro-bind", python, python]
    kept = {
        name: value
        for name, value in os.environ.items()
        if name in KEPT or name.lower().endswith("_proxy") or (name.startswith("PIP_") and "CACHE" not in name)
    }
    kept |= {"PATH": f"{python}/bin:/usr/local/bin:/usr/bin:/bin", "HOME": HOME, "TERM": "dumb"}
    command += ["--bind", str(home), HOME, "--chdir", f"{HOME}/mensura", "--clearenv"]
    for name, value in kept.items():
        command += ["--setenv", name, value]
    return command


def hidden_programs() -> Iterator[str]:
    """Yield the files of all programs that the room hides."""
    for folder in FOLDERS:
        for pattern in HIDDEN:
            for found in map(os.path.realpath, glob(f"{folder}/{pattern}")):
                if os.path.isfile(found) and not found.startswith(HIDDEN_FOLDERS):
                    yield found


def check_room(begin: Sequence[str]) -> None:
    """Refuse a room that has what it should hide, or lacks what it should have."""
    lacking = "wn apt-get dpkg uv gcc cc chromium chromium-headless-shell bwrap npm"
    asked = f"id -u; ls -A ~; for one in {lacking}; do command -v $one; done; ls /usr/share/wordnet 2>/dev/null; true"
    done = subprocess.run([*begin, "sh", "-c", asked], capture_output=True, text=True, timeout=60)
    if done.returncode:
        fail(f"Bubblewrap cannot make the room here: {done.stderr.strip()}")
    if done.stdout.split() != ["1000", "mensura"]:
        fail(f"The room is not bare: {done.stdout.split()}")
    done = subprocess.run([*begin, "sh", "-c", "command -v make && python3 --version"], capture_output=True, text=True)
    if done.returncode:
        fail("The room has no make or no python3.")
    print(f"The room has Python {done.stdout.split()[-1]}, make and a network, and nothing else.", flush=True)


def readme_commands(clone: Path) -> tuple[str, str]:
    """Return the first two commands of the README, without their comments."""
    block = re.search(r"^```sh\n(.*?)^```", (clone / "README.md").read_text(encoding="utf-8"), re.M | re.S)
    lines = [line.partition("#")[0].strip() for line in (block[1] if block else "").splitlines()]
    if lines[:2] != ["make demo", "make tour"]:
        fail(f"The README begins with {lines[:2]}, and not with make demo and make tour.")
    return lines[0], lines[1]


def step(home: Path, begin: Sequence[str], command: str, how: str) -> list[str]:
    """Do a command in the room and return the lines that it printed."""
    began = time.monotonic()
    kept = home / "times"
    try:
        done = subprocess.run(
            [*begin, "sh", "-c", f"{command}; ended=$?; times > {HOME}/times; exit $ended"],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=LIMIT,
        )
    except subprocess.TimeoutExpired:
        fail(f"{command} took longer than {LIMIT} seconds.")
    said = done.stdout.strip().splitlines()
    for line in said:
        print(f"    {line}")
    if done.returncode:
        fail(f"{command} ended with status {done.returncode}.")
    minutes = re.findall(r"(\d+)m([\d.]+)s", kept.read_text(encoding="utf-8"))
    took, worked = time.monotonic() - began, sum(60 * int(whole) + float(rest) for whole, rest in minutes)
    print(f"{command}, {how}: {took:.0f} s ({worked:.0f} s of processor time), {len(said)} lines.", flush=True)
    return said


def read_demo(page: Path, said: Sequence[str]) -> None:
    """Check what a reader of the demo's report reads, and that the terminal says the same."""
    words = words_of(page)
    for wanted in ("Which forecaster should we listen to?", ANSWER, "95 % interval", "make tour"):
        if wanted not in words:
            fail(f"The report of the demo does not say {wanted!r}.")
    if "<svg" not in page.read_text(encoding="utf-8"):
        fail("The report of the demo has no picture.")
    if "left out" in words:
        fail("The demo left something out in the bare room.")
    for wanted in (ANSWER, "make tour", "mensura take coin --as human"):
        if not any(wanted in line for line in said):
            fail(f"The demo does not print {wanted!r}.")


def read_tour(page: Path) -> None:
    """Check that the page of the tour shows pictures from enough systems and names what is missing."""
    text = page.read_text(encoding="utf-8")
    systems = text.partition("Small tests</h2>")[0]
    shown = re.findall(r"<article>\s*<figure>.*?<h2>(.*?)</h2>", systems, re.S)
    print(
        f"    {len(shown)} systems with a picture: {', '.join(one.partition(':')[0] for one in map(unescape, shown))}."
    )
    if len(shown) < LEAST_PICTURES:
        fail(f"The tour shows pictures of {len(shown)} systems; at least {LEAST_PICTURES} were promised.")
    if "What failed" in words_of(page):
        fail("A stop of the tour failed: " + words_of(page).partition("What failed")[2][:500])


def words_of(page: Path) -> str:
    """Return what a reader sees of a page."""
    text = re.sub(r"<style.*?</style>|<svg.*?</svg>", "", page.read_text(encoding="utf-8"), flags=re.S)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", text)).split())


def fail(words: str) -> NoReturn:
    """End with a sentence."""
    print(f"bare: {words}", file=sys.stderr)
    sys.exit(1)


if __name__ == "__main__":
    main()
