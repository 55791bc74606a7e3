"""A test that asks for words and shows them again, to one person and to another."""

from mensura.dialogue import Ask, Round, Text, test


@test("essay-v1")
def essay(rng):
    """Write something, and read it again."""
    words = yield Ask("What is ice?", Text(), key="essay", truth="water")
    yield Ask(f"You wrote: {words}. Why?", Text(), key="why")


@test("letters-v1", roles=("first", "second"))
def letters(rng):
    """Write to one another."""
    said = {}
    for turn in range(2):
        asks = [
            Ask(f"They wrote: {said.get(other, '')}. Answer.", Text(), key=f"{role}{turn}", role=role)
            for role, other in (("first", "second"), ("second", "first"))
        ]
        said = yield Round(asks)
