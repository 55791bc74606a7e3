"""What Λ* shows on the tour: a film of an agent on the torus."""

from base64 import b64encode

from mensura.exhibit.tour_stop import Guide, TourStop
from mensura.stats.wording import figure


def tour(take: Guide) -> TourStop:
    """Let agents play a few environments, and film one of them."""
    from mensura.catalog.lambda_star.film.episode import film_of_record
    from mensura.catalog.lambda_star.film.gif import encode_gif
    from mensura.catalog.lambda_star.film.picture import draw_frames

    groups = {
        name: take("lambda-star-v1", name, sessions=4, agents=3) for name in ("stigmergy", "q-learning", "chance")
    }
    record, truths = next(iter(groups["stigmergy"].records))
    film = film_of_record(record, truths)
    address = b64encode(encode_gif(draw_frames(film, cell=30), seconds=0.25)).decode()
    scores = {name: figure(group.estimates["intelligence"].value) for name, group in groups.items()}
    return TourStop(
        "Λ*: how intelligent is a crowd?",
        "Agents on a grid without borders must stay near Good (green) and away from Evil (red), which move along "
        "patterns of known complexity.",
        f"Three agents that leave marks on the ground scored {scores['stigmergy']}, three Q-learners "
        f"{scores['q-learning']} and three that move at random {scores['chance']}; 1 would be perfect.",
        f'<img src="data:image/gif;base64,{address}" alt="" style="width:20rem;image-rendering:pixelated">',
        "Film of a grid on which three agents follow Good and avoid Evil.",
        "mensura run lambda-star --as stigmergy --agents 3 --seed 1",
    )
