#!/usr/bin/env python3
"""tipoff profileme: estimates against the exact totals of the same run, within bounds that follow from the number of samples.

    tests/cli/test_profileme.py [--only TEXT]

Needs build/bin/tipoff, build/bin/tipoff-cc, build/full2/model.so, build/workloads/{chase,cmark}.small.elf. No bound is tuned: a count with an expected k
samples has a deviation of sqrt(k) at most (selections are independent, or, in a loop that they walk through evenly, steadier than that).
"""
import csv
import functools
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

from cli import LARGE, ROOT, SMALL, assembled, check, main, refused, test, tipoff

CMARK = ROOT / "build/workloads/cmark.small.elf"
CHASE = ROOT / "build/workloads/chase.small.elf"
CORE = ["run", "--config", "full2", "--quiet"]
FOLDER = tempfile.TemporaryDirectory()
STEADY = 10  # samples from which on k is taken as normal: csrc/methods/profileme/convergence.h
SIGMAS = 4  # a bound that one of 16,000 normal values exceeds
WITHIN_ONE = 0.683


@functools.lru_cache(None)
def run(program, settings):
    """A sample file and the statistics of its run."""
    name = pathlib.Path(FOLDER.name) / f"{program.stem}-{settings.replace(',', '-')}"
    tips, stats = name.with_suffix(".tips"), name.with_suffix(".json")
    status, _, err = tipoff(*CORE, "--profileme", settings, "--samples", tips, "--stats", stats, program)
    check(status == 0, f"{program}: {err}")
    return tips, json.loads(stats.read_text())


def viewed(tips, *options):
    status, out, err = tipoff("profileme", "--format", "json", *options, tips)
    check(status == 0 and not err, f"{options}: status {status}: {err}")
    return json.loads(out)


def compared(tips, name):
    return [r for r in viewed(tips, "--compare")["rows"] if r["property"] == name]


@functools.lru_cache(None)
def three_loops():
    elf = pathlib.Path(FOLDER.name) / "three_loops.elf"
    subprocess.run([ROOT / "build/bin/tipoff-cc", ROOT / "tests/profile/three_loops.c", "-o", elf], check=True)
    return run(elf, "128,jitter=7,pairs=64")[0]


@test
def exact_totals_are_the_runs(folder):
    tips, stats = run(CMARK, "24,jitter=3")
    total = {r["property"]: 0 for r in viewed(tips, "--compare")["rows"]}
    for row in viewed(tips, "--compare")["rows"]:
        total[row["property"]] += row["exact"]
    check(total["retired"] == stats["instructions"], f"{total['retired']} retired, of {stats['instructions']} instructions")
    check(
        total["fetched"] == stats["lives"]["fetched"] or abs(total["fetched"] - stats["lives"]["fetched"]) < 200,
        f"{total['fetched']} fetched, of {stats['lives']['fetched']}",
    )
    died = sum(v for k, v in total.items() if k.startswith("died"))
    check(died <= total["fetched"] - total["retired"] <= died + 50, f"{died} died by the reasons that are shown, of {total['fetched'] - total['retired']}")


@test
def counts_within_their_deviations(folder):
    tips, _ = run(CMARK, "24,jitter=3")
    scale = viewed(tips)["interval"]
    for name in ("fetched", "retired", "taken", "mispredicted", "died by misprediction"):
        rows = compared(tips, name)
        expected, k = sum(r["exact"] for r in rows) / scale, sum(r["samples"] for r in rows)
        check(expected > 50, f"{name}: {expected:.0f} samples expected: too few to judge")
        check(abs(k - expected) <= SIGMAS * math.sqrt(expected), f"{name}, all: {k} samples, {expected:.1f} ± {math.sqrt(expected):.1f} expected")
        for r in rows:
            expected = r["exact"] / scale
            if expected >= STEADY:
                check(
                    abs(r["samples"] - expected) <= (SIGMAS + 1) * math.sqrt(expected),
                    f"{name} of {r['address']}: {r['samples']} samples, {expected:.1f} expected",
                )


@test
def two_thirds_within_the_envelope(folder):
    tips, _ = run(CMARK, "24,jitter=3")
    for name in ("fetched", "retired"):
        rows = [r for r in compared(tips, name) if r["samples"] >= STEADY]
        inside = sum(r["inside"] == "yes" for r in rows)
        check(
            all(
                (r["inside"] == "yes") == (abs(r["ratio"] - 1) <= 1 / math.sqrt(r["samples"]))
                for r in rows
                if abs(abs(r["ratio"] - 1) * math.sqrt(r["samples"]) - 1) > 0.01
            ),
            f"{name}: 'inside' is not |ratio - 1| <= 1/sqrt(k)",
        )
        spread = 3 * math.sqrt(WITHIN_ONE * (1 - WITHIN_ONE) / len(rows))
        check(
            len(rows) >= 60 and abs(inside / len(rows) - WITHIN_ONE) <= spread,
            f"{name}: {inside} of {len(rows)} points inside, {WITHIN_ONE:.3f} ± {spread:.3f} of them expected",
        )


@test
def instructions_as_compared(folder):
    """The view of instructions has the estimates that are compared, and of them 95 % intervals and means."""
    tips, _ = run(CMARK, "24,jitter=3")
    rows = {(r["address"], r["mode"], r["space"]): r for r in viewed(tips)["rows"]}
    for name, column in (("retired", "executions"), ("fetched", "fetched"), ("cycles in progress", "latency")):
        for r in compared(tips, name):
            if r["records"]:
                mine = rows[r["address"], r["mode"], r["space"]]
                check(mine[column] == r["estimate"], f"{r['address']}: {column} {mine[column]}, compared is {r['estimate']}")
    for r in rows.values():
        for column, samples in (("executions", "retired_samples"), ("fetched", "samples")):
            if r[samples]:
                check(
                    abs(r[column + "_95"] - 1.96 * r[column] / math.sqrt(r[samples])) <= 2,
                    f"{r['address']}: {column} {r[column]} ± {r[column + '_95']} of {r[samples]} samples",
                )
        check(abs(r["aborted"] - 100 * (1 - r["retired_samples"] / r["samples"])) < 0.06, f"{r['address']}: {r['aborted']} % aborted")
        check(
            abs(r["aborted"] - sum(v for k, v in r.items() if k.startswith("aborted_") and k != "aborted_by")) < 0.31,
            f"{r['address']}: the reasons are not all",
        )


@test
def latencies_within_their_deviations(folder):
    tips, _ = run(CMARK, "24,jitter=3")
    for name in ("cycles fetch to map", "cycles map to ready", "cycles issue to done", "cycles done to retire", "cycles in progress"):
        rows = [r for r in compared(tips, name) if r["samples"] >= 2 * STEADY]
        z = [(r["ratio"] - 1) / r["deviation"] for r in rows]
        check(len(z) >= 20, f"{name}: {len(z)} points are too few to judge")
        mean = sum(v * v for v in z) / len(z)
        check(mean <= 1 + SIGMAS * math.sqrt(2 / len(z)), f"{name}: mean square of the errors is {mean:.2f} squared deviations, about 1 expected")
        check(abs(sum(z)) <= SIGMAS * math.sqrt(len(z)), f"{name}: errors of one sign: their mean is {sum(z) / len(z):.2f} deviations")


@test
def pairs_against_exact_overlap(folder):
    view = viewed(three_loops(), "--pairs")
    each = view["window"] * view["interval"]  # U W S
    rows = [r for r in view["rows"] if r["exact_useful"] and r["exact_useful"] / each >= STEADY]
    z = [(r["useful"] - r["exact_useful"]) / math.sqrt(r["exact_useful"] * each) for r in rows]
    check(len(z) >= 20, f"{len(z)} instructions with {STEADY} useful pairs expected are too few to judge")
    check(sum(v * v for v in z) / len(z) <= 1 + SIGMAS * math.sqrt(2 / len(z)), f"useful overlap: errors in deviations {[round(v, 1) for v in z]}")
    z = [(r["wasted_slots"] - r["exact_wasted_slots"]) / (r["wasted_slots_95"] / 1.96) for r in view["rows"] if r["samples"] >= 4 * STEADY]
    check(len(z) >= 20, f"{len(z)} instructions are too few to judge")
    check(sum(v * v for v in z) / len(z) <= 1 + SIGMAS * math.sqrt(2 / len(z)), f"wasted slots: errors in deviations {[round(v, 1) for v in z]}")
    for name in ("useful", "exact_useful"):  # L C S / 2 - U W S
        prefix = "exact_" if name.startswith("exact_") else ""
        for r in view["rows"]:
            check(
                abs(2 * r[prefix + "latency"] - r[name] - r[prefix + "wasted_slots"]) <= 3,
                f"{r['address']}: 2 slots a cycle x {prefix}latency - {name} is not {prefix}wasted_slots",
            )


@test
def latency_misleads_and_slots_do_not(folder):
    """The paper's figure 7: the longest latency is in the loop that wastes fewest."""
    rows = [r for r in viewed(three_loops(), "--pairs")["rows"] if r["samples"] >= STEADY]
    loop = {name: [r for r in rows if r["function"].startswith(name)] for name in ("serial", "two", "wide")}
    for prefix in ("", "exact_"):
        longest = max(rows, key=lambda r: r[prefix + "latency"])
        check(longest["function"].startswith("wide"), f"the longest {prefix}latency is in {longest['function']}")
        worst = max(rows, key=lambda r: r[prefix + "wasted_slots"])
        check(worst["function"].startswith("serial"), f"most {prefix}wasted slots are in {worst['function']}")
        share = {n: sum(r[prefix + "wasted_slots"] for r in list_) / sum(2 * r[prefix + "latency"] for r in list_) for n, list_ in loop.items()}
        check(share["serial"] > share["two"] > share["wide"], f"wasted shares: {share}")


@test
def what_delays(folder):
    """Known by construction: a chain waits for operands, independent divisions for the one divider, what is beside a chain for it to retire."""
    rows = [r for r in viewed(three_loops())["rows"] if r["instruction"].startswith("mul") and r["samples"] >= 4 * STEADY]
    for name, words in (("serial", "data dependences"), ("wide", "its own execution")):
        said = [r["diagnosis"] for r in rows if r["function"].startswith(name)]
        check(said and all(words in d for d in said), f"{name}: {said}")
    for body, kind, words in (
        ("div x11, x20, x21", "div", "contention for execution resources"),
        ("div x10, x10, x20; addi x11, x0, 1", "li", "older instructions"),
    ):
        elf = assembled(folder, "bottleneck.S", f"-DBODY={body}", name=f"{kind}.elf")
        rows = [r for r in viewed(run(elf, "16,jitter=3")[0])["rows"] if r["instruction"].split()[0] == kind and r["samples"] >= STEADY]
        check(len(rows) >= 4 and all(words in r["diagnosis"] for r in rows), f"{body}: {[r['diagnosis'] for r in rows]}")
    few = [r for r in viewed(three_loops())["rows"] if r["samples"] < STEADY]
    check(few and all("too few samples" in r["diagnosis"] for r in few), f"{few[0]['diagnosis'] if few else 'no instruction with few samples'}")
    rows = viewed(run(SMALL, "64,jitter=6")[0])["rows"]  # its dispatch of bytecodes is mispredicted
    jump = next(r for r in rows if r["instruction"] == "jr a5")
    check(jump["mispredicted"] > 50 and jump["aborted_by"] == "misprediction", f"{jump}")


@test
def memory_that_misses(folder):
    tips, _ = run(CHASE, "24,jitter=3")
    exact = compared(tips, "L1 data misses")
    worst = max(exact, key=lambda r: r["exact"])
    view = viewed(tips, "--addresses")
    for unit, size in (("line", 64), ("page", 4096)):
        blocks = [r for r in view["rows"] if r["unit"] == unit]
        expected, k = sum(r["exact"] for r in exact) / view["interval"], sum(r["missed_samples"] for r in blocks)
        check(all(int(r["block"], 16) % size == 0 for r in blocks), f"{unit}s that do not begin at one")
        check(all(abs(r["misses"] - view["interval"] * r["missed_samples"]) <= 1 for r in blocks), f"{unit}s: misses are not k S")
        check(expected > 50 and abs(k - expected) <= SIGMAS * math.sqrt(expected), f"{unit}s: {k} samples missed, {expected:.1f} expected")
        check([r["misses"] for r in blocks] == sorted((r["misses"] for r in blocks), reverse=True), f"{unit}s are not in order")
    check(next(r for r in view["rows"] if r["unit"] == "page")["address"] == worst["address"], f"the page that misses most is not of {worst['address']}")


@test
def overlaps_by_name(folder):
    status, out, _ = tipoff("profileme", "--overlap", "help")
    names = [line.split()[0] for line in out.splitlines()]
    check(status == 0 and names[0] == "useful" and len(names) >= 5, out)
    for name in names[1:]:
        rows = viewed(three_loops(), "--pairs", "--overlap", name)["rows"]
        if name == "useless":  # next to nothing dies in these loops
            check(sum(r["overlapping"] for r in rows) < 0.02 * sum(r["useful"] for r in rows), f"{name}: more than 2 % of the useful")
        else:
            check(sum(r["overlapping"] for r in rows) > 0, f"{name}: none")
    chain = [r for r in viewed(three_loops(), "--pairs", "--overlap", "executing")["rows"] if r["instruction"].startswith("mul") and r["samples"] >= STEADY]
    each = {}
    for name in ("serial", "wide"):
        loop = [r for r in chain if r["function"].startswith(name)]
        each[name] = sum(r["overlapping_each"] * r["samples"] for r in loop) / sum(r["samples"] for r in loop)
    # beside a chain only the loop's counter and branch execute; else two instructions a cycle, and a multiplication takes several
    check(each["serial"] < each["wide"] / 3 and each["wide"] > 3, f"what executes beside a multiplication: {each}")


@test
def formats_agree(folder):
    tips, _ = run(CMARK, "24,jitter=3")
    for options, file in (
        ([], tips),
        (["--addresses"], run(CHASE, "24,jitter=3")[0]),
        (["--compare"], tips),
        (["--convergence"], tips),
        (["--pairs"], three_loops()),
    ):
        status, out, err = tipoff("profileme", "--format", "csv", *options, file)
        rows = list(csv.DictReader(out.splitlines()))
        theirs = viewed(file, *options)["rows"]
        check(status == 0 and len(rows) == len(theirs) and rows, f"{options}: {len(rows)} rows of CSV, {len(theirs)} of JSON: {err}")
        for mine, other in zip(rows, theirs):
            for key, value in other.items():
                check(
                    mine[key] == "" if value is None else mine[key] == value if isinstance(value, str) else float(mine[key]) == value,
                    f"{options}: {key}: {mine[key]!r}, {value!r}",
                )
    output = folder / "plot.svg"
    check(tipoff("profileme", "--convergence", "--format", "svg", "--output", output, tips)[:2] == (0, ""), "no picture")
    picture = xml.etree.ElementTree.parse(output).getroot()
    points = [r for r in viewed(tips, "--convergence")["rows"] if r["samples"]]
    circles = len(picture.findall(".//{*}circle")) - 1  # the key has one
    check(circles == sum(r["property"] == "retired" for r in points), f"{circles} points of retirements, of {len(points)}")
    steady = {name: [r["inside"] for r in points if r["property"] == name and r["samples"] >= STEADY] for name in ("retired", "L1 data misses")}
    counts = [f"{v.count('yes')} of {len(v)}" for v in steady.values()]
    check(f"{counts[0]} (retired), {counts[1]} (misses)" in output.read_text(), f"the picture does not say {counts}")
    check(circles > 60, f"{circles} points are too few to see a fault")
    both = viewed(tips, "--convergence", run(CHASE, "24,jitter=3")[0])["rows"]
    check(
        len(both) == len(viewed(tips, "--convergence")["rows"]) + len(viewed(run(CHASE, "24,jitter=3")[0], "--convergence")["rows"]),
        "several files: not the points of all",
    )
    check(len([p for p in picture.findall(".//{*}path") if p.get("class") == "envelope"]) == 2, "the envelope has two sides")


@test
def text(folder):
    tips, _ = run(CMARK, "24,jitter=3")
    status, out, err = tipoff("profileme", "--top", 3, tips)
    check(status == 0 and not err and "3 of " in out and len(out.splitlines()) == 7, f"{out}{err}")
    check("sample less often" not in out, out)
    crowded, _ = run(SMALL, "20,jitter=2,pairs=64")  # the registers are taken most of the time
    status, out, err = tipoff("profileme", "--compare", crowded)
    view = viewed(crowded)
    check(view["collisions"] > view["selections"] and "sample less often" in out, out)
    check(abs(view["interval"] - 21.5 * (1 + view["collisions"] / view["selections"])) < 1e-3, f"{view['interval']}: lost selections are not allowed for")
    status, out, err = tipoff("profileme", "--program", LARGE, "--top", 3, tips)
    check(status == 0 and err.count("\n") == 1 and "not the program that ran" in err and "--program" in err, f"status {status}: {err}")
    status, out, _ = tipoff("profileme", "--pairs", "--slots", 3, "--top", 1, three_loops())
    check(status == 0 and "C = 3 slots a cycle (--slots)" in out, out)


@test
def records(folder):
    tips, stats = run(CMARK, "24,jitter=3")
    with (ROOT / "tables/instruction_sample.tsv").open(encoding="utf-8") as file:
        fields = [row["field"] for row in csv.DictReader((line for line in file if not line.startswith("#")), delimiter="\t")]
    view = viewed(tips, "--records")
    check(len(view["rows"]) == view["records"] == stats["lives"]["records"], f"{len(view['rows'])} rows, of {view['records']} records")
    check(set(fields) <= set(view["rows"][0]), f"without {set(fields) - set(view['rows'][0])}")
    pcs = [int(r["pc"], 16) for r in view["rows"]]
    retired = sum(r["left"] == "retired" for r in view["rows"])
    check(len(set(pcs)) > 100 and retired == sum(r["samples"] for r in viewed(tips, "--compare")["rows"] if r["property"] == "retired"), f"{retired} retired")
    check(any("ST_L1" in r["met"].split("+") and r["kind"] == 1 for r in view["rows"]), "no load that missed")
    status, out, err = tipoff("profileme", "--records", "--top", 7, tips)
    check(status == 0 and not err and "7 of " in out and len([line for line in out.splitlines() if "  0x8" in line]) == 7, f"{out}{err}")


@test
def what_cannot_be(folder):
    tips, _ = run(CMARK, "24,jitter=3")
    refused(["profileme", folder / "none.tips"], "none.tips")
    plain = folder / "plain.tips"
    check(tipoff(*CORE, "--period", 97, "--samples", plain, CMARK)[0] == 0, "the run failed")
    refused(["profileme", plain], "has no records of ProfileMe", "--profileme INTERVAL")
    refused(["profileme", "--pairs", tips], str(tips), "are no pairs", "pairs=64")
    cut = folder / "cut.tips"
    cut.write_bytes(tips.read_bytes()[:-20])  # the end mark: all records are complete
    status, out, err = tipoff("profileme", cut)
    check(status == 0 and out == tipoff("profileme", tips)[1] and "warning" in err and err.count("\n") == 1, f"truncated: status {status}: {err}")
    refused(["profileme", "--format", "svg", tips], "svg", "--pairs or --convergence")
    refused(["profileme", "--pairs", "--compare", tips], "one of --addresses", lines=0)
    refused(["profileme", "--records", "--format", "svg", tips], "svg", "for records")
    refused(["profileme", "--records", plain], "has no records of ProfileMe")
    refused(["profileme", "--compare", tips, tips], "--convergence takes several", lines=0)
    refused(["profileme", "--overlap", "useless", tips], "needs --pairs", lines=0)
    refused(["profileme", "--pairs", "--overlap", "nothing", tips], "--overlap help", lines=0)
    for option, value in (("slots", 999), ("near", 9999), ("paths", 17)):
        refused(["profileme", f"--{option}={value}", tips], f"profileme: --{option} {value}: not a number from", lines=0)
    refused(["profileme", "--output", tips, tips], str(tips))
    few, _ = run(CMARK, "20000")
    refused(["profileme", "--convergence", few], str(few), "too few samples", "shorter interval")
    alone = folder / "alone.tips"
    check(tipoff(*CORE, "--no-cosim", "--no-oracle", "--profileme", "64", "--samples", alone, CMARK)[0] == 0, "the run failed")
    refused(["profileme", "--compare", alone], str(alone), "no exact totals", "--no-cosim")
    check(tipoff("profileme", alone)[0] == 0, "records alone are enough for the instructions")


if __name__ == "__main__":
    sys.exit(main())
