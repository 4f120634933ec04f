#!/usr/bin/env python3
"""How far Gus is from the core: cycles of both, program by program, their mean error and how well their order agrees.

    scripts/gus/accuracy.py [--config NAME ...] [--size small] [--only TEXT] [--refinements]      (prints tables in Markdown)

Needs build/bin/tipoff, the models and the workloads. The core's cycles are those of `tipoff run`, from reset to the end. --refinements:
then each refinement of the model (rows `option` of build/CONFIG/gen/gus.tsv) is left out, and what that does to error and speed is
printed. Speed is in instructions a second of CPU time.
"""
import argparse
import json
import pathlib
import resource
import statistics
import subprocess
import tempfile

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


def modelled(program, config, *options):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = subprocess.run([TIPOFF, "gus", "--config", config, "--format", "json", *options, program], stdin=subprocess.DEVNULL, capture_output=True, check=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    found = json.loads(out)
    return found["cycles"], found["instructions"], after.ru_utime - before.ru_utime


def refinements(config, programs, core, whole):
    names = [line.split("\t")[1] for line in (ROOT / f"build/{config}/gen/gus.tsv").read_text().splitlines() if line.startswith("option\t")]
    print(f"\n| {config}, without | MAPE | Kendall's tau | most changed program | CPU time |\n|---|---|---|---|---|")
    for name in [None, *names]:
        cycles, seconds = {}, 0.0
        for program in programs:
            cycles[program], _, more = modelled(program, config, *(["--without", name] if name else []))
            seconds += more
        pairs = [(core[p], cycles[p]) for p in programs]
        most = max(programs, key=lambda p: abs(cycles[p] / whole[p] - 1))
        change = f"{most.name.removesuffix('.elf')} {100 * (cycles[most] / whole[most] - 1):+.1f} %" if name and cycles[most] != whole[most] else "-"
        print(f"| {name or 'nothing left out'} | {100 * statistics.mean(abs(g / c - 1) for c, g in pairs):.2f} % | {kendall(pairs):.3f} | {change} | {seconds:.1f} s |", flush=True)


def summary(pairs):
    errors = sorted(abs(gus / core - 1) for core, gus in pairs)
    low, middle, high = statistics.quantiles(errors, n=4, method="inclusive") if len(errors) > 1 else errors * 3
    return f"MAPE {100 * statistics.mean(errors):.2f} %, quartiles {100 * low:.2f} %, {100 * middle:.2f} % (median), {100 * high:.2f} %, Kendall's tau {kendall(pairs):.2f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", nargs="+", default=["small2", "tea4"])
    parser.add_argument("--size", default="small")
    parser.add_argument("--only", default="", help="programs whose name contains this text")
    parser.add_argument("--refinements", action="store_true", help="leave each out, one by one")
    options = parser.parse_args()
    programs = [p for p in sorted((ROOT / "build/workloads").glob(f"*.{options.size}.elf")) if options.only in p.name]
    if not programs:
        parser.error("no such programs in build/workloads: run make build")
    pairs, done, seconds = {config: [] for config in options.config}, 0, 0.0
    core, gus = ({config: {} for config in options.config} for _ in range(2))
    print("| program |" + "".join(f" {c}: core | Gus | error |" for c in options.config))
    print("|---|" + "---|---|---|" * len(options.config))
    with tempfile.TemporaryDirectory() as folder:
        for program in programs:
            cells = []
            for config in options.config:
                cycles = core[config][program] = measured(program, config, pathlib.Path(folder))
                guess, instructions, more = modelled(program, config)
                gus[config][program] = guess
                pairs[config].append((cycles, guess))
                done, seconds = done + instructions, seconds + more
                cells.append(f" {cycles} | {guess:.0f} | {100 * (guess / cycles - 1):+.1f} % |")
            print(f"| {program.name.removesuffix('.elf')} |" + "".join(cells), flush=True)
    for config in options.config:
        print(f"\n{config}: {summary(pairs[config])}")
    print(f"\nSpeed, start of the process included: {done / seconds / 1e6:.1f} million instructions a second of CPU time")
    if options.refinements:
        for config in options.config:
            refinements(config, programs, core[config], gus[config])


if __name__ == "__main__":
    main()
