#!/usr/bin/env python3
"""`tipoff report --format gecko`: its tables refer to what they hold, and counts of samples are shares of the CSV's time within chance."""
import collections
import json
import sys

from exports import by, check, exported, functions, main, near, plain, refused, sampled, sums_of, table, test

COLOURS = {"transparent", "purple", "green", "orange", "yellow", "lightblue", "blue", "brown", "magenta", "red", "lightred", "darkgrey", "grey"}


def rows(part):
    """A table of the thread as objects."""
    columns = sorted(part["schema"], key=part["schema"].get)
    check([part["schema"][name] for name in columns] == list(range(len(columns))), "schema")
    check(all(len(row) == len(columns) for row in part["data"]), "columns")
    return [dict(zip(columns, row)) for row in part["data"]]


def read(path):
    """(time, names root first, category, subcategory) of each sample."""
    document = json.loads(path.read_text(encoding="utf-8"))
    meta, (thread,) = document["meta"], document["threads"]
    check(meta["version"] == 24 and document["libs"] == document["processes"] == document["pausedRanges"] == [], "version 24")
    categories = meta["categories"]
    check(all(category["color"] in COLOURS for category in categories), "colours")
    check([category["color"] for category in categories].index("grey") == 0, "the first grey one is that of all else")
    frames, stacks, names = rows(thread["frameTable"]), rows(thread["stackTable"]), thread["stringTable"]
    for number, stack in enumerate(stacks):
        check(stack["prefix"] is None or stack["prefix"] < number, "prefixes come first")
    for sample in rows(thread["samples"]):
        called, at = [], sample["stack"]
        leaf = frames[stacks[at]["frame"]]
        while at is not None:
            called.append(names[frames[stacks[at]["frame"]]["location"]])
            at = stacks[at]["prefix"]
        category = categories[leaf["category"]]
        yield sample["time"], called[::-1], category["name"], category["subcategories"][leaf["subcategory"]]


@test
def test_samples(folder):
    path = sampled(folder, "--jitter=none")
    samples = list(read(exported("gecko", path)))
    _, csv_rows = table(path)
    cycles = sum(float(row["cycles"]) for row in csv_rows)
    check(abs(len(samples) - cycles / 97) < 2, f"a sample for each trigger: {len(samples)}")
    piece = cycles / len(samples)
    times = [time for time, _, _, _ in samples]
    check(times == sorted(times) and 0 < times[-1] <= cycles / 3.2e6, "in ms, in order")  # small2 has 3.2 GHz
    inclusive, _ = sums_of((names, 1) for _, names, _, _ in samples)
    for name, (below, _) in functions(path).items():
        near(inclusive[plain(name)] * piece, below, 5 * piece, name)
    states = collections.Counter(state for _, _, state, _ in samples)
    for state, time in by(path, "state").items():
        near(states[state] * piece, time, 10 * piece, state)
    check("ST_L1+ST_LLC" in {events for _, _, _, events in samples}, "combinations")


@test
def test_refused(folder):
    refused(["report", "--format", "gecko", "--profiler", "NCI", sampled(folder)], "gecko", "NCI", "--profiler")


if __name__ == "__main__":
    sys.exit(main())
