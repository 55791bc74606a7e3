"""Pages of starts, of an evaluation played again, and of learning: what they prove, and how they work in a browser."""

import json
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner

from mensura.catalog.arcade.dialogue import arcade, in_batch
from mensura.catalog.arcade.showing.curves import read_curve, with_speed
from mensura.catalog.arcade.showing.episode_again import play_again, rows_of
from mensura.catalog.arcade.showing.pages import curves_page, gallery_page, replay_page
from mensura.catalog.arcade.starts.file import read_starts, write_starts
from mensura.catalog.arcade.subjects import NoopPlayer, RandomPlayer, SearchPlanner
from mensura.catalog.arcade.world.doing import pack, unpack
from mensura.cli.main import cli
from mensura.cli.results.records import sessions_with_scores
from mensura.errors import BadData, BadFile, UnknownName
from mensura.running.run import run
from mensura.store import open_store
from tests.catalog.arcade.conftest import make_starts

WIDTHS = (1280, 390)


def evaluated(path, player, **more):
    """Return what an evaluation kept, and the states it began at."""
    parameters = arcade.fill({"starts": str(path), "cap_frames": 400, "null_starts": 1, **more})
    details = in_batch(np.random.default_rng(1), player, **parameters).details
    return details, {start.id: start.state for start in read_starts(path).starts}


@pytest.fixture(scope="module")
def breakout(tmp_path_factory):
    path = tmp_path_factory.mktemp("starts") / "breakout.json"
    write_starts(make_starts("breakout", states=3), path)
    return path


@pytest.mark.parametrize("player", [RandomPlayer(), SearchPlanner(tries=2, acts=10)])
@pytest.mark.parametrize("rules", [{"sticky": 0.25, "skip": 3}, {"actions": "minimal", "game": "breakout"}])
def test_every_episode_comes_to_its_points_again(breakout, player, rules):
    """Chance of the world, sticky actions and a smaller set of actions are all in what was done."""
    details, states = evaluated(breakout, player, **{"game": "breakout", **rules})
    for name, row in rows_of(details).items():
        again = play_again(details, states, start=name, number=1, every=4)
        assert again.earned == row["episodes"][0]
        assert again.shown[-1][0] == row["frames"][0]
        assert again.shown[-1][2] == again.earned


def test_a_record_that_was_changed_is_found_out(breakout):
    details, states = evaluated(breakout, RandomPlayer(), game="breakout")
    row = details["by_start"][0]
    changed = {**details, "by_start": [{**row, "episodes": [row["episodes"][0] + 1]}, *details["by_start"][1:]]}
    with pytest.raises(BadData, match="were recorded"):
        play_again(changed, states, start=row["start"], number=1, every=4)
    with pytest.raises(BadData, match="does not hold"):
        play_again(details, {}, start=row["start"], number=1, every=4)
    with pytest.raises(UnknownName):
        play_again(details, states, start="nothing", number=1, every=4)
    with pytest.raises(BadData, match="kept no actions"):
        rows_of({"by_start": [{"start": "a", "episodes": [1.0]}]})


def test_actions_are_kept_short_and_checked():
    done = bytes(np.random.default_rng(1).integers(18, size=500).repeat(4).astype(np.uint8))
    assert unpack(pack(done)) == done
    assert len(pack(done)) < len(done) / 2
    for wrong in ("%", "aaaa", pack(bytes([18]))):
        with pytest.raises(BadData):
            unpack(wrong)


def test_curves_are_read_from_what_training_tells(tmp_path):
    told = {
        "method": "hcr",
        "game": "pong",
        "frames": 400,
        "human": ["starts"],
        "curve": [{"frames": 400, "seconds": 2}],
    }
    (tmp_path / "one.json").write_text(json.dumps(told))
    curve = read_curve(tmp_path / "one.json")
    assert curve.points[0]["fps"] == 200
    page = curves_page([curve, replace(curve, name="two")], title="Curves")
    assert page.count("<svg") == 1
    assert "starts" in page
    assert with_speed([]) == []
    (tmp_path / "no.json").write_text("[]")
    with pytest.raises(BadFile, match="not a result"):
        read_curve(tmp_path / "no.json")


def test_play_that_nobody_allowed_to_keep_is_not_cut(tmp_path):
    from mensura.catalog.arcade.showing.taken import TEST, taken_of
    from mensura.catalog.arcade.starts.own import kept_play
    from mensura.catalog.arcade.starts.recording import cut_starts

    place = str(tmp_path / "m.db")

    def kept(name):
        return kept_play(taken_of(sessions_with_scores(name, test=TEST, store=place), run=name))

    with open_store(place) as store:
        given = {
            "game": "breakout",
            "cap_frames": 300,
            "null_starts": 2,
            "show": "play",
            "acts_per_answer": 10,
            "skip": 1,
        }
        run("arcade", lambda ask: "no" if ask.key == "keep" else [1] * 11, store=store, sessions=1, parameters=given)
        refused = store.runs.find("last").id
        run("arcade", lambda ask: "yes" if ask.key == "keep" else [1] * 11, store=store, sessions=1, parameters=given)
    with pytest.raises(BadData, match="allowed"):
        kept(refused)
    play = kept("last")
    assert [one.made for one in play.sessions] == ["demo", "demo"]
    found = cut_starts(play, states=6, split="", seed=1)
    assert len(found.starts) == 6
    assert not found.human
    assert {start.session[-1] for start in found.starts} == {"1", "2"}


@pytest.fixture
def opened(chromium, tmp_path):
    """Give what opens a page from a file."""
    faults, contexts = [], []

    def make(page, width):
        (tmp_path / "page.html").write_text(page)
        contexts.append(chromium.new_context(viewport={"width": width, "height": 900}, offline=True))
        tab = contexts[-1].new_page()
        tab.on("pageerror", lambda error: faults.append(str(error)))
        tab.on("request", lambda asked: asked.url.startswith(("file:", "data:")) or faults.append(asked.url))
        tab.goto(f"file://{tmp_path}/page.html")
        assert tab.evaluate("document.documentElement.scrollWidth") <= width
        return tab

    yield make
    for context in contexts:
        context.close()
    assert faults == []


@pytest.mark.browser
@pytest.mark.parametrize("width", WIDTHS)
def test_a_gallery_shows_a_split_in_an_order(opened, width):
    page = opened(gallery_page(make_starts(), title="Starts"), width)
    assert page.locator(".starts li:visible").count() == 4
    page.get_by_role("button", name="test (2)").click()
    assert page.locator(".starts li:visible").count() == 2
    frames = lambda: [int(one.get_attribute("data-frame")) for one in page.locator(".starts li").all()]  # noqa: E731
    page.get_by_label("Order").select_option("frame")
    assert frames() == sorted(frames())
    assert page.evaluate("[...document.images].every((one) => one.naturalWidth === 160)")


@pytest.mark.browser
@pytest.mark.parametrize("width", WIDTHS)
def test_an_episode_is_watched_to_its_end(opened, breakout, width):
    details, states = evaluated(breakout, NoopPlayer(), game="breakout", epsilon=0.5)
    chosen = max(rows_of(details).values(), key=lambda row: row["mean"])
    again = play_again(details, states, start=chosen["start"], number=1, every=4)
    page = opened(replay_page(again, details, {"game": "breakout"}, title="Again", who="noop"), width)
    page.wait_for_selector("body[data-ready]")
    page.get_by_label("Pace").select_option("16")
    page.get_by_role("button", name="Play").click()
    page.wait_for_selector(f"[data-now=frame]:text-is('{again.frames}')")
    assert float(page.inner_text("[data-now=points]")) == again.earned
    page.get_by_role("button", name="Play", exact=True).wait_for()


def test_a_stored_run_is_played_again_and_cut_by_the_command_line(tmp_path):
    place, page, cut = (str(tmp_path / name) for name in ("m.db", "page.html", "own.json"))
    with open_store(place) as store:
        run("arcade", "random", store=store, sessions=1, parameters={"null_starts": 2, "cap_frames": 200})

    def said(*words):
        found = CliRunner().invoke(cli, [*words, "--store", place], catch_exceptions=False)
        assert found.exit_code == 0, found.output

    said("arcade", "replay", "last", "--start", "null", "--episode", "2", "-o", page)
    assert "episode 2 from null" in (tmp_path / "page.html").read_text()
    said("arcade", "starts", "record", "last", "--states", "4", "-o", cut)
    assert read_starts(tmp_path / "own.json").made == {"demo": 4}
