#!/usr/bin/env python3
"""The kernel's perf events count and sample on a core, and with our driver its samples are the sampling unit's.

    tests/linux/test_perf.py CONFIG

Needs what test_core.py needs; tests/linux/counters.c measures itself. Every run is in lockstep and under every check.

Counts: of a loop whose instructions and branches are known, with what the system calls that start and stop counting may add.

Samples by the driver (scripts/linux/tip), one by one: with `--period program` the harness's own unit samples at the same triggers; what the
kernel handed to the program must be the harness's samples in every lane: address, vector, state, and the period in equal parts. None is
missing, none too many. Where a sample is not of the program's user mode the record says so and has the interrupted pc.

As profiles, both kinds against the Oracle's time of their own run, of work() in user mode: the driver's keep the bound of
tests/profile/test_sampling.py; those of the interrupted pc break it. Without the empty cycles behind the sampling interrupts.
"""
import csv
import io
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/profile"))
from test_sampling import bound, distance  # noqa: E402
from software_samples import Elf  # noqa: E402

TIPOFF = str(ROOT / "build/bin/tipoff")
PERIOD, ROUNDS = 1009, 2000
LOOP = 10_000      # of counters.c
MORE = 400         # instructions in user mode that starting and stopping may take
HIDDEN, SAMPLED = 1 << 18, 1 << 19  # in a weight; scripts/linux/tip/riscv_pmu_tip.h
STATES = ("Computing", "Stalled", "Flushed", "Drained")
USER = 2           # PERF_RECORD_MISC_USER


def tipoff(*arguments):
    done = subprocess.run([TIPOFF, *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=1200, check=False)
    if done.returncode:
        sys.exit(f"tipoff {' '.join(map(str, arguments))}: status {done.returncode}: {done.stderr}")
    return done.stdout


def fl_ex():
    rows = [row.split("\t")[0] for row in (ROOT / "tables/events.tsv").read_text(encoding="utf-8").splitlines() if row[:1] not in ("", "#")]
    return 1 << rows.index("FL_EX") - 1


def counts(config, program, faults):
    text = tipoff("linux", "--config", config, "--quiet", "--", program, "count")
    got = {name: int(value) for name, value in (line.split() for line in text.splitlines())}
    for name, least in (("instructions", 2 * LOOP), ("branches", LOOP), ("cycles", LOOP)):
        if not least <= got[name] <= (least + MORE if name != "cycles" else 5 * LOOP):
            faults.append(f"count: {name} {got[name]}, of a loop of {LOOP}")
    return got


def sample(config, folder, program, what):
    """What the program printed: (address, period, weight, mode); the Oracle's weights; the harness's samples."""
    tips, profile = folder / f"{what}.tips", folder / f"{what}.csv"
    text = tipoff("linux", "--config", config, "--quiet", "--period", "program", "--samples", tips, "--profile", profile, "--", program, what, PERIOD, ROUNDS)
    lines = [line.split() for line in text.splitlines()]
    records = [(int(a, 16), int(p), int(w, 16), int(m)) for a, p, w, m in (line for line in lines if line[0] != "record")]
    lost = [line for line in lines if line[0] == "record"]
    return records, profile, tips, lost


def expected(tips):
    """The harness's samples as the driver is to hand them on; None for an address that it must hide."""
    rows = csv.DictReader(io.StringIO(tipoff("samples", tips)))
    for row in rows:
        lanes = [lane for lane in range(8) if row.get(f"addr{lane}")]
        total = PERIOD * (1 + int(row["repeats"]) + int(row["stalled"]))
        for i, lane in enumerate(lanes):
            share = total * (i + 1) // len(lanes) - total * i // len(lanes)
            yield int(row[f"addr{lane}"], 0) if row["priv"] == "U" else None, share, int(row[f"psv{lane}"], 0), STATES.index(row["state"])


def compare(records, want):
    for i, ((address, period, weight, _), (wanted, share, psv, state)) in enumerate(zip(records, want)):
        fits = wanted is not None
        if (period, weight >> 16 & 3, bool(weight & HIDDEN), bool(weight & SAMPLED)) != (share, state, not fits, True) or (fits and (address, weight & 0xffff) != (wanted, psv)):
            return f"record {i}: {address:#x}, period {period}, weight {weight:#x}; the harness has {wanted}, {share}, {psv:#x}, {STATES[state]}"
    return None if 0 <= len(want) - len(records) <= 2 else f"{len(records)} records, the harness has {len(want)}"


def normal(weights):
    total = sum(weights.values())
    return {key: value / total for key, value in weights.items()}


def profiles(records, profile, inside):
    mine, oracle = {}, {}
    for address, period, _, mode in records:
        if mode == USER and inside(address):
            mine[address] = mine.get(address, 0) + period
    for row in csv.DictReader(profile.read_text(encoding="utf-8").splitlines()[1:]):
        if row["mode"] == "U" and inside(int(row["pc"], 0)) and (row["state"], int(row["psv"])) != ("Flushed", fl_ex()):
            oracle[int(row["pc"], 0)] = oracle.get(int(row["pc"], 0), 0) + int(row["weight"])
    return normal(mine), normal(oracle)


def main():
    config, faults = sys.argv[1], []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        program = folder / "counters"
        subprocess.run(["riscv64-linux-gnu-gcc", "-O2", "-g", "-static", "-o", program, ROOT / "tests/linux/counters.c"], check=True)
        symbol = Elf(program).symbols["work"]
        print("counts:", counts(config, program, faults))
        for what in "tip", "sample":
            records, profile, tips, lost = sample(config, folder, program, what)
            if lost or len(records) < 100:
                faults.append(f"{what}: {len(records)} records, others: {lost}")
                continue
            if what == "tip":
                difference = compare(records, list(expected(tips)))
                faults += [f"{what}: {difference}"] * bool(difference)
            elif any(weight for _, _, weight, _ in records):
                faults.append(f"{what}: a weight in a sample that the unit has not taken")
            mine, oracle = profiles(records, profile, lambda address: symbol.address <= address < symbol.address + symbol.bytes)
            apart, allowed = distance(mine, oracle), bound(oracle, 1 / len(records))
            print(f"{what}: {len(records)} records, {100 * apart:.1f} % away from the Oracle by instruction, {100 * allowed:.1f} % allowed")
            if (apart <= allowed) != (what == "tip"):
                faults.append(f"{what}: its distance from the Oracle")
    for fault in faults:
        print(f"FAILED: {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
