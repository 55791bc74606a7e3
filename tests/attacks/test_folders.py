"""Files: what an attack finds where nothing holds it, it does not find in a sandbox, under whatever name it lies."""

import json
import os
import py_compile
import shutil
import subprocess
import sys
from pathlib import Path
from secrets import randbelow, token_hex
from textwrap import dedent

import pytest

from mensura.running.plan import Selection
from mensura.running.run import run
from mensura.store import export_run
from mensura.subjects.outside.program import Program
from mensura.subjects.sandbox.confinement import Confinement
from tests.attacks.fair import COINS, SOURCE
from tests.attacks.laboratory import OFF
from tests.subjects.boxes import needs_bubblewrap

pytestmark = needs_bubblewrap
PACKAGES = [path for path in sys.path if path.endswith("site-packages")]
DRAW = f"""
sys.path[:0] = {PACKAGES!r}


def drawn(seed):
    \"\"\"Compute the truths from the seed, as the test does.\"\"\"
    import numpy

    rng = numpy.random.default_rng(numpy.random.SeedSequence(int(seed), spawn_key=(0, 0, 0, 0)))
    return "".join(str(int(rng.random() < 0.5)) for _ in range({COINS}))
"""
SEARCH = """
def attack(ask):
    return truths_in(read(*everywhere(OWN, os.getcwd(), {places}"/")))
"""


@pytest.mark.parametrize("where", ["temporary", "/dev/shm", "/var/tmp", "home"])
def test_files_elsewhere_on_the_machine(laboratory, tmp_path, monkeypatch, where):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    folder = Path(where) if where.startswith("/") else tmp_path / where
    folder.mkdir(exist_ok=True)
    place = folder / f"attacked-{token_hex(4)}.txt"
    lines = SEARCH.format(places=f"{str(folder)!r}, ")
    try:
        laboratory.attack(lines, confinement=OFF, hide=place.write_text).must_know_all()
        assert laboratory.attack(lines, hide=place.write_text).at_chance
    finally:
        place.unlink()


def test_the_scratch_folder_of_a_session_at_the_same_time(laboratory, tmp_path):
    writing = "import sys\nfor text in sys.stdin:\n    open('note', 'w').write(text)\n    print(1, flush=True)\n"
    laboratory.write("other.py", writing)
    lines = SEARCH.format(places=f"{str(tmp_path / 'temporary')!r}, ")
    for confinement in (OFF, Confinement()):
        other = Program([sys.executable, "-S", "-E", "other.py"], folder=laboratory.folder, confinement=confinement)
        talk = other.connect()

        def hide(written, talk=talk):
            talk.send(written.encode() + b"\n")
            talk.receive(10)

        try:
            taken = laboratory_attack_beside(laboratory, lines, confinement=confinement, hide=hide)
        finally:
            other.disconnect(talk, patience=0.0)
        assert confinement is OFF or taken.at_chance
        if confinement is OFF:
            taken.must_know_all()


def laboratory_attack_beside(laboratory, lines, **more):
    """Attack while another session's scratch folder is rightly there."""
    laboratory.begun = float("inf")
    return laboratory.attack(lines, **more)


STORE = (
    DRAW
    + """
def seeds():
    \"\"\"Read the seed of the newest run in every store that can be found, from a copy that nobody holds open.\"\"\"
    import sqlite3

    looked = [OWN, os.getcwd(), *of_processes("cwd"), *of_processes("root")]
    places = [path for place in looked for path in glob.glob(place + "/*")]
    places += [path for path in everywhere(OWN) if path.endswith((".db", ".dat", ".bak"))]
    if not INSIDE:
        # A process that an earlier test left may work in a folder with a store of its own.
        places = [path for path in places if os.path.realpath(path).startswith(os.path.dirname(OWN) + "/")]
    for number, path in enumerate(dict.fromkeys(places)):
        if any(piece.startswith(b"SQLite format 3") for piece in read(path)):
            for suffix in ("", "-wal"):
                for beside in read(path + suffix):
                    with open(f"copy{number}.db{suffix}", "wb") as file:
                        file.write(beside)
            with sqlite3.connect(f"copy{number}.db") as copy:
                yield from copy.execute("SELECT id, seed FROM runs ORDER BY number DESC LIMIT 1")


def keys():
    \"\"\"Read every key that can be found, also where the environment of others names it.\"\"\"
    places = [*KEYS, os.path.expanduser("~/.local/state")]
    for written in read(*of_processes("environ")):
        named = dict(pair.split("=", 1) for pair in written.decode(errors="replace").split("\\0") if "=" in pair)
        places += [named[name] for name in ("XDG_STATE_HOME", "MENSURA_KEY_FILE") if name in named]
    for place in dict.fromkeys(places):
        yield from read(place, *glob.glob(place + "/mensura/*.key"))


def opened(sealed, about):
    \"\"\"Open what is sealed with whatever key is found.\"\"\"
    from base64 import urlsafe_b64decode
    from hashlib import blake2b
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    raw = urlsafe_b64decode(sealed.removeprefix("sealed:"))
    for key in keys():
        try:
            own = blake2b(urlsafe_b64decode(key.strip()), digest_size=32, person=b"mensura seal").digest()
            return AESGCM(own).decrypt(raw[:12], raw[12:], about.encode()).rstrip(b"\\0")
        except Exception:
            continue


def attack(ask):
    for run, seed in seeds():
        if seed.startswith("sealed:"):
            seed = opened(seed, f"seed of {run}")
        if seed:
            return drawn(seed)
"""
)


def store_attack(*keys):
    """Give the lines that look for stores, and for keys also at some places."""
    return f"KEYS = {[str(key) for key in keys]!r}\n" + STORE


@pytest.mark.parametrize("lying", ["state folder", "key file", "in its own folder"])
def test_the_store_and_its_key(laboratory, tmp_path, monkeypatch, lying):
    place = {
        "state folder": Path(os.environ["XDG_STATE_HOME"]),
        "key file": tmp_path / "one.key",
        "in its own folder": laboratory.folder / "state",
    }[lying]
    monkeypatch.setenv("MENSURA_KEY_FILE" if lying == "key file" else "XDG_STATE_HOME", str(place))
    lines = store_attack(place)
    laboratory.attack(lines, confinement=OFF).must_know_all()
    assert laboratory.attack(lines).at_chance


def test_the_store_without_its_key_and_an_old_one_with_its_seed_in_plain(laboratory):
    lines = store_attack()
    # The key of a test that runs beside this one may be found in its environment: here no key is looked for.
    without = lines + "\n\ndef keys():\n    return [b'A' * 44]\n"
    assert laboratory.attack(without, confinement=OFF).at_chance, "sealed, a store tells nothing even to its reader"
    seed = randbelow(2**100)
    laboratory.attack(lines, confinement=OFF, seed=seed).must_know_all()
    assert laboratory.attack(lines, seed=seed).at_chance


@pytest.mark.parametrize("how", ["hard link", "symbolic link", "copy", "rename of a copy in a folder"])
def test_a_store_under_another_name(laboratory, tmp_path, how):
    seed = randbelow(2**100)
    run("coin", "chance", store=laboratory.store, seed=seed, parameters={"flips": 1})
    twin = laboratory.folder / "weights.dat"
    if how == "hard link":
        twin.hardlink_to(laboratory.store.database.place.path)
    elif how == "symbolic link":
        twin.symlink_to(laboratory.store.database.place.path)
    else:
        laboratory.store.close()
        twin = twin if how == "copy" else laboratory.folder / "deep" / "er" / "x.bak"
        twin.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(laboratory.store.database.place.path, twin)
        laboratory.store = type(laboratory).open(laboratory.folder).store
    lines = store_attack()
    laboratory.attack(lines, confinement=OFF, seed=seed).must_know_all()
    assert laboratory.attack(lines, seed=seed).at_chance


EXPORTS = (
    DRAW
    + """
def attack(ask):
    import io, zipfile

    pieces = []
    for piece in read(*everywhere(OWN)):
        pieces.append(piece)
        if piece.startswith(b"PK"):
            with zipfile.ZipFile(io.BytesIO(piece)) as archive:
                pieces += [archive.read(name) for name in archive.namelist()]
    for piece in pieces:
        for seed in re.findall(rb"\\b[0-9]{25,40}\\b", piece):
            return drawn(int(seed))
        rows = [line.split(b",") for line in piece.splitlines() if b",coin" in line and b"fair" in line]
        known = dict(re.findall(rb"\\b(coin[0-9]+),1,([01]),", piece)) or dict(
            re.findall(rb",(coin[0-9]+),.*?,([01])(?:,|$)", piece, re.M))
        if len(known) == COUNT:
            return "".join(known[b"coin%d" % number].decode() for number in range(COUNT))
"""
)


def write_exports(laboratory, seed, name):
    """Export an earlier run of the same seed, which asks the same."""
    earlier = laboratory.attack("attack = lambda ask: None", seed=seed, confinement=OFF).run
    if name.endswith(".zip"):
        export_run(laboratory.store, earlier, laboratory.folder / "x.zip", format="zip")
        (laboratory.folder / "x.zip").rename(laboratory.folder / "weights.dat")
        return
    export_run(laboratory.store, earlier, laboratory.folder / "tables", format="csv")
    if name != "tables":
        (laboratory.folder / "tables" / name).rename(laboratory.folder / f"my-{name}")
        shutil.rmtree(laboratory.folder / "tables")


@pytest.mark.parametrize("name", ["archive.zip", "tables", "truths.csv", "runs.csv"])
def test_archives_and_exports_of_the_same_questions(laboratory, name):
    seed = randbelow(2**99) + 2**99
    write_exports(laboratory, seed, name)
    lines = f"COUNT = {COINS}\n" + EXPORTS
    laboratory.attack(lines, seed=seed, confinement=OFF).must_know_all()
    assert laboratory.attack(lines, seed=seed).at_chance


FIXED = SOURCE.replace("int(rng.random() < 0.5)", "int(TRUTHS[14 + number])").replace(
    "@test", "TRUTHS = {!r}\n\n\n@test"
)


@pytest.mark.parametrize("how", ["itself", "hard link", "symbolic link", "compiled", "copy"])
def test_the_file_of_the_test(laboratory, how):
    digits = "".join(str(randbelow(2)) for _ in range(COINS))
    written = FIXED.replace("{!r}", repr(f"zebra-01234567:{digits};"))
    assert "TRUTHS[14" in written
    file = laboratory.write("coins.py", written.replace("TRUTHS[14 +", "TRUTHS[15 +"))
    if how == "hard link":
        (laboratory.folder / "mine.txt").hardlink_to(file)
    elif how == "symbolic link":
        (laboratory.folder / "mine.txt").symlink_to(file)
    elif how == "copy":
        shutil.copy(file, laboratory.folder / "coins_backup.py")
    elif how == "compiled":
        py_compile.compile(str(file))
    lines = SEARCH.format(places="")
    laboratory.attack(lines, test="./coins.py:fair", confinement=OFF).must_know_all()
    assert laboratory.attack(lines, test="./coins.py:fair").at_chance


BANK = """
def attack(ask):
    import zlib

    pieces = list(read(*everywhere(OWN)))
    for piece in list(pieces):
        try:
            pieces.append(zlib.decompress(piece))
        except zlib.error:
            continue
    for piece in pieces:
        known = dict(re.findall(rb'"id": "coin([0-9]+)", "answer": ([01])', piece))
        if known:
            return "".join(known[b"%d" % number].decode() for number in range(COUNT))
"""
BANKS = {
    "itself": "",
    "hard link": "ln items.jsonl weights.bin",
    "symbolic link": "ln -s items.jsonl weights.bin",
    "copy beside": "cp items.jsonl old.jsonl",
    "backup": "cp items.jsonl items.jsonl.bak",
    "copy in a folder": "mkdir -p old && cp items.jsonl old/items.jsonl",
    "repository": "git init -q . && git add items.jsonl && git -c user.name=x -c user.email=x commit -qm x",
}


@pytest.mark.parametrize("how", BANKS)
def test_a_bank_of_items(laboratory, how):
    items = [
        {"prompt": f"Coin {number}?", "space": "probability", "id": f"coin{number}", "answer": randbelow(2)}
        for number in range(COINS)
    ]
    laboratory.write("items.jsonl", "".join(json.dumps(item) + "\n" for item in items))
    subprocess.run(["sh", "-c", BANKS[how] or "true"], cwd=laboratory.folder, check=True)
    lines = f"COUNT = {COINS}\n{dedent(BANK)}"
    together = {"test": "./items.jsonl", "selection": Selection(together=True)}
    laboratory.attack(lines, confinement=OFF, **together).must_know_all()
    assert laboratory.attack(lines, **together).at_chance


def test_a_scratch_folder_that_became_a_link_is_not_followed(laboratory, tmp_path):
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "kept").write_text("kept")
    lines = f"""
        def attack(ask):
            os.chdir("/")
            home = os.environ["HOME"]
            os.rename(home, home + "x")
            os.symlink({str(precious)!r}, home)
            os.rmdir(home + "x")
            os.symlink({str(precious)!r}, home + "/inner")
    """
    laboratory.begun = float("inf")
    laboratory.attack(lines, confinement=OFF)
    assert (precious / "kept").read_text() == "kept"
