#!/usr/bin/python3
"""`regions find --method viper`: regions end where the trace has their markers, at barriers before loops, as long as they are to be; classes; bad input.

    tests/cli/test_regions_viper.py [--only TEXT]

Needs build/bin/tipoff and tipoff-cc, and build/workloads/interp.tiny.elf.
"""
import json
import re
import subprocess
import sys

from cli import ROOT, TINY, check, main, refused, test, tipoff

HARTS = 3
THIN = 500
CLASSES = re.compile(r"tipoff: ([a-z ]+): ([0-9]+) barriers \([0-9.]+ %\), ([0-9]+) task loops \([0-9.]+ %\), ([0-9]+) loops \([0-9.]+ %\)")


def built(folder):
    """Barriers in each of 12 rounds, loops before and after them: tests/cli/looppoint.c."""
    program = folder / "looppoint.elf"
    subprocess.run([ROOT / "build/bin/tipoff-cc", ROOT / "tests/cli/looppoint.c", "-o", program], check=True)
    return program


def found(program, *options):
    status, out, err = tipoff("regions", "find", "--method", "viper", "--format", "json", *options, program)
    check(status == 0, f"status {status}: {err}")
    classes = {match[1]: [int(match[i]) for i in (2, 3, 4)] for match in CLASSES.finditer(err)}
    regions = json.loads(out)
    names = ("begin", "steps", "instructions", "counted", "cluster")
    regions["slices"] = [dict(zip(names, row)) for row in regions["slices"]]
    return regions, classes


def trace(folder, program, *options):
    """The pc of each instruction, None for a trap, in the order of the run."""
    path = folder / "trace.txt"
    status, _, err = tipoff("iss", "--quiet", *options, "--trace", path, program)
    check(status == 0, err)
    lines = path.read_text().splitlines()
    path.unlink()
    got = [re.match(r"(?:[0-9]+ )?[MSU] 0x([0-9a-f]{16}) ", line) for line in lines]
    return [int(match[1], 16) if match else None for match in got]


def marker(region, which):
    got = region.get(which)
    return (int(got["pc"], 16), got["count"]) if got else None


def held(regions, pcs):
    """Each region begins and ends before the COUNTth execution of its markers in the trace."""
    for region in regions["regions"]:
        for which, at in (("start", region["begin"]), ("end", region["begin"] + region["steps"])):
            place = marker(region, which)
            if not place or not place[0]:
                continue
            pc, count = place
            check(pcs[at] == pc, f"{which} of {region}: the trace has {pcs[at]:#x}")
            check(pcs[:at].count(pc) == count - 1, f"{which} of {region}: {pcs[:at].count(pc)} executions before")


@test
def one_hart(folder):
    """One hart: regions begin and end at their markers, no shorter than asked for, and make up the run."""
    regions, classes = found(TINY, "--thin", 100)
    pcs = trace(folder, TINY)
    held(regions, pcs)
    slices = regions["slices"]
    check(len(slices) > 10, slices)
    check(sum(s["steps"] for s in slices) == len(pcs), "the steps of all slices are the run's")
    check([s["begin"] for s in slices[1:]] == [s["begin"] + s["steps"] for s in slices[:-1]], "one after the other")
    check(all(s["counted"] >= 1000 for s in slices[:-1]), "ten times --thin at least")
    check(sum(classes["boundaries"]) == len(slices) - 1, classes)
    check(all(b <= a for a, b in zip(classes["markers executed"], classes["after thinning"])), classes)


@test
def harts(folder):
    """Several harts: barriers are the boundaries as long as there are any; locks and barriers do not count."""
    program = built(folder)
    regions, classes = found(program, "--harts", HARTS, "--thin", THIN)
    held(regions, trace(folder, program, "--harts", HARTS))
    check(classes["markers executed"][0] >= 12 * HARTS, classes)  # in each round each hart leaves two
    check(classes["boundaries"][0] == sum(classes["boundaries"]) >= 8, classes)
    check(all(s["counted"] <= s["instructions"] for s in regions["slices"]), "what counts is part of it")
    check(any(s["counted"] < s["instructions"] for s in regions["slices"]), "they wait for each other")


@test
def classes_of_markers(folder):
    """Known numbers: 30 times into a parallel region, 10 rounds of its loop in each, 40 of the loop in what that calls; and the regions begin with it."""
    program = folder / "viper.elf"
    subprocess.run([ROOT / "build/bin/tipoff-cc", "-g", ROOT / "tests/cli/viper.c", "-o", program], check=True)
    regions, classes = found(program, "--thin", 100)
    barriers, tasks, loops = classes["markers executed"]
    check((barriers, tasks) == (30, 300) and 12030 <= loops < 12100, classes)  # with main's own, and those that print
    check(classes["after thinning"][0] == 30 and classes["boundaries"][0] >= 29, classes)
    check(len({marker(region, "end") and marker(region, "end")[0] for region in regions["regions"][1:]}) <= 2, "one marker")


@test
def size(folder):
    """A fixed size: regions end with the next marker."""
    regions, _ = found(TINY, "--size", 2000)
    lengths = [s["counted"] for s in regions["slices"]]
    check(all(2000 <= length <= 2600 for length in lengths[:-1]), lengths)


@test
def thinning(folder):
    """--thin twice as large: half as many markers stay."""
    one = found(TINY, "--thin", 50)[1]["after thinning"]
    two = found(TINY, "--thin", 100)[1]["after thinning"]
    check(0.8 < sum(one) / (2 * sum(two)) < 1.2, f"{one} {two}")


@test
def again(folder):
    """The same command twice: the same regions."""
    check(found(TINY, "--thin", 100) == found(TINY, "--thin", 100), "they differ")


@test
def bad_input(folder):
    """Bad input: one line with the remedy."""
    find = ["regions", "find"]
    viper = [*find, "--method", "viper"]
    refused([*viper, "--size", 1000, "--thin", 10, TINY], "--size: omit --thin", lines=0)
    refused([*viper, "--min", 1000, "--max", 999, TINY], "--min: 1000 is above --max, 999", lines=0)
    refused([*viper, "--interval", 1000, TINY], "give viper's --thin", lines=0)
    refused([*find, "--thin", 1000, TINY], "belong to --method viper", lines=0)
    refused([*viper, "--thin", 10000000, TINY], "give a smaller --thin", lines=0)


if __name__ == "__main__":
    sys.exit(main())
