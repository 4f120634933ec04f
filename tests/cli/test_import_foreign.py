#!/usr/bin/python3
"""`tipoff import --program` of an x86-64 and an Arm64 program: symbols and lines are the ELF file's, instructions as the trace has them, nothing is decoded as
RISC-V; traces are made by hand of the addresses that objdump lists.

    tests/cli/test_import_foreign.py [--only TEXT]

Needs build/bin/tipoff, gcc, clang and lld.
"""
import collections
import csv
import io
import re
import shutil
import subprocess
import sys

from cli import check, main, refused, test, tipoff
from o3_trace import way

C = """volatile int sink;
__attribute__((noinline)) void cold(int n) {
    sink = n;
}
__attribute__((noinline)) void hot(int n) {
    for (int i = 0; i < n; i++)
        sink += i;
}
void _start(void) {
    hot(3);
    cold(1);
}
"""


def program(folder, machine):
    source, elf = folder / "two.c", folder / f"two.{machine}"
    source.write_text(C)
    gcc = machine == "x86_64" and shutil.which("x86_64-linux-gnu-gcc")
    compiler = [gcc] if gcc else ["clang", f"--target={machine}-linux-gnu", "-fuse-ld=lld"]
    subprocess.run([*compiler, "-O1", "-g", "-nostdlib", "-static", "-fno-pie", "-no-pie", "-o", elf, source], check=True, stderr=subprocess.DEVNULL)
    return elf


def addresses(elf):
    """Of each function the addresses of its instructions, by LLVM's objdump."""
    tool = next(path for name in ("llvm-objdump-14", "llvm-objdump-15", "llvm-objdump") if (path := shutil.which(name)))
    found, name = collections.defaultdict(list), None
    for line in subprocess.run([tool, "-d", "--no-show-raw-insn", elf], check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout.splitlines():
        if head := re.match(r"[0-9a-f]+ <(\w+)>:", line):
            name = head[1]
        elif name and (one := re.match(r" *([0-9a-f]+):", line)):
            found[name].append(int(one[1], 16))
    return found


def trace(found):
    """A core that retires an instruction a cycle: hot is walked four times and its first waits for 10 cycles each time, cold once; each has a text of its own."""
    lines, number, now = [], 0, 10
    for name in ("hot",) * 4 + ("cold",):
        for i, pc in enumerate(found[name]):
            number += 1
            now += 11 if name == "hot" and i == 0 else 1
            text = f"  {name.upper()}_{i} : word {i}" if i + 1 < len(found[name]) else "  ret"
            lines.append(way(number, pc, now - 3, now - 2 if i or name == "cold" else now - 11, now, text))
    return "".join(lines)


@test
def symbols_lines_and_text(folder):
    """Functions have the cycles that the trace gives them; instructions its text; lines are those of the C file."""
    for machine in ("x86_64", "aarch64"):
        elf = program(folder, machine)
        found = addresses(elf)
        (folder / "t").write_text(trace(found))
        samples = folder / "t.tips"
        status, out, err = tipoff("import", "--period", 16, "--program", elf, "-o", samples, folder / "t")
        check(status == 0 and err == "", (out, err))
        rows = report(samples, "function")
        time = collections.Counter()
        for row in rows:
            time[row["name"]] += float(row["cycles"])
        check(set(time) == {"hot", "cold"} and time["hot"] > 30 * time["cold"] / 10, time)
        rows = report(samples, "instruction")
        check(len({row["unit"] for row in rows}) == len(found["hot"]) + len(found["cold"]), "rows")
        for row in rows:
            pc = int(row["unit"], 16)
            name = "hot" if pc in found["hot"] else "cold"
            i = found[name].index(pc)
            text = f"{name.upper()}_{i} : word {i}" if i + 1 < len(found[name]) else "ret"
            check(row["instruction"] == text and re.fullmatch(r"(.*/)?two\.c:([2-4]|[5-8])", row["source"]), row)
            check((int(row["source"].rsplit(":", 1)[1]) >= 5) == (name == "hot"), row)
        for arguments in (("report", "--annotate=hot", samples), ("report", "--format", "html", samples), ("report", samples), ("compare", samples)):
            status, out, err = tipoff(*arguments)
            check(status == 0 and err == "" and (arguments[0] == "compare" or "HOT_0" in out), f"{machine}: {arguments[0]}: {err}{out[:2000]}")
            check("unimp" not in out and ".half 0x" not in out and "c.addi" not in out, f"{machine}: decoded as RISC-V")


def report(samples, granularity):
    status, out, err = tipoff("report", "--format", "csv", "--by", granularity, samples)
    check(status == 0 and err == "", err)
    return list(csv.DictReader(io.StringIO(out)))


@test
def text_without_a_program(folder):
    """No program: addresses, and what the trace says of them."""
    (folder / "t").write_text(way(1, 0x401000, 1, 2, 9, "  MOV_R_M : ld   rax, DS:[rsp]"))
    status, out, err = tipoff("import", "--period", 0, "-o", folder / "t.tips", folder / "t")
    check(status == 0 and err == "", err)
    rows = list(csv.DictReader(io.StringIO(tipoff("report", "--format", "csv", "--by", "instruction", folder / "t.tips")[1])))
    check({row["instruction"] for row in rows} == {"MOV_R_M : ld   rax, DS:[rsp]"}, rows)


@test
def bad_input(folder):
    """A program of another kind; of x86 to `tipoff run`, which decodes."""
    elf = program(folder, "x86_64")
    (folder / "t").write_text(way(1, 0x401000, 1, 2, 9, "nop"))
    raw = bytearray(elf.read_bytes())
    raw[18:20] = (21).to_bytes(2, "little")  # PowerPC
    other = folder / "other"
    other.write_bytes(raw)
    refused(["import", "--program", other, "-o", folder / "x.tips", folder / "t"], "wrong machine: ELF machine 21", lines=0)
    refused(["run", elf], "wrong machine", lines=0)
    check(not (folder / "x.tips").exists(), "something half-written was left")


if __name__ == "__main__":
    sys.exit(main())
