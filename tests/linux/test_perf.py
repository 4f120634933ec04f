#!/usr/bin/env python3
"""The kernel's perf events count and sample on a core, and with our driver its samples are the sampling unit's.

    tests/linux/test_perf.py CONFIG

Needs what test_core.py needs; tests/linux/counters.c measures itself. Every run is in lockstep and under every check.

Counts: of a loop whose instructions and branches are known, with what the system calls that start and stop counting may add.

Samples by the driver (scripts/linux/tip), one by one: with `--period program` the harness's own unit samples at the same triggers; what the
kernel handed to the program must be the harness's samples in every lane: address, vector, state, and the period in equal parts. None is
missing, none too many. Where a sample is not from the program's user mode the record marks it and has the interrupted pc. Likewise of an event of both modes, which
samples system calls: the kernel's instructions appear with their own addresses and as the kernel's.

As a profile, against the Oracle's time of the same run, of work() in user mode: the driver's samples keep the bound of
tests/profile/test_sampling.py. Without the empty cycles after the sampling interrupts. Samples of the interrupted pc are the program's, and have no weight.

perf itself, where there is one (make linux-perf): perf record on the core hands over the unit's samples, too, and perf report knows whose they are;
tipoff linux --perf does all of that by itself, of a program without a marker, and prints the program's output apart.
"""
import csv
import io
import pathlib
import re
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/profile"))
from test_sampling import bound, distance  # noqa: E402

sys.path.insert(0, str(ROOT / "scripts/linux"))
import perf_measure  # noqa: E402
from perf_measure import STATES, fl_ex, run, shares  # noqa: E402

PERIOD, ROUNDS, PERF_ROUNDS = 1009, 1000, 500
HIDDEN, SAMPLED = 1 << 18, perf_measure.SAMPLED  # in a weight; scripts/linux/tip/riscv_pmu_tip.h
LOOP = 10_000  # of counters.c
MORE = 400  # instructions in user mode that starting and stopping may take
KERNEL, USER = 1, 2  # PERF_RECORD_MISC_KERNEL, _USER
TWO_MODES = 1999, 12  # period and rounds of system calls, some 300 samples


def counts(config, program, faults):
    text = run("linux", "--config", config, "--quiet", "--", program, "count").decode()
    got = {name: int(value) for name, value in (line.split() for line in text.splitlines())}
    for name, least in (("instructions", 2 * LOOP), ("branches", LOOP), ("cycles", LOOP)):
        if not least <= got[name] <= (least + MORE if name != "cycles" else 5 * LOOP):
            faults.append(f"count: {name} {got[name]}, of a loop of {LOOP}")
    return got


def sample(config, folder, program, what):
    """What the program printed: (address, period, weight, mode); the Oracle's weights; the harness's samples."""
    tips, profile = folder / f"{what}.tips", folder / f"{what}.csv"
    beside = ["--period", "program", "--samples", tips] if what != "sample" else []
    text = run(
        "linux", "--config", config, "--quiet", *beside, "--profile", profile, "--", program, what, *(TWO_MODES if what == "both" else (PERIOD, ROUNDS))
    ).decode()
    lines = [line.split() for line in text.splitlines()]
    records = [(int(a, 16), int(p), int(w, 16), int(m)) for a, p, w, m in (line for line in lines if line[0] != "record")]
    lost = [line for line in lines if line[0] == "record"]
    return records, profile, tips, lost


def expected(tips, modes, period):
    """The harness's samples as the driver is to hand them on; None for an address that it must hide."""
    rows = csv.DictReader(io.StringIO(run("samples", tips).decode()))
    for row in rows:
        lanes = [lane for lane in range(8) if row.get(f"addr{lane}")]
        total = period * (1 + int(row["repeats"]) + int(row["stalled"]))
        for i, lane in enumerate(lanes):
            share = total * (i + 1) // len(lanes) - total * i // len(lanes)
            yield int(row[f"addr{lane}"], 0) if row["priv"] in modes else None, modes.get(row["priv"]), share, int(row[f"psv{lane}"], 0), STATES.index(
                row["state"]
            )


def compare(records, want):
    for i, ((address, period, weight, mode), (wanted, whose, share, psv, state)) in enumerate(zip(records, want)):
        fits = wanted is not None
        if (period, weight >> 16 & 3, bool(weight & HIDDEN), bool(weight & SAMPLED)) != (share, state, not fits, True) or (
            fits and (address, weight & 0xFFFF, mode) != (wanted, psv, whose)
        ):
            return f"record {i}: {address:#x} in mode {mode}, period {period}, weight {weight:#x}; the harness has {wanted and hex(wanted)} in {whose}, {share}, {psv:#x}, {STATES[state]}"
    return None if 0 <= len(want) - len(records) <= 2 else f"{len(records)} records, the harness has {len(want)}"


def profiles(records, profile, work):
    rows = [
        row
        for row in csv.DictReader(profile.read_text(encoding="utf-8").splitlines()[1:])
        if row["pc"] != "end of run" and row["mode"] == "U" and (row["state"], int(row["psv"])) != ("Flushed", fl_ex())
    ]
    mine = shares((address, period) for address, period, _, mode in records if mode == USER and address in work)
    return mine, shares((int(row["pc"], 0), int(row["weight"])) for row in rows if int(row["pc"], 0) in work)


def perf(config, folder, program, work, faults):
    done = perf_measure.record(config, folder, program, perf_measure.TIP, PERIOD, PERF_ROUNDS)
    taken, oracle = perf_measure.samples(program, done.data), perf_measure.oracle(done.profile, work, False)
    apart, allowed = distance(perf_measure.of_samples(taken, False), oracle), bound(oracle, 1 / max(1, len(taken)))
    report = perf_measure.perf(program, done.data, "report", "--stdio", "--sort", "sym")
    line = re.search(r"([\d.]+)%.*\[\.\] work\b", report)
    print(f"perf record: {len(taken)} records, {100 * apart:.1f} % away, {100 * allowed:.1f} % allowed; perf report: {line[0] if line else report}")
    if len(taken) < 50 or apart > allowed or not all(weight & SAMPLED for _, _, weight in taken):
        faults.append("perf record: other samples than the unit's")
    if not line or float(line[1]) < 80:
        faults.append("perf report does not name the function that has the time")


def one_command(config, folder, program, faults):
    data = folder / "one.data"
    text = run("linux", "--perf", "--config", config, "--period", PERIOD, "--show", "script", "-o", data, "--", program, "work", PERF_ROUNDS).decode()
    lines = [line.split() for line in text.splitlines() if line.strip()]
    taken = [int(weight) for _, weight, *_ in lines]
    of_work = sum(line[-1] == "work" for line in lines)
    print(f"tipoff linux --perf: {len(taken)} records, {of_work} in work")
    if of_work < 20 or not all(weight & SAMPLED for weight in taken) or not data.read_bytes().startswith(b"PERFILE2"):
        faults.append(f"tipoff linux --perf: {text[:200]}")


def main():
    config, faults = sys.argv[1], []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        program, work = perf_measure.build(folder)
        print("counts:", counts(config, program, faults))
        for what in "tip", "sample":
            records, profile, tips, lost = sample(config, folder, program, what)
            if lost or len(records) < 100:
                faults.append(f"{what}: {len(records)} records, others: {lost}")
                continue
            if what == "tip":
                difference = compare(records, list(expected(tips, {"U": USER}, PERIOD)))
                faults += [f"{what}: {difference}"] * bool(difference)
            elif any(weight or period != PERIOD or mode != USER for _, period, weight, mode in records):
                faults.append(f"{what}: a record that is not of a plain sample in user mode: {records}")
            mine, oracle = profiles(records, profile, work)
            apart, allowed = distance(mine, oracle), bound(oracle, 1 / len(records))
            print(f"{what}: {len(records)} records, {100 * apart:.1f} % away from the Oracle by instruction, {100 * allowed:.1f} % allowed")
            if what == "tip" and apart > allowed:
                faults.append(f"{what}: its distance from the Oracle")
        records, _, tips, lost = sample(config, folder, program, "both")
        modes = [sum(mode == of for _, _, _, mode in records) for of in (KERNEL, USER)]
        print(f"both: {len(records)} records, {modes[0]} of the kernel, {modes[1]} of the program")
        difference = compare(records, list(expected(tips, {"S": KERNEL, "U": USER}, TWO_MODES[0])))
        if lost or min(modes) < 5 or modes[0] < 100 or difference:
            faults.append(f"both: {modes}, others: {lost}; {difference}")
        if perf_measure.PERF.exists():
            perf(config, folder, program, work, faults)
            one_command(config, folder, program, faults)
        else:
            print("perf: left out, there is none (make linux-perf)")
    for fault in faults:
        print(f"FAILED: {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
