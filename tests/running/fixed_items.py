"""A test that asks the same fifty items in every session, and who takes it."""

from mensura.dialogue import Ask, Choice, test

LETTERS = Choice(("a", "b"))


def fixed_test(name="fixed", *, words="Question", truth="a"):
    @test(f"{name}-v1")
    def fixed(rng, *, items: int = 50):
        """Ask the same items in every session."""
        for number in range(items):
            yield Ask(f"{words} {number}", LETTERS, key=f"q{number}", truth=truth)

    return fixed


FIXED = fixed_test()


def number_of(ask):
    return int(ask.prompt.split()[-1])


def mostly_right(ask):
    return "b" if number_of(ask) % 50 < 11 else "a"


def accuracy(result):
    return result.estimated["accuracy"]
