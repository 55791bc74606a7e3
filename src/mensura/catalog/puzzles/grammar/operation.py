"""Operations: the ways in which one thing follows from another, each named once for all kinds."""

from dataclasses import dataclass

FAMILIES = ("identity", "arithmetic", "order", "sequence", "sets", "plane", "grouping", "lexicon")
"""The types of rule. Two operations are of one type where the same faculty is asked for."""


@dataclass(frozen=True)
class Operation:
    """One way in which something follows from something else, whatever it is that follows.

    Adding is one operation: to numbers of a series, to places in the alphabet, to the size of a figure.
    """

    name: str
    family: str
    reads: int
    """How many values it reads at once."""
    about: str


OPERATIONS: dict[str, Operation] = {
    one.name: one
    for one in (
        Operation("same", "identity", 1, "Nothing changes."),
        Operation("add", "arithmetic", 1, "A constant is added, or that many steps are taken."),
        Operation("add-growing", "arithmetic", 2, "What is added grows by a constant."),
        Operation("multiply", "arithmetic", 1, "A constant is multiplied by."),
        Operation("multiply-add", "arithmetic", 1, "A constant is multiplied by, and one is added."),
        Operation("power", "arithmetic", 1, "A power of the place is taken."),
        Operation("sum-of-two", "arithmetic", 2, "The last two are added, with a constant."),
        Operation("difference-of-two", "arithmetic", 2, "The last but one is subtracted from the last."),
        Operation("prime", "arithmetic", 1, "The prime number of that place."),
        Operation("divide", "arithmetic", 1, "A constant is divided by."),
        Operation("multiply-growing", "arithmetic", 2, "What is multiplied by grows by a constant."),
        Operation("product-of-two", "arithmetic", 2, "The last two are multiplied."),
        Operation("accumulate", "arithmetic", 2, "What is added follows a rule of its own."),
        Operation("progression", "order", 1, "An attribute goes so many levels up or down from one to the next."),
        Operation("reverse", "sequence", 1, "The order is turned round."),
        Operation("rotate", "plane", 1, "It is turned by an angle, or so many are taken from one end to the other."),
        Operation("swap", "sequence", 2, "The first and the last change places."),
        Operation("repeat", "sequence", 1, "Each comes so many times."),
        Operation("remove", "sets", 1, "It is left out."),
        Operation("replace", "sequence", 1, "A constant takes its place."),
        Operation("reflect", "plane", 1, "Something is mirrored; a letter, in the middle of the alphabet."),
        Operation("split", "grouping", 1, "Equal neighbours are taken one by one, not together."),
        Operation("translate", "plane", 1, "It is moved, and keeps its shape."),
        Operation("scale", "plane", 1, "It becomes so many times as large."),
        Operation("crop", "plane", 1, "Only the smallest frame around what there is stays."),
        Operation("fall", "plane", 1, "Everything falls to one side as far as it can."),
        Operation("fill", "plane", 1, "What is enclosed is filled."),
        Operation("outline", "plane", 2, "What there is gets a border."),
        Operation("symmetrise", "plane", 2, "It is joined with its mirror image."),
        Operation("recolour", "grouping", 1, "Something gets a given fill or colour."),
        Operation("clean", "grouping", 2, "Single cells that touch nothing go."),
        Operation("keep-largest", "grouping", 2, "Only the largest object stays."),
        Operation("hypernym", "lexicon", 1, "A kind of which this is one."),
        Operation("hyponym", "lexicon", 1, "One that is of this kind."),
        Operation("part", "lexicon", 1, "A part of it."),
        Operation("whole", "lexicon", 1, "That of which it is a part."),
        Operation("member", "lexicon", 1, "One that belongs to the group."),
        Operation("group", "lexicon", 1, "The group to which it belongs."),
        Operation("substance", "lexicon", 1, "What it is made of."),
        Operation("made-of", "lexicon", 1, "Something that is made of it."),
        Operation("antonym", "lexicon", 1, "The opposite."),
        Operation("entailment", "lexicon", 1, "What is done by anyone who does this."),
        Operation("cause", "lexicon", 1, "What it brings about."),
        Operation("attribute", "lexicon", 1, "The property that it is a value of, or a value of the property."),
        Operation("similar", "lexicon", 1, "A word of nearly the same meaning."),
        Operation("pertains", "lexicon", 1, "The thing that the adjective or adverb is about."),
        Operation("ordered", "order", 2, "Levels of an attribute grow from left to right."),
        Operation("insert", "sequence", 1, "One is put in."),
        Operation("union", "sets", 2, "What is in either."),
        Operation("intersection", "sets", 2, "What is in both."),
        Operation("exclusive-or", "sets", 2, "What is in one of two and not in the other."),
        Operation("move-inside", "plane", 2, "One is moved into another."),
        Operation("move-above", "plane", 2, "One is moved to right above another."),
        Operation("inside", "plane", 2, "One is inside another."),
        Operation("above", "plane", 2, "The larger is above the smaller."),
        Operation("symmetric", "plane", 1, "The mirror image is the same."),
        Operation("reshape", "grouping", 1, "Something gets a given shape."),
        Operation("distribute-three", "grouping", 3, "The same three values stand in every row."),
        Operation("distribute-two", "grouping", 3, "Two of three in a row have a value, the third has none."),
        Operation("some", "grouping", 1, "There is one with this value."),
        Operation("every", "grouping", 1, "All have this value."),
        Operation("alike", "grouping", 2, "All have the same value."),
        Operation("distinct", "grouping", 2, "No two have the same value."),
        Operation("count", "grouping", 1, "There are so many."),
    )
}
"""By name. Kinds choose from these; what two kinds share is counted by these names."""
