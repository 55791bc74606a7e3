; The hawk and the hunter: the base story of Falkenhainer, Forbus & Gentner (1989), written anew;
; compared with the paper by sizes, counts of hypotheses and weights only, not predicate by predicate.
(attributes bird person warlike weapon country hawks-asset states-asset eagles-asset)
(functions happiness success)
(bird hawk) (person hunter) (warlike hunter) (hawks-asset feathers) (weapon bow)
(follow (see hawk hunter) (attack hunter hawk))
(cause (not (used-for feathers bow)) (equals (success (attack hunter hawk)) failed))
(follow (equals (success (attack hunter hawk)) failed) (realise hawk (desire hunter feathers)))
(cause (realise hawk (desire hunter feathers)) (offer hawk feathers hunter))
(cause (offer hawk feathers hunter) (obtain hunter feathers))
(cause (obtain hunter feathers) (equals (happiness hunter) high))
(cause (equals (happiness hunter) high) (promise hunter hawk (not (attack hunter hawk))))
