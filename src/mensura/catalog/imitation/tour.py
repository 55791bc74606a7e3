"""What the imitation game shows on the tour: the talk of a game, and what the judge believed of it."""

from html import escape

from mensura.exhibit.tour_stop import Guide, TourStop

MOST = 5
CAST = {"judge": "keyword", "machine": "eliza", "human": "book"}
NAMES = {"machine": "Witness {} (a program)", "human": "Witness {} (a person's part)"}


def tour(take: Guide) -> TourStop:
    """Let a judge question two witnesses in a few games, and show the beginning of one."""
    from mensura.catalog.imitation.game import read_games
    from mensura.catalog.imitation.showing.transcript import in_order

    group = take("imitation-v1", CAST, sessions=6)
    right = round(6 * group.estimates["right"].value)
    record, truths = next(iter(group.records))
    game = read_games(record, truths)[0]
    # The judge asks both the same: one line is enough.
    asked: set[str] = set()
    talk = []
    for kind, _, one in in_order(game):
        if kind == "message" and not (one.judge and one.text in asked):
            talk.append(one)
            asked.add(one.text if one.judge else "")
    shown = "".join(
        _line("Judge" if one.judge else NAMES[one.role].format(one.side), one.text, judge=one.judge)
        for one in talk[:MOST]
    )
    return TourStop(
        "Imitation: the game before a jury",
        "A judge questions a person and a machine that it cannot see, and says which of them is the machine.",
        f"A judge that goes by keywords questioned ELIZA and a book of a person's answers; it was right in {right} of "
        "6 games.",
        f'<div style="font-size:.85rem;text-align:left">{shown}</div>',
        "The beginning of a game: questions of the judge and answers of both witnesses.",
        "mensura run imitation --as judge=keyword --as machine=eliza --as human=book --seed 1",
    )


def _line(who: str, text: str, *, judge: bool) -> str:
    look = "background:#e5f0f8;margin:.25rem 0 .25rem 15%" if judge else "background:#f2f5f8;margin:.25rem 15% .25rem 0"
    return (
        f'<div style="padding:.3rem .6rem;border-radius:8px;{look}"><small style="color:#51606d">{escape(who)}</small>'
        f"<br>{escape(text)}</div>"
    )
