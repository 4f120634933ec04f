#!/usr/bin/env python3
"""A loop as long as the period: jittered triggers, which are the default, meet all of it; the report of fixed ones does not take them for chance.

    tests/profile/test_beats.py CONFIG

A loop of 97 additions that each need the one before, 97 cycles a round, sampled every 97 cycles: at a fixed period each sample is of the same place. The true error is the Oracle's, in the same
run. Text, JSON and the file agree on the triggers, and text and JSON on the error.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIPOFF = str(ROOT / "build/bin/tipoff")
PERIOD = LENGTH = 97
WAYS = {  # options: width in bits and kind of the jitter, its words
    (): (6, False, "one every 97 cycles on average, jittered by less than 2^6"),
    ("--jitter",): (6, False, "one every 97 cycles on average, jittered by less than 2^6"),
    ("--jitter=3",): (3, False, "one every 97 cycles on average, jittered by less than 2^3"),
    ("--jitter=none",): (0, False, "one every 97 cycles, without jitter"),
    ("--jitter-kind", "golden"): (6, True, "one every 97 cycles on average, moved by the golden ratio by less than 2^6"),
    ("--jitter-kind", "fractional"): (0, True, "one every 97 cycles, or one more, by the golden ratio"),
}
RANDOM = ((), ("--jitter",), ("--jitter=3",))


def check(condition, message):
    if not condition:
        sys.exit(f"FAIL {message}")


def tipoff(*words):
    return subprocess.run([TIPOFF, *map(str, words)], check=True, capture_output=True, text=True, cwd=ROOT).stdout


def loop(length, rounds, folder):
    """A chain of `length` - 1 additions and the branch, which commits with the last of them."""
    source, elf = folder / f"{length}.S", folder / f"{length}.elf"
    source.write_text(
        f".option norvc\n.globl main\nmain: li a2, {rounds}\nloop: .rept {length - 1}\naddi a0, a0, 1\n.endr\naddi a2, a2, -1\naddi a0, a0, 1\nbnez a2, loop\nli a0, 0\nret\n"
    )
    subprocess.run([ROOT / "build/bin/tipoff-cc", source, "-o", elf], check=True, cwd=ROOT)
    return elf


def sampled(config, elf, tips, *options):
    tipoff("run", "--config", config, "--quiet", "--period", PERIOD, *options, "--samples", tips, elf)
    report = json.loads(tipoff("report", "--format", "json", tips))
    true = next(row["error"] for row in report["errors"] if (row["profiler"], row["granularity"], row["components"]) == ("TIP", "instruction", "time"))
    return report, true, tipoff("report", tips)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        elf = loop(LENGTH, 400, folder)
        for options, (bits, golden, words) in WAYS.items():
            report, true, text = sampled(sys.argv[1], elf, folder / "x.tips", *options)
            said, least = report["sampling_error"], report["sampling_error_at_least"]
            print(f"{' '.join(options) or 'default'}: {'at least' if least else 'about'} {100 * said:.1f} % said, {100 * true:.1f} % is")
            check((report["jitter_bits"], report["golden"]) == (bits, golden), f"{options}: {report['jitter_bits']} bits, golden {report['golden']}")
            check(f" samples, {words}\n" in text, f"{options}: {text[:400]}")
            line = re.search(r"sampling error: (about|at least) ([\d.]+) % of the time is booked to a wrong instruction", text)
            check(line and (line[1] == "at least") == least and line[2] == f"{100 * said:.1f}", f"{options}: {line and line[0]}, {said}")
            check(least == (options not in RANDOM), f"{options}: {line[0]}")
            check(options != ("--jitter=none",) or true > 0.9, f"{options}: no beat: {true}")
            check(options != () or true < 1.3 * said, f"{options}: {said} said, {true} is")


if __name__ == "__main__":
    main()
