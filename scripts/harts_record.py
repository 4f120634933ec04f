#!/usr/bin/env python3
"""Random programs and litmus tests of several harts on cores, in lockstep with the memory's order checked; what was compared goes on record.

    scripts/harts_record.py [--kind random|litmus] [--config small2c,tea4c,small2r] [--minutes 60] [--runs N] [--length ITEMS] [--iterations N]
    scripts/harts_record.py --table     # sums of the record, as docs/reference/harts.md shows them

Goes on where the record ends: each run is the next seed of its kind and configuration, of 2 to 4 harts (tests/fuzz/harts_fuzz.py), or all
litmus tests of tests/litmus/run_rtl.py with the next seed of skew and placement, the kind and configuration first that has had least time.
Rows of tests/harts/lockstep.tsv: consecutive seeds at one commit and on one day are one row. Without --kind both kinds; configurations
without a model are left out. A difference, or a state that RVWMO forbids, ends it with status 1: it is a row of its own, what the run said
and the command that repeats it are printed, and its program is kept in build/tests/harts.
"""
import argparse
import collections
import csv
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests/fuzz"))
from run_seeds import command_of  # noqa: E402

RECORD = ROOT / "tests/harts/lockstep.tsv"
FOLDER = ROOT / "build/tests/harts"
TIPOFF = ROOT / "build/bin/tipoff"
COLUMNS = ("kind", "config", "commit", "date", "first", "last", "programs", "instructions", "iterations", "cycles", "seconds", "differences")
COUNTED = COLUMNS[6:]
HEAD = """# Several harts on cores, in lockstep with the ISS and with the memory's order checked: scripts/harts_record.py writes, nobody edits.
# first, last: seeds, of random programs, or of skew and placement of all litmus tests; programs: how many ran; iterations: of litmus tests.
"""
FIRST_SEED = 1_000_000  # none that a test runs
HANG_GUARD = 3600  # seconds of processor time of a run: a guard, not a measure; at idle priority the clock says nothing
KINDS = ("random", "litmus")


def rows(record):
    if not record.exists():
        return []
    lines = [line for line in record.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return [
        {name: int(text) if name in COUNTED or name in ("first", "last") else text for name, text in row.items()}
        for row in csv.DictReader(lines, delimiter="\t")
    ]


def added(found, row):
    """The rows with one more: where it goes on with a row of its kind, at that commit and on that day, in that row."""
    same = ("kind", "config", "commit", "date", "differences")
    for at, before in enumerate(found):
        if row["differences"] == 0 and before["last"] + 1 == row["first"] and all(before[name] == row[name] for name in same):
            sums = {name: before[name] + row[name] for name in COUNTED}
            return [*found[:at], {**before, **sums, "last": row["last"]}, *found[at + 1 :]]
    return [*found, row]


def write(record, found):
    """Whole, at once: a run that is ended leaves the record as it was."""
    beside = record.with_suffix(".new")
    lines = ["\t".join(COLUMNS), *("\t".join(str(row[name]) for name in COLUMNS) for row in found)]
    beside.write_text(HEAD + "\n".join(lines) + "\n", encoding="utf-8")
    os.replace(beside, record)


def next_seed(found, kind, config):
    return max((row["last"] + 1 for row in found if (row["kind"], row["config"]) == (kind, config)), default=FIRST_SEED)


def commit():
    def git(*arguments):
        return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()

    return git("rev-parse", "--short=8", "HEAD") + "+" * bool(git("status", "--porcelain", "csrc", "harness", "rtl", "sim", "tables", "tests/fuzz"))


def run(command):
    """(status, what it said)"""
    command = ["prlimit", f"--cpu={HANG_GUARD}", *command]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
    ends = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)
    if -done.returncode in ends or done.returncode - 128 in ends:
        raise SystemExit("harts_record.py: a run was ended from outside: nothing of it is on record")
    return done.returncode, done.stdout


def failed(status, said, command):
    print(f"status {status}\n{said[-4000:]}\n  rerun: {' '.join(map(str, command))}", file=sys.stderr)
    return {"programs": 1, "differences": 1}


def random_program(config, seed, length):
    """What the program of that seed adds to the record."""
    program = FOLDER / f"harts-{seed}.elf"
    subprocess.run(["make", "-s", f"FUZZ_DIR={FOLDER.relative_to(ROOT)}", f"FUZZ_LENGTH={length}", str(program.relative_to(ROOT))], cwd=ROOT, check=True)
    stats = FOLDER / f"harts-{seed}.json"
    command = command_of(config, "harts", seed, program.relative_to(ROOT)).replace("--max-cycles 5000000", "--max-cycles 50000000").split()
    status, said = run([*command, "--stats", stats])
    if status:
        return failed(status, said, command)
    found = json.loads(stats.read_text(encoding="utf-8"))
    if not found["checks"]["passed"] or found["checks"]["instructions"] != found["instructions"]:
        return failed("0, but a check failed, or instructions were not compared", said, command)
    for path in (*FOLDER.glob(f"harts-{seed}*.json"), program, program.with_suffix(".S")):
        path.unlink(missing_ok=True)
    return {"programs": 1, "instructions": found["instructions"], "cycles": found["cycles"]}


def litmus(config, seed, iterations):
    """What all litmus tests, that many iterations each, add to the record."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([ROOT / "scripts/litmus_cycles.py", folder], check=True)
        files = sorted(pathlib.Path(folder).glob("*.litmus")) + sorted((ROOT / "tests/litmus/harts").glob("*.litmus"))
        output = pathlib.Path(folder) / "result.json"
        words = ["--on", "rtl", "--config", config, "--iterations", str(iterations), "--seed", str(seed)]
        status, said = run([TIPOFF, "litmus", *words, "--format", "json", "--output", output, *files])
        if status:
            return failed(status, said, ["scripts/litmus_cycles.py FOLDER && build/bin/tipoff litmus", *words, "FOLDER/*.litmus tests/litmus/harts/*.litmus"])
        states = [state for result in json.loads(output.read_text(encoding="utf-8")) for state in result["states"]]
    return {"programs": len(files), "iterations": sum(state["seen"] for state in states), "differences": sum(s["seen"] for s in states if not s["allowed"])}


def sums(found):
    """{(kind, configuration): counts}"""
    total = collections.defaultdict(collections.Counter)
    for row in found:
        total[row["kind"], row["config"]].update({name: row[name] for name in COUNTED})
    return total


def table(found):
    print("| kind | core | programs | instructions | iterations | cycles | differences |\n|---|---|---:|---:|---:|---:|---:|")
    for kind in KINDS:
        everything = collections.Counter()
        for (of, config), sum_ in sorted(sums(found).items()):
            if of == kind:
                everything.update(sum_)
                print(f"| {kind} | {config} | {' | '.join(f'{sum_[name]:,}' for name in COUNTED if name != 'seconds')} |")
        print(f"| **{kind}** | all | {' | '.join(f'{everything[name]:,}' for name in COUNTED if name != 'seconds')} |")


def go(record, work, minutes, most):
    """work: {(kind, config): what runs a seed}; true if all was equal."""
    until, done = time.monotonic() + 60 * minutes, 0
    while time.monotonic() < until and done < most:
        found = rows(record)
        kind, config = min(work, key=lambda key: sums(found)[key]["seconds"])
        seed, started = next_seed(found, kind, config), time.monotonic()
        row = {**dict.fromkeys(COUNTED, 0), "kind": kind, "config": config, "commit": commit(), "date": time.strftime("%Y-%m-%d", time.gmtime())}
        row.update({"first": seed, "last": seed, **work[kind, config](seed), "seconds": max(1, round(time.monotonic() - started))})
        write(record, added(rows(record), row))
        done += 1
        print("\t".join(str(row[name]) for name in COLUMNS), flush=True)
        if row["differences"]:
            return False
    print(f"{done} runs more, all equal")
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kind", choices=KINDS)
    parser.add_argument("--config", default="small2c,tea4c,small2r")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--runs", type=int, default=sys.maxsize, help="at most that many")
    parser.add_argument("--length", type=int, default=1500, help="items of each hart of a random program")
    parser.add_argument("--iterations", type=int, default=50, help="of each litmus test in a run")
    parser.add_argument("--record", type=pathlib.Path, default=RECORD, help=f"default: {RECORD.relative_to(ROOT)}")
    parser.add_argument("--table", action="store_true")
    a = parser.parse_args()
    if a.table:
        table(rows(a.record))
        return 0
    configs = [config for config in a.config.split(",") if (ROOT / f"build/{config}/model.so").exists()]
    if not configs:
        first = a.config.split(",")[0]
        sys.exit(f"scripts/harts_record.py: no model of {a.config}: make build/{first}/model.so")
    FOLDER.mkdir(parents=True, exist_ok=True)
    work = {}
    for config in configs:
        if a.kind != "litmus":
            work["random", config] = lambda seed, config=config: random_program(config, seed, a.length)
        if a.kind != "random":
            work["litmus", config] = lambda seed, config=config: litmus(config, seed, a.iterations)
    return 0 if go(a.record, work, a.minutes, a.runs) else 1


if __name__ == "__main__":
    sys.exit(main())
