#!/usr/bin/env python3
"""Digests: a sample file and a command that were made from different tables refuse each other; what --set changes is in all outputs.

    tests/cli/test_digests.py [--only TEXT]

Needs build/bin/tipoff, build/workloads/interp.tiny.elf, the model of small2.
"""
import json
import pathlib
import re
import struct
import subprocess
import sys

from cli import ROOT, RUN, TINY, check, main, refused, sampled, test, tipoff


@test
def sample_file_of_other_tables(folder):
    """Its numbers name other events: of version 2 by its digest, of version 1 by the names it holds."""
    good = sampled(folder)
    check(tipoff("report", good)[0] == 0, "the file itself is good")
    digest = re.search(r'EVENTS_DIGEST "(\w+)"', (ROOT / "build/gen/tables_digest.h").read_text())[1].encode()
    other = folder / "other.tips"
    # The header block is stored as it is where it is short, else compressed: written again by hand here.
    sys.path.insert(0, str(pathlib.Path(__file__).parent))
    header, rest = header_of(good)
    check(header["tables"].encode() == digest, "the file holds the digest of the tables")
    header["tables"] = "0123456789abcdef"
    write_with_header(other, good, header, rest)
    for command in ("report", "compare"):
        refused([command, other], f"{other}: written with other tables of events (digest 0123456789abcdef)", "run again")
    old = ROOT / "tests/unit/samples/version1.tips"
    status, out, err = tipoff("report", "--format", "json", "--program", TINY, old)
    check(status == 0 and json.loads(out)["samples"] == 27, f"version 1 is read: status {status}: {err}")
    header, rest = header_of(old)
    header["events"][0], header["events"][1] = header["events"][1], header["events"][0]
    write_with_header(other, old, header, rest)
    refused(["report", other], "written with other tables of events (digest none)")


@test
def sample_file_of_an_older_word(folder):
    """What is a region now was called a window in sample files until 2026-11-23."""
    good, other = folder / "good.tips", folder / "other.tips"
    check(tipoff(*RUN, "--quiet", "--period", 97, "--sample-from", 9000, "--samples", good, TINY)[0] == 0, "run")
    header, rest = header_of(good)
    header["window"] = header.pop("region")
    write_with_header(other, good, header, rest)
    for path in good, other:
        report = json.loads(tipoff("report", "--format", "json", path)[1])
        check(report["region"] == "from 9000", f"{path}: {report.get('region')!r}")


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def header_of(path):
    """The header's JSON and where the blocks after it begin."""
    data = path.read_bytes()
    _, raw, stored, _, _ = struct.unpack_from("<5I", data, 24)
    body = data[44 : 44 + stored]
    if stored != raw:
        body = subprocess.run(["zstd", "-dcq"], input=body, stdout=subprocess.PIPE, check=True).stdout
    return json.loads(body), 44 + stored


def write_with_header(path, source, header, rest):
    body = json.dumps(header).encode()
    head = struct.pack("<3I", 1, len(body), len(body))
    data = source.read_bytes()
    path.write_bytes(data[:24] + head + struct.pack("<2I", crc32c(head), crc32c(body)) + body + data[rest:])


@test
def settings(folder):
    """--set changes what it says, for this run, and the outputs report it."""
    cycles = {}
    for latency in (None, 10, 400):
        stats, tips = folder / "s.json", folder / "s.tips"
        more = ["--set", f"llc.latency={latency}", "--set", "dram.banks=1"] if latency else []
        status, out, err = tipoff(*RUN, *more, "--period", 97, "--samples", tips, "--stats", stats, TINY)
        check(status == 0, err)
        statistics = json.loads(stats.read_text())
        cycles[latency] = statistics["cycles"]
        changed = f"llc.latency={latency} dram.banks=1" if latency else ""
        check(
            statistics["settings"] == changed and (not changed or f"on small2 with {changed}" in out and f"on small2 with {changed}" in err),
            f"{changed!r}: {out[:200]} {err}",
        )
    check(cycles[10] < cycles[None] < cycles[400], f"cycles by latency of the last-level cache: {cycles}")


if __name__ == "__main__":
    sys.exit(main())
