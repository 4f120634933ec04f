#!/usr/bin/env python3
"""The instruction mix of a Linux program, with the kernel's part of it, from samples and branch records: against the run's exact counts.

    tests/linux/test_mix.py CONFIG [--only TEXT]

Needs build/linux/linux.elf, the model of CONFIG and gcc-riscv64-linux-gnu. Bounds: a count that k samples stand for has a deviation of 1/sqrt(k).
"""
import json
import math
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from cli import check, main, test, tipoff  # noqa: E402

CONFIG = sys.argv.pop(1) if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else "small2"
ROUNDS, CALLS = 3000, 200
SOURCE = f"""
#include <unistd.h>
__attribute__((noinline)) long work(long n) {{ volatile long s = 0; for (long i = 0; i < n; i++) s += i * i; return s; }}
int main(void) {{ long s = 0; for (int i = 0; i < {CALLS}; i++) s += getppid(); return work({ROUNDS}) && s ? 0 : 1; }}
"""
PERIOD = 101  # of EBS: retired instructions
SIGMAS = 4


def mix(tips, *options):
    status, out, err = tipoff("mix", "--compare", "--format", "json", *options, tips)
    check(status == 0, f"{options}: {err}")
    return json.loads(out)["rows"]


@test
def program_and_kernel(folder):
    program, tips, stats = folder / "program", folder / "run.tips", folder / "stats.json"
    subprocess.run(["riscv64-linux-gnu-gcc", "-O1", "-static", "-x", "c", "-o", program, "-"], input=SOURCE, text=True, check=True)
    status, _, err = tipoff(
        "linux",
        "--config",
        CONFIG,
        "--quiet",
        "--no-oracle",
        "--period",
        997,
        "--worker",
        f"collections:ebs={PERIOD},lbr=29",
        "--samples",
        tips,
        "--stats",
        stats,
        "--",
        program,
    )
    check(status == 0, f"status {status}: {err}")
    modes = {row["mode"]: row for row in mix(tips, "--by", "mode")}
    check(set(modes) >= {"U", "S"}, f"modes {set(modes)}")
    ran = json.loads(stats.read_text())["instructions"]
    ecalls = sum(row["exact"] for row in mix(tips, "--by", "mnemonic", "--top", 0) if row["mnemonic"] == "ecall")  # counted, though none retires
    check(ecalls > CALLS and sum(row["exact"] for row in modes.values()) - ecalls == ran, f"{modes}, {ecalls} system calls, {ran} instructions retired")
    for mode in "US":
        row = modes[mode]
        bound = SIGMAS / math.sqrt(row["exact"] / PERIOD)
        check(
            row["exact"] > 20 * PERIOD and abs(row["EBS"] / row["exact"] - 1) < bound,
            f"{mode}: EBS {row['EBS']:.0f}, exact {row['exact']:.0f}, bound {bound:.3f}",
        )
        check(abs(row["HBBP"] / row["exact"] - 1) < 0.15, f"{mode}: HBBP {row['HBBP']:.0f}, exact {row['exact']:.0f}")
    functions = {row["function"]: row for row in mix(tips, "--by", "function", "--top", 0)}
    row = functions["work"]
    check(row["exact"] >= 6 * ROUNDS and abs(row["HBBP"] / row["exact"] - 1) < 0.15, f"work: {row}")
    trap = functions.get("handle_exception")  # of the kernel's image: once a system call, at least
    check(trap and trap["exact"] >= 10 * CALLS and trap["HBBP"] > 0, f"handle_exception: {trap}")
    multiplies = {row["mnemonic"]: row for row in mix(tips, "--by", "mnemonic", "--filter", "mode=U", "--filter", "function=work", "--top", 0)}
    check(multiplies["mul"]["exact"] == ROUNDS, f"mul in work: {multiplies['mul']}")
    check(not any(row["function"] == "handle_exception" for row in mix(tips, "--by", "function", "--filter", "mode=U", "--top", 0)), "kernel code in U-mode")


if __name__ == "__main__":
    sys.exit(main())
