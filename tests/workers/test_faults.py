#!/usr/bin/env python3
"""Faults in what a core says of itself, each must stop the run.

    tests/workers/test_faults.py [--config CONFIG] [--only TEXT] [--threads first|each] [--all]

A copy of the core's model calls the functions of tests/workers/inject.c instead of the DPI's; that library is loaded in
between and passes everything on with one thing wrong. The cross-check with the Oracle is off: it would find that the
selection, which the faults do not touch, does not fit. A run must end with status 3 (no progress: 5) and the line of the
worker named here. With the workers in a thread of their own and in the model's: the same words and statistics, of the first fault of each worker (--threads each: of all).
--all goes on to say, for each fault, which workers alone would have found it, and after how many
cycles. Last line: 'N passed, M failed'.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RENAMED = ["retire", "commit", "tick", "line_write", "dirty_line", "device_request", "device_data", "fflags", "access"]
PROGRAM = "build/workloads/vm_paging.small.elf"
FLOATING = "build/tests/isa/fdiv_d.elf"
RANDOM = "build/tests/fuzz/seed-3.elf"  # the timer interrupts it at work
WAITING = "build/tests/fuzz/seed-4.elf"  # ... and in a wfi
TIMER = "build/tests/isa/interrupts.elf"
RECORDS = "build/tests/isa/ctr.elf"
COUNTERS = "build/tests/isa/counters.elf"
OVERFLOWS = "build/tests/counting/overflow.elf"
DEVICES = "build/tests/isa/plic.elf"
PAIRS = "build/tests/isa/sc_d.elf"
ATOMICS = "build/tests/isa/amoadd_d.elf"
HOST = "tests/workers/host_files.c"  # the host writes what it reads

FAULTS = [  # fault, program, the worker whose line ends the run
    ("mispredict never", PROGRAM, "shadow ROB"),
    ("mispredict on every branch", PROGRAM, "shadow ROB"),
    ("flush never", PROGRAM, "shadow ROB"),
    ("flush on every CSR instruction", PROGRAM, "shadow ROB"),
    ("first never", PROGRAM, "shadow ROB"),
    ("valid of the head alone", PROGRAM, "shadow ROB"),
    ("oldest is a younger one", PROGRAM, "rob-head"),
    ("rob_empty never", PROGRAM, "rob-head"),
    ("rob_empty while one waits", PROGRAM, "shadow ROB"),
    ("redirect never", PROGRAM, "shadow ROB"),
    ("dispatch_rob", PROGRAM, "shadow ROB"),
    ("dispatch_pc", PROGRAM, "shadow ROB"),
    ("fetch_valid", PROGRAM, "fetch"),
    ("fetch_pc", PROGRAM, "fetch"),
    ("psv of the other lane", PROGRAM, "event-vectors"),
    *(
        (f"{when} {event}", PROGRAM, "event-vectors")
        for when in ("never", "every")
        for event in ("DR_L1", "DR_TLB", "FL_MB", "FL_EX", "ST_L1", "ST_TLB", "ST_LLC")
    ),
    ("every DR_SQ", PROGRAM, "event-vectors"),
    ("every FL_MO", PROGRAM, "event-vectors"),
    ("fflags", FLOATING, "fflags"),
    ("a written-back word", PROGRAM, "memory"),
    ("a word of a dirty line", PROGRAM, "memory"),
    ("a dirty line is lost", PROGRAM, "memory"),
    ("the timer's interrupt is lost", RANDOM, "interrupts"),
    ("the timer's interrupt is lost", WAITING, "watchdog"),
    ("the timer's interrupt comes by itself", TIMER, "interrupts"),
    ("mcycle", COUNTERS, "counters"),
    *((fault, OVERFLOWS, "counters") for fault in ("a counter of events", "OF", "scountovf", "LCOFIP")),
    ("a count", PROGRAM, "counters"),
    ("the mode while nothing commits", PROGRAM, "counters"),
    *((fault, RECORDS, "ctr") for fault in ("a record's source", "a record's cycles", "WRPTR")),
    *((f"a device's store {what}", DEVICES, "devices") for what in ("goes elsewhere", "is done twice", "has another bit", "has another width")),
    *((fault, DEVICES, "devices") for fault in ("a device is read twice", "a device's answer has another bit")),
    *(
        (f"a {what}", PROGRAM, "memory-order")
        for what in (
            "load is not bound",
            "load is bound elsewhere",
            "store is not visible",
            "store is visible elsewhere",
            "store is visible twice",
            "store has another bit",
        )
    ),
    ("the host's store is not visible", HOST, "memory-order"),
    ("another hart stores what the core does not see", PROGRAM, "memory-order"),
    ("another hart stores between LR and SC", PAIRS, "memory-order"),
    ("another hart stores between an AMO's load and its store", ATOMICS, "memory-order"),
    ("minstret", COUNTERS, "lockstep"),
    ("memory does not answer", PROGRAM, "watchdog"),
]
CORES = {RECORDS: "full2"}  # that have what the fault is in
# The axiom that is named; else the events contradict each other.
AXIOMS = {
    "a store is visible elsewhere": "the load value axiom",
    "a store has another bit": "the load value axiom",
    "the host's store is not visible": "the load value axiom",
    "another hart stores what the core does not see": "the load value axiom",
    "another hart stores between LR and SC": "the atomicity axiom",
    "another hart stores between an AMO's load and its store": "the atomicity axiom",
}
# Faults that are none: the run has to go on.
HARMLESS = [("another hart stores to bytes beside an AMO's", ATOMICS)]
STATUS = {"memory does not answer": 5}
OPTIONS = {
    "memory does not answer": ["--worker", "watchdog:limit=5000"],
    # The unit has counted what the bundle does not show; those that look at every flush have to look away.
    "a count": ["--count", "FLUSHES", "--worker", "shadow-rob:on=no"],
}


def make_program(source, folder):
    """The program of a C file; an ELF file is one."""
    if not source.endswith(".c"):
        return source
    program = folder / "program.elf"
    subprocess.run([ROOT / "build/bin/tipoff-cc", '-DTEXT="README.md"', ROOT / source, "-o", program], check=True)
    return program


def make_model(config, folder, file="model.so"):
    """The configuration's model with some of its imports renamed, and the library that has them."""
    text = (ROOT / f"build/{config}/{file}").read_bytes()
    for name in RENAMED:
        old, new = f"\0tipoff_{name}\0".encode(), f"\0tipoff_{name.capitalize()}\0".encode()
        assert text.count(old) >= 1, f"the model imports no tipoff_{name}"
        text = text.replace(old, new)
    model = folder / "model.so"
    model.write_bytes(text)
    library = folder / "inject.so"
    subprocess.run(
        ["clang", "-std=gnu17", "-O1", "-Wall", "-Werror", "-fPIC", "-shared", "-I.", "-Icsrc", "-Ibuild/gen", "-o", library, "tests/workers/inject.c"],
        check=True,
        cwd=ROOT,
    )
    return model, library


def words(text):
    """What is printed or written, without seconds and kHz."""
    return re.sub(rb'--threads \d|("wall_seconds"|"khz"):\s*[\d.e+-]+', b"", text)


def run(args, model, library, fault, program, *options):
    command = ["build/bin/tipoff", "run", "--config", args.config, "--model", model, "--no-oracle", "--quiet", "--max-cycles", "3000000", *options, program]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "LD_PRELOAD": str(library), "TIPOFF_FAULT": fault},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        timeout=300,
        check=False,
    )
    last = [line for line in done.stderr.decode(errors="replace").splitlines() if line.startswith("tipoff: ")]
    return done.returncode, last[-1][8:] if last else "", done.stderr


def run_ways(args, model, library, fault, program, ways):
    """In one thread, in two, or both: the same?"""
    results = []
    for threads in ways:
        stats = library.parent / "stats.json"
        status, text, err = run(args, model, library, fault, program, *OPTIONS.get(fault, []), "--threads", threads, "--stats", stats)
        results.append((status, text, words(err), words(stats.read_bytes())))
    return *results[0][:3], results[0] == results[-1]


def check(args, model, library, row, ways):
    fault, program, worker = row
    status, text, err, same = run_ways(args, model, library, fault, make_program(program, library.parent), ways)
    if not same:
        print(f"FAIL  {fault}: not the same in one thread and in two")
        return False
    good = status == STATUS.get(fault, 3) and text.startswith(worker + ":") and AXIOMS.get(fault, "") in text
    print(f"{'PASS' if good else 'FAIL'}  {fault}: {text or status}", flush=True)
    again = rf"^The same again: \S+tipoff run --config {args.config} --model {model} "
    if good and (worker != "watchdog") and not re.search(again.encode(), err, flags=re.M):
        print("FAIL  no command that repeats it")  # not for the waveform: this model has none
        return False
    return good


def table(args, model, library):
    """Fault by worker: the cycle in which it alone stops the run."""
    workers = [*"watchdog interrupts fflags rob-head lockstep shadow-rob fetch event-vectors counters ctr memory memory-order devices".split()]
    base = {"rob-head": ["lockstep"], "event-vectors": ["lockstep", "shadow-rob"]}
    print("| fault | " + " | ".join(workers) + " |")
    for fault, program, _ in FAULTS:
        cells = []
        for worker in workers:
            keep = {worker, "lockstep", *base.get(worker, [])}
            off = [option for other in workers if other not in keep for option in ("--worker", f"{other}:on=no")]
            status, text, _ = run(args, model, library, fault, program, *off)
            found = re.match(r"([a-zA-Z -]+): cycle (\d+)", text)
            mine = found and found[1].lower().replace(" ", "-") == worker
            cells.append(found[2] if status in (3, 5) and mine else "")
        print(f"| {fault} | " + " | ".join(cells) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--config", default="small2")
    parser.add_argument("--only", default="")
    parser.add_argument("--threads", choices=("first", "each"), default="first")
    parser.add_argument("--all", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        model, library = make_model(args.config, pathlib.Path(name))
        status, text, _ = run(args, model, library, "", PROGRAM)
        print(f"{'PASS' if status == 0 else 'FAIL'}  no fault: {text or status}", flush=True)
        results = [status == 0]
        for fault, program in HARMLESS:
            if args.only in fault:
                status, text, _ = run(args, model, library, fault, program)
                print(f"{'PASS' if status == 0 else 'FAIL'}  {fault}: {text or status}", flush=True)
                results.append(status == 0)
        seen = set()
        for row in FAULTS:
            if args.only not in row[0]:
                continue
            ways = "2" if args.threads == "first" and row[2] in seen else "12"
            seen.add(row[2])
            if row[1] not in CORES:
                results.append(check(args, model, library, row, ways))
                continue
            folder = pathlib.Path(name) / CORES[row[1]]
            folder.mkdir(exist_ok=True)
            other = argparse.Namespace(**{**vars(args), "config": CORES[row[1]]})
            results.append(check(other, *make_model(other.config, folder), row, ways))
        if args.all:
            table(args, model, library)
    print(f"{sum(results)} passed, {len(results) - sum(results)} failed")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
