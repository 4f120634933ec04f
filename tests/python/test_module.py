#!/usr/bin/python3
"""The Python module reads what the command reads: samples, profiles, traces and signals of runs on small2, value by value.

    tests/python/test_module.py [--only TEXT]

What is expected comes from the command: `tipoff samples`, `tipoff report --format csv`, a trace and signals that the same run wrote as CSV. Files of
version 1, cut off, damaged, and of other kinds; the example runs. Needs build/bin/tipoff, the small workloads, the model of small2, python3-zstandard.
"""
import collections
import csv
import io
import json
import pathlib
import random
import re
import shutil
import struct
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEBIAN = "/usr/lib/python3/dist-packages"  # where zstandard is, for another Python than Debian's own
sys.path[:0] = [str(ROOT / "tests/cli"), str(ROOT / "python")]
sys.path.append(DEBIAN)
import tipoff as module  # noqa: E402
from cli import RUN, check, main, test, tipoff  # noqa: E402
from tipoff import frames as frames_of, samples as tipoff_samples  # noqa: E402
from tipoff.container import Container, crc32c  # noqa: E402
import pandas  # noqa: E402
import zstandard  # noqa: E402

WORKLOADS = ROOT / "build/workloads"
FORMAT = ROOT / "csrc/samples/samples_format.h"
TOTALS = "cycles", "instructions", "from_cycle", "from_instruction"


def said(*arguments, status=0):
    got, out, err = tipoff(*arguments)
    check(got == status, f"{arguments}: {err}")
    return out


def fails(path, kind, *texts):
    try:
        found = getattr(module, kind)(path)
        list(found) if kind != "Samples" else None
    except module.Error as error:
        check("\n" not in str(error) and all(text in str(error) for text in (str(path), *texts)), f"{error}")
        return
    raise AssertionError(f"{kind}({path}) reads it")


def vector(events, names):
    return sum(1 << names.index(event) for event in events)


@test
def crc(folder):
    """RFC 3720, B.4."""
    check(crc32c(bytes(32)) == 0x8A9136AA and crc32c(b"\xff" * 32) == 0x62A8AB43 and crc32c(bytes(range(32))) == 0x46DD794E, "CRC-32C")


@test
def results(folder):
    """Rows of the file's blocks against the statistics, which the run writes in another way, and the collections that were asked for."""
    path = folder / "results.tips"
    said(*RUN, "--quiet", "--period", 97, "--worker", "collections:ebs=101,lbr=11,depth=4", "--samples", path, WORKLOADS / "queens.small.elf")
    run = module.Samples(path)
    address = lambda place: "-" if place[0] is None else f"{place[0]:x}"
    jumps = [f"{address(r['from'])} {address(r['to'])} {r['executions']}" for r in run.results["jump"]]
    check(jumps and jumps == [row for group in run.statistics["edges"] for row in group["taken"]], "jumps are not those of the statistics")
    modes = {mode for row in run.results["jump"] for _, mode, _ in (row["from"], row["to"])}
    check("M" in modes, f"modes {modes}")
    check(run.results["run_totals"] == [{key: run.statistics[key] for key in TOTALS}], f"{run.results['run_totals']}")
    (collection,) = run.results["collection"]
    check((collection["ebs_period"], collection["lbr_period"], collection["depth"]) == (101, 11, 4), f"{collection}")
    check(len(run.results["retired_sample"]) == collection["retired"] // 101, "samples of retired instructions")
    stacks = run.results["transfer_stack"]
    check(len(stacks) == collection["transfers_taken"] // 11 and all(s["transfers"] == 4 for s in stacks), "stacks")
    check(len(run.results["transfer"]) == sum(s["transfers"] for s in stacks), "transfers of stacks")
    check("snippet" not in run.results, "a result that the run did not keep")


@test
def merged(folder):
    """By hand: sums, the greatest, lists one after the other, what has no rule; rows of before stay as they were."""
    from tipoff import results as rules

    at, to = (0x80000000, "M", 0), (0x80000004, "M", 0)
    one = {
        "jump": [{"from": at, "to": to, "executions": 5}],
        "tag_limit": [{"tags": 9}],
        "transfer": [{"source": 1, "target": 2, "data": 0}],
        "collection": [{"ebs_period": 100, "retired": 3}],
    }
    other = {
        "jump": [{"from": to, "to": at, "executions": 1}, {"from": at, "to": to, "executions": 30}],
        "tag_limit": [{"tags": 4}],
        "transfer": [{"source": 1, "target": 2, "data": 0}],
        "lost_triggers": [{"collisions": 2}],
        "collection": [{"ebs_period": 101, "retired": 3}],
    }
    both = module.merge(one, other)
    check(both["jump"] == [{"from": at, "to": to, "executions": 35}, {"from": to, "to": at, "executions": 1}], f"{both}")
    check(both["tag_limit"] == [{"tags": 9}] and both["lost_triggers"] == [{"collisions": 2}] and len(both["transfer"]) == 2, f"{both}")
    check("collection" not in both and "collection" not in module.merge(one, other, one), "two periods are no one collection")
    check(module.merge(one, one)["collection"] == [{"ebs_period": 100, "retired": 6}], "one period is")
    check(one["jump"][0]["executions"] == 5 and other["jump"][1]["executions"] == 30, "the rows that went in")
    for name, field, most in ("lost_triggers", "collisions", 2**64 - 1), ("jump", "executions", 2**64 - 1), ("state_cycles", "cycles", 1.7e308):
        key = {"from": at, "to": to} if name == "jump" else {"state": 0} if name == "state_cycles" else {}
        large, rest = {name: [{**key, field: most}]}, {name: [{**key, field: 1.7e308 if most == 1.7e308 else 1}]}
        check(module.merge(large, {name: [{**key, field: 0}]}) == large, f"{name} just fits")
        try:
            check(False, f"{module.merge(large, rest)}")
        except module.Error as error:
            check(str(error) == f"result {name}, field {field}: the sum is too large: merge fewer", str(error))
    found = [(rule, rules._RULES[rule](a, b)) for rule in ("sum", "max", "min", "last") for a, b in ((7, 5), (5, 8))]
    check(found == [("sum", 12), ("sum", 13), ("max", 7), ("max", 8), ("min", 5), ("min", 5), ("last", 5), ("last", 8)], f"{found}")
    try:
        module.merge({"nothing": []})
        check(False, "a result that is none")
    except module.Error as error:
        check("nothing: no result" in str(error), str(error))


@test
def statistics(folder):
    """Made from the rows of the sample file, they are what the run writes as JSON: names, values, order, and kinds of numbers."""
    path, stats = folder / "x.tips", folder / "x.json"
    region = "--sample-from", 10000, "--sample-to", 30000, "--worker", "topdown"
    for words, program in (
        (("--worker", "topdown", "--worker", "stall-causes"), "syscalls"),
        (("--count", "CYCLES:us,INSTRUCTIONS", "--set", "l2.kib=64"), "vm_procs"),
        (("--no-cosim", "--no-oracle"), "sort"),
    ):
        said(*RUN, "--quiet", "--period", 97, *words, "--samples", path, "--stats", stats, WORKLOADS / f"{program}.small.elf")
        same_statistics(path, stats)
    status, _, err = tipoff(*RUN, "--quiet", "--period", 97, *region, "--samples", path, "--stats", stats, WORKLOADS / "sort.small.elf")
    check(status == 124 and module.statistics(stats)["to_cycle"] == 30000, f"a region: {status}, {err}")
    same_statistics(path, stats)


def same_statistics(path, stats):
    got, want = module.Samples(path).statistics, module.statistics(stats)
    differ = [key for key in {*got, *want} if got.get(key) != want.get(key)]
    check(got == want, f"{path}: {[(key, got.get(key), want.get(key)) for key in differ]}")
    check(json.dumps(got) == json.dumps(want), f"{path}: order or kinds of numbers differ")


@test
def samples(folder):
    path = folder / "x.tips"
    said(*RUN, "--quiet", "--period", 97, "--jitter=5", "--samples", path, "--stats", folder / "stats.json", WORKLOADS / "vm_procs.small.elf")
    run = module.Samples(path)
    rows = list(csv.DictReader(io.StringIO(said("samples", path))))
    check(len(rows) == len(run.samples) > 1000 and run.complete, f"{len(run.samples)} of {len(rows)} samples")
    check({row["priv"] for row in rows} == {"U", "S", "M"}, "the program runs in all modes")
    for row, sample in zip(rows, run.samples):
        lanes = [(int(row[f"addr{i}"], 0), int(row[f"psv{i}"], 0), addresses(row[f"stack{i}"])) for i in range(2) if row[f"addr{i}"]]
        check(all(row[f"addr{i}"] or not row[f"stack{i}"] for i in range(2)), f"{row}: a stack of a lane that is not valid")
        want = (
            int(row["cycle"]),
            row["state"],
            row["priv"],
            int(row["space"], 0),
            int(row["hart"]),
            int(row["repeats"]),
            int(row["stalled"]),
            *(row[name] == "1" for name in ("exception", "flush", "mispredict")),
            lanes,
        )
        got = (
            sample.cycle,
            sample.state,
            sample.mode,
            sample.space,
            sample.hart,
            sample.repeats,
            sample.stalled,
            sample.exception,
            sample.flush,
            sample.mispredict,
            [(lane.address, vector(lane.events, run.events), run.sites(lane.stack)) for lane in sample.lanes],
        )
        check(got == want, f"{got}, the command says {want}")
    check(len({row["stack0"] for row in rows}) > 20 and not any(row["stack0"] == "?" for row in rows), "stacks")
    check(run.statistics["cycles"] == module.statistics(folder / "stats.json")["cycles"], "statistics")
    said(*RUN, "--quiet", "--no-call-graph", "--period", 97, "--samples", path, WORKLOADS / "queens.small.elf")
    lane, run = next(csv.DictReader(io.StringIO(said("samples", path)))), module.Samples(path)
    check("?" in (lane["stack0"], lane["stack1"]) and run.sites(run.samples[0].lanes[0].stack) is None, f"no call stacks: {lane}")


def addresses(text):
    """A column of `tipoff samples`."""
    return None if text == "?" else tuple(int(word, 0) for word in text.split(";") if word)


@test
def time_and_profiles(folder):
    path = folder / "x.tips"
    said(*RUN, "--quiet", "--period", 97, "--samples", path, WORKLOADS / "syscalls.small.elf")
    run = module.Samples(path)
    for profiler, got in ("TIP", {key: run.units * cycles for key, cycles in run.time().items()}), *(
        (name, profile(rows)) for name, rows in run.profiles.items() if name not in ("TIP", "TEA")
    ):
        want = collections.Counter()
        text = said("report", "--format", "csv", "--profiler", profiler, path)
        for row in csv.DictReader(io.StringIO(text)):
            address = None if row["unit"] == "end of run" else int(row["unit"], 0)
            mode, space = (row["mode"][0].upper(), int(row["space"], 0)) if address is not None else ("U", 0)
            want[address, mode, space, row["state"], tuple(name for name in run.events if name in row["events"].split("+"))] += float(row["cycles"]) * run.units
        check(
            want and set(want) == set(got) and all(abs(got[key] - weight) < 1e-6 for key, weight in want.items()),
            f"{profiler}: {len(got)} rows, the command has {len(want)}",
        )


def profile(rows):
    sums = collections.Counter()
    for row in rows:
        sums[row.address, row.mode, row.space, row.state, row.events] += row.weight
    return sums


@test
def stacks(folder):
    """The collapsed stacks of the command have the same time by how deep, and by the outermost call."""
    path = folder / "x.tips"
    said(*RUN, "--quiet", "--period", 97, "--samples", path, WORKLOADS / "queens.small.elf")
    run = module.Samples(path)
    depths, want = collections.Counter(), collections.Counter()
    for row in run.profiles["Oracle"]:
        depths[len(run.callers(row.stack))] += row.weight
    for line in said("report", "--format", "folded", "--profiler", "Oracle", path).splitlines():
        frames, _, weight = line.rpartition(" ")
        want[frames.count(";")] += int(weight)
    check(len(depths) > 5, f"recursion: {depths}")
    check(sorted(depths.values()) == sorted(want.values()), f"by depth {sorted(depths.items())}, collapsed {sorted(want.items())}")


@test
def trace(folder):
    binary, text = folder / "x.trace", folder / "x.csv"
    said(*RUN, "--quiet", "--worker", f"bin:file={binary}", "--worker", f"csv:file={text}", WORKLOADS / "sort.small.elf")
    read, count = module.Trace(binary), 0
    check(read.width == 2 and read.program.endswith("sort.small.elf"), f"{read.width}, {read.program}")
    with open(text, encoding="utf-8") as file:
        rows = csv.DictReader(file)
        for cycle in read:
            for i in range(cycle.count):
                row = {name: int(value, 0) for name, value in next(rows).items()}
                got = {
                    "cycle": cycle.cycle + i,
                    "rob_empty": cycle.rob_empty,
                    "oldest": cycle.oldest,
                    "exception": cycle.exception,
                    "exception_pc": cycle.exception_pc,
                }
                for lane in range(2):
                    got |= {
                        f"{name}{lane}": getattr(cycle, name)[lane]
                        for name in ("valid", "commit", "pc", "mispredict", "flush", "psv", "dispatch_valid", "dispatch_pc")
                    }
                check({name: got[name] for name in row} == row, f"{got}, as CSV {row}")
                count += 1
        check(next(rows, None) is None and count > 100_000 and read.complete, f"{count} cycles")


@test
def signals(folder):
    binary, text = folder / "x.bin", folder / "x.csv"
    said(
        *RUN,
        "--quiet",
        "--worker",
        f"signals:group=lsu,file={binary},format=bin,to=20000",
        "--worker",
        f"signals:group=lsu,file={text},to=20000",
        WORKLOADS / "sort.small.elf",
    )
    read = module.Signals(binary)
    with open(text, encoding="utf-8") as file:
        rows = csv.reader(file)
        check(next(rows) == ["cycle", *read.columns] and read.group == "lsu", f"{read.columns}")
        for cycle, count, values in read:
            for i in range(count):
                check([int(value, 0) for value in next(rows)] == [cycle + i, *values], f"cycle {cycle + i}")
        check(next(rows, None) is None and read.complete, "as many cycles")


@test
def other_versions(folder):
    old = module.Samples(ROOT / "tests/unit/samples/version1.tips")
    rows = list(csv.DictReader(io.StringIO(said("samples", old.path))))
    check(
        old.version == 1 and len(old.samples) == len(rows) > 0 and [sample.cycle for sample in old.samples] == [int(row["cycle"]) for row in rows],
        "a file of version 1",
    )
    old = module.Samples(ROOT / "tests/unit/samples/version3.tips")
    check(old.version == 3 and old.complete and old.statistics["checks"]["passed"] and "from_cycle" in old.statistics, "statistics of version 3, as JSON")
    totals = {key: old.statistics[key] for key in TOTALS[:2]}
    check(old.results["run_totals"] == [totals] and totals["cycles"] == 4000, f"{old.results['run_totals']}")
    head, text = (1, b'{"units":12,"period":"97","events":["ST_L1"]}'), (18, b'{"cycles": 7}')
    for version in 3, 4:  # later ones have no such block, and whatever it is is passed over
        file_of(folder / "x.tips", b"samples", version, head, text)
        check(module.Samples(folder / "x.tips").statistics == ({"cycles": 7} if version == 3 else None), f"statistics of version {version}")


@test
def faults(folder):
    path, bad = folder / "x.tips", folder / "bad.tips"
    said(*RUN, "--quiet", "--period", 97, "--samples", path, WORKLOADS / "sort.small.elf")
    whole = path.read_bytes()
    bad.write_bytes(whole[:-30])
    cut = module.Samples(bad)
    check(not cut.complete and cut.samples == module.Samples(path).samples, "a file that was cut off is read as far as it goes")
    for at in 5, 30, 60, len(whole) // 2:
        bad.write_bytes(whole[:at] + bytes([whole[at] ^ 0x10]) + whole[at + 1 :])
        fails(bad, "Samples")
    bad.write_bytes(whole[:16] + b"\x09" + whole[17:])
    fails(bad, "Samples", "version 9", "1 to 4")
    bad.write_bytes(whole[:20])
    fails(bad, "Samples", "not a file of tipoff's")
    fails(path, "Trace", "samples")
    fails(folder / "none", "Samples", "No such file")
    fails(folder / "none", "statistics", "No such file")
    fails(WORKLOADS / "sort.small.elf", "statistics")


def file_of(path, kind, version, *blocks):
    """A whole file of these blocks, each with its type."""
    path.write_bytes(b"TIPOFF\r\n" + kind.ljust(8, b"\0") + struct.pack("<2I", version, 0))
    with open(path, "ab") as file:
        for number, data in (*blocks, (2, b"")):
            words = struct.pack("<3I", number, len(data), len(data))
            file.write(words + struct.pack("<2I", crc32c(words), crc32c(data)) + data)


@test
def forged(folder):
    """Blocks whose checksums are right, and which no run writes."""
    path, must = folder / "forged.tips", 1 << 31
    head = (1, b'{"units":12,"period":"97","events":["ST_L1"]}')
    stacks = struct.pack("<I", 2) + struct.pack("<IBQQQ", 0, 0, 0, 0, 0) + struct.pack("<IBQQQ", 2, 1, 8, 4, 0)
    totals = struct.pack("<HHBBHIIQ4H", 24, 1, 0, 4, 2, 0, 0, 1, 1, 8, 2, 8)
    row = struct.pack("<2Q", 5, 4)
    file_of(path, b"samples", 3, head, (24 | must, stacks), (38, totals + row))
    good = module.Samples(path)
    check(good.results == {"run_totals": [{"cycles": 5, "instructions": 4}]} and good.sites(3) == (8,), "the file is good without the forgery")
    for bad in b"[]", b"[" * 100000, b"{}", b'{"units":12,"period":"97","events":3}':
        file_of(path, b"samples", 3, (1, bad))
        fails(path, "Samples", "header")
        file_of(path, b"trace", 1, (1, bad))
        fails(path, "Trace", "header")
        file_of(path, b"signals", 1, (1, bad))
        fails(path, "Signals", "header")
    for units, period, events in (0, "97", []), (True, "97", []), (12, "often", []), (12, "-1", []), (12, "9" * 5000, []), (12, "97", [1]), (12, "97", [[]]):
        file_of(path, b"samples", 3, (1, json.dumps({"units": units, "period": period, "events": events}).encode()))
        fails(path, "Samples", "header")
    for width in 0, -1, 9, 10**30, "2", True:
        file_of(path, b"trace", 1, (1, json.dumps({"width": width}).encode()), (16, bytes(200)))
        fails(path, "Trace", "header")
    for columns in [1], [[]], "ab":
        file_of(path, b"signals", 1, (1, json.dumps({"group": "lsu", "columns": columns}).encode()), (16, bytes(24)))
        fails(path, "Signals", "header")
    for kind in "Samples", "Trace", "Signals":
        fails("a\0b", kind, "cannot open")
        fails(folder, kind, "cannot open")
    for text in "[" * 100000, "[1]", "1e999", "\udc80":
        path.write_text(text, encoding="utf-8", errors="surrogateescape")
        fails(path, "statistics", "not JSON")
    fails("a\0b", "statistics", "not JSON")
    file_of(path, b"samples", 3, (24 | must, stacks), head)
    fails(path, "Samples", "header")
    file_of(path, b"samples", 3, head, (18, b"[" * 100000))
    fails(path, "Samples", "type 18")
    file_of(path, b"samples", 3, head, (24 | must, stacks[:33] + struct.pack("<IBQQQ", 3, 1, 8, 4, 0)))  # its own caller
    fails(path, "Samples", "type 24")
    limit = struct.pack("<HHBBHIIQ2H", 24, 11, 0, 4, 1, 0, 0, 1, 1, 4)
    file_of(path, b"samples", 3, head, (38, limit + struct.pack("<I", 1)))
    check(module.Samples(path).results == {"tag_limit": [{"tags": 1}]}, "one tag")
    file_of(path, b"samples", 3, head, (38, limit + struct.pack("<I", 0)))
    fails(path, "Samples", "type 38", "result tag_limit, field tags is 0")
    other = struct.pack("<HHBBHIIQ2H", 24, 11, 0, 4, 1, 3, 2, 1, 1, 4) + struct.pack("<I", 7)  # hart 3, region 2
    words = dict.fromkeys(("config", "program", "build_id", "command", "real_path", "settings", "tables"), "")
    numbers = {"clock_mhz": 1, "width": 2, "units": 12, "period": "97", "jitter_bits": 0, "seed": "1", "vectors": "none", "events": ["ST_L1"]}
    full = (1, json.dumps(words | numbers).encode())  # for the command
    file_of(path, b"samples", 3, full, (38, totals + row), (38, other))
    check(module.Samples(path).passed_over == {(3, 2)} and good.passed_over == set(), "results of another hart")
    status, out, err = tipoff("results", path)
    check(status == 0 and "tag_limit" not in out and "those of hart 3, region 2 and of any further one are not" in err and err.count("\n") == 1, err)
    unknown = [(38, struct.pack("<HHBBHIIQ", 24, 60000 + i, 0, 4, 0, 0, 0, 1)) for i in range(65)]
    for many in 64, 65:
        file_of(path, b"samples", 3, full, (38, totals + row), *unknown[:many])
        status, out, err = tipoff("results", path)
        check(status == 0 and out.count("unknown result") == 64 and ("more than 64" in err) == (many > 64) == bool(err), f"{many}: {err}")
    lost = struct.pack("<HHBBHIIQ2HB", 24, 18, 0, 4, 1, 0, 0, 1, 99, 1, 7)  # a field that nobody knows, and not the own one
    file_of(path, b"samples", 3, head, (38, lost))
    check(module.Samples(path).losses is None, "triggers that are not counted")
    outcome = struct.pack("<HHBBHIIQ4HIB", 24, 40, 0, 4, 2, 0, 0, 1, 1, 4, 2, 1, 0, 1)
    for state, good in (4, True), (5, False):  # statistics call a time by its state: there are five
        spent = struct.pack("<HHBBHIIQ4HBd", 24, 66, 0, 4, 2, 0, 0, 1, 1, 1, 2, 8, state, 1.0)
        file_of(path, b"samples", 4, head, (38, outcome), (38, spent))
        if good:
            check(module.Samples(path).statistics["state_cycles"] == {"Unknown": 1}, "time of a state")
        else:
            fails(path, "Samples", "results that no run leaves: IndexError")
    for rows in b"", 2 * row:
        file_of(path, b"samples", 3, head, (38, totals + rows))
        fails(path, "Samples", "lacks rows")


def framed(path, *blocks, behind=b""):
    """A sample file of version 4 whose blocks (type, bytes when unpacked, what is stored of them) have right sums."""
    data = b"TIPOFF\r\nsamples\0" + struct.pack("<2I", 4, 0)
    for number, raw, stored in (*blocks, (2, 0, b"")):
        words = struct.pack("<3I", number, raw, len(stored))
        data += words + struct.pack("<2I", crc32c(words), crc32c(stored)) + stored
    path.write_bytes(data + behind)


@test
def unpacked(folder):
    """What blocks unpack to has the command's bound, and the command's words; a frame that lies of its size takes no memory."""
    path, packed = folder / "bomb.tips", zstandard.ZstdCompressor().compress
    words = dict.fromkeys(("config", "program", "build_id", "command", "real_path", "settings", "tables"), "")
    numbers = {"clock_mhz": 1, "width": 2, "units": 12, "period": "97", "jitter_bits": 0, "seed": "1", "vectors": "none", "events": ["ST_L1"]}
    text = json.dumps(words | numbers).encode()
    head = (1, len(text), text)
    spare, times = map(int, re.search(r"SAMPLES_SPARE = (\d+) << 20, SAMPLES_UNPACKED = (\d+)", FORMAT.read_text(encoding="utf-8")).groups())
    check(tipoff_samples.BOUND == (spare << 20, times), "the bound is the command's")
    most = 8 << 20
    bomb = (777, most, packed(bytes(most)))
    framed(path, head, bomb, bomb)  # within the bound: passed over
    check(module.Samples(path).complete and tipoff("results", path)[2] == "", "16 MB of an unknown type")
    lies = packed(bytes(100))[:5] + b"\xff" * 8  # a header of a frame whose size is beyond all memory
    damages = [
        ([head, bomb, bomb, bomb], b"", "unpacks to far more than a run writes"),
        ([head, (777, 100, b"\x28\xb5\x2f\xfd\xe0" + b"\xff" * 7 + b"\x0f" + packed(bytes(100))[6:])], b"", "compressed data"),
        ([head, (777, 101, packed(bytes(100)))], b"", "compressed data"),
        ([head, (777, 99, packed(bytes(100)))], b"", "compressed data"),
        ([head, (777, 100, lies)], b"", "compressed data"),
        ([head, (777, (64 << 20) + 1, b"")], b"", "length"),
        ([head, (777, 3, b"four")], b"", "length"),
        ([head], b"x", "data after the end mark"),
    ]
    for blocks, behind, what in damages:
        framed(path, *blocks, behind=behind)
        fails(path, "Samples", f"({what}): copy the file again, or run again")
        said_by_it = tipoff("results", path)[2]
        try:
            module.Samples(path)
        except module.Error as error:
            check(str(error) in said_by_it, f"{error}, and the command: {said_by_it}")


def blocks_of(path):
    """Type and bytes of those that are short."""
    return [(number, bytes(data)) for number, data in Container(path, path.suffix[1:], 1, 4).blocks() if len(data) < 4000]


def damaged(rolls, blocks):
    """One to three blocks lack bytes, have more or others, are twice there, or gone."""
    blocks = list(blocks)
    for _ in range(rolls.randint(1, 3)):
        i = rolls.randrange(len(blocks))
        number, data = blocks[i]
        at = rolls.randrange(len(data) + 1)
        some = rolls.choice((b"\0", b"\xff", b"\xff" * 8, bytes(8), b"\x7f", rolls.randbytes(3)))
        data = rolls.choice((data[:at], data[:at] + some + data[at + len(some) :], data[:at] + some + data[at:], data[:at] + data[at + 1 :]))
        blocks[i : i + 1] = rolls.choice(([(number, data)],) * 6 + ([(number, data)] * 2, [(rolls.choice(blocks)[0], data)], []))
        blocks = blocks or [(1, b"{}")]
    return blocks


def use(kind, path):
    found = getattr(module, kind)(path)
    if kind != "Samples":
        return len(list(found))
    found.time()
    module.merge(found.results, found.results)
    return sum(len(found.callers(stack)) + len(found.sites(stack) or ()) for stack in found.stacks) + found.period


@test
def damage(folder):
    """Blocks that no run writes, with right sums: they are read, or raise Error, and nothing else."""
    tips, trace, signals = folder / "x.samples", folder / "x.trace", folder / "x.signals"
    shutil.copy(ROOT / "tests/unit/samples/version3.tips", old := folder / "old.samples")
    workers = ("stall-causes", "collections:ebs=101,lbr=11", "snippets", f"bin:file={trace},to=60", f"signals:group=lsu,file={signals},format=bin,to=60")
    workers = [word for worker in workers for word in ("--worker", worker)]
    said(*RUN, "--quiet", "--period", 997, "--max-cycles", 6000, "--samples", tips, *workers, WORKLOADS / "queens.small.elf", status=124)
    path, rolls, refused = folder / "bad", random.Random(1), 0
    for kind, good, version, count in ("Samples", tips, 4, 220), ("Samples", old, 3, 80), ("Trace", trace, 1, 60), ("Signals", signals, 1, 40):
        blocks = blocks_of(good)
        file_of(path, good.suffix[1:].encode(), version, *blocks)
        use(kind, path)
        for i in range(count):
            file_of(path, good.suffix[1:].encode(), version, *damaged(rolls, blocks))
            try:
                use(kind, path)
            except module.Error as error:
                check(str(path) in str(error) and "\n" not in str(error) or "the sum is too large" in str(error), str(error))
                refused += 1
            except Exception as error:
                raise AssertionError(f"{kind}, input {i}: {error!r}") from error
    check(100 < refused < 390, f"{refused} of 400 refused")


@test
def frames(folder):
    """Data frames against the lists that they are made of: sums of cycles, columns, a place in three columns; and without pandas one line."""
    path, trace, signals, stats = (folder / name for name in ("f.tips", "f.trace", "f.signals", "f.json"))
    options = [
        "--quiet",
        "--period",
        97,
        "--samples",
        path,
        "--stats",
        stats,
        "--trace",
        trace,
        "--trace-to",
        3000,
        "--worker",
        f"signals:group=lsu,file={signals},format=bin,to=3000",
    ]
    said(*RUN, *options, WORKLOADS / "queens.small.elf")
    run = module.Samples(path)
    samples, time, oracle = (module.frame(run, what) for what in ("samples", "time", "Oracle"))
    check(abs(samples.cycles.sum() - sum(s.cycles for s in run.samples)) < 1e-6 and abs(time.cycles.sum() - samples.cycles.sum()) < 1e-6, "cycles")
    check(set(samples.cycle) == {s.cycle for s in run.samples} and len(samples) >= sum(len(s.lanes) for s in run.samples), "samples")
    by_state = samples.groupby("state").cycles.sum().to_dict()
    booked = collections.Counter()
    for (_, _, _, state, _), cycles in run.time().items():
        booked[state] += cycles
    check(set(by_state) == set(booked) and all(abs(by_state[state] - booked[state]) < 1e-6 for state in booked), f"{by_state}")
    check(abs(oracle.cycles.sum() - run.statistics["cycles"]) < 1e-6 and len(oracle) == len(run.profiles["Oracle"]), "the Oracle's profile")
    jumps = module.frame(run, "jump")
    check(list(jumps.columns) == ["from", "from_mode", "from_space", "to", "to_mode", "to_space", "executions"], f"{jumps.columns}")
    rows = [tuple(None if value is pandas.NA else value for value in row) for row in jumps.itertuples(index=False)]
    check(rows == [(*r["from"], *r["to"], r["executions"]) for r in run.results["jump"]], "jumps")
    kept = frames_of._exact(pandas, [((1 << 64) - 3, "U"), (None, "M")], ["address", "mode"])
    check(kept.address[0] == (1 << 64) - 3 and kept.address.isna()[1], "an address of the kernel beside none")
    cycles = module.frame(module.Trace(trace))
    raw = list(module.Trace(trace))
    check(len(cycles) == len(raw) > 100 and cycles["count"].sum() == sum(row.count for row in raw) and list(cycles.pc) == [row.pc for row in raw], "trace")
    rows = list(module.Signals(signals))
    held = module.frame(module.Signals(signals))
    check(len(held) == len(rows) > 0 and list(held.iloc[-1]) == [*rows[-1][:2], *rows[-1][2]], "signals")
    flat = module.frame(module.statistics(stats)).set_index("name").value
    check(flat["cycles"] == run.statistics["cycles"] and flat.index.is_unique, "statistics")
    refusals = [((run, "jumps"), "has no 'jumps': it has samples, time, Oracle"), ((7,), "frame: int: is none of Samples")]
    for arguments, text in refusals:
        try:
            check(False, f"{module.frame(*arguments)}")
        except module.Error as error:
            check(text in str(error) and "\n" not in str(error), str(error))
    bare = "import sys; sys.modules['pandas'] = None; import tipoff\ntry:\n    tipoff.frame({})\nexcept tipoff.Error as error:\n    print(error)"
    done = subprocess.run([sys.executable, "-c", bare], env={"PYTHONPATH": f"{ROOT}/python:{DEBIAN}"}, capture_output=True, text=True, check=True)
    check("apt install python3-pandas" in done.stdout and done.stdout.count("\n") == 1, done.stdout)


@test
def example(folder):
    path = folder / "x.tips"
    said(*RUN, "--quiet", "--period", 97, "--samples", path, WORKLOADS / "queens.small.elf")
    shutil.copytree(ROOT / "python", folder / "python")
    command = [sys.executable, folder / "python/examples/hot_lines.py"]
    done = subprocess.run([*command, path], env={"PYTHONPATH": DEBIAN, "PATH": "/usr/bin:/bin"}, capture_output=True, text=True, check=False, cwd=folder)
    hottest = said("report", "--by", "instruction", "--top", 1, path).splitlines()[-1].split()
    check(done.returncode == 0 and len(re.findall(r"^cycle", done.stdout, re.M)) == 20, f"{done.stdout}{done.stderr}")
    check(
        f"  {hottest[0]} %  {hottest[3] if hottest[3].startswith('0x') else next(word for word in hottest if word.startswith('0x'))} " in done.stdout,
        f"{hottest}: {done.stdout}",
    )
    done = subprocess.run([*command, folder / "none"], env={"PYTHONPATH": DEBIAN, "PATH": "/usr/bin:/bin"}, capture_output=True, text=True, check=False)
    check(done.returncode == 1 and done.stderr.count("\n") == 1 and "none: cannot open" in done.stderr, f"{done.stderr}")


if __name__ == "__main__":
    sys.exit(main())
