"""What an agent may call, several calls in one answer."""

from mensura.dialogue import Anything, Calls, Number, Text, Tool

WHOLE = Number(low=0, integer=True)
AFTER = {"after": "how many constraint checks were done before this call since waking"}
SPACE = Calls(
    {
        "send": Tool(
            "Send a message to another agent, or to several.",
            {
                "to": Anything(),
                "kind": Text(longest=40, shortest=1, lines=1),
                "data": Anything(),
                "after": WHOLE,
            },
            ("data", "after"),
            {"to": "the name of an agent, or a list of names", **AFTER},
        ),
        "assign": Tool(
            "Give a variable of your own a value.",
            {"variable": Text(longest=200, lines=1), "value": Anything(), "after": WHOLE},
            ("after",),
            AFTER,
        ),
        "stop": Tool(
            "End the run with a claim, which is checked: solved, unsolvable or optimal.",
            {"verdict": Text(longest=20, lines=1), "after": WHOLE},
            ("after",),
            AFTER,
        ),
        "count": Tool(
            "As the last call: report what was done since waking.",
            {"checks": WHOLE, "obsolete": WHOLE, "nogoods": WHOLE, "links": WHOLE},
            ("obsolete", "nogoods", "links"),
            {
                "checks": "constraint checks",
                "obsolete": "letters that said nothing that still holds",
                "nogoods": "nogoods that are kept now",
                "links": "links added so far",
            },
        ),
    }
)
