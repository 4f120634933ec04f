#!/usr/bin/env python3
"""What random programs with virtual memory reach: traps by cause, mode and handler, and instructions of S-mode, by the
ISS's trace.

    tests/fuzz/vm_reach.py [FIRST LAST [KIND]]     (default: seeds 1 to 50 of vm; KIND: vm or qemu-vm)

Prints the counts. Exit status 1 if the seeds together miss one of MUST.
"""
import collections
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CSRS = {
    0x180: "satp",
    0x100: "sstatus",
    0x104: "sie",
    0x105: "stvec",
    0x140: "sscratch",
    0x141: "sepc",
    0x142: "scause",
    0x143: "stval",
    0x144: "sip",
    0x302: "medeleg",
    0x303: "mideleg",
    0x344: "mip",
    0x3A0: "pmpcfg0",
    **{0x3B0 + i: f"pmpaddr{i}" for i in range(3)},
}
INSTRUCTIONS = {0x30200073: "mret", 0x10200073: "sret", 0x10500073: "wfi"}
MUST = [f"exception {cause} {way}" for cause in (1, 2, 3, 5, 7, 12, 13, 15) for way in ("S>M", "S>S", "U>M", "U>S")]
MUST += [f"exception {cause} M>M" for cause in (1, 2, 3, 5, 7, 13, 15)]  # the last two with MPRV
MUST += ["exception 4 S>M", "exception 4 S>S", "exception 6 S>M", "exception 6 S>S"]  # only vm: QEMU does not trap
MUST += ["exception 8 U>M", "exception 8 U>S", "exception 9 S>M", "straddle 12 S", "straddle 12 U", "straddle 1 S"]
MUST += ["interrupt 1 S>S", "interrupt 1 S>M", "interrupt 5 S>S", "interrupt 9 S>S", "interrupt 9 M>M", "interrupt 1 U>S"]
MUST += [
    "sfence.vma M",
    "sfence.vma S",
    "mret M",
    "sret S",
    "sret M",
    "wfi S",
    "illegal sret S",
    "illegal wfi S",
    "illegal sfence.vma S",
    "illegal satp S",
    "illegal mret S",
    "illegal wfi U",
]
MUST += [f"write {name}" for name in CSRS.values()]
QEMU_LACKS = {"exception 4 S>M", "exception 4 S>S", "exception 6 S>M", "exception 6 S>S", "straddle 1 S", "illegal wfi U", "interrupt 9 S>S", "interrupt 9 M>M"}


def name_of(insn):
    if insn >> 25 == 9 and insn & 0x7FFF == 0x73:
        return "sfence.vma"
    if insn & 0x7F == 0x73 and insn >> 20 == 0x180:
        return "satp"
    return INSTRUCTIONS.get(insn)


def count(lines, found):
    trap, trap_mode = None, None
    for line in lines:
        mode, rest = line[0], line.split()
        if trap:  # where it went is the mode of the next line
            found[f"{trap} {trap_mode}>{mode}"] += 1
            trap = None
        if rest[2] in ("exception", "interrupt"):
            cause, epc, tval = (int(part.split("=")[1], 0) for part in rest[3:6])
            trap, trap_mode = f"{rest[2]} {cause}", mode
            if rest[2] == "exception" and cause in (1, 12) and tval == epc + 2:
                found[f"straddle {cause} {mode}"] += 1
            if rest[2] == "exception" and cause == 2 and name_of(tval):
                found[f"illegal {name_of(tval)} {mode}"] += 1
            continue
        name = name_of(int(rest[2], 16))
        if name and name != "satp":
            found[f"{name} {mode}"] += 1
        for part in rest[3:]:
            if part.startswith("csr[") and int(part[4:9], 16) in CSRS:
                found["write " + CSRS[int(part[4:9], 16)]] += 1


def main():
    first, last = (int(sys.argv[1]), int(sys.argv[2])) if len(sys.argv) > 2 else (1, 50)
    kind = sys.argv[3] if len(sys.argv) > 3 else "vm"
    programs = [f"build/tests/fuzz/{kind}-{seed}.elf" for seed in range(first, last + 1)]
    subprocess.run(["make", "-s", *programs], cwd=ROOT, check=True)
    found = collections.Counter()
    for program in programs:
        done = subprocess.run(
            ["build/bin/tipoff", "iss", "--quiet", "--max-insns=5000000", "--trace=-", program], cwd=ROOT, stdout=subprocess.PIPE, check=True, text=True
        )
        count(done.stdout.splitlines(), found)
    for what in sorted(found):
        print(f"{found[what]:8}  {what}")
    missed = [what for what in MUST if not found[what] and not (kind == "qemu-vm" and what in QEMU_LACKS)]
    print(f"{len(programs)} programs, missed: {', '.join(missed) or 'nothing'}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
