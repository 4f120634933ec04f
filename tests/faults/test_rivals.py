#!/usr/bin/env python3
"""Faults in the rival profilers' units, each must end a run with worker `rivals`.

    tests/faults/test_rivals.py [--config NAME] [--only ROW | --first]

The rows of tests/faults/rivals.tsv go into one copy of the units, built once (build/faults/rivals); a file `fault` in the folder of a
run chooses one. Programs run one after the other until one ends with status 3 and a line of the worker. Without a fault all of them
must end well. --first: of each unit the first row alone, and the first program without a fault. Prints a line a fault. Last line: 'N passed, M failed'.
"""
import argparse
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/faults"))
import faults  # noqa: E402
import planting  # noqa: E402

ROOM = ROOT / "build/faults/rivals"
PROGRAMS = [
    "build/tests/events/fl_mo",
    "build/workloads/chase.small",
    "build/tests/fuzz/fpvm-1",
    "build/workloads/interp.small",
    "build/workloads/vm_paging.small",
]
PERIODS = [17, 97]


def make(folder, *words):
    done = subprocess.run(["make", "-s", *words], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{words[-1]} does not build:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")


def build(config):
    """The table, and a model of the core with the faulty units beside it."""
    faults.TREE = ROOM / "tree"
    table = planting.rows(ROOT / "tests/faults/rivals.tsv")
    faults.copy_tree()
    planting.apply_faults(table, faults.TREE)
    make(ROOT, f"build/{config}/model.so")
    units = f"build/{config}/rivals.so"
    make(faults.TREE, f"MODEL_RUNTIME={ROOT}/build/lib/verilated-model.a", units)
    model = faults.TREE / f"build/{config}/model.so"
    model.unlink(missing_ok=True)
    model.symlink_to(ROOT / f"build/{config}/model.so")
    return table, model


def run(config, model, program, period, number):
    """Exit status, and the line that says why."""
    folder = ROOM / f"run-{number}"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "fault").write_text(f"{number}\n", encoding="utf-8")
    command = [
        ROOT / "build/bin/tipoff",
        "run",
        "--config",
        config,
        "--model",
        model,
        "--no-cosim",
        "--quiet",
        "--period",
        str(period),
        "--worker",
        "rivals",
        ROOT / f"{program}.elf",
    ]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, errors="replace")
    lines = [line for line in done.stderr.split("\n") if "rivals: cycle" in line]
    return done.returncode, lines[0] if lines else done.stderr.strip()[-300:]


def refusals(config, model):
    """(what, whether it was refused well) without the units, with those of another configuration, and without samples."""
    folder, other = ROOM / "alone", next(path for path in sorted((ROOT / "build").glob("*/rivals.so")) if path.parent.name != config)
    folder.mkdir(parents=True, exist_ok=True)
    alone, units = folder / "model.so", folder / "rivals.so"
    for path in (alone, units):
        path.unlink(missing_ok=True)
    alone.symlink_to(ROOT / f"build/{config}/model.so")
    for what, name, period, words in (
        ("no units", alone, ["--period", "97"], f"make build/{config}/rivals.so"),
        ("another configuration's", alone, ["--period", "97"], "of another version, configuration or tables"),
        ("no samples", model, [], "give --period"),
    ):
        if what.startswith("another"):
            units.symlink_to(other)
        command = [ROOT / "build/bin/tipoff", "run", "--config", config, "--model", name, "--worker", "rivals", *period, ROOT / f"{PROGRAMS[0]}.elf"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        yield what, done.returncode == 2 and words in done.stderr and done.stderr.count("\n") == 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", default="small2")
    parser.add_argument("--only", type=int, help="number of a row, from 1 on")
    parser.add_argument("--first", action="store_true", help="of each unit the first row")
    arguments = parser.parse_args()
    table, model = build(arguments.config)
    runs = [(program, period) for program in PROGRAMS for period in PERIODS]
    passed = failed = 0
    for program, period in runs[: len(PERIODS)] if arguments.first else runs:
        status, why = run(arguments.config, model, program, period, 0)
        passed, failed = passed + (status == 0), failed + (status != 0)
        if status:
            print(f"FAIL  no fault, {program}, period {period}: status {status}: {why}")
    for what, good in refusals(arguments.config, model):
        passed, failed = passed + good, failed + (not good)
        print(f"{'PASS' if good else 'FAIL'}  refused: {what}")
    firsts = {row["file"]: row["number"] for row in reversed(table)}
    for row in table:
        if arguments.only not in (None, row["number"]) or arguments.first and row["number"] != firsts[row["file"]]:
            continue
        for program, period in runs:
            status, why = run(arguments.config, model, program, period, row["number"])
            if status:
                break
        good = status == 3 and "rivals: cycle" in why
        passed, failed = passed + good, failed + (not good)
        print(
            f"{'PASS' if good else 'FAIL'}  {row['number']:2} {pathlib.Path(row['file']).stem}: {row['text']}: {f'{program}, period {period}: {why}' if status else 'nobody objects'}",
            flush=True,
        )
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
