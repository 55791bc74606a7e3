"""What the arcade shows on the tour: films of games that a player at random has just played."""

from mensura.exhibit.tour_stop import Guide, TourStop
from mensura.stats.wording import listed

GAMES = ("breakout", "seaquest", "montezuma-revenge")
SECONDS = 20


def tour(take: Guide) -> TourStop:
    """Let a player choose at random in three games, and play its actions again for pictures of the screen."""
    from mensura.catalog.arcade.evaluation import NULL
    from mensura.catalog.arcade.showing.episode_again import STRIP, play_again, rows_of

    films, points = [], []
    for game in GAMES:
        group = take("arcade-v1", "random", game=game, null_starts=1, cap_frames=60 * SECONDS)
        details = group.scores[0].details
        frames = rows_of(details)[NULL]["frames"][0]
        again = play_again(details, {}, start=NULL, number=1, every=-(-frames // (STRIP - 2)))
        films.append(_film(again.strips[0], min(STRIP, len(again.shown)), game))
        points.append(f"{again.earned:g} points in {game.replace('-', ' ').title()}")
    return TourStop(
        "Arcade: hard games from human starts",
        "A player takes over where people stopped in hard Atari games, and only what it earns after that counts.",
        f"From the beginning of three games, {SECONDS} seconds of random play earned {listed(points)}.",
        f'<div style="display:flex;gap:.75rem;flex-wrap:wrap;justify-content:center">{"".join(films)}</div>',
        f"Films of the screens of {', '.join(GAMES)}.",
        "mensura run arcade --game breakout --as random --seed 1",
    )


def _film(strip: str, count: int, name: str) -> str:
    """Return pictures that stand side by side as a film."""
    width, height = 128, 168
    look = (
        f"width:{width}px;height:{height}px;background:url({strip}) 0 0/{count * width}px {height}px;"
        f"image-rendering:pixelated;animation:film-{name} {count / 4:g}s steps({count}) infinite"
    )
    return (
        f"<style>@keyframes film-{name}{{to{{background-position-x:-{count * width}px}}}}"
        f"@media (prefers-reduced-motion:reduce){{.film{{animation:none!important}}}}</style>"
        f'<div class="film" style="{look}"></div>'
    )
