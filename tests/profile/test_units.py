#!/usr/bin/env python3
"""`tipoff report --by UNIT`: every unit has the time of its instructions.

    tests/profile/test_units.py CONFIG PROGRAM.elf...

Sums the Oracle's rows by instruction up to lines, files and inlined calls as llvm-addr2line names them, and to modes and address spaces, and
compares with the report: names, weights by state and vector, nothing left over. Text, CSV and JSON have to say the same.
"""
import collections
import csv
import json
import os
import pathlib
import re
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "scripts"))
from suite import kept  # noqa: E402

TIPOFF = str(ROOT / "build/bin/tipoff")
faults = []


def run(*command, text=None):
    done = kept.run(list(map(str, command)), cwd=ROOT, capture_output=True, text=True, timeout=600, check=False, input=text)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: status {done.returncode}: {done.stderr}")
    return done.stdout


def report(samples, unit, kind="csv"):
    text = run(TIPOFF, "report", "--profiler", "Oracle", "--by", unit, "--format", kind, samples)
    return list(csv.DictReader(line for line in text.splitlines() if not line.startswith("#"))) if kind == "csv" else json.loads(text)


def time(row):
    """In 1/840 cycle: whole numbers whatever the core's width."""
    return round(840 * float(row["cycles"]))


def by_unit(rows):
    sums = collections.Counter()
    for row in rows:
        if time(row):
            sums[row["unit"], row["state"], row["psv"]] += time(row)
    return sums


def places(program, addresses):
    """address -> [(function, file, line)], innermost first."""
    text = run("llvm-addr2line-14", "-a", "-i", "-f", "-C", "-e", program, text="".join(f"{a}\n" for a in addresses))
    found, lines = {}, iter(text.splitlines())
    for line in lines:
        if line.startswith("0x"):
            chain = found[line] = []
            continue
        file, _, number = next(lines).split(" (discriminator")[0].rpartition(":")
        chain.append((line, file.removeprefix("./"), number))
    return found


def compare(what, said, expected):
    difference = {key: (said[key], expected[key]) for key in said.keys() | expected.keys() if said[key] != expected[key]}
    if difference:
        faults.append(f"{what}: (report, expected): {dict(list(difference.items())[:5])} and {max(0, len(difference) - 5)} more")


def check(config, program, folder):
    samples = folder / "x.tips"
    run(TIPOFF, "run", "--config", config, "--quiet", "--period", 97, "--samples", samples, program)
    instructions = report(samples, "instruction")
    known = places(program, [row["unit"] for row in instructions if row["unit"].startswith("0x")])
    lines, files, calls, modes, spaces = (collections.Counter() for _ in range(5))
    deep = 0
    for row in instructions:
        rest, weight = (row["state"], row["psv"]), time(row)
        function = re.fullmatch(r"(\[[^]]*\]|.*?)(\+0x[0-9a-f]+)?", row["name"])[1]
        chain = known.get(row["unit"], [])
        outer = row["name"] if row["unit"] == "end of run" else function
        if not chain or chain[-1][0] == "??" or not chain[0][1] or chain[0][1] == "??" or chain[0][2] in ("0", "?"):
            if row["source"]:  # code of line 0: of the line before, which addr2line does not say
                lines[row["source"], *rest] += weight
                files[row["source"].rpartition(":")[0], *rest] += weight
            else:
                lines[f"[no line] {outer}" if row["unit"] != "end of run" else outer, *rest] += weight
                files[f"[no file] {outer}" if row["unit"] != "end of run" else outer, *rest] += weight
        else:
            lines[f"{chain[0][1]}:{chain[0][2]}", *rest] += weight
            files[chain[0][1], *rest] += weight
        name = chain[0][0] if len(chain) > 1 else outer
        for i in range(1, len(chain)):
            caller = chain[i][0] if i + 1 < len(chain) else outer
            name += f"{' inlined' if i == 1 else ','} in {caller} at {os.path.basename(chain[i][1])}:{chain[i][2]}"
        deep += len(chain) > 2
        calls[name, *rest] += weight
        modes["end of run" if row["unit"] == "end of run" else row["mode"], *rest] += weight
        spaces[row["space"], *rest] += weight
    for unit, expected in (("line", lines), ("file", files), ("inline", calls), ("mode", modes)):
        compare(f"{program} --by {unit}", by_unit(report(samples, unit)), expected)
    total = sum(time(row) for row in instructions)
    for unit in ("block", "loop", "module", "process"):
        rows = report(samples, unit)
        if sum(time(row) for row in rows) != total:
            faults.append(f"{program} --by {unit}: {sum(time(row) for row in rows)} in all, {total} expected")
        whole = report(samples, unit, "json")
        compare(
            f"{program} --by {unit}, JSON",
            collections.Counter({(u["unit"], s["state"], str(s["psv"])): 840 // whole["U"] * s["weight"] for u in whole["units"] for s in u["stack"]}),
            by_unit(rows),
        )
        text = run(TIPOFF, "report", "--profiler", "Oracle", "--by", unit, "--top", 0, samples)
        missing = [u["name"] for u in whole["units"] if u["name"] not in text]
        if missing:
            faults.append(f"{program} --by {unit}: not in the text: {missing}")
    if len({key[0] for key in spaces}) > 2 and len(report(samples, "process", "json")["units"]) != len({key[0] for key in spaces}):
        faults.append(f"{program}: {len(report(samples, 'process', 'json')['units'])} processes, {len({key[0] for key in spaces})} address spaces")
    return len(lines), len(calls), deep


def main():
    config, *programs = sys.argv[1:]
    done = []
    with tempfile.TemporaryDirectory() as name:
        for program in programs:
            done.append(check(config, program, pathlib.Path(name)))
    if not any(deep for *_, deep in done):
        faults.append("no call that is inlined into an inlined one: nothing is shown by these programs")
    print("\n".join(faults) or f"(rows of lines, of calls, instructions two calls deep): {done}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
