#!/usr/bin/env python3
"""perf record on a core, plain and with the sampling unit, against the Oracle's profile of the same run: the table of docs/guide/perf.md.

    scripts/linux/perf_measure.py [--config small2] [--work work|busy] [--rounds 12000] [--periods 4999]
    scripts/linux/perf_measure.py --work calls --rounds 60     # the program and the kernel on its behalf: five minutes of CPU time

Needs make linux-perf and the model. For each period three runs of tests/linux/counters.c under perf, from its first instruction on, with every check: without samples
(a period longer than the run), plain and with the unit. The error is that of docs/guide/profiling.md: the part of the time, in shares, that the
samples have at another instruction (or with another vector) than the Oracle; of the program in user mode, without the empty cycles
after the sampling interrupts, which are the sampling's. By chance: the error of as many samples, drawn at random from the Oracle's profile, on average at most.
Of `calls`, whose time is the kernel's, events of both modes, and the error against the run without samples, since the sampling's own time is the kernel's, too; by function and by
instruction; by chance is then the average itself, for most instructions have less than one sample. The largest differences go to standard error.
"""
import argparse
import bisect
import collections
import csv
import json
import math
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIPOFF = ROOT / "build/bin/tipoff"
PERF = ROOT / "build/linux/perf"
PLAIN, TIP = "cycles:u", "r101:u"
NEVER = 10**12
KERNEL = 1 << 63  # its addresses
HIDDEN, SAMPLED, STATE_AT = 1 << 18, 1 << 19, 16  # in a weight: scripts/linux/tip/riscv_pmu_tip.h
STATES = ("Computing", "Stalled", "Flushed", "Drained")
Run = collections.namedtuple("Run", "data profile statistics")


def run(*arguments):
    done = subprocess.run([TIPOFF, *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, timeout=3600, check=False)
    if done.returncode:
        sys.exit(f"tipoff {' '.join(map(str, arguments))}: status {done.returncode}: {done.stderr.decode(errors='replace')}")
    return done.stdout


def build(folder, function="work"):
    """The program, without the symbols that mark code ($x), which perf takes for functions; and where this function is."""
    program = folder / "counters"
    subprocess.run(["riscv64-linux-gnu-gcc", "-O2", "-g", "-static", "-o", program, ROOT / "tests/linux/counters.c"], check=True)
    subprocess.run(["riscv64-linux-gnu-objcopy", "--wildcard", "--strip-symbol=$*", program], check=True)
    lines = subprocess.run(["riscv64-linux-gnu-nm", "--print-size", program], capture_output=True, text=True, check=True).stdout.splitlines()
    start, size = next(line.split()[:2] for line in lines if line.endswith(f" {function}"))
    return program, range(int(start, 16), int(start, 16) + int(size, 16))


def record(config, folder, program, event, period, rounds, function="work"):
    """perf record of it: as far as the program's marker on the ISS, from there on the core. What perf has written, and the core's profile."""
    before, there, profile, stats = (folder / name for name in ("before.machine", "there.machine", "profile.csv", "stats.json"))
    run(
        "linux",
        "--checkpoint",
        before,
        "--file",
        program,
        "--",
        PERF,
        "record",
        "-N",
        "-B",
        "-P",
        "-W",
        "-o",
        "-",
        "-e",
        event,
        "-c",
        period,
        "/counters",
        function,
        rounds,
    )
    head = run("iss", "--quiet", "--restore", before, "--at", "marker:5", "--checkpoint", there)
    tail = run("run", "--config", config, "--quiet", "--restore", there, "--profile", profile, "--stats", stats)
    data = folder / "perf.data"
    data.write_bytes(head + tail)
    return Run(data, list(csv.DictReader(profile.read_text(encoding="utf-8").splitlines()[1:])), json.loads(stats.read_text(encoding="utf-8")))


def perf(program, data, *arguments):
    return run("linux", "--iss", "--file", f"{data}:/perf.data", "--file", program, "--", PERF, *arguments, "-i", "/perf.data").decode()


def samples(program, data):
    """(address, period, weight) of each."""
    return [
        (int(ip, 16), int(period), int(weight))
        for period, weight, ip in (line.split() for line in perf(program, data, "script", "-F", "ip,period,weight").splitlines() if line)
    ]


def fl_ex():
    rows = [row.split("\t")[0] for row in (ROOT / "tables/events.tsv").read_text(encoding="utf-8").splitlines() if row[:1] not in ("", "#")]
    return 1 << rows.index("FL_EX") - 1


def shares(pairs):
    weights = collections.Counter()
    for key, weight in pairs:
        weights[key] += weight
    return {key: weight / weights.total() for key, weight in weights.items()}


def oracle(profile, work, events):
    """Of the process whose work it is, in user mode."""
    rows = [
        (int(row["pc"], 0), row["space"], row["state"], int(row["psv"]), int(row["weight"]))
        for row in profile
        if row["mode"] == "U" and row["pc"] != "end of run"
    ]
    spaces = collections.Counter()
    for pc, space, _, _, weight in rows:
        spaces[space] += weight * (pc in work)
    program = spaces.most_common(1)[0][0]
    return shares(((pc, psv if events else 0), weight) for pc, space, state, psv, weight in rows if space == program and (state, psv) != ("Flushed", fl_ex()))


def whole_oracle(profile, work):
    """Of the process whose work it is, its own code and the kernel's in its address space; not the firmware's, whose cycles the counter does not see."""
    rows = [(row["mode"], int(row["pc"], 0), row["space"], int(row["weight"])) for row in profile if row["pc"] != "end of run"]
    spaces = collections.Counter()
    for mode, pc, space, weight in rows:
        spaces[space] += weight * (mode == "U" and pc in work)
    program = spaces.most_common(1)[0][0]
    return shares((pc, weight) for mode, pc, space, weight in rows if mode in "US" and space == program)


def in_kernel(by_address):
    return sum(share for address, share in by_address.items() if address >= KERNEL)


class Functions:
    """Of the kernel, by address; the program's own code is one of them."""

    def __init__(self):
        lines = subprocess.run(["riscv64-linux-gnu-nm", ROOT / "build/linux/vmlinux"], capture_output=True, text=True, check=True).stdout.splitlines()
        symbols = sorted(
            (int(address, 16), name)
            for address, kind, name in (line.split() for line in lines if line[:1] != " ")
            if kind in "tTwW" and not name.startswith((".", "$"))
        )
        self.starts, self.names = [address for address, _ in symbols], [name for _, name in symbols]

    def name(self, address):
        return self.names[bisect.bisect(self.starts, address) - 1] if address >= KERNEL else "the program's own code"

    def of(self, by_address):
        return shares((self.name(address), share) for address, share in by_address.items())


def drawn(reference, count):
    """What `count` samples, drawn at random from this profile, are away on average: the mean absolute deviation of a binomial (De Moivre)."""
    total = 0
    for p in reference.values():
        k = min(int(count * p), count - 1)
        ways = math.lgamma(count + 1) - math.lgamma(k + 2) - math.lgamma(count - k)
        total += (k + 1) * math.exp(ways + (k + 1) * math.log(p) + (count - k) * math.log1p(-p)) if p < 1 else 0
    return total / count


def whole(arguments, folder, program, work):
    """The rows of a profile of program and kernel."""

    def taken(event, period):
        return record(arguments.config, folder, program, event, period, arguments.rounds, arguments.work)

    functions, undisturbed = Functions(), taken("cycles", NEVER)
    reference = whole_oracle(undisturbed.profile, work)
    by_function, base = functions.of(reference), undisturbed.statistics["cycles"]
    print(
        f"without samples: {base:,} cycles, {100 * in_kernel(reference):.1f} % of them in the kernel, {len(reference)} instructions in {len(by_function)} functions\n"
    )
    print(
        "| core | program | period | samples by | samples | in the kernel | error by function | by chance | error by instruction | by chance | cycles a sample |"
    )
    print("|---|---|---:|---|---:|---:|---:|---:|---:|---:|---:|", flush=True)
    for period in map(int, arguments.periods.split(",")):
        for what, event in (("interrupted pc", "cycles"), ("sampling unit", "r101")):
            done = taken(event, period)
            all_samples = samples(program, done.data)
            count = round(sum(p for _, p, _ in all_samples) / period)
            mine = shares((ip, p) for ip, p, _ in all_samples)
            print(
                f"| {arguments.config} | {arguments.work} | {period:,} | {what} | {count:,} | {100 * in_kernel(mine):.1f} % | {100 * error(functions.of(mine), by_function):.1f} % | {100 * drawn(by_function, count):.1f} % | "
                f"{100 * error(mine, reference):.1f} % | {100 * drawn(reference, count):.1f} % | {(done.statistics['cycles'] - base) / count:,.0f} |",
                flush=True,
            )
            print(
                f"{done.statistics['cycles']:,} cycles, {sum(not weight & SAMPLED for _, _, weight in all_samples)} samples not by the unit, {sum(bool(weight & HIDDEN) for _, _, weight in all_samples)} hidden",
                file=sys.stderr,
            )
            mine = functions.of(mine)
            for name in sorted(mine | by_function, key=lambda n: -abs(mine.get(n, 0) - by_function.get(n, 0)))[:12]:
                print(
                    f"    {name}: {100 * mine.get(name, 0):.1f} % of the samples, {100 * by_function.get(name, 0):.1f} % of the time",
                    file=sys.stderr,
                    flush=True,
                )


def error(mine, reference):
    return 1 - sum(min(mine.get(key, 0), share) for key, share in reference.items())


def chance(reference, count):
    return sum(math.sqrt(share * (1 - share) / count) for share in reference.values()) / 2


def of_samples(taken, events):
    own = (STATES.index("Flushed") << STATE_AT) | fl_ex()  # state and vector of the sampling's own cycles
    return shares(((ip, weight & 0xFFFF if events else 0), period) for ip, period, weight in taken if not weight & SAMPLED or weight & 0x3FFFF != own)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", default="small2")
    parser.add_argument("--work", choices=("work", "busy", "calls"), default="work")
    parser.add_argument("--rounds", type=int, default=12000)
    parser.add_argument("--periods", default="4999")
    arguments = parser.parse_args()
    if arguments.work == "calls":
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            whole(arguments, folder, *build(folder, arguments.work))
        return
    print(
        "| core | program | period | samples by | samples | error by instruction | by chance | with vectors | against the run without samples | slow-down | cycles a sample |"
    )
    print("|---|---|---:|---|---:|---:|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        program, work = build(folder, arguments.work)
        undisturbed = record(arguments.config, folder, program, PLAIN, NEVER, arguments.rounds, arguments.work)
        base = undisturbed.statistics["cycles"]
        for period in map(int, arguments.periods.split(",")):
            for what, event in (("interrupted pc", PLAIN), ("sampling unit", TIP)):
                done = record(arguments.config, folder, program, event, period, arguments.rounds, arguments.work)
                taken = samples(program, done.data)
                count = round(sum(p for _, p, _ in taken) / period)
                errors = [
                    f"{100 * error(of_samples(taken, events), oracle(done.profile, work, events)):.1f} %" if event == TIP or not events else ""
                    for events in (False, True)
                ]
                more = done.statistics["cycles"] - base
                print(
                    f"| {arguments.config} | {arguments.work} | {period:,} | {what} | {count:,} | {errors[0]} | {100 * chance(oracle(done.profile, work, False), count):.1f} % | {errors[1]} | "
                    f"{100 * error(of_samples(taken, False), oracle(undisturbed.profile, work, False)):.1f} % | {100 * more / base:.1f} % | {more / count:,.0f} |",
                    flush=True,
                )
        print(f"\nwithout samples: {base:,} cycles")


if __name__ == "__main__":
    main()
