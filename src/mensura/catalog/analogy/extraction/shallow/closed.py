"""The closed classes of English: words that are few, and of which WordNet knows little or nothing."""


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(text.split())


def _pairs(text: str) -> dict[str, str]:
    return dict(pair.split(":") for pair in text.split())


DETERMINERS = word_set(
    "the a an this that these those every each some any no all both either neither another such many several few "
    "most more much less enough half my your his her its our their"
)
PRONOUNS = word_set(
    "i you he she it we they me him her us them himself herself itself themselves myself ourselves yourself this that "
    "these those someone somebody everyone everybody anyone anybody nobody nothing something everything anything one "
    "others who whom none"
)
SUBJECTS = word_set("i you he she it we they who everyone everybody someone somebody nobody")
"""Pronouns after which a verb is to be expected."""
OBJECTS = word_set("me him us them himself herself itself themselves myself ourselves")
RELATIVE = word_set("who which that whom whose")
BE = word_set("be am is are was were been being 'm 're")
HAVE = word_set("have has had having 've")
DO = word_set("do does did")
MODALS = word_set("can could may might must shall should will would ca wo 'll 'd cannot")
NEGATIONS = word_set("not n't never")
PREPOSITIONS = word_set(
    "such-as of in on at by for with from to into onto over under about through between among against during without "
    "within upon across toward towards near behind above below beyond off out up down around along beside "
    "besides despite "
    "except like per via inside outside than throughout amongst underneath"
)
PARTICLES = word_set("up down out off away back on over in together apart around along aside forth")
"""What may follow a verb and belong to it, where no noun follows."""
COORDINATORS = word_set("and or but nor yet &")
SUBORDINATORS = word_set(
    "because since although though while whereas if unless when whenever after before until till once whether as where"
)
ADVERBS = word_set(
    "not never also always often sometimes only just even very too so then there here now again still already soon "
    "almost quite rather ever perhaps maybe however therefore thus hence moreover furthermore instead later "
    "finally eventually consequently accordingly meanwhile otherwise nevertheless nonetheless well far how why once "
    "twice together away ago indeed thereby first second firstly secondly thirdly further least else yet enough "
    "usually simply etc"
)
CONTROLLED = word_set(
    "ask tell want allow order persuade force help enable teach cause let make permit require invite encourage "
    "urge convince expect advise forbid lead instruct motivate warn"
)
"""Verbs whose object does what the infinitive after it says."""
CAUSATIVE = word_set("make let have help see hear watch feel")
"""Verbs after whose object an infinitive stands without to."""
IRREGULAR = _pairs(
    "am:be are:be ate:eat beat:beat became:become been:be began:begin begun:begin bit:bite bitten:bite "
    "blew:blow blown:blow bought:buy bred:breed broke:break broken:break brought:bring built:build "
    "came:come caught:catch chose:choose chosen:choose cut:cut dealt:deal did:do does:do done:do "
    "drawn:draw drew:draw driven:drive drove:drive dug:dig eaten:eat fallen:fall fed:feed fell:fall "
    "felt:feel fled:flee flew:fly flown:fly forgot:forget forgotten:forget fought:fight found:find "
    "froze:freeze gave:give given:give gone:go got:get grew:grow grown:grow had:have has:have heard:hear "
    "held:hold hid:hide hidden:hide hit:hit hung:hang hurt:hurt is:be kept:keep knew:know known:know "
    "laid:lay lay:lie led:lead left:leave lent:lend let:let lit:light lost:lose made:make meant:mean "
    "met:meet paid:pay put:put ran:run rang:ring read:read ridden:ride risen:rise rode:ride rose:rise "
    "said:say sang:sing sat:sit saw:see seen:see sent:send set:set shaken:shake shone:shine shook:shake "
    "shot:shoot shut:shut slept:sleep sold:sell sought:seek spent:spend spoke:speak spoken:speak "
    "stole:steal stolen:steal stood:stand struck:strike sung:sing swam:swim swept:sweep taken:take "
    "taught:teach thought:think threw:throw thrown:throw told:tell took:take understood:understand was:be "
    "went:go wept:weep were:be woke:wake won:win wore:wear worn:wear written:write wrote:write"
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
JOINED = {("such", "as"): "such-as", ("e.g",): "such-as", ("i.e",): "such-as", ("according", "to"): "by",
          ("rather", "than"): "than", ("as", "well", "as"): "and"}  # fmt: skip
"""Runs of words that are one preposition or conjunction."""
PHRASES = tuple(sorted((tuple(one.split()) for one in CONNECTIVES if " " in one), key=len, reverse=True))
BACKWARD = word_set("effect next")
