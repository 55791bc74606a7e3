"""Films hold the drawings that were given, in their order, and no half film is left behind."""

import sys

import pytest

from mensura.errors import BadFile, BadParameter, MissingExtra
from mensura.exhibit.film import write_film

SIZE = 'xmlns="http://www.w3.org/2000/svg" width="41" height="30"'
COLOURS = {"red": (255, 0, 0), "lime": (0, 255, 0), "blue": (0, 0, 255)}


def drawing(colour):
    return f'<svg {SIZE}><rect width="41" height="30" fill="{colour}"/></svg>'


def shown(path):
    """The colour in the middle of each picture of a film, as another reader of films sees it."""
    imageio_ffmpeg = pytest.importorskip("imageio_ffmpeg")
    frames = imageio_ffmpeg.read_frames(str(path))
    width, height = next(frames)["size"]
    middle = 3 * (width * (height // 2) + width // 2)
    return [tuple(frame[middle : middle + 3]) for frame in frames], (width, height)


@pytest.mark.parametrize(("ending", "size", "off"), [("gif", (41, 30), 2), ("mp4", (42, 30), 4)])
def test_a_film_shows_every_drawing_in_order(tmp_path, ending, size, off):
    path = tmp_path / f"film.{ending}"
    order = ["red", "lime", "blue", "red"]
    assert write_film(map(drawing, order), path, per_second=5) == 4
    colours, found = shown(path)
    assert found == size
    assert len(colours) == 4
    for got, name in zip(colours, order, strict=True):
        # An MP4 keeps colours to a few steps of 255.
        assert got == pytest.approx(COLOURS[name], abs=off)


def test_a_film_that_breaks_off_leaves_the_old_one(tmp_path):
    path = tmp_path / "film.gif"
    write_film([drawing("red")], path)
    before = path.read_bytes()

    def broken():
        yield drawing("blue")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_film(broken(), path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_what_cannot_be_filmed_is_said(tmp_path):
    with pytest.raises(BadParameter, match=r"\.gif or an \.mp4"):
        write_film([drawing("red")], tmp_path / "film.avi")
    with pytest.raises(BadParameter, match="at least one drawing"):
        write_film([], tmp_path / "film.gif")
    with pytest.raises(BadParameter, match="drawings in a second"):
        write_film([drawing("red")], tmp_path / "film.gif", per_second=0)
    with pytest.raises(BadFile, match="could not be written"):
        write_film([drawing("red")], tmp_path / "no" / "film.gif")


def test_without_the_program_the_line_to_type_is_said(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(MissingExtra, match=r"mensura\[film\]"):
        write_film([drawing("red")], tmp_path / "film.gif")
