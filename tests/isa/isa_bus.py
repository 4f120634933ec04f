"""Accesses that the bus answers with an error: tables/memory_map.tsv has a page of such memory, and the upper half of the bus error
unit's registers (csrc/machine/bus_errors.h). Expected values are written out by hand after the privileged manual, "Physical
Memory Attributes": an access fault of the original access's kind. A store has left the core by then, and is counted by the
unit. QEMU's machine has no such region.
"""
from isa_vm import (
    A,
    ACCESS_FAULT,
    GOOD,
    KINDS,
    LEAVES,
    MIDDLE,
    PAGE_FAULT,
    ROOT,
    SV39,
    S_MODE,
    U,
    U_MODE,
    V,
    begin,
    code_at,
    either,
    entry,
    page,
    pte,
    put,
    row,
    tries,
    CODE,
)
from isa_system import MPRV

FAULTY, UNIT, ANSWERS_ERRORS = 0x70000000, 0x10002000, 0x10002800
LOST, ADDRESS, SOURCE = UNIT, UNIT + 8, 12
PLIC = 0xC000000
LINES = (0, 8, 64, 0x7C0, 0xFC0, 0xFF8)
M_MODE = 3


def loads_and_atomics(p):
    for offset in LINES:
        for size, names in ((1, ("lb", "lbu")), (2, ("lh", "lhu")), (4, ("lw", "lwu")), (8, ("ld",))):
            for name in names:
                p.expect_trap(5, "a0", [f"li a0, 0x{FAULTY + offset + 8 - size:x}"], f"{name} a1, 0(a0)")
        for width in "wd":
            p.expect_trap(5, "a0", [f"li a0, 0x{FAULTY + offset:x}"], f"lr.{width} a1, (a0)")
            for name in ("amoadd", "amoswap", "amomaxu"):
                p.expect_trap(7, "a0", [f"li a0, 0x{FAULTY + offset:x}"], f"{name}.{width} a1, a2, (a0)")
            # The LR above has made no reservation; nor has one elsewhere. What fails does not ask the bus.
            p.check("a1", 1, [f"li a0, 0x{FAULTY + offset:x}", f"sc.{width} a1, a2, (a0)"])
            p.check("a1", 1, ["la a3, good", f"lr.{width} a1, (a3)", f"li a0, 0x{FAULTY + offset:x}", f"sc.{width} a1, a2, (a0)"])
    for size, name in ((1, "lbu"), (2, "lhu"), (4, "lw"), (8, "ld")):
        p.expect_trap(5, "a0", [f"li a0, 0x{ANSWERS_ERRORS + 16:x}"], f"{name} a1, 0(a0)")
    # Misaligned comes first, also where only the second half would be at fault.
    for offset in (-4, 1, 60):
        p.expect_trap(4, "a0", [f"li a0, 0x{FAULTY + offset:x}"], "ld a1, 0(a0)")
        p.expect_trap(6, "a0", [f"li a0, 0x{FAULTY + offset:x}"], "sd a1, 0(a0)")


def fetches(p):
    for offset in (*LINES, 2, 0x3E, 0xFFE):
        p.expect_trap(1, "a0", [f"li a0, 0x{FAULTY + offset:x}"], "jalr x0, 0(a0)", epc=FAULTY + offset)
    p.expect_trap(5, "a0", [f"li a0, 0x{ANSWERS_ERRORS:x}"], "ld a1, 0(a0)")
    p.expect_trap(1, "a0", [f"li a0, 0x{ANSWERS_ERRORS:x}"], "jalr x0, 0(a0)", epc=ANSWERS_ERRORS)  # no code in a device


def lost(p, count, first):
    """The unit has counted that many, and begins again."""
    p.check("a1", count, ["fence", f"li a0, 0x{LOST:x}", "ld a1, 0(a0)"])
    p.check("a1", first, [f"li a0, 0x{ADDRESS:x}", "ld a1, 0(a0)"])
    p.check("a1", 0, [f"li a0, 0x{LOST:x}", "sd x0, 0(a0)", "ld a1, 0(a0)"])


def stores(p):
    p.check("a1", 0, [f"li a0, 0x{LOST:x}", "ld a1, 0(a0)"])  # no load, fetch or AMO has lost a store
    for where in (FAULTY, ANSWERS_ERRORS):
        for size, name in ((1, "sb"), (2, "sh"), (4, "sw"), (8, "sd")):
            p.lines += [f"li a0, 0x{where + 0x50 - size:x}", f"{name} s0, 0(a0)"]
            lost(p, 1, where + 0x50 - size)
            p.expect_trap(5, "a0", [f"li a0, 0x{where + 0x48:x}"], "ld a1, 0(a0)")
    # Among others, which are not lost: to lines that are in the cache or not, and to devices.
    p.lines += ["la a3, good", "li a0, 0x80700000", f"li a4, 0x{FAULTY + 0x100:x}", "li a5, 0x2004000", f"li a6, 0x{ANSWERS_ERRORS:x}"]
    for i in range(1, 5):
        p.lines += [
            f"li a1, {i}",
            f"sd a1, {8 * i}(a3)",
            f"sd a1, {64 * i}(a4)",
            f"sd a1, {64 * i}(a0)",
            "sd a1, 0(a5)",
            f"sd a1, {8 * i}(a6)",
            f"sd a1, {64 * i + 8}(a0)",
        ]
    lost(p, 8, FAULTY + 0x140)
    for i in range(1, 5):
        for at in (f"{8 * i}(a3)", f"{64 * i}(a0)", f"{64 * i + 8}(a0)"):
            p.check("a1", i, ["la a3, good", "li a0, 0x80700000", f"ld a1, {at}"])
    p.check("a1", 4, ["li a5, 0x2004000", "ld a1, 0(a5)", "li a2, -1", "sd a2, 0(a5)"])


def interrupt(p):
    """The unit's source at the PLIC, as mip shows it."""
    enable, claim = PLIC + 0x2000, PLIC + 0x200004
    p.lines += [f"li a0, 0x{PLIC + 4 * SOURCE:x}", "li a1, 1", "sw a1, 0(a0)", f"li a0, 0x{enable:x}", f"li a1, {1 << SOURCE}", "sw a1, 0(a0)"]
    # The stores that were lost before have asked, and nobody has claimed it: that stays pending, though the line is down.
    p.check("a1", SOURCE, [f"li a0, 0x{claim:x}", "fence", "lw a1, 0(a0)", f"li a2, {SOURCE}", "sw a2, 0(a0)", "fence"])
    p.check("a1", 0, ["li a2, 40", "2: addi a2, a2, -1", "bnez a2, 2b", "csrr a1, mip", "srli a1, a1, 11", "andi a1, a1, 1"])
    p.lines += [f"li a0, 0x{FAULTY:x}", "sd x0, 0(a0)", "fence"]
    p.check("a1", 1, ["li a2, 1000", "2: csrr a1, mip", "srli a1, a1, 11", "andi a1, a1, 1", "bnez a1, 3f", "addi a2, a2, -1", "bnez a2, 2b", "3:"])
    p.check("a1", SOURCE, [f"li a0, 0x{claim:x}", "lw a1, 0(a0)"])
    lost(p, 1, FAULTY)
    p.lines += [f"li a0, 0x{claim:x}", f"li a1, {SOURCE}", "sw a1, 0(a0)", "fence", f"li a0, 0x{enable:x}", "sw x0, 0(a0)", "fence"]


def nobody_asks(p):
    """Prefetches, and loads on paths that are not taken: no fault, no store lost, and the next access asks the bus again."""
    for selector in (0, 1, 3):
        p.check("a0", FAULTY + 0x200, [f"li a0, 0x{FAULTY + 0x200:x}", f"ori x0, a0, {selector}", "fence"])
        p.expect_trap(5, "a0", [f"li a0, 0x{FAULTY + 0x200:x}", f"ori x0, a0, {selector}"], "ld a1, 0(a0)")
    # A random bit decides whether a0 is memory or the faulty page, and a branch on it, late, whether there is an access.
    for text in ("ld a2, 0(a0)", "lr.d a2, (a0)", "amoor.d a2, x0, (a0)", "jalr ra, 64(a0)", "sd a2, 0(a0)"):
        again, skip = p.label("again"), p.label("skip")
        p.lines += [
            "addi s0, s0, 1",
            "li a3, 0x1d872b41",
            "li a4, 200",
            "li a6, 0",
            "la a1, good",
            "li t0, 0x8082",
            "sd t0, 64(a1)",
            "fence.i",
            f"{again}:",
            "slli t0, a3, 13",
            "xor a3, a3, t0",
            "srli t0, a3, 7",
            "xor a3, a3, t0",
            "slli t0, a3, 17",
            "xor a3, a3, t0",
            "srli t1, a3, 20",
            "andi t1, t1, 1",
            f"li a0, 0x{FAULTY + 0x400:x}",
            "neg t2, t1",
            "xor t3, a0, a1",
            "and t3, t3, t2",
            "xor a0, a0, t3",  # t1: memory, else faulty
            "add a6, a6, t1",
            "li t4, 3",
            "divu t5, t1, t4",
            "mul t5, t5, t4",
            "remu t6, t1, t4",
            "add t5, t5, t6",  # t1, late
            f"beqz t5, {skip}",
            text,
            f"{skip}:",
            "addi a4, a4, -1",
            f"bnez a4, {again}",
            "beqz a6, fail",
        ]
    p.check("a1", 0, [f"li a0, 0x{LOST:x}", "ld a1, 0(a0)"])


def plain(p):
    p.data += [".balign 64", "good: .dword 0, 0, 0, 0, 0, 0, 0, 0", ".dword 0, 0, 0, 0, 0, 0, 0, 0"]
    loads_and_atomics(p)
    fetches(p)
    stores(p)
    interrupt(p)
    nobody_asks(p)


def translated(p):
    """At the end of a walk, and on its way: the reported address is the virtual one, the kind that of the access."""
    begin(p)
    va, super_va, giga_va = 0x10000, 0x200000, 0x40000000
    leaf, table, root = entry(LEAVES, va, 0), entry(MIDDLE, super_va, 1), entry(ROOT, giga_va, 2)

    def denied(kind, address, slot, mode=S_MODE, **more):
        return row(kind, address, mode, ACCESS_FAULT[PAGE_FAULT[kind]], put_at=slot, **more)

    for mode, good in ((S_MODE, GOOD), (U_MODE, GOOD | U)):
        slot = (leaf, pte(FAULTY, good))
        tries(p, [denied(kind, va + at, slot, mode) for at in (0, 0x48, 0xFF8) for kind in ("load", "amo", "lr", "fetch", "lw", "amow")])
        tries(p, [row(kind, va + 0x88, mode, put_at=slot) for kind in ("sc", "store", "sb")])
    tries(p, [denied(kind, va + 0x808, (leaf, pte(0x10002000, GOOD))) for kind in ("load", "amo", "lr", "fetch", "lw", "sc")])
    # Tables that cannot be read.
    for kind in (*KINDS, "sc"):
        tries(p, [denied(kind, super_va + 0x12348, (table, pte(FAULTY, V))), denied(kind, giga_va + 0x12348, (root, pte(FAULTY, V)))])
    p.lines += [f"li t0, 0x{SV39 | FAULTY >> 12:x}", "csrw satp, t0", "sfence.vma"]
    tries(p, [row(kind, va, M_MODE, ACCESS_FAULT[PAGE_FAULT[kind]], bits=MPRV | S_MODE << 11) for kind in ("load", "store", "amo", "lr", "sc")])
    p.lines += [f"li t0, 0x{SV39 | ROOT >> 12:x}", "csrw satp, t0", "sfence.vma"]
    # A = 0: the page fault comes first; where hardware sets A and D, it does, and then the bus is asked.
    unmarked = (leaf, pte(FAULTY, GOOD & ~A))
    either(
        p,
        lambda: tries(p, [row(kind, va, cause=PAGE_FAULT[kind], put_at=unmarked) for kind in KINDS]),
        lambda: tries(p, [denied(kind, va, unmarked) for kind in ("load", "amo", "lr", "fetch")]),
    )
    # An instruction whose second half cannot be fetched: two pages that follow one another.
    first, second = entry(LEAVES, va, 0), entry(LEAVES, va + 0x1000, 0)
    p.lines += [*put(page(0) + 0xFF8, 0x0593 << 48), *code_at(page(0) + CODE), *put(first, pte(page(0), GOOD)), "fence.i", "sfence.vma"]
    tries(p, [row("fetch", va + 0xFFE, cause=1, tval=va + 0x1000, put_at=(second, pte(FAULTY, GOOD))), row("fetch", va + CODE)])
    p.check("a1", 4, ["fence", f"li a0, 0x{LOST:x}", "ld a1, 0(a0)", "sd x0, 0(a0)"])  # sd and sb, in either mode


PROGRAMS = {"bus_error": plain, "vm_bus_error": translated}
