"""Films of episodes: GIFs are read back by a decoder of another make, pages are played in a real browser."""

import json
import struct

import numpy as np
import pytest
from click.testing import CliRunner

from mensura.catalog.lambda_star.agents import LocalSearch, Oracle
from mensura.catalog.lambda_star.command import generate
from mensura.catalog.lambda_star.dialogue import lambda_star
from mensura.catalog.lambda_star.film.episode import film_episode, film_of_record
from mensura.catalog.lambda_star.film.gif import write_gif
from mensura.catalog.lambda_star.film.page import write_page
from mensura.catalog.lambda_star.film.picture import EVIL, GOOD, draw_frames
from mensura.catalog.lambda_star.parameters import read_setup
from mensura.errors import BadParameter
from mensura.running.take import take
from tests.catalog.lambda_star.definition import lempel_ziv_by_definition


def setup_for(**given):
    parameters = {name: parameter.default for name, parameter in lambda_star.parameters.items()}
    return read_setup(**{**parameters, **given})


def film(subject=None, *, iterations=12, **given):
    return film_episode(
        subject or LocalSearch(), setup_for(iterations=iterations, **given), key=4, iterations=iterations
    )


def decode_gif(content):
    """Read back a GIF89a: every frame as it stands on the screen."""
    assert content[:6] == b"GIF89a"
    width, height, flags = struct.unpack("<HHB", content[6:11])
    place = 13 + 3 * 2 ** ((flags & 7) + 1)
    screen, frames = np.zeros((height, width), dtype=np.uint8), []
    while content[place] != 0x3B:
        if content[place] == 0x21:
            place = _skip(content, place + 2)[0]
            continue
        left, top, across, down = struct.unpack("<HHHH", content[place + 1 : place + 9])
        bits = content[place + 10]
        place, packed = _skip(content, place + 11)
        screen = screen.copy()
        screen[top : top + down, left : left + across] = np.array(_unpack(packed, bits)).reshape(down, across)
        frames.append(screen)
    return frames


def _skip(content, place):
    packed = b""
    while content[place]:
        packed += content[place + 1 : place + 1 + content[place]]
        place += 1 + content[place]
    return place + 1, packed


def _unpack(packed, bits):
    stream, at = int.from_bytes(packed, "little"), 0
    clear, stop = 1 << bits, (1 << bits) + 1
    pixels, table, length, previous = [], {}, bits + 1, None
    while True:
        code = (stream >> at) & ((1 << length) - 1)
        at += length
        if code == stop:
            return pixels
        if code == clear:
            table, length, previous = {n: [n] for n in range(clear)}, bits + 1, None
            following = stop + 1
            continue
        entry = table[code] if code in table else [*previous, previous[0]]
        pixels += entry
        if previous is not None and following < 4096:
            table[following] = [*previous, entry[0]]
            following += 1
            if following == 1 << length and length < 12:
                length += 1
        previous = entry


def test_a_gif_holds_every_frame_exactly(tmp_path):
    frames = draw_frames(film(agents=3), cell=12)
    write_gif(frames, tmp_path / "episode.gif")
    decoded = decode_gif((tmp_path / "episode.gif").read_bytes())
    assert len(decoded) == 13
    assert all(np.array_equal(one, other) for one, other in zip(frames, decoded, strict=True))


def test_long_runs_of_pixels_survive_the_full_dictionary(tmp_path):
    rng = np.random.default_rng(1)
    frames = [rng.integers(0, 11, size=(200, 200), dtype=np.uint8) for _ in range(2)]
    write_gif(frames, tmp_path / "noise.gif")
    decoded = decode_gif((tmp_path / "noise.gif").read_bytes())
    assert all(np.array_equal(one, other) for one, other in zip(frames, decoded, strict=True))


def test_pictures_show_good_and_evil_where_they_are():
    episode = film()
    for iteration, picture in enumerate(draw_frames(episode, cell=24)):
        for cell, colour in ((episode.good[iteration], GOOD), (episode.evil[iteration], EVIL)):
            row, column = divmod(cell, 10)
            assert picture[row * 24 + 12, column * 24 + 4] == colour


def test_a_film_of_a_session_shows_what_its_subject_did():
    taken = take(lambda_star, Oracle(), seed=3, parameters={"episodes": 2, "iterations": 12, "agents": 2})
    for episode in (0, 1):
        filmed = film_of_record(taken.record, taken.truths, episode=episode)
        rewards = [answer.reward for answer in taken.record.answers if answer.key == f"episode{episode}"]
        assert filmed.score == pytest.approx(np.mean(rewards))
    with pytest.raises(BadParameter, match="no environment 2"):
        film_of_record(taken.record, taken.truths, episode=2)


def test_the_command_films_and_prints_the_episode(tmp_path):
    done = CliRunner().invoke(
        generate, ["--as", "oracle", "--seed", "1", "--iterations", "10", "--out", str(tmp_path / "e.gif"), "--json"]
    )
    assert done.exit_code == 0, done.output
    episode = json.loads(done.stdout)
    assert len(episode["agents"]) == 11
    assert np.mean(episode["rewards"]) == pytest.approx(episode["score"])
    assert len(decode_gif((tmp_path / "e.gif").read_bytes())) == 11


@pytest.mark.parametrize("agents", ["1", "2"])
def test_an_agent_of_ones_own_is_filmed(tmp_path, monkeypatch, agents):
    (tmp_path / "mine.py").write_text(
        "class Best:\n"
        "    def __call__(self, ask):\n"
        "        rewards = list(ask.prompt[1].values)\n"
        "        return 1 + rewards.index(max(rewards))\n"
    )
    monkeypatch.chdir(tmp_path)
    words = f"--as ./mine.py:Best --agents {agents} --seed 1 --iterations 6 --out e.gif --json"
    done = CliRunner().invoke(generate, words.split())
    assert done.exit_code == 0, done.output
    film = json.loads(done.stdout)
    assert len(film["agents"][0]) == int(agents)
    assert film["complexity"] == lempel_ziv_by_definition(film["good"][:6])
    assert len(decode_gif((tmp_path / "e.gif").read_bytes())) == 7


def test_who_is_filmed_is_told_the_environment_only_if_it_is_declared_to_know_it():
    asides = []

    class Nosy(LocalSearch):
        def __call__(self, ask):
            asides.append(ask.aside)
            return "stay"

    assert film(Nosy()).score == film(lambda ask: 5).score
    assert set(asides) == {None}


def test_the_command_refuses_other_kinds_of_files():
    done = CliRunner().invoke(generate, ["--out", "film.mp4"])
    assert isinstance(done.exception, BadParameter)
    assert ".gif or .html" in str(done.exception)


@pytest.mark.browser
def test_a_page_plays_stops_and_steps_by_keyboard(tmp_path, chromium):
    write_page(film(agents=2, iterations=20), tmp_path / "episode.html")
    with chromium.new_context() as context:
        page = context.new_page()
        faults = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("request", lambda request: faults.append(request.url) if not request.url.startswith("file:") else None)
        page.goto(f"file://{tmp_path / 'episode.html'}")
        assert page.inner_text("#words") == "Start; 20 iterations"
        page.click("#play")
        page.wait_for_function("Number(document.getElementById('time').value) >= 2")
        page.click("#play")
        at = int(page.input_value("#time"))
        page.focus("#time")
        page.keyboard.press("ArrowRight")
        assert page.inner_text("#words").startswith(f"Iteration {at + 1} of 20: reward")
    assert faults == []
