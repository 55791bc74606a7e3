"""Page: an episode to be played in a browser, in one file that loads nothing else."""

import json
from html import escape
from pathlib import Path

from mensura.catalog.lambda_star.film.episode import FilmedEpisode

SCRIPT = Path(__file__).with_name("player.js")
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color: #212529; }
canvas { width: 100%; max-width: 32rem; display: block; border: 1px solid #dee2e6; }
.controls { display: flex; gap: .75rem; align-items: center; max-width: 32rem; margin: .75rem 0; }
.controls input { flex: 1; }
button { font: inherit; padding: .3rem .9rem; min-width: 5.5rem; }
"""


def write_page(episode: FilmedEpisode, path: str | Path) -> None:
    """Write the page; it can be played, stopped, and stepped through with the arrow keys."""
    Path(path).write_text(make_page(episode), encoding="utf-8")


def make_page(episode: FilmedEpisode) -> str:
    """Make the page as one string."""
    film = {
        "rows": episode.torus.rows,
        "columns": episode.torus.columns,
        "good": list(episode.good),
        "evil": list(episode.evil),
        "agents": [list(cells) for cells in episode.agents],
        "rewards": [list(rewards) for rewards in episode.rewards],
    }
    title = escape(episode.title or "Λ*")
    # A closing tag inside the data would end the script.
    data = json.dumps(film, separators=(",", ":")).replace("</", "<\\/")
    words = (
        f"{episode.torus.rows} × {episode.torus.columns}, complexity K = {episode.complexity}, "
        f"{len(episode.agents[0])} agent{'s' if len(episode.agents[0]) > 1 else ''}; "
        f"mean reward of the episode {episode.score:.3f}."
    )
    return f"""<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title>
<style>{STYLE}</style></head>
<body>
<h1>{title}</h1>
<p>{words} Good is green, Evil red, agents blue; the ground is tinted by what it is worth.</p>
<canvas id="film" role="img" aria-label="An episode on the torus; the line below says what happens."></canvas>
<div class="controls">
<button id="play" type="button">Play</button>
<input id="time" type="range" min="0" value="0" aria-label="Iteration">
</div>
<p id="words" aria-live="polite"></p>
<script>const film = {data};
{SCRIPT.read_text(encoding="utf-8")}</script>
</body>
</html>
"""
