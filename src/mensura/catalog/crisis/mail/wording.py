"""Wording: the greetings, asides, worries and mistakes that make up a style."""

from mensura.catalog.crisis.world.people import Style

GREETINGS: dict[Style, tuple[str, ...]] = {
    "plain": ("Hello,", "Hi,", "Good morning,", "Hello there,", "Hello conference office,", ""),
    "formal": ("Dear Conference Office,", "Dear Sir or Madam,", "Dear Colleague,", "Good day,", "Dear organisers,"),
    "terse": ("", "", "", "Hi."),
    "chatty": (
        "Hi hi!",
        "Hey there, whoever is at the desk today!",
        "Good morning, sunshine!",
        "Hello you lovely people,",
        "Hiya!",
    ),
    "careless": ("hi", "hey", "hi there", "helo", "", "hey guys"),
    "anxious": ("Hello, and sorry to bother you,", "Hello,", "Dear all,", "Hi, it is me again, sorry,", "Dear office,"),
    "pompous": ("To the Conference Office:", "My dear colleague,", "Esteemed organisers,", "To whom it may concern:"),
}
NAMED: dict[Style, tuple[str, ...]] = {
    "plain": ("Hi {name},", "Hello {name},", "{name},", "Dear {name},"),
    "formal": ("Dear {name},",),
    "terse": ("", "", "{name},"),
    "chatty": ("Hey {name}!", "{name}, my dear!", "Hi hi {name},"),
    "careless": ("hi {name}", "hey {name}", ""),
    "anxious": ("Dear {name},", "{name}, sorry to bother you,", "Hello {name},"),
    "pompous": ("My dear {name},",),
}
CLOSINGS: dict[Style, tuple[str, ...]] = {
    "plain": ("Thanks,\n{name}", "Best,\n{given}", "Regards,\n{name}\n{affiliation}", "Thank you!\n{name}", "{name}"),
    "formal": (
        "Yours sincerely,\n\n{name}\n{post}\n{affiliation}\nTel. {phone}",
        "Kind regards,\n{name}\n{affiliation}\n{phone}",
        "With best regards,\n\n{name}\n{affiliation}",
    ),
    "terse": ("{initials}", "{given}", "", "– {initials}"),
    "chatty": (
        "Big hugs to everybody at the desk,\n{given} xx",
        "Off to find coffee. Cheers!\n{given}",
        "Love,\n{given}\n\nPS: see you at the bar!",
        "Toodle-oo,\n{given}",
    ),
    "careless": ("thx\n{lower}", "thanks {lower}", "cheers\n{given}", "ta, {lower}", "{lower}\nsent from my phone"),
    "anxious": (
        "Sorry again, and thank you so much,\n{name}",
        "Please let me know that you got this.\n{name}\n{phone} (any time)",
        "Thank you, thank you,\n{given}",
    ),
    "pompous": (
        "I remain, with distinguished regards,\n\nProfessor {name}\n{affiliation}\nFellow of several academies",
        "With the expression of my highest esteem,\n\n{name}, Ph.D., D.Sc. h.c.\n{affiliation}",
        "Trusting that this will be given the attention it deserves,\n{name}\n{affiliation}",
    ),
}
ASIDES = (
    "So, the weather here is dreadful and my cat has opinions about my keyboard, but that is not why I write.",
    "I was just telling my sister how well everything is organised this year.",
    "You will laugh, I nearly sent this to the dentist.",
    "First things first: the new logo is gorgeous.",
    "I had the best cake on the train yesterday, remind me to tell you.",
    "Hope you are surviving the chaos over there, I hear it is quite something.",
    "My neighbour says hello, she was at the conference four years ago and still talks about the band.",
    "It is one of those Mondays, whatever the calendar says.",
    "I promised myself to keep this short, which never works.",
    "By the way, did anyone ever find out who ate the sponsor's chocolates last year?",
    "I must say I am looking forward to seeing everyone again.",
    "Anyway, enough of me.",
)
WORRIES = (
    "I know you must be terribly busy and I hate to add to it.",
    "I have been going back and forth on whether to write at all.",
    "Please forgive me if somebody has told you already.",
    "I hope this is the right address, I could not find another.",
    "I slept badly over this, so I had better just say it.",
    "I am probably worrying too much.",
    "I do not want to be a nuisance.",
)
WORRIES_LAST = (
    "I hope that is not a problem!",
    "Could you confirm when you have seen this?",
    "If it makes trouble please tell me and I will find another way, somehow.",
    "I would feel so much better if I knew it was done.",
    "I am really sorry about this.",
    "I checked it twice, but please check as well.",
)
PREFACES = (
    "It falls to me to draw your attention to a matter of some consequence.",
    "In the course of my many obligations I have found a moment to address the following.",
    "As one who has attended every meeting of this society since its founding, I take the liberty of writing.",
    "Permit me to be of service to the organisers.",
    "I should be remiss if I did not bring the following to your notice.",
    "After mature reflection I write to you on a question that will not have escaped you.",
)
STILTED = {
    "use": "utilise", "about": "concerning", "need": "require", "needs": "requires", "want": "desire",
    "before": "prior to",
    "get": "obtain", "help": "assist", "enough": "sufficient", "start": "commence", "end": "conclude", "buy": "procure",
    "a lot of": "a great deal of", "also": "furthermore", "but": "yet", "Thanks": "My thanks", "maybe": "perhaps",
}  # fmt: skip
CONTRACTIONS = {
    "I'm": "I am", "can't": "cannot", "won't": "will not", "don't": "do not", "doesn't": "does not",
    "didn't": "did not",
    "it's": "it is", "that's": "that is", "we've": "we have", "I've": "I have", "I'll": "I will", "we'll": "we will",
    "we're": "we are", "isn't": "is not", "aren't": "are not", "there's": "there is", "I'd": "I would",
    "you're": "you are",
    "wasn't": "was not", "they're": "they are", "hasn't": "has not", "haven't": "have not", "what's": "what is",
    "couldn't": "could not", "wouldn't": "would not", "who's": "who is", "let's": "let us", "you've": "you have",
}  # fmt: skip
MISSPELT = {
    "definitely": "definately", "receive": "recieve", "received": "recieved", "tomorrow": "tommorow",
    "because": "becuase",
    "schedule": "schedual", "separate": "seperate", "accommodate": "accomodate", "necessary": "neccessary",
    "conference": "confrence", "believe": "beleive", "committee": "comittee", "available": "availible",
    "address": "adress",
    "really": "realy", "until": "untill", "their": "thier", "friend": "freind", "writing": "writting", "which": "wich",
    "attendance": "attendence", "beginning": "begining", "government": "goverment", "calendar": "calender",
    "apologies": "appologies", "equipment": "equiptment", "microphone": "micraphone", "projector": "projecter",
    "different": "diffrent", "something": "somthing", "probably": "probly", "please": "plese", "thought": "thougt",
    "would": "woud", "should": "shoud", "building": "bulding", "speaker": "speeker", "session": "sesion",
    "possible": "posible", "anniversary": "aniversary", "surprise": "suprise", "weird": "wierd", "grateful": "greatful",
    "business": "buisness", "restaurant": "restaraunt", "programme": "programe", "unfortunately": "unfortunatly",
    "immediately": "immediatly", "occasion": "ocassion", "people": "poeple", "change": "chnage", "website": "webiste",
    "with": "wiht", "you": "yuo", "that": "taht",
}  # fmt: skip
