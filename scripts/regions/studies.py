"""`tipoff regions study` of every program that has a full run, and what it is over all of them."""
import csv
import math
import statistics

from reference import ROOT, TIPOFF, is_newer, run

METHOD = [path for name in ("choice", "clustering", "kmeans", "points", "study") for path in (ROOT / "csrc/methods/regions").glob(f"{name}.[ch]")]
FLOOR = 1e-5  # geometric means take smaller errors as this


def folder_of(config):
    return ROOT / "build/regions" / config


def measured(config):
    """Programs with a full run."""
    found = sorted(path.name[: -len(".slices.csv")] for path in folder_of(config).glob("*.slices.csv"))
    return [name for name in found if (folder_of(config) / f"{name}.bb").exists()]


def study(config, name, subject, join=1, seed=1):
    """Rows of the study, from what was kept of it if nothing is newer."""
    folder = folder_of(config)
    vectors, slices, kept = folder / f"{name}.bb", folder / f"{name}.slices.csv", folder / f"{name}.{subject}-{join}-{seed}.csv"
    if not is_newer(kept, vectors, slices, *METHOD):
        options = ("--vectors", vectors, "--reference", slices, "--join", join, "--seed", seed, "--format", "csv", "--output", kept)
        run(TIPOFF, "regions", "study", subject, *options)
    with open(kept, encoding="utf-8") as file:
        return [{key: text if key == "study" else float(text) for key, text in row.items()} for row in csv.DictReader(file)]


def over_all(errors):
    """Arithmetic mean, geometric mean, maximum."""
    return statistics.mean(errors), math.exp(statistics.mean(math.log(max(error, FLOOR)) for error in errors)), max(errors)
