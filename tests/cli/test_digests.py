#!/usr/bin/env python3
"""Digests: a model, a configuration, a sample file and a command that were made from different tables refuse each other.

    tests/cli/test_digests.py [--only TEXT]

Needs build/bin/tipoff, build/workloads/interp.small.elf, the models of small2 and tea4.
"""
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys

from cli import MODEL, ROOT, RUN, SMALL, TIMEOUT, check, copy_of_build, main, refused, sampled, test, tipoff


def digest_of(config):
    return json.loads((ROOT / f"build/{config}/gen/config.json").read_text())["digest.model"]


@test
def stale_model(folder):
    """A model that was built from other tables or another configuration file, at its usual place."""
    command = copy_of_build(folder)
    check(tipoff(*RUN, "--quiet", SMALL, command=command)[0] == 0, "the copy runs")
    model = folder / "build/small2/model.so"
    content = model.read_bytes()
    check(content.count(digest_of("small2").encode()) == 1, "the model holds its digest once")
    model.write_bytes(content.replace(digest_of("small2").encode(), b"0123456789abcdef"))
    refused(
        [*RUN, "--stats", folder / "s", SMALL],
        f"{model}: built from other tables, or from another tables/config/small2.toml",
        "0123456789abcdef",
        "make build/small2/model.so",
        command=command,
    )
    check(not (folder / "s").exists(), "nothing is touched")


@test
def model_with_lint_findings(folder):
    """What STRICT=0 has built is reported in each run: one line, and the run goes on. The number is put into a copy of the model."""
    command = copy_of_build(folder)
    model = folder / "build/small2/model.so"
    symbols = subprocess.run(["nm", model], stdout=subprocess.PIPE, text=True, check=True).stdout
    address = int(re.search(r"^(\w+) d _ZZ12tipoff_modelE3api$", symbols, re.M)[1], 16)
    segments = subprocess.run(["readelf", "-lW", model], stdout=subprocess.PIPE, text=True, check=True).stdout
    for offset, begin, size in (map(lambda text: int(text, 16), found) for found in re.findall(r"LOAD +(0x\w+) (0x\w+) 0x\w+ (0x\w+)", segments)):
        if begin <= address < begin + size:
            place = offset + address - begin
    content = bytearray(model.read_bytes())
    check(content[place + 4 : place + 8] == bytes(4), "a model that was built as usual has none")
    check("STRICT" not in tipoff(*RUN, "--quiet", SMALL, command=command)[2], "and says nothing")
    content[place + 4 : place + 8] = struct.pack("<I", 3)
    model.write_bytes(content)
    status, _, err = tipoff(*RUN, "--quiet", SMALL, command=command)
    line = f"tipoff: warning: {model}: built with STRICT=0 over 3 lint findings, not for results: build it without (make build/small2/model.so)\n"
    check((status, err) == (0, line), f"status {status}: {err}")


@test
def stale_configuration(folder):
    """The command alone was rebuilt: model and configuration fit each other, and not the command."""
    command = copy_of_build(folder)
    path = folder / "build/small2/gen/config.json"
    config = json.loads(path.read_text())
    config["digest.tables"] = "0123456789abcdef"
    path.write_text(json.dumps(config))
    refused([*RUN, SMALL], f"{path}: made from other tables (digest 0123456789abcdef)", "make CONFIGS=small2 build", command=command)
    del config["digest.tables"]
    path.write_text(json.dumps(config))
    refused([*RUN, SMALL], f"{path}: made from other tables (digest unknown)", command=command)


@test
def model_of_another_configuration(_):
    refused(["run", "--config", "tea4", "--model", MODEL, SMALL], f"{MODEL}: model of configuration small2, not of tea4", "--config")
    status, _, err = tipoff("run", "--model", MODEL, "--quiet", "--max-cycles", 1000, SMALL)  # without --config it is the model's
    check(status == 124, f"status {status}: {err}")


@test
def no_model(folder):
    command = copy_of_build(folder)
    (folder / "build/small2/model.so").unlink()
    refused([*RUN, SMALL], "build/small2/model.so: cannot read the model", "make build/small2/model.so", command=command)


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
    status, out, err = tipoff("report", "--format", "json", "--program", SMALL, old)
    check(status == 0 and json.loads(out)["samples"] == 27, f"version 1 is read: status {status}: {err}")
    header, rest = header_of(old)
    header["events"][0], header["events"][1] = header["events"][1], header["events"][0]
    write_with_header(other, old, header, rest)
    refused(["report", other], "written with other tables of events (digest none)")


@test
def sample_file_of_an_older_word(folder):
    """What is a region now was called a window in sample files until 2026-11-23."""
    good, other = folder / "good.tips", folder / "other.tips"
    check(tipoff(*RUN, "--quiet", "--period", 97, "--sample-from", 9000, "--samples", good, SMALL)[0] == 0, "run")
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
        status, out, err = tipoff(*RUN, *more, "--period", 97, "--samples", tips, "--stats", stats, SMALL)
        check(status == 0, err)
        statistics = json.loads(stats.read_text())
        cycles[latency] = statistics["cycles"]
        changed = f"llc.latency={latency} dram.banks=1" if latency else ""
        check(
            statistics["settings"] == changed and (not changed or f"on small2 with {changed}" in out and f"on small2 with {changed}" in err),
            f"{changed!r}: {out[:200]} {err}",
        )
    check(cycles[10] < cycles[None] < cycles[400], f"cycles by latency of the last-level cache: {cycles}")


@test
def what_is_built_again(folder):
    """A key that only the C side reads makes no new model; one that the RTL reads, a row of a table, and a generator that writes something else, do (asked of make)."""
    tree = folder / "tree"
    tree.mkdir()
    for name in ("rtl", "sim", "csrc", "harness", "html", "tests", "attach"):
        (tree / name).symlink_to(ROOT / name)
    (tree / "scripts").mkdir()
    shutil.copy(ROOT / "scripts/gen.py", tree / "scripts")  # its tables are those beside it
    shutil.copytree(ROOT / "scripts/generate", tree / "scripts/generate", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("Makefile", "scripts/results.mk", "scripts/linux/linux.mk"):
        (tree / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tree / name)
    shutil.copytree(ROOT / "tables", tree / "tables")

    def make(*arguments):
        done = subprocess.run(["make", "-s", *arguments], cwd=tree, stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT, check=False)
        check(done.returncode in (0, 1), f"make {arguments}: {done.stderr.decode()}")
        return done.returncode

    def verilates():
        make("build/small2/gen/.stamp")
        return make("-q", "build/small2/model-check/Vsim_top.mk") == 1

    make("build/small2/gen/.stamp")
    verilated = tree / "build/small2/model-check/Vsim_top.mk"
    verilated.parent.mkdir(parents=True)
    verilated.write_text("")
    check(not verilates(), "nothing has changed")
    config = tree / "tables/config/small2.toml"
    text = config.read_text()
    first = json.loads((tree / "build/small2/gen/config.json").read_text())
    os.utime(verilated)
    config.write_text(re.sub(r"(?m)^(\[llc\](?:\n.*)*?\nlatency *= *)\d+", r"\g<1>77", text))
    check(config.read_text() != text, "a key has changed")
    check(not verilates(), "llc.latency takes no new model")
    second = json.loads((tree / "build/small2/gen/config.json").read_text())
    check(second["llc.latency"] == 77 and second["digest.model"] == first["digest.model"], f"{first} {second}")
    config.write_text(re.sub(r"(?m)^rob_entries *= *\d+", "rob_entries = 34", text))
    check(verilates(), "core.rob_entries does")
    check(json.loads((tree / "build/small2/gen/config.json").read_text())["digest.model"] != first["digest.model"], "and has another digest")
    os.utime(verilated)
    module = tree / "scripts/generate/text.py"
    os.utime(module)
    check(not verilates(), "a generator that writes the same takes no new model")
    module.write_text(module.read_text().replace("Do not edit.", "Edit the tables."))
    check(verilates(), "one that writes something else does")


if __name__ == "__main__":
    sys.exit(main())
