#!/usr/bin/env python3
"""The stories of hybrid basic block profiling (Nowak et al., VIII.C and E) as the mix shows them, from samples alone: a lack of inlining, and scalar code in the
place of packed code. Each number that a story rests on is beside the exact one.

    tests/cli/test_mix_stories.py [--only TEXT]

Needs build/bin/tipoff, build/bin/tipoff-cc, build/small2/model.so.
"""
import json
import subprocess
import sys

from cli import ROOT, RUN, check, main, test, tipoff

COLLECTIONS = "collections:ebs=101,lbr=13"  # 11 divides the 66 transfers of a row of mix_calls: the mix would have 1,559 calls for 1,091


def mixed(folder, source, by, *flags):
    """What the program prints; HBBP's and the exact executions by the key."""
    program, samples = folder / f"program{len(flags)}.elf", folder / f"program{len(flags)}.tips"
    subprocess.run([ROOT / "build/bin/tipoff-cc", *flags, f"tests/cli/{source}", "-o", program], check=True, cwd=ROOT)
    status, out, err = tipoff(*RUN, "--quiet", "--period", 9973, "--samples", samples, "--worker", COLLECTIONS, program)
    check(status == 0, err)
    status, text, err = tipoff("mix", "--compare", "--by", by, "--format", "json", samples)
    check(status == 0, err)
    rows = json.loads(text)["rows"]
    return out, {r[by]: r["HBBP"] for r in rows}, {r[by]: r["exact"] for r in rows}


@test
def missing_inlining(folder):
    """The paper's regression: 6,150 million calls in the place of 99, 62 times as many, and as many vector instructions as expected (its table 6)."""
    out, good, exact_good = mixed(folder, "mix_calls.c", "class")
    same, bad, exact_bad = mixed(folder, "mix_calls.c", "class", "-DCALLED")
    check(out == same, "both compute the same")
    calls = bad["call"] / good["call"]
    check(calls > 50, f"{calls:.1f} times as many calls: {good['call']:.0f} and {bad['call']:.0f}")
    check(abs(calls / (exact_bad["call"] / exact_good["call"]) - 1) < 0.25, f"{calls:.1f} times, exactly {exact_bad['call'] / exact_good['call']:.1f}")
    check(abs(bad["multiply"] / good["multiply"] - 1) < 0.05, f"the arithmetic is the same: {good['multiply']:.0f} and {bad['multiply']:.0f} multiplications")
    check(abs(bad["call"] / bad["return"] - 1) < 0.05, "each call returns")


@test
def scalar_for_packed(folder):
    """CLForward (table 8): many scalar accesses, replaced by fewer packed ones."""
    out, scalar, exact_scalar = mixed(folder, "mix_bytes.c", "bytes")
    same, packed, exact_packed = mixed(folder, "mix_bytes.c", "bytes", "-DPACKED")
    check(out == same, "both compute the same")
    check(scalar["1"] > 0.9 * sum(n for size, n in scalar.items() if size != "0"), f"nearly all accesses have one byte: {scalar}")
    check(packed["8"] > 0.7 * sum(n for size, n in packed.items() if size != "0"), f"most accesses have eight bytes: {packed}")
    check(abs((scalar["1"] - packed["1"]) / (packed["8"] - scalar["8"]) / 8 - 1) < 0.1, f"eight for one: {scalar} and {packed}")
    for found, exact in ((scalar, exact_scalar), (packed, exact_packed)):
        check(abs(found["1"] - exact["1"]) + abs(found["8"] - exact["8"]) < 0.05 * (exact["1"] + exact["8"]), f"{found}, exactly {exact}")


if __name__ == "__main__":
    sys.exit(main())
