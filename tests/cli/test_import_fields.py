#!/usr/bin/python3
"""`tipoff import --format fields`: the worked stall of docs/guide/profiling.md as records of a made-up core, in both byte orders; our own trace read by the
layout that ships; what a layout lacks; layouts and records that cannot be.

    tests/cli/test_import_fields.py [--only TEXT]

Needs build/bin/tipoff, build/small2/model.so and build/workloads/{sort,vm_paging}.small.elf.
"""
import collections
import csv
import gzip
import io
import subprocess
import sys

from cli import ROOT, check, main, refused, test, tipoff

LAYOUT = ROOT / "attach/fields/tipoff-trace.toml"
# A record of 15 bytes: a cycle's number of 20 bits, a bit that the ROB is empty, a lane's bits valid and commit, three bits of nothing in front of all; two
# addresses of 40 bits.
TOML = """[record]
endian = "ENDIAN"
bytes = 15
lanes = 2          # those that commit
[fields]
cycle = {offset = 3, width = 20}
rob_empty = {offset = 23, width = 1}
valid = {offset = 24, width = 1, stride = 2}
commit = {offset = 25, width = 1, stride = 2}
oldest = {offset = 28, width = 1}
pc = {offset = 32, width = 40, stride = 40}
"""
PLACES = {"cycle": (3, 20), "rob_empty": (23, 1), "valid0": (24, 1), "commit0": (25, 1), "valid1": (26, 1), "commit1": (27, 1), "oldest": (28, 1)}


def record(big=False, **values):
    """Of 15 bytes, by a sum of shifted numbers: another way than a walk over bytes."""
    whole = 0
    for name, value in values.items():
        at, width = PLACES.get(name) or (32 + 40 * int(name[2]), 40)
        whole |= value << (120 - at - width if big else at)
    return whole.to_bytes(15, "big" if big else "little")


def stall(big=False):
    """Cycle 7: an empty ROB. Then a load waits for 40 cycles, and commits with who follows it."""
    waits = [record(big, cycle=8 + i, valid0=1, valid1=1, pc0=0x8012345678, pc1=0x801234567C) for i in range(40)]
    last = record(big, cycle=48, valid0=1, valid1=1, commit0=1, commit1=1, pc0=0x8012345678, pc1=0x801234567C)
    return record(big, cycle=7, rob_empty=1) + b"".join(waits) + last


def profile(samples, columns=("unit", "state")):
    status, out, err = tipoff("report", "--format", "csv", "--by", "instruction", "--profiler", "Oracle", samples)
    check(status == 0, err)
    found = collections.Counter()
    for row in csv.DictReader(io.StringIO(out)):
        found[tuple(row[column] for column in columns)] += float(row["cycles"])
    return found


def imported(folder, layout, data, *arguments, said=""):
    (folder / "layout.toml").write_text(layout)
    (folder / "trace").write_bytes(data)
    samples = folder / "x.tips"
    status, out, err = tipoff("import", "--format", "fields", "--layout", folder / "layout.toml", *arguments, "-o", samples, folder / "trace")
    check(status == 0 and (said in err if said else err == ""), f"{status}: {err}")
    return profile(samples), out


@test
def by_hand(folder):
    """The load has 40.5 cycles, the one after it half a cycle, and the empty one before it is Drained, of the load, too."""
    wanted = {("0x8012345678", "Stalled"): 40, ("0x8012345678", "Computing"): 0.5, ("0x801234567c", "Computing"): 0.5, ("0x8012345678", "Drained"): 1}
    for endian in ("little", "big"):
        toml, data = TOML.replace("ENDIAN", endian), stall(endian == "big")
        got, out = imported(folder, toml, data, "--period", 0)
        check(got == wanted and "Flushed not shown by this trace" in out and " 42 cycles, 2 instructions" in out, (got, out))
        check(imported(folder, toml, gzip.compress(data), "--period", 0)[0] == wanted, "gzip")
        packed = subprocess.run(["zstd", "-q"], input=data, stdout=subprocess.PIPE, check=True).stdout
        check(imported(folder, toml, packed, "--period", 0)[0] == wanted, "zstd")
    got, out = imported(
        folder, TOML.replace("ENDIAN", "little"), stall() + b"abc", "--period", 0, said="ends in the midst of a record; what came before is used"
    )
    check(got == wanted, got)


@test
def empty_rob_and_number_may_lack(folder):
    """Without rob_empty the ROB is empty where no lane is valid; without a number each record is the next cycle."""
    toml = "\n".join(line for line in TOML.replace("ENDIAN", "little").splitlines() if not line.startswith(("cycle", "rob_empty")))
    got, out = imported(folder, toml, stall(), "--period", 0)
    check(got[("0x8012345678", "Stalled")] == 40 and got[("0x8012345678", "Drained")] == 1 and " 42 cycles" in out, (got, out))


@test
def own_trace(folder):
    """Our own trace by the layout that ships: every row of the run's Oracle, with states and vectors, is that of the trace; and the rivals' are beside it."""
    for program in ("sort", "vm_paging"):
        elf, trace, samples, back = ROOT / f"build/workloads/{program}.small.elf", folder / "bin", folder / "own.tips", folder / "back.tips"
        status, out, err = tipoff("run", "--config", "small2", "--period", 997, "--samples", samples, "--worker", f"bin:file={trace}", elf)
        check(status == 0, out + err)
        status, out, err = tipoff("import", "--format", "fields", "--layout", LAYOUT, "--program", elf, "-o", back, trace)
        check(status == 0 and err == "", err)
        columns = ("unit", "state", "psv", "instruction", "source")
        wanted, got = profile(samples, columns), profile(back, columns)
        check(wanted == got and len(wanted) > 100, [(k, wanted[k], got[k]) for k in set(wanted) | set(got) if wanted[k] != got[k]][:5])
        status, out, _ = tipoff("compare", back)
        check(status == 0 and all(name in out for name in ("TIP ", "Dispatch ", "RIS ", "NCI-TEA ")), out)
        status, out, _ = tipoff("report", back)
        check("not shown by it: modes\n" in out, out)
    data = trace.read_bytes()
    trace.write_bytes(data[: len(data) * 2 // 3])
    status, out, err = tipoff("import", "--format", "fields", "--layout", LAYOUT, "-o", back, trace)
    check(status == 0 and "what came before is used" in err and err.count("\n") == 1, err)


@test
def bad_input(folder):
    """One line each: of a layout with its line, or with its field; of a trace with its record."""
    trace, layout, out = folder / "t", folder / "l.toml", folder / "x.tips"
    trace.write_bytes(stall())

    def bad(said, old="", new="", data=None):
        toml = TOML.replace("ENDIAN", "little")
        check(old in toml, old)
        layout.write_text(toml.replace(old, new))
        trace.write_bytes(data or stall())
        refused(["import", "--format", "fields", "--layout", layout, trace, "-o", out], said, lines=0)

    refused(["import", "--format", "fields", trace, "-o", out], "name the file that says where records have what: --layout FILE.toml", lines=0)
    refused(["import", "--format", "fields", "--layout", folder / "none", trace, "-o", out], "No such file", lines=0)
    bad("line 6: cycle.offset: must be 0 to 524287", "offset = 3,", "offset = -3,")
    bad("line 6: cycle.width: must be 1 to 64", "width = 20", "width = 65")
    bad("line 6: cycle.width: must be 1 to 64", "width = 20", "width = 0")
    bad("line 7: rob_empty.width: must be 1 to 1", "23, width = 1", "23, width = 2")
    bad("line 6: cycle.offset: must be 0", "offset = 3,", "offset = 99999999999,")
    bad("line 6: of TOML this reads", "offset = 3,", "offset = 99999999999999999999,")
    bad("line 6: of TOML this reads", "{offset = 3,", "[3,")
    bad("line 6: [fields] cycle: not {offset = BITS", "offset = 3,", "place = 3,")
    bad("line 6: [fields] bubbles: no such meaning: cycle, count, valid", "cycle =", "bubbles =")
    bad("[fields] pc: ends at bit 122 of a record of 15 bytes", "pc = {offset = 32", "pc = {offset = 42")
    bad("[fields] pc: needs offset and width, and stride", ", stride = 40", "")
    bad("[fields] valid: needs offset and width; with a stride its width is 1", "valid = {offset = 24, width = 1", "valid = {offset = 24, width = 2")
    bad("[fields] needs commit", "commit = {offset = 25, width = 1, stride = 2}", "")
    bad("line 3: bytes: must be 1 to 65536", "bytes = 15", "bytes = 0")
    bad("line 4: lanes: must be 1 to 8", "lanes = 2", "lanes = 9")
    bad("[record] needs bytes and lanes", "bytes = 15", "")
    bad("line 2: [record] endian: no such key, or not that value", '"little"', '"middle"')
    bad("line 2: [header]: no such table", "[record]", "[header]\nx = 1")
    bad("[record] needs rob", "[fields]", "[fields]\ndispatch_rob = {offset = 0, width = 3}")
    bad("record 2: cycle 9 where 8 follows", data=record(cycle=7, rob_empty=1) + record(cycle=9, rob_empty=1))
    bad("record 1: breaks rule 1 of a commit bundle", data=record(cycle=7))
    bad("record 1: breaks rule 2 of a commit bundle", data=record(cycle=7, valid0=1, valid1=1, commit1=1))
    bad("no instruction of it commits", data=record(cycle=7, rob_empty=1))
    check(not out.exists(), "something half-written was left")


if __name__ == "__main__":
    sys.exit(main())
