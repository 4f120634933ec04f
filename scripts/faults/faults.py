#!/usr/bin/env python3
"""Fault injection: which check of `tipoff run` stops a core that tells its observers something wrong, and how soon?

    scripts/faults/faults.py [--config NAME] [--only ROW]... [--jobs N] [--write FILE]

Each row of tests/faults/faults.tsv is a fault in the RTL that feeds the commit bundle. A copy of the tree holds all of them,
and a file `fault` in the folder of the run chooses one: one model, built once (build/faults). Every fault runs some programs with
all checks on. Verdict of a program:
    stopped   a check ends the run: which one, in which cycle
    equal     ends like the fault-free run: same cycles, and the Oracle's profile differs by 0.1 % of the time at most
    slower    ends well after another number of cycles: the core itself behaves differently, and its profile is true to that
    WRONG     same cycles, another profile, and no check fails
    hangs     does not end within twice the fault-free cycles
Prints a table by fault, writes it as Markdown with --write. Status 1 if a fault is WRONG somewhere, even where another program is
stopped, or if a row cannot be applied.
"""
import argparse
import concurrent.futures
import csv
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROOM = ROOT / "build/faults"
TREE = ROOM / "tree"
TABLE = ROOT / "tests/faults/faults.tsv"
COPIED = (
    "rtl/",
    "attach/",
    "sim/",
    "tables/",
    "scripts/",
    "harness/",
    "csrc/",
    "Makefile",
    "html/html.mk",
    "tests/tests.mk",
    "tests/workloads/",
    "tests/isa/",
    "tests/fuzz/",
    "tests/profile/",
)
PROGRAMS = [
    "workloads/interp.small",
    "workloads/chase.small",
    "workloads/fft.small",
    "workloads/vm_paging.small",
    "tests/fuzz/fpvm-1",
    "tests/fuzz/pmuvm-1",
    "tests/events/fl_mo",
]
LIMIT = 0.001  # share of the time that may be booked elsewhere
SELECTOR = """  int fault_sel, fault_file;
  initial begin
    fault_sel = 0;
    fault_file = $fopen("fault", "r");
    if (fault_file != 0) begin
      if ($fscanf(fault_file, "%d", fault_sel) != 1) fault_sel = 0;
      $fclose(fault_file);
    end
  end
"""


def rows():
    with TABLE.open(encoding="utf-8") as file:
        table = list(csv.DictReader((line for line in file if not line.startswith("#")), delimiter="\t", quoting=csv.QUOTE_NONE))
    return [dict(row, number=number) for number, row in enumerate(table, 1)]


def balanced(text, start):
    """End of the parenthesis that opens at `start`."""
    depth = 0
    for at in range(start, len(text)):
        depth += (text[at] == "(") - (text[at] == ")")
        if depth == 0:
            return at
    return None


def expression(text):
    """(start, end) of the expression in a row's text."""
    condition = re.match(r"(else )?if \(", text)
    field = re.match(r"\w+: ", text)
    assignment = re.match(r"(.*?)\s(<=|=)\s(.*);$", text)
    if assignment:
        return assignment.start(3), assignment.end(3)
    if condition:
        return condition.end(), balanced(text, condition.end() - 1)
    if field:
        return field.end(), len(text)
    return 0, len(text)


def place(original, faults):
    """The text that stands for `original` in the copy."""
    condition = re.match(r"(else )?if \(", original)
    spans = {expression(original)}
    if condition:
        spans.add((condition.end(), balanced(original, condition.end() - 1)))
    for start, end in spans:
        head, tail = original[:start], original[end:]
        if all(f["faulty"].startswith(head) and f["faulty"].endswith(tail) or not head for f in faults):
            text = original[start:end]
            for fault in faults:
                changed = fault["faulty"][len(head) : len(fault["faulty"]) - len(tail)] if head else fault["faulty"]
                text = f"((fault_sel == {fault['number']}) ? ({changed}) : ({text}))"
            return head + text + tail
    return None


def apply_faults(table):
    by_file = {}
    for row in table:
        by_file.setdefault(row["file"], {}).setdefault(row["original"], []).append(row)
    for name, places in by_file.items():
        path = TREE / name
        text = path.read_text(encoding="utf-8")
        for original, faults in places.items():
            changed = place(original, faults)
            if text.count(original) != 1 or changed is None:
                sys.exit(f"{TABLE.name}: {name}: '{original}' stands {text.count(original)} times, or is no expression: write the row anew")
            text = text.replace(original, changed)
        header = re.search(r"^module .*?^\);\n", text, re.M | re.S)
        path.write_text(text[: header.end()] + SELECTOR + text[header.end() :], encoding="utf-8")


def copy_tree():
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split("\n")
    names = {name for name in listed if name.startswith(COPIED) and (ROOT / name).is_file()}
    for old in [path for folder in ("rtl", "sim") for path in (TREE / folder).rglob("*.sv") if str(path.relative_to(TREE)) not in names]:
        old.unlink()  # moved or gone since the copy was made
    for name in sorted(names):
        source, target = ROOT / name, TREE / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists() or target.read_bytes() != source.read_bytes():
            shutil.copy(source, target)


def build(config, table):
    # The faults are put in afresh; what they leave as it was keeps its time, so that make builds no more than it must.
    before = {row["file"]: (TREE / row["file"]).read_bytes() for row in table if (TREE / row["file"]).exists()}
    times = {name: (TREE / name).stat() for name in before}
    copy_tree()
    apply_faults(table)
    for name, text in before.items():
        if (TREE / name).read_bytes() == text:
            os.utime(TREE / name, ns=(times[name].st_atime_ns, times[name].st_mtime_ns))
    done = subprocess.run(["make", "-s", f"CONFIGS={config}", f"build/{config}/model.so"], cwd=TREE, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"faults: the model does not build:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return TREE / f"build/{config}/model.so"


def run(config, model, program, number, limit=None):
    folder = ROOM / f"run/{config}-{pathlib.Path(program).name}-{number}"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "fault").write_text(f"{number}\n", encoding="utf-8")
    stem = folder / "of"
    command = [
        str(ROOT / "build/bin/tipoff"),
        "run",
        "--config",
        config,
        "--model",
        str(model),
        "--period",
        "97",
        "--jitter=none",
        "--quiet",
        "--stats",
        f"{stem}.json",
        "--profile",
        f"{stem}.csv",
    ]
    command += ["--max-cycles", str(limit)] if limit else []
    for kind in ("json", "csv"):
        pathlib.Path(f"{stem}.{kind}").unlink(missing_ok=True)
    done = subprocess.run([*command, str(ROOT / f"build/{program}.elf")], cwd=folder, capture_output=True, text=True, check=False, errors="replace")
    try:
        cycles = json.loads(pathlib.Path(f"{stem}.json").read_text(encoding="utf-8"))["cycles"]
    except (OSError, ValueError, KeyError):
        cycles = None
    return {"status": done.returncode, "cycles": cycles, "profile": profile(f"{stem}.csv"), "text": (done.stdout + done.stderr)[-4000:]}


def profile(path):
    try:
        lines = pathlib.Path(path).read_text(encoding="utf-8").split("\n", 1)[1]
    except (OSError, IndexError):
        return None
    shares = {(row["pc"], row["state"], row["psv"], row.get("mode"), row.get("space")): int(row["weight"]) for row in csv.DictReader(lines.splitlines())}
    total = sum(shares.values())
    return {key: weight / total for key, weight in shares.items()} if total else None


def distance(a, b):
    return sum(abs(a.get(key, 0) - b.get(key, 0)) for key in a.keys() | b.keys()) / 2


def stopper(text):
    """(check, cycle): from the line that ends a stopped run."""
    assertion = re.search(r"Assertion failed in \S*?\.?(\w+): '?(\w+)?|%Error: \S+\.sv:\d+: Assertion failed in ([\w.]+)", text)
    line = next((line for line in reversed(text.splitlines()) if line.startswith("tipoff: ")), "")
    cycle = re.search(r"cycle (\d+)", line)
    if "model failed" in line:
        name = re.search(r"Assertion failed in TOP\.[\w.]*?(\w+)(?:: |\s*$)", text, re.M)
        return "assertion" + (f" {name[1]}" if name else ""), cycle and int(cycle[1])
    name = re.match(r"tipoff: ([\w -]+?):", line)
    return name[1] if name else (line[8:60] or ("assertion" if assertion else "?")), cycle and int(cycle[1])


def verdict(good, bad):
    if bad["status"] in (3, 5):
        name, cycle = stopper(bad["text"])
        return "stopped", f"{name} ({cycle:,})" if cycle is not None else name
    if bad["status"] == 124:
        return "hangs", ""
    if bad["cycles"] != good["cycles"]:
        return "slower", f"{bad['cycles'] or 0:,} of {good['cycles']:,} cycles"
    if bad["status"] != good["status"]:
        return "stopped", f"the program's own check (status {bad['status']})"
    apart = distance(good["profile"], bad["profile"]) if bad["profile"] and good["profile"] else 1.0
    return ("equal", "") if apart <= LIMIT else ("WRONG", f"{100 * apart:.1f} %")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", default="small2")
    parser.add_argument("--only", type=int, action="append", help="this row alone")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--write", type=pathlib.Path, help="the table as Markdown")
    arguments = parser.parse_args()
    table = rows()
    model = build(arguments.config, table)
    good = {program: run(arguments.config, model, program, 0) for program in PROGRAMS}
    for program, result in good.items():
        if result["status"] in (2, 3, 5, 124) or not result["profile"]:
            sys.exit(f"faults: {program} does not run without a fault:\n{result['text']}")
    chosen = [row for row in table if not arguments.only or row["number"] in arguments.only]
    results = {}
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        jobs = {
            pool.submit(run, arguments.config, model, program, row["number"], 2 * good[program]["cycles"]): (row["number"], program)
            for row in chosen
            for program in PROGRAMS
        }
        for job in concurrent.futures.as_completed(jobs):
            number, program = jobs[job]
            results.setdefault(number, {})[program] = verdict(good[program], job.result())
    lines = ["| fault | where | verdict | check (cycle), first of the programs | programs: stopped, equal, slower, hang, WRONG |", "|---|---|---|---|---|"]
    missed, stopped = [], 0
    for row in chosen:
        found = [results[row["number"]][program] for program in PROGRAMS]
        kinds = [kind for kind, _ in found]
        stops = [text for kind, text in found if kind == "stopped"]
        wrong = [f"{pathlib.Path(program).name}: {text}" for program, (kind, text) in zip(PROGRAMS, found) if kind == "WRONG"]
        overall = "WRONG" if wrong else "stopped" if stops else "hangs" if "hangs" in kinds else "core differs" if "slower" in kinds else "no effect"
        stopped += overall == "stopped"
        if overall == "WRONG":
            missed.append(row)
        counts = ", ".join(str(kinds.count(kind)) for kind in ("stopped", "equal", "slower", "hangs", "WRONG"))
        lines.append(f"| {row['number']} {row['text']} | {row['file']} | {overall} | {(wrong or stops or [''])[0]} | {counts} |")
    print("\n".join(lines))
    print(f"{len(chosen)} faults: {stopped} stopped, {len(missed)} wrong and unseen")
    if arguments.write:
        arguments.write.write_text("\n".join(lines) + "\n", encoding="utf-8")
    for row in missed:
        print(f"faults: unseen: {row['number']} {row['text']}; rerun: scripts/faults/faults.py --only {row['number']}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
