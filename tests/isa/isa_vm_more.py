"""Sv39 half of the ISA tests, continued: instructions across pages, access faults on the way, MPRV, sfence.vma. Records,
registers and tables as in isa_vm.py."""
from isa_vm import (
    A,
    AD,
    CODE,
    D,
    FETCHED,
    GOOD,
    KINDS,
    LEAVES,
    LEAVES_2,
    M_MODE,
    MIDDLE,
    MPP,
    MPRV,
    MXR,
    PAGE_FAULT,
    ACCESS_FAULT,
    R,
    ROOT,
    ROOT_2,
    RX,
    S_MODE,
    SUM,
    SUPER,
    SV39,
    U,
    U_MODE,
    V,
    W,
    X,
    allowed,
    begin,
    code_at,
    either,
    entry,
    entry_holds,
    page,
    pte,
    put,
    row,
    supervisor_check,
    to_supervisor,
    tries,
)

NOWHERE = (0x0, 0x20000, 0x90000000, 0x180410000, 1 << 55 | 0x80410000)  # physical pages without anything; the last differ from memory in high bits
DEVICES = (0x2000000, 0xC000000, 0x10000000)
OPEN_ALL = (0x3FFFFFFFFFFFFF, 0x1F)


# ---- an instruction in two pages ----
def straddle(p):
    """The last parcel of a page and the first of the next one, which is elsewhere in memory."""
    begin(p)
    word = FETCHED << 20 | 0x593  # addi a1, x0, FETCHED
    one, two = page(4), page(2)

    def halves(before, low, high):
        """A page's last parcel, the next one's first, and an ecall after it."""
        return [
            f"li t0, 0x{before + 0xFFE:x}",
            f"li t1, 0x{low:x}",
            "sh t1, 0(t0)",
            f"li t0, 0x{high[0]:x}",
            f"li t1, 0x{high[1] | 0x73 << 16:x}",
            "sd t1, 0(t0)",
            "fence.i",
        ]

    p.lines += halves(one, word & 0xFFFF, (two, word >> 16))
    last_of_super, last = SUPER + 0x1FF000, 0xFFFFFFFFFFFFF000
    p.lines += halves(last_of_super, word & 0xFFFF, (two, word >> 16))
    rows = []
    for mode, user in ((S_MODE, 0), (U_MODE, U)):
        va = 0x30FFE
        first, second = entry(LEAVES, va, 0), entry(LEAVES, va + 2, 0)
        good = V | RX | AD | user
        rows += [row("load", 0x30000, mode, put_at=(first, pte(one, good)), pa=one)]
        for _ in range(2):
            rows += [row("fetch", va, mode, put_at=(second, pte(two, good)), step=4)]
            for bad in (0, pte(two, good & ~V), pte(two, good & ~X), pte(two, good ^ U), pte(two, good | 1 << 63), pte(two, V)):
                rows += [row("fetch", va, mode, 12, tval=va + 2, put_at=(second, bad))]
            rows += [row("fetch", va, mode, put_at=(second, pte(two, good)), step=4)]
            rows += [row("fetch", va, mode, 12, put_at=(first, bad)) for bad in (0, pte(one, good & ~X), pte(one, good ^ U))]  # the first page: its own address
            rows += [row("load", 0x30000, mode, put_at=(first, pte(one, good)), pa=one)]
        # From a 2 MiB page to the next table; from the last address to the first; out of the canonical ones.
        rows += [
            row("load", 0x400000, mode, 13, put_at=(entry(MIDDLE, 0x400000, 1), pte(LEAVES_2, V))),
            row("load", 0x3FF000, mode, put_at=(entry(MIDDLE, 0x3FF000, 1), pte(SUPER, good)), pa=last_of_super),
            row("fetch", 0x3FFFFE, mode, 12, tval=0x400000),
            row("fetch", 0x3FFFFE, mode, put_at=(entry(LEAVES_2, 0x400000, 0), pte(two, good)), step=4),
            row("load", 0, mode, 13, put_at=(entry(LEAVES_2, 0x400000, 0), 0)),
            row("load", last, mode, 13, put_at=(entry(ROOT, last, 2), pte(ROOT_2, V))),
            row("load", last, mode, 13, put_at=(entry(ROOT_2, last, 1), pte(LEAVES_2, V))),
            row("load", last, mode, put_at=(entry(LEAVES_2, last, 0), pte(one, good)), pa=one),
            row("fetch", last + 0xFFE, mode, 12, tval=0),
            row("fetch", last + 0xFFE, mode, put_at=(entry(LEAVES, 0, 0), pte(two, good)), step=4),
            row("load", 0, mode, 13, put_at=(entry(LEAVES, 0, 0), 0)),
        ]
        top = 0x3FFFFFF000
        rows += [row("load", top, mode, put_at=(entry(ROOT, top, 2), pte(ROOT_2, V)), pa=one), row("fetch", top + 0xFFE, mode, 12, tval=1 << 38)]
    tries(p, rows)
    access_straddles(p, one, two)
    # A compressed one fits: it is done, and the next one faults.
    p.lines += ["li t0, 0x%x" % (one + 0xFFE), "li t1, 0x4595", "sh t1, 0(t0)", "fence.i"]  # c.li a1, 5
    va = 0x30FFE
    slots = [(entry(LEAVES, va, 0), pte(one, GOOD)), (entry(LEAVES, va + 2, 0), 0)]
    tries(
        p,
        [
            row("load", va - 0xFFE, put_at=slots[0], pa=one),
            row("fetch", va, cause=12, tval=va + 2, step=2, result=5, put_at=slots[1]),
            row("fetch", va, cause=1, tval=va + 2, step=2, result=5, put_at=(slots[1][0], pte(0x20000, GOOD))),
        ],
    )
    either(p, lambda: tries(p, [row("fetch", va, cause=12, tval=va + 2, step=2, result=5, put_at=(slots[1][0], pte(two, GOOD & ~A)))]), lambda: None)
    # Pages that have not been accessed.
    p.lines += halves(one, word & 0xFFFF, (two, word >> 16))
    (first, second), (good_one, good_two) = (slots[0][0], slots[1][0]), (pte(one, GOOD), pte(two, GOOD))
    either(
        p,
        lambda: tries(
            p,
            [
                row("fetch", va, cause=12, tval=va + 2, put_at=(second, good_two & ~A)),
                row("fetch", va, step=4, put_at=(second, good_two)),
                row("fetch", va, cause=12, put_at=(first, good_one & ~A)),
                row("fetch", va, step=4, put_at=(first, good_one)),
            ],
        ),
        lambda: tries(
            p,
            [
                row("fetch", va, step=4, put_at=(second, good_two & ~A)),
                entry_holds(second, good_two),
                row("fetch", va, step=4, put_at=(first, good_one & ~A)),
                entry_holds(first, good_one),
                entry_holds(second, good_two),
                # The second page is missing: the first one was accessed all the same.
                row("load", va, cause=4, put_at=(second, good_two & ~V & ~A)),
                row("fetch", va, cause=12, tval=va + 2, put_at=(first, good_one & ~A)),
                entry_holds(first, good_one),
                entry_holds(second, good_two & ~V & ~A),
                row("fetch", va, step=4, put_at=(second, good_two & ~A)),
                entry_holds(second, good_two),
            ],
        ),
    )


def access_straddles(p, one, two):
    """One of the two pages is nowhere, or a device."""
    va, rows = 0x30FFE, []
    first, second = entry(LEAVES, va, 0), entry(LEAVES, va + 2, 0)
    for mode, good in ((S_MODE, GOOD), (U_MODE, GOOD | U)):
        rows += [row("load", 0x30000, mode, put_at=(first, pte(one, good)), pa=one)]
        rows += [row("fetch", va, mode, 1, tval=va + 2, put_at=(second, pte(address, good))) for address in (*NOWHERE, *DEVICES)]
        rows += [row("fetch", va, mode, step=4, put_at=(second, pte(two, good))), row("fetch", va, mode, 1, put_at=(first, pte(NOWHERE[1], good)))]
    tries(p, rows)


# ---- access faults ----
def access_faults(p):
    """Nothing, a device or a region that is protected: at the end of the translation, or where a table should be."""
    begin(p)
    p.lines += [*code_at(page(0) + CODE), "fence.i"]
    kinds, rows = (*KINDS, "sc"), []
    va, super_va, giga_va = 0x10000, 0x200000, 0x40000000
    leaf, table, root = entry(LEAVES, va, 0), entry(MIDDLE, super_va, 1), entry(ROOT, giga_va, 2)

    def denied(kind, address, slot):
        return row(kind, address, cause=ACCESS_FAULT[PAGE_FAULT[kind]], put_at=slot)

    for kind in kinds:
        rows += [denied(kind, va + 8, (leaf, pte(address, GOOD))) for address in NOWHERE]
        rows += [denied(kind, super_va + 0x12348, (table, pte(address, GOOD))) for address in (0, 0x18000000, 0x90000000, 1 << 55 | 0x80400000)]
        rows += [denied(kind, giga_va + 0x12348, (root, pte(address, GOOD))) for address in (0, 0xC0000000, 1 << 55 | 0x80000000)]
        rows += [denied(kind, giga_va + 0x10000000, (root, pte(0x80000000, GOOD)))]  # behind memory
        for address in NOWHERE:
            rows += [denied(kind, super_va + 0x3008, (table, pte(address, V))), denied(kind, giga_va + 0x3008, (root, pte(address, V)))]
        # In the boot ROM there are instructions, which are no valid entries; but they can be read.
        rows += [row(kind, giga_va, cause=PAGE_FAULT[kind], put_at=(root, pte(0x1000, V)))]
    for address in DEVICES:
        rows += [denied(kind, va + 8, (leaf, pte(address, GOOD))) for kind in ("amo", "lr", "sc", "fetch")]
    rows += [denied(kind, va, (leaf, pte(0x1000, GOOD))) for kind in ("store", "amo", "sc")]
    rows += [row("load", va, put_at=(leaf, pte(0x1000, GOOD)), result=0x02028593 << 32 | 0x297)]
    rows += [
        row("lw", va, put_at=(leaf, pte(0x2000000, GOOD)), result=0),
        row("store", va, put_at=(leaf, pte(0x2004000, GOOD))),
        row("load", va, result=0x77),
        row("lbu", va + 5, put_at=(leaf, pte(0x10000000, GOOD)), result=0x60),
    ]  # CLINT: mtimecmp; UART: ready
    tries(p, rows)
    # The page fault of A = 0 comes first. Where A is set by hardware: it stays as it is.
    unmarked = pte(0x20000, GOOD & ~A)
    either(
        p,
        lambda: tries(p, [row(kind, va + 8, cause=PAGE_FAULT[kind], put_at=(leaf, unmarked)) for kind in kinds]),
        lambda: tries(p, [each for kind in kinds for each in (denied(kind, va + 8, (leaf, unmarked)), entry_holds(leaf, unmarked))]),
    )
    tries(
        p,
        [denied(kind, base + 0x3008, (slot, pte(address, V))) for kind in kinds for address in DEVICES for base, slot in ((super_va, table), (giga_va, root))],
    )
    # Roots that are not in memory: not even the next instruction can be fetched.
    for address in (*NOWHERE, *DEVICES):
        p.lines += [f"li t0, 0x{SV39 | address >> 12:x}", "csrw satp, t0", "sfence.vma"]
        effective = MPRV | S_MODE << 11
        tries(p, [row(kind, va, M_MODE, ACCESS_FAULT[PAGE_FAULT[kind]], bits=effective) for kind in ("load", "store", "amo", "lr", "sc")])
        p.lines += [
            "addi s0, s0, 1",
            f"li a0, 0x{va:x}",
            "li a3, 0",
            "li a4, 0x800",
            "li a5, 0",
            "jal ra, attempt",
            "li t5, 1",
            "bne s4, t5, fail",
            "bne s5, s9, fail",
            "bne s6, s9, fail",
        ]
    p.lines += [f"li t0, 0x{SV39 | ROOT >> 12:x}", "csrw satp, t0", "sfence.vma"]
    # Tables and pages that S mode may not read.
    p.lines += ["li t0, -1", "csrw pmpaddr1, t0", "csrr t0, pmpaddr1", "beqz t0, pass"]  # no protection here
    p.lines += [
        *put(table, pte(LEAVES_2, V)),
        *put(root, pte(ROOT_2, V)),
        *put(entry(ROOT_2, giga_va, 1), pte(LEAVES_2, V)),
        *put(entry(LEAVES_2, super_va, 0), pte(page(0), GOOD)),
        *put(leaf, pte(page(0), GOOD)),
    ]
    for closed, where in ((LEAVES_2, super_va), (LEAVES_2, giga_va), (ROOT_2, giga_va), (page(0), va), (page(0), super_va)):
        for flags in (0, 4, 1, 5, 3, 7):
            protect(p, [(closed | 0x7FF) >> 2, OPEN_ALL[0]], [0x18 | flags, OPEN_ALL[1]])
            at_end = closed == page(0)
            rows = []
            for kind in kinds:
                needs = {"fetch": 4, "load": 1, "lr": 1}.get(kind, 3 if kind == "amo" else 2) if at_end else 1
                good = flags & needs == needs
                target = where + (CODE if kind == "fetch" else 0)
                rows += [row(kind, target, pa=page(0)) if good else row(kind, target, cause=ACCESS_FAULT[PAGE_FAULT[kind]])]
            tries(p, rows)


def protect(p, addresses, configs):
    """Regions from 0 on."""
    p.lines += ["csrw pmpcfg0, x0"]
    for i, address in enumerate(addresses):
        p.lines += [f"li t0, 0x{address:x}", f"csrw pmpaddr{i}, t0"]
    p.lines += [f"li t0, 0x{sum(each << 8 * i for i, each in enumerate(configs)):x}", "csrw pmpcfg0, t0", "sfence.vma"]


# ---- MPRV ----
def mprv(p):
    """M mode's loads and stores with the mode, and so the translation, of MPP; its fetches stay as they are."""
    begin(p)
    p.lines += [*code_at(page(0) + CODE), "fence.i"]
    va, rows = 0x10000, []
    leaf = entry(LEAVES, va, 0)
    for user, flags, bits, mode in (
        (user, flags, bits, mode) for user in (0, U) for flags in (R, R | W, X, RX, R | W | X) for bits in (0, SUM, MXR, SUM | MXR) for mode in (S_MODE, U_MODE)
    ):
        for kind in ("load", "store", "amo", "lr"):
            good = allowed(kind, flags | user, mode, bits)
            rows += [
                row(
                    kind,
                    va,
                    M_MODE,
                    None if good else PAGE_FAULT[kind],
                    put_at=(leaf, pte(page(0), V | flags | user | AD)),
                    bits=bits | MPRV | mode << 11,
                    pa=page(0),
                )
            ]
    for kind in ("load", "store", "amo", "lr"):
        rows += [row(kind, page(0), M_MODE, bits=MPRV | MPP, pa=page(0)), row(kind, page(0), M_MODE, bits=S_MODE << 11, pa=page(0))]  # MPP is M; no MPRV
        rows += [row(kind, va, M_MODE, ACCESS_FAULT[PAGE_FAULT[kind]], bits=MPRV | MPP)]  # nothing is at that physical address
        rows += [row(kind, page(0), M_MODE, PAGE_FAULT[kind], bits=MPRV)]  # the page of U mode is missing
    rows += [row("fetch", page(0) + CODE, M_MODE, bits=MPRV | mode << 11) for mode in (S_MODE, U_MODE)]
    rows += [row("fetch", va + CODE, M_MODE, 1, bits=MPRV | mode << 11) for mode in (S_MODE, U_MODE)]
    tries(p, rows)
    # What clears it: mret and sret to modes below M; not a trap, nor mret to M.
    for text, mode, kept in (("mret", 3, 1), ("mret", 1, 0), ("mret", 0, 0), ("sret", 1, 0), ("sret", 0, 0)):
        after, field, which = p.label("after"), "csrw mepc" if text == "mret" else "csrw sepc", mode << 11 if text == "mret" else mode << 8
        p.lines += [
            "addi s0, s0, 1",
            f"la t5, {after}",
            f"li t6, 0x{0x40000000 if mode == 0 else 0:x}",
            "add t5, t5, t6",
            f"{field}, t5",
            f"li t5, 0x{MPP | 0x100:x}",
            "csrc mstatus, t5",
            f"li t5, 0x{which | MPRV:x}",
            "csrs mstatus, t5",
            "la s3, 1f",
            "li s8, 1",
            text,
            f"{after}:",
            "ecall",
            "j fail",
            "1:",
            f"li t5, 0x{MPRV:x}",
            "csrc mstatus, t5",
            "li s8, 0",
        ]
        p.check("s7", kept << 17, [f"li t5, 0x{MPRV:x}", "and s7, s7, t5"])
        p.check("s4", {0: 8, 1: 9, 3: 11}[mode], [])


# ---- sfence.vma ----
def sfence(p):
    """S mode changes its own tables and roots; what comes after the fence sees that."""
    begin(p)
    va, super_va = 0x10000, 0x200000
    leaf, table = entry(LEAVES, va, 0), entry(MIDDLE, super_va, 1)
    for i in range(4):
        p.lines += [*put(page(i), 0x100 + i), *put(page(i) + CODE, (i << 20 | 0x593) | 0x00008067 << 32)]  # addi a1, x0, i; ret
    p.lines += [*put(SUPER, 0x200), "fence.i"]
    forms = ("sfence.vma", "sfence.vma a0", "sfence.vma a0, x0", "sfence.vma x0, x0", "sfence.vma a0, a4")

    def change(slot, value, form="sfence.vma"):
        return [f"li a0, 0x{va:x}", "li a4, 0", f"li a2, 0x{slot:x}", f"li a3, 0x{value % (1 << 64):x}", "sd a3, 0(a2)", form]

    def rights(cases):
        """Rights that go and come back."""
        for lost, cause, text in cases * 3:
            supervisor_check(
                p,
                "a1",
                0x100,
                [*change(leaf, pte(page(0), GOOD)), "ld a1, 0(a0)", "sd a1, 0(a0)", f"addi a0, a0, {CODE}", "mv a5, a1", "jalr ra, 0(a0)", "mv a1, a5"],
            )
            to_supervisor(p)
            if text:
                p.expect_trap(cause, "a0", change(leaf, pte(page(0), GOOD & ~lost)), text)
            else:
                p.expect_trap(cause, va + CODE, [*change(leaf, pte(page(0), GOOD & ~lost)), f"addi a0, a0, {CODE}"], "jalr x0, 0(a0)", epc=va + CODE)
            p.lines += ["li s8, 0"]

    for i, form in enumerate(forms * 3):
        to = i % 4
        supervisor_check(p, "a1", 0x100 + to, [*change(leaf, pte(page(to), GOOD), form), f"li a0, 0x{va:x}", "ld a1, 0(a0)"])
        supervisor_check(p, "a1", to, [*change(leaf, pte(page(to), GOOD), form), f"li a0, 0x{va + CODE:x}", "li a1, -1", "jalr ra, 0(a0)"])
        supervisor_check(p, "a1", 0x1000 + i, [f"li a0, 0x{va:x}", f"li a1, 0x{0x1000 + i:x}", "sd a1, 8(a0)", f"li a0, 0x{page(to):x}", "ld a1, 8(a0)"])
    rights(((V, 13, "ld a1, 0(a0)"), (W, 15, "sd a0, 0(a0)"), (R | W, 13, "ld a1, 0(a0)"), (X, 12, ""), (V, 12, "")))
    # A 2 MiB page becomes a table, and a page again.
    for i in range(4):
        supervisor_check(p, "a1", 0x200, [*change(table, pte(SUPER, GOOD)), f"li a0, 0x{super_va:x}", "ld a1, 0(a0)"])
        supervisor_check(
            p,
            "a1",
            0x100 + i,
            [*change(entry(LEAVES_2, super_va, 0), pte(page(i), GOOD)), *change(table, pte(LEAVES_2, V)), f"li a0, 0x{super_va:x}", "ld a1, 0(a0)"],
        )
    # Two roots.
    p.lines += [
        *put(entry(ROOT_2, 0x80000000, 2), pte(0x80000000, GOOD)),
        *put(entry(ROOT_2, 0, 2), pte(page(8), V)),
        *put(entry(page(8), 0, 1), pte(page(9), V)),
        *put(entry(page(9), va, 0), pte(page(3), GOOD)),
        *put(leaf, pte(page(2), GOOD)),
        "sfence.vma",
    ]
    for fence in ("sfence.vma", "sfence.vma x0, x0"):  # both by one number: isa_vm_asid.py has two
        for root, value in ((ROOT, 2), (ROOT_2, 3), (ROOT, 2), (ROOT_2, 3)):
            supervisor_check(p, "a1", 0x100 + value, [f"li a2, 0x{SV39 | root >> 12:x}", "csrw satp, a2", fence, f"li a0, 0x{va:x}", "ld a1, 0(a0)"])
            supervisor_check(p, "a1", value, [f"li a0, 0x{va + CODE:x}", "jalr ra, 0(a0)"])
    # Bare in between: addresses are physical at once.
    supervisor_check(p, "a1", 0x102, ["csrr a2, satp", "csrw satp, x0", "sfence.vma", f"li a0, 0x{page(2):x}", "ld a1, 0(a0)", "csrw satp, a2", "sfence.vma"])
    to_supervisor(p)
    p.expect_trap(5, "a0", ["csrw satp, x0", "sfence.vma", f"li a0, 0x{va:x}"], "ld a1, 0(a0)")
    p.lines += ["li s8, 0", f"li t0, 0x{SV39 | ROOT >> 12:x}", "csrw satp, t0"]
    # More pages than TLBs hold, forwards, then backwards after a change of all of them: page i holds i.
    count, many = 300, 0x80800000
    p.lines += put(table, pte(LEAVES_2, V))
    for mapped in ("a4", "a5"):
        supervisor_check(
            p,
            "a1",
            0,
            [
                "li a1, 0",
                f"li a2, {count}",
                "li a4, 0",
                "1:",
                f"li t0, {count - 1}",
                "sub a5, t0, a4",  # a4 up, a5 down
                f"li t0, 0x{many:x}",
                f"slli t1, {mapped}, 12",
                "add t0, t0, t1",
                "srli t0, t0, 2",
                f"ori t0, t0, 0x{GOOD & 0x7FF:x}",
                f"li t2, 0x{LEAVES_2:x}",
                "slli t1, a4, 3",
                "add t2, t2, t1",
                "sd t0, 0(t2)",
                "addi a4, a4, 1",
                "bltu a4, a2, 1b",
                "sfence.vma",
                "li a4, 0",
                "2:",
                f"li t0, {count - 1}",
                "sub a5, t0, a4",
                f"li t0, 0x{many:x}",
                f"slli t1, {mapped}, 12",
                "add t0, t0, t1",
                f"sd {mapped}, 16(t0)",
                f"li t2, 0x{super_va:x}",
                "slli t1, a4, 12",
                "add t2, t2, t1",
                "ld t1, 16(t2)",
                "xor t1, t1, " + mapped,
                "or a1, a1, t1",
                "sd a4, 24(t2)",
                "ld t1, 24(t0)",
                "xor t1, t1, a4",
                "or a1, a1, t1",
                "addi a4, a4, 1",
                "bltu a4, a2, 2b",
            ],
        )
        supervisor_check(
            p,
            "a1",
            0,
            [
                "li a1, 0",
                f"li a4, {count - 1}",
                "3:",
                f"li t0, {count - 1}",
                "sub a5, t0, a4",
                f"li t2, 0x{super_va:x}",
                "slli t1, a4, 12",
                "add t2, t2, t1",
                "ld t1, 16(t2)",
                "xor t1, t1, " + mapped,
                "or a1, a1, t1",
                "ld t1, 24(t2)",
                "xor t1, t1, a4",
                "or a1, a1, t1",
                "addi a4, a4, -1",
                "bgez a4, 3b",
            ],
        )
    either(p, lambda: rights(((A, 13, "lr.d a1, (a0)"), (D, 15, "amoadd.d a1, a0, (a0)"), (A, 12, ""), (D, 15, "sd a1, 0(a0)"))), lambda: None)
    # Modes that do not exist leave satp as it is; of the address space's number eight bits are held.
    for mode in (1, 7, 9, 10, 15):
        p.check("a1", SV39 | ROOT >> 12, [f"li a0, 0x{mode << 60 | 0x12345:x}", "csrw satp, a0", "csrr a1, satp"])
    p.check("a1", 8 << 60 | 0xFF << 44 | 0xFFFFFFFFFFF, ["li a0, 0x8fffffffffffffff", "csrw satp, a0", "csrr a1, satp"])
    p.lines += [f"li t0, 0x{SV39 | ROOT >> 12:x}", "csrw satp, t0"]


PROGRAMS = {"vm_straddle": straddle, "vm_access": access_faults, "vm_mprv": mprv, "vm_sfence": sfence}
