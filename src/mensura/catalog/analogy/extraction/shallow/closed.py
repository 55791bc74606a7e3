"""The closed classes of English: words that are few, and of which WordNet knows little or nothing."""


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


DETERMINERS = _set(
    "the a an this that these those every each some any no all both either neither another such many several few "
    "most more much less enough half my your his her its our their"
)
PRONOUNS = _set(
    "i you he she it we they me him her us them himself herself itself themselves myself ourselves yourself this that "
    "these those someone somebody everyone everybody anyone anybody nobody nothing something everything anything one "
    "others who whom none"
)
SUBJECTS = _set("i you he she it we they who everyone everybody someone somebody nobody")
"""Pronouns after which a verb is to be expected."""
OBJECTS = _set("me him us them himself herself itself themselves myself ourselves")
RELATIVE = _set("who which that whom whose")
BE = _set("be am is are was were been being 'm 're")
HAVE = _set("have has had having 've")
DO = _set("do does did")
MODALS = _set("can could may might must shall should will would ca wo 'll 'd cannot")
NEGATIONS = _set("not n't never")
PREPOSITIONS = _set(
    "of in on at by for with from to into onto over under about through between among against during without within "
    "upon across toward towards near behind above below beyond off out up down around along beside besides despite "
    "except like per via inside outside than throughout amongst underneath"
)
PARTICLES = _set("up down out off away back on over in together apart around along aside forth")
"""What may follow a verb and belong to it, where no noun follows."""
COORDINATORS = _set("and or but nor yet &")
SUBORDINATORS = _set(
    "because since although though while whereas if unless when whenever after before until till once whether as where"
)
ADVERBS = _set(
    "not never also always often sometimes only just even very too so then there here now again still already soon "
    "almost quite rather ever perhaps maybe however therefore thus hence moreover furthermore instead later "
    "finally eventually consequently accordingly meanwhile otherwise nevertheless nonetheless well far how why once "
    "twice together away ago indeed thereby first second firstly secondly thirdly further least else yet enough "
    "usually simply"
)
CONTROLLED = _set(
    "ask tell want allow order persuade force help enable teach cause let make permit require invite encourage "
    "urge convince expect advise forbid lead instruct motivate warn"
)
"""Verbs whose object does what the infinitive after it says."""
CAUSATIVE = _set("make let have help see hear watch feel")
"""Verbs after whose object an infinitive stands without to."""
IRREGULAR = dict(
    pair.split(":")
    for pair in (
        "was:be were:be been:be is:be are:be am:be had:have has:have did:do does:do done:do went:go gone:go said:say "
        "made:make got:get knew:know known:know thought:think took:take taken:take saw:see seen:see came:come "
        "gave:give given:give found:find told:tell felt:feel became:become left:leave put:put brought:bring "
        "began:begin begun:begin kept:keep held:hold wrote:write written:write stood:stand heard:hear let:let "
        "meant:mean set:set met:meet ran:run paid:pay sat:sit spoke:speak spoken:speak lay:lie led:lead read:read "
        "grew:grow grown:grow lost:lose fell:fall fallen:fall sent:send built:build understood:understand drew:draw "
        "drawn:draw broke:break broken:break spent:spend cut:cut rose:rise risen:rise drove:drive driven:drive "
        "bought:buy wore:wear worn:wear chose:choose chosen:choose ate:eat eaten:eat sold:sell won:win caught:catch "
        "fought:fight taught:teach slept:sleep hid:hide hidden:hide shot:shoot flew:fly flown:fly swam:swim "
        "threw:throw thrown:throw stole:steal stolen:steal struck:strike forgot:forget forgotten:forget hit:hit "
        "hurt:hurt sang:sing sung:sing rang:ring rode:ride ridden:ride shook:shake shaken:shake bit:bite bitten:bite "
        "beat:beat blew:blow blown:blow dealt:deal dug:dig fed:feed fled:flee froze:freeze hung:hang laid:lay "
        "lent:lend lit:light sought:seek shone:shine shut:shut swept:sweep woke:wake wept:weep built:build "
        "bred:breed"
    ).split()
)
"""Irregular verbs, for a WordNet that comes without its lists of them."""
CONNECTIVES = {
    "because": "cause", "since": "cause", "so": "effect", "so that": "end", "in order that": "end",
    "therefore": "effect", "thus": "effect", "hence": "effect", "consequently": "effect", "accordingly": "effect",
    "thereby": "effect", "as a result": "effect", "as a consequence": "effect", "for this reason": "effect",
    "for that reason": "effect", "if": "condition", "unless": "condition", "provided that": "condition",
    "as long as": "condition", "in order to": "end", "so as to": "end", "after": "earlier", "once": "earlier",
    "when": "earlier", "whenever": "earlier", "as soon as": "earlier", "before": "later", "until": "later",
    "till": "later", "then": "next", "afterwards": "next", "later": "next", "finally": "next", "eventually": "next",
}  # fmt: skip
"""What the clause after a connective is for the other: its cause, its effect, its end, or the earlier or later.

Effect and next look back, to the clause before, even over the end of a sentence.
"""
PHRASES = tuple(sorted((tuple(one.split()) for one in CONNECTIVES if " " in one), key=len, reverse=True))
BACKWARD = _set("effect next")
