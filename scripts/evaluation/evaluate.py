#!/usr/bin/env python3
"""The evaluation: how wrong each profiler is, by program, granularity and number of samples, against chance and against what was published, and how chance is beaten; writes docs/results/evaluation.md.

    scripts/evaluation/evaluate.py [--set quick|pooling|linux|full] [--only TEXT] [--output FILE.md] [--folder FOLDER] [--jobs N]      make evaluation [QUICK=1]

quick: all workloads in their small size on small2, at six periods (minutes). full: on tea4, their large size for 1,760,000 cycles with 10^5 samples each, their medium size at
six periods, and, where `make linux-programs` has been run, regions of real programs under Linux (half an hour on two CPUs). Both: scripts/evaluation/study.py on each. pooling: what the samples say where they are pooled, jittered and by the golden ratio, and nothing else; writes docs/results/pooling.md. linux: the programs under Linux alone; writes docs/results/evaluation-linux.md. Every point is a point of a sweep (docs/guide/sweeps.md), or a file of the study, in FOLDER (default
build/evaluation/SET): finished ones are not run again, so that the command goes on where it was ended. --only: programs with that text in their name; of programs under Linux several, with commas. Status: 0; 1 when a
point failed.
"""
import argparse
import concurrent.futures
import csv
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import linux_programs  # noqa: E402
import page_head  # noqa: E402
import pictures  # noqa: E402
import stacks  # noqa: E402
import tables  # noqa: E402

TIPOFF = ROOT / "build/bin/tipoff"
# headline: the table by program; golden: the same with triggers by the golden ratio, at periods of a power of two, where they go over all of each period; rates: the error by number of samples (its shortest period is the headline where there is no other); study: offline, on traces.
SETS = {
    "quick": {
        "config": "small2",
        "rates": {"size": "small", "periods": (17, 37, 79, 163, 331, 661)},
        "golden_rates": {"size": "small", "periods": (16, 64, 256)},
        "stacks": ("sort.small", "chase.small"),
        "study": {"size": "small", "periods": (17, 37, 79, 163, 331, 661)},
    },
    "pooling": {
        "config": "tea4",
        "rates": {"size": "medium", "periods": (17, 163), "cycles": 300_000},
        "golden_rates": {"size": "medium", "periods": (16, 256), "cycles": 300_000},
    },
    "linux": {"config": "tea4", "headline": {"size": "linux", "periods": (17,), "cycles": 1_760_000}},
    "full": {
        "config": "tea4",
        "stacks": ("interp.medium", "vm_chase.medium"),
        "headline": {"size": "large", "periods": (17,), "cycles": 1_760_000},
        "rates": {"size": "medium", "periods": (17, 37, 79, 163, 331, 661), "cycles": 300_000},
        "golden": {"size": "large", "periods": (16,), "cycles": 1_760_000},
        "golden_rates": {"size": "medium", "periods": (64, 256), "cycles": 300_000},
        "study": {"size": "medium", "periods": (17, 53, 163, 499, 1511, 4649)},
    },
}
SEED, JITTER = 1, 2  # jitter in bits of the period: docs/guide/sampling.md
DEBIAN = "/usr/bin/python3"  # has numpy (scripts/deps.sh)
STUDY = [HERE / f"{name}.py" for name in ("study", "attribution", "triggers", "estimators")]


def workloads(size, only):
    done = subprocess.run([TIPOFF, "workloads"], capture_output=True, text=True, check=True)
    names = [line.split()[0].removesuffix(".elf") for line in done.stdout.splitlines()[1:] if line.strip()]
    return [name for name in names if name.endswith(f".{size}") and only in name]


def swept(folder, name, text, jobs):
    """Rows of the sweep, numbers as numbers where they are; None: a point failed."""
    path = folder / f"{name}.toml"
    folder.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
    done = subprocess.run([TIPOFF, "sweep", path, *(["--jobs", str(jobs)] if jobs else [])], stdout=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        sys.exit(done.returncode if done.returncode != 2 else 1)
    rows = []
    for row in csv.DictReader((path.with_suffix(".sweep") / "table.csv").open(encoding="utf-8")):
        rows.append({key: value if key in ("program", "config", "jitter_kind") else float(value) if value else None for key, value in row.items()})
    return rows


def toml(programs, config, part, golden):
    listed = ", ".join(f'"{name}"' for name in programs)
    end = f"max_cycles = {part['cycles']}\n" if "cycles" in part else ""
    how = 'jitter_kind = "golden"' if golden else f"jitter = {JITTER}"
    return f'program = [{listed}]\nconfig = "{config}"\nperiod = {list(part["periods"])}\n{how}\nseed = {SEED}\n{end}'


def digest(config, program, periods):
    found = hashlib.sha256(repr((config, program, periods)).encode())
    for path in (ROOT / f"build/workloads/{program}.elf", ROOT / f"build/{config}/model.so", *STUDY):
        found.update(path.read_bytes())
    return found.hexdigest()[:16]


def studied(folder, config, program, periods):
    path = folder / f"{program}-{digest(config, program, periods)}.json"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        done = subprocess.run([DEBIAN, STUDY[0], config, program, path, ",".join(map(str, periods))], stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"scripts/evaluation/evaluate.py: the study of {program} failed: {done.stderr.strip()}")
    return json.loads(path.read_text(encoding="utf-8"))


def study(folder, config, programs, periods, jobs):
    with concurrent.futures.ThreadPoolExecutor(jobs or os.cpu_count()) as pool:
        return list(pool.map(lambda program: studied(folder, config, program, periods), programs))


def spent(folder, config, seconds):
    """Of this command and those before it that it went on from: of the same command `tipoff` and the same model."""
    used = hashlib.sha256(TIPOFF.read_bytes() + (ROOT / f"build/{config}/model.so").read_bytes()).hexdigest()[:16]
    path = folder / f"seconds-{used}"
    seconds += float(path.read_text(encoding="utf-8")) if path.exists() else 0.0
    path.write_text(f"{seconds:.1f}\n", encoding="utf-8")
    return seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", choices=SETS, default="full")
    parser.add_argument("--only", default="", metavar="TEXT")
    parser.add_argument("--output", type=pathlib.Path, metavar="FILE.md")
    parser.add_argument("--folder", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--jobs", type=int, metavar="N")
    arguments = parser.parse_args()
    chosen, folder = SETS[arguments.set], arguments.folder or ROOT / "build/evaluation" / arguments.set
    config, began, rows = chosen["config"], time.monotonic(), {}
    for name in (name for name in ("headline", "golden", "rates", "golden_rates") if name in chosen and arguments.set != "linux"):
        programs = workloads(chosen[name]["size"], arguments.only)
        if not programs:
            sys.exit(
                f"scripts/evaluation/evaluate.py: no workload of size {chosen[name]['size']} has '{arguments.only}' in its name: make build builds them, tipoff workloads lists them"
            )
        rows[name] = swept(folder, name, toml(programs, config, chosen[name], name.startswith("golden")), arguments.jobs)
    if "headline" in chosen:
        real = linux_programs.rows(config, chosen["headline"], [f"--jitter={JITTER}", "--seed", SEED], arguments.only, folder / "linux", arguments.jobs)
        if not real:
            print("scripts/evaluation/evaluate.py: no programs under Linux in the headline: make linux-programs builds them", file=sys.stderr)
        rows["headline"] = rows.get("headline", []) + real
    if arguments.set == "linux":
        if not real:
            return 1
        command = f"scripts/evaluation/evaluate.py --set linux --only {arguments.only}" if arguments.only else "make evaluation-linux"
        page_head.write(arguments.output or ROOT / "docs/results/evaluation-linux.md", tables.linux_page(chosen, real), command)
        return 0
    first = rows.get("headline") or tables.at(rows["rates"], chosen["rates"]["periods"][0])
    if "study" not in chosen:
        page_head.write(arguments.output or ROOT / "docs/results/pooling.md", tables.pooling_page(chosen, rows, first), "make pooling")
        return 0
    found = study(folder / "study", config, workloads(chosen["study"]["size"], arguments.only), chosen["study"]["periods"], arguments.jobs)
    took = spent(folder, config, time.monotonic() - began)
    arguments.output = arguments.output or ROOT / "docs/results/evaluation.md"
    drawn = pictures.draw(first, rows["rates"], found, chosen["rates"]["periods"], arguments.output.with_suffix(""))
    drawn["stacks"] = f"{arguments.output.stem}-stacks.svg"
    stacks.draw(config, chosen["stacks"], folder / "stacks", arguments.output.with_name(drawn["stacks"]))
    text = tables.page(arguments.set, chosen, first, rows, found, took, drawn)
    page_head.write(arguments.output, text, f"make evaluation{' QUICK=1' * (arguments.set == 'quick')}")
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
