#!/usr/bin/python3
"""Triggers by the golden ratio (`--jitter-kind`) are those that the study of triggers drew (scripts/evaluation/triggers.py), in a run.

    tests/profile/test_golden.py CONFIG

Golden, at a period of a power of two: the offset of every trigger within its period is the study's, cycle for cycle. Fractional: every
trigger is at the study's cycle. A fraction of 32 bits is not the study's double: at one trigger in a thousand a rounding may differ, by a cycle. Offsets are
all of the period's. And the profile keeps to the Oracle's: the error of TIP is not beyond chance's, which `tipoff compare` prints. Samples are compared with the
core, and triggers with their model in C, by the run itself.
"""
import csv
import io
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "python"), str(ROOT / "scripts/evaluation")]
import tipoff  # noqa: E402
import triggers  # noqa: E402

PERIOD, SEED = 64, 0x2468ACE1


class Start:
    """Stands for the study's random numbers: what it starts from. A run takes its fraction from --seed, a fraction of a period (golden) or of a cycle."""

    def __init__(self, of):
        self.of = of

    def random(self):
        return SEED / 2**32 / self.of


def sampled(config, kind, path, *more):
    program = ROOT / "build/workloads/interp.small.elf"
    subprocess.run(
        [
            ROOT / "build/bin/tipoff",
            "run",
            "--config",
            config,
            "--quiet",
            "--period",
            str(PERIOD),
            "--jitter-kind",
            kind,
            "--seed",
            str(SEED),
            *more,
            "--samples",
            path,
            program,
        ],
        check=True,
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
    )
    return [sample.cycle for sample in tipoff.Samples(path).samples]


def error(path):
    """TIP's by instruction, what chance does, and how far that varies."""
    text = subprocess.run([ROOT / "build/bin/tipoff", "compare", "--format", "csv", path], check=True, capture_output=True, text=True, cwd=ROOT).stdout
    row = next(row for row in csv.DictReader(io.StringIO(text)) if (row["profiler"], row["granularity"], row["components"]) == ("TIP", "instruction", "time"))
    return [float(row[name]) for name in ("error", "chance", "chance_deviation")]


def compared(what, got, study):
    """Every trigger is one of the study's, or beside it."""
    near = {at + d for at in study for d in (-1, 0, 1)}
    exact = len(set(got) & set(study))
    print(f"{what}: {len(got)} samples, {exact} in the very cycle of the study, {sum(at in near for at in got)} within one cycle")
    return exact >= 0.999 * len(got) and all(at in near for at in got)


def main():
    config, good = sys.argv[1], True
    with tempfile.TemporaryDirectory() as folder:
        path = str(pathlib.Path(folder) / "x.tips")
        for kind, drawn, of in (("golden", triggers.golden, 1), ("fractional", triggers.fractional, PERIOD)):
            got = sampled(config, kind, path)
            wrong, chance, deviation = error(path)
            # the counter starts at minus the period, at the seed's offset
            base = got[0] - PERIOD
            study = drawn(got[-1] + 2 * PERIOD, PERIOD, Start(of))
            study = [int(at) - int(study[0]) + base + PERIOD for at in study]
            good &= compared(kind, got, study)
            print(f"  error of TIP: {100 * wrong:.2f} %, of chance {100 * chance:.2f} % ± {100 * deviation:.2f}")
            good &= wrong <= chance + 3 * deviation
            if kind == "golden":
                offsets = {(at - base) % PERIOD for at in got}
                print(f"  {len(offsets)} offsets of {PERIOD}")
                good &= len(offsets) == PERIOD
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
