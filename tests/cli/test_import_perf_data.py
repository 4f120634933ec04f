#!/usr/bin/python3
"""`tipoff import --format perf-data`: files written by hand (moved programs, libraries, forks, execs, kernel, several events, call chains, the pipe form,
compressed records), our own export and back again, what perf itself says of a recording where it can record, damaged files, and `tipoff diff` with a run.

    tests/cli/test_import_perf_data.py [--only TEXT]

Needs build/bin/tipoff, build/small2/model.so, build/workloads/sort.small.elf; perf for two of the tests.
"""
import collections
import csv
import io
import os
import random
import re
import shutil
import subprocess
import sys

import zstandard

from cli import ROOT, check, main, refused, test, tipoff
from perf_files import CHAIN_KERNEL, CHAIN_USER, CPU, ID, IP, KERNEL, PERIOD, TID, TIME, Perf

SORT = ROOT / "build/workloads/sort.small.elf"
OTHER = ROOT / "build/workloads/compress.small.elf"
MOVED = 0x5500_0000_0000  # what a program at any address is moved by


def symbols(program):
    text = subprocess.run(["riscv64-unknown-elf-nm", program], capture_output=True, text=True, check=True).stdout
    return {name: int(value, 16) for value, _, name in (line.split() for line in text.splitlines() if len(line.split()) == 3)}


def segment(program):
    """(offset, address, bytes) of the segment that is executed, the largest one."""
    text = subprocess.run(["riscv64-unknown-elf-readelf", "-lW", program], capture_output=True, text=True, check=True).stdout
    rows = [line.split() for line in text.splitlines() if line.split()[:1] == ["LOAD"]]
    found = [(int(row[5], 16), int(row[1], 16), int(row[2], 16)) for row in rows if "E" in "".join(row[6:-1])]
    size, offset, address = max(found)
    return offset, address, size


def mapped(perf, pid, program, moved=MOVED, when=0, **more):
    """The map of its code, moved: what an address of the program is at run time."""
    offset, address, size = segment(program)
    perf.mmap2(pid, address + moved, size, offset, str(program), when, **more)


def imported(folder, data, *arguments, name="perf.data", said=""):
    path, tips = folder / name, folder / f"{name}.tips"
    path.write_bytes(data)
    got, out, err = tipoff("import", *arguments, "-o", tips, path)
    check(got == 0 and (said in err if said else err == ""), f"import: status {got}: {err}")
    return tips, out


def totals(tips, *arguments, column="unit"):
    status, out, err = tipoff("report", "--format", "csv", "--by", "function", *arguments, tips)
    check(status == 0 and not err, err)
    found = collections.Counter()
    for row in csv.DictReader(io.StringIO(out)):
        found[row[column]] += float(row["cycles"])
    return dict(found)


def two_programs(**more):
    """sort, moved; its child executes compress, at other addresses; the kernel, and an address that nobody has mapped."""
    perf = Perf(**more)
    sort, other = symbols(SORT), symbols(OTHER)
    perf.comm(10, "sort.small.elf", 5)
    mapped(perf, 10, SORT, when=6)
    perf.fork(11, 10, 20)
    perf.comm(11, "compress.small.elf", 30)
    mapped(perf, 11, OTHER, moved=MOVED + 0x1000, when=31)
    perf.sample(10, sort["main"] + MOVED + 4, 10, 7)
    perf.sample(10, sort["quicksort"] + MOVED, 11, 20)
    perf.sample(11, sort["quicksort"] + MOVED + 2, 25, 300)  # the child, before it executes another program
    perf.sample(11, other["main"] + MOVED + 0x1000, 40, 4000)
    perf.sample(10, 0xFFFFFFFF81000000, 41, 50000, mode=KERNEL)
    perf.sample(10, 0x1234, 42, 600000)
    return perf


EXPECTED = {"main [compress.small.elf]": 4000, "main [sort.small.elf]": 7, "quicksort": 320, "[kernel]": 50000, "[unknown]": 600000}


def labels(tips, *arguments):
    """By name and image."""
    status, out, err = tipoff("report", "--format", "csv", "--by", "function", *arguments, tips)
    check(status == 0 and not err, err)
    found = collections.Counter()
    for row in csv.DictReader(io.StringIO(out)):
        found[f"{row['name']} [{row['image']}]" if row["name"] == "main" else row["name"]] += float(row["cycles"])
    return dict(found)


@test
def test_totals(folder):
    """Two programs at moved addresses, fork and exec by their times; the file form, the pipe form, and compressed."""
    tips, out = imported(folder, two_programs().file())
    check("6 samples of cpu-clock: 654327 ns" in out, out)
    check(labels(tips) == EXPECTED, f"{labels(tips)}")
    tips, _ = imported(folder, two_programs().pipe(), name="pipe")
    check(labels(tips) == EXPECTED, f"pipe: {labels(tips)}")
    perf = two_programs()
    perf.compressed(zstandard.ZstdCompressor().compress)
    tips, _ = imported(folder, perf.file(), name="zstd")
    check(labels(tips) == EXPECTED, f"compressed: {labels(tips)}")


@test
def test_order(folder):
    """Buffers of several CPUs: records are not in the order of time. Without times their order in the file counts."""
    perf = two_programs()
    perf.records.reverse()
    tips, _ = imported(folder, perf.file(), "--format", "perf-data")
    check(labels(tips) == EXPECTED, f"{labels(tips)}")
    perf = Perf(sample_type=IP | TID | PERIOD, id_all=False)
    main_at = symbols(SORT)["main"]
    perf.sample(10, main_at, period=5)
    mapped(perf, 10, SORT, moved=0)
    perf.sample(10, main_at, period=70)
    tips, _ = imported(folder, perf.file(), name="untimed")
    check(totals(tips) == {"[unknown]": 5, "main": 70}, f"{totals(tips)}")


@test
def test_fields(folder):
    """What stands before and between what is read: id, CPU, counters; MMAP, the period of the attribute, unknown records."""
    perf = Perf(("cycles", "instructions"), IP | TID | TIME | ID | CPU)
    perf.record(200, 0, bytes(40))
    perf.comm(10, "sort.small.elf")
    offset, address, size = segment(SORT)
    perf.mmap(10, address, size, offset, str(SORT))
    perf.mmap2(10, 0, 1 << 40, 0, "//data", protection=3)  # not executed
    perf.sample(10, symbols(SORT)["main"], 1)
    perf.sample(10, symbols(SORT)["main"], 2, event=1)
    perf.sample(10, symbols(SORT)["quicksort"], 3, event=1)
    tips, out = imported(folder, perf.file())
    check("cycles: 1000 cycles, instructions: 2000 instructions" in out, out)
    check(totals(tips) == {"main": 1000}, f"the first event's profile: {totals(tips)}")
    check(totals(tips, "--profiler", "instructions") == {"main": 1000, "quicksort": 1000}, "the other event's")


@test
def test_callers(folder):
    """Frames by their addresses after calls; the kernel's above the program's."""
    sort = symbols(SORT)
    text = subprocess.run(["riscv64-unknown-elf-objdump", "-d", SORT], capture_output=True, text=True, check=True).stdout
    call = next(line for line in text[text.index("<main>:") :].splitlines() if "jal" in line and "<quicksort>" in line)
    behind = int(call.split(":")[0], 16) + len(call.split("\t")[1].replace(" ", "")) // 2 + MOVED
    perf = Perf()
    perf.comm(10, "sort.small.elf")
    mapped(perf, 10, SORT)
    quick = sort["quicksort"] + MOVED
    perf.sample(10, quick, 1, 10, chain=(CHAIN_USER, quick, behind))
    perf.sample(10, 0xFFFFFFFF81000000, 2, 200, chain=(CHAIN_KERNEL, 0xFFFFFFFF81000000, 0xFFFFFFFF81000100, CHAIN_USER, quick, behind), mode=KERNEL)
    tips, _ = imported(folder, perf.file())
    status, out, err = tipoff("report", "--format", "folded", tips)
    check(status == 0, err)
    found = dict(line.rsplit(" ", 1) for line in out.splitlines())
    check(found == {"main;quicksort": "10", "main;quicksort;[kernel] [exception];[kernel]": "200"}, out)
    status, out, err = tipoff("report", "--by", "line", "--format", "csv", tips)
    check(status == 0 and "sort.c:" in out, out + err)


@test
def test_build_ids(folder):
    """A file that is another one now has no symbols; --program names the one that was recorded, or is refused."""
    perf = Perf()
    perf.comm(10, "sort.small.elf")
    mapped(perf, 10, SORT, build_id=bytes(range(20)))
    perf.sample(10, symbols(SORT)["main"] + MOVED, 1, 10)
    tips, _ = imported(folder, perf.file(), said="not what was recorded")
    check(totals(tips) == {"sort.small.elf": 10}, f"{totals(tips)}")
    refused(["import", "-o", folder / "x.tips", "--program", SORT, folder / "perf.data"], "not the program that was recorded", "00010203")
    perf = Perf()
    perf.comm(10, "elsewhere")
    offset, address, size = segment(SORT)
    perf.mmap2(10, address + MOVED, size, offset, "/nowhere/elsewhere")
    perf.sample(10, symbols(SORT)["main"] + MOVED, 1, 10)
    tips, _ = imported(folder, perf.file(), said="/nowhere/elsewhere: cannot be read")
    check(totals(tips) == {"elsewhere": 10}, f"{totals(tips)}")
    tips, _ = imported(folder, perf.file(), "--program", SORT)
    check(totals(tips) == {"main": 10}, f"{totals(tips)}")


@test
def test_report(folder):
    """No state is guessed; the unit is the event's."""
    tips, _ = imported(folder, two_programs().file())
    status, out, err = tipoff("report", tips)
    check(status == 0 and not err, err)
    for said in ("654,327 ns, all of 6 samples of `perf record`", "not shown by it: events, Computing, Stalled, Flushed, Drained"):
        check(said in out, f"{said}: {out}")
    check(len(re.findall("not shown by the samples", out)) == 4, out)
    check(re.search(r"share +ns +time by state", out) and not re.search(r"\d cycles", out), out)
    page = folder / "page.html"
    check(tipoff("report", "--format", "html", "-o", page, tips)[0] == 0 and "quicksort" in page.read_text(), "the page")


@test
def test_back(folder):
    """Our run as perf.data and back again: by function and state what the report has; beside the run nothing differs."""
    own, data, back = folder / "own.tips", folder / "own.data", folder / "back.tips"
    check(tipoff("run", "--config", "small2", "--quiet", "--period", 97, "--samples", own, SORT)[0] == 0, "the run")
    check(tipoff("report", "--format", "perf-data", "-o", data, own)[0] == 0, "the export")
    status, _, err = tipoff("import", "-q", "-o", back, data)
    check(status == 0 and not err, err)
    units = {}
    for path in (own, back):
        status, out, err = tipoff("report", "--format", "csv", "--by", "function", path)
        check(status == 0, err)
        rows = csv.DictReader(io.StringIO(out))
        units[path] = collections.Counter()
        for row in rows:
            units[path]["[unknown]" if row["unit"] in ("end of run", "[boot ROM]") else row["unit"], row["state"]] += float(row["cycles"])
    check(abs(sum(units[own].values()) - sum(units[back].values())) < 1, f"{units}")
    for key in units[own] | units[back]:  # each sample's share is rounded to a cycle
        check(abs(units[own][key] - units[back][key]) <= 1 + sum(units[own].values()) / 1000, f"{key}: {units[own][key]}, {units[back][key]}")
    for by in ("function", "line"):
        status, out, err = tipoff("diff", "--by", by, own, back)
        check(status == 0 and re.search(rf"{by}s by change beyond chance \(0 of \d+\)", out, re.I), out + err)


@test
def test_diff(folder):
    """A machine's nanoseconds beside the core's cycles: shares, by name, and no states."""
    own = folder / "own.tips"
    check(tipoff("run", "--config", "small2", "--quiet", "--period", 97, "--samples", own, SORT)[0] == 0, "the run")
    perf = Perf()
    perf.comm(10, "sort.small.elf")
    mapped(perf, 10, SORT)
    perf.sample(10, symbols(SORT)["quicksort"] + MOVED, 1, 320)
    perf.sample(10, 0xFFFFFFFF81000000, 2, 640000 - 320, mode=KERNEL)
    tips, _ = imported(folder, perf.file())
    status, out, err = tipoff("diff", tips, own)
    check(status == 0, err)
    check("A is in ns, B in cycles: shares" in out and "not shown by the samples of `perf record`: Computing" in out, out)
    check("Stalled" not in out.split("By change", 1)[-1].split("Functions", 1)[1], out)
    check(re.search(r"0\.05 % +\d.*quicksort", out), out)  # 320 of 640,000


@test
def test_refused(folder):
    def file(data, name="bad"):
        (folder / name).write_bytes(data)
        return ["import", "--format", "perf-data", "-o", folder / "x.tips", folder / name]

    refused(file(b"Kanata\t0004\n"), "not a perf.data file")
    refused(file(b"2ELIFREP" + bytes(100)), "big-endian")
    refused(file(Perf().file()), "no samples", lines=2)  # and that its length was never written
    refused(file(Perf().file()[:90]), "header is damaged")
    check(not (folder / "x.tips").exists(), "nothing is written")
    perf = two_programs()
    tips, _ = imported(folder, perf.file()[: 104 + 8 + 80 + sum(map(len, perf.records[:-1])) + 9], said="it is cut")
    check(totals(tips)["[kernel]"] == 50000 and "[unknown]" not in totals(tips), "what was whole is used")


@test
def test_damaged(folder):
    """Flipped and cut files are read as far as they go, or refused in a line: never a crash, never a half file."""
    seed = int(os.environ.get("SEED", "1"))
    print(f"  seed {seed}")
    draw = random.Random(seed)
    packed = two_programs()
    packed.compressed(zstandard.ZstdCompressor().compress)
    wholes = [two_programs().file(), two_programs().pipe(), packed.file()]
    for turn in range(int(os.environ.get("TURNS", "60"))):
        data = bytearray(draw.choice(wholes))
        for _ in range(draw.randrange(1, 6)):
            at = draw.randrange(len(data))
            data[at] = draw.choice((0, 1, 0x7F, 0x80, 0xFF, draw.randrange(256)))
        if draw.random() < 0.5:
            del data[draw.randrange(len(data)) :]
        path, tips = folder / "flipped", folder / "flipped.tips"
        path.write_bytes(data)
        tips.unlink(missing_ok=True)
        status, _, err = tipoff("import", "-q", "--format", "perf-data", "-o", tips, path)
        check(status in (0, 2), f"turn {turn}: status {status}: {err}")
        check(tips.exists() == (status == 0), f"turn {turn}: the output")
        if status == 0 and turn % 4 == 0:
            status, _, err = tipoff("report", tips)
            check(status == 0, f"turn {turn}: report: {err}")


def recorded(folder):
    """A small program under perf record, or None where that cannot be."""
    source, program, data = folder / "hot.c", folder / "hot", folder / "hot.data"
    source.write_text(
        "__attribute__((noinline, optnone)) unsigned long inner(unsigned long n) { unsigned long s = 1; while (n--) s = s * 6364136223846793005UL + n; return s; }\n"
        "__attribute__((noinline, optnone)) unsigned long outer(unsigned long n) { return inner(n) + inner(n / 3); }\n"
        "int main(void) { unsigned long s = 0; for (int i = 0; i < 40; i++) s += outer(1000000); return s & 1; }\n"
    )
    if not shutil.which("perf") or not shutil.which("clang"):
        return None
    subprocess.run(["clang", "-O2", "-g", "-fno-omit-frame-pointer", "-o", program, source], check=True)
    subprocess.run(["perf", "record", "-q", "-e", "cpu-clock", "-c", "100000", "-g", "-o", data, program], capture_output=True, check=False)
    return data if data.exists() and data.stat().st_size > 2000 else None


@test
def test_recorded(folder):
    """What perf itself sums up of a recording of this machine, by symbol and file."""
    data = recorded(folder)
    if not data:
        print("  perf cannot record here")
        return
    script = ["perf", "script", "-i", data, "-G", "-F", "period,ip,sym,dso"]
    text = subprocess.run(script, capture_output=True, text=True, check=True, env={**os.environ, "LC_ALL": "C"}).stdout
    expected, images = collections.Counter(), collections.Counter()
    for line in text.splitlines():
        period, name, dso = re.fullmatch(r" *(\d+) +[0-9a-f]+ (.+) \((.+)\)", line).groups()
        kernel = dso.startswith("[kernel") or dso.endswith(".ko")
        images["[kernel]" if kernel else os.path.basename(dso)] += int(period)
        expected["[kernel]" if kernel else name] += int(period)
    tips = folder / "hot.tips"
    status, _, err = tipoff("import", "-q", "-o", tips, data)
    check(status == 0, err)
    found = totals(tips, column="name")
    check(sum(found.values()) == sum(expected.values()), f"{found} {expected}")
    check(found["inner"] == expected["inner"] and found["[kernel]"] == expected["[kernel]"], f"{found} {expected}")
    by_image = totals(tips, column="image")
    check(by_image == dict(images), f"{by_image} {images}")
    status, out, _ = tipoff("report", "--format", "folded", tips)
    check(status == 0 and re.search(r"main;(outer;)?inner \d", out), out)


if __name__ == "__main__":
    sys.exit(main())
