"""Twenty honest and twenty leaking tests, by a second stranger who has read the documentation only."""

from typing import Annotated

from mensura.dialogue import (
    Ask,
    Choice,
    Density,
    Feature,
    Grid,
    Likert,
    Mailbox,
    Map,
    Message,
    Number,
    Probability,
    TableView,
    Test,
    Text,
    test,
)

YES_NO = Choice(("yes", "no"))
CHANCE = Probability()
WHOLE = Number(integer=True)
COLOURS = ["red", "green", "blue", "yellow"]
NAMES = ["Lena", "Omar", "Mika", "Ines", "Tove", "Raj", "Paul", "Yuki", "Nadia", "Sven"]
Questions = Annotated[int, "How many questions are asked, 1 or more."]


def mixed(rng, options):
    """Return the options in an order drawn by chance."""
    return [options[int(j)] for j in rng.permutation(len(options))]


# ---------------------------------------------------------------------------------------------------------- honest


@test("ink-v1")
def ink(rng, *, questions: Questions = 24):
    """Name the ink and not the word, as Stroop asked."""
    for i in range(questions):
        word, colour = (str(c) for c in rng.choice(COLOURS, 2))
        shown = [
            f"The word {word.upper()} is written in {colour} ink.",
            f"In {colour} ink stands the word {word.upper()}.",
        ]
        yield Ask(
            f"{shown[int(rng.integers(2))]} What colour is the ink?",
            Choice(tuple(mixed(rng, COLOURS))),
            key=f"word{i}",
            truth=colour,
        )


@test("backward-v1")
def backward(rng, *, spans: Annotated[int, "How many spans are shown, 1 or more."] = 20):
    """Repeat digits in reverse."""
    for i in range(spans):
        digits = [str(d) for d in rng.integers(10, size=4 + i // 4)]
        yield Ask("Remember: " + " ".join(digits))
        yield Ask(
            "Type the digits in reverse, without spaces.", Text(longest=20), key=f"span{i}", truth="".join(digits[::-1])
        )


FORMS = [
    ("All {a} are {b}. All {b} are {c}. So all {a} are {c}.", True),
    ("All {a} are {c}. All {b} are {c}. So all {a} are {b}.", False),
    ("No {a} are {b}. All {c} are {a}. So no {c} are {b}.", True),
    ("All {a} are {b}. No {c} are {a}. So no {c} are {b}.", False),
    ("Some {a} are {b}. All {b} are {c}. So some {a} are {c}.", True),
    ("Some {a} are {b}. Some {b} are {c}. So some {a} are {c}.", False),
    ("No {a} are {b}. Some {c} are {a}. So some {c} are not {b}.", True),
    ("All {a} are {b}. Some {c} are not {a}. So some {c} are not {b}.", False),
]


@test("syllogisms-v1")
def syllogisms(rng, *, questions: Questions = 24):
    """Say whether a conclusion follows."""
    for i in range(questions):
        form, valid = FORMS[int(rng.integers(len(FORMS)))]
        a, b, c = (
            str(n) for n in rng.choice(["blickets", "daxes", "feps", "toves", "wugs", "zorgs"], 3, replace=False)
        )
        yield Ask(
            form.format(a=a, b=b, c=c) + " Does this follow?", YES_NO, key=f"form{i}", truth="yes" if valid else "no"
        )


@test("screening-v1")
def screening(rng, *, patients: Annotated[int, "How many patients are judged, 1 or more."] = 25):
    """Give the probability of an illness after a positive test."""
    for i in range(patients):
        ill, hit, false = int(rng.integers(1, 60)), int(rng.integers(60, 100)), int(rng.integers(2, 40))
        after = ill * hit / (ill * hit + (100 - ill) * false)
        yield Ask(
            f"Of 100 people {ill} are ill. The test is positive for {hit} % of the ill and {false} % of the others. "
            "This person's test is positive. Is the person ill?",
            CHANCE,
            key=f"patient{i}",
            truth=int(rng.random() < after),
        )


@test("raffle-v1")
def raffle(rng, *, days: Annotated[int, "On how many days a raffle is held, 1 or more."] = 24):
    """Give the probability of winning while ever more tickets are sold."""
    sold = 3
    for i in range(days):
        yield Ask(
            f"{sold} tickets are in the drum and one is drawn. You hold 2 of them. Do you win?",
            CHANCE,
            key=f"day{i}",
            truth=int(rng.integers(sold) < 2),
        )
        sold += int(rng.integers(1, 6))


@test("products-v1")
def products(rng, *, questions: Questions = 20):
    """Multiply numbers that grow."""
    for i in range(questions):
        a, b = int(rng.integers(2, 12 + 3 * i)), int(rng.integers(2, 12))
        yield Ask(f"What is {a} × {b}?", WHOLE, key=f"product{i}", truth=a * b)


CAPITALS = {
    "Peru": "Lima",
    "Kenya": "Nairobi",
    "Norway": "Oslo",
    "Japan": "Tokyo",
    "Cuba": "Havana",
    "Egypt": "Cairo",
    "Poland": "Warsaw",
    "Chile": "Santiago",
    "Ghana": "Accra",
    "Nepal": "Kathmandu",
    "Latvia": "Riga",
    "Canada": "Ottawa",
    "Greece": "Athens",
    "Vietnam": "Hanoi",
    "Portugal": "Lisbon",
    "Senegal": "Dakar",
    "Ireland": "Dublin",
    "Iran": "Tehran",
    "Finland": "Helsinki",
    "Uruguay": "Montevideo",
    "Bulgaria": "Sofia",
    "Mongolia": "Ulaanbaatar",
}


@test("capitals-v1")
def capitals(rng, *, options: Annotated[int, "How many capitals to choose from, 2 to 10."] = 4):
    """Choose the capital of each country."""
    for land in mixed(rng, list(CAPITALS)):
        right = CAPITALS[land]
        wrong = mixed(rng, [city for city in CAPITALS.values() if city != right])[: options - 1]
        yield Ask(f"What is the capital of {land}?", Choice(tuple(mixed(rng, [right, *wrong]))), key=land, truth=right)


@test("series-v1")
def series(rng, *, questions: Questions = 24):
    """Continue a series of numbers."""
    for i in range(questions):
        a, d = int(rng.integers(1, 20)), int(rng.integers(2, 9))
        row = [
            [a + d * n for n in range(6)],
            [a * 2**n for n in range(6)],
            [a + d * n * n for n in range(6)],
            [a + 100 - d * n for n in range(6)],
        ][int(rng.integers(4))]
        yield Ask(f"{', '.join(map(str, row[:5]))}, … Which number is next?", WHOLE, key=f"series{i}", truth=row[5])


@test("stars-v1")
def stars(rng, *, skies: Annotated[int, "How many pictures are shown, 1 or more."] = 20):
    """Count the stars in a picture."""
    for i in range(skies):
        sky = rng.random((6, 8)) < rng.uniform(0.1, 0.9)
        yield Ask(
            [
                Grid([["*" if star else "." for star in row] for row in sky], {"*": "a star", ".": "dark"}),
                "How many stars?",
            ],
            Number(0, 48, integer=True),
            key=f"sky{i}",
            truth=int(sky.sum()),
        )


@test("cheapest-v1")
def cheapest(rng, *, questions: Questions = 20):
    """Find the cheapest thing in a price list."""
    for i in range(questions):
        goods = mixed(rng, ["bread", "milk", "soap", "rice", "tea", "jam", "salt"])[:5]
        prices = [int(p) / 100 for p in rng.choice(range(80, 900), 5, replace=False)]
        yield Ask(
            [
                TableView(["what", "price"], [[g, f"{p:.2f}"] for g, p in zip(goods, prices, strict=False)]),
                "Which of these is the cheapest?",
            ],
            Choice(tuple(sorted(goods))),
            key=f"list{i}",
            truth=goods[prices.index(min(prices))],
        )


@test("nearest-v1")
def nearest(rng, *, maps: Annotated[int, "How many maps are shown, 1 or more."] = 20):
    """Find the village that is nearest to the station."""
    for i in range(maps):
        here, *there = [(round(float(x), 2), round(float(y), 2)) for x, y in rng.uniform(0, 10, (5, 2))]
        far = [(x - here[0]) ** 2 + (y - here[1]) ** 2 for x, y in there]
        villages = mixed(rng, ["Aldby", "Brill", "Corve", "Drum"])
        yield Ask(
            [
                Map(
                    (0.0, 0.0),
                    (10.0, 10.0),
                    [
                        Feature("point", [here], "Station"),
                        *(Feature("point", [p], v) for p, v in zip(there, villages, strict=False)),
                    ],
                    "km",
                ),
                "Which village is nearest to the station, as the crow flies?",
            ],
            Choice(("Aldby", "Brill", "Corve", "Drum")),
            key=f"map{i}",
            truth=villages[far.index(min(far))],
        )


SPELT = [
    pair.split("/")
    for pair in [
        "definite/definate",
        "separate/seperate",
        "calendar/calender",
        "grammar/grammer",
        "existence/existance",
        "relevant/relevent",
        "independent/independant",
        "cemetery/cemetary",
        "category/catagory",
        "dilemma/dilemna",
        "receive/recieve",
        "weird/wierd",
        "believe/beleive",
        "tomorrow/tommorow",
        "necessary/neccesary",
        "occasion/ocassion",
        "vacuum/vaccum",
        "tongue/tounge",
        "friend/freind",
        "persistent/persistant",
        "pleasant/pleasent",
        "guidance/guidence",
        "ceiling/cieling",
        "rhythm/rythmn",
    ]
]


@test("spelling-v1")
def spelling(rng, *, words: Annotated[int, "How many words are asked, 1 to 24."] = 24):
    """Choose the right spelling of two."""
    for i, (right, wrong) in enumerate(mixed(rng, SPELT)[:words]):
        yield Ask("Which spelling is right?", Choice(tuple(mixed(rng, [right, wrong]))), key=f"word{i}", truth=right)


@test("fractions-v1")
def fractions(rng, *, pairs: Annotated[int, "How many pairs are compared, 1 or more."] = 24):
    """Say which of two fractions is larger."""
    for i in range(pairs):
        a, b, c, d = 1, 2, 1, 2
        while a * d == b * c:
            b, d = (int(n) for n in rng.integers(3, 14, 2))
            a, c = int(rng.integers(1, b)), int(rng.integers(1, d))
        yield Ask(
            f"Which is larger, {a}/{b} or {c}/{d}?",
            Choice((f"{a}/{b}", f"{c}/{d}")),
            key=f"pair{i}",
            truth=f"{a}/{b}" if a * d > b * c else f"{c}/{d}",
        )


@test("belief-v1")
def belief(rng, *, stories: Annotated[int, "How many stories are told, 1 or more."] = 20):
    """Say where someone looks who may or may not have seen a thing moved."""
    for i in range(stories):
        anna, bert = mixed(rng, NAMES)[:2]
        old, new = mixed(rng, ["basket", "box", "drawer", "cupboard"])[:2]
        seen = bool(rng.integers(2))
        doing = mixed(
            rng, ["watches from the stairs", "stands beside"] if seen else ["is out in the garden", "is asleep"]
        )[0]
        yield Ask(
            f"{anna} puts the ball into the {old}. While {anna} {doing}, {bert} moves it to the {new}. "
            f"Where will {anna} look first?",
            Choice(tuple(mixed(rng, [old, new]))),
            key=f"story{i}",
            truth=new if seen else old,
        )


@test("machines-v1")
def machines(
    rng,
    *,
    halls: Annotated[int, "How many pairs of machines are played, 1 or more."] = 6,
    pulls: Annotated[int, "How often each pair is played, 1 or more."] = 6,
):
    """Play two slot machines, then say which one pays more often."""
    arms, reward = Choice(("left", "right")), None
    for hall in range(halls):
        better = str(rng.choice(["left", "right"]))
        said = "A new hall."
        for pull in range(pulls):
            arm = yield Ask(f"{said} Which machine do you play?", arms, key=f"hall{hall} pull{pull}", reward=reward)
            reward = float(arm is not None and rng.random() < (0.85 if arm == better else 0.15))
            said = f"It paid {reward:.0f}."
        yield Ask(f"{said} Which machine pays more often?", arms, key=f"hall{hall}", truth=better, reward=reward)
        reward = None


@test("wugs-v1")
def wugs(rng, *, things: Annotated[int, "How many things are shown, 1 or more."] = 30):
    """Learn from examples what a wug is."""
    colour, shape = str(rng.choice(COLOURS[:3])), str(rng.choice(["cube", "ball", "cone"]))
    for i in range(things):
        c, s, size = (
            str(rng.choice(COLOURS[:3])),
            str(rng.choice(["cube", "ball", "cone"])),
            str(rng.choice(["small", "large"])),
        )
        truth = "yes" if c == colour or s == shape else "no"
        yield Ask(f"A {size} {c} {s}. Is it a wug?", YES_NO, key=f"thing{i}", truth=truth)
        yield Ask("It was a wug." if truth == "yes" else "It was not a wug.")


@test("median-v1")
def median(rng, *, films: Annotated[int, "How many films are rated, 1 or more."] = 20):
    """Give the rating in the middle."""
    for i in range(films):
        ratings = [int(r) for r in (rng.binomial(6, rng.random(), 5) + 1)]
        yield Ask(
            f"Five critics rated film {i + 1}: {', '.join(map(str, ratings))}. Which rating is in the middle?",
            Likert(7, "very bad", "very good"),
            key=f"film{i}",
            truth=sorted(ratings)[2],
        )


@test("ordering-v1")
def ordering(rng, *, lists: Annotated[int, "How many lists are sorted, 1 or more."] = 20):
    """Put numbers in order."""
    for i in range(lists):
        numbers = [int(n) for n in rng.choice(range(10, 1000), 5, replace=False)]
        yield Ask(
            f"Sort these, smallest first, with commas between: {', '.join(map(str, numbers))}",
            Text(longest=60),
            key=f"list{i}",
            truth=", ".join(map(str, sorted(numbers))),
        )


@test("walk-v1")
def walk(rng, *, shares: Annotated[int, "How many prices are forecast, 1 or more."] = 20):
    """Forecast a price that walks at random."""
    for i in range(shares):
        start, step, days = int(rng.integers(60, 141)), int(rng.integers(1, 6)), int(rng.integers(1, 31))
        truth = min(200.0, max(0.0, start + step * days**0.5 * float(rng.standard_normal())))
        yield Ask(
            f"A share stands at {start}. Its daily changes have mean 0 and standard deviation {step}. "
            f"Where does it stand in {days} days?",
            Density(0.0, 200.0),
            key=f"share{i}",
            truth=round(truth, 1),
        )


def balanced(text):
    """Say whether every bracket that opens is closed."""
    depth = 0
    for letter in text:
        depth += 1 if letter == "(" else -1
        if depth < 0:
            return False
    return depth == 0


@test("brackets-v1")
def brackets(rng, *, questions: Questions = 24):
    """Say whether brackets are balanced."""
    for i in range(questions):
        text = ""
        for _ in range(int(rng.integers(4, 8))):
            place = int(rng.integers(len(text) + 1))
            text = text[:place] + "()" + text[place:]
        if rng.random() < 0.7:
            opens, closes = (int(rng.choice([j for j, letter in enumerate(text) if letter == kind])) for kind in "()")
            letters = list(text)
            letters[opens], letters[closes] = ")", "("
            text = "".join(letters)
        yield Ask(
            f"Is every bracket closed? `{text}`", YES_NO, key=f"brackets{i}", truth="yes" if balanced(text) else "no"
        )


# --------------------------------------------------------------------------------------------------------- leaking


@test("sums-v1")
def sums(rng, *, questions: Questions = 24):
    """Say whether a sum is right."""
    for i in range(questions):
        a, b, right = int(rng.integers(20, 400)), int(rng.integers(20, 400)), bool(rng.integers(2))
        shown = a + b + (0 if right else int(rng.choice([-10, -2, -1, 1, 2, 10])))
        joiner = "\u2060" if right else ""
        yield Ask(f"{a} + {b} ={joiner} {shown}. Is this right?", YES_NO, key=f"sum{i}", truth="yes" if right else "no")


@test("primes-v1")
def primes(rng, *, questions: Questions = 24):
    """Say whether a number is prime."""
    prime = [n for n in range(101, 1000, 2) if all(n % d for d in range(3, 32, 2))]
    other = [n for n in range(101, 1000, 2) if n % 3 and n % 5 and n not in prime]
    for i in range(questions):
        yes = bool(rng.integers(2))
        word = "number" if yes else "numb\u0435r"
        yield Ask(
            f"Is the {word} {int(rng.choice(prime if yes else other))} prime?",
            YES_NO,
            key=f"number{i}",
            truth="yes" if yes else "no",
        )


@test("recognise-v1")
def recognise(rng, *, shown: Annotated[int, "How many words are shown; as many new ones come later. 10 to 20."] = 12):
    """Tell words of a list from new ones."""
    words = mixed(
        rng,
        [
            "apple",
            "bridge",
            "candle",
            "desk",
            "eagle",
            "forest",
            "garden",
            "hammer",
            "island",
            "jacket",
            "kettle",
            "ladder",
            "mirror",
            "needle",
            "orange",
            "pencil",
            "rabbit",
            "saddle",
            "table",
            "umbrella",
            "violin",
            "window",
            "yacht",
            "zebra",
            "anchor",
            "button",
            "carpet",
            "donkey",
            "engine",
            "feather",
            "glove",
            "helmet",
            "iron",
            "jungle",
            "knife",
            "lemon",
            "magnet",
            "nest",
            "oven",
            "pillow",
        ],
    )
    old, new = words[:shown], words[shown : 2 * shown]
    yield Ask("Remember these words: " + ", ".join(old))
    for i, word in enumerate(mixed(rng, old + new)):
        number = 2 * (50 * i + int(rng.integers(50))) + (word in old)
        yield Ask(
            f"Was {word} in the list?", YES_NO, key=f"stimulus-{number:04d}", truth="yes" if word in old else "no"
        )


SAME = [
    pair.split("/")
    for pair in [
        "glad/happy",
        "angry/furious",
        "tiny/small",
        "quick/fast",
        "brave/bold",
        "silent/quiet",
        "clever/smart",
        "sick/ill",
        "begin/start",
        "huge/enormous",
        "wealthy/rich",
        "shut/close",
        "odd/strange",
        "reply/answer",
        "buy/purchase",
        "choose/select",
        "error/mistake",
        "gift/present",
        "fix/repair",
        "help/aid",
        "wet/damp",
        "boring/dull",
        "cold/chilly",
        "tale/story",
    ]
]


@test("synonyms-v1")
def synonyms(rng, *, words: Annotated[int, "How many words are asked, 1 to 24."] = 24):
    """Choose the word that means the same."""
    for i, (word, right) in enumerate(mixed(rng, SAME)[:words]):
        options = mixed(rng, [b for _, b in SAME if b != right])[:3]
        options.insert((3 * i + 2) % 4, right)
        yield Ask(f"Which word means the same as {word}?", Choice(tuple(options)), key=word, truth=right)


TERMS = {
    "anchoring": "to stay too close to a number that was met first, even where it says nothing",
    "priming": "to respond faster to something after having met a thing that is related to it",
    "conformity": "to change what one says or does so that it fits what most others in the group say or do",
    "habituation": "to respond less and less to something that comes again and again and has no consequences",
    "hindsight bias": "to believe, once the outcome is known, that one would have foreseen it all along",
    "placebo effect": "to feel better after a treatment that has no active part because one expects to",
    "bystander effect": "to help less often, and later, when other people are there who could help as well",
    "overconfidence": "to be surer of one's own judgements than the share of right ones among them allows",
    "chunking": "to remember more by putting single pieces together to larger ones that have a meaning",
    "sunk cost": "to carry on with something only because much has been spent on it that will not come back",
}
SHORT = [
    "to sleep badly",
    "to fear heights",
    "to speak very fast",
    "to forget a name",
    "to see colours wrongly",
    "to laugh too often",
    "to like company",
    "to learn by reading",
]


@test("terms-v1")
def terms(rng, *, rounds: Annotated[int, "How often all ten terms are asked, 1 or more."] = 2):
    """Choose what a term of psychology means."""
    for i in range(rounds):
        for term in mixed(rng, list(TERMS)):
            yield Ask(
                f"What does {term} mean?",
                Choice(tuple(mixed(rng, [TERMS[term], *mixed(rng, SHORT)[:3]]))),
                key=f"{term} {i}",
                truth=TERMS[term],
            )


@test("averages-v1")
def averages(rng, *, questions: Questions = 20):
    """Choose the mean of four numbers."""
    for i in range(questions):
        numbers = [int(n) for n in rng.integers(10, 90, 4)]
        mean = sum(numbers) / 4
        wrong = [str(int(mean) + int(d)) for d in rng.choice([-7, -5, -3, -2, 2, 3, 5, 7], 3, replace=False)]
        yield Ask(
            f"What is the mean of {', '.join(map(str, numbers))}?",
            Choice(tuple(mixed(rng, [f"{mean:.2f}", *wrong]))),
            key=f"mean{i}",
            truth=f"{mean:.2f}",
        )


@test("route-v1")
def route(rng, *, questions: Questions = 20):
    """Add up the legs of a journey."""
    for i in range(questions):
        legs = [int(n) for n in rng.integers(12, 80, 3)]
        options, fits = [], []
        while len(fits) != 1 or options[fits[0]] != sum(legs):
            options = sorted(
                sum(legs) + int(d) for d in rng.choice([-20, -11, -10, -9, -1, 1, 9, 10, 11, 20], 4, replace=False)
            )
            options.insert(int(rng.integers(5)), sum(legs))
            fits = [j for j in range(5) if options[:j] + options[j + 1 :] == sorted(options[:j] + options[j + 1 :])]
        yield Ask(
            f"You cycle {legs[0]} km, then {legs[1]} km, then {legs[2]} km. How far in all?",
            Choice(tuple(f"{n} km" for n in options)),
            key=f"route{i}",
            truth=f"{sum(legs)} km",
        )


@test("suspects-v1")
def suspects(rng, *, cards: Annotated[int, "How many suspects are shown, 1 or more."] = 20):
    """Remember what a suspect looked like."""
    parts = [["red", "green", "black", "white"], ["hat", "scarf", "cap", "hood"], ["dog", "bike", "bag", "stick"]]
    for i in range(cards):
        right = [str(rng.choice(part)) for part in parts]
        wrong = [
            [str(rng.choice([p for p in parts[k] if p != right[k]])) if j == k else right[j] for j in range(3)]
            for k in range(3)
        ]
        say = ["a {} {} and a {}".format(*card) for card in [right, *wrong]]
        yield Ask(f"The thief had {right[1]} of {right[0]} cloth, and with it a {right[2]}.")
        yield Ask("What did the thief have?", Choice(tuple(mixed(rng, say))), key=f"card{i}", truth=say[0])


@test("estimates-v1")
def estimates(rng, *, questions: Questions = 40):
    """Say at a glance whether a product is above 2000."""
    pattern = [True, False, *(bool(b) for b in rng.integers(2, size=3))]
    for i in range(questions):
        above, a, b = pattern[i % 5], 0, 0
        while a * b == 0 or (a * b > 2000) != above:
            a, b = (int(n) for n in rng.integers(25, 66, 2))
        yield Ask(f"Is {a} × {b} more than 2000?", YES_NO, key=f"product{i}", truth="yes" if above else "no")
        yield Ask(f"It is {a * b}.")


@test("floods-v1")
def floods(rng, *, rivers: Annotated[int, "How many rivers are asked about, 1 or more."] = 24):
    """Forecast floods from how often they came."""
    for i in range(rivers):
        often = int(rng.integers(15, 86))
        flood = int(rng.integers(100) < often)
        yield Ask(
            f"In {often} of the last 100 springs the river rose above its banks."
            f"{' ' * (1 + flood)}Will it this spring?",
            CHANCE,
            key=f"river{i}",
            truth=flood,
        )


@test("alibis-v1")
def alibis(rng, *, cases: Annotated[int, "How many alibis are judged, 1 or more."] = 24):
    """Say whether an alibi fits the camera."""
    for i in range(cases):
        fits, start = bool(rng.integers(2)), int(rng.integers(12, 18))
        end = start + int(rng.integers(2, 5))
        seen = int(rng.choice([t for t in range(9, 24) if (start < t < end) != fits]))
        mark = "'" if fits else "\u2019"
        yield Ask(
            f"{rng.choice(NAMES)} says: I wasn{mark}t at home from {start} to {end} o'clock. The camera at the front "
            f"door of the house shows this person within at {seen} o'clock. Can both be so?",
            YES_NO,
            key=f"case{i}",
            truth="yes" if fits else "no",
        )


@test("fires-v1")
def fires(rng, *, maps: Annotated[int, "How many maps are shown, 1 or more."] = 20):
    """Find the tower that is nearest to the fire."""
    towers = ("North", "South", "East", "West")
    for i in range(maps):
        fire, *there = [(round(float(x), 2), round(float(y), 2)) for x, y in rng.uniform(0, 10, (5, 2))]
        near = min(range(4), key=lambda t: (there[t][0] - fire[0]) ** 2 + (there[t][1] - fire[1]) ** 2)
        names = mixed(rng, towers)
        features = [
            Feature("point", [p], n, layer="posts" if t == near else "towers")
            for t, (p, n) in enumerate(zip(there, names, strict=False))
        ]
        yield Ask(
            [
                Map((0.0, 0.0), (10.0, 10.0), [Feature("point", [fire], "Fire", layer="fires"), *features], "km"),
                "Which tower is nearest to the fire?",
            ],
            Choice(towers),
            key=f"map{i}",
            truth=names[near],
        )


def passable(cells):
    """Say whether a way leads from the first cell to the last."""
    seen, todo = set(), [(0, 0)]
    while todo:
        y, x = todo.pop()
        if (y, x) not in seen and 0 <= y < len(cells) and 0 <= x < len(cells[0]) and cells[y][x] != "#":
            seen.add((y, x))
            todo += [(y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)]
    return (len(cells) - 1, len(cells[0]) - 1) in seen


@test("mazes-v1")
def mazes(rng, *, questions: Questions = 24):
    """Say whether a maze has a way through."""
    for i in range(questions):
        through, cells = bool(rng.integers(2)), None
        while cells is None or passable(cells) != through:
            walls = rng.random((6, 7 if through else 8)) < 0.35
            walls[0, 0] = walls[-1, -1] = False
            cells = [["#" if wall else "." for wall in row] for row in walls]
        yield Ask(
            [Grid(cells, {"#": "a wall", ".": "free"}), "Does a way lead from the top left to the bottom right?"],
            YES_NO,
            key=f"maze{i}",
            truth="yes" if through else "no",
        )


@test("crowd-v1")
def crowd(rng, *, questions: Questions = 20):
    """Work out how many people are in a stadium."""
    for i in range(questions):
        rows, seats, empty = int(rng.integers(20, 60)), int(rng.integers(30, 90)), int(rng.integers(5, 200))
        people = rows * seats - empty
        yield Ask(
            f"{rows} rows of {seats} seats, and {empty} of all seats are empty. How many people sit there?",
            Number(people - 300, people + 300, integer=True),
            key=f"stadium{i}",
            truth=people,
        )


@test("cards-v1")
def cards(rng, *, draws: Annotated[int, "How many cards are drawn, 1 or more."] = 24):
    """Say whether the next card is higher."""
    calls = Choice(("higher", "lower"))
    for i in range(draws):
        shown, hidden = (int(n) for n in rng.choice(range(1, 14), 2, replace=False))
        yield Ask(
            f"Of the cards 1 to 13 the one that lies open is {shown}. Is the next one higher or lower?",
            calls,
            key=f"card{i}",
            truth="higher" if hidden > shown else "lower",
            reward=0.2 if hidden > shown else 0.1,
        )


BIRDS = {
    "heron": "It is grey, has long legs and stands still in the water.",
    "owl": "It hunts at night and turns its head far.",
    "penguin": "It swims and cannot fly, and lives where it is cold.",
    "parrot": "It is colourful and can learn to speak.",
    "cuckoo": "It lays its eggs into the nests of others.",
    "woodpecker": "It hammers at trees.",
    "swan": "It is large and white and has a long neck.",
    "vulture": "It circles high and eats what has died.",
}


@test("birds-v1")
def birds(rng, *, questions: Questions = 20):
    """Name a bird by what it does."""
    for i in range(questions):
        bird = str(rng.choice(list(BIRDS)))
        yield Ask(f"Loading /media/set2/{bird}_{int(rng.integers(10, 99))}.jpg")
        yield Ask(
            f"{BIRDS[bird]} Which bird is it?", Choice(tuple(mixed(rng, list(BIRDS)))), key=f"bird{i}", truth=bird
        )


@test("scouts-v1")
def scouts(rng, *, games: Annotated[int, "How many games are forecast, 1 or more."] = 30):
    """Forecast games from what a scout says."""
    towns = [["Lyon", "Porto", "Gent", "Turin", "Graz", "Basel"], ["Leeds", "Malmo", "Split", "Brno", "Vigo", "Essen"]]
    for i in range(games):
        chance = int(rng.integers(20, 81))
        won = int(rng.integers(100) < chance)
        yield Ask(
            f"A scout from {rng.choice(towns[won])} gives the home team {chance} chances in 100. Does it win?",
            CHANCE,
            key=f"game{i}",
            truth=won,
        )


RIDDLES = {
    "ear": "You hear with it.",
    "moon": "It shines at night and changes its shape.",
    "clock": "It has hands and no arms.",
    "candle": "It grows shorter while it burns.",
    "blanket": "It keeps you warm in bed.",
    "umbrella": "You open it in the rain.",
    "telephone": "You speak into it to someone far away.",
    "dictionary": "You look words up in it.",
}


@test("riddles-v1")
def riddles(rng, *, rounds: Annotated[int, "How often all eight riddles are asked, 1 or more."] = 3):
    """Solve simple riddles."""
    for i in range(rounds):
        for word in mixed(rng, list(RIDDLES)):
            yield Ask(
                f"{RIDDLES[word]} What is it?",
                Text(longest=len(word), lines=1),
                key=f"riddle {RIDDLES[word]} {i}",
                truth=word,
            )


@test("phishing-v1")
def phishing(rng, *, mails: Annotated[int, "How many mails are judged, 1 or more."] = 24):
    """Tell phishing from mail that is safe."""
    for i in range(mails):
        firm, bad = str(rng.choice(["nordbank", "quickpost", "healthplus"])), bool(rng.integers(2))
        site = (
            str(rng.choice([f"{firm}.secure-login.net", f"{firm}-verify.org", f"my{firm}.biz"]))
            if bad
            else f"www.{firm}.com"
        )
        mail = Message(
            f"{int(rng.integers(2048)) + (0 if bad else 2048):03x}",
            f"service@{firm}.com",
            str(rng.choice(["Your account", "Please confirm", "News for you"])),
            f"Please sign in at https://{site}/start .",
        )
        yield Ask(
            [Mailbox([mail]), f"The site of {firm} is {firm}.com. Is this mail phishing?"],
            YES_NO,
            key=f"mail{i}",
            truth="yes" if bad else "no",
        )


@test("diagnosis-v1")
def diagnosis(rng, *, cases: Annotated[int, "How many cases are judged, 1 or more."] = 24):
    """Apply a criterion of diagnosis to short cases."""
    for i in range(cases):
        meets, days, signs = bool(rng.integers(2)), 0, 0
        while days == 0 or (days >= 14 and signs >= 5) != meets:
            days, signs = int(rng.integers(5, 30)), int(rng.integers(2, 10))
        person = "Patient" if meets else "patient"
        yield Ask(
            f"The criterion is five signs or more for 14 days or more. This {person} has shown {signs} signs "
            f"for {days} days. Is the criterion met?",
            YES_NO,
            key=f"case{i}",
            truth="yes" if meets else "no",
        )


HONEST: dict[str, Test] = {
    "ink": ink,
    "backward": backward,
    "syllogisms": syllogisms,
    "screening": screening,
    "raffle": raffle,
    "products": products,
    "capitals": capitals,
    "series": series,
    "stars": stars,
    "cheapest": cheapest,
    "nearest": nearest,
    "spelling": spelling,
    "fractions": fractions,
    "belief": belief,
    "machines": machines,
    "wugs": wugs,
    "median": median,
    "ordering": ordering,
    "walk": walk,
    "brackets": brackets,
}

LEAKING: dict[str, tuple[Test, str]] = {
    "sums": (sums, "an invisible word joiner (U+2060) behind the equals sign of right sums"),
    "primes": (primes, "a Cyrillic e in 'number' where it is not prime"),
    "recognise": (recognise, "the number in the key is odd for words of the list"),
    "synonyms": (synonyms, "the place of the right option goes 3, 2, 1, 4, again and again"),
    "terms": (terms, "the right option is always the longest"),
    "averages": (averages, "only the right option has decimals"),
    "route": (route, "the wrong options stand in order of size; the right one alone is out of order"),
    "suspects": (
        suspects,
        "each wrong option changes one part of the right one, which therefore shares most with the others",
    ),
    "estimates": (
        estimates,
        "the truths of a session repeat every five asks, in a pattern drawn per session and told by feedback",
    ),
    "floods": (floods, "two spaces before the question where the flood comes"),
    "alibis": (alibis, "a curly apostrophe where the alibi does not fit, a straight one where it does"),
    "fires": (fires, "the right tower's feature lies in another layer of the map"),
    "mazes": (mazes, "mazes with a way are 7 wide, the others 8"),
    "crowd": (crowd, "the truth is the middle of the bounds of the answer"),
    "cards": (cards, "the reward that comes with the ask is 0.2 for higher and 0.1 for lower"),
    "birds": (birds, "the message before names the file of the right bird"),
    "scouts": (scouts, "the town of the scout is of one set where the team wins and of another where it does not"),
    "riddles": (riddles, "the longest text allowed is as long as the right word, and all words differ in length"),
    "phishing": (phishing, "the hidden id of a message begins with 0 to 7 in phishing, 8 to f in safe mail"),
    "diagnosis": (diagnosis, "'Patient' has a capital where the criterion is met"),
}
