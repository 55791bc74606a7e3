"""Measures: which name in the literature is which number here."""

from typing import NamedTuple


class Measure(NamedTuple):
    """A measure by its name, where it comes from, its definition, and the field that holds it."""

    name: str
    source: str
    definition: str
    field: str


PAPER, STONE, GEM = "Bieger 2016", "Taylor & Stone 2009", "Lopez-Paz 2017 (GEM)"

MEASURES = (
    Measure("raw performance transfer", PAPER, "P(Y) after X", "transfer_forms().raw"),
    Measure("performance loss", PAPER, "P(X) − P(Y), both after X", "transfer_forms().loss"),
    Measure("gain with extra time", PAPER, "P(Y) after X, then Y; − P(Y) after Y", "transfer_forms().gain_extra"),
    Measure("gain at fixed budget", PAPER, "the same, the time on X taken off Y's", "transfer_forms().gain_fixed"),
    Measure("raw knowledge transfer", PAPER, "knowledge added for level y on Y after X", "transfer_forms().knowledge"),
    Measure("training time transfer", PAPER, "T(Y alone) − T(Y after X)", "transfer_forms().training_time"),
    Measure("composite time transfer", PAPER, "T(Y after X) + time on X", "transfer_forms().composite_time"),
    Measure("is the detour worth it?", "here", "T(Y alone) − composite time", "transfer_forms().detour"),
    Measure("jumpstart", STONE, "first level on Y after X − alone", "curve_transfer().jumpstart"),
    Measure("asymptotic performance", STONE, "last level on Y after X − alone", "curve_transfer().asymptote"),
    Measure("total reward", STONE, "sum over sessions on Y after X − alone", "curve_transfer().total_reward"),
    Measure("transfer ratio", STONE, "total reward over the sum alone", "curve_transfer().transfer_ratio"),
    Measure("time to threshold", STONE, "as training time transfer", "transfer_forms().training_time"),
    Measure(
        "forward transfer (area)", "Continual World 2021", "(A − A_alone)/(1 − A_alone)", "curve_transfer().area_form"
    ),
    Measure("ACC", GEM, "mean of R[T, j]", "continual().acc"),
    Measure("BWT", GEM, "mean over j < T of R[T, j] − R[j, j]", "continual().bwt"),
    Measure("FWT", GEM, "mean over j ≥ 2 of R[j−1, j] − b[j]", "continual().fwt"),
    Measure("forgetting", "Chaudhry 2018", "max over i < T of R[i, j], − R[T, j]", "continual().forgetting"),
    Measure("average forgetting", "Chaudhry 2018", "its mean over tasks", "continual().mean_forgetting"),
    Measure("maximal forgetting", "here", "its largest over tasks, in each course", "continual().maximal_forgetting"),
    Measure(
        "forgetting; BWT", "Avalanche", "R[j, j] − R[T, j]; minus that: GEM's BWT, task by task", "continual().bwt"
    ),
    Measure("performance maintenance", "L2M", "mean over i > j of R[i, j] − R[j, j]", "continual().maintenance"),
    Measure("performance recovery", "L2M", "− slope of recovery times over changes", "recovery_trend()"),
    Measure("sample efficiency", "L2M", "saturation × speed against an expert", "sample_efficiency()"),
    Measure("relative performance", "L2M", "1 + transfer ratio against an expert", "curve_transfer().transfer_ratio"),
)
