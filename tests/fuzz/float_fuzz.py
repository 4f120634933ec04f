#!/usr/bin/env python3
"""Writes a random floating-point program (assembly) to stdout: the same seed gives the same program.

Every operation of F and D in every rounding mode, on corner values and on what came out before; loads, stores, moves
between the register files, reads and writes of fcsr, mstatus.FS switched off (the handler skips what traps and switches
it on again), branches on comparisons. Ends by writing tohost.
"""
import argparse
import random

CORNERS_D = [
    0x0000000000000000,
    0x8000000000000000,
    0x3FF0000000000000,
    0xBFF0000000000000,
    0x7FF0000000000000,
    0xFFF0000000000000,
    0x7FF8000000000000,
    0x7FF0000000000001,
    0x0000000000000001,
    0x800FFFFFFFFFFFFF,
    0x0010000000000000,
    0x7FEFFFFFFFFFFFFF,
    0xFFEFFFFFFFFFFFFF,
    0x4330000000000000,
    0x43E0000000000000,
    0xC3E0000000000000,
    0x41DFFFFFFFC00000,
    0x41E0000000000000,
    0x3FE0000000000000,
    0x3CA0000000000000,
    0x4340000000000001,
    0x3FF0000000000001,
]
CORNERS_S = [
    0x00000000,
    0x80000000,
    0x3F800000,
    0xBF800000,
    0x7F800000,
    0xFF800000,
    0x7FC00000,
    0x7F800001,
    0x00000001,
    0x807FFFFF,
    0x00800000,
    0x7F7FFFFF,
    0xFF7FFFFF,
    0x4B000000,
    0x5F000000,
    0xDF000000,
    0x4F000000,
    0x3F000000,
    0x33800000,
    0x3F800001,
]
MODES = ["rne", "rtz", "rdn", "rup", "rmm", "dyn"]
X = ["a0", "a1", "a2", "a3", "a4", "a5", "t0", "t1", "t2", "s2", "s3"]  # s0: data, s1: its end is not needed, t6: handler


class Program:
    def __init__(self, seed, length):
        self.random = random.Random(seed)
        self.length, self.label, self.lines = length, 0, []

    def emit(self, text):
        self.lines.append("    " + text)

    def f(self):
        return f"f{self.random.randrange(32)}"

    def x(self):
        return self.random.choice(X)

    def rm(self):
        return self.random.choice(MODES)

    def operation(self):
        r, p = self.random, self.random.choice("sd")
        kind = r.randrange(100)
        if kind < 22:
            self.emit(f"f{r.choice(['add', 'sub', 'mul'])}.{p} {self.f()}, {self.f()}, {self.f()}, {self.rm()}")
        elif kind < 40:
            self.emit(f"f{r.choice(['madd', 'msub', 'nmadd', 'nmsub'])}.{p} {self.f()}, {self.f()}, {self.f()}, {self.f()}, {self.rm()}")
        elif kind < 45:
            self.emit(f"fdiv.{p} {self.f()}, {self.f()}, {self.f()}, {self.rm()}")
        elif kind < 48:
            self.emit(f"fsqrt.{p} {self.f()}, {self.f()}, {self.rm()}")
        elif kind < 53:
            self.emit(f"f{r.choice(['sgnj', 'sgnjn', 'sgnjx', 'min', 'max'])}.{p} {self.f()}, {self.f()}, {self.f()}")
        elif kind < 58:
            self.emit(f"f{r.choice(['eq', 'lt', 'le'])}.{p} {self.x()}, {self.f()}, {self.f()}")
        elif kind < 63:
            self.emit(f"fcvt.{r.choice(['w', 'wu', 'l', 'lu'])}.{p} {self.x()}, {self.f()}, {self.rm()}")
        elif kind < 68:
            source = r.choice(["w", "wu", "l", "lu"])
            mode = "" if p == "d" and source in ("w", "wu") else f", {self.rm()}"
            self.emit(f"fcvt.{p}.{source} {self.f()}, {self.x()}{mode}")
        elif kind < 71:
            self.emit(f"fcvt.s.d {self.f()}, {self.f()}, {self.rm()}" if p == "s" else f"fcvt.d.s {self.f()}, {self.f()}")
        elif kind < 73:
            self.emit(f"fclass.{p} {self.x()}, {self.f()}")
        elif kind < 76:
            w = "w" if p == "s" else "d"
            self.emit(r.choice([f"fmv.x.{w} {self.x()}, {self.f()}", f"fmv.{w}.x {self.f()}, {self.x()}"]))
        elif kind < 86:
            bytes_ = 4 if p == "s" else 8
            w, offset = "w" if p == "s" else "d", r.randrange(0, 512, bytes_)
            self.emit(f"f{r.choice(['l', 's'])}{w} {self.f()}, {offset}(s0)")
        elif kind < 88:
            self.emit(f"{r.choice(['ld', 'sd', 'lw', 'sw'])} {self.x()}, {r.randrange(0, 512, 8)}(s0)")
        elif kind < 91:
            self.emit(f"ld t3, {8 * r.randrange(len(CORNERS_D) + len(CORNERS_S))}(s4)")
            self.emit(f"fmv.d.x {self.f()}, t3")
        elif kind < 94:
            self.emit(
                r.choice(
                    [
                        f"frflags {self.x()}",
                        f"frcsr {self.x()}",
                        f"frrm {self.x()}",
                        f"csrr {self.x()}, mstatus",
                        f"fsflagsi {r.randrange(32)}",
                        f"fsrmi {r.randrange(5)}",
                        f"fsrmi {r.randrange(8)}",
                        f"fscsr {self.x()}",
                    ]
                )
            )
        elif kind < 95:
            self.emit("li t3, 0x6000")
            self.emit("csrc mstatus, t3")
        elif kind < 98:
            self.label += 1
            a, b = r.sample(X, 2)
            self.emit(f"{r.choice(['beq', 'bne', 'blt'])} {a}, {b}, skip{self.label}")
            for _ in range(r.randrange(1, 4)):
                self.emit(f"fmadd.{p} {self.f()}, {self.f()}, {self.f()}, {self.f()}, rne")
            self.lines.append(f"skip{self.label}:")
        else:
            self.emit(f"{r.choice(['add', 'xor', 'mul', 'sub'])} {self.x()}, {self.x()}, {self.x()}")

    def text(self):
        r = self.random
        head = [
            "# Random floating-point program, written by tests/fuzz/float_fuzz.py.",
            ".option norelax",
            ".globl _start",
            ".text",
            "_start:",
            "    la t3, handler",
            "    csrw mtvec, t3",
            "    li t3, 0x2000",
            "    csrs mstatus, t3",
            "    la s0, data",
            "    la s4, corners",
        ]
        for n in range(32):
            head += [f"    ld t3, {8 * r.randrange(len(CORNERS_D) + len(CORNERS_S))}(s4)", f"    fmv.d.x f{n}, t3"]
        for n, x in enumerate(X):
            head.append(f"    li {x}, {r.choice([0, 1, -1, r.getrandbits(63), 0x7fffffff, -0x80000000])}")
        for _ in range(self.length):
            self.operation()
        tail = [
            "    la t3, tohost",
            "    li t4, 1",
            "    sd t4, 0(t3)",
            "1:  j 1b",
            "# Illegal (FS off, or a reserved rounding mode): FS on, mode 0, on after it.",
            ".align 2",
            "handler:",
            "    csrr t6, mcause",
            "    addi t6, t6, -2",
            "    bnez t6, bad",
            "    li t6, 0x2000",
            "    csrs mstatus, t6",
            "    fsrmi 0",
            "    csrr t6, mepc",
            "    lhu t5, 0(t6)",
            "    andi t5, t5, 3",
            "    addi t5, t5, -3",
            "    seqz t5, t5",
            "    slli t5, t5, 1",
            "    addi t6, t6, 2",
            "    add t6, t6, t5",
            "    csrw mepc, t6",
            "    mret",
            "bad:",
            "    la t3, tohost",
            "    li t4, 3",
            "    sd t4, 0(t3)",
            "2:  j 2b",
            '.section .tohost, "aw"',
            ".align 6",
            ".globl tohost",
            "tohost: .dword 0",
            ".data",
            ".align 6",
            "corners:",
        ]
        tail += [f"    .dword 0x{v:016x}" for v in CORNERS_D] + [f"    .dword 0xffffffff{v:08x}" for v in CORNERS_S]
        tail += [".align 6", "data:"] + [f"    .dword 0x{r.getrandbits(64):016x}" for _ in range(64)]
        return "\n".join(head + self.lines + tail) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--length", type=int, default=1500, help="operations (default 1500)")
    args = parser.parse_args()
    print(Program(args.seed, args.length).text(), end="")


if __name__ == "__main__":
    main()
