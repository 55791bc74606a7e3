"""A test that asks in every space and shows every standard prompt, for the tests of the pages."""

from base64 import b64decode

from mensura.dialogue import (
    Action,
    Allocation,
    Anything,
    Ask,
    Break,
    Call,
    Calls,
    Chart,
    Choice,
    Circle,
    Density,
    Distribution,
    Feature,
    File,
    Grid,
    Image,
    Likert,
    Mailbox,
    Map,
    Message,
    Number,
    Outcome,
    Point,
    Probability,
    Questions,
    Readings,
    Table,
    TableView,
    Text,
    Tool,
    Vector,
    test,
)

PIXEL = b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAIAAAACUFjqAAAAEklEQVR4nGOQCDmBBzGMSmNBAGjiUVHKWxi5AAAAAElFTkSuQmCC"
)
MAP = Map(
    (0, 0),
    (20, 12),
    [
        Feature("region", [(1, 1), (7, 1), (8, 6), (2, 7)], label="Old town", layer="districts"),
        Feature("region", [(11, 2), (18, 3), (17, 9), (12, 8)], label="Harbour", layer="districts"),
        Feature("line", [(0, 10), (6, 8), (12, 9), (20, 6)], layer="river"),
        Feature("circle", [(9, 5)], radius=2, layer="range"),
        Feature("point", [(3, 4)], label="first attack", layer="attacks"),
        Feature("point", [(14, 6)], label="second attack", layer="attacks"),
    ],
    unit="km",
    words="Two districts, a river and two attacks.",
)
CHART = Chart(
    "line",
    {"month": [1, 2, 3, 1, 2, 3], "cases": [3, 9, 14, 2, 4, 5], "town": ["A", "A", "A", "B", "B", "B"]},
    x="month",
    y="cases",
    words="Cases in two towns over three months.",
    colour="town",
)
ASKS = {
    "choice": Ask(["Which **fruit** do you like best?", "- be quick\n- be honest"], Choice(("apple", "pear", "plum"))),
    "action": Ask(
        Grid([["", "A", ""], ["", "", "G"]], legend={"A": "you", "G": "goal"}, title="Where do you go?"),
        Action(("left", "right", "up", "down"), keys=("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown")),
    ),
    "number": Ask("How many beans are in the jar?", Number(low=0, high=500, integer=True, unit="beans")),
    "probability": Ask("Will it rain tomorrow?", Probability()),
    "likert": Ask("I enjoyed the task.", Likert(7)),
    "distribution": Ask(["Who did it?", CHART], Distribution(("Ada", "Bohdan", "Chidi", "someone else"))),
    "allocation": Ask(
        "Where do you send the patrols?", Allocation(("north", "east", "south"), total=12, unit="patrols")
    ),
    "density": Ask("How far is it to the harbour?", Density(0, 100, unit="km")),
    "bins": Ask("How long will it take?", Density(0, 10, bins=5, unit="days")),
    "text": Ask("Describe what you saw.", Text(longest=500, shortest=3)),
    "line": Ask(["A short word, please.", Readings([1.5, -2.25], names=("speed", "turn"))], Text(longest=20, lines=1)),
    "point": Ask(["Where will the next attack be?", MAP], Point((0, 0), (20, 12))),
    "circle": Ask([Image(PIXEL, words="A small red square"), "Circle it."], Circle((0, 0), (10, 10), largest=5)),
    "call": Ask(
        Mailbox(
            [
                Message("m1", "Ada", "Room", "Which room is free on Tuesday?", tick=3),
                Message("m2", "Bohdan", "Water", "A pipe has burst.\nPlease come.", tick=5, read=True),
            ],
            title="Two messages wait.",
        ),
        Call(
            {
                "reply": Tool("Answer a message.", {"message": Choice(("m1", "m2")), "words": Text(lines=2)}),
                "wait": Tool("Do nothing for a while.", {"minutes": Number(low=1, high=60)}, optional=("minutes",)),
            }
        ),
    ),
    "table": Ask(
        TableView(("name", "age"), [("Ada", 36), ("Bohdan", 41.5)], title="People so far"),
        Table({"name": Text(lines=1), "age": Number(low=0, high=120), "kind": Choice(("a", "b"))}, most_rows=6),
    ),
    "file": Ask("Send a small text file.", File(types=("text/plain",), most_bytes=1000)),
    "vector": Ask("Three numbers, please.", Vector((0, -1, 0), (1, 1, 10))),
    "questions": Ask(
        "Your trip:",
        Questions(
            {"fun": ("It was fun.", Likert(5)), "far": ("It was far.", Likert(5)), "who": ("With whom?", Text())}
        ),
    ),
    "calls": Ask("Say several things.", Calls({"say": Tool("Say something.", {"words": Text()})})),
    "anything": Ask("Anything at all.", Anything()),
}


@test("gallery-v1", score=lambda record, truths: {"answered": float(len(record.given()))})
def gallery(rng, *, only: str = "", rest: bool = False):
    """Ask in every space once."""
    yield Ask("Welcome to the **gallery**. <script>document.title = 'run'</script>")
    for key, ask in ASKS.items():
        if not only or key in only.split("+"):
            yield Ask(ask.prompt, ask.space, key=key, truth={"secret": f"TRUTH-{key}"})
            if rest:
                yield Break("A short rest.")
    return Outcome("That was all. <img src=x onerror=\"document.title='run'\">", reward=2.5)
