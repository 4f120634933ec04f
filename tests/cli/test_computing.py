#!/usr/bin/python3
"""What the report says of Computing, against a loop whose length and number are known, and against the profile's own states; -h.

    tests/cli/test_computing.py [--only TEXT]

Needs build/bin/tipoff, tipoff-cc and the model of small2.
"""
import json
import subprocess
import sys

from cli import ROOT, RUN, check, main, test, tipoff

ITERATIONS, BODY = 3000, 5  # of SOURCE's loop
SOURCE = f"""int main(void) {{
    asm volatile("li t0, {ITERATIONS}\\n1: addi t1, t1, 1\\naddi t2, t2, 1\\naddi t3, t3, 1\\naddi t0, t0, -1\\nbnez t0, 1b"
                 ::: "t0", "t1", "t2", "t3");
    return 0;
}}
"""


@test
def a_loop_of_known_length(folder):
    source, program, path = folder / "five.c", folder / "five.elf", folder / "five.tips"
    source.write_text(SOURCE)
    subprocess.run([ROOT / "build/bin/tipoff-cc", "-g", "-O1", source, "-o", program], check=True)
    status, _, err = tipoff(*RUN, "--quiet", "--period", 17, "--samples", path, program)
    check(status == 0, err)
    report = json.loads(tipoff("report", "--format", "json", path)[1])
    computing = report["computing"]
    states = sum(unit["states"].get("Computing", 0) for unit in report["units"])
    check(computing["weight"] == states, f"{computing['weight']}, its units say {states}")
    cycles = report["cycles"] * computing["weight"] / report["weight"]
    check(abs(computing["instructions_a_cycle"] * cycles - report["instructions"]) < 1, f"{computing}: {report['instructions']} instructions")
    check(0 < computing["instructions_a_cycle"] <= computing["width"] == 2, f"{computing}")
    loop = computing["loops"][0]
    check((loop["iterations"], loop["instructions"]) == (ITERATIONS, BODY), f"{loop}")
    check(0.95 * BODY / 2 <= loop["cycles"] <= BODY, f"{loop}: {BODY} instructions, at most two a cycle; sampled")
    text = tipoff("report", path)[1]
    check(f"{ITERATIONS:,} iterations of {BODY}.0 instructions" in text, text[-3000:])
    shown = json.loads(tipoff("report", "--format", "json", "--focus", "main", path)[1])["computing"]
    check(shown["instructions_a_cycle"] is None, "the run's instructions are not those of a part")


@test
def short_help(_):
    """-h is --help, of the command and not of the program that it runs."""
    for command in ("run", "report", "diff", "gus", "mix", "linux", "config", "sweep", "sensitivity"):
        status, out, err = tipoff(command, "-h")
        check((status, out, err) == tipoff(command, "--help"), f"{command} -h is not {command} --help: {err}")
        check(status == 0 and "sage:" in out, f"{command} -h: status {status}: {out}")


if __name__ == "__main__":
    sys.exit(main())
