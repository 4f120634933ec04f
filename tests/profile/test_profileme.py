#!/usr/bin/env python3
"""ProfileMe's records, each held to what its instruction lived through (worker inst-lifetimes), in the harness's unit and as software reads them.

    tests/profile/test_profileme.py CONFIG programs PROGRAM.elf...     each in all of SETTINGS
    tests/profile/test_profileme.py CONFIG software                    tests/profile/instructions.c, which samples itself
    tests/profile/test_profileme.py CONFIG latencies                   tests/profile/latencies.S: cycles counted by hand
    tests/profile/test_profileme.py CONFIG seeds                       --seed chooses the intervals that are drawn
    tests/profile/test_profileme.py CONFIG faults                      one bit of one field wrong, of every field: the run has to stop
    tests/profile/test_profileme.py CONFIG errors                      what the command refuses

Last line: 'N passed, M failed'.
"""
import csv
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import types

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "scripts"))
from suite import kept  # noqa: E402

TIPOFF = str(ROOT / "build/bin/tipoff")
sys.path.insert(0, str(ROOT / "tests/workers"))
import test_faults  # noqa: E402

SETTINGS = ("37,jitter=4", "97,jitter=5,pairs=64", "200,count=opportunities", "211,count=opportunities,pairs=32,jitter=6")
SINGLES = ("23,jitter=3", "29,count=opportunities", "16")  # of a core that follows one instruction at a time
FAULTS = "97,jitter=5,pairs=64"
PROGRAM = "build/workloads/vm_sort.small.elf"
# Cycles from reading registers to done, by the units' stages: the ALU in EX; the multiplier in EX3; a load that hits in M1, behind EX; floating point in
# its fourth. That is the time from one to the next in a chain, too (tables/measured: 1, 3, 4), but for loads, who wake their readers with their result: 2 more.
EXECUTION = {"add": 1, "mul": 3, "ld": 2, "fadd.d": 4, "fmul.d": 4, "fmadd.d": 4}
UNBOUND = {"collisions"}  # a count of what is not seen otherwise: it only must not fall
results = []


def check(good, what):
    results.append(bool(good))
    print(f"{'PASS' if good else 'FAIL'}  {what}", flush=True)


def tipoff(*words):
    return kept.run([TIPOFF, *map(str, words)], cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)


def sampled(config, program, settings, folder, *options):
    """Exit status and statistics of a run."""
    stats = folder / "stats.json"
    done = tipoff(
        "run",
        "--config",
        config,
        "--quiet",
        *([] if "--period" in options else ["--no-oracle"]),
        "--max-cycles",
        20000000,
        "--profileme",
        settings,
        "--samples",
        folder / "me.tips",
        "--stats",
        stats,
        *options,
        program,
    )
    return done, json.loads(stats.read_text()) if stats.exists() else {}


def programs(config, paths, folder):
    tags = int(json.loads((ROOT / f"build/{config}/gen/config.json").read_text())["profile.tags"])
    for path in paths:
        for number, settings in enumerate(SETTINGS if tags > 1 else SINGLES):
            all_that_samples = ("--period", 101, "--jitter") if number == 0 else ()  # with the Oracle, its cross-check and branch records
            done, stats = sampled(config, path, settings, folder, "--worker", "branch-history", *all_that_samples)
            lives, routes = stats.get("lives", {}), stats.get("routes", {})
            # As many as there are intervals in what was fetched, but for those that found no room: an eighth at the very least.
            interval = int(settings.split(",")[0])
            few = lives.get("fetched", 0) / interval / 8 if "opportunities" not in settings else 1
            good = done.returncode == 0 and lives["records"] > few and lives["retired"] == stats["instructions"]
            good = good and routes["records"] == lives["records"] and routes["histories"] > few / 16  # most of random programs' instructions may die
            check(
                good,
                f"{pathlib.Path(path).stem} {settings}: {lives.get('records')} records, {routes['histories']} histories"
                if good
                else f"{path} {settings}: status {done.returncode}: {done.stderr[-400:]} {lives}",
            )


def software(config, folder):
    elf = folder / "instructions.elf"
    subprocess.run([ROOT / "build/bin/tipoff-cc", "-O2", "-o", elf, ROOT / "tests/profile/instructions.c"], check=True)
    cost, interrupts = {}, {}
    plain = 0  # cycles without samples: the first of these runs
    for arguments in (("0",), ("400", "0", "1"), ("400", "0", "4"), ("400", "1", "1"), ("400", "1", "4")):
        stats = folder / "stats.json"
        done = tipoff("run", "--config", config, "--quiet", "--no-oracle", "--worker", "inst-lifetimes", "--stats", stats, elf, "--", *arguments)
        said = {key: int(value) for key, value in re.findall(r"(\w+) (\d+)", done.stdout)}
        if "wrong" not in said:
            check(False, f"{' '.join(arguments)}: status {done.returncode}: {done.stderr[-300:]}")
            return
        found = json.loads(stats.read_text())
        lives = found["lives"]
        what = f"{' '.join(arguments)}: {done.stdout.strip()}"
        check(done.returncode == 0 and said["wrong"] == 0, what)
        check(lives["software"] == said["records"], f"... each of them checked as it was read: {lives['software']}")
        if arguments[0] != "0":
            check(said["records"] > 500 and 0 < said["retired"] <= said["records"], "... enough of them, and some retired")
            check(
                said["seconds"] * 2 == said["records"] * int(arguments[1]),
                "... half of them seconds of a pair" if arguments[1] == "1" else "... none of them of a pair",
            )
            cost[arguments[1:]] = (found["cycles"] - plain) / said["records"]
            interrupts[arguments[1:]] = said["records"] / said["interrupts"]
        else:
            plain = found["cycles"]
    for pairs in "0", "1":
        one, four = (pairs, "1"), (pairs, "4")
        check(
            interrupts[four] > 3.5 and cost[four] < cost[one],
            f"pairs {pairs}: {cost[one]:.0f} cycles a record, {cost[four]:.0f} where {interrupts[four]:.1f} wait for each interrupt",
        )
    # What software reads wrong stops the run, too.
    test_faults.RENAMED = ["retire"]
    model, library = test_faults.make_model(config, folder)
    for fault in "a record's source", "a record's cycles":  # by their addresses: header, time
        done = subprocess.run(
            [
                TIPOFF,
                "run",
                "--config",
                config,
                "--model",
                model,
                "--quiet",
                "--no-oracle",
                "--worker",
                "inst-lifetimes",
                "--worker",
                "ctr:on=no",
                elf,
                "--",
                "400",
            ],
            cwd=ROOT,
            env={**os.environ, "LD_PRELOAD": str(library), "TIPOFF_FAULT": fault},
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        check(
            done.returncode == 3 and "tipoff: ProfileMe:" in done.stderr,
            f"software reads a wrong word: {done.stderr.splitlines()[-1] if done.stderr else done.returncode}",
        )


def latencies(config, folder):
    """Chains of one kind of instruction: each asks to issue as the one before it lets it, and executes as long as its unit takes."""
    elf, tips = folder / "latencies.elf", folder / "me.tips"
    subprocess.run(
        [
            "riscv64-unknown-elf-gcc",
            "-march=rv64gc_zicsr",
            "-mabi=lp64d",
            "-mcmodel=medany",
            "-nostdlib",
            "-static",
            "-Wl,--no-warn-rwx-segments",
            "-T",
            "tests/fuzz/link.ld",
            "-o",
            elf,
            "tests/profile/latencies.S",
        ],
        cwd=ROOT,
        check=True,
    )
    done = tipoff("run", "--config", config, "--quiet", "--no-oracle", "--profileme", "16", "--samples", tips, elf)
    check(done.returncode == 0, f"the program runs: {done.stderr[-200:]}")
    rows = list(csv.DictReader(tipoff("profileme", "--format", "csv", tips).stdout.splitlines()))
    for name, issue_to_done in EXECUTION.items():
        found = [row for row in rows if row["instruction"].split()[0] == name and int(row["retired_samples"]) >= 20]
        check(len(found) >= 1, f"{name}: {len(found)} instructions with samples enough")
        for row in found:
            check(
                float(row["issue_to_done"]) == issue_to_done and float(row["issue_to_done_error"]) == 0,
                f"{name} at {row['address']}: issue to done {row['issue_to_done']}, counted {issue_to_done}",
            )
            check(float(row["ready_to_issue"]) == 1, "... and it issues as soon as it can")


def seeds(config, folder):
    printed = []
    for seed in (1, 1, 2):
        done, _ = sampled(config, "build/workloads/queens.small.elf", "64,jitter=6", folder, "--seed", seed)
        check(done.returncode == 0, f"seed {seed}")
        printed.append(tipoff("profileme", "--format", "csv", folder / "me.tips").stdout)
    check(printed[0] == printed[1] and len(printed[0]) > 1000, "the same seed, the same samples")
    check(printed[0] != printed[2], "another seed, others")


def faults(config, folder):
    test_faults.RENAMED = ["instruction_sample"]
    model, library = test_faults.make_model(config, folder)
    args = types.SimpleNamespace(config=config)
    options = ("--profileme", FAULTS, "--samples", folder / "me.tips")
    status, text, _ = test_faults.run(args, model, library, "", PROGRAM, *options)
    check(status == 0, f"no fault: {text or status}")
    with (ROOT / "tables/instruction_sample.tsv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader((line for line in file if not line.startswith("#")), delimiter="\t"))
    for row in rows:
        for bit in sorted({row["high"], row["low"]}):
            status, text, _ = test_faults.run(args, model, library, f"ProfileMe {row['word']} {bit}", PROGRAM, *options)
            if row["field"] not in UNBOUND:
                check(status == 3 and text.startswith("ProfileMe:"), f"{row['field']}, bit {bit} of word {row['word']}: {text or status}")


def errors(config, folder):
    for settings, expected in (
        ("12", "an interval of 16"),
        ("100,pairs=3", "1, 2, 4 to 1024"),
        ("100,jitter=9", "random bits of it"),
        ("100,what=1", "INTERVAL[,"),
        ("", "INTERVAL[,"),
    ):
        done, _ = sampled(config, PROGRAM, settings, folder)
        check(done.returncode == 2 and expected in done.stderr, f"--profileme {settings}: {done.stderr.splitlines()[0] if done.stderr else done.returncode}")
    done, _ = sampled("small2", PROGRAM, "100", folder)
    check(done.returncode == 2 and "profile.tags" in done.stderr, f"a core without ProfileMe: {done.stderr.strip().splitlines()[-1]}")


def main():
    config, part, *paths = sys.argv[1:]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if part == "programs":
            programs(config, paths, folder)
        else:
            {"software": software, "latencies": latencies, "seeds": seeds, "faults": faults, "errors": errors}[part](config, folder)
    print(f"{sum(results)} passed, {len(results) - sum(results)} failed")
    return 0 if all(results) and results else 1


if __name__ == "__main__":
    sys.exit(main())
