#!/usr/bin/env python3
"""How far Gus is from the core: cycles of both, program by program, their mean error and how well their order agrees.

    scripts/gus/accuracy.py [--config NAME ...] [--size small] [--only TEXT]      (prints a table in Markdown)

Needs build/bin/tipoff, the models and the workloads. The core's cycles are those of `tipoff run`, from reset to the end.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIPOFF = ROOT / "build/bin/tipoff"


def kendall(pairs):
    """Tau-a: pairs that both put in one order, less those that they do not, of all pairs."""
    score, n = 0, len(pairs)
    for i, (a, b) in enumerate(pairs):
        for c, d in pairs[i + 1:]:
            product = (a - c) * (b - d)
            score += (product > 0) - (product < 0)
    return score / (n * (n - 1) / 2) if n > 1 else 1.0


def measured(program, config, folder):
    stats = folder / "stats.json"
    subprocess.run([TIPOFF, "run", "--quiet", "--config", config, "--stats", stats, program], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)
    return json.loads(stats.read_text())["cycles"]


def modelled(program, config):
    start = time.monotonic()
    out = subprocess.run([TIPOFF, "gus", "--config", config, "--format", "json", program], stdin=subprocess.DEVNULL, capture_output=True, check=True).stdout
    seconds = time.monotonic() - start
    found = json.loads(out)
    return found["cycles"], found["instructions"] / seconds


def summary(pairs):
    errors = sorted(abs(gus / core - 1) for core, gus in pairs)
    low, middle, high = statistics.quantiles(errors, n=4, method="inclusive") if len(errors) > 1 else errors * 3
    return f"MAPE {100 * statistics.mean(errors):.2f} %, quartiles {100 * low:.2f} %, {100 * middle:.2f} % (median), {100 * high:.2f} %, Kendall's tau {kendall(pairs):.2f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", nargs="+", default=["small2", "tea4"])
    parser.add_argument("--size", default="small")
    parser.add_argument("--only", default="", help="programs whose name contains this text")
    options = parser.parse_args()
    programs = [p for p in sorted((ROOT / "build/workloads").glob(f"*.{options.size}.elf")) if options.only in p.name]
    if not programs:
        parser.error("no such programs in build/workloads: run make build")
    pairs, rates = {config: [] for config in options.config}, []
    print("| program |" + "".join(f" {c}: core | Gus | error |" for c in options.config))
    print("|---|" + "---|---|---|" * len(options.config))
    with tempfile.TemporaryDirectory() as folder:
        for program in programs:
            cells = []
            for config in options.config:
                core = measured(program, config, pathlib.Path(folder))
                gus, rate = modelled(program, config)
                pairs[config].append((core, gus))
                rates.append(rate)
                cells.append(f" {core} | {gus:.0f} | {100 * (gus / core - 1):+.1f} % |")
            print(f"| {program.name.removesuffix('.elf')} |" + "".join(cells), flush=True)
    for config in options.config:
        print(f"\n{config}: {summary(pairs[config])}")
    print(f"\nSpeed, start of the process included: median {statistics.median(rates) / 1e6:.1f} million instructions a second")


if __name__ == "__main__":
    main()
