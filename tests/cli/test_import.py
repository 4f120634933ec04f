#!/usr/bin/python3
"""`tipoff import`: the worked examples of docs/guide/profiling.md written as other cores' traces, our own run as O3PipeView and as Kanata and back again,
order, parts, compression, cut files, and what is refused.

    tests/cli/test_import.py [--only TEXT]

Needs build/bin/tipoff, build/small2/model.so and build/workloads/{sort,vm_paging}.small.elf.
"""
import collections
import csv
import gzip
import io
import random
import re
import resource
import sqlite3
import subprocess
import sys

from cli import ROOT, check, main, refused, test, tipoff
from o3_trace import NEVER, TICKS, way


def imported(folder, text, *arguments, name="trace", status=0, said=""):
    """Of the Oracle the cycles by (address, state)."""
    trace, samples = folder / name, folder / f"{name}.tips"
    trace.write_bytes(text if isinstance(text, bytes) else text.encode())
    got, out, err = tipoff("import", "--period", 0, *arguments, "-o", samples, trace)
    check(got == status and (said in err if said else err == ""), f"import: status {got}: {err}")
    return profile(samples), out


def profile(samples, *arguments):
    status, out, err = tipoff("report", "--format", "csv", "--by", "instruction", "--profiler", "Oracle", *arguments, samples)
    check(status == 0, err)
    found = collections.Counter()
    for row in csv.DictReader(io.StringIO(out)):
        if row["unit"] != "end of run":
            found[int(row["unit"], 16), row["state"]] += float(row["cycles"])
    return {key: round(value, 6) for key, value in found.items() if value}


# The examples, whose sums docs/guide/profiling.md works out by hand: a core that commits two. Of each instruction number, address, fetch, dispatch, retire.
STALL = [(1, 0x100, 1, 2, 3, "addi"), (2, 0x104, 1, 2, 44, "ld"), (3, 0x108, 1, 2, 44, "addi")]
FLUSH = [(1, 0x100, 1, 2, 4, "addi"), (2, 0x104, 1, 2, 4, "bne"), (3, 0x108, 2, 3, NEVER, "addi"), (4, 0x200, 4, 8, 10, "addi")]
DRAIN = [(1, 0x100, 1, 2, 4, "addi"), (2, 0x104, 1, 2, 4, "addi"), (3, 0x108, 40, 44, 46, "addi")]


@test
def examples_by_hand(folder):
    """Stall: the load has 40.5 cycles. Flush: the branch has the four empty ones. Drain: who comes next has them."""
    got, _ = imported(folder, "".join(way(*line) for line in STALL))
    check(got[0x104, "Computing"] == 0.5 and got[0x108, "Computing"] == 0.5 and got[0x104, "Stalled"] == 40, got)
    got, _ = imported(folder, "".join(way(*line) for line in FLUSH))
    check(got[0x104, "Flushed"] == 4 and got[0x200, "Stalled"] == 1 and (0x108, "Stalled") not in got, got)
    got, _ = imported(folder, "".join(way(*line) for line in DRAIN))
    check(got[0x108, "Drained"] == 40 and got[0x108, "Stalled"] == 1, got)


@test
def squashes_have_causes(folder):
    """A trap: who traps has the time up to the handler's first; a load that begins again; what always flushes."""
    trap = [(1, 0x100, 1, 2, 4, "addi"), (2, 0x104, 1, 2, NEVER, "ld"), (3, 0x108, 1, 2, NEVER, "addi"), (4, 0x800, 9, 10, 12, "csrr")]
    got, out = imported(folder, "".join(way(*line) for line in trap))
    check(got[0x104, "Stalled"] + got[0x104, "Flushed"] == 6 and " 1 traps" in out, (got, out))
    again = [(1, 0x100, 1, 2, 4, "addi"), (2, 0x104, 1, 2, NEVER, "ld"), (3, 0x108, 1, 2, NEVER, "addi"), (4, 0x104, 9, 10, 12, "ld")]
    got, out = imported(folder, "".join(way(*line) for line in again))
    check(" 1 replays" in out and sum(value for (pc, _), value in got.items() if pc == 0x104) == 8, (got, out))
    flush = [(1, 0x100, 1, 2, 4, "fence.i"), (2, 0x104, 1, 2, NEVER, "addi"), (3, 0x104, 6, 9, 11, "addi")]
    got, out = imported(folder, "".join(way(*line) for line in flush))
    check(" 1 flushes" in out and got[0x100, "Flushed"] == 5, (got, out))


@test
def as_kanata(folder):
    """The same example; Q is in the ROB. A stage of another name is asked for, and found by --dispatch."""
    lines = ["Kanata\t0004", "C=\t1"]
    for i, pc in enumerate((0x100, 0x104, 0x108)):
        lines += [f"I\t{i}\t{i}\t0", f"L\t{i}\t0\t{pc:x}: {'ld' if i == 1 else 'addi'} a0", f"S\t{i}\t0\tF"]
    lines += ["C\t1"] + [f"S\t{i}\t0\tQ" for i in range(3)] + ["C\t1", "R\t0\t0\t0", "C\t41", "R\t1\t1\t0", "R\t2\t2\t0", ""]
    wanted, _ = imported(folder, "".join(way(*line) for line in STALL))
    got, _ = imported(folder, "\n".join(lines))
    check(got == wanted, (got, wanted))
    renamed = "\n".join(lines).replace("\tQ", "\tEnter")
    trace = folder / "renamed"
    trace.write_text(renamed)
    refused(
        ["import", trace, "-o", folder / "x.tips"], "no instruction has a stage Q or Ds: name the one that begins in the ROB with --dispatch: F, Enter", lines=0
    )
    got, _ = imported(folder, renamed, "--dispatch", "Enter")
    check(got == wanted, got)


@test
def retires_alone(folder):
    """Time goes to who retires next; what is not shown is named, and no table guesses it."""
    got, out = imported(folder, "cycle,pc,insn\n3,0x100,0\n44,0x104,0\n44,0x108,0\n")
    check(got[0x104, "Stalled"] == 40 and got[0x104, "Computing"] == 0.5, got)
    check("Flushed not shown by this trace, Drained not shown by this trace" in out, out)
    status, out, _ = tipoff("report", folder / "trace.tips")
    check(status == 0 and "not shown by it: events, Flushed, Drained, modes" in out and re.search(r"Drained +not shown by the trace", out), out)


@test
def lifetimes(folder):
    """XiangShan's table: the same example; a PC whose highest bits gem5 has cut; rows in any order; another column's name."""
    for name in ("AtDispQue", "AtRename"):
        path = folder / f"{name}.db"
        with sqlite3.connect(path) as db:
            db.execute(f"CREATE TABLE LifeTimeCommitTrace (ID INTEGER PRIMARY KEY AUTOINCREMENT, AtFetch INT, {name} INT, AtCommit INT, PC INT)")
            for number, pc, fetch, dispatch, retire, _ in STALL:
                row = [TICKS * (cycle + 1) for cycle in (fetch, dispatch, retire)] + [0x0FFFFFFF80000000 | pc]
                db.execute(f"INSERT INTO LifeTimeCommitTrace (AtFetch, {name}, AtCommit, PC) VALUES (?, ?, ?, ?)", row)
        got, out = imported(folder, path.read_bytes(), *([] if name == "AtDispQue" else ["--dispatch", name]))
        check(got[0xFFFFFFFF80000104, "Stalled"] == 40 and "Flushed not shown by this trace, Drained" in out, (got, out))
    refused(["import", path, "-o", folder / "x.tips"], "has no column AtDispQue: --dispatch names the one")
    path.write_bytes(path.read_bytes()[:5000])
    refused(["import", path, "-o", folder / "x.tips"], "is it an unpacked SQLite file with a table LifeTimeCommitTrace?")


@test
def any_order_parts_and_compression(folder):
    """Instructions come as they die; micro-ops fold into theirs; gzip and zstd read as they are."""
    rng, number, now, lives = random.Random(7), 0, 10, []
    for _ in range(3000):
        now += rng.choice((0, 0, 1, 3))
        for part in range(rng.choice((1, 1, 2))):
            number += 1
            lives.append((number, 0x1000 + 4 * rng.randrange(50), now, now + 2, now + 9, "add", 0))
            if part:
                lives[-1] = (number, lives[-2][1], now, now + 2, now + 10, "add", 1)
        now = max(now, lives[-1][4] - 9)
    text = "".join(way(*life) for life in lives)
    wanted, out = imported(folder, text)
    folded = sum(life[6] for life in lives)
    check(f" {len(lives) - folded} instructions" in out and f" {folded} parts" in out, out)
    for i in range(0, len(lives) - 40, 40):
        part = lives[i : i + 40]
        rng.shuffle(part)
        lives[i : i + 40] = part
    shuffled = "junk of another flag\n" + "".join(way(*life) for life in lives)
    check(imported(folder, shuffled.replace("junk", "O3PipeView:junk"), "--format", "o3pipeview")[0] == wanted, "order matters")
    check(imported(folder, gzip.compress(text.encode()), name="t.gz")[0] == wanted, "gzip")
    packed = subprocess.run(["zstd", "-q"], input=text.encode(), stdout=subprocess.PIPE, check=True).stdout
    check(imported(folder, packed, name="t.zst")[0] == wanted, "zstd")
    for cut, name in ((packed[: len(packed) // 2], "cut.zst"), (gzip.compress(text.encode())[:-2000], "cut.gz"), (text.encode()[:-30], "cut")):
        got, _ = imported(folder, cut, name=name, said="what came before is used")
        check(sum(got.values()) > sum(wanted.values()) / 10, f"{name}: {sum(got.values())}")


def own(folder, program, worker):
    """Our run, and the same from its trace."""
    elf, trace, samples, back = ROOT / f"build/workloads/{program}.small.elf", folder / "own", folder / "own.tips", folder / "back.tips"
    status, out, err = tipoff("run", "--config", "small2", "--period", 997, "--samples", samples, "--worker", f"{worker}:file={trace}", elf)
    check(status == 0, out + err)
    status, out, err = tipoff("import", "--width", 2, "--program", elf, "-o", back, trace)
    check(status == 0 and err == "", err)
    return profile(samples), profile(back), back


def misplaced(wanted, got):
    keys = set(wanted) | set(got)
    return sum(abs(wanted.get(key, 0) - got.get(key, 0)) for key in keys) / 2


@test
def own_run_as_o3pipeview(folder):
    """Every state of every instruction, but the cycles before the first fetch, which no trace shows."""
    wanted, got, back = own(folder, "sort", "o3pipeview")
    early = wanted.pop((0x1000, "Drained")) - got.pop((0x1000, "Drained"))
    check(0 < early < 40 and wanted == got, f"{early}, {[(k, wanted.get(k), got.get(k)) for k in set(wanted) | set(got) if wanted.get(k) != got.get(k)]}")
    status, out, _ = tipoff("compare", back)
    check(status == 0 and all(name in out for name in ("TIP ", "NCI ", "LCI ", "Dispatch ", "Fetch ", "Software ")) and "chance" in out, out)


@test
def own_traps_and_pages(folder):
    """With traps and page faults: an instruction's time is the same to 0.2 % of the run, whatever its states."""
    wanted, got, _ = own(folder, "vm_paging", "o3pipeview")
    by = [collections.Counter(), collections.Counter()]
    for k, one in enumerate((wanted, got)):
        for (pc, _), value in one.items():
            by[k][pc] += value
    check(misplaced(by[0], by[1]) < 0.002 * sum(by[0].values()), misplaced(by[0], by[1]))


@test
def own_run_as_kanata(folder):
    """Our Kanata log does not have what was fetched and not dispatched: some mispredictions show as Drained, 0.4 % of the time."""
    wanted, got, _ = own(folder, "sort", "kanata")
    check(misplaced(wanted, got) < 0.005 * sum(wanted.values()), misplaced(wanted, got))


@test
def memory_does_not_grow(folder):
    """60 MB of trace take no more than 200 MB."""
    trace = folder / "long"
    with open(trace, "w", encoding="utf-8") as file:
        for i in range(200000):
            file.write(way(i + 1, 0x1000 + i % 1000 * 4, i + 1, i + 2, i + 5, "addi", complete=i + 4))
    run = [ROOT / "build/bin/tipoff", "import", "-q", "-o", folder / "long.tips", trace]
    check(trace.stat().st_size > 40e6, trace.stat().st_size)
    subprocess.run(run, check=True, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (200 << 20, 200 << 20)))


@test
def bad_input(folder):
    def trace(text):
        path = folder / "bad"
        path.write_text(text)
        return path

    line = way(*STALL[0])
    out = ["-o", folder / "x.tips"]
    refused(["import", *out], "name a pipeline trace", lines=0)
    refused(["import", trace(line)], "name the sample file to write: -o FILE.tips", lines=0)
    refused(["import", trace("a,b\n"), *out], "of no format that its first line shows: name it with --format", lines=0)
    refused(["import", "--format", "ftrace", trace(line), *out], "--format ftrace: there is none; `--format help` lists them", lines=0)
    refused(
        ["import", trace(line.replace(":500:", ":5x0:").replace("fetch:1000", "fetch:10x0")), *out],
        "line 1: no O3PipeView:fetch:TICK:0xPC:PART:NUMBER:TEXT",
        lines=0,
    )
    refused(["import", trace(line + way(1, 0x500, 3, 4, 8, "add")), *out], "instruction 1 comes twice: of several CPUs or threads, write a file each", lines=0)
    refused(["import", trace(way(1, 0x100, 1, 2, NEVER, "add")), *out], "no instruction of it retires", lines=0)
    refused(["import", "--width", 1, trace("".join(way(*line) for line in STALL)), *out], "2 instructions retire in cycle 43, more than --width 1", lines=0)
    refused(["import", "--clock", 300, trace(line), *out], "--clock says how many ticks a cycle has", lines=0)
    refused(["import", "--period", 3, trace(line), *out], "--period 3: 0, or 16 at least", lines=0)
    refused(["import", "--format", "retires", trace("cycle,pc\n3,0x10\nx,0x14\n"), *out], "line 3: cycle or pc is no number", lines=0)
    refused(["import", "--format", "retires", trace("cycle,insn\n3,0x10\n"), *out], "line 1: its first line names no columns cycle and pc", lines=0)
    refused(["import", trace("Kanata\t0004\nC=\t5\nC=\t3\n"), *out], "line 3: time goes back", lines=0)
    refused(["import", trace("Kanata\t0004\nI\t0\t0\t0\nI\t1\t1\t1\n"), *out], "line 3: a second thread: write a file for each", lines=0)
    threads = "".join(way(*one).replace("O3PipeView:decode", f"O3PipeView:thread:500:{i // 2}\nO3PipeView:decode") for i, one in enumerate(STALL))
    refused(["import", trace(threads), *out], "line 18: a second thread: write a file for each", lines=0)
    refused(["import", folder / "none", *out], "No such file", lines=0)
    database = folder / "two.db"
    with sqlite3.connect(database) as db:
        db.execute("CREATE TABLE LifeTimeCommitTrace (AtFetch INT, AtDispQue INT, AtCommit INT, PC INT, TID INT)")
        db.executemany("INSERT INTO LifeTimeCommitTrace VALUES (?, ?, ?, ?, ?)", [(500, 1000, 2000, 0x100, 0), (500, 1000, 2500, 0x104, 1)])
    refused(["import", database, *out], "row 2 of LifeTimeCommitTrace belongs to a second thread (TID)", lines=0)
    both = trace(line)
    refused(["import", both, "-o", both], "--output", lines=0)
    check(not (folder / "x.tips").exists(), "something half-written was left")


if __name__ == "__main__":
    sys.exit(main())
