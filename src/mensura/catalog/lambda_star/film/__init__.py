"""Films: one episode, to be looked at, as GIF or as a page."""

from mensura.catalog.lambda_star.film.episode import FilmedEpisode, film_episode, film_of_record
from mensura.catalog.lambda_star.film.gif import write_gif
from mensura.catalog.lambda_star.film.page import write_page
from mensura.catalog.lambda_star.film.picture import draw_frames

__all__ = ["FilmedEpisode", "draw_frames", "film_episode", "film_of_record", "write_gif", "write_page"]
