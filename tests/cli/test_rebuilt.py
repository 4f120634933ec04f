#!/usr/bin/env python3
"""A program that was built again after a run: reports name that in a line, with or without a build id, and `tipoff diff` compares addresses of equal programs only.

    tests/cli/test_rebuilt.py [--only TEXT]

The digest in a sample file is computed here a second time, from what readelf says of the program's segments. Needs build/bin/tipoff and the model of small2.
"""
import pathlib
import re
import shutil
import struct
import subprocess
import sys

from cli import ROOT, RUN, check, main, refused, test, tipoff

sys.path[:0] = [str(ROOT / "python")]
sys.path.append("/usr/lib/python3/dist-packages")
import tipoff as module  # noqa: E402

SOURCE = "int main(void) {{ volatile unsigned x = {first}; for (unsigned i = 0; i < 3000; i++) x = x * {factor}u + 1; return x == 0; }}\n"


def built(folder, factor, build_id=False, name="my.elf", source=SOURCE, first=1):
    (folder / "my.c").write_text(source.format(factor=factor, first=first))
    subprocess.run([ROOT / "runtime/tipoff-cc", "-O1", folder / "my.c", "-o", folder / name], check=True)
    if not build_id:
        subprocess.run(["riscv64-unknown-elf-objcopy", "--remove-section", ".note.gnu.build-id", folder / name], check=True)
    return folder / name


def sampled(folder, program, name="my.tips"):
    status, _, err = tipoff(*RUN, "--quiet", "--period", 97, "--samples", folder / name, program)
    check(status == 0, err)
    return folder / name


def digest_of(program):
    """FNV-1a of each loadable segment: three numbers of 8 bytes, then the file's bytes, those of the ELF header that describe sections as 0."""
    data = bytearray(pathlib.Path(program).read_bytes())
    data[40:48], data[58:64] = bytes(8), bytes(6)
    value = 0xCBF29CE484222325
    for line in subprocess.run(["riscv64-unknown-elf-readelf", "-lW", program], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines():
        found = re.match(r"\s+LOAD((?:\s+0x[0-9a-f]+){5})", line)
        if not found:
            continue
        offset, address, _, stored, size = (int(word, 16) for word in found[1].split())
        for byte in struct.pack("<3Q", address, size, stored) + data[offset : offset + stored]:
            value = (value ^ byte) * 0x100000001B3 % (1 << 64)
    return f"{value:016x}"


def header(samples):
    return module.Samples(samples).header


def expect_names(samples, *options):
    status, out, err = tipoff("report", *options, samples)
    check((status, err) == (0, "") and "main" in out, f"{options}: status {status}: {err}{out}")


def expect_warning(samples, *texts, options=()):
    status, out, err = tipoff("report", *options, samples)
    check(
        status == 0 and err.count("\n") == 1 and "addresses only" in out and "main" not in out.partition("Functions by time")[2], f"status {status}: {err}{out}"
    )
    for text in ("not the program that ran", "addresses only", *texts):
        check(text in err, f"{text!r} expected: {err}")


@test
def without_build_id(folder):
    program = built(folder, 3)
    samples = sampled(folder, program)
    said = header(samples)
    check(said["build_id"] == "" and said["digest"] == digest_of(program), f"{said['build_id']!r}, {said['digest']}, not {digest_of(program)}")
    expect_names(samples)
    old = shutil.copy(program, folder / "old.elf")
    subprocess.run(["riscv64-unknown-elf-objcopy", "--strip-debug", program], check=True)
    expect_names(samples)
    built(folder, 3)  # the same again
    expect_names(samples)
    built(folder, 5)
    expect_warning(samples, str(program), f"digest {digest_of(program)}, not {digest_of(old)}", "--program", "run again")
    expect_names(samples, "--program", old)


@test
def initialised_data(folder):
    """What differs is data, not code."""
    source = "unsigned table[4] = {{1, 2, 3, {first}}}; int main(void) {{ volatile unsigned x = 0; for (unsigned i = 0; i < 3000; i++) x += table[i & 3] * {factor}; return x == 0; }}\n"
    samples = sampled(folder, built(folder, 3, source=source, first=4))
    expect_names(samples)
    built(folder, 3, source=source, first=5)
    expect_warning(samples, "digest")


@test
def with_build_id(folder):
    program = built(folder, 3, True)
    samples = sampled(folder, program)
    check(header(samples)["build_id"] and header(samples)["digest"] == digest_of(program), f"{header(samples)}")
    expect_names(samples)
    built(folder, 5, True)
    expect_warning(samples, "build id", "--program")


@test
def diff(folder):
    """Addresses are compared where the programs are equal, build id or not."""
    a = sampled(folder, built(folder, 3, name="a.elf"), "a.tips")
    b = sampled(folder, built(folder, 3, name="b.elf"), "b.tips")
    other = sampled(folder, built(folder, 5, name="c.elf"), "c.tips")
    status, out, err = tipoff("diff", "--by", "instruction", a, b)
    check((status, err) == (0, ""), f"status {status}: {err}{out}")
    refused(["diff", "--by", "instruction", a, other], "not of one build")


if __name__ == "__main__":
    sys.exit(main())
