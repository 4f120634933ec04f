#!/usr/bin/env python3
"""The command line: every bad input by its message and exit status.

    tests/cli/test_cli.py [--only TEXT]

Needs build/bin/tipoff, build/workloads/interp.{tiny,large}.elf, queens.small.elf and the model of small2. Bad input has to give exit status 2, nothing
on stdout, one line on stderr that names the file, the fault and the remedy, and no file where one was to be written.
"""
import json
import re
import struct
import subprocess
import sys

from cli import LARGE, ROOT, RUN, TINY, check, main, refused, sampled, test, tipoff
from damaged import changed, cut


@test
def events_have_a_sentence_each(_folder):
    """--count help: every event of the table that software reads, and the groups; nothing runs."""
    status, out, err = tipoff("run", "--count", "help")
    check(status == 0 and err == "", err)
    said = dict(re.findall(r"^(\S+) +(.+)$", out, re.M))
    with open(ROOT / "tables/pmu_events.tsv", encoding="utf-8") as table:
        rows = [line.rstrip("\n").split("\t") for line in table if line[0] not in "#n"]
    check(len(rows) > 10 and all(said[row[1]].startswith(row[3]) for row in rows), out)
    check(said["topdown"].startswith("a group: ") and "ST_LLC" in said, out)


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
        "text": (b"a letter, and no program\n", ["not an ELF file", "name a RISC-V program"]),
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
    refused(
        [*RUN, "--set", "rob=64", TINY],
        "--set rob: no such key",
        "a key of the core needs a configuration and a model of its own",
        "docs/guide/configurations.md",
    )
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
def listings(_):
    status, out, _ = tipoff("config")
    check(status == 0 and re.search(r"^  small2 +2 +3,200  built$", out, re.M), f"config: {out}")
    status, out, _ = tipoff("config", "small2")
    check(status == 0 and re.search(r"^  core\.width +2$", out, re.M), f"config small2: {out}")
    refused(["config", "nosuch"], "nosuch: no such configuration: use one of ", "small2")
    refused(["config", "small2", "b"], "b: no such configuration: use one of ", "small2")
    status, out, _ = tipoff("workloads")
    check(status == 0 and re.search(r"^  interp\.tiny\.elf +[\d,]+ +[\d,]+  .*/interp\.tiny\.elf$", out, re.M), f"workloads: {out}")
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


if __name__ == "__main__":
    sys.exit(main())
