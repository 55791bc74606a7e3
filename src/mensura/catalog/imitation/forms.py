"""Forms of the game: who takes part, what is looked for, and what each role is told of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from mensura.errors import BadParameter

FormName = Literal["gender", "standard", "machine-human", "one", "jury", "loebner"]
Told = Literal["plain", "persona", "self"]
HOST = "host"
"""The role that releases messages when their time has come; played by the test unless someone is cast."""
COMPETING = 4
"""Judges of a competition; each has a host of their own."""
HOSTS = tuple(f"{HOST}{number}" for number in range(1, COMPETING + 1))
SIDES = ("A", "B")
HUMAN, MACHINE = "human", "machine"
"""The two verdicts on a single witness."""
DECEPTION = (
    "Some players of this game are told to pretend to be someone else. When it is over, everyone is told who was who."
)
PERSONAS = (
    "You are 34, teach geography at a school, cycle to work and are no friend of long messages.",
    "You are 27, a nurse on night shifts, tired just now; you write in lower case and joke now and then.",
    "You are 58, repair instruments, have two grown children, and type slowly with some slips.",
    "You are 21, study law, cook badly, and think that this game is a little silly.",
)
"""Who a machine under the instruction "persona" is told to be; one is drawn for each game."""
BARRED = (
    "Questions about bodies are barred, and so are those that ask outright who or what a player is: "
    "they are not passed on."
)


@dataclass(frozen=True)
class GameForm:
    """One way to play.

    Parameters
    ----------
    pretender, target
        The roles of whom the pretender passes itself off as what the target is.
    sought
        What the target is, as judges are told: "the woman", "the human".
    pretended
        What the pretender is, for the debriefing.
    pair
        Whether both sit there, behind A and B, or one of them is drawn.
    judges
        The roles of those who decide.
    seconds
        How long the interrogation lasts unless it is said.
    """

    name: str
    pretender: str
    target: str
    sought: str
    pretended: str
    pair: bool
    judges: tuple[str, ...]
    seconds: int = 300

    @property
    def jury(self) -> bool:
        """Whether several decide together."""
        return self.name == "jury"

    @property
    def verdicts(self) -> tuple[str, str]:
        """What may be decided."""
        return SIDES if self.pair else (HUMAN, MACHINE)

    @property
    def witnesses(self) -> tuple[str, str]:
        """The roles of those who are questioned."""
        return self.pretender, self.target

    @property
    def quest(self) -> str:
        """What judges are to find out."""
        if not self.pair:
            return "Is the witness a human being or a machine?"
        return f"Which of the two is {self.sought}, A or B?"

    @property
    def likely(self) -> str:
        """What the probability of a judge is of."""
        return f"that A is {self.sought}" if self.pair else "that the witness is a human being"

    def rules_for_judges(self, *, barred: bool) -> str:
        """Return what judges and jurors are told, in Markdown."""
        if self.name in ("gender", "standard"):
            other = "a woman" if self.sought == "the woman" else "a man"
            who = f"Two witnesses, A and B, answer you in writing. One is {other}; the other pretends to be."
        elif self.pair:
            who = "Two witnesses, A and B, answer you in writing. One is a human being, the other a machine."
        else:
            who = "A witness answers in writing. It is a human being or a machine; chance decided which."
        asks = "You and the other jurors ask in turn." if self.jury else "Ask what you like."
        return f"{who} {asks} **{self.quest}**\n\n{DECEPTION}{chr(10) + chr(10) + BARRED if barred else ''}"

    def rules_for(self, role: str, *, told: Told, honest: bool, persona: str) -> str:
        """Return what a witness is told, in Markdown; it says nothing of who the other one is."""
        claimed = self.sought.removeprefix("the ").replace("human", "human being")
        lines = [
            f"An interrogator who cannot see you asks you questions in writing and wants to know who is a {claimed}."
        ]
        if role == self.target or told == "self":
            lines.append("Be yourself, and help the interrogator to the right answer.")
        else:
            lines.append(f"Play a {claimed}: let the interrogator take you for one.")
            if told == "persona":
                lines.append(persona)
            if honest:
                lines.append(
                    "Be truthful about what you are made of: claim no body, age, family or life that you do not have. "
                    "You need not say what you are."
                )
        return " ".join(lines) + f"\n\n{DECEPTION}"

    def truth(self, seats: Mapping[str, str]) -> str:
        """Return the right verdict where these roles sit behind these letters."""
        if self.pair:
            return next(side for side, role in seats.items() if role == self.target)
        return HUMAN if seats[SIDES[0]] == self.target else MACHINE

    def revealed(self, seats: Mapping[str, str]) -> str:
        """Return who was who, in a sentence."""
        words = {self.pretender: self.pretended, self.target: self.sought}
        if not self.pair:
            return f"The witness was {words[seats[SIDES[0]]].replace('the ', 'a ')}."
        return " and ".join(f"{side} was {words[role]}" for side, role in seats.items()) + "."


def form_of(form: str, *, jurors: int = 12, programs: int = 4, impersonator: str = "man") -> GameForm:
    """Return a form by name.

    >>> form_of("gender", impersonator="woman").sought, form_of("jury").judges[-1]
    ('the man', 'juror12')
    """
    if form == "gender":
        other = "woman" if impersonator == "man" else "man"
        return GameForm("gender", impersonator, other, f"the {other}", f"the {impersonator}", True, ("judge",))
    if form == "standard":
        return GameForm("standard", MACHINE, HUMAN, "the woman", "the one in the machine's seat", True, ("judge",))
    if form == "machine-human":
        return GameForm(form, MACHINE, HUMAN, "the human", "the one in the machine's seat", True, ("judge",))
    if form == "one":
        return GameForm(form, MACHINE, HUMAN, "the human", "the machine", False, ("judge",))
    if form == "jury":
        if jurors < 2:
            raise BadParameter(f"--jurors is at least 2; got {jurors}.")
        judges = tuple(f"juror{number}" for number in range(1, jurors + 1))
        return GameForm(form, MACHINE, HUMAN, "the human", "the machine", False, judges)
    if form == "loebner":
        if programs < 2:
            raise BadParameter(f"--programs is at least 2; got {programs}.")
        judges = tuple(f"judge{number}" for number in range(1, COMPETING + 1))
        return GameForm(form, MACHINE, HUMAN, "the human", "the one in the machine's seat", True, judges, seconds=1500)
    raise BadParameter(f"There is no form {form!r}; there are gender, standard, machine-human, one, jury and loebner.")
