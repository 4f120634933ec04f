#!/usr/bin/env python3
"""`tipoff gus --harts N` and `--restore`: what is printed of each hart, the same at each run; where waiting takes its time; what is refused.

    tests/cli/test_gus_harts.py [--only TEXT]

Needs build/bin/tipoff, build/bin/tipoff-cc, build/workloads/interp.tiny.elf, and build/{small2,small2c}/gen.
"""
import csv
import io
import json
import subprocess
import sys

from cli import ROOT, TINY, check, main, refused, test, tipoff

sys.path.insert(0, str(ROOT / "tests/harts"))
from programs import built  # noqa: E402

GUS = ["gus", "--config", "small2c"]
HARTS = ROOT / "tests/harts"


def found(*arguments):
    status, out, err = tipoff(*GUS, "--format", "json", *arguments)
    check(status == 0 and err == "", f"gus {arguments}: status {status}: {err}")
    return json.loads(out)


def apart(folder, harts, rounds=4):
    return built(folder, f"-DHARTS={harts}", f"-DROUNDS={rounds}", HARTS / "start.S", HARTS / "apart.c", name=f"apart{harts}.elf")


@test
def each_hart(folder):
    """Harts that share nothing do twice the work in the time of one; all forms say the same, at each run."""
    program = apart(folder, 2)
    data = found("--harts", 2, program)
    check([h["hart"] for h in data["harts"]] == [0, 1], f"{data['harts']}")
    check(sum(h["instructions"] for h in data["harts"]) == data["instructions"], "instructions of all harts")
    check(sum(r["executions"] for r in data["rows"]) == data["instructions"], "executions sum up")
    times = [h["cycles"] for h in data["harts"]]
    check(abs(sum(r["cycles"] for r in data["rows"]) - sum(times)) < 1 + 1e-3 * len(data["rows"]), "the instructions' times sum up to the harts'")
    check(data["cycles"] == max(times) and min(times) > 0.9 * max(times), f"{data['cycles']} of {times}")
    alone = found(apart(folder, 1))
    check("harts" not in alone and alone["cycles"] > 0.95 * data["cycles"] and alone["instructions"] < 0.6 * data["instructions"], "one alone")
    check(data == found("--harts", 2, program), "the same again")
    rows = list(csv.DictReader(io.StringIO(tipoff(*GUS, "--harts", 2, "--format", "csv", program)[1])))
    check([int(r["executions"]) for r in rows] == [r["executions"] for r in data["rows"]], "CSV and JSON list the same instructions")
    text = tipoff(*GUS, "--harts", 2, "--top", 1, program)[1]
    check(f"{data['instructions']:,} instructions" in text and "\nHarts\n" in text and f"     1  {data['harts'][1]['instructions']:>12,}" in text, text)


@test
def one_hart_is_as_without(_folder):
    for form in ("text", "json"):
        a, b = (tipoff(*GUS, *more, "--format", form, TINY) for more in ([], ["--harts", 1]))
        check(a == b and a[0] == 0, f"--harts 1: {form}")


@test
def waiting(folder):
    """How far harts may be apart changes what they meet with little: a word goes to and fro, a barrier is passed, within some per cent."""
    for name in ("latency", "scale"):
        program = built(folder, "-DHARTS=2", HARTS / "start.S", HARTS / f"{name}.c", name=f"{name}.elf")
        times = [found("--harts", 2, "--ahead", ahead, program)["cycles"] for ahead in (0, 100, 1000)]
        check(max(times) < 1.05 * min(times), f"{name}: {times}")


@test
def restored(folder):
    """A checkpoint goes on as the run that wrote it: one hart, and two."""
    program, machine = apart(folder, 2), folder / "machine.tck"
    whole = found("--harts", 2, program)
    status, _, err = tipoff("iss", "--quiet", "--harts", 2, "--checkpoint", machine, "--at", 200000, program)
    check(status == 0, err)
    rest = found("--restore", machine)
    check(rest["instructions"] == whole["instructions"] - 200000, f"{rest['instructions']} of {whole['instructions']}")
    check(0.4 < rest["cycles"] / whole["cycles"] < 0.6, f"{rest['cycles']} of {whole['cycles']}")
    part = found("--restore", machine, "--max-insns", 1000)
    check(part["instructions"] == 1000, "--max-insns")
    status, _, err = tipoff("iss", "--quiet", "--checkpoint", machine, "--at", 3000, TINY)
    check(status == 0, err)
    one = found("--restore", machine, TINY)
    check(one["instructions"] == found(TINY)["instructions"] - 3000 and "main" in json.dumps(one), "one hart")


@test
def wrong(folder):
    program = apart(folder, 2)
    for option in (["--sensitivity"], ["--to", 100], ["--from", "hart_main"], ["--function", "hart_main"]):
        refused([*GUS, "--harts", 2, *option, program], "an execution ends the run" if option[0] == "--to" else "are for one hart")
    refused([*GUS, "--harts", 2, "--quantum", 100, program], "--quantum: the harts go by the model's time here: give --ahead")
    refused([*GUS, "--harts", 2, "--ahead", 1000001, program], "--ahead", lines=0)
    sleepers = folder / "sleep.S"
    sleepers.write_text(".globl _start\n_start: csrw mie, zero\n1: wfi\n j 1b\n")
    subprocess.run(
        [
            "riscv64-unknown-elf-gcc",
            "-nostdlib",
            "-static",
            "-T",
            ROOT / "tests/fuzz/link.ld",
            "-Wl,--defsym=finisher=0x100000",
            "-o",
            folder / "sleep.elf",
            sleepers,
        ],
        check=True,
    )
    status, out, err = tipoff(*GUS, "--harts", 2, folder / "sleep.elf")
    check(status == 5 and "all harts wait in wfi" in err and "Harts" in out, f"status {status}: {err}")


if __name__ == "__main__":
    main()
