"""Page tables and memory of random programs with virtual memory (vm_fuzz.py): what is mapped where, and random entries.

Three parts of memory, 2 MiB each (vm_link.ld): the program (mapped where it is, U=0 in the roots of S-mode, U=1 in those
of U-mode), S-mode's handler with its frame and the tables (mapped where they are, always U=0), and the memory that random
code accesses (like the program). In the window, a few physical pages stand at many virtual ones with all kinds of entries;
beside it are superpages and tables that are wrong. Nothing valid ever lets a store reach the pages of code, and jumps go
only to pages of code: an entry may be any other one of its class at any time.
"""
DRAM, TEXT, VM, MEMORY = 0x80000000, 0x80000000, 0x80200000, 0x80400000
FRAME, TABLES = VM + 0x1000, VM + 0x2000  # S-mode's frame; the first table
BUFFER_PAGES, CODE_PAGES = 32, 4  # of MEMORY: data first, then pages of routines
CODE = MEMORY + BUFFER_PAGES * 4096
V, R, W, X, U, G, A, D = (1 << i for i in range(8))
GOOD = V | R | W | X | A | D
WINDOW = 128 << 30  # no memory stands at this physical address
DATA, GUARD, ROUTINES, LAST = range(40), 40, range(41, 63), 63  # pages of the window
EDGE = (61, 62)  # an instruction that straddles these leads out of memory
DATA_FRAMES = [0, 1, 2, 5, 11, 17, 31]  # pages of the buffer that stand in the window
ROOTS = ["S0", "S1", "U0", "U1"]
NOWHERE = [0x20000, 0x90000000, 1 << 40, (1 << 56) - 4096]  # page addresses without memory
DEVICE = 0x2004000  # CLINT
TWIN_SLOTS = {"root": [129, 256], "l1": [1]}  # superpages of MEMORY or DRAM with random permissions
GLOBAL_SLOT = 511  # of every root: one superpage of DRAM for all, that never changes
ENTRY = {0x40: "data", 0x100: "arith", 0x800: "loop", 0xA00: "trap", 0xFF8: "straddle", 0xFFE: "straddle"}  # routines' offsets in their pages


def pte(address, flags):
    return address >> 12 << 10 | flags


class Tables:
    def __init__(self, rng, qemu):
        self.random, self.qemu = rng, qemu
        self.edge = rng.choice([0, U])
        # Two numbers for each root, each its own: legal programs give no root the number of another one.
        self.asids = {root: [i, rng.getrandbits(6) << 2 | i] for i, root in enumerate(ROOTS)}
        self.pages = []  # names, in order
        self.entries = {}  # (name, index): value
        for root in ROOTS:
            self.add(root)
        for kind in "SU":
            for name in ("identity", "text", "memory"):
                self.add(name + kind)
        for name in ("l1.0", "l1.1", "l0.0", "l0.1", "pointers"):
            self.add(name)
        self.fill()

    def add(self, name):
        self.pages.append(name)

    def address(self, name, index=0):
        return TABLES + 4096 * self.pages.index(name) + 8 * index

    def satp(self, root):
        return 0 if root == "bare" else 8 << 60 | self.random.choice(self.asids[root]) << 44 | self.address(root) >> 12

    def chance(self, p):
        return self.random.random() < p

    def noise(self):
        """Bits without effect."""
        return self.random.choice([0, 0, 1 << 8, 3 << 8])

    def flags(self, code):
        """Permissions of a leaf that is valid; code: never writable."""
        flags = V | A | (D if self.qemu or self.chance(0.9) else 0) | self.noise() | (U if self.chance(0.55) else 0)
        if code:
            return flags | self.random.choice([X, X, R | X, R | X, R | X, R])
        return flags | self.random.choice([R | W, R | W, R | W, R | W, R | W | X, R, R | X, X])

    def spoil(self, value, size, code=False):
        """Makes an entry wrong, one way or another. size: 1 for 4 KiB, more for superpages."""
        bits = R | W | X
        ways = [
            lambda: value & ~V,
            lambda: 0,
            lambda: self.random.getrandbits(64) & ~V,
            lambda: value & ~bits | W,
            lambda: value & ~bits | W | X,
            lambda: value | 1 << self.random.randrange(54, 61),
            lambda: value | 1 << self.random.choice([61, 62]),
            lambda: value | 1 << 63,
        ]
        if not self.qemu:  # QEMU 7.2 sets A and D
            ways += [lambda: value & ~A, lambda: value & ~A, lambda: value & ~A & ~D]
        ways.append(lambda: value | self.random.randrange(1, size) << 10 if size > 1 else value & ~bits & ~(U | A | D))
        if size > 1:  # a pointer with the bits of a leaf
            ways.append(lambda: value & ~bits & ~(U | A | D) | self.random.choice([U, A, D, U | A | D]))
        else:
            if not (code and self.qemu):  # QEMU 7.2 aborts where an instruction straddles into no memory
                ways += [lambda: pte(self.random.choice(NOWHERE), value & 0x3FF | (R | W if self.qemu and value & R else 0))] * (3 if code else 1)
            if not self.qemu:
                ways.append(lambda: pte(DEVICE, value & 0x3FF & ~W))
        return self.random.choice(ways)()

    def window(self, page):
        """A random entry for a page of the window."""
        if page in (GUARD, LAST):
            return self.spoil(pte(MEMORY, V | R | A | D), 1) & ~X & ~W
        if page in EDGE and not self.qemu:
            return pte(CODE if page == EDGE[0] else self.random.choice([*NOWHERE, DEVICE]), V | R | X | A | D | self.edge)
        code = page in ROUTINES
        frame = CODE + 4096 * self.random.randrange(CODE_PAGES) if code else MEMORY + 4096 * self.random.choice(DATA_FRAMES)
        value = pte(frame, self.flags(code))
        return self.spoil(value, 1, code) if self.chance(0.3) else value

    def superpage(self, level):
        value = pte(MEMORY if level == "l1" else DRAM, self.flags(False))
        return self.spoil(value, 512) if self.chance(0.25) else value

    def identity(self, kind):
        """Program, handler and memory where they are: as 4 KiB pages or as superpages."""
        user, name = (U if kind == "U" else 0), "identity" + kind
        for slot, (part, base, bit) in enumerate((("text", TEXT, user), ("handler", VM, 0), ("memory", MEMORY, user))):
            if part == "handler" or self.chance(0.4):
                self.entries[name, slot] = pte(base, GOOD | bit | self.noise())
                continue
            self.entries[name, slot] = pte(self.address(part + kind), V)
            for page in range(512):
                self.entries[part + kind, page] = pte(base + 4096 * page, GOOD | bit)

    def fill(self):
        for kind in "SU":
            self.identity(kind)
        shared = pte(DRAM, self.flags(False) | G | D)  # each root has its own copy: hardware has nothing to set in it
        for root in ROOTS:
            kind, window = root
            self.entries[root, 2] = pte(self.address("identity" + kind), V)
            if kind == "S" and self.chance(0.3):
                self.entries[root, 2] = pte(DRAM, GOOD)
            if self.chance(0.6):
                self.entries[root, 0] = pte(0, V | R | W | A | D | (U if kind == "U" else 0))  # devices
            self.entries[root, WINDOW >> 30] = pte(self.address("l1." + window), V)
            for slot in TWIN_SLOTS["root"]:
                self.entries[root, slot] = self.superpage("root")
            self.entries[root, GLOBAL_SLOT] = shared
            big = pte(DRAM, GOOD | U)
            self.entries[root, 130] = big | 1 << 10
            self.entries[root, 131] = big | 1 << 54
            self.entries[root, 132] = pte(self.address("l1." + window), V | self.random.choice([A, D, U]))
            self.entries[root, 133] = pte(self.random.choice(NOWHERE), V)
        for number in "01":
            table, leaves = "l1." + number, "l0." + number
            big = pte(MEMORY, V | R | W | A | D | U)
            values = {
                0: pte(self.address(leaves), V),
                1: self.superpage("l1"),
                2: big | 1 << 18,
                3: pte(self.address(leaves), V | self.random.choice([A, D, U])),
                4: pte(self.random.choice(NOWHERE), V),
                5: pte(DEVICE, V),
                6: 0,
                7: pte(self.address("pointers"), V),
                8: pte(self.address(leaves), V),
                9: big | 1 << self.random.randrange(54, 64),
            }
            for index, value in values.items():
                self.entries[table, index] = value
            for page in range(64):
                self.entries[leaves, page] = self.window(page)
        for index in range(64):
            self.entries["pointers", index] = pte(self.address("l0.0"), V)

    def lines(self):
        """Assembly of section .vm behind handler and frame."""
        lines = []
        for name in self.pages:
            values = {index: value for (table, index), value in self.entries.items() if table == name}
            lines.append(f".balign 4096 # {name}")
            after = 0
            for index in sorted(values):
                lines += [f".zero {8 * (index - after)}"] * (index > after) + [f".dword 0x{values[index]:x}"]
                after = index + 1
            lines += [f".zero {8 * (512 - after)}"] * (after < 512)
        return lines


def code_page(number):
    """A page of routines that return to x1. An instruction straddles its end; its second half begins each such page."""
    low, high = 0x8000 | 7 << 7 | 0x13, (0x111 * (number + 1)) << 4 | 3  # addi x7, x7, imm of the next page
    at = f"code{number}"
    return [
        ".balign 4096",
        f"{at}: .half 0x{high:x}",
        "jr x1",
        f".org {at} + 0x40",
        f"addi x6, x6, {number + 1}",
        f"ld x7, {8 * number}(gp)",
        "jr x1",
        f".org {at} + 0x100",
        f"xori x8, x8, {number + 1}",
        f"slli x9, x8, {number + 1}",
        "jr x1",
        f".org {at} + 0x800",
        f"li x28, {number + 2}",
        "1: addi x28, x28, -1",
        "add x6, x6, x28",
        "bnez x28, 1b",
        "jr x1",
        f".org {at} + 0xa00",
        f"addi x6, x6, {number + 9}",
        [".half 0", "ebreak", "sd x6, 0(x0)", "ecall"][number % 4],
        "jr x1",
        f".org {at} + 0xff8",
        "c.addi x8, 1",
        ".option push",
        ".option norvc",
        f"addi x7, x7, {number}",
        ".option pop",
        f".half 0x{low:x}",
    ]
