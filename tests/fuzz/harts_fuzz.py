#!/usr/bin/env python3
"""Random programs of several harts that meet in a few lines: assembly on stdout, the same for the same seed.

    tests/fuzz/harts_fuzz.py --seed N [--harts N] [--length ITEMS]

Every hart runs a random sequence of its own: loads and stores of all sizes in 4 to 16 shared lines, several in one doubleword, AMOs,
LR and SC, every fence, acquire and release, dependencies, private lines of the same sets, which drive the shared ones out, and loops.
What it computes depends on who came first, so a run proves nothing by its values alone, but for three kinds of counters, which all
harts raise: by AMOs, by LR and SC until it succeeds, and under a lock. The last hart to end compares them with how often the program
raises them: status 0, or 1, 2 or 3 for the counter that is wrong.

Registers that random code only reads: s2 to s11 (shared lines), gp (private memory), sp (the counters).
"""
import argparse
import random
import sys

POINTERS = [f"s{i}" for i in range(2, 12)]
VALUES = ["a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "t0", "t1", "t2"]  # t3 to t6, s0, s1: within an item
SHARED = 1 << 14  # bytes: four lines of each set of an L1 of 64 sets
PRIVATE = 1 << 14
LOADS = {1: ("lb", "lbu"), 2: ("lh", "lhu"), 4: ("lw", "lwu"), 8: ("ld",)}
STORES = {1: "sb", 2: "sh", 4: "sw", 8: "sd"}
AMOS = ["amoswap", "amoadd", "amoxor", "amoand", "amoor", "amomin", "amomax", "amominu", "amomaxu"]
FENCES = ["fence rw,rw", "fence r,r", "fence w,w", "fence r,rw", "fence rw,w", "fence w,r", "fence.tso", "fence", "fence.i"]
COUNTERS = ("amo", "sc", "locked", "lock", "come", "gone")


class Hart:
    """The code of one hart, and how often it raises each counter."""

    def __init__(self, rng, number, lines, apart):
        self.random, self.number, self.lines, self.apart = rng, number, lines, apart
        self.raised = {"amo": 0, "sc": 0, "locked": 0}
        self.times = 1  # how often the place runs that is written now
        self.labels = 0

    def label(self):
        self.labels += 1
        return f".h{self.number}_{self.labels}"

    def place(self, size):
        """(pointer, offset) of an aligned access."""
        return self.random.choice(POINTERS), size * self.random.randrange(64 // size)

    def value(self):
        return self.random.choice(VALUES)

    def order(self):
        return self.random.choice(["", "", ".aq", ".rl", ".aqrl"])

    def load(self):
        size = self.random.choice([1, 2, 4, 8, 8])
        pointer, offset = self.place(size)
        return [f"{self.random.choice(LOADS[size])} {self.value()}, {offset}({pointer})"]

    def store(self):
        size = self.random.choice([1, 2, 4, 8, 8])
        pointer, offset = self.place(size)
        return [f"{STORES[size]} {self.value()}, {offset}({pointer})"]

    def doubleword(self):
        """Accesses of several sizes to one doubleword."""
        pointer, base = self.place(8)
        lines = []
        for _ in range(self.random.randrange(3, 8)):
            size = self.random.choice([1, 2, 4, 8])
            offset = base + size * self.random.randrange(8 // size)
            name = self.random.choice(LOADS[size]) if self.random.random() < 0.6 else STORES[size]
            lines.append(f"{name} {self.value()}, {offset}({pointer})")
        return lines

    def same_word(self):
        """Loads of one place. The first one waits for its address."""
        pointer, offset = self.place(8)
        late = ["xor t3, {0}, {0}".format(self.value()), f"add t3, t3, {pointer}"]
        if self.random.random() < 0.5:
            late = [f"div t4, {self.value()}, {self.value()}", "xor t3, t4, t4", f"add t3, t3, {pointer}"]
        return [*late, f"ld {self.value()}, {offset}(t3)", f"ld {self.value()}, {offset}({pointer})"]

    def amo(self):
        letter, size = self.random.choice([("w", 4), ("d", 8)])
        pointer, offset = self.place(size)
        register = self.random.choice(["zero", self.value(), self.value()])
        return [f"addi t3, {pointer}, {offset}", f"{self.random.choice(AMOS)}.{letter}{self.order()} {register}, {self.value()}, (t3)"]

    def pair(self):
        """LR and SC, once, with or without something between them."""
        letter, size = self.random.choice([("w", 4), ("d", 8)])
        pointer, offset = self.place(size)
        between = self.random.choice([[], self.load(), self.store(), self.alu(), self.evict()])
        return [
            f"addi s0, {pointer}, {offset}",
            f"lr.{letter}{self.order()} {self.value()}, (s0)",
            *between,
            f"sc.{letter}{self.order()} {self.value()}, {self.value()}, (s0)",
        ]

    def counter(self, kind):
        return self.apart * COUNTERS.index(kind)

    def count(self):
        kind = self.random.choice(["amo", "amo", "sc", "sc", "locked"])
        self.raised[kind] += self.times
        at = f"addi s0, sp, {self.counter(kind)}"
        if kind == "amo":
            return [at, "li t3, 1", f"amoadd.d{self.order()} {self.random.choice(['zero', self.value()])}, t3, (s0)"]
        again = self.label()
        if kind == "sc":
            return [at, f"{again}:", f"lr.d{self.order()} t3, (s0)", "addi t3, t3, 1", "sc.d t4, t3, (s0)", f"bnez t4, {again}"]
        return [
            f"addi s1, sp, {self.counter('lock')}",
            "li t4, 1",
            f"{again}:",
            "amoswap.w.aq t3, t4, (s1)",
            f"bnez t3, {again}",
            at,
            "ld t3, (s0)",
            "addi t3, t3, 1",
            "sd t3, (s0)",
            self.random.choice(["amoswap.w.rl zero, zero, (s1)", "fence rw,w\n    sw zero, (s1)"]),
        ]

    def fence(self):
        return [self.random.choice(FENCES)]

    def depends(self):
        """An access that depends on a load by address, data or control."""
        result = self.value()
        first, offset = self.place(8)
        second, other = self.place(8)
        lines = [f"ld {result}, {offset}({first})"]
        kind = self.random.choice(["address", "data", "control"])
        if kind == "address":
            access = self.random.choice([f"ld {self.value()}", f"sd {self.value()}"])
            return [*lines, f"xor t3, {result}, {result}", f"add t3, t3, {second}", f"{access}, {other}(t3)"]
        if kind == "data":
            return [*lines, f"addi t3, {result}, 1", f"sd t3, {other}({second})"]
        over = self.label()
        return [*lines, f"bne {result}, {result}, {over}", f"sd {self.value()}, {other}({second})", f"{over}:"]

    def evict(self):
        """Private lines of a shared line's set."""
        at = self.random.choice(self.lines) % 4096
        ways = self.random.sample(range(4), self.random.randrange(1, 4))
        lines = []
        for way in ways:
            lines += [f"li t3, {4096 * way + at}", "add t3, t3, gp"]
            lines.append(self.random.choice([f"ld {self.value()}, (t3)", f"sd {self.value()}, (t3)"]))
        return lines

    def alu(self):
        name = self.random.choice(["add", "sub", "xor", "mul", "sll", "div", "remu"])
        return [f"{name} {self.value()}, {self.value()}, {self.value()}" for _ in range(self.random.randrange(1, 5))]

    def hint(self):
        pointer, _ = self.place(8)
        return [f"ori zero, {pointer}, {self.random.choice([1, 3])}"]  # prefetch.r, prefetch.w

    def wait(self):
        again = self.label()
        return [f"li t3, {self.random.randrange(1, 40)}", f"{again}:", "addi t3, t3, -1", f"bnez t3, {again}"]

    def skip(self):
        """Forward, by what was loaded; nothing that counts is left out."""
        over = self.label()
        body = [line for _ in range(self.random.randrange(1, 4)) for line in self.random.choice([self.load, self.store, self.amo])()]
        return [f"andi t3, {self.value()}, {1 << self.random.randrange(4)}", f"beqz t3, {over}", *body, f"{over}:"]

    def loop(self):
        trips, again = self.random.randrange(2, 7), self.label()
        self.times *= trips
        body = self.block(self.random.randrange(1, 5), loops=False)
        self.times //= trips
        return [f"li t5, {trips}", f"{again}:", *body, "addi t5, t5, -1", f"bnez t5, {again}"]

    def block(self, items, loops=True):
        kinds = {
            self.load: 5,
            self.store: 5,
            self.doubleword: 4,
            self.same_word: 4,
            self.amo: 3,
            self.pair: 2,
            self.count: 3,
            self.fence: 2,
            self.depends: 3,
            self.evict: 2,
            self.alu: 2,
            self.hint: 1,
            self.wait: 1,
            self.skip: 2,
        }
        if loops:
            kinds[self.loop] = 3
        names = self.random.choices(list(kinds), list(kinds.values()), k=items)
        return [line for item in names for line in item()]

    def program(self, items):
        setup = [f"li {name}, {self.random.getrandbits(64):#x}" for name in VALUES]
        for name in POINTERS:
            setup += [f"la {name}, shared", f"li t3, {self.random.choice(self.lines)}", f"add {name}, {name}, t3"]
        setup += [f"la gp, private + {PRIVATE * self.number}", "la sp, counters"]
        return [f"hart{self.number}:", *setup, "call meet", *self.block(items), "j finish"]


def jump(number):
    return [f"li t1, {number}", "bne t0, t1, 1f", f"j hart{number}", "1:"]


def meet(come, harts):
    return ["meet:", f"addi t3, sp, {come}", "li t4, 1", "amoadd.d zero, t4, (t3)", f"li t4, {harts}", "1:", "ld t5, (t3)", "bne t5, t4, 1b", "ret"]


def finish(gone, expected):
    """The last hart to come compares the counters: expected has (offset, value) of each."""
    lines = ["finish:", f"addi t3, sp, {gone[0]}", "li t4, 1", "amoadd.d.aqrl t5, t4, (t3)", f"li t4, {gone[1]}", "bne t5, t4, stop"]
    for status, (offset, value) in enumerate(expected, start=1):
        lines += [f"ld t3, {offset}(sp)", f"li t4, {value}", f"li t5, {status << 16 | 0x3333:#x}", "bne t3, t4, end"]
    return [*lines, "li t5, 0x5555", "end:", "li t3, 0x100000", "sw t5, (t3)", "stop:", "wfi", "j stop"]


def program(seed, harts, items):
    rng = random.Random(seed)
    lines = [64 * line for line in rng.sample(range(SHARED // 64), rng.randrange(3, 13))]
    lines += [(line + 4096) % SHARED for line in lines[:3]]  # of the same sets
    apart = rng.choice([8, 64])  # counters in one line, or each in its own
    all_harts = [Hart(rng, number, lines, apart) for number in range(harts)]
    codes = [line for hart in all_harts for line in hart.program(items)]
    expected = [(apart * i, sum(hart.raised[kind] for hart in all_harts)) for i, kind in enumerate(COUNTERS[:3])]
    return [
        '.section .text.start, "ax"',
        ".globl _start, finisher",
        ".set finisher, 0x100000",  # what ends the run (docs/guide/workloads.md)
        "_start:",
        "la t0, trap",
        "csrw mtvec, t0",
        "csrr t0, mhartid",
        *(line for number in range(harts) for line in jump(number)),
        "j stop",
        *codes,
        *meet(apart * COUNTERS.index("come"), harts),
        *finish((apart * COUNTERS.index("gone"), harts - 1), expected),
        ".balign 4",
        "trap:",
        f"li t5, {99 << 16 | 0x3333:#x}",
        "j end",
        ".bss",
        ".balign 4096",
        "shared:",
        f".zero {SHARED}",
        "private:",
        f".zero {PRIVATE * harts}",
        "counters:",
        f".zero {64 * len(COUNTERS)}",
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--harts", type=int, choices=range(1, 9), help="default: 2 to 4, by the seed")
    parser.add_argument("--length", type=int, default=150, help="items of each hart")
    a = parser.parse_args()
    lines = program(a.seed, a.harts or 2 + a.seed % 3, a.length)
    print(f"# tests/fuzz/harts_fuzz.py {' '.join(sys.argv[1:])}")
    print("\n".join(line if line.endswith(":") or line.startswith(".section") else f"    {line}" for line in lines))


if __name__ == "__main__":
    main()
