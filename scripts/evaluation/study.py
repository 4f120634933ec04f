#!/usr/bin/python3
"""How to sample: which cycles to choose and what to make of them, tried offline on who owns each cycle of a run, against the floor of independent draws.

    scripts/evaluation/study.py CONFIG PROGRAM FILE.json PERIOD,... [TRACE]

Runs the workload once with a trace of every cycle (the first million; or takes an existing trace), and writes FILE.json: of each way to choose cycles the error at each period; of each idea the error
at two of them, and by how much theory says it is better; the period below 512 at which periodic sampling is worst. scripts/evaluation/evaluate.py does it for all programs.
Debian's Python, for its numpy and zstandard.
"""
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import estimators as e  # noqa: E402
import triggers  # noqa: E402
from attribution import Attribution  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST, REPEATS, MANY = 1_000_000, 4, 4  # cycles; profiles of each kind; samples an interrupt, or cycles a sample
SCAN = range(16, 512)


def traced(config, program, folder):
    path = pathlib.Path(folder) / "x.trace"
    command = [
        ROOT / "build/bin/tipoff",
        "run",
        "--quiet",
        "--threads",
        "1",
        "--no-cosim",
        "--no-oracle",
        "--config",
        config,
        "--max-cycles",
        MOST,
        "--trace",
        path,
        ROOT / f"build/workloads/{program}.elf",
    ]
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 124):
        sys.exit(f"scripts/evaluation/study.py: {program}: {done.stderr.strip()}")
    return Attribution(path, MOST)


def modes(a, periods, random):
    found = {}
    for name, choose in triggers.MODES.items():
        found[name] = [statistics.fmean(e.error(a, e.plain(a, choose(a.cycles, period, random))) for _ in range(REPEATS)) for period in periods]
    return found


def beat(a, random):
    """The period at which periodic sampling is worst against chance."""
    by_period = {period: e.error(a, e.plain(a, triggers.periodic(a.cycles, period, random))) * (a.cycles // period) ** 0.5 for period in SCAN}
    worst = max(by_period, key=by_period.get)
    return {"period": worst, "floor": e.floor(a, a.cycles // worst), "modes": {name: found[0] for name, found in modes(a, (worst,), random).items()}}


def ideas(a, period, random):
    """{idea: (error, theory's ratio to independent draws, None where there is none)} at that period."""

    def measured(choose, estimate, many=1, every=period):
        return statistics.fmean(e.error(a, estimate(a, triggers.consecutive(choose(a.cycles, every, random), a.cycles, many))) for _ in range(REPEATS))

    quarter = max(1, period // MANY)
    independent, stratified, golden = triggers.independent, triggers.stratified, triggers.golden
    return {
        "independent": (measured(independent, e.plain), 1.0),
        "stratified": (measured(stratified, e.plain), e.stratified_theory(a, period)),
        "golden": (measured(golden, e.plain), None),
        "fractional": (measured(triggers.fractional, e.plain), None),
        "consecutive": (measured(independent, e.plain, MANY), e.consecutive_theory(a, MANY)),
        "buffered": (measured(stratified, e.plain, every=quarter), e.stratified_theory(a, quarter) / (period / quarter) ** 0.5),
        "counted": (measured(independent, e.counted), e.counted_theory(a)),
        "pooled": (measured(independent, e.pooled), e.pooled_theory(a)),
        "blocks": (measured(independent, e.blocks), e.commits_theory(a, False)),
        "counts": (measured(independent, e.counts), e.commits_theory(a, True)),
        "golden, blocks": (measured(golden, e.blocks), None),
        "golden, counts": (measured(golden, e.counts), None),
        "golden, counted": (measured(golden, e.counted), None),
        "golden, pooled": (measured(golden, e.pooled), None),
        "golden, buffered": (measured(golden, e.plain, every=quarter), None),
        "golden, buffered, pooled": (measured(golden, e.pooled, every=quarter), None),
        "golden, buffered, counts": (measured(golden, e.counts, every=quarter), None),
    }


def main():
    config, program, path, periods = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), [int(part) for part in sys.argv[4].split(",")]
    random = numpy.random.default_rng(1)
    with tempfile.TemporaryDirectory(prefix="study-") as folder:
        a = Attribution(sys.argv[5], MOST) if len(sys.argv) > 5 else traced(config, program, folder)
    found = {
        "program": program,
        "cycles": a.cycles,
        "units": int((a.truth > 0).sum()),
        "blocks": len(set(a.block.tolist())),
        "periods": periods,
        "floor": [e.floor(a, a.cycles // period) for period in periods],
        "modes": modes(a, periods, random),
        "beat": beat(a, random),
        "ideas": {str(periods[i]): ideas(a, periods[i], random) for i in sorted({min(1, len(periods) - 1), min(3, len(periods) - 1)})},
    }
    part = path.with_suffix(".part")
    part.write_text(json.dumps(found) + "\n", encoding="utf-8")
    part.rename(path)


if __name__ == "__main__":
    main()
