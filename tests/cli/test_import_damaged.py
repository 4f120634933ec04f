#!/usr/bin/python3
"""`tipoff import` of damaged traces of each format: whatever it makes of one, it ends with a status of its own, says one line at most for each fault, and leaves
nothing half-written.

    tests/cli/test_import_damaged.py [--only TEXT]

Needs build/bin/tipoff, and takes build/bin/tipoff-san instead where TIPOFF names it.
"""
import gzip
import os
import random
import sqlite3
import subprocess
import sys

from cli import ROOT, check, main, test
from o3_trace import way

TIPOFF = os.environ.get("TIPOFF", ROOT / "build/bin/tipoff")
TIMES = int(os.environ.get("TIMES", "12"))  # damages of each trace; more by hand


def pipeview():
    return "".join(way(i + 1, 0x1000 + i % 50 * 4, i + 1, i + 3, i + 9 if i % 7 else 0, "ld x" if i % 3 else "bne", complete=i + 5) for i in range(60)).encode()


def kanata():
    lines = ["Kanata\t0004", "C=\t1"]
    for i in range(60):
        lines += [
            f"I\t{i}\t{i}\t0",
            f"L\t{i}\t0\t{0x1000 + i % 50 * 4:x}: addi",
            f"S\t{i}\t0\tF",
            "C\t1",
            f"S\t{i}\t0\tQ",
            "C\t2",
            f"R\t{i}\t{i}\t{int(i % 7 == 3)}",
        ]
    return ("\n".join(lines) + "\n").encode()


def retires():
    return ("cycle,pc,insn\n" + "".join(f"{3 * i},{0x1000 + i % 50 * 4:#x},0\n" for i in range(60))).encode()


def lifetimes(folder):
    path = folder / "l.db"
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE LifeTimeCommitTrace (AtFetch INT, AtDispQue INT, AtCommit INT, PC INT, DisAsm TEXT)")
        db.executemany(
            "INSERT INTO LifeTimeCommitTrace VALUES (?, ?, ?, ?, ?)", [(500 * i, 500 * i + 500, 500 * i + 2000, 0x1000 + i, "addi") for i in range(1, 60)]
        )
    return path.read_bytes()


LAYOUT = """[record]
bytes = 9
lanes = 1
[fields]
valid = {offset = 0, width = 1}
commit = {offset = 1, width = 1}
pc = {offset = 8, width = 64, stride = 64}
"""


def fields():
    return b"".join(bytes([1 + 2 * (i % 3 == 0)]) + (0x1000 + i // 3).to_bytes(8, "little") for i in range(60))


def damaged(rng, data):
    """Bits and bytes that change, pieces that are gone, doubled or moved, and an end that is cut."""
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 5, 20))):
        at, length = rng.randrange(len(data)), rng.choice((1, 3, 17, 200))
        how = rng.randrange(6)
        if how == 0:
            data[at] ^= 1 << rng.randrange(8)
        elif how == 1:
            data[at] = rng.choice(b"0159:-x,\t\n \xff\x00")
        elif how == 2:
            del data[at : at + length]
        elif how == 3:
            data[at:at] = data[at : at + length]
        elif how == 4:
            data[at:at] = str(rng.choice((2**31, 2**32, 2**63, 2**64 - 1, 2**64, -1))).encode()
        else:
            del data[rng.randrange(len(data) // 2, len(data)) :]
        if not data:
            return b"\n"
    return bytes(data)


def tries(folder, name, data, layout=None, times=TIMES):
    seed = random.SystemRandom().randrange(1 << 32)
    rng = random.Random(seed)
    trace, samples, toml = folder / "t", folder / "x.tips", folder / "l.toml"
    for i in range(times):
        trace.write_bytes(damaged(rng, data) if not layout or rng.randrange(2) else data)
        arguments = ["--format", name]
        if layout:
            toml.write_bytes(damaged(rng, layout) if rng.randrange(2) else layout)
            arguments += ["--layout", toml]
        run = subprocess.run([TIPOFF, "import", *arguments, "-o", samples, trace], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60, check=False)
        said = f"{name}, seed {seed}, number {i}: status {run.returncode}: {run.stderr.decode(errors='replace')[-1500:]}"
        check(run.returncode in (0, 2) and len(run.stderr.splitlines()) <= 2, said)
        check(samples.exists() == (run.returncode == 0), said)
        samples.unlink(missing_ok=True)


@test
def lines(folder):
    for name, data in (("o3pipeview", pipeview()), ("kanata", kanata()), ("retires", retires())):
        tries(folder, name, data)
        tries(folder, name, gzip.compress(data), times=TIMES // 3)
        packed = subprocess.run(["zstd", "-q"], input=data, stdout=subprocess.PIPE, check=True).stdout
        tries(folder, name, packed, times=TIMES // 3)


@test
def tables(folder):
    tries(folder, "lifetimes", lifetimes(folder))


@test
def records_and_layouts(folder):
    tries(folder, "fields", fields(), layout=LAYOUT.encode(), times=2 * TIMES)


if __name__ == "__main__":
    sys.exit(main())
