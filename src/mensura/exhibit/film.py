"""Film: drawings one after the other as a GIF or an MP4, for whatever is better watched than read."""

import subprocess
from collections.abc import Iterable
from pathlib import Path

from mensura.errors import BadFile, BadParameter, MissingExtra

FORMS = {
    # A palette of the film's own colours; the usual one of 256 fixed colours makes thin lines speckled.
    ".gif": [
        "-filter_complex",
        "split[a][b];[a]palettegen=stats_mode=diff[own];[b][own]paletteuse=dither=none",
    ],
    # Players want even sides and colours in the form that every browser shows.
    ".mp4": ["-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white", "-pix_fmt", "yuv420p", "-movflags", "+faststart"],
}
FASTEST = 60
"""Drawings in a second that players and browsers still show."""


def write_film(drawings: Iterable[str], path: str | Path, *, per_second: float = 10) -> int:
    """Write drawings as a film; returns how many there were.

    They are drawn and handed over one at a time, so that a long film takes no more memory than a short one.

    Parameters
    ----------
    drawings
        SVG, all of one size.
    path
        Where; the ending says the form, .gif or .mp4. A file that is there is replaced once the film is whole.
    per_second
        Drawings in a second.
    """
    path = Path(path)
    if path.suffix not in FORMS:
        raise BadParameter(f"A film is a .gif or an .mp4 file; got {path.name}.")
    if not 0 < per_second <= FASTEST:
        raise BadParameter(f"A film shows more than 0 and at most {FASTEST} drawings in a second; got {per_second:g}.")
    part = path.with_name(f"{path.stem}.part{path.suffix}")
    come_in = ["-f", "image2pipe", "-c:v", "png", "-framerate", f"{per_second:g}", "-i", "-"]
    line = [_program(), "-loglevel", "error", "-y", *come_in, *FORMS[path.suffix], str(part)]
    try:
        written = _hand_over(drawings, line)
        if not written:
            raise BadParameter("There is nothing to show: a film needs at least one drawing.")
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return written


def _program() -> str:
    try:
        from imageio_ffmpeg import get_ffmpeg_exe
    except ImportError:
        raise MissingExtra("Films", package="imageio-ffmpeg", extra="film") from None
    return str(get_ffmpeg_exe())


def _hand_over(drawings: Iterable[str], line: list[str]) -> int:
    import vl_convert

    written = 0
    with subprocess.Popen(line, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        assert program.stdin is not None
        assert program.stderr is not None
        try:
            for drawing in drawings:
                program.stdin.write(vl_convert.svg_to_png(drawing))
                written += 1
            program.stdin.close()
        except BrokenPipeError:
            # It ended early; why stands in what it said.
            pass
        except BaseException:
            program.kill()
            raise
        said = program.stderr.read().decode(errors="replace").strip()
    if written and program.returncode:
        raise BadFile(f"The film could not be written: {said.splitlines()[-1] if said else 'no reason was given'}.")
    return written
