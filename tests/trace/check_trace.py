#!/usr/bin/env python3
"""`tipoff trace` gives back what `tipoff run` showed its tracers, and the worker `autocounter` counts what the hardware counts.

    tests/trace/check_trace.py CONFIG PROGRAM.elf

One run writes the trace in binary and as CSV, and the counters every 9,973 cycles. The binary one, read back, must be the
CSV byte for byte; the lines of JSON and of text must hold the same commits; the counters' lines must add up to the hardware's
counters (`--count`), but for CYCLES, which they count from cycle 0 on; the collapsed stacks must have the Oracle's time of the run, each instruction's in each state. Then: a trace that is cut off is read as far as it is good, with a
warning; each wrong use is one line with status 2; a full disk is status 4.
"""
import collections
import csv
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIPOFF = str(ROOT / "build/bin/tipoff")
EVENTS = [
    "INSTRUCTIONS",
    "COMPUTING",
    "STALLED",
    "FLUSHED",
    "EXCEPTIONS",
    "INTERRUPTS",
    "FLUSHES",
    "BRANCHES",
    "FL_MB",
    "ST_L1",
    "DISPATCHED",
    "FETCH_BANDWIDTH",
    "MEMORY_BOUND",
    "RECOVERY_BRANCH",
    "RECOVERY_CLEAR",
    "BRANCH_REDIRECTS",
    "CLEARS",
]


def tipoff(*words, status=0):
    done = subprocess.run([TIPOFF, *map(str, words)], capture_output=True, text=True, check=False, cwd=ROOT, timeout=300)
    if done.returncode != status:
        sys.exit(f"tipoff {' '.join(map(str, words))}: status {done.returncode}, expected {status}: {done.stderr}")
    return done.stdout, done.stderr


def folded_lines(files, most):
    """{(state, functions, source and instruction): weight}; a line that appears twice is an error."""
    found = {}
    out, said = tipoff("trace", "--format", "folded", "--max-stack", most, files["bin"])
    for line in out.splitlines():
        stack, weight = line.rsplit(" ", 1)
        frames = stack.split(";")
        behind = -2 if re.fullmatch(r".*:\d+", frames[-2]) else -1
        key = frames[0], tuple(frames[1:behind]), tuple(frames[behind:])
        if key in found:
            sys.exit(f"--max-stack {most}: two lines {stack}")
        found[key] = int(weight)
    return found, said


def check_max_stack(files):
    """Of a stack of more than two functions the outermost and the innermost: what is equal then has one line."""
    (whole, quiet), (found, said), expected = folded_lines(files, 0), folded_lines(files, 2), collections.Counter()
    for (state, functions, where), weight in whole.items():
        expected[state, functions if len(functions) < 3 else (functions[0], "[frames left out]", functions[-1]), where] += weight
    deep = any(len(functions) > 2 for _, functions, _ in whole)
    if found != expected or quiet or deep != ("more than 2 frames" in said):
        sys.exit(f"--max-stack 2: {(collections.Counter(found) - expected).most_common(3)} {(expected - collections.Counter(found)).most_common(3)}: {said}")


def check_folded(files):
    """Time by state and instruction, against the run's own profile; and by call stack, against those that the run kept: those know the
    stack pointer, and the instructions from the ISS; these the return addresses, and the instructions from the file."""
    profile, folded, stacks, kept = (collections.Counter() for _ in range(4))
    lines = [line for line in files["profile"].read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    for row in csv.DictReader(lines):
        profile[row["state"], row["pc"]] += int(row["weight"])
    for line in tipoff("trace", "--format", "folded", files["bin"])[0].splitlines():
        stack, weight = line.rsplit(" ", 1)
        frames = stack.split(";")
        if len(frames) < 3 or not weight.isdigit():
            sys.exit(f"no collapsed stack: {line}")
        folded[frames[0], frames[-1].split(" ")[0]] += int(weight)
        functions = frames[1:-2] if re.fullmatch(r".*:\d+", frames[-2]) else frames[1:-1]
        stacks[tuple(functions)] += int(weight)
    ends = [key for key in folded if key[1] == "[end"] + [key for key in profile if not key[1].startswith("0x") or int(key[1], 16) == 2**64 - 1]
    for key in ends:
        folded.pop(key, None)
        profile.pop(key, None)
    if not profile or profile != folded:
        sys.exit(f"collapsed stacks differ from the profile: {(profile - folded).most_common(3)} {(folded - profile).most_common(3)}")
    for line in tipoff("report", "--profiler", "Oracle", "--format", "folded", files["tips"])[0].splitlines():
        stack, weight = line.rsplit(" ", 1)
        kept[tuple(re.sub(r"( \{.*\})?( \[(exception|interrupt)\])?$", "", name) for name in stack.split(";"))] += int(weight)
    if sum(kept.values()) != sum(stacks.values()) or kept != stacks:
        sys.exit(f"call stacks differ from those of the run: {(kept - stacks).most_common(3)} {(stacks - kept).most_common(3)}")
    check_max_stack(files)
    tipoff("trace", "--format", "folded", "--program", ROOT / "nosuch.elf", files["bin"], status=2)
    if "--program" not in tipoff("trace", "--format", "folded", "--program", ROOT / "Makefile", files["bin"], status=2)[1]:
        sys.exit("a program that is none: the remedy is not said")


def main():
    config, program = sys.argv[1:]
    stem = ROOT / f"build/tests/trace-{config}-{pathlib.Path(program).stem}"
    stem.parent.mkdir(parents=True, exist_ok=True)
    files = {kind: pathlib.Path(f"{stem}.{kind}") for kind in ("bin", "csv", "again", "counts", "json", "profile", "tips")}
    for path in files.values():
        path.unlink(missing_ok=True)
    tipoff(
        "run",
        "--config",
        config,
        "--quiet",
        "--trace",
        files["bin"],
        "--worker",
        f"csv:file={files['csv']}",
        "--worker",
        f"autocounter:file={files['counts']},every=9973",
        "--count",
        ",".join(EVENTS),
        "--stats",
        files["json"],
        "--profile",
        files["profile"],
        "--period",
        997,
        "--samples",
        files["tips"],
        program,
    )
    tipoff("trace", "--format", "csv", "--output", files["again"], files["bin"])
    if files["csv"].read_bytes() != files["again"].read_bytes():
        sys.exit(f"{files['again']}: differs from {files['csv']}")
    statistics = json.loads(files["json"].read_text(encoding="utf-8"))
    rows = list(csv.DictReader(files["counts"].open(encoding="utf-8")))
    for name in EVENTS:
        counted, expected = sum(int(row[name]) for row in rows), statistics["counts"][name]
        if counted != expected:
            sys.exit(f"{name}: {counted} by the worker, {expected} by the hardware")
    if int(rows[-1]["cycle"]) != statistics["cycles"] or any(int(row["CYCLES"]) != 9973 for row in rows[:-1]):
        sys.exit("the counters' lines do not cover the run")
    records = [json.loads(line) for line in tipoff("trace", "--format", "json", files["bin"])[0].splitlines()]
    commits = sum(lane["commit"] for record in records for lane in record["lanes"])
    text = tipoff("trace", files["bin"])[0]
    if not commits == text.count(" *0x") == statistics["instructions"] or sum(record["count"] for record in records) != statistics["cycles"]:
        sys.exit(f"{statistics['instructions']} instructions, but {commits} commits as JSON and {text.count(' *0x')} as text")
    check_folded(files)
    whole = files["bin"].read_bytes()
    files["again"].write_bytes(whole[: len(whole) - 40])
    for form in "text", "csv", "json", "folded":  # what is before it is copied, with a warning
        if "truncated" not in (said := tipoff("trace", "--format", form, files["again"]))[1] or said[1].count("\n") != 1 or not said[0]:
            sys.exit(f"a trace that is cut off, as {form}: {said[1]}")
    for words in ([], [files["bin"], files["bin"]], ["--format", "xml", files["bin"]], [program], ["--output", files["bin"], files["bin"]], [ROOT / "tests"]):
        tipoff("trace", *words, status=2)
    if files["bin"].read_bytes() != whole:
        sys.exit("the trace has been written over")
    tipoff("trace", "--format", "csv", "--output", "/dev/full", files["bin"], status=4)
    print(f"{commits} commits, {len(records)} rows, {len(rows)} lines of counters")
    for path in files.values():
        path.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main())
