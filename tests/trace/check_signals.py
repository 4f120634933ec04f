#!/usr/bin/env python3
"""The worker `signals` shows what other observers of the same run say.

    tests/trace/check_signals.py CONFIG PROGRAM.elf

One run traces every group as CSV and one of them in binary, too, beside the commit bundle. Against the bundle (another way out of the core):
who dispatches and with which address, who commits, the vectors, the ROB's head from the number of commits. Against the program's own
instructions: the pointer after the last committed store moves by the stores that commit. Against the memory model: reads and writes.
And: a group is the same alone as with the others; the binary one, read back, is the CSV byte for byte; the run itself is the same to the cycle.
"""
import csv
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIPOFF = str(ROOT / "build/bin/tipoff")
GROUPS = ["frontend", "rename", "issue", "lsu", "memory", "vectors"]
STORES = re.compile(r"^\s*([0-9a-f]+):\s+[0-9a-f]+\s+(c\.)?(s[bhwd](sp)?|fs[wd](sp)?)\s")
CYCLES = 60000


def tipoff(*words, status=0):
    done = subprocess.run([TIPOFF, *map(str, words)], capture_output=True, text=True, check=False, cwd=ROOT, timeout=300)
    if done.returncode != status:
        sys.exit(f"tipoff {' '.join(map(str, words))}: status {done.returncode}, expected {status}: {done.stderr}")
    return done.stdout


def rows(path):
    with path.open(encoding="utf-8") as file:
        lines = csv.reader(file)
        names = next(lines)
        return [dict(zip(names, (int(text, 0) for text in line))) for line in lines]


def same(what, cycle, expected, got):
    if expected != got:
        sys.exit(f"cycle {cycle}: {what}: {got}, but another source says {expected}")


def mask(row, name, width):
    return sum(row[f"{name}{i}"] << i for i in range(width))


def stores_of(program):
    text = subprocess.run(["riscv64-unknown-elf-objdump", "-d", program], capture_output=True, text=True, check=True).stdout
    return {int(found[1], 16) for found in map(STORES.match, text.splitlines()) if found}


def step(entries, before, after):
    """How far an index with a wrap bit on top has gone on."""
    wrap = 1 << (entries - 1).bit_length()
    place = lambda index: (entries if index & wrap else 0) + (index & (wrap - 1))
    return (place(after) - place(before)) % (2 * entries)


def compare(config, program, trace, groups, statistics):
    width, stores = config["core"]["width"], stores_of(program)
    committed_stores = 0
    for cycle, bundle in enumerate(trace):
        rename, vectors = groups["rename"][cycle], groups["vectors"][cycle]
        same("dispatch", cycle, mask(bundle, "dispatch_valid", width), rename["dispatched"])
        same("commit", cycle, mask(bundle, "commit", width), vectors["commit"])
        same("oldest", cycle, bundle["oldest"], vectors["oldest"])
        for i in range(width):
            if bundle[f"dispatch_valid{i}"]:
                same(f"pc{i}", cycle, bundle[f"dispatch_pc{i}"], rename[f"pc{i}"])
            same(f"psv{i}", cycle, bundle[f"psv{i}"], vectors[f"psv{i}"])
        if cycle + 1 == len(trace):
            break
        after = groups["rename"][cycle + 1]
        commits = mask(bundle, "commit", width).bit_count()
        same("ROB's head", cycle + 1, commits, step(config["core"]["rob_entries"], rename["rob_head"], after["rob_head"]))
        moved = step(config["lsu"]["store_queue"], groups["lsu"][cycle]["store_committed"], groups["lsu"][cycle + 1]["store_committed"])
        left = sum(bundle[f"commit{i}"] and bundle[f"pc{i}"] in stores for i in range(width))
        same("committed stores", cycle + 1, left, moved)
        committed_stores += left
    memory = groups["memory"]
    reads = sum(row["insn_request"] + row["data_read"] for row in memory)
    same("lines read", len(trace), statistics["memory"]["reads"], reads)
    same("lines written", len(trace), statistics["memory"]["writes"], sum(row["data_write"] for row in memory))
    return committed_stores, reads


def main():
    name, program = sys.argv[1:]
    config = tomllib.loads((ROOT / f"tables/config/{name}.toml").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        run = ["run", "--config", name, "--quiet", "--max-cycles", CYCLES]
        wanted = [word for group in GROUPS for word in ("--worker", f"signals:group={group},file={folder}/{group}.csv")]
        tipoff(
            *run,
            "--trace",
            folder / "trace.csv",
            "--trace-format",
            "csv",
            "--stats",
            folder / "stats.json",
            *wanted,
            "--worker",
            f"signals:group=lsu,file={folder}/lsu.bin,format=bin",
            program,
            status=124,
        )
        statistics = json.loads((folder / "stats.json").read_text(encoding="utf-8"))
        trace, groups = rows(folder / "trace.csv"), {group: rows(folder / f"{group}.csv") for group in GROUPS}
        for group in GROUPS:
            same(f"lines of {group}", CYCLES, len(trace), len(groups[group]))
        stores, reads = compare(config, program, trace, groups, statistics)
        if not stores or not reads:
            sys.exit(f"{program}: {stores} stores, {reads} lines read: nothing was compared")
        tipoff("trace", "--format", "csv", "--output", folder / "again.csv", folder / "lsu.bin")
        if (folder / "again.csv").read_bytes() != (folder / "lsu.csv").read_bytes():
            sys.exit("the binary trace, read back, is not the CSV")
        records = [json.loads(line) for line in tipoff("trace", "--format", "json", folder / "lsu.bin").splitlines()]
        same("cycles as JSON", CYCLES, CYCLES, sum(record["count"] for record in records))
        tipoff(
            *run,
            "--worker",
            f"signals:group=lsu,file={folder}/alone.csv,from=1000,to=1999",
            "--stats",
            folder / "alone.json",
            "--no-cosim",
            "--no-oracle",
            program,
            status=124,
        )
        tipoff("trace", "--format", "folded", folder / "lsu.bin", status=2)
        whole = (folder / "lsu.bin").read_bytes()
        (folder / "cut.bin").write_bytes(whole[: len(whole) - 40])
        tipoff("trace", "--output", folder / "cut.txt", folder / "cut.bin")
        lines = (folder / "lsu.csv").read_text(encoding="utf-8").splitlines()
        if (folder / "alone.csv").read_text(encoding="utf-8").splitlines() != [lines[0], *lines[1001:2001]]:
            sys.exit("the group alone, in a region, is not the same")
        print(f"{len(trace)} cycles, {stores} committed stores, {reads} lines read, {len(records)} rows of the binary trace")
    return 0


if __name__ == "__main__":
    sys.exit(main())
