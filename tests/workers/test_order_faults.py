#!/usr/bin/env python3
"""Faults between coherent cores and the checker of memory's order: each must stop a run of several harts, with the axiom that does not hold.

    tests/workers/test_order_faults.py [--only TEXT]

A copy of the core's model calls the functions of tests/workers/order_faults.c instead of two of the DPI's. That library is loaded in
between and passes on what the cores say of their accesses, with one event shifted in time, changed, exchanged, added or left out. The
programs are tests/harts/words.S, whose harts store, add, and take reservations in one line, and polls.S.
Last line: 'N passed, M failed'.
"""
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from cli import ROOT, TIPOFF, check, main, test, tipoff  # noqa: E402

CONFIG = "small2c"
RENAMED = ["access", "commit"]
LINE = "the value of a line"
VALUES = [  # where the core reports what its lines have in them, as it does: fault, program of two harts, the axiom that is named
    ("a line has another bit", "words", LINE),
    ("a store is visible late", "polls", LINE),  # its line is shared before
    ("two stores change places", "words", LINE),
    ("a store is not visible", "words", LINE),
]
FAULTS = [  # the same where it reports their states alone: what the other axioms find
    ("a store is visible late", "polls", "one writer or many readers"),  # the other hart has a copy by then, for it has loaded the value
    ("a load is bound late", "polls", "the load value axiom"),  # the other hart has stored by then
    ("a store has another bit", "words", "the load value axiom"),
    ("a store is visible elsewhere", "words", "the load value axiom"),
    ("a load is bound elsewhere", "words", "these events are of no machine"),  # the ISS says where it loads
    ("two stores change places", "words", "rule 4 of preserved program order"),  # across the loop's fence
    ("a store is not visible", "words", "rule 4 of preserved program order"),  # as the load after the fence is bound
    ("a store is another hart's", "words", "rule 4 of preserved program order"),  # its own never comes
    ("a store between LR and SC", "words", "the atomicity axiom"),
    ("a store between an AMO's load and its store", "words", "the atomicity axiom"),
    ("an AMO's store has another bit", "words", "the load value axiom"),
    ("a line's loss is not reported", "words", "one writer or many readers"),
    ("a line's loss is reported late", "words", "one writer or many readers"),
    ("a line of one's own is reported as shared", "words", "one writer or many readers"),
    ("a shared line is reported as one's own", "words", "one writer or many readers"),
]
PROGRAMS = {"words": "tests/harts/words.S", "polls": "tests/workers/polls.S"}


def built(folder):
    """(model whose imports are renamed, library that has them, {name: program})"""
    shutil.copy(ROOT / f"build/{CONFIG}/hub.so", folder / "hub.so")
    text = (ROOT / f"build/{CONFIG}/model.so").read_bytes()
    for name in RENAMED:
        old, new = f"\0tipoff_{name}\0".encode(), f"\0tipoff_{name.capitalize()}\0".encode()
        check(text.count(old) >= 1, f"the model imports no tipoff_{name}")
        text = text.replace(old, new)
    model, library = folder / "model.so", folder / "faults.so"
    model.write_bytes(text)
    source = "tests/workers/order_faults.c"
    subprocess.run(
        ["clang", "-std=gnu17", "-O1", "-Wall", "-Werror", "-fPIC", "-shared", "-I.", "-Icsrc", "-Ibuild/gen", "-o", library, source], check=True, cwd=ROOT
    )
    link = ["-nostdlib", "-static", "-T", ROOT / "tests/fuzz/link.ld", "-Wl,--no-warn-rwx-segments,--defsym=finisher=0x100000"]
    for name, path in PROGRAMS.items():
        command = ["riscv64-unknown-elf-gcc", "-march=rv64ima_zicsr_zifencei", "-mabi=lp64", *link, "-DSTRIDE=0", "-o", folder / f"{name}.elf", ROOT / path]
        subprocess.run(command, check=True)
    return model, library, {name: folder / f"{name}.elf" for name in PROGRAMS}


def run(model, library, program, fault, lines):
    env = {**os.environ, "LD_PRELOAD": str(library), "TIPOFF_FAULT": fault, "TIPOFF_LINES": lines}
    return tipoff("run", "--config", CONFIG, "--model", model, "--quiet", "--harts", 2, "--threads", 1, "--no-oracle", "--max-cycles", 200000, program, env=env)


@test
def order_faults(folder):
    model, library, programs = built(folder)
    for name, program in programs.items():
        status, _, err = run(model, library, program, "", "values")
        check(status == 0, f"{name} without a fault: status {status}: {err}")
    wrong = []
    for fault, name, axiom, lines in [(*row, "values") for row in VALUES] + [(*row, "states") for row in FAULTS]:
        status, _, err = run(model, library, programs[name], fault, lines)
        line = next((line for line in err.splitlines() if "memory-order: cycle" in line), err.strip()[-200:])
        good = status == 3 and axiom in line
        print(f"{'PASS' if good else 'FAIL'}  {fault}: {line if line else f'status {status}'}", flush=True)
        if not good:
            wrong.append(f"{fault}: status {status}, '{axiom}' expected")
    check(not wrong, f"{'; '.join(wrong)}: {TIPOFF}")


if __name__ == "__main__":
    sys.exit(main())
