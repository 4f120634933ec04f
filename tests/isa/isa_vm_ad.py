"""Sv39 half of the ISA tests, continued: what does not set A and D on a core that sets them by hardware (one that does not
has nothing to check here). Records, registers and tables as in isa_vm.py. The rule: an access that is not done sets
nothing, and an access sets what its own page needs and no more. Setting them is a store of S mode into the table."""
import itertools

from isa_vm import (
    A,
    ACCESS_FAULT,
    AD,
    CODE,
    D,
    FAULT_VA,
    GOOD,
    KINDS,
    LEAVES,
    M_MODE,
    MPP,
    PAGE_FAULT,
    R,
    RWX,
    RX,
    S_MODE,
    SCRATCH,
    SUPER,
    U,
    U_MODE,
    V,
    W,
    WRITERS,
    X,
    allowed,
    begin,
    code_at,
    either,
    entry,
    entry_holds,
    level_entry,
    page,
    pte,
    put,
    row,
    supervisor_check,
    supervisor_trap,
    tries,
)
from isa_vm_more import DEVICES, NOWHERE, OPEN_ALL, protect

ALL = (*KINDS, "sc", "lrsc", "sb", "lw")
VA = FAULT_VA[0]
SLOT = level_entry(0)


def first_cause(kind):
    """An lrsc faults at its lr."""
    return 13 if kind == "lrsc" else PAGE_FAULT[kind]


def target(kind, va=VA):
    return va + (CODE if kind == "fetch" else 0)


def needs(kind):
    return AD if kind in WRITERS else A


def refused(kind, value, cause, va=VA, mode=S_MODE):
    """An access that faults, and the entry is as it was."""
    return [row(kind, target(kind, va), mode, cause, put_at=(SLOT, value)), entry_holds(SLOT, value)]


def not_allowed(p):
    """Missing rights, entries that are not good, addresses that are misaligned, pages without memory."""
    rows = []
    for rwx, user, mode, flags, kind in itertools.product((R, R | W, X, RX, RWX), (0, U), (S_MODE, U_MODE), (0, A, D), ALL):
        value = pte(page(0), V | rwx | user | flags)
        if kind == "lrsc":
            continue
        if allowed("load" if kind == "lw" else kind, rwx | user, mode, 0):
            rows += [row(kind, target(kind), mode, put_at=(SLOT, value), pa=page(0)), entry_holds(SLOT, value | needs(kind))]
        else:
            rows += refused(kind, value, PAGE_FAULT[kind], mode=mode)
    for value in (
        pte(page(0), (GOOD | flags) & ~AD & ~off | on) for flags in (0, A) for off, on in ((V, 0), (R, 0), (R | X, 0), (0, 1 << 54), (0, 1 << 61), (RWX, 0))
    ):
        for kind in KINDS:
            rows += refused(kind, value, PAGE_FAULT[kind])
    for flags, (kind, offset, cause) in itertools.product((0, A), (("load", 4, 4), ("lw", 2, 4), ("lr", 1, 4), ("store", 1, 6), ("amo", 4, 6), ("sc", 2, 6))):
        rows += refused(kind, pte(page(0), GOOD & ~AD | flags), cause, va=VA + offset)
    for flags, kind in itertools.product((0, A), ALL):
        fault = ACCESS_FAULT[first_cause(kind)]
        for address in NOWHERE:
            if kind == "fetch" or address != 0x0:
                rows += refused(kind, pte(address, GOOD & ~AD | flags), fault)
        if kind in ("lr", "amo", "sc", "lrsc", "fetch"):
            for address in DEVICES:
                rows += refused(kind, pte(address, GOOD & ~AD | flags), fault)
        if kind in ("store", "amo", "sc", "sb"):  # boot ROM
            rows += refused(kind, pte(0x1000, GOOD & ~AD | flags), 7)
    tries(p, rows)


def misaligned_superpage(p):
    slot, va = level_entry(1), FAULT_VA[1]
    value = pte(SUPER + 0x1000, GOOD & ~AD)
    tries(p, [each for kind in KINDS for each in (row(kind, target(kind, va), cause=PAGE_FAULT[kind], put_at=(slot, value)), entry_holds(slot, value))])


def protection(p):
    """The page's rights decide about the access; those of the table about what it sets: a load's as well."""
    for closed, flags in itertools.product((page(0), LEAVES), (0, 1, 3, 4, 5)):
        protect(p, [(closed | 0x7FF) >> 2, OPEN_ALL[0]], [0x18 | flags, OPEN_ALL[1]])
        rows = []
        for kind, bits in itertools.product((*KINDS, "sc"), (0, A, D, AD)):
            value = pte(page(0), GOOD & ~AD | bits)
            if closed == page(0):
                right = {"fetch": 4, "load": 1, "lr": 1, "amo": 3}.get(kind, 2)
                good = flags & right == right
            else:
                good = flags & 1 and (flags & 2 or value | needs(kind) == value)
            if good:
                rows += [row(kind, target(kind), put_at=(SLOT, value), pa=page(0)), entry_holds(SLOT, value | needs(kind))]
            else:
                rows += refused(kind, value, ACCESS_FAULT[PAGE_FAULT[kind]])
        tries(p, rows)
    protect(p, [OPEN_ALL[0]], [OPEN_ALL[1]])


def not_executed(p):
    """Accesses on paths that are not taken, and hints; then an access whose page another one has just marked."""
    other, slot = VA + 0x1000, entry(LEAVES, VA + 0x1000, 0)
    start = [*put(SLOT, pte(page(0), GOOD & ~AD)), *put(slot, pte(page(1), GOOD & ~AD)), "sfence.vma", f"li a0, 0x{VA:x}", f"li a2, 0x{other:x}"]
    read = [f"li t0, 0x{SLOT:x}", "ld a1, 0(t0)"]
    untouched = pte(page(0), GOOD & ~AD)
    # The branch waits for a load and a division, so that what it jumps over is fetched and tried long before.
    slow = [f"li t2, 0x{SCRATCH:x}", "ld t3, 0(t2)", "li t4, 7", "div t3, t3, t4", "or t3, t3, t4"]
    for text in ("ld a1, 0(a0)", "sd a1, 0(a0)", "amoadd.d a1, a1, (a0)", "jalr ra, 0(a0)"):
        for _ in range(3):
            supervisor_check(p, "a1", untouched, [*start, *slow, "bnez t3, 1f", text, "1:", *read])
    for word in (0x00056013, 0x00156013, 0x00356013):  # prefetch.i, .r, .w 0(a0)
        supervisor_check(p, "a1", untouched, [*start, f".word 0x{word:x}", *read])
    supervisor_check(p, "a1", untouched | A, [*start, "ld a1, 0(a0)", *read])
    supervisor_check(p, "a1", untouched | AD, [*start, "ld a1, 0(a0)", "sd a1, 0(a0)", *read])
    # Older stores to the entry itself, without a fence in between: the walk at the access sees them.
    supervisor_check(p, "a1", pte(page(2), GOOD & ~AD | A), [*start, *put(SLOT, pte(page(2), GOOD & ~AD)), "ld a1, 0(a0)", *read])
    supervisor_trap(p, 15, "a2", [*start, *put(slot, pte(page(1), V | R)), "ld a1, 0(a0)"], "sd a1, 0(a2)")
    p.check("a1", pte(page(1), V | R), [f"li t0, 0x{slot:x}", "ld a1, 0(t0)"])
    p.check("a1", untouched | A, read)
    # M mode without MPRV is not translated: nothing.
    tries(p, [row("load", page(0), M_MODE, put_at=(SLOT, untouched), pa=page(0)), entry_holds(SLOT, untouched)])


def interrupted(p):
    """A timer interrupt at any time around an access from S mode: before it is done nothing is set, afterwards it is.
    The handler looks: it must not see the bits of an access that it returns to."""
    handler, unit = p.label("handler"), p.label("attempts")
    p.lines += [
        f"la t0, {handler}",
        "csrw mtvec, t0",
        "li t0, 0x80",
        "csrs mie, t0",
        f"j {unit}",
        ".balign 4",
        f"{handler}:",
        "csrr s4, mcause",
        f"li t2, 0x{SLOT:x}",
        "ld s5, 0(t2)",
        "bgez s4, 3f",
        "li t2, 0x2004000",
        "li t3, -1",
        "sd t3, 0(t2)",
        "1: csrr t3, mip",
        "andi t3, t3, 0x80",
        "bnez t3, 1b",
        "li s11, 1",
        "csrr t3, mepc",
        "bgtu t3, s9, 2f",
        f"li t4, 0x{pte(page(0), GOOD & ~AD):x}",
        "bne s5, t4, fail",
        "mret",
        "2: bne s5, s10, fail",
        "mret",
        "3: li t4, 9",
        "bne s4, t4, fail",
        "bne s5, s10, fail",
        "jr s3",
        f"{unit}:",
    ]
    for text, bits in (("ld a1, 0(a0)", A), ("sd a1, 0(a0)", AD), ("amoadd.d a1, a1, (a0)", AD)):
        again, inside, access = p.label("again"), p.label("inside"), p.label("access")
        p.lines += [
            "addi s0, s0, 1",
            "li a6, 0",
            f"{again}:",
            *put(SLOT, pte(page(0), GOOD & ~AD)),
            "sfence.vma",
            f"li s10, 0x{pte(page(0), GOOD & ~AD | bits):x}",
            f"la s9, {access}",
            f"la s3, {again}_next",
            f"la t0, {inside}",
            "csrw mepc, t0",
            f"li t0, 0x{MPP:x}",
            "csrc mstatus, t0",
            f"li t0, 0x{S_MODE << 11:x}",
            "csrs mstatus, t0",
            f"li a0, 0x{VA:x}",
            "li s11, 0",
            "mv t1, a6",
            "li t0, 0x200bff8",
            "ld t2, 0(t0)",
            "addi t2, t2, 2",
            "li t0, 0x2004000",
            "sd t2, 0(t0)",
            "mret",
            f"{inside}:",
            "1: addi t1, t1, -1",
            "bgtz t1, 1b",
            ".option push",
            ".option norvc",
            f"{access}: {text}",
            ".option pop",
            "3: beqz s11, 3b",
            "ecall",
            f"{again}_next:",
            "addi a6, a6, 1",
            "li t0, 150",
            "bltu a6, t0, " + again,
        ]
    p.lines += ["li t0, 0x80", "csrc mie, t0", "la t0, exception", "csrw mtvec, t0", "li s11, 0", "li s8, 0"]


def run(p, *parts):
    begin(p)
    p.lines += [*code_at(page(0) + CODE), *code_at(SUPER + CODE), "fence.i", "addi s0, s0, 1"]

    def hardware():
        for part in parts:
            part(p)

    either(p, lambda: None, hardware)


PROGRAMS = {
    "vm_ad": lambda p: run(p, not_allowed, misaligned_superpage),
    "vm_ad_pmp": lambda p: run(p, protection),
    "vm_ad_speculation": lambda p: run(p, not_executed),
    "vm_ad_interrupts": lambda p: run(p, interrupted),
}
