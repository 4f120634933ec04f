#!/usr/bin/env python3
"""Programs that one resource of small2 alone makes slow: of the steps that are here, the one that is known by construction gains most.

    tests/sensitivity/test_resources.py [--only TEXT]

Needs build/bin/tipoff. Builds the models that are missing in build/sensitivity, a minute of a processor each: not part of `make test`.
Two lanes are never more than two integer ports: where they are to be short, small2 has one. Its four misses in flight leave the memory's bus, and the
last-level cache's registers, idle: where those are to be short, the bus is slower, and there are fewer registers.
"""
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from cli import ROOT, TIPOFF, check, main, test  # noqa: E402

# What the program is made of, how often, the step, and the least that it gains.
PROGRAMS = (
    ("WIDTH", 200, "width", 0.2),
    ("FETCH_WIDTH", 200, "fetch_width", 0.15),
    ("FETCH_AHEAD", 150, "fetch_ahead", 0.15),
    ("MEM_PORTS", 200, "mem_ports", 0.2),
    ("FP_PORTS", 200, "fp_ports", 0.3),
    ("WINDOW", 250, "window", 0.3),
    ("SNAPSHOTS", 250, "snapshots", 0.1),
    ("MSHRS", 150, "mshrs", 0.3),
    ("INT_QUEUE", 250, "int_queue", 0.1),
    ("MEM_QUEUE", 250, "mem_queue", 0.1),
    ("FP_QUEUE", 250, "fp_queue", 0.1),
    ("LOAD_QUEUE", 250, "load_queue", 0.1),
    ("STORE_QUEUE", 250, "store_queue", 0.1),
    ("SPLIT_STORES", 1000, "split_stores", 0.2),
    ("L1I_SIZE", 8, "l1i_size", 0.2),
    ("L1D_SIZE", 100, "l1d_size", 0.3),
    ("BTB", 100, "btb", 0.1),
    ("DIRECTION", 2000, "direction", 0.2),
    ("PREFETCH", 150, "prefetch", 0.2),
    ("LLC", 200, "llc_latency", 0.1),
    ("LLC_SIZE", 50, "llc_size", 0.5),
    ("DRAM_LATENCY", 50, "dram_latency", 0.1),
    ("ITLB", 600, "itlb", 0.2),
    ("DTLB", 2000, "dtlb", 0.1),
    ("L2_TLB", 2000, "l2_tlb", 0.1),
)
# The same on cores that are small2 but for a key: with which steps; None: all of the others.
SCARCE = (
    ("LLC_MSHRS", 60, "llc_mshrs", 0.3, "llc.mshrs=2", None),
    ("DRAM_BANDWIDTH", 60, "dram_bandwidth", 0.3, "dram.mb_per_s=2000", None),
    ("INT_PORTS", 200, "int_ports", 0.3, "issue.int_ports=1", ("int_ports", "width", "window", "fetch_width", "int_queue")),
)
STEPS = sorted({step for _, _, step, *_ in PROGRAMS + SCARCE})
IDEAL = {"branches", "l1i", "l1d", "tlb", "memory_order"}  # test_sensitivity.py has their programs


def program(folder, kind, loops):
    path = folder / f"{kind}.elf"
    subprocess.run(
        [
            "riscv64-unknown-elf-gcc",
            "-march=rv64imafdc_zicsr_zifencei",
            "-mabi=lp64",
            "-mcmodel=medany",
            "-ffreestanding",
            "-nostdlib",
            "-static",
            "-T",
            ROOT / "tests/workloads/runtime/link.ld",
            "-Wl,--no-warn-rwx-segments",
            "-Wl,--build-id",
            f"-D{kind}",
            "-DMISSES",
            "-DFP",
            f"-DLOOPS={loops}",
            "-o",
            path,
            ROOT / "tests/sensitivity/one_resource.S",
        ],
        check=True,
    )
    return path


def named(folder, kind, loops, step, least, setting=None, steps=None):
    """The step gains most of all, and `least` of the time or more."""
    sets = ["--set", setting] if setting else []
    command = [
        TIPOFF,
        "sensitivity",
        "--config",
        "small2",
        *sets,
        "--only",
        ",".join(steps or STEPS),
        "--format",
        "json",
        "--quiet",
        program(folder, kind, loops),
    ]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    check(done.returncode == 0, f"{kind}: {done.stderr}")
    gains = {row["name"]: row["gain"] for row in json.loads(done.stdout)["changes"]}
    best = max(gains, key=gains.get)
    print(f"  {kind:14} {best:14} {100 * gains[best]:5.1f} %, then {100 * sorted(gains.values())[-2]:.1f} %")
    check(best == step and gains[best] >= least, f"{kind}: {best} gains {gains[best]:.3f}, {step} {gains[step]:.3f}")


@test
def every_step_has_a_program(_folder):
    listed = subprocess.run([TIPOFF, "sensitivity", "--config", "small2", "--list"], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)
    names = {line.split()[0] for line in listed.stdout.splitlines()} - IDEAL
    check(names == set(STEPS), f"steps of small2 without a program, or the other way round: {names ^ set(STEPS)}")


def add_test(row):
    def case(folder):
        named(folder, *row)

    case.__name__ = f"{row[2]}_alone"
    test(case)


for _row in PROGRAMS + SCARCE:
    add_test(_row)


if __name__ == "__main__":
    sys.exit(main())
