#!/usr/bin/env python3
"""How far Gus, and llvm-mca, are from the core on the kernels (`make kernels`): docs/results/gus-evaluation.md.

    scripts/gus/evaluate.py [--config NAME ...] [--only TEXT] [--sample] [--core FOLDER] [--jobs N] [--write]

Cycles of each kernel, from kernel_begin to kernel_end of tests/kernels/run.S, of the core in lockstep with every check, of Gus, and of
llvm-mca on basic blocks (scripts/gus/static.py). Programs whose code is another's are left out. What was run is kept in
build/gus-evaluation and not run again unless program, model or command changed: a run that is interrupted goes on where it ended.
--core: a tree with build/bin/tipoff and the models (default: this one). --sample: a dozen kernels, as a test: status 1 where Gus is further off than SAMPLE_BOUNDS. --write: into docs/results/gus-evaluation.md and
its plot.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import evaluation_page
import static
from kept import Kept, digest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/kernels"))
import kernels  # noqa: E402  the table

TIPOFF = ROOT / "build/bin/tipoff"
FOLDER = ROOT / "build/gus-evaluation"
SAMPLE = [
    f"{name}.O2"
    for name in (
        "adi",
        "atax",
        "cholesky",
        "deriche",
        "floyd-warshall",
        "gemm",
        "heat-3d",
        "jacobi-2d",
        "lu-interchanged",
        "nussinov",
        "seidel-2d",
        "trisolv-unrolled",
    )
]
SAMPLE_BOUNDS = {
    "small2": (2.5, 5.5),
    "tea4": (1.9, 10.6),
}  # MAPE and the largest error, in %: half as much again as measured (small2: 1.6 and 3.6; tea4: 1.2 and 7.1)


def core_cycles(path, config, tree=ROOT):
    with tempfile.TemporaryDirectory() as folder:
        stats = pathlib.Path(folder) / "stats.json"
        done = subprocess.run(
            [
                tree / "build/bin/tipoff",
                "run",
                "--quiet",
                "--threads",
                "1",
                "--config",
                config,
                "--sample-from",
                "kernel_begin",
                "--sample-to",
                "kernel_end",
                "--stats",
                stats,
                path,
            ],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
        # 124: the run ends at kernel_end, or a little later. The program's check of its result is tests/kernels/test_kernels.py's.
        if done.returncode not in (0, 124) or b"FAIL" in done.stdout:
            raise SystemExit(f"{path.name} on {config}: status {done.returncode}: {done.stderr.decode(errors='replace')[-500:].strip()}")
        return json.loads(stats.read_text())["cycles"]


def evaluate(path, config, keys, kept, folder):
    """Cycles by tool of one program; new ones as (tool, key, cycles)."""
    program, found, new = path.stem, {}, []
    own = kernels.code(path).hex()[:16]
    full = {tool: f"{own} {key}" for tool, key in keys.items()}
    for tool, key in full.items():
        if (cycles := kept.get(program, tool, key)) is not None:
            found[tool] = cycles
    if "core" not in found:
        found["core"] = core_cycles(path, config, folder)
        new.append(("core", full["core"], found["core"]))
    if "gus" not in found or "mca" not in found:
        report = static.region(path, config)
        for tool, cycles in (("gus", lambda: report["cycles"]), ("mca", lambda: static.lifted(report, static.NEAREST[config]))):
            if tool in full and tool not in found:
                found[tool] = cycles()
                new.append((tool, full[tool], found[tool]))
    return found, new


def run(config, programs, jobs, with_mca, folder=ROOT):
    """{program: {tool: cycles}} of a configuration."""
    kept = Kept(FOLDER / f"{config}.json")
    table = ROOT / "build" / config / "gen/gus.tsv"
    keys = {"core": digest(folder / "build" / config / "model.so"), "gus": digest(TIPOFF, table)}
    if with_mca:
        version = subprocess.run([static.MCA, "--version"], capture_output=True, text=True, check=True).stdout
        keys["mca"] = hashlib.sha256(version.encode()).hexdigest()[:8] + static.NEAREST[config]
    results = {}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        futures = {pool.submit(evaluate, path, config, keys, kept, folder): path for path in programs}
        try:
            for done, future in enumerate(concurrent.futures.as_completed(futures), 1):
                name = futures[future].stem
                results[name], new = future.result()
                for entry in new:
                    kept.put(name, *entry)
                cycles = results[name]
                others = ", ".join(
                    f"{tool} {cycles[tool]:.0f} ({100 * (cycles[tool] / cycles['core'] - 1):+.1f} %)" for tool in ("gus", "mca") if tool in cycles
                )
                print(f"  {done}/{len(futures)} {config} {name}: core {cycles['core']}, {others}", file=sys.stderr, flush=True)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return results


def sample(results, config):
    """Whether Gus is as near as it was."""
    errors = {name: 100 * abs(c["gus"] / c["core"] - 1) for name, c in results.items()}
    mean, worst = sum(errors.values()) / len(errors), max(errors, key=errors.get)
    allowed, largest = SAMPLE_BOUNDS[config]
    good = mean <= allowed and errors[worst] <= largest
    print(
        f"{config}: {len(errors)} kernels, MAPE {mean:.2f} % (at most {allowed} %), largest {worst}, {errors[worst]:.1f} % (at most {largest} %): {'good' if good else 'FAILED'}"
    )
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", nargs="+", default=["tea4"], choices=sorted(static.NEAREST))
    parser.add_argument("--only", default="", help="programs whose name contains this text")
    parser.add_argument("--sample", action="store_true")
    parser.add_argument("--core", type=pathlib.Path, default=ROOT)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    if options.write and (options.only or options.sample):
        parser.error("--write takes all kernels: leave --only and --sample out")
    programs = [
        (row, flags, path) for row, flags, path in kernels.unique(kernels.read()) if options.only in path.stem and (not options.sample or path.stem in SAMPLE)
    ]
    if options.sample and len(programs) != len(SAMPLE):
        parser.error("not all of the sample are programs of tests/kernels/kernels.tsv")
    if not programs:
        parser.error(f"no kernel has {options.only} in its name")
    good = True
    evaluations = {}
    for config in options.config:
        results = run(config, [path for _, _, path in programs], options.jobs, not options.sample, options.core)
        evaluations[config] = [(row, flags, results[path.stem]) for row, flags, path in programs]
        if options.sample:
            good &= sample(results, config)
    if not options.sample:
        print(evaluation_page.text(evaluations))
    if options.write:
        evaluation_page.write(evaluations)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
