#!/usr/bin/env python3
"""TIP and TEA keep to the Oracle at periods shorter than the stalls, within what the number of triggers allows.

    tests/profile/test_periods.py CONFIG PROGRAM [PERIOD...]

Memory-bound programs wait longer for one load than these periods last. Every trigger of a wait belongs to the instruction that
is waited for: the unit counts it in the sample that it holds. Were it dropped, or booked to the next sample, the
distance from the Oracle would be many times the bound (24 % for chase.medium at a period of 31).

The statistics. N triggers, the distance P from one to the next. Think of time as pieces, each of one component (instruction,
combination of events): a wait is one piece. Triggers of one wait are NOT independent draws, but need not be: a piece of
length L holds L / P triggers, rounded up or down by where the first one falls, so that its variance is at most 1/4, and at most
L / P where that is less. Let pieces be hit independently of each other (jitter sees to it). Summed over the pieces of a
component with share p of the time the variance is at most N p: a share is measured with a standard deviation of
sqrt(p / N) at most, and the distance D = 1/2 sum |measured - p| of two profiles has
    E[D] <= 1/2 sum sqrt(p v),   v = (1 + 1/16) / N
(1/16: the jitter varies a period by at most a quarter). How far D may be from its mean goes by what one draw can change, and one
draw is a whole sample here, with all w triggers that it stands for: D changes by w / N at most, and by McDiarmid
    P(D >= E[D] + t) <= exp(-2 t^2 / sum (w / N)^2) = exp(-2 t^2 n),   n = (sum w)^2 / sum w^2
where n is Kish's effective number of samples (`effective_samples` of --stats). So D <= E[D] + sqrt(ln(1/ALPHA) / 2n) but for one
run in 1/ALPHA. No trigger may be lost (`collisions`), and triggers are samples and repeats, but for those of one sample that waits when the
program ends.

The bound must be tight enough to mean something: LCI's profile, of the same triggers, must break it.
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
PERIODS = (31, 97, 197, 331)
ALPHA = 1e-6
JITTER = 1 + 1 / 16


def tipoff(*arguments):
    done = subprocess.run([TIPOFF, *map(str, arguments)], capture_output=True, text=True, timeout=1500, check=False, cwd=ROOT)
    if done.returncode:
        sys.exit(f"tipoff {' '.join(map(str, arguments))}: status {done.returncode}: {done.stderr}")
    return done.stdout


def shares(samples, profiler, events):
    text = tipoff("report", samples, "--profiler", profiler, "--stacks", "--by", "instruction", "--format", "csv")
    weights = {}
    for row in csv.DictReader(io.StringIO(text)):
        key = (row["unit"], row["psv"] if events else "")
        weights[key] = weights.get(key, 0) + float(row["cycles"])
    total = sum(weights.values())
    return {key: weight / total for key, weight in weights.items()}


def distance(a, b):
    return sum(abs(a.get(key, 0) - b.get(key, 0)) for key in a.keys() | b.keys()) / 2


def bound(p, triggers, effective):
    mean = sum(math.sqrt(share * JITTER / triggers) for share in p.values()) / 2
    return mean + math.sqrt(JITTER * math.log(1 / ALPHA) / (2 * effective))


def check(what, d, limit, inside):
    good = (d <= limit) == inside
    print(f"  {what}: {100 * d:.2f} % from the Oracle, {100 * limit:.2f} % allowed{'' if good else ': TOO FAR' if inside else ': THE BOUND IS USELESS'}")
    return good


def one_period(config, program, period):
    stem = ROOT / "build/tests" / f"periods-{config}-{pathlib.Path(program).stem}-{period}"
    stem.parent.mkdir(parents=True, exist_ok=True)
    samples, stats = f"{stem}.tips", f"{stem}.json"
    tipoff(
        "run",
        "--config",
        config,
        "--period",
        period,
        f"--jitter={int(period).bit_length() - 3}",
        "--seed",
        3,
        "--no-cosim",
        "--samples",
        samples,
        "--stats",
        stats,
        "--quiet",
        program,
    )
    counts = json.loads(pathlib.Path(stats).read_text(encoding="utf-8"))
    booked = counts["samples"] + counts["repeats"]
    print(
        f"period {period}: {counts['triggers']} triggers, {counts['samples']} samples, {counts['repeats']} repeats, {counts['collisions']} lost, "
        f"{counts['effective_samples']:.0f} effective"
    )
    good = counts["collisions"] == 0 and booked <= counts["triggers"] <= booked + counts["cycles"] // period * 0.01 + 2
    if not good:
        print("  triggers are lost or unaccounted for")
    for profiler, events in (("TIP", False), ("TEA", True)):
        oracle = shares(samples, "Oracle", events)
        good &= check(profiler, distance(shares(samples, profiler, events), oracle), bound(oracle, booked, counts["effective_samples"]), True)
    oracle = shares(samples, "Oracle", False)
    good &= check("LCI", distance(shares(samples, "LCI", False), oracle), bound(oracle, booked, counts["effective_samples"]), False)
    return good


def main():
    config, program, *periods = sys.argv[1:]
    return 0 if all([one_period(config, program, int(period)) for period in periods or PERIODS]) else 1


if __name__ == "__main__":
    sys.exit(main())
