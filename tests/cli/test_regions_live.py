#!/usr/bin/python3
"""`tipoff regions live`: all in detail is `tipoff gus` to the cycle; regions begin at turns of loops as the trace has them; what is reported adds up; the
baselines; what is refused; the same code on other data.

    tests/cli/test_regions_live.py [--only TEXT]

Needs build/bin/tipoff, build/bin/tipoff-cc, build/small2/model.so, build/tea4/gen/gus.tsv and build/workloads/{interp.tiny,interp.small}.elf.
"""
import csv
import io
import json
import re
import subprocess
import sys

from cli import ROOT, SMALL, TINY, check, main, refused, test, tipoff

SHORT = ["--min", 400, "--max", 1000]


def live(*arguments, program=TINY):
    status, out, err = tipoff("regions", "live", "--format", "json", *arguments, program)
    check(status == 0 and err == "", f"regions live {arguments}: status {status}: {err}")
    return json.loads(out)


def gus(program):
    status, out, err = tipoff("gus", "--format", "json", program)
    check(status == 0, err)
    return json.loads(out)


@test
def all_in_detail_is_the_model(_folder):
    whole = gus(TINY)
    for warmup in ("perfect", "functional", "keep"):
        got = live(*SHORT, "--theta", 0, "--warmup", warmup)
        check(got["regions"] > 20 and got["detailed"] == got["regions"], f"{got['detailed']} of {got['regions']} in detail")
        check(abs(got["cycles"] - whole["cycles"]) < 1e-3 * got["regions"], f"{warmup}: {got['cycles']}, not {whole['cycles']}")
        check(got["instructions"] == whole["instructions"], f"{got['instructions']}, not {whole['instructions']}")
    one = live("--max", 10**9)
    check(one["regions"] == 1 and abs(one["cycles"] - whole["cycles"]) < 0.01, "one region is the whole run")


@test
def the_full_run_beside(_folder):
    whole, got = gus(SMALL), live("--max", 5000, "--full", "--warmup", "perfect", program=SMALL)
    check(abs(got["reference"] - whole["cycles"]) < 0.01, f"{got['reference']}, not {whole['cycles']}")
    check(abs(sum(row["full"] for row in got["list"]) - whole["cycles"]) < 0.01, "the regions' cycles are the run's")
    check(0 < got["detailed"] < got["regions"], f"{got['detailed']} of {got['regions']} in detail")
    for number, row in enumerate(got["list"]):
        check(not row["detailed"] or abs(row["cycles"] - row["full"]) < 1e-6, f"region {number}: perfect is the full run's: {row}")
    check(abs(got["error"] - (got["cycles"] / whole["cycles"] - 1)) < 1e-9, f"error {got['error']}")
    known = live("--max", 5000, "--reference", whole["cycles"], program=SMALL)
    check(abs(known["error"] - (known["cycles"] / whole["cycles"] - 1)) < 1e-9, "a reference from elsewhere")


@test
def cycles_cut_out_of_a_whole_run(folder):
    got = live("--max", 5000, "--full", "--warmup", "perfect", program=SMALL)
    (folder / "live.json").write_text(json.dumps(got))
    slices = ["instructions,traps,cycles", *(f"{row['steps']},0,{row['full']}" for row in got["list"])]
    (folder / "slices.csv").write_text("\n".join(slices) + "\n")
    script = [sys.executable, ROOT / "scripts/regions/live_perfect.py", folder / "live.json", folder / "slices.csv"]
    out = subprocess.run(script, capture_output=True, text=True, check=True).stdout.splitlines()
    check(out[0].endswith(f": {100 * got['error']:+.2f} %, {100 * got['in_detail'] / got['instructions']:.1f} % in detail"), f"{out}: {got['error']}")
    check(out[1].startswith(f"mean {abs(100 * got['error']):.2f} %, geometric mean {abs(100 * got['error']):.2f} %"), out[1])


@test
def what_is_reported_adds_up(_folder):
    got = live("--max", 5000, program=SMALL)
    rows = got["list"]
    check(got["regions"] == len(rows) and got["instructions"] == sum(row["instructions"] for row in rows), "regions are the run")
    check(all(row["begin"] == sum(r["steps"] for r in rows[:i]) for i, row in enumerate(rows)), "each begins where the one before ended")
    check(got["in_detail"] == sum(row["instructions"] for row in rows if row["detailed"]), "instructions in detail")
    check(abs(got["cycles"] - sum(row["cycles"] for row in rows)) < 1e-6, "cycles")
    check(got["clusters"] == len({row["cluster"] for row in rows}), "clusters")
    asked = [row for row in rows if row["predicted"] is not None]
    check(got["predicted"] == len(asked) and got["right"] == sum(row["predicted"] == row["cluster"] for row in asked), "predictions")
    for number, row in enumerate(rows):
        if row["donor"] is None:
            continue
        donor = rows[row["donor"]]
        check(donor["detailed"] and row["donor"] < number and not row["detailed"], f"region {number}: {row}")
        check(abs(row["cycles"] - donor["cycles"] * row["most"] / donor["most"]) < 1e-6, f"region {number}: T = T' n / n'")
        if row["rule"] in ("same-begin", "same-cluster"):
            check(donor["cluster"] == row["cluster"], f"region {number}: of its cluster")
        if row["rule"] == "same-begin":
            check(donor["marker"] == row["marker"], f"region {number}: of its begin")
    status, out, err = tipoff("regions", "live", "--max", 5000, "--format", "csv", SMALL)
    check(status == 0, err)
    table = list(csv.DictReader(io.StringIO(out)))
    check([(int(r["begin"]), r["marker"], r["rule"]) for r in table] == [(r["begin"], r["marker"], r["rule"]) for r in rows], "CSV has the same regions")


def steps_of_trace(folder):
    """(pc, insn) of each step of TINY; None: a trap."""
    trace = folder / "trace.txt"
    status, _, err = tipoff("iss", "--quiet", "--trace", trace, TINY)
    check(status == 0, err)
    found = [re.match(r"[MSU] 0x([0-9a-f]{16}) 0x([0-9a-f]+)", line) for line in trace.read_text().splitlines()]
    return [(int(m[1], 16), int(m[2], 16)) if m else None for m in found]


def may_close_a_loop(insn):
    """A branch, or a jump that links nowhere; also compressed."""
    if insn & 3 == 3:
        return insn & 0x7F == 0x63 or insn & 0xFFF == 0x06F
    return insn & 3 == 1 and insn >> 13 in (5, 6, 7)


@test
def regions_begin_at_loops(folder):
    steps, rows = steps_of_trace(folder), live(*SHORT)["list"]
    check(len(rows) > 20, f"{len(rows)} regions")
    for row in rows[1:]:
        before, first = steps[row["begin"] - 1], steps[row["begin"]]
        check(first[0] == int(row["marker"], 16), f"begins at {first}: {row}")
        check(may_close_a_loop(before[1]) and first[0] <= before[0], f"after {before}: {row}")
    for row in rows[:-1]:  # no branch was taken backward within, from its length on
        for at in range(row["begin"] + 1000, row["begin"] + row["steps"]):
            back = steps[at - 1][1] & 3 == 3 and steps[at - 1][1] & 0x7F == 0x63 and steps[at][0] <= steps[at - 1][0]
            check(not back, f"step {at} is a marker: {row}")


def stats(path):
    return json.loads(path.read_text())


@test
def the_core_measures_what_it_does_alone(folder):
    on = ["--on", "rtl", "--config", "small2", "--max", 3000]
    for warmup, before in (("none", 0), ("500", 500)):
        got = live(*on, "--warmup", warmup)
        rows = [row for row in got["list"] if row["detailed"]]
        check(1 < len(rows) < len(got["list"]), f"{len(rows)} of {len(got['list'])} in detail")
        row = rows[-1]
        # The checkpoint lies 500 steps before where the region before would have ended at its earliest.
        at = row["begin"] - (got["list"][got["list"].index(row) - 1]["steps"] - 3000) - before if before else row["begin"]
        tipoff("iss", "--quiet", "--at", at, "--checkpoint", folder / "r.ckpt", TINY)
        more = ["--warmup", row["begin"] - at] if before else []
        status, _, err = tipoff(
            "run", "--quiet", "--config", "small2", "--restore", folder / "r.ckpt", *more, "--max-insns", row["instructions"], "--stats", folder / "r.json"
        )
        check(status == 124, err)
        check(row["cycles"] == stats(folder / "r.json")["cycles"], f"warm-up {warmup}: {row['cycles']}, not {stats(folder / 'r.json')['cycles']}")
    tipoff("run", "--quiet", "--config", "small2", "--stats", folder / "all.json", TINY)
    whole = live("--on", "rtl", "--config", "small2", "--max", 10**9, "--reference", folder / "all.json")
    check(whole["reference"] == stats(folder / "all.json")["cycles"], "the reference is a file's")
    check(whole["regions"] == 1 and abs(whole["error"]) < 1e-4, f"one region is the whole run: {whole['error']}")


@test
def baselines_take_turns(_folder):
    for method in ("time-based", "smarts"):
        got = live("--method", f"{method}:2000:3", program=SMALL)
        rows = got["list"]
        check([row["detailed"] for row in rows] == [i % 4 == 0 for i in range(len(rows))], "one in detail, three not")
        check(all(row["steps"] == 2000 for row in rows[:-1]), "all of one length")
        detailed = [row for row in rows if row["detailed"]]
        mean = sum(row["cycles"] for row in detailed) / sum(row["most"] for row in detailed)
        for i, row in enumerate(rows):
            last = rows[i // 4 * 4]
            each = mean if method == "smarts" and not row["detailed"] else last["cycles"] / last["most"]
            check(abs(row["cycles"] - each * row["most"]) < 1e-6, f"{method}, region {i}: {row}")


def harts_program(folder):
    program = folder / "harts.elf"
    subprocess.run([ROOT / "build/bin/tipoff-cc", "-O2", "-g", "-o", program, ROOT / "tests/cli/pacsim_harts.c"], check=True)
    return program


def symbol(program, name):
    """By nm."""
    symbols = subprocess.run(["riscv64-unknown-elf-nm", program], capture_output=True, text=True, check=True).stdout
    return int(re.search(rf"^([0-9a-f]+) [A-Za-z] {re.escape(name)}$", symbols, re.M)[1], 16)


@test
def several_harts(folder):
    program = harts_program(folder)
    barrier = symbol(program, "sync_barrier")
    status, out, err = tipoff("gus", "--harts", 3, "--format", "json", program)
    check(status == 0, err)
    whole = json.loads(out)["cycles"]
    # A region's end ends a hart's turn, so that harts meet a little earlier or later.
    got = live("--harts", 3, "--min", 1000, "--max", 6000, "--theta", 0, program=program)
    check(got["harts"] == 3 and got["detailed"] == got["regions"] > 10, f"{got['detailed']} of {got['regions']}")
    check(abs(got["cycles"] / whole - 1) < 0.02, f"{got['cycles']}, not {whole}")
    for warmup in ("functional", "none"):  # the first goes step by step, the second does not
        got = live("--harts", 3, "--min", 1000, "--max", 6000, "--warmup", warmup, program=program)
        rows = got["list"]
        check(0 < got["detailed"] < got["regions"], f"{got['detailed']} of {got['regions']}")
        # A round is 3 harts of 900 to 1,800 instructions: from 1,000 on some hart comes to the barrier before 6,000 are done.
        at_barrier = [row for row in rows[1:] if int(row["marker"], 16) == barrier]
        check(len(at_barrier) > len(rows) / 2, f"{warmup}: {len(at_barrier)} of {len(rows)} begin at the barrier")
        check(all(row["steps"] >= 1000 for row in rows[:-1]), f"{warmup}: from --min on")
        check(any(row["active"] == 3 for row in rows) and all(row["most"] <= row["instructions"] for row in rows), "harts")
        check(not any(row["exceptions"] for row in [got]), "all ends are markers")


STEPS = """.globl _start
_start: li s0, 3
        la s1, data
        li s3, 4096                  # bytes of a pass: 64 lines, then 16 times as many, by the same instructions
again:  li s2, 40
        beq s3, s4, pass
        li s4, 65536
pass:   mv t0, s1
        add t1, s1, s3
1:      ld t2, 0(t0)
        addi t0, t0, 64
        bltu t0, t1, 1b
        addi s2, s2, -1
        bnez s2, pass
        mv s3, s4
        addi s0, s0, -1
        bnez s0, again
        li t0, 0x5555
        li t1, 0x100000
        sw t0, 0(t1)
2:      j 2b
        .bss
        .balign 64
data:   .space 65536
"""


@test
def distances_tell_data_apart(folder):
    (folder / "data.S").write_text(STEPS)
    program = folder / "data.elf"
    command = ["riscv64-unknown-elf-gcc", "-march=rv64i", "-mabi=lp64", "-mcmodel=medany", "-nostdlib", "-static", "-T", ROOT / "tests/fuzz/link.ld"]
    subprocess.run([*command, "-Wl,--no-warn-rwx-segments,--defsym=finisher=0x100000", "-o", program, folder / "data.S"], check=True)
    apart = {}
    for option in ([], ["--distances"]):
        rows = live("--max", 1000, *option, program=program)["list"]
        # The first 40 passes are some 7,700 instructions; the later ones 3,072 each: in each a region goes over 333 lines.
        few = {row["cluster"] for row in rows if 2000 < row["begin"] < 6500}
        many = {row["cluster"] for row in rows if row["begin"] > 20000}
        check(few and many, "the run has both")
        apart[bool(option)] = not few & many
        check(len(many) == 1, f"{option}: data that is gone through again and again is one cluster: {many}")
        half = live("--max", 1000, "--theta", 0, *option, program=program)
        check(half["detailed"] == half["regions"], "all in detail")
    check(apart == {False: False, True: True}, f"apart with distances alone: {apart}")


@test
def text_says_it(_folder):
    got = live("--max", 5000, "--full", program=SMALL)
    status, out, err = tipoff("regions", "live", "--max", 5000, "--full", SMALL)
    check(status == 0 and err == "", err)
    lines = out.splitlines()
    check(lines[1] == f"  {got['cycles']:.0f} cycles, projected; {got['reference']:.0f} of the whole run in detail: {100 * got['error']:+.2f} %", lines[1])
    check(lines[2].startswith(f"  {got['regions']} regions, {got['detailed']} in detail: {got['in_detail']} of {got['instructions']} instructions, "), lines[2])
    check(lines[3].startswith(f"  predictor: {got['right']} of {got['predicted']} predictions right, "), lines[3])
    check(f"speed-up: {got['instructions'] / got['in_detail']:.2f}, " in out, out)


@test
def ends_with_the_budget(_folder):
    status, out, err = tipoff("regions", "live", "--max", 1000, "--max-insns", 4500, "--format", "json", TINY)
    check(status == 124, err)
    got = json.loads(out)
    check(sum(row["steps"] for row in got["list"]) == 4500, "4500 steps")


@test
def bad_input_is_refused(folder):
    refused(["regions", "live", "--theta", "-1", TINY], "--theta: '-1' is no number from 0 to 100", lines=0)
    refused(["regions", "live", "--method", "smarts:100", TINY], "two numbers", lines=0)
    refused(["regions", "live", "--method", "pacsim:1:1", TINY], "--min and --max", lines=0)
    refused(["regions", "live", "--method", "other", TINY], "pacsim", lines=0)
    refused(["regions", "live", "--method", "smarts", "--distances", TINY], "omit it", lines=0)
    refused(["regions", "live", "--full", "--reference", 5, TINY], "omit one", lines=0)
    refused(["regions", "live", "--config", "none", TINY], "none")
    refused(["regions", "live", "--output", TINY, TINY], "--output")
    refused(["regions", "live", folder / "missing.elf"], "missing.elf")
    refused(["regions", "live", "--on", "rtl", "--config", "small2", "--harts", 2, TINY], "--on gus")
    refused(["regions", "live", "--on", "rtl", "--full", TINY], "--full: belongs to --on gus", lines=0)
    refused(["regions", "live", "--on", "rtl", "--warmup", "keep", TINY], "--warmup", lines=0)
    refused(["regions", "live", "--warmup", "500", TINY], "functional", lines=0)
    refused(["regions", "live", "--reference", folder / "none.json", TINY], "none.json")
    refused(["regions", "live", "--on", "rtl", "--config", "small2", TINY], "folder for checkpoints", env={"TMPDIR": str(folder / "none")})


if __name__ == "__main__":
    sys.exit(main())
