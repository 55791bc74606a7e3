"""A rule-based pattern matcher: assets applied at a target that fit a destructive mode better than any other."""

from mensura.catalog.detection.detectors.clusters import AssetCluster, Interpretation, find_clusters, read_cluster
from mensura.catalog.detection.detectors.picture import Picture, Record
from mensura.catalog.detection.world.truth import ATTACK


def match_rules(picture: Picture, *, least_assets: int = 2, least_coverage: float = 0.5) -> list[Record]:
    """Report an attack wherever the applications at a target look most like a destructive mode.

    Dates come from the applications: they take place in the last phase of an exploitation of usual length. Those
    who applied something took part. Groups and leaders are not guessed.
    """
    records = []
    for number, cluster in enumerate(find_clusters(picture, gap=application_gap(picture))):
        readings = read_cluster(picture, cluster.assets, cluster.target)
        if not readings or readings[0].mode not in picture.destructive:
            continue
        best = readings[0]
        if len(cluster.assets & picture.needs[best.mode]) >= least_assets and best.coverage >= least_coverage:
            records.append(attack_record(picture, cluster, best, uid=f"rule-{number}"))
    return records


def application_gap(picture: Picture) -> float:
    """Days without an application after which another exploitation begins: as long as the phase usually takes."""
    return max(3.0, picture.applying_share * picture.days_mean)


def attack_record(picture: Picture, cluster: AssetCluster, reading: Interpretation, *, uid: str) -> Record:
    """Write an attack down."""
    record: Record = {
        "type": ATTACK,
        "uid": uid,
        "startingDate": max(0, round(cluster.last - picture.days_mean)),
        "endingDate": cluster.last + 1,
        "minAssetApplicationEndingDate": cluster.first,
        "maxAssetApplicationEndingDate": cluster.last,
        "targetInExploitation": f"T{cluster.target}",
        "modeInExploitation": f"M{reading.mode}",
        "confidence": round(reading.fit, 6),
    }
    if cluster.actors:
        record["deliberateActors"] = [f"I{actor}" for actor in cluster.actors]
    return record
