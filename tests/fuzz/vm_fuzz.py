"""Random programs with virtual memory: classes and frame of fuzz.py's --vm.

The main program runs in M-mode with items that set delegation, protection and the page tables' entries; blocks run in
S-mode (class super) and in U-mode (class user, from M or S), each with a root that maps the program for that mode. Both
handlers skip the instruction that raised an exception, or return to x1 if it stands in the window or cannot be fetched.
What keeps a program from being lost: medeleg never has ECALL from S, by which S-mode returns to M; entries and
protection are changed only where sfence.vma works (not under TVM); wfi only where something is pending.

Random code never writes x4 (tp), so that S-mode's handler, which has no other register, may use it and make it again.
"""
from fuzz import BUFFER_BYTES, DESTINATIONS, Fuzzer, SIZES
from handlers import ECALL_TO_MACHINE, LCOFI, SCRATCH, finish
from vm_handlers import ECALL_TO_SUPERVISOR, M_HANDLER, MPRV, MXR, S_HANDLER, SUM, TSR, TVM, TW
from vm_tables import (
    BUFFER_PAGES,
    CODE,
    CODE_PAGES,
    DATA,
    DATA_FRAMES,
    EDGE,
    ENTRY,
    FRAME,
    GLOBAL_SLOT,
    MEMORY,
    ROUTINES,
    TWIN_SLOTS,
    VM,
    WINDOW,
    Tables,
    code_page,
)

VM_CLASSES = ["super", "window", "twin", "bad", "vjump", "vpatch", "ventry", "satp", "mprv", "pmp", "delegate", "scsr", "sret", "sfence", "softirq", "swfi"]
# What QEMU 7.2 does otherwise, and --qemu leaves out:
#   - the walk sets A and D; a walk outside of memory is a page fault, or reads the device;
#   - an AMO loads first and has a load's faults: those of loads and stores are delegated alike (qemu_compare does the rest);
#   - SC looks at its address only with a reservation, and reservations hold virtual addresses: LR and SC at one address;
#   - satp holds an ASID of 16 bits and knows Sv48; PMP has a grain of 4 bytes; pmpcfg holds W without R; scause is not masked;
#   - of the interrupts that are pending, the one with the lowest number is taken: no SEI;
#   - mret and sret leave MPRV set;
#   - a load by S-mode from a U-mode page (SUM) opens that page to S-mode's fetches, too: no loads from pages of routines.
WEIGHTS = {
    "super": 5,
    "user": 3,
    "window": 12,
    "twin": 4,
    "bad": 2,
    "vjump": 4,
    "vpatch": 0.5,
    "ventry": 2,
    "satp": 0.7,
    "mprv": 2,
    "pmp": 1.5,
    "delegate": 0.8,
    "scsr": 2,
    "sret": 0.5,
    "sfence": 0.6,
    "softirq": 2,
    "swfi": 0.4,
    "alu": 8,
    "memory": 8,
    "branch": 5,
}
SSTATUS_BITS = SUM | MXR | 0x122


class VmFuzzer(Fuzzer):
    def __init__(self, seed, classes, extra):
        super().__init__(seed, classes, extra)
        self.qemu = "csrmask" not in extra
        self.tables = Tables(self.random, self.qemu)
        self.lcofi = LCOFI if "pmu" in classes else 0
        self.mode, self.locked_down, self.under_mprv = "M", False, False  # locked_down: under TVM, TW or TSR

    # ---- accesses ----
    def offset(self, size):
        return self.pick([0, 8, 64, 4096 - 8, self.random.randrange(4096), self.random.randrange(0, 256)]) & ~(size - 1)

    def access_at(self, address):
        """A random access at about this address (of a page)."""
        kind = self.random.random()
        if "fpmemory" in self.classes and self.chance(0.3):
            name, size = self.pick(self.fp_accesses)
            access = [f"{name} {self.fp_register()}, (x{SCRATCH})"]
            offset = self.offset(size) | (0 if self.chance(0.95) or self.qemu else self.random.randrange(1, size))
        elif kind < 0.75:
            name = self.pick(self.loads + self.stores)
            size = SIZES[name[1]]
            offset = self.offset(size)
            if size > 1 and self.chance(0.06) and not self.qemu:
                offset = self.pick([offset + self.random.randrange(1, size) & 4095, 4096 - self.random.randrange(1, size)])
            access = [self.access(name, f"(x{SCRATCH})")]
        elif kind < 0.9:
            name = self.pick(self.amos)
            offset = self.offset(SIZES[name[-1]])
            access = [f"{name} {self.rd()}, {self.rs()}, (x{SCRATCH})"]
        else:
            size = self.pick("wd")
            offset = self.offset(SIZES[size])
            access = [f"lr.{size} x12, (x{SCRATCH})"]
            if self.qemu and self.chance(0.5) and not self.under_mprv:
                return [f"addi x{SCRATCH}, gp, {offset & 0x3f8}", *access, f"sc.{size} x13, {self.rs()}, (x{SCRATCH})"]
            if not self.qemu:
                access = (access if self.chance(0.8) else []) + [f"sc.{size} x13, {self.rs()}, (x{SCRATCH})"]
        return [f"li x{SCRATCH}, 0x{address + offset:x}", *access]

    def window_page(self, page):
        return WINDOW + self.pick([0, 0, 8]) * (1 << 21) + 4096 * page

    def item_window(self):
        """One access, or several at the same place through several pages."""
        lines = []
        for _ in range(self.pick([1, 1, 2, 4])):
            page = self.random.randrange(64) if self.chance(0.1) and not self.qemu else self.pick(DATA)
            lines += self.access_at(self.window_page(page))
        return lines

    def twin(self):
        """Base of a superpage's mapping of MEMORY."""
        slot = self.pick([*TWIN_SLOTS["root"], GLOBAL_SLOT, -1])
        if slot < 0:
            return WINDOW + (1 << 21)
        return (slot << 30 | (MEMORY & 0x3FFFFFFF)) + (0xFFFFFF8000000000 if slot >= 256 else 0)

    def item_twin(self):
        return [
            line
            for _ in range(self.pick([1, 2]))
            for line in self.access_at(self.twin() + 4096 * self.pick([*DATA_FRAMES, self.random.randrange(BUFFER_PAGES)]))
        ]

    def bad_address(self):
        page = 4096 * self.random.randrange(64)
        where = self.random.random()
        if where < 0.4:
            return WINDOW + (self.pick([2, 3, 6, 7, 9, 10] + ([] if self.qemu else [4, 5])) << 21) + page
        if where < 0.7:
            return (self.pick([130, 131, 132, 134] + ([] if self.qemu else [133])) << 30) + page
        return (WINDOW + page) | self.pick([1 << 39, 1 << 63, 1 << 40, 0xFFFFFF8000000000 - (1 << 39)]) if self.chance(0.6) else 0x4000000000 + page

    def item_bad(self):
        if self.chance(0.2) and not self.link and "vjump" in self.classes:
            return [f"li x{SCRATCH}, 0x{self.bad_address():x}", f"jalr x1, 0(x{SCRATCH})"]
        return self.access_at(self.bad_address())

    def item_vjump(self):
        """Calls a routine in the window or in a superpage; the handlers return to x1, too."""
        entry = self.pick([*ENTRY, 0xFFE])
        if self.chance(0.2):
            number = self.random.randrange(CODE_PAGES - (ENTRY[entry] == "straddle"))
            address = self.twin() + CODE - MEMORY + 4096 * number + entry
        else:
            address = self.window_page(self.pick(ROUTINES)) + entry if self.chance(0.9) else self.window_page(EDGE[0]) + 0xFFE
        return [f"li x{SCRATCH}, 0x{address:x}", f"jalr x1, 0(x{SCRATCH})"]

    def item_vpatch(self):
        """M-mode writes a routine again by its physical address; other modes meet it at its virtual ones."""
        if self.mode != "M" or self.link:
            return self.item_vjump() if not self.link else self.item_alu()
        address = CODE + 4096 * self.random.randrange(CODE_PAGES) + 0x800  # li x28, N, before the routine's loop
        c_li = 0x4000 | 28 << 7 | self.random.randrange(1, 9) << 2 | 1
        return [f"li x{SCRATCH}, 0x{address:x}", f"li x31, 0x{c_li:x}", f"sh x31, 0(x{SCRATCH})", "fence.i", *self.item_vjump()]

    # ---- tables and protection ----
    def sfence(self):
        return f"sfence.vma {self.pick(['x0', 'x0', self.rs()])}, {self.pick(['x0', 'x0', self.rs()])}"

    def fences(self, addresses, roots):
        """After a change of the one leaf that all of these addresses have, in all of these roots: everything, or just that."""
        asids = [asid for root in roots for asid in self.tables.asids[root]]
        kind = self.pick(["all", "all", "pages", "spaces", "both"])
        if kind == "all":
            return ["sfence.vma"]
        pairs = [(address, asid) for address in (addresses if kind != "spaces" else [None]) for asid in (asids if kind != "pages" else [None])]
        return [
            line
            for address, asid in pairs
            for line in [
                *([f"li x{SCRATCH}, 0x{address:x}"] if address is not None else []),
                *([f"li x31, {asid}"] if asid is not None else []),
                f"sfence.vma {'x0' if address is None else f'x{SCRATCH}'}, {'x0' if asid is None else 'x31'}",
            ]
        ]

    def item_ventry(self):
        number = self.random.randrange(2)
        roots = [f"S{number}", f"U{number}"]
        inside = self.random.randrange(1 << 18) << 12
        if self.chance(0.8):
            page = self.random.randrange(64)
            at, value = self.tables.address(f"l0.{number}", page), self.tables.window(page)
            addresses = [WINDOW + slot * (1 << 21) + 4096 * page for slot in (0, 8)]
        elif self.chance(0.5):
            roots, slot = [self.pick(roots)], self.pick(TWIN_SLOTS["root"])
            at, value = self.tables.address(roots[0], slot), self.tables.superpage("root")
            addresses = [(slot << 30 | inside) + (0xFFFFFF8000000000 if slot >= 256 else 0)]
        else:
            slot = self.pick(TWIN_SLOTS["l1"])
            at, value = self.tables.address(f"l1.{number}", slot), self.tables.superpage("l1")
            addresses = [WINDOW + (slot << 21) + (inside & 0x1FF000)]
        return [f"li x{SCRATCH}, 0x{at:x}", f"li x31, 0x{value:x}", f"sd x31, 0(x{SCRATCH})", *self.fences(addresses, roots)]

    def satp(self, roots):
        value = self.tables.satp(self.pick(roots))
        if not self.qemu and self.chance(0.2):  # bits that are not held
            value |= self.random.getrandbits(8) << 52
        return [f"li x{SCRATCH}, 0x{value:x}", f"csrw satp, x{SCRATCH}"]

    def item_satp(self):
        if not self.qemu and self.chance(0.1):  # of no effect
            return [f"li x{SCRATCH}, 0x{self.pick([9, 10, 1, 15]):x}000000000000000", f"csrw satp, x{SCRATCH}"]
        if self.chance(0.3):
            return [f"csrr {self.rd()}, satp"]
        return self.satp(["S0", "S1", "bare"] if self.mode != "M" else ["S0", "S1", "U0", "U1", "bare"])

    def item_mprv(self):
        lines = self.satp(["S0", "S1", "U0", "U1", "U0", "bare"]) if self.mode == "M" else []
        lines += [f"li x{SCRATCH}, 0x1800", f"csrc mstatus, x{SCRATCH}"]
        lines += [f"li x{SCRATCH}, 0x{MPRV | self.pick([0, 0x800, 0x800, 0x1800]) | self.pick([0, SUM]) | self.pick([0, MXR]):x}", f"csrs mstatus, x{SCRATCH}"]
        self.under_mprv = True
        for _ in range(1 if self.qemu else self.random.randrange(1, 4)):
            lines += self.access_at(self.pick([self.window_page(self.pick(DATA)), self.twin()]))
        self.under_mprv = False
        return lines + [f"li x{SCRATCH}, 0x{MPRV | self.pick([0, SUM]) | self.pick([0, MXR]):x}", f"csrc mstatus, x{SCRATCH}"]

    def item_pmp(self):
        """Region 0: one page of the window's tables. Regions 1 and 2: pages of data and routines. Region 3 opens the rest."""
        region = self.pick([0, 1, 1, 2, 2])
        modes = [0, 3, 3, 3] + ([] if self.qemu else [2]) + ([1, 1] if region == 2 else [])
        config = self.pick([0, 1, 3, 4, 5, 7, 7] + ([] if self.qemu else [2, 6])) | self.pick(modes) << 3 | (0x80 if self.chance(0.12) else 0)
        if region == 0:
            page, size = self.tables.address(self.pick(["l0.0", "l0.1", "l1.0", "l1.1"])), 1
        else:
            frame = self.pick([*DATA_FRAMES[1:], BUFFER_PAGES + self.random.randrange(CODE_PAGES)])
            page, size = MEMORY + 4096 * frame, self.pick([1, 1, 1, 2, 4] if not self.qemu or frame > 3 else [1])  # LR and SC stay at page 0
        number = (page >> 2 & ~(0x400 * size - 1)) | 0x200 * size - 1
        lines = [f"li x{SCRATCH}, 0x{number:x}", f"csrw pmpaddr{region}, x{SCRATCH}"]
        if self.qemu and region == 1:
            lines += [f"li x{SCRATCH}, 0x180000", f"csrc pmpcfg0, x{SCRATCH}"]  # its low end is in the middle of a page now
        if config >> 3 & 3 == 1:
            config &= ~(0x80 if self.qemu else 0)
            low = self.random.randrange(1, BUFFER_PAGES + CODE_PAGES)
            high = self.random.randrange(low + 1 if self.qemu else 1, low + 6)
            lines = [
                f"li x{SCRATCH}, 0x{MEMORY + 4096 * low >> 2:x}",
                f"csrw pmpaddr1, x{SCRATCH}",
                f"li x{SCRATCH}, 0x{MEMORY + 4096 * high >> 2:x}",
                f"csrw pmpaddr2, x{SCRATCH}",
            ]
        lines += [
            f"li x{SCRATCH}, 0x{0xFF << 8 * region:x}",
            f"csrc pmpcfg0, x{SCRATCH}",
            f"li x{SCRATCH}, 0x{config << 8 * region:x}",
            f"csrs pmpcfg0, x{SCRATCH}",
            self.sfence(),
        ]
        for _ in range(self.random.randrange(3)):  # without translation: what is locked
            lines += self.access_at((high << 12) + MEMORY - self.pick([0, 4096]) if config >> 3 & 3 == 1 else page)
        return lines + (
            [f"csrr {self.rd()}, {self.pick(['pmpcfg0', 'pmpaddr0', 'pmpaddr1', 'pmpaddr2', 'pmpaddr15', 'pmpcfg2'])}"]
            if not self.qemu and self.chance(0.5)
            else []
        )

    def delegate(self):
        exceptions = self.pick([0, 0xB1FF, self.random.getrandbits(16) & 0xB1FF, self.random.getrandbits(16) & 0xB1FF])
        if self.qemu:
            exceptions = exceptions & ~0xA0A0 | self.pick([0, 0xA0A0])
        interrupts = self.pick([0, 0x222, self.random.getrandbits(10) & 0x222]) | self.pick([0, self.lcofi])
        enabled = (
            self.random.getrandbits(10) & 0x222
            | self.pick([0, self.lcofi, self.lcofi])
            | (0x800 if "external" in self.classes and self.chance(0.5) else 0)
            | (0x88 if "interrupt" in self.classes else 0)
        )
        return [
            f"li x{SCRATCH}, 0x{exceptions:x}",
            f"csrw medeleg, x{SCRATCH}",
            f"li x{SCRATCH}, 0x{interrupts:x}",
            f"csrw mideleg, x{SCRATCH}",
            f"li x{SCRATCH}, 0x{enabled:x}",
            f"csrw mie, x{SCRATCH}",
        ]

    def item_delegate(self):
        return self.delegate()

    # ---- S-mode's instructions ----
    def item_scsr(self):
        csr = self.pick(["sstatus", "sstatus", "sstatus", "sscratch", "sepc", "scause", "stval", "sie", "sip", "stvec", "satp", "scounteren"])
        if csr in ("satp", "scounteren") or self.chance(0.25):
            return [f"csrr {self.rd()}, {csr}"] if csr != "sip" or not self.qemu else ["csrr x31, sie"]
        if csr == "stvec":
            return [f"li x{SCRATCH}, 0x{VM + self.random.randrange(2):x}", f"csrw stvec, x{SCRATCH}"]
        mask = {"sstatus": SSTATUS_BITS & self.random.getrandbits(20), "sie": 0x222, "sip": 2, "scause": 15 if self.qemu else -1, "sepc": -2}.get(csr, -1)
        value = self.value() & mask
        names = ["csrw", "csrs", "csrc"] if csr in ("sscratch", "stval") else ["csrs", "csrc"] if csr in ("sstatus", "sie", "sip") else ["csrw"]
        return [f"li x{SCRATCH}, 0x{value & (1 << 64) - 1:x}", f"{self.pick(names)} {csr}, x{SCRATCH}"]

    def item_sfence(self):
        return [self.sfence()]

    def item_softirq(self):
        if self.mode == "M":  # stays pending until the next block in S-mode, or is taken here
            off = ["csrci mstatus, 8"] if self.chance(0.6) else []
            return [
                *off,
                f"li x{SCRATCH}, 0x{self.pick([2, 2, 0x20, 0x20 if self.qemu else 0x200, 0x20 if self.qemu else 0x200]):x}",
                f"{self.pick(['csrs', 'csrs', 'csrc'])} mip, x{SCRATCH}",
                f"csrs mie, x{SCRATCH}",
                f"csrsi sstatus, {self.pick([0, 2, 2])}",
            ]
        return [f"{self.pick(['csrsi', 'csrsi', 'csrci'])} sip, 2", f"csrsi sie, {self.pick([0, 2])}", f"csrsi sstatus, {self.pick([0, 2, 2])}"]

    def item_sret(self):
        """To S-mode, where it is: the instruction after it, whether it traps or not."""
        if self.mode != "S":
            return self.item_alu()
        after = self.label()
        return [
            "csrci sstatus, 2",
            f"la x{SCRATCH}, {after}",
            f"csrw sepc, x{SCRATCH}",
            f"li x{SCRATCH}, 0x100",
            f"csrs sstatus, x{SCRATCH}",
            "sret",
            f"{after}:",
        ]

    def item_swfi(self):
        """S-mode's timer interrupt is made pending first, and enabled: wfi in M or, not taken, in S. In the others: what is illegal there."""
        if self.mode != "M":
            return [self.pick(["mret", "csrr x10, mstatus", "csrw mepc, x10"])] if self.mode == "S" else ["sret"]
        lines = ["csrci mstatus, 8", f"li x{SCRATCH}, 0x20", f"csrs mie, x{SCRATCH}", f"csrs mip, x{SCRATCH}"]
        if self.chance(0.5):
            return [*lines, "wfi", f"csrc mip, x{SCRATCH}", f"csrc mie, x{SCRATCH}"]
        label = self.label()
        lines += [f"csrs mideleg, x{SCRATCH}", "csrci sstatus, 2", *self.satp(["S0", "S1", "bare"]), *self.enter(1, label, False), "wfi"]
        return [*lines, f"li x17, {ECALL_TO_MACHINE}", "ecall", f"li x{SCRATCH}, 0x20", f"csrc mip, x{SCRATCH}"]

    def item_fpoff(self):
        if self.mode != "S" or self.link:
            return super().item_fpoff()
        inside = [line for _ in range(3) for line in getattr(self, "item_" + self.pick(["fp", "fpmemory", "fpcsr"]))()]
        return [
            f"li x{SCRATCH}, 0x6000",
            f"csrc sstatus, x{SCRATCH}",
            *inside,
            f"li x{SCRATCH}, 0x{self.pick([0x2000, 0x4000, 0x6000]):x}",
            f"csrs sstatus, x{SCRATCH}",
        ]

    def item_wfi(self):
        return super().item_wfi() if self.mode != "S" else self.item_alu()

    def item_illegal(self):
        return [line if line != ".word 0x10200073" else ".word 0x30200073" for line in super().item_illegal()]

    # ---- other modes ----
    def inside(self, mode, length):
        self.mode, outer, self.in_user = mode, self.mode, True
        body = self.block(length)
        self.mode, self.in_user = outer, outer != "M"
        return body

    def enter(self, mpp, label, may_sret=True):
        """By mret or sret, which both clear MPRV."""
        mprv, sret = self.pick([0, 0, 0, 0 if self.qemu else MPRV]), may_sret and self.chance(0.25)
        clear, bits = (0x100, mpp << 8 | 0x20) if sret else (0x1800, mpp << 11 | 0x80)
        return [
            "csrci mstatus, 8",
            f"la x{SCRATCH}, {label}",
            f"csrw {'sepc' if sret else 'mepc'}, x{SCRATCH}",
            f"li x{SCRATCH}, 0x{clear:x}",
            f"csrc mstatus, x{SCRATCH}",
            f"li x{SCRATCH}, 0x{bits | mprv:x}",
            f"csrs mstatus, x{SCRATCH}",
            "sret" if sret else "mret",
            f"{label}:",
        ]

    def item_super(self):
        """Runs a block in S-mode, now and then with what traps TVM, TW and TSR make."""
        if self.mode != "M":
            return self.item_window() if "window" in self.classes else self.item_alu()
        traps = self.pick([TVM, TW, TSR, TVM | TSR, TVM | TW | TSR]) if self.chance(0.15) else 0
        lines = self.satp(["S0", "S1", "S0", "S1", "S0", "S1", "bare"])
        self.locked_down = traps != 0
        if traps:  # S-mode's handler could not return
            lines += ["csrw medeleg, x0", "csrw mideleg, x0", f"li x{SCRATCH}, 0x{traps:x}", f"csrs mstatus, x{SCRATCH}"]
        lines += self.enter(1, self.label())
        body = self.inside("S", self.random.randrange(6, 40))
        if traps:
            self.in_user, self.mode = True, "S"
            for _ in range(3):
                body += self.pick([self.item_sfence, lambda: ["wfi"] if traps & TW else [], self.item_sret, lambda: ["csrr x10, satp", "csrw satp, x10"]])()
            self.in_user, self.mode = False, "M"
        self.locked_down = False
        lines += [*body, f"li x17, {ECALL_TO_MACHINE}", "ecall"]
        if traps:
            lines += [f"li x{SCRATCH}, 0x{traps:x}", f"csrc mstatus, x{SCRATCH}", *self.delegate()]
        return lines

    def item_user(self):
        """Runs a block in U-mode, from M (back by ecall, through S-mode's handler if that is delegated) or from S."""
        if self.mode == "U" or self.locked_down:
            return self.item_alu()
        label, root = self.label(), ["U0", "U1", "U0", "U1", "U0", "U1", "bare"]
        if self.mode == "M":
            lines = [*self.satp(root), *self.enter(0, label)]
            return [*lines, *self.inside("U", self.random.randrange(4, 20)), f"li x17, {ECALL_TO_MACHINE}", "ecall"]
        lines = [
            "csrci sstatus, 2",
            "csrr x31, satp",
            f"li x{SCRATCH}, 0x{FRAME:x}",
            f"sd x31, 24(x{SCRATCH})",
            f"la x31, {label}",
            "csrw sepc, x31",
            f"li x{SCRATCH}, 0x{self.pick([0x100, 0x120]):x}",
            f"csrc sstatus, x{SCRATCH}",
            *self.satp(root)[:1],
            "la x31, to_user",
            "jr x31",
            f"{label}:",
        ]
        return [*lines, *self.inside("U", self.random.randrange(4, 20)), f"li x17, {ECALL_TO_SUPERVISOR}", "ecall"]

    # ---- composition ----
    def item(self):
        only_main = {
            "user",
            "loop",
            "smcloop",
            "super",
            "vjump",
            "vpatch",
            "ventry",
            "pmp",
            "mprv",
            "delegate",
            "sret",
            "satp",
            "scsr",
            "softirq",
            "swfi",
            "wfi",
        }
        kinds = [c for c in self.classes if not (self.link and c in only_main) and c != "status"]
        if self.mode != "M":
            kinds = [c for c in kinds if c not in ("pmp", "mprv", "delegate", "mtvec", "mscratch") or self.chance(0.05)]
        if self.locked_down:
            kinds = [c for c in kinds if c not in ("ventry", "satp")]
        weights = {
            **{
                "illegal": 0.6,
                "ecall": 0.6,
                "fault": 0.6,
                "muldiv": 2,
                "misaligned": 0.6,
                "fence": 0.5,
                "smc": 0.4,
                "interrupt": 0.6,
                "external": 0.8,
                "mtvec": 0.3,
                "mscratch": 0.3,
                "smcloop": 0.4,
                "pmu": 8,
                "ctr": 20,
                "fp": 8,
                "fpvalue": 2,
                "fpmemory": 4,
                "fpoff": 0.6,
            },
            **WEIGHTS,
        }
        return getattr(self, "item_" + self.random.choices(kinds, [weights.get(k, 1) for k in kinds])[0])()

    def program(self, length):
        tp = MEMORY + 8 * self.random.randrange(32)
        vectored = self.random.randrange(2)
        setup = [
            f"li x31, 0x{MEMORY >> 2 | 0x1FF:x}",
            "csrw pmpaddr1, x31",
            "csrw pmpaddr2, x31",
            f"li x31, 0x{self.tables.address('l0.0') >> 2:x}",
            "csrw pmpaddr0, x31",
            "li x31, -1",
            "csrw pmpaddr3, x31",
            "li x31, 0x1f000000",
            "csrw pmpcfg0, x31",
            "la x31, trap",
            f"addi x31, x31, {vectored}",
            "csrw mtvec, x31",
            f"li x31, 0x{VM + self.random.randrange(2):x}",
            "csrw stvec, x31",
            "la x31, frame",
            "csrw mscratch, x31",
            f"li gp, 0x{MEMORY:x}",
            f"li tp, 0x{tp:x}",
            f"addi sp, gp, {16 * self.random.randrange(16)}",
            "li x1, 0",
            "li x5, 0",
            "li x26, 0",
            "li x27, 0",
        ]
        fp = []
        if "fp" in self.classes:
            fp = [".option arch, +d", "li x31, 0x2000", "csrs mstatus, x31"]
            fp += [line for i in range(32) for line in (f"li x31, 0x{self.fp_value():x}", f"fmv.d.x f{i}, x31")]
        counters = ["li x31, -1", "csrw mcounteren, x31", "csrw scounteren, x31"] if "counters" in self.classes else []
        registers = [f"li x{i}, {self.value()}" for i in DESTINATIONS[1:]]
        functions = self.functions()
        body = self.block(max(length // 4, 1))  # blocks of other modes are items, too
        irq = ["csrsi mstatus, 8"] if "interrupt" in self.classes or self.chance(0.5) else []
        end = finish(
            [(hex(MEMORY + 4096 * self.pick(DATA_FRAMES)), 64, 64, 8), (hex(MEMORY), BUFFER_PAGES, 4096, 8), (hex(MEMORY + 4096 - 64), BUFFER_PAGES, 4096, 8)]
        )
        memory = [
            '.section .memory, "aw", @progbits',
            "buffer:",
            f".zero {BUFFER_BYTES}",
            *(line for i in range(CODE_PAGES) for line in code_page(i)),
            ".balign 4096",
        ]
        return [
            '.section .text.start, "ax"',
            ".globl _start",
            "_start:",
            *setup,
            *self.delegate(),
            *irq,
            *counters,
            *fp,
            *registers,
            *body,
            "j finish",
            *functions,
            *self.patched(),
            end,
            M_HANDLER,
            '.section .vm, "awx", @progbits',
            S_HANDLER.replace("TP_VALUE", f"0x{tp:x}"),
            *self.tables.lines(),
            *memory,
        ]
