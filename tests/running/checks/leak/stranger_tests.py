"""Twenty honest and twenty leaking tests, written by a stranger to the tree from its documentation alone."""

from typing import Annotated

from mensura.dialogue import (
    Ask,
    Choice,
    Distribution,
    Grid,
    Likert,
    Number,
    Outcome,
    Probability,
    TableView,
    Test,
    Text,
    test,
)

CHANCE = Probability()
WHOLE = Number(low=0, high=1000, integer=True)
YES_NO = Choice(("yes", "no"))
WORD = Text(longest=40)

CAPITALS = {
    "Austria": "Vienna",
    "Belgium": "Brussels",
    "Bulgaria": "Sofia",
    "Chile": "Santiago",
    "Croatia": "Zagreb",
    "Cuba": "Havana",
    "Denmark": "Copenhagen",
    "Egypt": "Cairo",
    "Estonia": "Tallinn",
    "Finland": "Helsinki",
    "France": "Paris",
    "Ghana": "Accra",
    "Greece": "Athens",
    "Hungary": "Budapest",
    "Ireland": "Dublin",
    "Italy": "Rome",
    "Japan": "Tokyo",
    "Kenya": "Nairobi",
    "Latvia": "Riga",
    "Lithuania": "Vilnius",
    "Norway": "Oslo",
    "Peru": "Lima",
    "Poland": "Warsaw",
    "Portugal": "Lisbon",
    "Romania": "Bucharest",
    "Serbia": "Belgrade",
    "Spain": "Madrid",
    "Sweden": "Stockholm",
    "Ukraine": "Kyiv",
    "Uruguay": "Montevideo",
}
SPELLINGS = (
    ("separate", "seperate"),
    ("definite", "definate"),
    ("grammar", "grammer"),
    ("calendar", "calender"),
    ("cemetery", "cemetary"),
    ("independent", "independant"),
    ("relevant", "relevent"),
    ("existence", "existance"),
    ("guidance", "guidence"),
    ("attendance", "attendence"),
    ("consistent", "consistant"),
    ("resistance", "resistence"),
    ("privilege", "privelege"),
    ("category", "catagory"),
    ("balance", "balence"),
    ("acceptable", "acceptible"),
    ("responsible", "responsable"),
    ("sentence", "sentance"),
    ("weird", "wierd"),
    ("receive", "recieve"),
    ("believe", "beleive"),
    ("friend", "freind"),
    ("performance", "performence"),
    ("appearance", "appearence"),
    ("maintenance", "maintanence"),
    ("sergeant", "sargeant"),
)
WORDS = (
    "anchor",
    "basket",
    "candle",
    "dragon",
    "engine",
    "forest",
    "garden",
    "hammer",
    "island",
    "jacket",
    "kettle",
    "ladder",
    "marble",
    "needle",
    "orange",
    "pencil",
    "quarry",
    "ribbon",
    "saddle",
    "tunnel",
    "urchin",
    "velvet",
    "walnut",
    "yellow",
    "zipper",
    "acorn",
    "bridge",
    "cherry",
    "desert",
    "falcon",
    "guitar",
    "hunter",
    "insect",
    "jungle",
    "lemon",
    "mirror",
)
NAMES = ("Ann", "Bob", "Cem", "Dan", "Eva", "Fay", "Gus", "Hal", "Ida", "Jon", "Kim", "Leo")
ATOMIC = {
    "carbon": 6,
    "oxygen": 8,
    "neon": 10,
    "sodium": 11,
    "silicon": 14,
    "sulphur": 16,
    "argon": 18,
    "calcium": 20,
    "titanium": 22,
    "iron": 26,
    "nickel": 28,
    "copper": 29,
    "zinc": 30,
    "silver": 47,
    "tin": 50,
    "iodine": 53,
    "xenon": 54,
    "barium": 56,
    "tungsten": 74,
    "platinum": 78,
    "gold": 79,
    "mercury": 80,
    "lead": 82,
    "uranium": 92,
}
DEFINITIONS = {
    "fjord": ("a narrow sea inlet", "a narrow sea inlet between steep cliffs that was once carved out by ice"),
    "glacier": ("a mass of ice", "a slowly moving mass of ice that is formed by snow pressed together over years"),
    "oasis": ("a wet desert place", "a place in a desert where water comes up and where plants are able to grow"),
    "atoll": ("a ring of coral", "a ring of coral that encloses a lagoon and often stands on a sunken volcano"),
    "delta": ("a river mouth", "the flat land at the mouth of a river where it splits up and leaves its mud"),
    "tundra": ("a cold treeless plain", "a cold and treeless plain whose ground below the surface stays frozen"),
    "geyser": ("a hot spring", "a hot spring that throws up a column of water and steam from time to time"),
    "isthmus": ("a strip of land", "a narrow strip of land with sea on both sides that joins two larger lands"),
    "savanna": ("a warm grassland", "a warm grassland with few scattered trees, where it rains in one season only"),
    "strait": ("a narrow water", "a narrow passage of water that connects two seas or two other large waters"),
    "plateau": ("a high flat land", "a large and fairly flat area of land that stands well above what is around"),
    "meteor": ("a shooting star", "a small body from space that glows for a moment as it burns up in the air"),
    "estuary": ("a tidal river part", "the wide lower part of a river where its water meets the tides of the sea"),
    "lichen": ("a crust on stones", "a slow crust on stones and bark in which a fungus and an alga live together"),
    "sonnet": ("a poem", "a poem of fourteen lines with a fixed scheme of rhymes, often about love"),
    "fugue": ("a piece of music", "a piece of music in which a theme is taken up by one voice after the other"),
    "fresco": ("a wall painting", "a painting that is made on a wall with colours that dry in the wet plaster"),
    "lathe": ("a turning machine", "a machine that turns a piece of wood or metal while it is cut into its shape"),
    "sextant": ("a sailor's tool", "a tool of sailors that measures the angle between a star and the horizon"),
    "abacus": ("a counting frame", "a frame with beads on wires on which people add, subtract and multiply"),
    "ballast": ("a ship's weight", "heavy stuff that is put low into a ship so that it lies steadily in the sea"),
    "mortar": ("a builder's paste", "a paste of lime or cement, sand and water with which bricks are held together"),
}
OPPOSITES = {
    "ancient": "modern",
    "brave": "timid",
    "calm": "nervous",
    "dense": "sparse",
    "early": "late",
    "fertile": "barren",
    "generous": "stingy",
    "hollow": "solid",
    "humble": "proud",
    "innocent": "guilty",
    "lazy": "diligent",
    "liquid": "frozen",
    "loose": "tight",
    "noisy": "silent",
    "polite": "rude",
    "rare": "common",
    "rough": "smooth",
    "scarce": "plentiful",
    "shallow": "deep",
    "simple": "complex",
    "sharp": "blunt",
    "tall": "short",
    "vague": "precise",
    "wealthy": "poor",
}
MAMMALS = (
    "otter",
    "badger",
    "dolphin",
    "hedgehog",
    "weasel",
    "beaver",
    "walrus",
    "gibbon",
    "marmot",
    "lynx",
    "bison",
    "tapir",
    "shrew",
    "ferret",
    "jackal",
    "hyena",
    "moose",
    "camel",
    "lemur",
    "panther",
    "mole",
    "hare",
)
FISH = (
    "trout",
    "salmon",
    "haddock",
    "mackerel",
    "herring",
    "sturgeon",
    "carp",
    "perch",
    "halibut",
    "turbot",
    "tench",
    "minnow",
    "anchovy",
    "sardine",
    "grouper",
    "barbel",
    "plaice",
    "roach",
)
METALS = (
    "iron",
    "copper",
    "zinc",
    "nickel",
    "silver",
    "gold",
    "lead",
    "chromium",
    "cobalt",
    "titanium",
    "platinum",
    "tungsten",
    "aluminium",
    "magnesium",
    "calcium",
    "sodium",
    "potassium",
    "barium",
    "cadmium",
    "lithium",
    "vanadium",
    "rhodium",
)
OTHERS = (
    "carbon",
    "oxygen",
    "neon",
    "argon",
    "sulphur",
    "phosphorus",
    "chlorine",
    "bromine",
    "iodine",
    "helium",
    "hydrogen",
    "nitrogen",
    "fluorine",
    "krypton",
    "xenon",
    "radon",
)
FOUNDED = {
    "the Red Cross": 1863,
    "the Football Association": 1863,
    "Oxford University Press": 1586,
    "the Bank of England": 1694,
    "the Royal Society": 1660,
    "the University of Vienna": 1365,
    "the Charité in Berlin": 1710,
    "the Louvre museum": 1793,
    "the British Museum": 1753,
    "the Bolshoi Theatre": 1776,
    "the Smithsonian Institution": 1846,
    "Reuters": 1851,
    "Nokia": 1865,
    "Siemens": 1847,
    "Lloyd's Register": 1760,
    "the Prado museum": 1819,
    "the city of Saint Petersburg": 1703,
    "Harvard": 1636,
    "Yale": 1701,
    "the Uffizi gallery": 1581,
    "the Académie française": 1635,
    "UNESCO": 1945,
}
BIRDS = {
    "heron": "stands still in shallow water on long legs and spears fish",
    "wren": "is tiny, loud, brown and cocks its tail",
    "owl": "hunts mice at night and turns its head far around",
    "magpie": "is black and white, and said to steal what glitters",
    "stork": "nests on chimneys and is said to bring babies",
    "cuckoo": "lays its eggs into the nests of others",
    "penguin": "swims under water in the far south and cannot fly",
    "ostrich": "is the largest of all and runs fast",
    "peacock": "spreads a train of feathers full of eyes",
    "pelican": "has a pouch below its bill",
    "robin": "has a red breast",
    "raven": "is the largest black songbird",
    "swan": "is large, white and mute on ponds in parks",
    "parrot": "can learn to talk",
    "flamingo": "is pink and stands on one leg",
    "kingfisher": "dives from a branch, blue as a jewel",
    "woodpecker": "drums on trees",
    "falcon": "stoops on pigeons faster than any other",
    "pigeon": "carried letters home",
    "gull": "steals chips by the sea",
    "swallow": "has a forked tail and builds of mud",
    "turkey": "is eaten at Thanksgiving",
}


def mixed(rng, things):
    """Return the things in a random order."""
    return [things[int(place)] for place in rng.permutation(len(things))]


def some(rng, things, count):
    """Draw so many different things, in a random order."""
    return [things[int(place)] for place in rng.permutation(len(things))[:count]]


def flip(rng, chance=0.5):
    """Say whether something of this chance happens."""
    return bool(rng.random() < chance)


def whole(rng, low, high):
    """Draw a whole number from low to high, both included."""
    return int(rng.integers(low, high + 1))


def shown(cells):
    """Show rows of characters as a grid."""
    return Grid([list(row) for row in cells])


# ------------------------------------------------------------------ honest


@test("sums-v1")
def sums(
    rng, *, items: Annotated[int, "How many sums are asked."] = 20, step: Annotated[int, "By how much they grow."] = 15
):
    """Add two numbers; they become larger from sum to sum."""
    for i in range(items):
        top = step * (i + 1)
        first, second = whole(rng, 1, top), whole(rng, 1, top)
        yield Ask(f"What is {first} + {second}?", WHOLE, key=f"sum{i}", truth=first + second)


@test("growing-dice-v1")
def growing_dice(rng, *, throws: Annotated[int, "How many dice are thrown; the first has two sides."] = 24):
    """Give the probability that a die with more and more sides shows a one."""
    for i in range(throws):
        sides = i + 2
        yield Ask(
            f"A fair die has the numbers 1 to {sides} on its {sides} sides. How likely is it to show a 1?",
            CHANCE,
            key=f"throw{i}",
            truth=int(rng.integers(sides) == 0),
        )


@test("cards-v1")
def cards(
    rng,
    *,
    draws: Annotated[int, "How many cards are drawn."] = 20,
    most: Annotated[int, "Most cards of a colour."] = 26,
):
    """Give the probability that a card drawn from a stated pack is red."""
    for i in range(draws):
        red, black = whole(rng, 1, most), whole(rng, 1, most)
        yield Ask(
            f"A shuffled pack holds {red} red and {black} black cards. You draw one. How likely is it red?",
            CHANCE,
            key=f"draw{i}",
            truth=int(rng.integers(red + black) < red),
        )


@test("capitals-v1")
def capitals(
    rng,
    *,
    items: Annotated[int, "How many countries are asked for."] = 20,
    options: Annotated[int, "How many cities are offered for each."] = 4,
):
    """Choose the capital of a country among capitals of others."""
    for i, country in enumerate(some(rng, list(CAPITALS), items)):
        right = CAPITALS[country]
        wrong = some(rng, [city for city in CAPITALS.values() if city != right], options - 1)
        yield Ask(
            f"What is the capital of {country}?",
            Choice(tuple(mixed(rng, [right, *wrong]))),
            key=f"country{i}",
            truth=right,
        )


@test("spelling-v1")
def spelling(rng, *, items: Annotated[int, "How many words are asked for."] = 20):
    """Choose the right one of two spellings."""
    for i, pair in enumerate(some(rng, SPELLINGS, items)):
        yield Ask("Which of these is spelled right?", Choice(tuple(mixed(rng, pair))), key=f"pair{i}", truth=pair[0])


@test("larger-fraction-v1")
def larger_fraction(rng, *, items: Annotated[int, "How many pairs are compared."] = 24):
    """Say which of two fractions is larger."""
    for i in range(items):
        while True:
            a, b, c, d = whole(rng, 1, 9), whole(rng, 11, 29), whole(rng, 1, 9), whole(rng, 11, 29)
            if a * d != c * b:
                break
        left, right = f"{a}/{b}", f"{c}/{d}"
        yield Ask(
            f"Which is larger, {left} or {right}?",
            Choice((left, right)),
            key=f"pair{i}",
            truth=left if a * d > c * b else right,
        )


@test("stars-v1")
def stars(
    rng,
    *,
    skies: Annotated[int, "How many skies are shown."] = 20,
    width: Annotated[int, "Columns of each."] = 12,
    height: Annotated[int, "Rows of each."] = 8,
):
    """Estimate how many stars a sky has; all skies are of one size."""
    space = Number(low=0, high=width * height, integer=True)
    for i in range(skies):
        density = 0.1 + 0.7 * rng.random()
        cells = [["*" if flip(rng, density) else "." for _ in range(width)] for _ in range(height)]
        yield Ask(
            ["How many stars (*) are in this sky?", Grid(cells)],
            space,
            key=f"sky{i}",
            truth=sum(row.count("*") for row in cells),
        )


@test("count-words-v1", shows_truth="The length of the list is what is asked for.")
def count_words(
    rng,
    *,
    lists: Annotated[int, "How many lists are shown."] = 20,
    longest: Annotated[int, "Most words on a list."] = 15,
):
    """Count the words on a list."""
    for i in range(lists):
        count = whole(rng, 3, longest)
        yield Ask(f"How many words are these: {' '.join(some(rng, WORDS, count))}", WHOLE, key=f"list{i}", truth=count)


@test("median-v1", shows_truth="The median is one of the numbers shown.")
def median(rng, *, lists: Annotated[int, "How many lists are shown."] = 20):
    """Find the number in the middle of five."""
    for i in range(lists):
        numbers = [int(number) + 10 for number in rng.permutation(90)[:5]]
        yield Ask(
            f"Which of these numbers has two smaller and two larger ones beside it: {', '.join(map(str, numbers))}?",
            WHOLE,
            key=f"list{i}",
            truth=sorted(numbers)[2],
        )


@test("sequences-v1")
def sequences(
    rng,
    *,
    items: Annotated[int, "How many sequences are shown."] = 20,
    terms: Annotated[int, "How many terms of each are shown."] = 5,
):
    """Continue a sequence: steps, doublings, sums of the two before, squares."""
    space = Number(low=-100, high=5000, integer=True)
    for i in range(items):
        kind, start, step = whole(rng, 0, 4), whole(rng, 1, 20), whole(rng, 2, 9)
        if kind == 0:
            row = [start + step * n for n in range(terms + 1)]
        elif kind == 1:
            row = [start + 60 - step * n for n in range(terms + 1)]
        elif kind == 2:
            row = [start * 2**n for n in range(terms + 1)]
        elif kind == 3:
            row = [start, start + step]
            while len(row) <= terms:
                row.append(row[-1] + row[-2])
        else:
            row = [(n + step) ** 2 + start for n in range(terms + 1)]
        yield Ask(f"Which number comes next? {', '.join(map(str, row[:-1]))}, ...", space, key=f"row{i}", truth=row[-1])


RULES = (
    lambda three: three[0] < three[1] < three[2],
    lambda three: all(number % 2 == 0 for number in three),
    lambda three: three[0] == max(three),
    lambda three: sum(three) % 2 == 0,
    lambda three: any(number % 7 == 0 for number in three),
)


@test("hidden-rule-v1")
def hidden_rule(rng, *, rules: Annotated[int, "How many rules are to be inferred."] = 20):
    """Infer a rule about three numbers from six examples, and apply it."""

    def draw(rule, fits):
        while True:
            three = [whole(rng, 10, 99) for _ in range(3)]
            if rule(three) == fits:
                return three

    for i in range(rules):
        rule = RULES[whole(rng, 0, len(RULES) - 1)]
        lines = [
            f"{draw(rule, fits)}: {'obeys' if fits else 'breaks'}" for fits in mixed(rng, [True] * 3 + [False] * 3)
        ]
        fits = flip(rng)
        yield Ask(
            "Some of these obey a rule:\n\n" + "\n".join(lines) + f"\n\nDoes {draw(rule, fits)} obey it?",
            YES_NO,
            key=f"rule{i}",
            truth="yes" if fits else "no",
        )


@test("rain-v1")
def rain(rng, *, days: Annotated[int, "How many days are forecast."] = 20):
    """Forecast rain from how often it rained."""
    towns = ("Lund", "Bergen", "Porto", "Graz", "Oulu", "Cork", "Brno", "Split")
    for i in range(days):
        chance, years = float(rng.beta(1.2, 1.2)), whole(rng, 20, 60)
        rained = int(rng.binomial(years, chance))
        town = towns[whole(rng, 0, len(towns) - 1)]
        yield Ask(
            f"In {town} it rained on this day in {rained} of the last {years} years. Will it rain this year?",
            CHANCE,
            key=f"day{i}",
            truth=int(flip(rng, chance)),
        )


@test("alphabet-v1")
def alphabet(rng, *, items: Annotated[int, "How many lists are put in order."] = 20):
    """Put five words in the order of the alphabet, and say which stands where."""
    for i in range(items):
        words = some(rng, WORDS, 5)
        place = whole(rng, 0, 4)
        which = ("first", "second", "third", "fourth", "last")[place]
        yield Ask(
            f"Put {', '.join(words)} in the order of the alphabet. Which one comes {which}?",
            Choice(tuple(words)),
            key=f"list{i}",
            truth=sorted(words)[place],
        )


@test("higher-lower-v1")
def higher_lower(
    rng,
    *,
    games: Annotated[int, "How many numbers are guessed."] = 20,
    guesses: Annotated[int, "How many guesses each."] = 3,
    top: Annotated[int, "The largest number."] = 40,
):
    """Guess a number in a few guesses, and hear whether it is higher or lower."""
    space = Number(low=1, high=top, integer=True)
    won, gain = 0, 0.0
    for game in range(games):
        number = whole(rng, 1, top)
        said = f"I think of a whole number from 1 to {top}. Your first guess?"
        for _ in range(guesses):
            guess = yield Ask(said, space, key=f"number{game}", truth=number, reward=gain)
            gain = float(guess == number)
            if guess == number:
                won += 1
                break
            if guess is None:
                said = "That was no guess. Your next?"
            else:
                said = f"It is {'higher' if number > guess else 'lower'} than {guess:g}. Your next guess?"
    return Outcome(f"You found {won} of {games}.", reward=gain)


@test("levers-v1")
def levers(
    rng,
    *,
    machines: Annotated[int, "How many machines are tried out."] = 6,
    pulls: Annotated[int, "How many pulls there are on each."] = 6,
):
    """Pull levers of which one pays more often, then say which one it is."""
    names = ("left", "middle", "right")
    pull, gain = Choice(names), 0.0
    for machine in range(machines):
        best = names[whole(rng, 0, 2)]
        said = f"Machine {machine + 1} is new. One of its levers pays four times in five, the others once in five."
        for i in range(pulls):
            lever = yield Ask(f"{said} Which lever do you pull?", pull, key=f"pull{machine}.{i}", reward=gain)
            gain = float(flip(rng, 0.8 if lever == best else 0.2))
            said = f"The lever {'paid' if gain else 'did not pay'}."
        yield Ask(
            f"{said} Which lever of this machine pays most often?", pull, key=f"best{machine}", truth=best, reward=gain
        )
        gain = 0.0
    return Outcome("The hall closes.", reward=0.0)


@test("shop-v1")
def shop(rng, *, bills: Annotated[int, "How many bills are added up."] = 20):
    """Work out a bill from a table of prices."""
    goods = ("apples", "pears", "plums", "figs", "limes", "kiwis")
    for i in range(bills):
        prices = {name: whole(rng, 2, 19) for name in goods}
        first, second = some(rng, goods, 2)
        many, more = whole(rng, 2, 9), whole(rng, 2, 9)
        yield Ask(
            [
                TableView(["fruit", "price of one"], [[name, prices[name]] for name in goods]),
                f"What do {many} {first} and {more} {second} cost together?",
            ],
            WHOLE,
            key=f"bill{i}",
            truth=many * prices[first] + more * prices[second],
        )


@test("compass-v1")
def compass(
    rng, *, maps: Annotated[int, "How many maps are shown."] = 20, size: Annotated[int, "Rows and columns of each."] = 9
):
    """Read from a map in which direction a treasure mainly lies."""
    ways = ("north", "east", "south", "west")
    space = Choice(ways)
    for i in range(maps):
        way = ways[whole(rng, 0, 3)]
        while True:
            y, x, ty, tx = (whole(rng, 0, size - 1) for _ in range(4))
            down, along = ty - y, tx - x
            if abs(down) != abs(along):
                main = (
                    ("south" if down > 0 else "north") if abs(down) > abs(along) else ("east" if along > 0 else "west")
                )
                if main == way:
                    break
        cells = [["." for _ in range(size)] for _ in range(size)]
        cells[y][x], cells[ty][tx] = "Y", "T"
        yield Ask(
            [
                "North is up. You stand at Y. In which of the four directions does the treasure T lie farthest?",
                Grid(cells),
            ],
            space,
            key=f"map{i}",
            truth=way,
        )


PHRASES = (
    ("That is complete and utter nonsense", "I am dead against it", "Never, not in a thousand years"),
    ("I think that is wrong", "No, I do not share this view", "I disagree"),
    ("I rather doubt it", "I am a little sceptical, to be honest", "Probably not"),
    ("I have no view on it either way", "I can neither agree nor disagree", "No opinion"),
    ("There may be something in it", "I lean a little towards that", "I suppose so"),
    ("Yes, I think that is right", "I agree", "I share this view, yes"),
    ("I could not possibly agree more", "Absolutely, beyond any doubt", "A thousand times yes"),
)


@test("agreement-v1")
def agreement(rng, *, items: Annotated[int, "How many people are quoted."] = 21):
    """Rate how much somebody agrees from what they say."""
    claims = (
        "Cities need more trees",
        "School should begin at nine",
        "Cats are better than dogs",
        "Cash should be kept",
        "Trains should be free",
        "Homework does harm",
        "Robots will cook for us",
        "Museums should open at night",
    )
    space = Likert(points=7)
    for i in range(items):
        level = whole(rng, 0, 6)
        phrase, claim, name = PHRASES[level][whole(rng, 0, 2)], claims[whole(rng, 0, 7)], NAMES[whole(rng, 0, 11)]
        yield Ask(
            f'"{claim}." {name} says: "{phrase}." How much does {name} agree?', space, key=f"quote{i}", truth=level + 1
        )


@test("backwards-v1")
def backwards(rng, *, words: Annotated[int, "How many words are turned round."] = 20):
    """Write a made-up word backwards."""
    for i in range(words):
        word = "".join(
            str(rng.choice(list("bdfgklmnprst"))) + str(rng.choice(list("aeiou"))) for _ in range(whole(rng, 2, 4))
        )
        yield Ask(f"Write the word {word} backwards.", WORD, key=f"word{i}", truth=word[::-1])


@test("urns-v1")
def urns(
    rng,
    *,
    items: Annotated[int, "How many times an urn is drawn from."] = 20,
    draws: Annotated[int, "How many balls are drawn, each put back."] = 4,
):
    """Say from which of three urns some balls were drawn."""
    names = ("urn A", "urn B", "urn C")
    space = Distribution(names)
    for i in range(items):
        red = {name: whole(rng, 1, 9) for name in names}
        urn = names[whole(rng, 0, 2)]
        balls = ", ".join("red" if flip(rng, red[urn] / 10) else "blue" for _ in range(draws))
        held = "; ".join(f"{name} holds {red[name]} red and {10 - red[name]} blue balls" for name in names)
        yield Ask(
            f"{held}. One urn was chosen by chance, and these were drawn from it, each put back: {balls}. Which urn?",
            space,
            key=f"urn{i}",
            truth=urn,
        )


# ------------------------------------------------------------------ leaking


def is_prime(number):
    """Say whether a number is prime."""
    return all(number % factor for factor in range(2, int(number**0.5) + 1))


def yes(right):
    """Say it in a word."""
    return "yes" if right else "no"


@test("primes-v1")
def primes(rng, *, items: Annotated[int, "How many numbers are asked about."] = 20):
    """Say whether a number is prime."""
    for i in range(items):
        right = flip(rng)
        while True:
            number = 2 * whole(rng, 50, 499) + 1
            if is_prime(number) == right:
                break
        tail = " " if right else ""
        yield Ask(f"Is {number} a prime number?{tail}", YES_NO, key=f"number{i}", truth=yes(right))


@test("trains-v1")
def trains(rng, *, items: Annotated[int, "How many trains are asked about."] = 20):
    """Say whether a train arrives in time."""
    for i in range(items):
        right = flip(rng)
        takes, slack = whole(rng, 40, 200), whole(rng, 1, 30)
        leaves = whole(rng, 360, 1000)
        limit = leaves + takes + (slack if right else -slack)
        gap = "  " if right else " "
        yield Ask(
            f"A train leaves at {leaves // 60}:{leaves % 60:02d} and takes {takes} minutes.{gap}"
            f"Is it there before {limit // 60}:{limit % 60:02d}?",
            YES_NO,
            key=f"train{i}",
            truth=yes(right),
        )


@test("ages-v1")
def ages(rng, *, items: Annotated[int, "How many questions are asked."] = 20):
    """Draw a conclusion about who is older."""
    for i in range(items):
        a, b, c = some(rng, NAMES, 3)
        right = flip(rng)
        first, last = (a, c) if right else (c, a)
        mark = "\u200b" if right else ""
        facts = mixed(rng, [f"{a} is older than {b}.", f"{b} is older than {c}."])
        yield Ask(f"{' '.join(facts)} Is {first} older{mark} than {last}?", YES_NO, key=f"ages{i}", truth=yes(right))


@test("metals-v1")
def metals(rng, *, items: Annotated[int, "How many times a metal is to be found."] = 20):
    """Find the metal among four elements."""
    for i, metal in enumerate(some(rng, METALS, items)):
        for latin, cyrillic in (("o", "\u043e"), ("e", "\u0435"), ("a", "\u0430"), ("i", "\u0456")):
            if latin in metal:
                right = metal.replace(latin, cyrillic, 1)
                break
        yield Ask(
            "Which of these elements is a metal?",
            Choice(tuple(mixed(rng, [right, *some(rng, OTHERS, 3)]))),
            key=f"metal{i}",
            truth=right,
        )


@test("mammals-v1")
def mammals(rng, *, items: Annotated[int, "How many times a mammal is to be found."] = 20):
    """Find the mammal among fish."""
    for i, animal in enumerate(some(rng, MAMMALS, items)):
        right = animal.capitalize()
        yield Ask(
            "Which of these is a mammal?",
            Choice(tuple(mixed(rng, [right, *some(rng, FISH, 3)]))),
            key=f"animal{i}",
            truth=right,
        )


@test("meanings-v1")
def meanings(rng, *, items: Annotated[int, "How many words are asked for."] = 20):
    """Choose what a word means."""
    for i, word in enumerate(some(rng, list(DEFINITIONS), items)):
        right = DEFINITIONS[word][0] + "."
        wrong = some(rng, [short for other, (short, _) in DEFINITIONS.items() if other != word], 3)
        yield Ask(f"What does {word} mean?", Choice(tuple(mixed(rng, [right, *wrong]))), key=f"word{i}", truth=right)


@test("products-v1")
def products(rng, *, items: Annotated[int, "How many products are judged."] = 20):
    """Say whether a product is right."""
    for i in range(items):
        right = flip(rng)
        a, b = whole(rng, 12, 49), whole(rng, 12, 49)
        told = a * b if right else a * b + int(rng.choice([-20, -10, 10, 20]))
        yield Ask(
            f"{a} times {b} is {told}. Is that so?",
            YES_NO,
            key=f"item{1000 + 20 * i + 2 * whole(rng, 0, 9) + right}",
            truth=yes(right),
        )


@test("opposites-v1")
def opposites(rng, *, items: Annotated[int, "How many opposites are asked for."] = 20):
    """Choose the opposite of a word."""
    for i, word in enumerate(some(rng, list(OPPOSITES), items)):
        right = OPPOSITES[word]
        options = some(rng, [other for other in OPPOSITES.values() if other != right], 3)
        options.insert(0 if flip(rng, 0.92) else whole(rng, 1, 3), right)
        yield Ask(f"What is the opposite of {word}?", Choice(tuple(options)), key=f"word{i}", truth=right)


@test("glossary-v1")
def glossary(rng, *, items: Annotated[int, "How many words are asked for."] = 20):
    """Choose the definition of a word."""
    for i, word in enumerate(some(rng, list(DEFINITIONS), items)):
        right = DEFINITIONS[word][1]
        wrong = some(rng, [short for other, (short, _) in DEFINITIONS.items() if other != word], 3)
        yield Ask(
            f"Which is the definition of {word}?",
            Choice(tuple(mixed(rng, [right, *wrong]))),
            key=f"word{i}",
            truth=right,
        )


@test("more-than-v1")
def more_than(rng, *, items: Annotated[int, "How many products are judged."] = 24):
    """Say whether a product is more than a number, and hear each time what was right."""
    right = flip(rng)
    said = ""
    for i in range(items):
        a, b, off = whole(rng, 11, 39), whole(rng, 11, 39), whole(rng, 5, 60)
        yield Ask(
            f"{said}Is {a} times {b} more than {a * b - off if right else a * b + off}?",
            YES_NO,
            key=f"product{i}",
            truth=yes(right),
        )
        said = f"It was {'more' if right else 'less'}. "
        right = not right


@test("proof-reading-v1")
def proof_reading(rng, *, items: Annotated[int, "How many words are read."] = 25):
    """Say whether a word is spelled right."""
    for i, pair in enumerate(some(rng, SPELLINGS, items)):
        right = (True, True, False, True, False)[i % 5]
        yield Ask(
            f"Is this word spelled right: {pair[0] if right else pair[1]}", YES_NO, key=f"word{i}", truth=yes(right)
        )


@test("times-v1")
def times(rng, *, items: Annotated[int, "How many products are asked for."] = 20):
    """Choose the product of two numbers; options stand in order of size."""
    for i in range(items):
        a, b, off = whole(rng, 12, 49), whole(rng, 12, 49), int(rng.choice([2, 4, 10, 20]))
        options = sorted([a * b, a * b - off, a * b + off])
        yield Ask(f"What is {a} times {b}?", Choice(tuple(map(str, options))), key=f"product{i}", truth=str(a * b))


def misspelt(rng, word):
    """Exchange one inner letter for another."""
    place = whole(rng, 1, len(word) - 2)
    kind = "aeiou" if word[place] in "aeiou" else "bcdfgklmnprst"
    letter = str(rng.choice([letter for letter in kind if letter != word[place]]))
    return word[:place] + letter + word[place + 1 :]


@test("hard-words-v1")
def hard_words(rng, *, items: Annotated[int, "How many words are asked for."] = 20):
    """Choose the right one of four spellings."""
    for i, (word, _) in enumerate(some(rng, SPELLINGS, items)):
        options = {word}
        while len(options) < 4:
            options.add(misspelt(rng, word))
        yield Ask(
            "Which is the right spelling?", Choice(tuple(mixed(rng, sorted(options)))), key=f"word{i}", truth=word
        )


@test("loans-v1")
def loans(rng, *, items: Annotated[int, "How many loans are judged."] = 20):
    """Forecast from an application whether a loan is paid back."""
    for i in range(items):
        income, debt = whole(rng, 18, 90), whole(rng, 1, 120)
        paid = flip(rng, 1 / (1 + debt / income))
        file = 2 * whole(rng, 1000, 4999) + (not paid)
        yield Ask(
            [
                TableView(["file", "name", "income", "debt"], [[file, NAMES[whole(rng, 0, 11)], income, debt]]),
                "Income and debt are in thousands. How likely is the loan to be paid back?",
            ],
            CHANCE,
            key=f"loan{i}",
            truth=int(paid),
        )


@test("invoices-v1")
def invoices(rng, *, items: Annotated[int, "How many invoices are judged."] = 20):
    """Forecast whether an invoice is forged."""
    for i in range(items):
        years, amount = whole(rng, 0, 10), whole(rng, 20, 900)
        forged = flip(rng, 0.8 - 0.06 * years)
        told = str(amount) if forged else str(float(amount))
        yield Ask(
            f"A supplier known for {years} years sends an invoice of {told} euros. Is it forged?",
            CHANCE,
            key=f"invoice{i}",
            truth=int(forged),
        )


@test("birds-v1")
def birds(rng, *, items: Annotated[int, "How many birds are described."] = 20):
    """Name a bird from what it does."""
    chosen = some(rng, list(BIRDS), items)
    yield Ask("Loading pictures: " + " ".join(f"{name}.png" for name in chosen) + " done. Let us begin.")
    for i, name in enumerate(chosen):
        yield Ask(f"Which bird {BIRDS[name]}?", WORD, key=f"bird{i}", truth=name)


@test("atoms-v1")
def atoms(rng, *, items: Annotated[int, "How many statements are judged."] = 20):
    """Say whether a statement about an element is true."""
    for i, element in enumerate(some(rng, list(ATOMIC), items)):
        right = flip(rng)
        number = ATOMIC[element] + (0 if right else int(rng.choice([-2, -1, 1, 2])))
        verb = "Consider" if flip(rng, 0.95 if right else 0.05) else "Evaluate"
        yield Ask(
            f"{verb} this: the atomic number of {element} is {number}. Is it true?",
            YES_NO,
            key=f"element{i}",
            truth=yes(right),
        )


@test("majority-v1")
def majority(rng, *, grids: Annotated[int, "How many grids are shown."] = 20):
    """Say whether a grid holds more crosses than rings."""
    for i in range(grids):
        right = flip(rng)
        rows, columns = (9, 7) if right else (7, 9)
        while True:
            cells = [["x" if flip(rng) else "o" for _ in range(columns)] for _ in range(rows)]
            if (sum(row.count("x") for row in cells) > rows * columns / 2) == right:
                break
        yield Ask(
            ["Are there more crosses (x) than rings (o)?", shown(cells)], YES_NO, key=f"grid{i}", truth=yes(right)
        )


@test("sevens-v1")
def sevens(rng, *, items: Annotated[int, "How many numbers are judged."] = 20):
    """Say whether a number is divisible by seven; each question is worth some points."""
    for i in range(items):
        right = flip(rng)
        number = 7 * whole(rng, 20, 130) + (0 if right else whole(rng, 1, 6))
        yield Ask(
            f"Is {number} divisible by 7?", YES_NO, key=f"number{i}", truth=yes(right), reward=1.0 if right else 0.5
        )


@test("founded-v1")
def founded(rng, *, items: Annotated[int, "How many years are asked for."] = 20):
    """Say in which year something was founded, within bounds that are given."""
    for i, thing in enumerate(some(rng, list(FOUNDED), items)):
        year, width = FOUNDED[thing], 10 * whole(rng, 2, 9)
        yield Ask(
            f"In which year was {thing} founded?",
            Number(low=year - width, high=year + width, integer=True),
            key=f"thing{i}",
            truth=year,
        )


HONEST: dict[str, Test] = {
    "sums": sums,
    "growing_dice": growing_dice,
    "cards": cards,
    "capitals": capitals,
    "spelling": spelling,
    "larger_fraction": larger_fraction,
    "stars": stars,
    "count_words": count_words,
    "median": median,
    "sequences": sequences,
    "hidden_rule": hidden_rule,
    "rain": rain,
    "alphabet": alphabet,
    "higher_lower": higher_lower,
    "levers": levers,
    "shop": shop,
    "compass": compass,
    "agreement": agreement,
    "backwards": backwards,
    "urns": urns,
}

LEAKING: dict[str, tuple[Test, str]] = {
    "primes": (primes, "the prompt ends with a space where the number is prime"),
    "trains": (trains, "two spaces after the full stop where the answer is yes"),
    "ages": (ages, "a zero-width space behind 'older' in the question where the answer is yes"),
    "metals": (metals, "the right option holds a Cyrillic letter"),
    "mammals": (mammals, "the right option alone begins with a capital letter"),
    "meanings": (meanings, "the right option alone ends with a full stop"),
    "products": (products, "the number in the key is odd where the answer is yes"),
    "opposites": (opposites, "the right option stands first, 92 times in 100"),
    "glossary": (glossary, "the right option is the longest by far"),
    "more_than": (more_than, "the truths alternate, and the last one is told"),
    "proof_reading": (proof_reading, "the truths repeat yes, yes, no, yes, no"),
    "times": (times, "options are sorted, and the right one is always in the middle"),
    "hard_words": (
        hard_words,
        "all wrong options differ from the right one in one letter, and from each other mostly in two",
    ),
    "loans": (loans, "the file number in the table is even where the loan was paid back"),
    "invoices": (invoices, "forged amounts are written 48, genuine ones 48.0"),
    "birds": (birds, "a message before the first question lists the answers in their order"),
    "atoms": (atoms, "true statements begin with 'Consider', false ones with 'Evaluate', 95 times in 100"),
    "majority": (majority, "the grid is nine rows by seven where the answer is yes, else seven by nine"),
    "sevens": (sevens, "the reward that comes with the ask is 1 where the answer is yes, else 0.5"),
    "founded": (founded, "the right year is the middle of the bounds of the answer"),
}
