#!/usr/bin/env python3
"""A loop as long as the period: jittered triggers, which are the default, meet all of it; the report of fixed ones does not take them for chance.

    tests/profile/test_beats.py CONFIG

Loops of additions that each need the one before, a cycle each, sampled every 97 cycles. One of 97 cycles, by every kind of trigger: at a fixed period each sample has the same place. Others at a fixed
period: one of 194 is met at two places, those of 24 and 100 at all. The report says half of the true error at least, which is the Oracle's in the same run, and one and a half times of it at most where triggers keep step; it names just those loops. Text and JSON
agree, and --by loop. Without exact counts of executions the word is "at least".
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "scripts"))
from suite import kept  # noqa: E402

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


STEP = (("--jitter=3",), ("--jitter=none",), ("--jitter-kind", "golden"))
OTHERS = {194: True, 24: False, 100: False}  # cycles of a round: whether a fixed period keeps step with it


def check(condition, message):
    if not condition:
        sys.exit(f"FAIL {message}")


def tipoff(*words):
    return kept.run([TIPOFF, *map(str, words)], check=True, capture_output=True, text=True, cwd=ROOT).stdout


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


def by_loop(tips):
    """The stated error of the loop that has most of the time."""
    report = json.loads(tipoff("report", "--by", "loop", "--format", "json", tips))
    return max((unit for unit in report["units"] if unit["depth"]), key=lambda unit: unit["weight"])["sampling_error"]


def same_everywhere(what, report, text):
    """Text says what JSON says."""
    said, least, step = report["sampling_error"], report["sampling_error_at_least"], report.get("in_step")
    line = re.search(r"sampling error: (about|at least) ([\d.]+) % of the time is booked to a wrong instruction", text)
    check(line and (line[1] == "at least") == least and line[2] == f"{100 * said:.1f}", f"{what}: {line and line[0]}, {said}")
    check(re.findall(r"^  (triggers keep step with .*)$", text, re.M) == ([step] if step else []), f"{what}: {step}: {text[:600]}")


def every_way(config, elf, tips):
    for options, (bits, golden, words) in WAYS.items():
        report, true, text = sampled(config, elf, tips, *options)
        said, what = report["sampling_error"], " ".join(options) or "default"
        print(f"{what}: {100 * said:.1f} % said, {100 * true:.1f} % is")
        check((report["jitter_bits"], report["golden"]) == (bits, golden), f"{what}: {report['jitter_bits']} bits, golden {report['golden']}")
        check(f" samples, {words}\n" in text, f"{what}: {text[:400]}")
        same_everywhere(what, report, text)
        check(not report["sampling_error_at_least"] and true / 2 <= said <= 1.5 * true, f"{what}: {said} said, {true} is")
        check(("in_step" in report) == (options in STEP), f"{what}: {report.get('in_step')}")
        check(abs(by_loop(tips) - said) < 0.1 * said, f"{what}: {by_loop(tips)} by loop, {said} in all")
        functions = json.loads(tipoff("report", "--format", "json", "--by", "function", tips))["sampling_error"]
        check(functions < 0.05, f"{what}: {functions} in another function, of a loop that calls none")
        if options == ("--jitter=none",):
            check(true > 0.9 and f"{LENGTH} cycles: its" in report["in_step"] and "are worth 1;" in report["in_step"], f"{true}: {report['in_step']}")


def main():
    config = sys.argv[1]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        tips, elf = folder / "x.tips", loop(LENGTH, 400, folder)
        every_way(config, elf, tips)
        report, true, text = sampled(config, elf, tips, "--jitter=none", "--no-cosim")
        same_everywhere("--no-cosim", report, text)
        check(report["sampling_error_at_least"] and "in_step" not in report and true > 0.9, f"--no-cosim: {report['sampling_error']}")
        for length, step in OTHERS.items():
            report, true, text = sampled(config, loop(length, 40000 // length, folder), tips, "--jitter=none")
            same_everywhere(length, report, text)
            print(f"{length} cycles: {100 * report['sampling_error']:.1f} % said, {100 * true:.1f} % is")
            check(
                ("in_step" in report, true > 0.8) == (step, step) and report["sampling_error"] >= true / 2,
                f"{length}: {report['sampling_error']} said, {true} is",
            )


if __name__ == "__main__":
    main()
