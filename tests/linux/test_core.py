#!/usr/bin/env python3
"""A Linux program on a core, with every check: the same output and status as on the ISS, and every instruction compared.

    tests/linux/test_core.py CONFIG

Needs build/bin/tipoff, build/linux/linux.elf (make linux), the model of CONFIG and riscv64-linux-gnu-gcc. The program prints, forks, waits
for its child and reads files: about half a million instructions, most of them the kernel's.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIPOFF = str(ROOT / "build/bin/tipoff")
LEAST = 100_000  # instructions


def linux(*arguments):
    done = subprocess.run([TIPOFF, "linux", *map(str, arguments)], input=b"some input\n", capture_output=True, timeout=1200, check=False)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def main():
    config, faults = sys.argv[1], []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        program, stats, samples = folder / "probe", folder / "stats.json", folder / "x.tips"
        subprocess.run(["riscv64-linux-gnu-gcc", "-O2", "-static", "-o", program, ROOT / "tests/linux/probe.c", "-lm"], check=True)
        linux("--iss", "--", program)  # the first one boots
        for what in "fork", "7":
            want = linux("--iss", "--", program, what)
            got = linux("--config", config, "--quiet", "--period", 997, "--jitter", "--samples", samples, "--stats", stats, "--", program, what)
            if got != want:
                faults.append(f"{what}: on {config} {got}, on the ISS {want}")
            statistics = json.loads(stats.read_text(encoding="utf-8")) if stats.exists() else {}
            checked = statistics.get("checks", {}).get("instructions")
            if not checked or checked != statistics["instructions"] or checked < LEAST or statistics["samples"] < 100:
                faults.append(f"{what}: {checked} instructions compared: {statistics}")
    if not re.fullmatch(r"argument .*\nargument 7\nPROBE=\n1\.732050807568877\nstdin:some input\n\|\n/some/where:\|\nprobe.txt:\|\n", want[1]) or want[0] != 7:
        faults.append(f"the ISS itself: {want}")
    print("\n".join(faults) or f"{checked} instructions, {statistics['checks']['traps']} traps, {statistics['cycles']} cycles, {statistics['samples']} samples")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
