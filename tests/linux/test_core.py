#!/usr/bin/env python3
"""Linux on a core, with every check: the same output and status as on the ISS, and every instruction compared.

    tests/linux/test_core.py [--skip-unbuilt] [--boot] CONFIG...

A program, from its first instruction on: it prints, forks, waits for its child and reads files: about half a million instructions, most of them the
kernel's. --boot: instead the whole boot, firmware and kernel, from reset to the power-off: 24 million, minutes. --skip-unbuilt: reports it and goes
on where a configuration has no model. Needs build/bin/tipoff, build/linux/linux.elf (make linux), the models and riscv64-linux-gnu-gcc.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIPOFF = str(ROOT / "build/bin/tipoff")
LINUX = ROOT / "build/linux/linux.elf"
LEAST, LEAST_BOOT = 100_000, 20_000_000  # instructions
HOURS = 6 * 3600


def run(*arguments, timeout=1200, cwd=None):
    done = subprocess.run([TIPOFF, *map(str, arguments)], input=b"some input\n", capture_output=True, timeout=timeout, check=False, cwd=cwd)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def linux(*arguments):
    return run("linux", *arguments)


def compared(stats, least, samples):
    """What the statistics say was compared; None: not everything, or too little."""
    statistics = json.loads(stats.read_text(encoding="utf-8")) if stats.exists() else {}
    checks = statistics.get("checks", {})
    whole = checks.get("instructions", 0) == statistics.get("instructions") and checks.get("cycles") == statistics.get("cycles")
    return statistics if whole and checks["instructions"] >= least and statistics["samples"] >= samples else None


def line(statistics):
    return f"{statistics['instructions']} instructions, {statistics['checks']['traps']} traps, {statistics['cycles']} cycles, {statistics['samples']} samples"


def said(text):
    """Without tipoff's own lines (a hart of another kind boots once)."""
    return [line_ for line_ in text.splitlines() if not line_.startswith("tipoff: ")]


def of_itself(config, folder, program):
    """Nothing is asked of a run: it samples into PROGRAM.tips, named after the program and not the kernel, and its last line prints the report."""
    status, _, err = run("linux", "--config", config, "--", program, "7", cwd=folder)
    last = err.splitlines()[-1] if err else ""
    if status != 7 or last != f"report: tipoff report {program.name}.tips":
        return [f"a run that nothing is asked of: status {status}: {err}"]
    status, out, err = run(*last.removeprefix("report: tipoff ").split(), cwd=folder)
    return [] if status == 0 and f"main [{program.name}]" in out else [f"its report: status {status}: {err}{out}"]


def programs(config, folder):
    program, stats, samples = folder / "probe", folder / "stats.json", folder / "x.tips"
    faults, done = [], None
    subprocess.run(["riscv64-linux-gnu-gcc", "-O2", "-static", "-o", program, ROOT / "tests/linux/probe.c", "-lm"], check=True)
    linux("--iss", "--", program)  # the first one boots
    for what in "fork", "7":
        stats.unlink(missing_ok=True)
        want = linux("--iss", "--", program, what)
        got = linux("--config", config, "--quiet", "--period", 997, "--jitter", "--samples", samples, "--stats", stats, "--", program, what)
        if (got[:2], said(got[2])) != (want[:2], said(want[2])):
            faults.append(f"{what}: on {config} {got}, on the ISS {want}")
        done = compared(stats, LEAST, 100)
        if not done:
            faults.append(f"{what}: not all was compared: {stats.read_text() if stats.exists() else 'no statistics'}")
    stats.unlink(missing_ok=True)
    status, _, err = linux("--config", config, "--quiet", "--warmup", 50_000, "--max-insns", 20_000, "--stats", stats, "--", program, "7")
    region = json.loads(stats.read_text(encoding="utf-8")) if stats.exists() else {}
    if status != 124 or not 0 <= region["instructions"] - 20_000 < 8 or not 50_000 <= region["from_instruction"] < 51_000:
        faults.append(f"a region after a warm-up: status {status}: {err}: {region}")
    faults += of_itself(config, folder, program)
    # In two steps, by a machine that was saved for this core's kind of hart.
    machine = folder / "saved.machine"
    saved = linux("--checkpoint", machine, "--config", config, "--", program, "7")
    restored = run("run", "--config", config, "--quiet", "--restore", machine, "--max-insns", 2000)
    if saved[0] != 0 or restored[0] != 124 or "difference" in restored[2]:
        faults.append(f"--checkpoint for {config}: {saved}, restored {restored}")
    if not re.fullmatch(r"argument .*\nargument 7\nPROBE=\n1\.732050807568877\nstdin:some input\n\|\n/some/where:\|\nprobe.txt:\|\n", want[1]) or want[0] != 7:
        faults.append(f"the ISS itself: {want}")
    return faults, done


def same_hart(text):
    """Without what firmware says of the regions of memory protection, the ISS's own hart has 8 of them."""
    return re.sub(r"(PMP Count +: )\d+", r"\1", text)


def boot(config, folder):
    stats = folder / "stats.json"
    want = run("iss", "--quiet", LINUX)
    got = run("run", "--config", config, "--quiet", "--stats", stats, LINUX, timeout=HOURS)
    faults = []
    if want[0] != 0 or not want[1].endswith("nothing to run\n"):
        faults.append(f"the ISS itself: {want}")
    if (got[0], same_hart(got[1]), said(got[2])) != (want[0], same_hart(want[1]), said(want[2])):
        faults.append(f"on {config} {got}, on the ISS {want}")
    done = compared(stats, LEAST_BOOT, 0)
    if not done:
        faults.append(f"not all was compared: {stats.read_text() if stats.exists() else 'no statistics'}")
    return faults, done


def test(config, arguments):
    if arguments.skip_unbuilt and not (ROOT / f"build/{config}/model.so").exists():
        print(f"{config}: left out, there is no model (make build/{config}/model.so)")
        return True
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        faults, done = (boot if arguments.boot else programs)(config, pathlib.Path(name))
    print("\n".join(faults) or f"{config}: {line(done)}, {time.monotonic() - started:.0f} s", flush=True)
    return not faults


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("configs", nargs="+", metavar="CONFIG")
    parser.add_argument("--boot", action="store_true")
    parser.add_argument("--skip-unbuilt", action="store_true")
    arguments = parser.parse_args()
    results = [test(config, arguments) for config in arguments.configs]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
