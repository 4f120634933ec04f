#!/usr/bin/env python3
"""`tipoff report --format vcd`: by a reader here, each sample of `tipoff samples` stands in its cycle; and in the waveforms of the same run (FST)
the design shows the same at the same time."""
import csv
import os
import re
import subprocess
import sys

from exports import PROGRAM, ROOT, check, exported, main, refused, sampled, table, test, tipoff

ROWS = [line.split("\t") for line in (ROOT / "tables/events.tsv").read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
EVENTS = [row[0] for row in ROWS if row[4] == "-"]  # of every core
MODES = {"U": "user", "S": "supervisor", "M": "machine"}


def read(path):
    """IEEE 1364-2005, 18.2: (timescale, {name: bits, 0 for a string}, [(time, {name: value})] at each time of a change, the end)."""
    tokens = iter(path.read_text(encoding="utf-8").split())
    scopes, names, bits, timescale, changes = [], {}, {}, None, []

    def until_end():
        return list(iter(tokens.__next__, "$end"))

    for token in tokens:
        if token == "$scope":
            scopes.append(until_end()[1])
        elif token == "$upscope":
            check(until_end() == [] and scopes, "scopes")
            scopes.pop()
        elif token == "$timescale":
            timescale = "".join(until_end())
        elif token == "$var":
            kind, size, code, name, *span = until_end()
            size = int(size)
            check(kind in ("wire", "string") and span == ([f"[{size - 1}:0]"] if size > 1 else []), f"{name} {span}")
            check(code not in names, f"code {code}")
            names[code] = ".".join([*scopes, name])
            bits[names[code]] = 0 if kind == "string" else size
        elif token == "$enddefinitions":
            check(until_end() == [] and not scopes and len(set(names.values())) == len(names), "definitions end")
        elif token == "$comment":
            until_end()
        elif token.startswith("#"):
            check(not changes or int(token[1:]) > changes[-1][0], "time goes on")
            changes.append((int(token[1:]), {}))
        elif token == "$dumpvars":
            check(changes[-1][0] == 0, "at the beginning")
        elif token == "$end":
            check(set(changes[-1][1]) == {name for name, size in bits.items() if size}, "all values at the beginning")
        elif token[0] in "bs":
            name = names[next(tokens)]
            check((bits[name] == 0) == (token[0] == "s"), f"{name}: {token}")
            check(token[0] == "s" or len(token) - 1 <= bits[name], f"{name}: {token}")
            changes[-1][1][name] = token[1:]
        else:
            check(token[0] in "01x" and bits[names[token[1:]]] == 1, token)
            changes[-1][1][names[token[1:]]] = token[0]
    return timescale, bits, [(time, values) for time, values in changes if values], changes[-1][0]


def shown(path):
    """What the picture shows in each cycle of a sample: [(time, {name: value})], numbers as numbers. `sampled` is high for a cycle."""
    timescale, bits, changes, end = read(path)
    check(timescale == "1ps", timescale)
    now, states, high = {}, [], None
    for time, values in changes:
        now.update(values)
        if high is not None:
            check(time == high + 2, f"a sample of {high} lasts up to {time}")
        high = None
        if now["tipoff.sampled"] == "1":
            high = time
            states.append((time, {name: value if not bits[name] else int(value, 2) if "x" not in value else value for name, value in now.items()}))
        elif time:
            check(set(values) == {"tipoff.sampled"}, f"{time}: all else holds: {values}")
    check(high is None and end > states[-1][0], "the last one ends")
    return states


def samples(path):
    status, out, err = tipoff("samples", path)
    check(status == 0, err)
    return list(csv.DictReader(out.splitlines()))


def compare(path, width=2):
    states, rows = shown(exported("vcd", path)), samples(path)
    _, profile = table(path)
    texts = {(row["unit"], row["mode"], row["space"]): (re.sub(r"\+0x[0-9a-f]+$", "", row["name"]), row["instruction"]) for row in profile}
    check(len(states) == len(rows) > 100, f"{len(states)} samples of {len(rows)}")
    named = 0
    for (time, now), row in zip(states, rows):
        what = f"sample of cycle {row['cycle']}: {now}"
        check(time == 2 * int(row["cycle"]) + 8, what)
        lanes = int(row["valid"])
        first = int(row["oldest"]) if lanes else None
        check((now["tipoff.state"], now["tipoff.mode"], now["tipoff.space"]) == (row["state"], MODES[row["priv"]], int(row["space"], 16)), what)
        check(now["tipoff.state_number"] == ["Computing", "Stalled", "Flushed", "Drained"].index(row["state"]), what)
        check(now["tipoff.triggers"] == 1 + int(row["repeats"]) + int(row["stalled"]), what)
        check(now["tipoff.commits"] == (lanes.bit_count() if row["state"] == "Computing" else 0), what)
        for flag in ("exception", "flush", "mispredict"):
            check(now[f"tipoff.{flag}"] == int(row[flag]), what)
        for lane in range(width):
            addr, psv = row[f"addr{lane}"], row[f"psv{lane}"]
            expected = (int(addr != ""), int(addr or "0", 16), int(psv or "0"))
            check(tuple(now[f"tipoff.lane{lane}.{name}"] for name in ("valid", "pc", "psv")) == expected, what)
        psv = int(row[f"psv{first}"]) if lanes else 0
        check((now["tipoff.pc"], now["tipoff.psv"]) == (int(row[f"addr{first}"], 16) if lanes else 0, psv), what)
        check([now[f"tipoff.{event}"] for event in EVENTS] == [psv >> bit & 1 for bit in range(len(EVENTS))], what)
        known = texts.get((hex(now["tipoff.pc"]), now["tipoff.mode"], row["space"]))
        if known:
            named += 1
            function, instruction = (text.replace(" ", "_") or "-" for text in known)
            check(now["tipoff.function"] == function and now["tipoff.instruction"] == instruction, f"{what}: {known}")
    check(named > 0.9 * len(rows), f"{named} have names")
    return states, rows


@test
def test_samples(folder):
    states, _ = compare(sampled(folder))
    check(len({now["tipoff.state"] for _, now in states}) == 4, "all states")


@test
def test_modes(folder):
    compare(sampled(folder, program=ROOT / "build/workloads/vm_procs.small.elf"))


def fst_values(path, signals, times, folder):
    """Of each time the values of the signals, by GTKWave's reader; compiled here."""
    reader = folder / "fst_values"
    if not reader.exists():
        root = subprocess.run(["verilator", "--getenv", "VERILATOR_ROOT"], capture_output=True, text=True, check=True).stdout.strip()
        include = f"{root}/include"
        subprocess.run(
            [
                "clang",
                "-w",
                "-O1",
                f"-I{include}",
                f"-I{include}/gtkwave",
                '-DFST_CONFIG_INCLUDE="fst_config.h"',
                ROOT / "tests/exports/fst_values.c",
                *(f"{include}/gtkwave/{name}.c" for name in ("fstapi", "fastlz", "lz4")),
                "-lz",
                "-lpthread",
                "-o",
                reader,
            ],
            check=True,
        )
    done = subprocess.run([reader, path, *signals], input="\n".join(map(str, times)), capture_output=True, text=True, timeout=100, check=False)
    check(done.returncode == 0, done.stderr)
    first, *lines = done.stdout.splitlines()
    check(first == "timescale -12", f"1 ps there, too: {first}")
    return [dict(zip(signals, (int(value, 2) for value in line.split()))) for line in lines]


@test
def test_beside_the_design(folder):
    """The unit's own output, and the addresses that commit, are in the design's waveforms what the sample says, at the same time; and not a cycle earlier or later."""
    first, last = 40000, 44000
    path = sampled(folder, "--fst", folder / "run.fst", "--fst-from", first, "--fst-to", last, program=PROGRAM)
    states = [(time, now) for time, now in shown(exported("vcd", path)) if 2 * first + 8 < time < 2 * last]
    check(len(states) > 30, f"{len(states)} samples")
    at = "TOP.sim_top."
    signals = [
        at + name
        for name in ("bundle.commit", "bundle.pc[0]", "bundle.pc[1]", "bundle.rob_empty", "sample.state", "sample.valid", "sample.addr[0]", "sample.addr[1]")
    ]
    computing = 0
    for early in (-2, 0, 1, 2):
        agree = 0
        for (_, now), design in zip(states, fst_values(folder / "run.fst", signals, [time + early for time, _ in states], folder)):
            design = {name.removeprefix(at): value for name, value in design.items()}
            same = design["sample.state"] == now["tipoff.state_number"]
            if now["tipoff.state"] != "Drained":  # whose instruction comes later
                same = same and design["sample.valid"] == now["tipoff.lane0.valid"] + 2 * now["tipoff.lane1.valid"]
            if now["tipoff.state"] == "Computing":
                for lane in (0, 1):
                    valid = now[f"tipoff.lane{lane}.valid"]
                    same = same and design["bundle.commit"] >> lane & 1 == valid
                    same = same and (not valid or now[f"tipoff.lane{lane}.pc"] == design[f"bundle.pc[{lane}]"] == design[f"sample.addr[{lane}]"])
                computing += early == 0
            agree += same
        if early in (0, 1):
            check(agree == len(states), f"{agree} of {len(states)} agree {early} ps later")
        else:
            check(agree < 0.8 * len(states), f"{agree} of {len(states)} agree {early} ps later as well")
    check(computing > 5, f"{computing} in Computing")


@test
def test_refused(folder):
    path = sampled(folder)
    refused(["report", "--format", "vcd", "--profiler", "NCI", path], "vcd", "NCI", "--profiler")
    refused(["report", "--format", "vcd", "--children", path], "--children")
    refused(["report", "--format", "vcd", "--output", path, path], "--output")


if __name__ == "__main__":
    os.chdir(ROOT)
    sys.exit(main())
