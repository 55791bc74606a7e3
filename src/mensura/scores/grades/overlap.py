"""Overlap: how many words an answer shares with what is right, as the F1 of SQuAD counts them."""

from collections import Counter

from mensura.scores.grades.exact import IGNORABLE, normalised


def f1(answer: str, truth: str) -> dict[str, float]:
    r"""Return the F1 of the words of an answer, and whether it is the same text; larger is better.

    :math:`2PR/(P + R)` with the share :math:`P` of the answer's words that are in the truth and the share :math:`R`
    of the truth's words that are in the answer, each word as often as it stands there, both normalised as in
    `mensura.scores.grades.exact` with everything ignored. Where one of them has no words, both must have none [1]_.

    References
    ----------
    .. [1] Rajpurkar, Jia and Liang (2018), SQuAD 2.0, ACL, 784-789; the official evaluation script.

    Examples
    --------
    >>> f1("the Eiffel tower in Paris", "Eiffel Tower")
    {'token_f1': 0.6666666666666666, 'exact_match': 0.0}
    """
    given, wanted = (normalised(text, ignore=IGNORABLE).split() for text in (answer, truth))
    same = float(given == wanted)
    if not given or not wanted:
        return {"token_f1": same, "exact_match": same}
    shared = (Counter(given) & Counter(wanted)).total()
    return {"token_f1": 2 * shared / (len(given) + len(wanted)), "exact_match": same}
