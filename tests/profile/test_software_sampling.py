#!/usr/bin/python3
"""Software on the core takes its own samples, and they are the right ones.

    tests/profile/test_software_sampling.py CONFIG PROGRAM.SIZE [PERIOD]      without PERIOD: what SETTINGS says, jitter included

Runs build/workloads/sampled/PROGRAM.SIZE.elf: the program with an LCOFI handler (tests/workloads/runtime/sampling.c) that
reads each sample from the CSRs and stores it, and a timer interrupt beside it. With `--period program` the harness's own unit
takes a sample at the very same triggers.

One by one. Every record that software stored equals the harness's sample of that cycle in every field; none is missing, none is
too many, none is lost. What the kernel reads of M-mode's instructions is 0 where the harness sees addresses and vectors: M-mode is not
counted there, but the first cycles after its mret, in S-mode and counted, are Flushed on that instruction.

As a profile. Time by instruction and combination of events, made of software's records, keeps the bound of test_sampling.py
against the Oracle's time of the same run; and that bound is tight enough to mean something: the profiles of LCI and Dispatch at
the same triggers break it. The handler's own functions (sampling_*) count on neither side: the sampling counter stands still in
them (in S-mode, which cannot stop it, it runs on, and the handler is over before the next overflow), so that software has few samples
or none of time that the Oracle books. Nor does M-mode count where the kernel samples. For the same reason the empty cycles after the handler's interrupt, which the Oracle books to the interrupted instruction under FL_EX alone,
go out on both sides: they are the sampling's cost, always lie right after an overflow, and can never be sampled.
"""
import csv
import io
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from test_sampling import ROOT, bound, distance, tipoff  # noqa: E402
import software_samples  # noqa: E402

sys.path.insert(0, str(ROOT / "python"))
from tipoff import Samples  # noqa: E402

# Mean cycles between triggers, and 2^bits of jitter (0: none), a quarter of the period at most. Short runs need many samples.
PERIOD, JITTER_BITS = 997, 0
SETTINGS = {"chase.small": (397, 6), "interp.small": (397, 0), "interp.medium": (997, 7), "vm_sort.small": (599, 0)}
SEED = 7
TIMER = 23  # ticks of mtime (100 cycles each): it beats with no period in use
LCI_AND_DISPATCH = ("LCI", "Dispatch")


def number(text):
    return None if text == "" else int(text, 0)


def harness_samples(path):
    """What the program's registers have, too: no call stacks, and no addresses of data."""
    rows = list(csv.DictReader(io.StringIO(tipoff("samples", path))))
    known = [key for key in rows[0] if not key.startswith(("stack", "data"))]
    return [{key: row[key] if key in ("state", "priv") else number(row[key]) for key in known} for row in rows]


def hidden(sample):
    """What S-mode sees of a sample of M-mode."""
    return {key: 0 if key.startswith(("addr", "psv")) and value is not None else value for key, value in sample.items()}


def compare(software, harness, supervisor):
    """The first difference, or None."""
    for ours, theirs in zip(software, harness):
        if supervisor and theirs["priv"] == "M":
            theirs = hidden(theirs)
        wrong = [key for key in theirs if ours[key] != theirs[key]]
        if wrong:
            return f"sample of cycle {ours['cycle']}: " + ", ".join(f"{key}: software has {ours[key]}, the harness {theirs[key]}" for key in wrong)
    if len(software) != len(harness):
        return f"software has {len(software)} samples, the harness {len(harness)}"
    return None


def normal(weights):
    total = sum(weights.values())
    return {key: weight / total for key, weight in weights.items()}


class Outside:
    """Which time counts: all but the sampling's own, and M-mode's where the kernel samples."""

    def __init__(self, symbols, fl_ex, supervisor):
        names = [name for name, s in symbols.items() if s.function and name.startswith(("sampling_", "firmware_"))]
        names += ["_start", "machine_trap"] if supervisor else []
        self.ranges = [(symbols[name].address, symbols[name].address + symbols[name].bytes) for name in names]
        self.ranges += [(0, 0x2000)]  # the boot ROM; and what S-mode does not see
        self.fl_ex = fl_ex

    def __call__(self, address, state, psv):
        return not any(first <= address < last for first, last in self.ranges) and (state, psv) != ("Flushed", self.fl_ex)


def of_records(samples, width, outside, events):
    weights = {}
    for s in samples:
        lanes = [lane for lane in range(width) if s["valid"] >> lane & 1]
        for lane in lanes:
            if outside(s[f"addr{lane}"], s["state"], s[f"psv{lane}"]):
                key = (s[f"addr{lane}"], s[f"psv{lane}"] if events else 0)
                weights[key] = weights.get(key, 0) + (1 + s["repeats"] + s["stalled"]) / len(lanes)
    return normal(weights)


def of_oracle(path, outside, events):
    weights = {}
    for row in csv.DictReader(path.read_text(encoding="utf-8").splitlines()[1:]):
        if row["pc"] != "end of run" and outside(int(row["pc"], 0), row["state"], int(row["psv"])):
            key = (int(row["pc"], 0), int(row["psv"]) if events else 0)
            weights[key] = weights.get(key, 0) + int(row["weight"])
    return normal(weights)


def of_rival(path, profiler, outside):
    weights = {}
    for row in Samples(path).profiles[profiler]:
        if row.address is not None and outside(row.address, "", 0):
            weights[row.address, 0] = weights.get((row.address, 0), 0) + row.weight
    return normal(weights)


def main():
    config, name = sys.argv[1:3]
    period, jitter_bits = (int(sys.argv[3]), 0) if len(sys.argv) > 3 else SETTINGS.get(name, (PERIOD, JITTER_BITS))
    jitter = jitter_bits << 48 | SEED if jitter_bits else 0
    stem = ROOT / "build/tests" / f"software-{config}-{name}"
    stem.parent.mkdir(parents=True, exist_ok=True)
    copy, tips, dump, oracle = (stem.with_name(stem.name + end) for end in (".elf", ".tips", ".bin", ".csv"))
    symbols = software_samples.set_up(ROOT / f"build/workloads/sampled/{name}.elf", copy, config, period, jitter, TIMER)
    tipoff(
        "run", "--config", config, "--period", "program", "--samples", tips, "--profile", oracle, "--dump-memory", f"sampling_buffer={dump}", "--quiet", copy
    )
    counts, samples = software_samples.read_buffer(dump, config)
    about = software_samples.core(config)
    print(f"{counts['count']} samples of {counts['record_bytes']} bytes, {counts['calls']} calls of the handler, {counts['ticks']} timer interrupts")
    faults = [f"{counts[key]} {text}" for key, text in (("lost", "triggers lost"), ("overflow", "samples without room in the buffer")) if counts[key]]
    faults += ["no timer interrupt came"] * (counts["ticks"] == 0) + ["fewer than 100 samples"] * (len(samples) < 100)
    supervisor = "kernel_main" in symbols
    difference = compare(samples, harness_samples(tips), supervisor)
    faults += [difference] * bool(difference)
    fl_ex = (
        1
        << [row.split("\t")[0] for row in (ROOT / "tables/events.tsv").read_text(encoding="utf-8").splitlines() if row[:1] not in ("", "#")].index("FL_EX") - 1
    )
    outside = Outside(symbols, fl_ex, supervisor)
    v = (1 + 1 / 16) / max(1, len(samples))
    for events in (False, True):
        what = "instructions and events" if events else "instructions"
        reference = of_oracle(oracle, outside, events)
        d, limit = distance(of_records(samples, about["width"], outside, events), reference), bound(reference, v)
        print(f"{what}: software and the Oracle: {100 * d:.2f} % apart, {100 * limit:.2f} % allowed")
        faults += [f"{what}: too far from the Oracle"] * (d > limit)
        for rival in () if events else LCI_AND_DISPATCH:
            d = distance(of_rival(tips, rival, outside), reference)
            print(f"{what}: {rival} and the Oracle: {100 * d:.2f} % apart")
            faults += [f"{rival} is no further away: the bound is useless"] * (d <= limit)
    for fault in faults:
        print(f"FAILED: {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
