"""Items of random programs (fuzz.py) that reach around the core: interrupts from the PLIC, counters and their overflow
interrupt, the trap handler's own registers, mstatus, and code that is written while it runs."""
import csv
import pathlib

from handlers import CLAIM, LCOFI, PLIC, SCRATCH, UART, UART_SOURCE

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PATCHES = 4  # routines in a page of their own that are written while the program runs
PATCH_BYTES = 64
EVENTS = [0, *range(1, 11), *range(16, 25), 11, 25, 255]  # tables/pmu_events.tsv and events.tsv, and some that do not exist
MSTATUS = [1 << 1, 1 << 5, 1 << 7, 1 << 8, 1 << 11, 1 << 12, 1 << 17, 1 << 18, 1 << 19, 1 << 20, 1 << 21, 1 << 22]
# Written over an instruction with three of four bytes after it: jumps and branches past some of them, and no jump.
JUMPS = [0x0080006F, 0x00C0006F, 0x00000463, 0x00000663, 0x00001463, 0x00010001]


def sample_csrs():
    rows = [line for line in (ROOT / "tables" / "csrs.tsv").read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return [row["address"] for row in csv.DictReader(rows, delimiter="\t") if row["where"] == "tip_csrs"]


class SystemItems:
    """Mixed into Fuzzer."""

    def store(self, address, value, name="sw"):
        return [f"li x{SCRATCH}, 0x{address:x}", f"li x31, {value}", f"{name} x31, 0(x{SCRATCH})"]

    def set_bits(self, csr, mask):
        return [f"li x{SCRATCH}, 0x{mask:x}", f"{self.pick(['csrs', 'csrs', 'csrs', 'csrc'])} {csr}, x{SCRATCH}"]

    # ---- interrupts from the UART, by the PLIC ----
    def item_external(self):
        """Often all of what an interrupt takes, else one thing of it."""
        context = self.random.randrange(2) if "super" in self.classes else 0
        enable, threshold = PLIC + 0x2000 + 0x80 * context, PLIC + 0x200000 + 0x1000 * context
        ways = [
            self.store(PLIC + 4 * UART_SOURCE, self.random.randrange(8)),
            self.store(enable, self.pick([1 << UART_SOURCE, 0, -1])),
            self.store(threshold, self.pick([0, 0, 1, 3, 7])),
            self.store(UART + 1, self.random.randrange(4), "sb"),
            self.set_bits("mie", 0x800 if not context else 0x200),
            [f"li x{SCRATCH}, 0x{self.pick([PLIC + 4 * UART_SOURCE, PLIC + 0x1000, enable, threshold]):x}", f"lw {self.rd()}, 0(x{SCRATCH})"],
            [f"li x{SCRATCH}, 0x{CLAIM[context]:x}", f"lw x31, 0(x{SCRATCH})", *(["sw x31, 0(x30)"] if self.chance(0.8) else [])],
            [f"li x{SCRATCH}, 0x{UART + self.random.randrange(8):x}", f"lbu {self.rd()}, 0(x{SCRATCH})"],
        ]
        if self.chance(0.6):
            whole = [
                *self.store(PLIC + 4 * UART_SOURCE, self.random.randrange(1, 8)),
                *self.store(enable, 1 << UART_SOURCE),
                *self.store(threshold, 0),
                *self.store(UART + 1, 0, "sb"),
                f"li x{SCRATCH}, 0x{0x200 if context else 0x800:x}",
                f"csrs mie, x{SCRATCH}",
            ]
            return whole + self.store(UART + 1, self.pick([1, 2, 3]), "sb")
        return self.pick(ways)

    # ---- counters ----
    def counter(self):
        return self.pick([3, 3, 4, 5, 7, 31, self.random.randrange(3, 32)])

    def event(self):
        modes = self.random.getrandbits(4) << 60 if self.chance(0.3) else 0
        return modes | self.pick(EVENTS)

    def item_pmu(self):
        i = self.counter()
        if self.chance(0.4):  # an overflow soon
            return [
                f"li x{SCRATCH}, {self.pick([1, 1, 2, 4, 6, 10])}",
                f"csrw mhpmevent{i}, x{SCRATCH}",
                f"li x{SCRATCH}, {-self.random.randrange(1, 80)}",
                f"csrw mhpmcounter{i}, x{SCRATCH}",
                f"li x{SCRATCH}, {LCOFI}",
                f"csrs mie, x{SCRATCH}",
                f"csrci mcountinhibit, {self.pick([0, 8])}",
            ]
        enable = self.pick(["mcounteren", "scounteren", "mcountinhibit"])
        writes = [
            ("mhpmevent" + str(i), self.event()),
            ("mhpmcounter" + str(i), -self.random.randrange(1, 300)),
            (enable, self.pick([0, 0xFFFFFFFF, self.random.getrandbits(32)])),
            ("mcycle", self.value()),
            ("minstret", self.value()),
            ("0x7c0", self.pick([0, 0, self.random.randrange(4000, 20000)])),
            ("0x5c1", 0),
        ]
        if self.chance(0.5):
            csr, value = self.pick(writes)
            return [
                f"li x{SCRATCH}, {value}",
                f"{self.pick(['csrrw', 'csrrw', 'csrrs', 'csrrc']) if csr in ('mcounteren', 'scounteren', 'mcountinhibit') else 'csrrw'} {self.rd()}, {csr}, x{SCRATCH}",
            ]
        if self.chance(0.2):
            return [f"li x{SCRATCH}, {LCOFI}", f"{self.pick(['csrs', 'csrc'])} {self.pick(['mie', 'mip'])}, x{SCRATCH}"]
        return [
            f"csrr {self.rd()}, {self.pick([f'mhpmevent{i}', f'mhpmcounter{i}', f'hpmcounter{i}', 'scountovf', 'mcountinhibit', 'mcounteren', 'minstret', 'cycle', self.pick(sample_csrs())])}"
        ]

    # ---- triggers on addresses ----
    def item_trigger(self):
        """One set on an instruction that comes, or on the trap handler, counted by an interrupting counter; or an access."""
        if self.chance(0.3):
            csr = self.pick(["0x7a0", "0x7a1", "0x7a2", "0x7a4"])
            return [f"{self.pick(['csrrw', 'csrrs', 'csrrc'])} {self.rd()}, {csr}, {self.rs()}"]
        if self.chance(0.2):
            return [f"csrr {self.rd()}, {self.pick(['0x7a0', '0x7a1', '0x7a2', '0x7a3', '0x7a4', '0x7a5'])}"]
        control = self.pick([0x5C, 0x44, 0x0C, 0x5C, 0x4C, self.random.getrandbits(7)]) | self.pick([0, 0x1000])
        counter = self.pick([4, 5, 7])
        where = self.pick(["trap", "interrupt", "overflow"]) if self.chance(0.4) else ""
        place = [f"la x{SCRATCH}, {where}"] if where else [f"auipc x{SCRATCH}, 0", f"addi x{SCRATCH}, x{SCRATCH}, {2 * self.random.randrange(8, 80)}"]
        return [
            f"csrwi 0x7a0, {self.random.randrange(8)}",
            *place,
            f"csrw 0x7a2, x{SCRATCH}",
            f"li x{SCRATCH}, 0x{control:x}",
            f"csrw 0x7a1, x{SCRATCH}",
            f"li x{SCRATCH}, {self.pick([48, 48, 49])}",
            f"csrw mhpmevent{counter}, x{SCRATCH}",
            f"li x{SCRATCH}, {-self.random.randrange(1, 4)}",
            f"csrw mhpmcounter{counter}, x{SCRATCH}",
            f"li x{SCRATCH}, {LCOFI}",
            f"csrs mie, x{SCRATCH}",
        ]

    # ---- control transfer records ----
    def record_control(self):
        modes = self.pick([7, 7, 7, 7, 4, 1, 3, 6, 0]) | self.pick([0, 0, 0x100, 0x200, 0x300])
        others = self.pick([0, 0, 0, 0x80]) | self.pick([0, 0, 0, 0, 0x1000, 0x800, 0x1800])
        return modes | others | self.pick([0, 1 << 36, self.random.getrandbits(15) << 33, self.random.getrandbits(15) << 33 & self.random.getrandbits(64)])

    def item_ctr(self):
        """Control, status and depth written; one record or all of them read; some written; all cleared."""
        kind = self.random.random()
        if kind < 0.35:
            return [
                f"li x{SCRATCH}, 0x{self.record_control():x}",
                f"{self.pick(['csrrw', 'csrrw', 'csrrw', 'csrrs', 'csrrc'])} {self.rd()}, {self.pick(['0x34e', '0x34e', '0x14e'])}, x{SCRATCH}",
                *(
                    [f"csrr x{SCRATCH}, 0x14f", f"slli x{SCRATCH}, x{SCRATCH}, 56", f"srli x{SCRATCH}, x{SCRATCH}, 56", f"csrw 0x14f, x{SCRATCH}"]
                    if self.chance(0.8)
                    else []
                ),
            ]
        if kind < 0.5:
            frozen = self.pick([0] * 9 + [1 << 31])
            return [f"li x{SCRATCH}, 0x{frozen | self.random.getrandbits(8):x}", f"csrrw {self.rd()}, 0x14f, x{SCRATCH}"]
        if kind < 0.55:
            return [f"csrrwi {self.rd()}, 0x15f, {self.pick([0, 0, 1, 1, 2, 3, 4, 5, 7])}"]
        if kind < 0.6:
            return [".word 0x10400073"]
        if kind < 0.85:
            place = 0x200 + self.pick([0, 0, 1, self.random.randrange(16), self.random.randrange(32), self.random.randrange(256)])
            access = self.pick([f"csrrs {self.rd()}, {{}}, x0"] * 4 + [f"csrrw {self.rd()}, {{}}, {self.rs()}", f"csrrs {self.rd()}, {{}}, {self.rs()}"])
            return [f"li x{SCRATCH}, 0x{place:x}", f"csrw 0x150, x{SCRATCH}", access.format(self.pick(["0x151", "0x152", "0x153", "0x155"]))]
        all_of_it = [f"csrr x{SCRATCH}, 0x14f"]
        for i in range(self.pick([16, 16, 32])):
            all_of_it += [
                f"li x{SCRATCH}, 0x{0x200 + i:x}",
                f"csrw 0x150, x{SCRATCH}",
                *(f"csrr x{SCRATCH}, {number}" for number in ("0x151", "0x152", "0x153")),
            ]
        return all_of_it

    # ---- the trap handler's registers; mstatus ----
    def item_mtvec(self):
        target = self.pick(["trap", "vectors", "vectors + 1"]) if "super" not in self.classes else self.pick(["trap", "trap + 1"])
        return [f"la x{SCRATCH}, {target}", f"csrrw {self.rd()}, mtvec, x{SCRATCH}"]

    def item_mscratch(self):
        if self.in_user or self.link or self.chance(0.5):
            return [f"la x{SCRATCH}, {self.pick(['frame', 'frame2'])}", f"csrrw {self.rd()}, mscratch, x{SCRATCH}"]
        inside = [line for _ in range(3) for line in self.compute(self.alu) if f" x{SCRATCH}," not in line]
        on = ["csrsi mstatus, 8"] if "interrupt" in self.classes else []
        return ["csrci mstatus, 8", f"csrrw x{SCRATCH}, mscratch, {self.rs()}", *inside, f"csrrw {self.rd()}, mscratch, x{SCRATCH}", *on]

    def item_status(self):
        bits = sum({self.pick(MSTATUS) for _ in range(3)})
        fs = 0 if "fp" in self.classes else self.pick([0, 0x2000, 0x4000, 0x6000])
        lines = [f"li x{SCRATCH}, 0x{bits | fs:x}", f"{self.pick(['csrrs', 'csrrc'])} {self.rd()}, mstatus, x{SCRATCH}"]
        return lines + ([f"csrrs {self.rd()}, {self.pick(['0x001', '0x002', '0x003', 'mstatus'])}, x0"] if self.chance(0.4) else [])

    # ---- code that is written while it runs ----
    def patch_words(self):
        rd = self.pick([6, 7, 10, 28])
        return [self.pick(JUMPS) if self.chance(0.6) else self.random.getrandbits(12) << 20 | rd << 7 | 0x13 for _ in range(4)]

    def item_smcloop(self):
        """A loop that writes an instruction of its own, or of a routine in another page, again in every trip, and executes it."""
        if self.loops == 2 or self.link:
            return self.item_alu()
        counter, head, words, spot, r = f"x{26 + self.loops}", self.label(), self.label(), self.label(), self.pick([6, 7, 10])
        away = self.chance(0.4)
        target = f"patched + {PATCH_BYTES * self.random.randrange(PATCHES)}" if away else spot
        here = [
            ".option push",
            ".option rvc",
            ".balign 4",
            ".option norvc",
            f"{spot}: addi x0, x0, 0",
            f"addi x{r}, x{r}, 1",
            f"xori x{r}, x{r}, 5",
            f"addi x{r}, x{r}, 3",
            ".option pop",
        ]
        return [
            f"li {counter}, {self.random.randrange(2, 7)}",
            f"{head}:",
            f"andi x{SCRATCH}, {counter}, 3",
            f"slli x{SCRATCH}, x{SCRATCH}, 2",
            f"la x31, {words}",
            f"add x31, x31, x{SCRATCH}",
            f"lw x{SCRATCH}, 0(x31)",
            f"la x31, {target}",
            f"sw x{SCRATCH}, 0(x31)",
            "fence.i",
            *([f"la x{SCRATCH}, {target}", f"jalr x1, 0(x{SCRATCH})"] if away else here),
            f"addi {counter}, {counter}, -1",
            f"bnez {counter}, {head}",
            ".pushsection .data",
            ".balign 4",
            f"{words}: .word " + ", ".join(f"0x{word:x}" for word in self.patch_words()),
            ".popsection",
        ]

    def patched(self):
        """The routines in a page of their own that item_smcloop writes to."""
        routine = [f".balign {PATCH_BYTES}", "addi x0, x0, 0", "addi x6, x6, 1", "xori x6, x6, 5", "addi x6, x6, 3", "jr x1"]
        return [".balign 4096", ".option push", ".option norvc", "patched:", *routine * PATCHES, ".option pop", ".balign 4096"]
