"""Algorithms by name."""

from collections.abc import Callable
from typing import Any

from mensura.catalog.constraints.algorithms.aas import Aas
from mensura.catalog.constraints.algorithms.abt import Abt
from mensura.catalog.constraints.algorithms.abt_forms import AbtAll, AbtNot, AbtTemp
from mensura.catalog.constraints.algorithms.abt_sides import AbtSides
from mensura.catalog.constraints.algorithms.abtdo import AbtDo
from mensura.catalog.constraints.algorithms.afc import Afc
from mensura.catalog.constraints.algorithms.awcs import Awcs
from mensura.catalog.constraints.algorithms.chance import ChanceAgent
from mensura.catalog.constraints.algorithms.dba import Dba
from mensura.catalog.constraints.algorithms.dbs import Dbs
from mensura.catalog.constraints.algorithms.disdb import DisDb
from mensura.catalog.constraints.algorithms.multi_awcs import MultiAwcs
from mensura.catalog.constraints.algorithms.optimising.adopt import Adopt
from mensura.catalog.constraints.algorithms.optimising.afb import Afb
from mensura.catalog.constraints.algorithms.optimising.bnb_adopt import BnbAdopt
from mensura.catalog.constraints.algorithms.optimising.dpop import Dpop
from mensura.catalog.constraints.algorithms.optimising.dsa import Dsa
from mensura.catalog.constraints.algorithms.optimising.gdba import Gdba
from mensura.catalog.constraints.algorithms.optimising.max_sum import MaxSum
from mensura.catalog.constraints.algorithms.optimising.mb_dpop import MbDpop
from mensura.catalog.constraints.algorithms.optimising.mgm import Mgm
from mensura.catalog.constraints.algorithms.optimising.mgm2 import Mgm2
from mensura.catalog.constraints.algorithms.optimising.sync_bb import SyncBb
from mensura.catalog.constraints.algorithms.sync_bt import SyncBt
from mensura.catalog.constraints.hub.actors import ActorAgent

SUBJECTS: dict[str, Callable[..., Any]] = {
    "aas": Aas,
    "abt": Abt,
    "abt-all": AbtAll,
    "abt-temp": AbtTemp,
    "abt-not": AbtNot,
    "abt-sides": AbtSides,
    "abtdo": AbtDo,
    "afc": Afc,
    "awcs": Awcs,
    "multi-awcs": MultiAwcs,
    "dba": Dba,
    "dbs": Dbs,
    "disdb": DisDb,
    "sync-bt": SyncBt,
    "adopt": Adopt,
    "afb": Afb,
    "bnb-adopt": BnbAdopt,
    "dpop": Dpop,
    "dsa": Dsa,
    "gdba": Gdba,
    "max-sum": MaxSum,
    "mb-dpop": MbDpop,
    "mgm": Mgm,
    "mgm2": Mgm2,
    "sync-bb": SyncBb,
    "actor": ActorAgent,
    "chance": ChanceAgent,
}
