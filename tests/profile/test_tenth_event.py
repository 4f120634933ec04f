#!/usr/bin/env python3
"""Another event costs a row of tables/events.tsv and the line of RTL that raises it: shown in a copy of the tree.

    tests/profile/test_tenth_event.py [--jobs N]

The copy gets a tenth event, ST_SERIAL (the instruction dispatches alone into an empty ROB), is built for small2, and
runs a program with a fence.i in a loop under all checks. Nothing else is changed, and the event must be where a user
looks for it: in the report's stacks, on the fence.i, and in the statistics. What the new row does
not touch is taken as it is built: objects, and the sources that are generated.
"""
import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
COPY = ROOT / "build/tests/tenth"
ROW = "ST_SERIAL\tStalled\tdispatch\t-\t-\tdispatched alone into an empty ROB\n"
LINE_FILE, LINE_AFTER = "rtl/dispatch/dispatch.sv", "psv_o[i][EvDrSq] ="
LINE = "      psv_o[i][EvStSerial] = uop_i[i].serial;\n"
PROGRAM = "build/tests/events/dr_l1.elf"


def run(*words):
    done = subprocess.run([str(word) for word in words], cwd=COPY, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))}: status {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def copy_tree():
    names = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split("\n")
    shutil.rmtree(COPY, ignore_errors=True)
    for name in filter(None, names):
        if (ROOT / name).is_file():
            (COPY / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, COPY / name)
    for built in ("gen", "obj", "lib", "small2/gen"):
        if (ROOT / "build" / built).is_dir():
            shutil.copytree(ROOT / "build" / built, COPY / "build" / built)


def edit():
    """One row and one line."""
    events = COPY / "tables/events.tsv"
    rows = events.read_text(encoding="utf-8").splitlines(keepends=True)
    at = next(i for i, row in enumerate(rows) if row[0] != "#" and "\tharts.coherent\t" in row)  # those of some cores alone stand last
    events.write_text("".join([*rows[:at], ROW, *rows[at:]]), encoding="utf-8")
    source = COPY / LINE_FILE
    lines = source.read_text(encoding="utf-8").splitlines(keepends=True)
    at = [i for i, line in enumerate(lines) if LINE_AFTER in line]
    if len(at) != 1:
        sys.exit(f"{LINE_FILE}: no single line with '{LINE_AFTER}'")
    lines.insert(at[0] + 1, LINE)
    source.write_text("".join(lines), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=1)
    jobs = parser.parse_args().jobs
    started = time.monotonic()
    copy_tree()
    edit()
    run("make", "-s", f"-j{jobs}", f"JOBS={jobs}", "CONFIGS=small2", "VOPT=-O0", "build/bin/tipoff", "build/small2/model.so", PROGRAM)
    run("build/bin/tipoff", "run", "--config", "small2", "--period", "29", "--jitter", "--samples", "tenth.tips", "--stats", "tenth.json", "--quiet", PROGRAM)
    text = run("build/bin/tipoff", "report", "tenth.tips", "--stacks", "--by", "instruction")
    stacks = json.loads(run("build/bin/tipoff", "report", "tenth.tips", "--profiler", "TEA", "--stacks", "--by", "instruction", "--format", "json"))
    errors = run("build/bin/tipoff", "compare", "tenth.tips")
    statistics = json.loads((COPY / "tenth.json").read_text(encoding="utf-8"))
    top = stacks["stacks"]["instruction"][0]
    faults = []
    if stacks["events"][-1] != "ST_SERIAL" or len(stacks["events"]) != 10:
        faults.append(f"events of the report: {stacks['events']}")
    if top.get("instruction", "").strip() != "fence.i" or top["components"][0]["events"] != ["ST_SERIAL"] or top["components"][0]["share"] < 0.95:
        faults.append(f"highest stack: {top}")
    if statistics["events"].get("ST_SERIAL", 0) < 400:  # the program's turns
        faults.append(f"events of the statistics: {statistics['events']}")
    if not any("fence.i" in line and "ST_SERIAL" in line for line in text.splitlines()):
        faults.append(f"the text does not name it:\n{text}")
    if "10 of 10 events" not in errors or "6 of 10 events" not in errors:
        faults.append(f"compare does not count it:\n{errors}")
    print("\n".join(faults) or "one row and one line: " + next(line.strip() for line in text.splitlines() if "fence.i" in line))
    print(f"{time.monotonic() - started:.0f} s")
    if not faults:
        shutil.rmtree(COPY)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
