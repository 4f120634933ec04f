#!/usr/bin/env python3
"""Programs that one resource of small2 alone makes slow: of the steps that are here, the one that is known by construction gains most.

    tests/sensitivity/test_resources.py [--only TEXT]

Needs build/bin/tipoff. Builds the models that are missing in build/sensitivity, a minute of a processor each: not part of `make test`.
No program is there for int_ports: small2 has as many as lanes, so they never are what it waits for alone; and none for the instruction TLB.
"""
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from cli import ROOT, TIPOFF, check, main, test  # noqa: E402

# What the program is made of, how often, the step, and the least that it gains.
PROGRAMS = (
    ("WIDTH", 200, "width", 0.2), ("FETCH_WIDTH", 200, "fetch_width", 0.15), ("MEM_PORTS", 200, "mem_ports", 0.2), ("FP_PORTS", 200, "fp_ports", 0.3),
    ("WINDOW", 500, "window", 0.3), ("SNAPSHOTS", 500, "snapshots", 0.1), ("MSHRS", 150, "mshrs", 0.3),
    ("INT_QUEUE", 500, "int_queue", 0.1), ("MEM_QUEUE", 500, "mem_queue", 0.1), ("FP_QUEUE", 500, "fp_queue", 0.1), ("LOAD_QUEUE", 500, "load_queue", 0.1), ("STORE_QUEUE", 500, "store_queue", 0.1),
    ("L1I_SIZE", 8, "l1i_size", 0.2), ("L1D_SIZE", 100, "l1d_size", 0.3), ("BTB", 100, "btb", 0.1), ("PREFETCH", 150, "prefetch", 0.2), ("LLC", 200, "llc_latency", 0.1),
    ("DTLB", 2000, "dtlb", 0.1), ("L2_TLB", 2000, "l2_tlb", 0.1),
)
STEPS = sorted({step for _, _, step, _ in PROGRAMS})


def program(folder, kind, loops):
    path = folder / f"{kind}.elf"
    subprocess.run(["riscv64-unknown-elf-gcc", "-march=rv64imafdc_zicsr_zifencei", "-mabi=lp64", "-mcmodel=medany", "-ffreestanding", "-nostdlib", "-static", "-T", ROOT / "tests/workloads/runtime/link.ld",
                    "-Wl,--no-warn-rwx-segments", "-Wl,--build-id", f"-D{kind}", "-DMISSES", "-DFP", f"-DLOOPS={loops}", "-o", path, ROOT / "tests/sensitivity/one_resource.S"], check=True)
    return path


@test
def one_resource(folder):
    for kind, loops, step, least in PROGRAMS:
        done = subprocess.run([TIPOFF, "sensitivity", "--config", "small2", "--only", ",".join(STEPS), "--format", "json", "--quiet", program(folder, kind, loops)], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        check(done.returncode == 0, f"{kind}: {done.stderr}")
        gains = {row["name"]: row["gain"] for row in json.loads(done.stdout)["changes"]}
        best = max(gains, key=gains.get)
        print(f"  {kind:12} {best:12} {100 * gains[best]:5.1f} %, then {100 * sorted(gains.values())[-2]:.1f} %")
        check(best == step and gains[best] >= least, f"{kind}: {best} gains {gains[best]:.3f}, {step} {gains[step]:.3f}")


if __name__ == "__main__":
    sys.exit(main())
