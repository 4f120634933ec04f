#!/usr/bin/python3
"""`tipoff regions find`: regions are slices of `tipoff bbv`, stand for all of them, and are the same from a file of vectors; SimPoint's files; what is refused.

    tests/cli/test_regions_find.py [--only TEXT]

Needs build/bin/tipoff and build/workloads/interp.{tiny,large}.elf.
"""
import csv
import io
import json
import sys

from cli import LARGE, TINY, check, main, refused, test, tipoff

INTERVAL = ["--interval", 200000]


def find(*arguments):
    status, out, err = tipoff("regions", "find", "--format", "csv", *arguments)
    check(status == 0 and err == "", f"regions find {arguments}: status {status}: {err}")
    return list(csv.DictReader(io.StringIO(out)))


def vectors(*arguments, status=0):
    """Of each slice the instructions by address."""
    got, out, err = tipoff("bbv", "--format", "csv", *arguments)
    check(got == status, err)
    found = {}
    for row in csv.DictReader(io.StringIO(out)):
        found.setdefault(int(row["slice"]), {})[row["address"]] = row["instructions"]
    return [found[number] for number in sorted(found)]


def lengths(program):
    return [sum(map(int, part.values())) for part in vectors(*INTERVAL, program)]


@test
def regions_stand_for_all_slices(_folder):
    rows, slices = find(*INTERVAL, LARGE), lengths(LARGE)
    check(2 <= len(rows) <= 30, f"{len(rows)} regions")
    check(sum(int(row["slices"]) for row in rows) == len(slices), "each slice is in one cluster")
    check(abs(sum(float(row["share"]) for row in rows) - 1) < 1e-6, "shares sum to 1")
    for row in rows:
        number = int(row["slice"])
        check(int(row["instructions"]) == slices[number] and int(row["begin"]) == sum(slices[:number]), f"slice {number}: {row}")
        check(abs(float(row["share"]) - int(row["slices"]) / len(slices)) < 1e-6, f"all slices count alike: {row}")
    projected = sum(float(row["multiplier"]) * int(row["instructions"]) for row in rows)
    check(abs(projected / sum(slices) - 1) < 1e-6, f"instructions project to {projected} of {sum(slices)}")


@test
def text_has_the_numbers(_folder):
    rows, slices = find(*INTERVAL, LARGE), lengths(LARGE)
    status, out, err = tipoff("regions", "find", *INTERVAL, LARGE)
    check(status == 0 and err == "", err)
    head, table = out.splitlines()[0], [line.split() for line in out.splitlines()[3:]]
    chosen = sum(int(row["instructions"]) for row in rows)
    check(head == f"{len(rows)} regions of {len(slices)} slices: {chosen} of {sum(slices)} instructions, {100 * chosen / sum(slices):.1f} %", head)
    expected = [
        [row["region"], row["slice"], row["begin"], row["instructions"], row["slices"], "slices", f"{100 * float(row['share']):.1f}", "%"] for row in rows
    ]
    check(table == expected, f"{table}, not {expected}")


@test
def vectors_give_the_same(folder):
    path = folder / "v.bb"
    status, _, err = tipoff("bbv", *INTERVAL, "--format", "simpoint", "--output", path, LARGE)
    check(status == 0, err)
    check(find("--vectors", path) == find(*INTERVAL, LARGE), "a file of vectors gives the regions of its program")


@test
def same_seed_same_regions(_folder):
    one = find(*INTERVAL, "--seed", 3, LARGE)
    check(one == find(*INTERVAL, "--seed", 3, LARGE), "the same seed gives the same regions")
    check(len(find(*INTERVAL, "--maxk", 2, LARGE)) <= 2, "--maxk is kept")
    check(
        len(find(*INTERVAL, "--bic", 1, LARGE)) >= len(find(*INTERVAL, "--bic", 0, LARGE)) == 1, "a higher threshold wants no fewer regions; none at all, one"
    )
    some, share = find(*INTERVAL, "--coverage", 0.5, LARGE), find(*INTERVAL, LARGE)
    check(len(some) < len(share) and abs(sum(float(row["share"]) for row in some) - 1) < 1e-6, "--coverage leaves out clusters")


@test
def simpoint_files(folder):
    rows = find(*INTERVAL, "--simpoint", folder / "p", LARGE)
    pairs = [line.split() for line in (folder / "p.simpoints").read_text().splitlines()]
    weights = [line.split() for line in (folder / "p.weights").read_text().splitlines()]
    labels = [line.split()[0] for line in (folder / "p.labels").read_text().splitlines()]
    check([[row["slice"], row["region"]] for row in rows] == pairs, "p.simpoints has the regions")
    check([[row["share"], row["region"]] for row in rows] == weights, "p.weights their shares, in step")
    check(len(labels) == sum(int(row["slices"]) for row in rows), "p.labels a line for each slice")
    check(all(labels.count(row["region"]) == int(row["slices"]) and labels[int(row["slice"])] == row["region"] for row in rows), "labels are the clusters'")


@test
def checkpoints_begin_the_regions(folder):
    rows = find(*INTERVAL, "--checkpoints", folder / "r", LARGE)
    parts = vectors(*INTERVAL, LARGE)
    check(len(list(folder.glob("r.*.ckpt"))) == len(rows), "a checkpoint for each region")
    for row in rows:
        first = vectors(*INTERVAL, "--max-insns", row["instructions"], "--restore", folder / f"r.{row['region']}.ckpt", status=124)
        check(first == [parts[int(row["slice"])]], f"the vector from the checkpoint is that of slice {row['slice']}")
    refused(["regions", "find", "--vectors", folder / "v.bb", "--checkpoints", folder / "r"], "--checkpoints", lines=0)


@test
def json_has_what_csv_has(folder):
    path = folder / "r.regions"
    status, out, err = tipoff("regions", "find", *INTERVAL, "--format", "json", "--output", path, "--checkpoints", folder / "w", "--warmup", 300000, LARGE)
    check(status == 0 and out == err == "", err)
    found, rows, parts = json.loads(path.read_text()), find(*INTERVAL, LARGE), vectors(*INTERVAL, LARGE)
    check(found["program"] == str(LARGE) and found["method"] == "simpoint" and found["instructions"] == sum(lengths(LARGE)), found)
    check(len(found["regions"]) == len(rows) and len(found["slices"]) == len(parts), "as many regions and slices")
    for region, row in zip(found["regions"], rows):
        check(
            [region[key] for key in ("cluster", "slice", "begin", "instructions")] == [int(row[key]) for key in ("region", "slice", "begin", "instructions")],
            row,
        )
        check(region["counted"] == region["instructions"] and abs(region["multiplier"] / float(row["multiplier"]) - 1) < 1e-8, row)
        check(region["warmup"] == min(300000, region["begin"]), region)
        budget = ["--max-insns", region["warmup"] + region["steps"]]
        whole = vectors("--interval", 10**9, *budget, "--restore", region["checkpoint"], status=124)[0]
        check(all(int(whole.get(block, 0)) >= int(count) for block, count in parts[region["slice"]].items()), f"the region lies in it: {region}")
    refused(["regions", "find", "--warmup", 5, TINY], "--checkpoints", lines=0)


@test
def bad_input(folder):
    refused(["regions"], "find")
    refused(["regions", "fnd", TINY], "fnd", "find")
    refused(["regions", "find", TINY], "1 slice", "--interval")
    refused(["regions", "find"], "name a program", lines=0)
    refused(["regions", "find", "--bic", 2, TINY], "--bic", "0 to 1", lines=0)
    refused(["regions", "find", "--bic", "nan", TINY], "--bic", lines=0)
    refused(["regions", "find", "--method", "simpnt", TINY], "simpoint", lines=0)
    refused(["regions", "find", "--vectors", folder / "none.bb"], "none.bb")
    damaged = folder / "d.bb"
    damaged.write_text("T:1:5 \nT:0:5 \n")
    refused(["regions", "find", "--vectors", damaged], "d.bb:2", "ID from 1 on")
    refused(["regions", "find", "--vectors", damaged, TINY], "--vectors", lines=0)
    empty = folder / "e.bb"
    empty.write_text("T:1:5 \nT\nT:1:0 \n")
    refused(["regions", "find", "--vectors", empty], "e.bb", "vector 1", "no instructions")
    labels = folder / "p.labels"
    labels.write_text("T:1:5 \nT:2:5 \n")
    refused(["regions", "find", "--vectors", labels, "--simpoint", folder / "p"], "--simpoint", "--vectors")
    refused(["regions", "find", *INTERVAL, "--simpoint", folder / "p", "--output", folder / "p.weights", LARGE], "--simpoint", "--output")
    check(labels.read_text().startswith("T:1:5"), "no output has destroyed an input")


if __name__ == "__main__":
    sys.exit(main())
