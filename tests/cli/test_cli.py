#!/usr/bin/env python3
"""The command line: every bad input by its message and exit status.

    tests/cli/test_cli.py [--only TEXT]

Needs build/bin/tipoff, build/workloads/interp.{tiny,large}.elf, queens.small.elf and the model of small2. Bad input has to give exit status 2, nothing
on stdout, one line on stderr that names the file, the fault and the remedy, and no file where one was to be written.
"""
import json
import os
import re
import shutil
import struct
import subprocess
import sys

from cli import BLOCK, LARGE, ROOT, RUN, TINY, check, main, refused, sampled, test, tipoff


# ---- damaged programs ----
def patched(offset, form, *values):
    data = bytearray(TINY.read_bytes())
    struct.pack_into(form, data, offset, *values)
    return bytes(data)


def bad_programs():
    """name -> (content, texts)"""
    good = TINY.read_bytes()
    headers = struct.unpack_from("<Q", good, 0x20)[0]
    count = struct.unpack_from("<H", good, 0x38)[0]
    segments = [headers + 56 * i for i in range(count) if struct.unpack_from("<I", good, headers + 56 * i)[0] == 1]
    load = max(segments, key=lambda at: struct.unpack_from("<Q", good, at + 32)[0])  # the one with most in the file
    offset, size = struct.unpack_from("<Q", good, load + 8)[0], struct.unpack_from("<Q", good, load + 32)[0]
    return {
        "empty": (b"", ["not an ELF file", "name a RISC-V program"]),
        "text": (b"#!/bin/sh\necho hello\n", ["not an ELF file", "name a RISC-V program"]),
        "class": (patched(4, "B", 1), ["wrong class: a 32-bit ELF", "build it with"]),
        "endianness": (patched(5, "B", 2), ["wrong endianness: a big-endian ELF", "build it with"]),
        "machine": (patched(18, "<H", 62), ["wrong machine: ELF machine 62, not RISC-V", "build it with"]),
        "relocatable": (patched(16, "<H", 1), ["not an executable", "link it"]),
        "entry": (patched(24, "<Q", 0x10), ["entry outside memory: 0x10", "link it"]),
        "no-headers": (patched(56, "<H", 0), ["nothing to load", "link it"]),
        "cut-in-header": (good[:40], ["truncated", "copy or build it again"]),
        "cut-in-segment": (good[: offset + size // 2], ["truncated", "copy or build it again"]),
        "below-memory": (patched(load + 24, "<Q", 0x1000), ["segment outside memory", "at 0x1000", "link it there"]),
        "above-memory": (patched(load + 24, "<Q", 0x90000000 - 16), ["does not fit into memory of 256M", "run with --memory 512M"]),
        "too-large": (patched(load + 40, "<Q", 1 << 40), ["segment outside memory", "link it there"]),
        "wraps": (patched(load + 40, "<Q", (1 << 64) - 16), ["segment outside memory", "link it there"]),
        "file-beyond-memory": (patched(load + 40, "<Q", 16), ["damaged", "copy or build it again"]),
    }


@test
def bad_elf(folder):
    """Each damaged program, by run and by iss; a run touches none of its output files."""
    for name, (content, texts) in bad_programs().items():
        path = folder / f"{name}.elf"
        path.write_bytes(content)
        refused(["iss", path], str(path), *texts)
        outputs = [folder / f"{name}.{kind}" for kind in ("tips", "json", "csv", "trace", "fst")]
        tips, stats, profile, trace, fst = outputs
        refused([*RUN, "--period", 97, "--samples", tips, "--stats", stats, "--profile", profile, "--trace", trace, "--fst", fst, path], str(path), *texts)
        for output in outputs:
            check(not output.exists(), f"{output} was made by a run of a bad program")


@test
def no_program(folder):
    for command in (["iss"], RUN):
        refused([*command, folder / "none.elf"], f"{folder}/none.elf: cannot open", "check the name")
        refused([*command, folder], f"{folder}: not a file", "name a RISC-V program")
        refused(command, "name a program", lines=0)
        refused([*command, TINY, TINY], "one program only", lines=0)


@test
def bad_input_keeps_files(folder):
    """An output file that exists already keeps its content when the input is bad."""
    kept = folder / "kept.tips"
    kept.write_text("precious")
    refused([*RUN, "--period", 97, "--samples", kept, folder / "none.elf"], "cannot open")
    refused(["report", "--output", kept, folder / "none.tips"], "cannot open")
    check(kept.read_text() == "precious", "a file was touched")


COUNTED = [
    f"{event}:{modes}" for event in ("cycles", "instructions", "computing", "stalled", "flushed", "drained") for modes in ("m", "s", "u", "ms", "mu")
]  # thirty, one more than there are counters


@test
def run_usage(folder):
    refused(["run", "--config", "nosuch", TINY], "nosuch: no such configuration: use one of ", "small2")
    refused([*RUN, "--model", folder / "none.so", TINY], "none.so")
    refused([*RUN, "--period", "0", TINY], "--period 0", lines=0)
    refused([*RUN, "--period", "often", TINY], "--period often: not a number", lines=0)
    refused([*RUN, "--max-cycles", "-1", TINY], "--max-cycles -1: not a number", lines=0)
    refused([*RUN, "--samples", folder / "x.tips", TINY], "--samples needs --period", lines=0)
    refused([*RUN, "--no-oracle", "--profile", folder / "x.csv", TINY], "--profile", lines=0)
    refused([*RUN, "--nosuch", TINY], "unrecognized option", lines=0)
    refused([*RUN, "--kanata", folder / "log", "--trace-from", "nosuch", TINY], "no symbol 'nosuch'", "name one that nm lists")
    refused([*RUN, "--kanata", folder / "log", "--trace-to", "12x", TINY], "'12x': not a cycle")
    refused([*RUN, "--trace-from", 5, TINY], "need --trace or --kanata", lines=0)
    for command in (RUN, ["iss"]):
        refused([*command, "--input", folder / "none.txt", TINY], f"{folder}/none.txt: cannot open", "name another file")
    refused([*RUN, "--count", "CYCLES,NOSUCH", TINY], "--count NOSUCH: no such event: use one of CYCLES, INSTRUCTIONS,", "FL_MB, FL_EX", lines=0)
    refused([*RUN, "--count", "", TINY], "no such event", lines=0)
    refused([*RUN, "--count", "cycles,", TINY], "no such event", lines=0)
    refused([*RUN, "--count", "cycles:k", TINY], "--count cycles:k: give modes as letters m", lines=0)
    refused([*RUN, "--count", "cycles:", TINY], "give modes as letters", lines=0)
    refused([*RUN, "--count", ",".join(COUNTED), TINY], "more than 29 events", lines=0)
    refused([*RUN, "--trace", folder / "x", "--trace-format", "xml", TINY], "xml")
    refused([*RUN, "--trace", folder / "x", "--trace-from", 100, "--trace-to", 50, TINY], "--trace-from 100 is after --trace-to 50")
    for keys, *texts in (
        ("from=sample:2", "an edge names a sample", "give --period"),
        ("from=sample:0", "the first is sample:1"),
        ("from=0x8000000g", "not an address"),
    ):
        refused([*RUN, "--worker", f"csv:file={folder}/x,{keys}", TINY], *texts)
    groups = "use one of frontend, rename, issue, lsu, memory, vectors"
    for keys, *texts in (
        ("group=help", groups),
        ("group=ls", groups),
        ("format=csv", "needs a group", "and one of frontend"),
        ("group=lsu,format=xml", "format=xml: use one of csv, bin"),
        ("group=lsu,from=9,to=8", "swap them"),
    ):
        refused([*RUN, "--worker", f"signals:file={folder}/x,{keys}", TINY], *texts)
    check(not (folder / "x").exists(), "bad input has made a file")
    refused([*RUN, "--jitter=3", TINY], "--jitter needs --period", lines=0)
    refused([*RUN, "--jitter-kind", "golden", TINY], "--jitter-kind needs --period", lines=0)
    refused([*RUN, "--period", 97, "--jitter-kind", "gold", TINY], "--jitter-kind gold: use one of random, golden, fractional", lines=0)
    refused([*RUN, "--period", 97, "--jitter-kind", "fractional", "--jitter=3", TINY], "--jitter-kind fractional takes no --jitter", lines=0)
    refused(
        [*RUN, "--period", 97, "--jitter-kind", "golden", "--jitter=7", TINY], "--jitter 7: 2^7 cycles are more than all of --period 97: at most 6", lines=0
    )
    refused([*RUN, "--period", 97, "--jitter=7", TINY], "--jitter 7: 2^7 cycles are more than all of --period 97: at most 6", lines=0)
    refused([*RUN, "--jitter=none", TINY], "--jitter needs --period", lines=0)
    refused([*RUN, "--period", 97, "--jitter=nine", TINY], "--jitter nine: not a number", lines=0)
    refused([*RUN, "--period", 97, "--jitter=none", "--jitter-kind", "golden", TINY], "--jitter=none has no --jitter-kind", lines=0)
    refused([*RUN, "--set", "llc.latency", TINY], "--set llc.latency: no value", "KEY=VALUE")
    refused([*RUN, "--set", "llc.latency=0", TINY], "--set llc.latency=0: a number from 1 to 1000 is needed")
    refused([*RUN, "--set", "llc.ways=3", TINY], "--set llc.ways=3: a power of two from 1 to 64 is needed")
    refused([*RUN, "--set", "llc.lattency=3", TINY], "--set llc.lattency: no such key: use one of", "llc.latency")
    refused([*RUN, "--set", "core.width=3", TINY], "--set core.width: changes the core itself", "tables/config")
    refused([*RUN, "--period", 97, "--samples", folder / "x.tips", "--count", ",".join(COUNTED[:29]), TINY], "besides the sampling one", "second run")
    refused([*RUN, "--dump-memory", "main", TINY], "--dump-memory main: write SYMBOL=FILE", lines=0)
    refused([*RUN, "--dump-memory", "main:0=x", TINY], "--dump-memory main:0: not a number of bytes", lines=0)
    refused([*RUN, "--dump-memory", f"nosuch={folder}/x", TINY], "no symbol 'nosuch' to dump", "0xADDRESS:BYTES")
    refused([*RUN, "--dump-memory", f"0x80000000={folder}/x", TINY], "the size of the symbol is unknown", "write 0x80000000:BYTES")
    refused([*RUN, "--dump-memory", f"0x8ffffff8:9={folder}/x", TINY], "--dump-memory 0x8ffffff8", "not all memory")
    refused([*RUN, "--dump-memory", f"main={folder}/none/x", TINY], "none/x: cannot create", "another", status=4)
    refused([*RUN, *["--dump-memory", f"main={folder}/x"] * 9, TINY], "--dump-memory: at most 8", lines=0)
    refused(["iss", "--max-insns", "x", TINY], "--max-insns x: not a number", lines=0)
    refused(["iss", "--trace", folder / "none/x", TINY], "none/x: cannot create", "another", status=4)
    check(list(folder.iterdir()) == [], f"files were made: {list(folder.iterdir())}")


@test
def workers_usage(folder):
    for text, *words in (
        ("nosuch", "no such worker: use one of watchdog,"),
        ("csv", "write csv:file=PATH"),
        ("csv:file", "not KEY=VALUE"),
        ("csv:fil=x", "use on, file, from, to"),
        ("watchdog:limit=1", "give a number from 1000 to"),
        ("rob-head:on=x", "say yes or no"),
        (f"csv:file={folder}/x,from=nosuch", "no symbol 'nosuch'"),
    ):
        refused([*RUN, "--worker", text, TINY], *words)
    refused([*RUN, "--worker", "rob-head", "--worker", "rob-head", TINY], "rob-head is named twice")
    refused([*RUN, "--no-cosim", "--worker", "event-vectors", TINY], "worker event-vectors needs worker lockstep")
    check(list(folder.iterdir()) == [], f"files were made: {list(folder.iterdir())}")
    status, out, _ = tipoff("workers")
    check(status == 0 and re.search(r"^\+ lockstep ", out, re.M) and re.search(r"^  csv .*\n    file=PATH", out, re.M), f"tipoff workers: {out}")
    refused([*RUN, "--worker", f"csv:file={folder}/none/x", TINY], "none/x: cannot create", "another", status=4)


def region_of(folder, keys, *options):
    path = folder / "region.csv"
    status, _, err = tipoff(*RUN, "--quiet", "--max-cycles", 2000, *options, "--worker", f"csv:file={path},{keys}", TINY)
    check(status == 124, f"{keys}: status {status}: {err}")
    return path.read_text().splitlines()


@test
def workers(folder):
    paths = [folder / f"{i}.csv" for i in range(3)]
    status, _, err = tipoff(
        *RUN,
        "--max-cycles",
        2000,
        "--worker",
        f"csv:file={paths[0]},from=100,to=149",
        "--worker",
        f"csv:file={paths[1]}",
        "--trace",
        paths[2],
        "--trace-format",
        "csv",
        "--worker",
        "head:on=no",
        TINY,
    )
    renamed = "tipoff: warning: worker 'head' is now called 'rob-head'"
    check(err.count(renamed) == 1, f"a former name of a worker is reported once: {err}")
    check(status == 124, f"status {status}: {err}")
    lines = [path.read_text().splitlines() for path in paths]
    check(lines[0] == lines[1][:1] + lines[1][101:151] and lines[1] == lines[2] and len(lines[1]) == 2001, "several tracers at once, each with its region")
    region = lambda *words: region_of(folder, *words)
    pc = next(int(line.split(",")[5 + lane * 6 + 2], 16) for line in lines[1][501:] for lane in (0, 1) if line.split(",")[5 + lane * 6 + 1] == "1")
    first = next(line for line in lines[1][1:] for lane in (0, 1) if line.split(",")[5 + lane * 6 + 1 : 5 + lane * 6 + 3] == ["1", hex(pc)])
    check(region(f"from={pc:#x},to={pc:#x}")[1] == first and region(f"from={pc:#x}")[1] == first, f"a region that begins with the first commit of {pc:#x}")
    tips = folder / "region.tips"
    shown = region("from=sample:2,to=sample:3", "--period", 100, "--jitter=none", "--samples", tips)[1:]
    second, third = (int(line.split(",")[0]) for line in tipoff("samples", tips)[1].splitlines()[2:4])
    check(third - second == 100 and shown == lines[1][second + 2 : third + 2], f"a region from the sample of cycle {second} to that of {third}")
    check("shadow-rob" in err and "rob-head" not in err.replace(renamed, ""), f"which checks agreed: {err}")


@test
def no_progress(folder):
    """A wfi that nothing can end: status 5, the reason and the command for the waveform; one that the timer may end goes on."""
    for wakers, timer, text in ((0, False, "mie is 0x0"), (0x80, False, "the timer is not set"), (0x2000, True, "")):
        program = folder / f"wfi{wakers}.elf"
        subprocess.run(
            [
                "riscv64-unknown-elf-gcc",
                f"-DWAKERS={wakers}",
                "-march=rv64imac_zicsr_zifencei",
                "-mabi=lp64",
                "-mcmodel=medany",
                "-nostdlib",
                "-static",
                "-T",
                ROOT / "tests/workloads/runtime/link.ld",
                "-Wl,--no-warn-rwx-segments",
                "-o",
                program,
                ROOT / "tests/cli/wfi.S",
            ],
            check=True,
        )
        status, _, err = tipoff(*RUN, "--max-cycles", 100000, program)
        if timer:
            check(status == 124, f"LCOFI may come: status {status}: {err}")
        else:
            check(status == 5 and "nothing can end the wfi at 0x" in err and text in err and "--fst-from" in err, f"status {status}: {err}")


@test
def commands(_):
    status, out, err = tipoff("--help")
    check(status == 0 and err == "", "--help is no error")
    for command in ("run", "report", "samples", "compare", "trace", "iss", "config", "workloads", "workers", "results"):
        check(re.search(rf"^  {command} ", out, re.M), f"--help lacks {command}: {out}")
        status, text, _ = tipoff(command, "--help")
        check(status == 0 and "Usage:" in text, f"{command} --help: status {status}: {text}")
        check(tipoff("help", command) == (0, text, ""), f"help {command} is not {command} --help")
    status, out, _ = tipoff("--version")
    check(status == 0 and re.fullmatch(r"tipoff \d+\.\d+.*\n", out), f"--version: {out!r}")
    refused(["rpeort"], "rpeort: no such command: did you mean 'report'?")
    refused(["xyzzyplugh"], "xyzzyplugh: no such command: `tipoff --help` lists them")
    refused(["record"], "record: no such command: here it is: tipoff run --period")
    refused(["annotate"], "tipoff report --annotate")
    refused(["help", "rpeort"], "rpeort: no such command: did you mean 'report'?")
    refused(["help", "run", "more"], "help: unexpected argument 'more'")
    refused([], "Usage:", lines=0)


@test
def listings(_):
    status, out, _ = tipoff("config")
    check(status == 0 and re.search(r"^small2 +2 +3200  built$", out, re.M), f"config: {out}")
    status, out, _ = tipoff("config", "small2")
    check(status == 0 and re.search(r"^core\.width +2$", out, re.M), f"config small2: {out}")
    refused(["config", "nosuch"], "nosuch: no such configuration: use one of ", "small2")
    refused(["config", "a", "b"], "one configuration only", lines=0)
    status, out, _ = tipoff("workloads")
    check(status == 0 and re.search(r"^interp\.tiny\.elf +\d+ +\d+  .*/interp\.tiny\.elf$", out, re.M), f"workloads: {out}")
    refused(["workloads", "x"], "unexpected argument 'x'", lines=0)


@test
def memory_dumped(folder):
    """Memory as it is after the run: what the file holds where nothing is written, and never what the data cache still hides."""
    text, stack = folder / "text", folder / "stack"
    status, _, err = tipoff(*RUN, "--quiet", "--dump-memory", f"_start={text}", "--dump-memory", f"_start:4096={folder}/more", TINY)
    check(status == 0 and err == "", f"status {status}: {err}")
    code = text.read_bytes()
    check(len(code) > 32 and code in TINY.read_bytes() and (folder / "more").read_bytes().startswith(code), "_start is not what the program file holds")
    status, _, err = tipoff(*RUN, "--quiet", "--dump-memory", f"__stack_top:8={stack}", "--dump-memory", f"tohost={stack}.2", TINY)
    ended = int.from_bytes((folder / "stack.2").read_bytes(), "little")
    check(status == 0 and ended == 1, f"status {status}, tohost {ended:#x}, the program's last store was 1: {err}")


# ---- sample files ----
def shallow_stacks(path, rows, most):
    """Of a stack of more than `most` frames, its lane's own among them, the outermost half and the innermost are listed."""
    status, out, err = tipoff("samples", "--max-stack", most, path)
    lanes = deep = 0
    for row, shallow in zip(rows, out.splitlines()[1:]):
        row, shallow = row.split(","), shallow.split(",")
        check(row[:16] == shallow[:16], f"{row}: {shallow}")
        for lane in range(2):
            calls = row[16 + lane].split(";") if row[16 + lane] else []
            lanes += row[12 + 2 * lane] != ""
            if most and len(calls) + 1 > most:
                deep += 1
                calls = [*calls[: most // 2], "...", *calls[len(calls) + 1 - (most - most // 2) :]]
            check(shallow[16 + lane] == ";".join(calls), f"--max-stack {most}: {shallow[16 + lane]}, not {calls}")
    share = f"{path}: {100 * deep / lanes:.1f} % of the lanes have call stacks of more than {most} frames"
    check(status == 0 and (share in err if deep else err == "") and (deep > 0 or most != 2), f"--max-stack {most}: {deep} of {lanes}: {err}")


@test
def samples_listed(folder):
    path, listing = sampled(folder), folder / "listing.csv"
    status, out, err = tipoff("samples", path)
    check(status == 0 and err == "", f"samples: status {status}: {err}")
    header, *rows = out.splitlines()
    check(
        header.startswith("cycle,state,priv,space,hart,repeats,stalled,valid,") and header.endswith(",addr0,psv0,addr1,psv1,stack0,stack1,data_of,data"),
        f"header {header!r}",
    )
    cycles = [int(row.split(",")[0]) for row in rows]
    check(len(rows) > 300 and cycles == sorted(set(cycles)) and all(row.count(",") == header.count(",") for row in rows), f"{len(rows)} rows")
    for row in rows:
        valid = int(row.split(",")[7])
        check(row.split(",")[12] != "" if valid & 1 else row.split(",")[12:14] == ["", ""], f"lane 0 of {row}")
    status, out, _ = tipoff("samples", "--output", listing, path)
    check(status == 0 and out == "" and listing.read_text(encoding="utf-8").splitlines() == [header, *rows], "--output differs")
    for most in (2, 3, 127, 0):
        shallow_stacks(path, rows, most)
    refused(["samples", "--max-stack", 1, path], "--max-stack 1: give at least 2", lines=0)
    refused(["samples", "--max-stack", "x", path], " --max-stack x: not a number from 0 to 4294967295", lines=0)
    check(tipoff("samples", "--max-stack", "010", path) == tipoff("samples", "--max-stack", "0xa", path), "--max-stack 010: not ten")
    refused(["samples"], "name a sample file", lines=0)
    refused(["samples", path, path], "one sample file only", lines=0)
    refused(["samples", folder / "none.tips"], "none.tips: cannot open")
    refused(["samples", "--output", folder / "none/x", path], "none/x: cannot create", "another", status=4)
    status, out, err = tipoff("samples", changed(path, "cut.tips", cut(len(path.read_bytes()) // 2)))
    check(status == 0 and out.splitlines() == [header, *rows[: len(out.splitlines()) - 1]] and err.count("\n") == 1, f"truncated: status {status}: {err}")


@test
def results(folder):
    """What there can be, what a file has, rows of one file and of two together."""
    path, listing = folder / "r.tips", folder / "r.csv"
    check(tipoff(*RUN, "--quiet", "--period", 97, "--samples", path, "--worker", "collections:ebs=101,lbr=11", TINY)[0] == 0, "run")
    other = folder / "other.tips"
    check(tipoff(*RUN, "--quiet", "--period", 97, "--samples", other, "--worker", "collections:ebs=103,lbr=11", TINY)[0] == 0, "run")
    known = json.loads(tipoff("results", "--format", "json")[1])
    check({"jump", "lifetime", "lost_triggers"} <= {row["result"] for row in known} and "rows" not in known[0], f"{known[:2]}")
    rows = lambda *files: {row["result"]: row["rows"] for row in json.loads(tipoff("results", "--format", "json", *files)[1])}
    has = rows(path)
    jumps = json.loads(tipoff("results", "--rows", "jump", "--format", "json", path)[1])
    check(has["jump"] == len(jumps) > 10 and has["run_totals"] == 1 and "lifetime" not in has and has["collection"] == 1, f"{has}")
    twice = json.loads(tipoff("results", "--rows", "jump", "--format", "json", path, path)[1])
    check(twice == [{**row, "executions": 2 * row["executions"]} for row in jumps], "two files add up by places")
    both = rows(path, other)
    check(both["collection"] is None and both["transfer"] == 2 * has["transfer"] and both["run_totals"] == 1, f"of other periods: {both}")
    status, out, _ = tipoff("results", "--rows", "lost_triggers", "--output", listing, "--format", "csv", path)
    check(status == 0 and out == "" and listing.read_text(encoding="utf-8") == "collisions\n0\n", listing.read_text(encoding="utf-8"))
    refused(["results", "--rows", "nothing", path], "--rows nothing: no result has that name", lines=0)
    refused(["results", "--rows", "jump", "--rows", "execution", path], "--rows: once only", lines=0)
    refused(["results", "--rows", "jump"], "--rows jump: name a sample file", lines=0)
    refused(["results", "--format", "html"], "--format html: use one of text, csv, json", lines=0)
    refused(["results", folder / "none.tips"], "none.tips: cannot open")
    refused(["results", "--output", path, path], "--output", "another")
    refused(["results", "--output", folder / "none/x", path], "none/x: cannot create", "another", status=4)
    snippets = folder / "s.tips"
    check(tipoff(*RUN, "--quiet", "--period", 97, "--snippets", 20, "--samples", snippets, TINY)[0] == 0, "run")
    steps = [row.split(",") for row in tipoff("results", "--rows", "snippet_row", "--format", "csv", snippets)[1].splitlines()]
    issued, squashed = steps[0].index("issued"), [row for row in steps[1:] if row[3] != "0" and not row[6]]
    check(steps[0][3] == "squashed" and issued == 6 and squashed, "squashed instructions that were not issued")
    check(not any(len(cell) > 19 for row in steps for cell in row), "a cycle that did not come is an empty cell")
    rows = json.loads(tipoff("results", "--rows", "snippet_row", "--format", "json", snippets)[1])
    check([row["issued"] is None for row in rows] == [not row[6] for row in steps[1:]], "or null")
    out = tipoff("results", "--rows", "snippet_row", snippets)[1]
    check(out.count(" never") == sum(not cell for row in steps for cell in row) and "18446744073709551615" not in out, "or never")
    elsewhere = folder / "elsewhere.tips"
    check(tipoff(*RUN, "--quiet", "--period", 97, "--samples", elsewhere, "--max-cycles", 20000, LARGE)[0] == 124, "another program")
    status, out, err = tipoff("results", path, other, elsewhere, elsewhere)
    check(status == 0 and err.count("\n") == 1 and f"{path} and {elsewhere}: not of one build" in err, f"status {status}: {err}")
    status, _, err = tipoff("results", changed(path, "damaged.tips", cut(len(path.read_bytes()) // 2)))
    check(status == 0 and err.startswith("tipoff: warning: ") and err.count("\n") == 1, f"truncated: status {status}: {err}")


def changed(path, name, change):
    data = bytearray(path.read_bytes())
    change(data)
    out = path.with_name(name)
    out.write_bytes(data)
    return out


def flip(at):
    def change(data):
        data[at] ^= 0x10

    return change


def cut(bytes_kept):
    def change(data):
        del data[bytes_kept:]

    return change


def version_99(data):
    struct.pack_into("<I", data, 16, 99)


@test
def bad_sample_files(folder):
    good = sampled(folder)
    size = good.stat().st_size
    text = folder / "text.tips"
    text.write_text("cycle,pc\n1,2\n")
    empty = folder / "empty.tips"
    empty.write_bytes(b"")
    trace = folder / "trace.bin"
    check(tipoff(*RUN, "--quiet", "--trace", trace, "--max-cycles", 1000, TINY)[0] == 124, "--max-cycles gives 124")
    version = changed(good, "version.tips", version_99)
    header = changed(good, "header.tips", cut(20))
    header_block = changed(good, "header-block.tips", cut(60))
    middle = changed(good, "middle.tips", flip(size // 2))
    end = changed(good, "end.tips", flip(size - 30))
    longer = changed(good, "longer.tips", lambda data: data.extend(b"more"))
    for command in ("report", "compare"):
        refused([command, folder / "none.tips"], "none.tips: cannot open", "name a file that exists")
        refused([command, text], f"{text}: not a tipoff file", "name a file that `tipoff run` has written")
        refused([command, empty], f"{empty}: not a tipoff file")
        refused([command, TINY], "not a tipoff file")
        refused([command, trace], f"{trace}: a tipoff file of kind 'trace'", "name the other file")
        refused([command, version], f"{version}: file version 99", "reads versions 1 to 4", "run again")
        refused([command, header], f"{header}: truncated", "run again")
        refused([command, header_block], f"{header_block}: truncated", "run again")
        refused([command], "name", lines=0)
        # What is good of a damaged file is used, with a line of warning.
        for path, fault in (middle, "bad block at offset"), (end, "bad block at offset"), (longer, "data after the end mark"):
            status, out, err = tipoff(command, path)
            lost = command == "compare" and ("holds no Oracle profile" in err or "holds no samples" in err)  # whichever block it was
            check(status == (2 if lost else 0) and f"warning: {path}: bad block at offset" in err and fault in err, f"{command} {path}: status {status}: {err}")
            check(lost or out, f"{command} {path}: nothing was reported")
    status, out, err = tipoff("report", good)
    check(status == 0 and err == "", f"the file itself is good: status {status}: {err}")
    status, out, _ = tipoff("report", "--format", "json", middle)
    check(status == 0 and not json.loads(out)["complete"], "a damaged file is reported as such")


@test
def truncated_sample_file(folder):
    """What is good of a truncated file is reported, with one line of warning."""
    good = sampled(folder, period=16, program=ROOT / "build/workloads/queens.small.elf")  # more than a block
    whole = json.loads(tipoff("report", "--format", "json", good)[1])
    check(whole["samples"] > BLOCK and whole["complete"], f"{whole['samples']} samples")
    size = good.stat().st_size
    counts = set()
    for kept in range(size - 1, 700, -(size // 9)):
        path = changed(good, "cut.tips", cut(kept))
        status, out, err = tipoff("report", "--format", "json", path)
        if status == 2:  # not a sample is left
            check("holds no samples" in err.splitlines()[-1], f"cut at {kept}: {err!r}")
            continue
        check(status == 0 and err.count("\n") == 1 and "warning" in err and f"{path}: truncated at offset" in err, f"cut at {kept}: status {status}, {err!r}")
        part = json.loads(out)
        check(not part["complete"], f"cut at {kept}: reported as complete")
        counts.add(part["samples"])
    # Blocks are written when they are full, and once a second.
    check(whole["samples"] in counts and len(counts) > 1, f"cuts gave {counts}")


@test
def damage_is_said_alike(folder):
    """Every command uses what is whole of a damaged file, warns in the same words, and ends as of a whole one."""
    good = folder / "good.tips"
    check(tipoff(*RUN, "--quiet", "--period", 97, "--samples", good, "--worker", "collections:ebs=101,lbr=11", TINY)[0] == 0, "run")
    size = good.stat().st_size
    damages = ("cut.tips", cut(size - 20), "before it are good"), ("longer.tips", lambda data: data.extend(b"more"), "in other blocks are good")
    for name, damage, words in damages:
        path, said = changed(good, name, damage), set()
        for command in (["report"], ["compare"], ["diff", good], ["samples"], ["results"], ["mix"]):
            status, out, err = tipoff(*command, path)
            said.add(err)
            check(status == 0 and out, f"{command} {name}: status {status}: {err}")
        check(len(said) == 1, f"{name}: {said}")
        check(err.startswith(f"tipoff: warning: {path}: ") and err.endswith(f"{words}\n") and err.count("\n") == 1, err)
    check(tipoff("samples", path)[1] == tipoff("samples", good)[1], "samples before the damage")


@test
def output_option(folder):
    """-o is --output wherever a command writes a document: the same bytes, under its name when whole, and over no input."""
    good, made, trace = sampled(folder), folder / "made", folder / "trace.bin"
    check(tipoff(*RUN, "--quiet", "--trace", trace, "--trace-to", 2000, TINY)[0] == 0, "a trace")
    commands = [["report", "--format", form, good] for form in ("text", "csv", "json", "folded")]
    commands += [["compare", good], ["diff", good, good], ["samples", good], ["results", good], ["mix", "--exact", TINY], ["trace", trace]]
    for command in [*commands, ["gus", TINY]]:
        status, out, err = tipoff(*command)
        check(status == 0 and out, f"{command}: status {status}: {err}")
        check(tipoff(*command, "-o", made)[:2] == (0, "") and made.read_text(encoding="utf-8") == out, f"{command}: -o")
        made.write_text("precious")
        refused([*command[:-1], folder / "none", "-o", made], "none")
        check(made.read_text() == "precious", f"{command}: a refused input costs the old output")
        refused([*command, "-o", command[-1]], "--output", "another")
        refused([*command, "-o", folder / "none/x"], "none/x: cannot create", status=4)


@test
def report_usage(folder):
    good = sampled(folder)
    refused(["report", good, good], "as a file before it: name one of each hart")
    refused(["report", "--format", "xml", good], "--format xml: use one of text, csv, json", lines=0)
    refused(["report", "--granularity", "line", good], "--granularity line:", lines=0)
    refused(["report", "--by", "lines", good], "--by lines: use one of instruction, line, inline,", "process and window", lines=0)
    refused(["report", "--by", "line", "--stacks", good], "--by line: has no cycle stacks", lines=0)
    refused(["report", "--by", "line", "--annotate", "main", good], "--annotate or --by", lines=0)
    refused(["report", "--debug-dir", folder / "none", good], "--debug-dir", "no such folder", lines=0)
    refused(["report", "--top", "x", good], "--top x: not a number", lines=0)
    refused(["report", "--annotate", "main", "--format", "csv", good], "--annotate", lines=0)
    refused(["report", "--annotate", "main", "--stacks", good], "--annotate or --stacks", lines=0)
    refused(["report", "--annotate", "nosuch", good], "no function 'nosuch'", "--granularity function")
    refused(["report", "--profiler", "nosuch", good], "no profile 'nosuch'", "Oracle")
    status, out, _ = tipoff("report", "--output", folder / "out.txt", good)
    check(status == 0 and out == "" and "Hottest instructions" in (folder / "out.txt").read_text(), "--output")


@test
def report_units(folder):
    """Every unit in every format; with counts, and without the worker that counts; and without the program."""
    status, out, _ = tipoff("report", "--by", "help")
    units = [line.split()[0] for line in out.splitlines()]
    check(
        status == 0
        and {"instruction", "line", "inline", "block", "loop", "function", "file", "module", "mode", "hart", "data", "process", "window"} == set(units),
        f"--by help: {out!r}",
    )
    uncounted, program, moved = folder / "uncounted.tips", folder / "p.elf", folder / "moved.tips"
    shutil.copy(TINY, program)
    check(tipoff(*RUN, "--quiet", "--period", 97, "--no-cosim", "--samples", uncounted, TINY)[0] == 0, "run")
    check(tipoff(*RUN, "--quiet", "--period", 97, "--samples", moved, program)[0] == 0, "run")
    program.unlink()
    for samples, warnings in ((sampled(folder), 0), (uncounted, 0), (moved, 1)):
        for unit in units:
            for form in ("text", "csv", "json"):
                status, out, err = tipoff("report", "--by", unit, "--format", form, samples)
                check(status == 0 and err.count("\n") == warnings, f"--by {unit} --format {form} {samples}: status {status}, {err!r}")
            report = json.loads(out)
            if unit == "window":  # times in cycles: tests/profile/test_windows.py
                weights = [report["U"] * state["cycles"] for window in report["windows"] for state in window["states"].values()]
            elif unit == "hart":  # shares of its own time; several: tests/harts/test_harts.py
                weights = [round(report["weight"] * sum(row[state] for row in report["rows"] for state in ("Computing", "Stalled", "Flushed", "Drained")))]
            elif unit == "data":  # shares: tests/harts/test_samples.py
                weights = [report["weight"] * sum(row["share"] for row in report["rows"])]
            else:
                weights = [u["weight"] for u in report["units"]]
            total = round(sum(weights), 6)
            check(report["granularity"] == unit and total == report["weight"] > 0, f"--by {unit} {samples}: {total} in all, {report['weight']} expected")
    _, out, _ = tipoff("report", "--by", "loop", uncounted)
    check("no counts: the run had no worker `exec-counts`" in out and "is a guess" in out, out)


@test
def report_without_program(folder):
    """The program is gone, or is another one: a warning, and addresses."""
    program = folder / "p.elf"
    shutil.copy(TINY, program)
    path = folder / "p.tips"
    check(tipoff(*RUN, "--quiet", "--period", 97, "--samples", path, program)[0] == 0, "run")
    program.unlink()
    status, out, err = tipoff("report", path)
    check(status == 0 and f"{program}: cannot open" in err and err.count("\n") == 1, f"status {status}: {err}")
    check("addresses only" in out and "0x801" in out, out)
    shutil.copy(LARGE, program)
    status, out, err = tipoff("report", path)
    check(status == 0 and "not the program that ran" in err and "--program" in err, f"status {status}: {err}")
    status, out, err = tipoff("report", "--program", TINY, path)
    check(status == 0 and err == "" and "main" in out, f"status {status}: {err}")


@test
def no_oracle(folder):
    path = folder / "x.tips"
    check(tipoff(*RUN, "--quiet", "--no-oracle", "--period", 97, "--samples", path, TINY)[0] == 0, "run")
    refused(["compare", path], f"{path}: holds no Oracle profile", "--no-oracle")
    status, out, _ = tipoff("report", path)
    check(status == 0 and "holds no Oracle profile" in out, f"status {status}: {out}")


@test
def tags_of_tagging_profilers(folder):
    """One tag as a unit in hardware has it: who tags says something else, TIP the same; the table says how many there were."""
    rows = {}
    for tags in "1", "512":
        path = folder / f"{tags}.tips"
        check(tipoff(*RUN, "--quiet", "--period", 17, "--worker", f"profilers:tags={tags}", "--samples", path, TINY)[0] == 0, "run")
        status, out, _ = tipoff("compare", path)
        check(status == 0 and f"Dispatch, Fetch, IBS, SPE and RIS: {tags} tag" in out, out)
        rows[tags] = {line.split()[0]: line for line in out.splitlines() if line.startswith(("  TIP ", "  Dispatch ", "  Fetch "))}
    check(rows["1"]["TIP"] == rows["512"]["TIP"], f"{rows}")
    check(rows["1"]["Dispatch"] != rows["512"]["Dispatch"] and rows["1"]["Fetch"] != rows["512"]["Fetch"], f"{rows}")
    refused([*RUN, "--worker", "profilers:tags=0", TINY], "tags=0: give a number from 1 to 512")


@test
def colour_and_bars(folder):
    """No escape sequences in a pipe; ASCII bars where the locale is not UTF-8."""
    good = sampled(folder)
    _, out, _ = tipoff("report", good, env={**os.environ, "LC_ALL": "C"})
    check("\033" not in out and out.isascii() and "CCCC" in out, "ASCII bars expected in the C locale")
    _, out, _ = tipoff("report", good, env={**os.environ, "LC_ALL": "C.UTF-8"})
    check("\033" not in out and "█" in out, "block characters expected in a UTF-8 locale")


if __name__ == "__main__":
    sys.exit(main())
