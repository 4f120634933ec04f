"""The regions of a full run simulated one by one, from their checkpoints: `tipoff regions run` on those that `regions study` cut out of the run."""
import csv
import json

from reference import ROOT, TIPOFF, Refused, is_newer, run
from studies import folder_of


def joined(list_, join):
    return [list_[i : i + join] for i in range(0, len(list_), join)]


def read_vectors(path):
    """Of each slice its blocks: {number: instructions}."""
    vectors = []
    for line in path.read_text(encoding="utf-8").splitlines():
        pairs = [part.split(":") for part in line[1:].split()]
        vectors.append({int(number): int(count) for _, number, count in pairs})
    return vectors


def add_up(vectors):
    total = {}
    for vector in vectors:
        for number, count in vector.items():
            total[number] = total.get(number, 0) + count
    return total


def regions_file(config, name, join):
    """Slices of `join` of the run's, clustered by `regions find`, as a file of regions of the program."""
    folder = folder_of(config)
    stem = folder / f"{name}.x{join}"
    regions, vectors, begins = stem.with_suffix(f".x{join}.regions"), stem.with_suffix(f".x{join}.bb"), folder / f"{name}.begins"
    if is_newer(regions, folder / f"{name}.bb", begins):
        return regions
    slices = [add_up(part) for part in joined(read_vectors(folder / f"{name}.bb"), join)]
    lines = ("T" + " ".join(f":{number}:{count}" for number, count in sorted(vector.items())) + " \n" for vector in slices)
    vectors.write_text("".join(lines), encoding="utf-8")
    found = json.loads(run(TIPOFF, "regions", "find", "--vectors", vectors, "--format", "json"))
    program = f"build/workloads/{name}.elf"
    found |= {"program": program, "digest": json.loads(run(TIPOFF, "regions", "find", "--format", "json", program))["digest"]}
    at = [int(line) for line in begins.read_text(encoding="utf-8").split()]
    with open(folder / f"{name}.slices.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    end = at[-1] + int(rows[-1]["instructions"]) + int(rows[-1]["traps"])
    cuts = at[::join] + [end]
    found["slices"] = [[cuts[i], cuts[i + 1] - cuts[i], *slice_[2:]] for i, slice_ in enumerate(found["slices"])]
    for region in found["regions"]:
        region["begin"], region["steps"] = found["slices"][region["slice"]][:2]
    found["steps"] = end
    regions.write_text(json.dumps(found), encoding="utf-8")
    return regions


def projected(config, name, join, warmup):
    """Cycles of the whole run, from its regions with `warmup` instructions before each; None: a region begins where a core cannot, and far from where it can."""
    regions = regions_file(config, name, join)
    kept = regions.with_suffix(f".{warmup}.json")
    try:
        if not is_newer(kept, regions):
            run(TIPOFF, "regions", "run", "--quiet", "--config", config, "--warmup", warmup, "--format", "json", "--output", kept, regions.relative_to(ROOT))
    except Refused as refused:
        if not any(text in str(refused) for text in ("instructions on the core", "nothing was measured", "cannot be given to a core")):
            raise
        return None
    return json.loads(kept.read_text(encoding="utf-8"))["projected"]["cycles"]
