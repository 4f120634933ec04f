#!/usr/bin/env python3
"""Periodic and jittered sampling give the same profile, and the Oracle's, within what the number of samples allows.

    tests/profile/test_sampling.py CONFIG PROGRAM.elf

The statistics. A profile is shares of time over components (instruction, combination of events). Were the samples
drawn independently from the Oracle's shares p, the distance of two profiles of N1 and N2 samples,
D = 1/2 sum |a - b| (the share of time that is in another place), would have
    E[D] <= 1/2 sum sqrt(p (1 - p) v),   v = 1/N1 + 1/N2      (E|x| <= sqrt(E[x^2]), component by component)
and, as one sample more or less changes D by its weight at most (McDiarmid's inequality),
    P(D >= E[D] + t) <= exp(-2 t^2 / v).
So D <= E[D] + sqrt(v ln(1/ALPHA) / 2) but for one run in 1/ALPHA; against the Oracle v = 1/N. Splitting a Computing
sample over the group only makes D smaller. Weights of jittered samples vary by at most a quarter around their mean
(tipoff run --jitter), so N samples count for N / (1 + 1/16) at least. A sample stands for all triggers of one wait: N is the
effective number of samples (Kish: the square of their weights' sum over the sum of their squares, `effective_samples`), which
the period, longer than most stalls, keeps near the number of triggers. No trigger may be lost. Periodic samples are not drawn independently: that they keep the bound all the
same says that the period does not beat with the program.

The bound must be tight enough to mean something: the profiles of LCI and Dispatch must break it.
"""
import csv
import io
import json
import math
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIPOFF = str(ROOT / "build/bin/tipoff")
PERIOD = 499
ALPHA = 1e-6


def tipoff(*arguments):
    done = subprocess.run([TIPOFF, *map(str, arguments)], capture_output=True, text=True, timeout=600, check=False, cwd=ROOT)
    if done.returncode:
        sys.exit(f"tipoff {' '.join(map(str, arguments))}: status {done.returncode}: {done.stderr}")
    return done.stdout


def shares(samples, profiler, events):
    text = tipoff("report", samples, "--profiler", profiler, "--stacks", "--by", "instruction", "--format", "csv")
    rows = csv.DictReader(io.StringIO(text))
    weights = {}
    for row in rows:
        key = (row["unit"], row["psv"] if events else "")
        weights[key] = weights.get(key, 0) + float(row["cycles"])
    total = sum(weights.values())
    return {key: weight / total for key, weight in weights.items()}


def distance(a, b):
    return sum(abs(a.get(key, 0) - b.get(key, 0)) for key in a.keys() | b.keys()) / 2


def bound(p, v):
    return sum(math.sqrt(share * (1 - share) * v) for share in p.values()) / 2 + math.sqrt(v * math.log(1 / ALPHA) / 2)


def main():
    config, program = sys.argv[1:]
    stem = ROOT / "build/tests" / f"sampling-{config}-{pathlib.Path(program).stem}"
    stem.parent.mkdir(parents=True, exist_ok=True)
    files, v = {}, {}
    for kind, options in {"periodic": ["--jitter=none"], "jittered": ["--jitter", "--seed", "7"], "jittered otherwise": ["--jitter", "--seed", "8"]}.items():
        files[kind] = f"{stem}-{len(files)}.tips"
        stats = f"{stem}-{len(files)}.json"
        tipoff("run", "--config", config, "--period", PERIOD, *options, "--no-cosim", "--samples", files[kind], "--stats", stats, "--quiet", program)
        counts = json.loads(pathlib.Path(stats).read_text(encoding="utf-8"))
        if counts["collisions"]:
            sys.exit(f"{counts['collisions']} triggers are lost, where the harness reads every sample at once")
        v[kind] = (1 + 1 / 16) / counts["effective_samples"]
        print(f"{kind}: {counts['triggers']} triggers, {counts['samples']} samples, {counts['effective_samples']:.0f} effective")
    failed = False
    for events in (False, True):
        what = "instructions and events" if events else "instructions"
        reference = shares(files["periodic"], "Oracle", events)
        profiles = {kind: shares(file, "TEA", events) for kind, file in files.items()}
        pairs = [(kind, "the Oracle", profiles[kind], reference, v[kind]) for kind in files]
        names = list(files)
        pairs += [(a, b, profiles[a], profiles[b], v[a] + v[b]) for i, a in enumerate(names) for b in names[i + 1 :]]
        for a, b, x, y, variance in pairs:
            d, limit = distance(x, y), bound(reference, variance)
            print(f"{what}: {a} and {b}: {100 * d:.2f} % apart, {100 * limit:.2f} % allowed{'' if d <= limit else ': TOO FAR'}")
            failed |= d > limit
        for rival in () if events else ("LCI", "Dispatch"):
            d, limit = distance(shares(files["periodic"], rival, events), reference), bound(reference, v["periodic"])
            print(f"{what}: {rival} and the Oracle: {100 * d:.2f} % apart, {100 * limit:.2f} % allowed{'' if d > limit else ': THE BOUND IS USELESS'}")
            failed |= d <= limit
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
