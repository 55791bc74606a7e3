"""What the bench found, in lines for a terminal."""

from mensura.catalog.imitation.winograd.bench.bench import Bench
from mensura.stats.wording import several, spoken


def words_of_bench(bench: Bench) -> list[str]:
    """Return what was found, flagged schemas one by one, and what could not be checked."""
    flagged = [one for one in bench.tried if one.flags]
    lines = [
        f"{several(len(bench.tried), 'schema')}, {len(flagged)} flagged. A flag is a reason to look, not a verdict."
    ]
    for one in flagged:
        lines += ["", f"{one.schema.id}: {', '.join(one.flags)}"]
        lines += [f"  {text}" for text in dict.fromkeys(sentence.text for sentence in one.schema.sentences)]
        lines += [f"  {why}." for why in one.reasons]
    counts = bench.verdicts()
    lines.append("")
    for name in ("selection", "ambiguity"):
        lines.append(f"{name.capitalize()}, by sentence: {_listed(counts[name])}.")
    lines.append(f"Needed background: {_listed(counts['background'])}.")
    if bench.counts is None:
        lines.append("Association: not checked, for want of a corpus (--corpus FILE).")
    else:
        share = bench.association_share()
        lines.append(
            f"Association by counts of {bench.counts.words} words: "
            + (
                f"{spoken(share)} right where it has an answer ({several(share.n, 'schema')})."
                if share.n
                else "it has no answer."
            )
        )
    lines.append(f"Rests on {bench.wordnet or 'no WordNet (apt install wordnet-base)'}.")
    return lines


def _listed(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {many}" for name, many in sorted(counts.items()))
