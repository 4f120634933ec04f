#!/usr/bin/python3
"""Sampling by interrupt on the core: what a handler reads from mepc, beside the model of it (profiler Software).

    tests/profile/test_interrupted.py CONFIG PROGRAM.SIZE [PERIOD]

Runs build/workloads/interrupted/PROGRAM.SIZE.elf (tests/workloads/runtime/interrupted_machine.S), whose handler stores mepc at each
overflow, and samples with all profilers in the cycles of these overflows. The handler must have been called for every trigger, and its
profile must be the model's to within the share of samples that the core delays (an interrupt waits while the oldest instruction does
what cannot be undone, which a bundle does not show). Prints the error of both against the Oracle, and that of NCI and TIP, with the bound
of tests/profile/test_sampling.py, which TIP keeps. The handler's own time counts on no side, nor do the empty cycles behind its
interrupts (tests/profile/test_software_sampling.py).
"""
import csv
import io
import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from test_sampling import ROOT, bound, distance, tipoff  # noqa: E402
from test_software_sampling import Outside, normal, of_oracle, of_rival  # noqa: E402
import software_samples  # noqa: E402

PERIOD, SEED = 397, 12345
MODEL = 0.01  # of the time that the handler may have elsewhere than the model, beside three samples of it: reads of a device, behind which the interrupt waits


def read_buffer(path):
    data = pathlib.Path(path).read_bytes()
    count, overflow = struct.unpack_from("<2Q", data)
    return overflow, struct.unpack_from(f"<{count}Q", data, 16)


def main():
    config, name = sys.argv[1:3]
    period = int(sys.argv[3]) if len(sys.argv) > 3 else PERIOD
    stem = ROOT / "build/tests" / f"interrupted-{config}-{name}"
    stem.parent.mkdir(parents=True, exist_ok=True)
    copy, tips, dump, oracle = (stem.with_name(stem.name + end) for end in (".elf", ".tips", ".bin", ".csv"))
    elf = software_samples.Elf(ROOT / f"build/workloads/interrupted/{name}.elf")
    elf.write_words(elf.symbols["sampling_settings"].address, (period, 2 ** ((period // 4).bit_length() - 1) - 1, SEED))
    copy.write_bytes(elf.data)
    if software_samples.core(config)["counter"] != 3:
        sys.exit(f"{config}: the handler's sampling counter is 3")
    tipoff(
        "run", "--config", config, "--period", "program", "--samples", tips, "--profile", oracle, "--dump-memory", f"sampling_buffer={dump}", "--quiet", copy
    )
    overflow, resumed = read_buffer(dump)
    samples = list(csv.DictReader(io.StringIO(tipoff("samples", tips))))
    triggers = sum(1 + int(row["repeats"]) + int(row["stalled"]) for row in samples)
    faults = ["samples without room in the buffer"] * bool(overflow) + [f"{triggers} triggers, but {len(resumed)} calls of the handler"] * (
        not 0 <= triggers - len(resumed) <= 1
    )
    faults += ["fewer than 100 samples"] * (len(resumed) < 100)
    events = [row.split("\t")[0] for row in (ROOT / "tables/events.tsv").read_text(encoding="utf-8").splitlines() if row[:1] not in ("", "#")]
    outside = Outside(elf.symbols, 1 << events.index("FL_EX") - 1, False)
    reference = of_oracle(oracle, outside, False)
    handler, before = {}, 0
    for pc, row in zip(resumed, samples):  # a sample stands for the time since the one before it, as with the model
        if outside(pc, "", 0):
            handler[(pc, 0)] = handler.get((pc, 0), 0) + int(row["cycle"]) - before
        before = int(row["cycle"])
    profiles = {"handler": normal(handler), **{profiler: of_rival(tips, profiler, outside) for profiler in ("Software", "NCI", "TIP")}}
    errors = {profiler: distance(profile, reference) for profiler, profile in profiles.items()}
    limit, apart = bound(reference, (1 + 1 / 16) / max(1, len(resumed))), distance(profiles["handler"], profiles["Software"])
    print(
        f"{config} {name}, period {period}: {len(resumed)} samples; from the Oracle: "
        + ", ".join(f"{profiler} {100 * error:.1f} %" for profiler, error in errors.items())
        + f" ({100 * limit:.1f} % allowed to an unbiased one); the handler from its model: {100 * apart:.1f} %"
    )
    faults += [f"the handler's profile is {100 * apart:.1f} % from the model's"] * (apart > MODEL + 3 / max(1, len(resumed)))
    faults += ["TIP is too far from the Oracle"] * (errors["TIP"] > limit)
    for fault in faults:
        print(f"FAILED: {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
