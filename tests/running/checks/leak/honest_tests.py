"""Twenty tests as newcomers write them: whoever wants a good score has to read what is asked."""

from typing import Annotated

from mensura.dialogue import (
    Ask,
    Choice,
    Distribution,
    Feature,
    Grid,
    Likert,
    Map,
    Number,
    Outcome,
    Probability,
    Round,
    TableView,
    Text,
)

YES_NO = Choice(("yes", "no"))
NOUNS = [
    *("ant", "bee", "cat", "cow", "dog", "elk", "fox", "gnu", "hare", "lynx"),
    *("mole", "newt", "owl", "pig", "rat", "seal", "toad", "vole", "wolf", "yak"),
]
LONG_WORDS = [
    *("abacus", "banana", "canoe", "dolphin", "elephant", "flamingo"),
    *("giraffe", "hippopotamus", "ibis", "jaguar", "kangaroo", "lemur"),
]


def mixed(rng, things):
    """Put things in a random order."""
    return [things[int(i)] for i in rng.permutation(len(things))]


def die(rng, *, items: Annotated[int, "How many dice."] = 20):
    """Ask for the probability of at least k with a die of n sides: larger numbers have more digits."""
    for i in range(items):
        n = int(rng.integers(2, 101))
        k = int(rng.integers(1, n + 1))
        truth = int(rng.integers(1, n + 1) >= k)
        yield Ask(f"A die of {n} sides. Probability of at least {k}?", Probability(), key=f"q{i}", truth=truth)


def growing_dice(rng, *, items=20):
    """Let the dice grow, so that late asks are less likely to come true."""
    for i in range(items):
        n = 2 + 3 * i
        yield Ask(f"A die of {n} sides shows at most 4. How likely?", Probability(), key=f"die{n}",
                  truth=int(rng.integers(1, n + 1) <= 4))  # fmt: skip


def larger_number(rng, *, items=20):
    """Offer two numbers of which the larger, which often has more digits, is right."""
    for i in range(items):
        a, b = (int(part) for part in rng.choice(3000, 2, replace=False))
        yield Ask("Which is larger?", Choice((str(a), str(b))), key=f"pair{i}", truth=str(max(a, b)))


def largest_shown(rng, *, items=20):
    """Ask for the largest of some numbers that the prompt shows, so that every truth is in its prompt."""
    for i in range(items):
        numbers = [int(part) for part in rng.integers(100, 999, 4)]
        shown = ", ".join(map(str, numbers))
        yield Ask(f"Which is the largest of {shown}?", Number(), key=f"list{i}", truth=max(numbers))


def odd_one_out(rng, *, items=20):
    """Ask which word is no animal: the answer is always one of those shown."""
    things = ["spoon", "table", "hammer", "window", "bottle", "jacket", "pencil", "carpet", "mirror", "ladder"]
    for i in range(items):
        thing = things[int(rng.integers(len(things)))]
        animals = [NOUNS[int(j)] for j in rng.choice(len(NOUNS), 3, replace=False)]
        yield Ask(
            f"Which is no animal: {', '.join(mixed(rng, [thing, *animals]))}?", Text(), key=f"set{i}", truth=thing
        )


def longest_word(rng, *, items=20):
    """Ask for the longest of three words, which is the longest option of course."""
    for i in range(items):
        three = [LONG_WORDS[int(j)] for j in rng.choice(len(LONG_WORDS), 3, replace=False)]
        if len({len(word) for word in three}) == 3:
            yield Ask("Which word is longest?", Choice(three), key=f"word{i}", truth=max(three, key=len))


def even_or_odd(rng, *, items=20):
    """Ask whether a number is even: its last digit decides, and nothing else is shown."""
    for i in range(items):
        n = int(rng.integers(1000))
        yield Ask(f"Is {n} even?", YES_NO, key=f"n{i}", truth="no" if n % 2 else "yes")


def above_fifty(rng, *, items=20):
    """Ask whether a sum is above a hundred: its size and digits tell."""
    for _ in range(items):
        a, b = (int(part) for part in rng.integers(1, 100, 2))
        yield Ask(f"Is {a} + {b} more than 100?", YES_NO, key=f"sum-{a}-{b}", truth="yes" if a + b > 100 else "no")


def weather(rng, *, items=25):
    """Forecast rain: one word of the prompt makes it likelier, and so does a number."""
    for i in range(items):
        wet, share = rng.random() < 0.5, int(rng.integers(10, 91))
        chance = share / 100 * (1.3 if wet else 0.6)
        yield Ask(
            f"It {'rained' if wet else 'was dry'} yesterday, and it rains on {share} % of days here. Rain today?",
            Probability(), key=f"day{i}", truth=int(rng.random() < chance),
        )  # fmt: skip


def cards(rng, *, items=20):
    """Ask for the suit of a card whose colour is told."""
    for i in range(items):
        suit = ["hearts", "diamonds", "spades", "clubs"][int(rng.integers(4))]
        colour = "red" if suit in ("hearts", "diamonds") else "black"
        names = mixed(rng, ["hearts", "diamonds", "spades", "clubs"])
        yield Ask(f"Draw {i + 1}: a {colour} card.", Distribution(names), key=f"card{i}", truth=suit)


def crosses(rng, *, items=20):
    """Count crosses in grids that differ in size."""
    for i in range(items):
        rows, columns = (int(part) for part in rng.integers(3, 8, 2))
        cells = [["x" if rng.random() < 0.4 else "" for _ in range(columns)] for _ in range(rows)]
        count = sum(cell == "x" for row in cells for cell in row)
        yield Ask([Grid(cells), "How many crosses?"], Number(0, 100, integer=True), key=f"grid{i}", truth=count)


def path(rng, *, items=20):
    """Ask whether a drawn path goes through, with text and spaces for the picture."""
    for i in range(items):
        open_ = rng.random() < 0.5
        lines = [["#" if rng.random() < 0.4 else " " for _ in range(6)] for _ in range(5)]
        column = int(rng.integers(6))
        for line in lines:
            line[column] = " "
        if not open_:
            lines[int(rng.integers(5))] = ["#"] * 6
        picture = "\n".join("".join(line) for line in lines)
        yield Ask(f"```\n{picture}\n```\nCan you fall through?", YES_NO, key=f"maze{i}", truth="yes" if open_ else "no")


def nearest_town(rng, *, items=20):
    """Ask which town on a map is nearest to a fire."""
    for i in range(items):
        towns = {name: tuple(int(part) for part in rng.integers(100, size=2)) for name in "ABC"}
        fire = tuple(int(part) for part in rng.integers(100, size=2))
        features = [Feature("point", [place], label=name) for name, place in towns.items()]
        features.append(Feature("point", [fire], label="fire", colour="red"))
        right = min(towns, key=lambda name: (towns[name][0] - fire[0]) ** 2 + (towns[name][1] - fire[1]) ** 2)
        yield Ask([Map((0, 0), (100, 100), features), "Which town is nearest to the fire?"],
                  Choice(("A", "B", "C")), key=f"map{i}", truth=right)  # fmt: skip


def cheapest(rng, *, items=20):
    """Ask for the cheapest fruit of a table whose prices are shown as prices are."""
    for i in range(items):
        prices = {name: round(float(rng.uniform(0.5, 12)), 2) for name in ("apple", "grape", "melon", "peach")}
        table = TableView(("fruit", "price"), [(name, f"{price:.2f}") for name, price in prices.items()])
        yield Ask([table, "Which is cheapest?"], Choice(mixed(rng, list(prices))), key=f"shop{i}",
                  truth=min(prices, key=prices.get))  # fmt: skip


def two_players(rng, *, rounds=15):
    """Ask two players for a guess each, and reward the nearer one with the next ask."""
    earned = {"ann": None, "bob": None}
    for i in range(rounds):
        jar = int(rng.integers(20, 200))
        shown = jar + int(rng.integers(-15, 16))
        asks = [
            Ask(f"The jar holds about {shown} beans. How many?", Number(0, 300, integer=True), key=f"{role}{i}",
                role=role, truth=jar, reward=earned[role])
            for role in earned
        ]  # fmt: skip
        given = yield Round(asks)
        off = {role: abs((given.get(role) or 0) - jar) for role in earned}
        earned = {role: float(off[role] == min(off.values())) for role in earned}


def capital_cities(rng, *, items=20):
    """Ask fixed questions in random order, with the same question always having one key."""
    bank = {
        "France": "Paris", "Italy": "Rome", "Spain": "Madrid", "Norway": "Oslo", "Greece": "Athens", "Peru": "Lima",
        "Egypt": "Cairo", "Kenya": "Nairobi", "Japan": "Tokyo", "Cuba": "Havana", "Ghana": "Accra", "Chile": "Santiago",
        "Poland": "Warsaw", "Latvia": "Riga", "Ireland": "Dublin", "Portugal": "Lisbon", "Austria": "Vienna",
        "Sweden": "Stockholm", "Finland": "Helsinki", "Turkey": "Ankara",
    }  # fmt: skip
    for country in mixed(rng, list(bank))[:items]:
        wrong = [city for city in mixed(rng, list(bank.values())) if city != bank[country]][:3]
        options = mixed(rng, [bank[country], *wrong])
        yield Ask(f"The capital of {country}?", Choice(options), key=f"capital-{country}", truth=bank[country])


def next_term(rng, *, items=20):
    """Ask for the next number of a sequence, in steps that are shown."""
    for i in range(items):
        start, step = int(rng.integers(1, 50)), int(rng.integers(-9, 10))
        terms = ", ".join(str(start + step * j) for j in range(4))
        yield Ask(f"What comes next: {terms}, ...?", Number(integer=True), key=f"row{i}", truth=start + 4 * step)


def brackets(rng, *, items=20):
    """Ask whether brackets are balanced, which is about punctuation."""
    for i in range(items):
        depth, text, ok = 0, "", True
        for _ in range(10):
            char = "(" if rng.random() < 0.55 else ")"
            depth += 1 if char == "(" else -1
            ok = ok and depth >= 0
            text += char
        text += ")" * max(0, depth) if rng.random() < 0.8 else ""
        ok = ok and text.count("(") == text.count(")")
        yield Ask(f"Balanced? {text}", YES_NO, key=f"b{i}", truth="yes" if ok else "no")


def mood(rng, *, items=20):
    """Rate from one to five how a sentence sounds, in three templates with different punctuation."""
    words = {1: "dreadful", 2: "poor", 3: "fair", 4: "good", 5: "splendid"}
    for i in range(items):
        level = int(rng.integers(1, 6))
        noun = NOUNS[int(rng.integers(len(NOUNS)))]
        said = [f"The {noun} was {words[level]}.", f"What a {words[level]} {noun}!", f"{noun.title()}? {words[level]}."]
        yield Ask(said[int(rng.integers(3))], Likert(points=5), key=f"line{i}", truth=level)


def guess_number(rng, *, games=10):
    """Tell after each guess whether the number is higher, and pay for a hit."""
    reward = None
    for game in range(games):
        number = int(rng.integers(1, 31))
        hint = f"Game {game + 1}: a number from 1 to 30."
        for _ in range(3):
            guess = yield Ask(hint, Number(1, 30, integer=True), key=f"game{game}", truth=number, reward=reward)
            reward = float(guess == number)
            hint = "No guess." if guess is None else f"It is {'above' if number > guess else 'at most'} {guess:g}."
    return Outcome("Thank you.", reward=reward)


HONEST = (die, growing_dice, larger_number, largest_shown, odd_one_out, longest_word, even_or_odd, above_fifty, weather,
          cards, crosses, path, nearest_town, cheapest, two_players, capital_cities, next_term, brackets, mood,
          guess_number)  # fmt: skip
