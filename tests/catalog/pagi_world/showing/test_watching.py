"""A room that is watched: frames are the room, replays show the same, and films and pages are made of them."""

import json
import shutil
import subprocess

import numpy as np
import pytest

from mensura.catalog.pagi_world.onlooker import ONLOOKER
from mensura.catalog.pagi_world.play import PlayTerms, RoomPlay
from mensura.catalog.pagi_world.rooms.room import draw_room, find_room
from mensura.catalog.pagi_world.showing.film import drawings, watch_page
from mensura.catalog.pagi_world.showing.replaying import watch_file
from mensura.catalog.pagi_world.showing.scene import scene_of
from mensura.catalog.pagi_world.showing.watching import RoomWatch, after
from mensura.dialogue import Limits
from tests.catalog.pagi_world.protocol.dialling import run, served


def watched(room, watch):
    token = ONLOOKER.set(watch)
    try:
        return RoomPlay(draw_room(find_room(room), np.random.default_rng(2)), PlayTerms())
    finally:
        ONLOOKER.reset(token)


def put_together(frames):
    things, rest = {}, {}
    for frame in json.loads(json.dumps(frames)):
        things, rest = after(things, frame), {**rest, **frame}
    return {**rest, "things": list(things.values())}


@pytest.mark.parametrize("room", ["catch-ball", "conditioning", "two-soldiers"])
def test_frames_put_together_are_the_room(room):
    watch = RoomWatch()
    play = watched(room, watch)
    for _ in range(60):
        play.call("subject", [("addForce", "BMH", 300), ("addForce", "LHG", None)])
        play.step()
    found, scene = put_together(watch.frames), json.loads(json.dumps(scene_of(play)))
    assert found["tick"] == 60
    by_name = {thing["name"]: thing for thing in scene["things"]}
    assert {thing["name"]: thing for thing in found["things"]} == by_name
    assert found["agents"] == scene["agents"]
    assert watch.words[0] == [0, "subject", ">", "addForce BMH 300"]


def test_a_onlooker_changes_nothing():
    plain, looked_at = watched("catch-ball", None), watched("catch-ball", RoomWatch())
    for play in (plain, looked_at):
        for _ in range(90):
            play.call("subject", [("addForce", "LHvec", [40, 30])])
            play.step()
    assert scene_of(plain) == scene_of(looked_at)


def test_long_sessions_keep_their_newest_part(monkeypatch):
    monkeypatch.setattr("mensura.catalog.pagi_world.showing.watching.MOST_FRAMES", 20)
    watch = RoomWatch()
    play = watched("catch-ball", watch)
    for _ in range(100):
        play.step()
    assert len(watch.frames) <= 41
    assert watch.dropped > 0
    assert len(watch.frames) + watch.dropped == 101
    assert put_together(watch.frames)["tick"] == 100
    names = {thing["name"] for thing in scene_of(play)["things"]}
    assert {thing["name"] for thing in put_together(watch.frames[:1])["things"]} == names
    # Who asks for what is kept no more begins anew, with all that does not change.
    assert watch.data(1)["from"] == watch.dropped
    assert "look" in watch.data(1)
    assert "look" not in watch.data(watch.dropped + 1)


@pytest.fixture(scope="module")
def record(tmp_path_factory):
    """Serve a short session with a record."""
    path = tmp_path_factory.mktemp("served") / "session.jsonl"

    async def go():
        async with served(record=path, room="catch-ball") as (server, dial):
            client = await dial()
            for _ in range(4):
                await client.ask("addForce,LHvec,50,80")
                await client.ask("step,10")
            await client.ask("say,P,Hello <there> & you,2,0,1")
            await client.ask("step,5")
            server.type("good")
            await client.ask("step,5")

    run(go())
    return path


def test_a_record_is_shown_again_with_what_was_said(record):
    found = watch_file(record).data()
    words = [word[1:] for word in found["words"]]
    assert found["frames"][-1]["tick"] == 50
    assert ["person", ">", "good"] in words
    assert ["subject", "<", "SC good"] in words
    # What a person says is no command of the agent's.
    assert watch_file(record).play.places["subject"].avatar.commands == 4 + 1 + 11


def test_a_film_and_a_page_are_made_of_a_record(record, tmp_path):
    watch = watch_file(record)
    shown = list(drawings(watch, per_second=6))
    assert len(shown) == 6
    assert shown[0].startswith("<svg")
    assert any("Hello &lt;there&gt; &amp; you" in one for one in shown)
    found = watch.data()
    found["room"] = "</script><b>"
    page = watch_page({"recording": found}, title="<i>")
    assert "<title>&lt;i&gt;</title>" in page
    assert "</script><b>" not in page


def test_the_script_of_the_page_that_stands_alone_is_one_that_runs(tmp_path):
    node = shutil.which("node")
    if node is None:
        pytest.skip("node reads the script")
    page = watch_page({"live": True}, title="x")
    script = page.split('<script type="module">')[1].split("</script>")[0]
    (tmp_path / "watch.mjs").write_text(script)
    assert subprocess.run([node, "--check", str(tmp_path / "watch.mjs")], capture_output=True).returncode == 0


def test_the_verb_writes_a_page_and_refuses_what_is_no_film(record, tmp_path):
    from click.testing import CliRunner

    from mensura.catalog.pagi_world.command import command

    place = tmp_path / "session.html"
    done = CliRunner().invoke(command, ["film", str(record), "-o", str(place)])
    assert done.exit_code == 0, done.output
    assert "PAGI World: catch-ball" in place.read_text()
    for wrong in (["-o", "a.txt"], ["-o", "a.html", "--session", "7"]):
        assert CliRunner().invoke(command, ["film", str(record), *wrong]).exit_code != 0


def test_the_verb_shows_a_session_of_a_stored_run(tmp_path):
    from click.testing import CliRunner

    from mensura.cli.main import cli
    from mensura.running.run import RunOptions
    from mensura.running.run import run as run_sessions
    from mensura.store import open_store

    store, place = str(tmp_path / "mensura.db"), tmp_path / "session.html"

    def shown(*words):
        return CliRunner().invoke(cli, ["pagi-world", "film", *words, "-o", str(place), "--store", store])

    def recording():
        text = place.read_text().split('class="own-data">')[1].split("</script>")[0]
        return json.loads(text)["recording"]

    given = {"seed": 1, "sessions": 2, "parameters": {"room": "jump-the-wall"}}
    with open_store(store) as opened:
        # A limit that the run began with holds when it is administered again.
        limited = RunOptions(limits=Limits(turns=40))
        name = run_sessions("pagi-world", "solver", store=opened, options=limited, **given).head.id
        run_sessions("pagi-world", "solver", store=opened, options=RunOptions(trace="none"), **given)
    frames = {}
    for words in ([name], [f"{name}/0.0.1"], [name, "--session", "1"], [name, "--session", "0"]):
        done = shown(*words)
        assert done.exit_code == 0, done.output
        frames[" ".join(words)] = recording()["frames"]
    last, *same, first = frames.values()
    assert same == [last, last]
    assert first != last
    assert len(last) > 10
    for wrong, words in [
        ([f"{name}/0.0.7"], "no session called"),
        (["nothing"], "no run called"),
        (["last"], "Nothing is stored"),
    ]:
        assert words in str(shown(*wrong).exception)
