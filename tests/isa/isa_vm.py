"""Sv39 half of the ISA tests: programs that make page tables and try accesses from S, U and (MPRV) M mode. Expected
values are written out by hand after the privileged manual, "Sv39: Page-Based 39-bit Virtual-Memory System".

Every access is one record of a table: what to write into which page-table entry, the access, and what must come of it.
The loop goes to the access with mret; the access, or the ecall after it, traps back to M mode, which is never
translated. A program itself is mapped twice: at its own addresses for S mode, 1 GiB higher for U mode.

Registers beside those of isa_system.py: s1 record, s9 address of the access (stub), a0 virtual address, a1 result,
a2 operand (OPERAND), a3 offset of the stub, a4 bits of mstatus to set, a5 distance of the program's alias, -1: stay in M.
"""
import itertools

from isa_system import MPP, MPRV, UNTOUCHED

SUM, MXR = 1 << 18, 1 << 19
V, R, W, X, U, G, A, D = (1 << i for i in range(8))
AD, RW, RX, RWX = A | D, R | W, R | X, R | W | X
N_BIT, PBMT_NC, PBMT_IO = 1 << 63, 1 << 61, 2 << 61
S_MODE, U_MODE, M_MODE = 1, 0, 3
ALIAS = 0x40000000
ROOT, MIDDLE, LEAVES, ROOT_2, LEAVES_2 = (0x80400000 + 0x1000 * i for i in range(5))
PAGES, SUPER, SCRATCH = 0x80410000, 0x80600000, 0x80480000  # data pages; a 2 MiB page; where records without an entry write
SV39 = 8 << 60
INITIAL, OPERAND = 0x1122334455667788, 0x77
FETCHED = 0x123  # what the code in a page returns
CODE = 0x100  # where in a page it is
GOOD = V | RWX | AD

STUBS = {
    "load": "ld a1, 0(a0)",
    "store": "sd a2, 0(a0)",
    "amo": "amoadd.d a1, a2, (a0)",
    "lr": "lr.d a1, (a0)",
    "sc": "sc.d a1, a2, (a0)",
    "fetch": "jalr x0, 0(a0)",
    "lrsc": "lr.d a1, (a0)\n    sc.d a1, a2, (a0)",
    "lbu": "lbu a1, 0(a0)",
    "sb": "sb a2, 0(a0)",
    "lw": "lw a1, 0(a0)",
    "amow": "amoswap.w a1, a2, (a0)",
}
PAGE_FAULT = {"load": 13, "lr": 13, "lbu": 13, "lw": 13, "store": 15, "amo": 15, "sc": 15, "sb": 15, "lrsc": 15, "amow": 15, "fetch": 12}
ACCESS_FAULT = {12: 1, 13: 5, 15: 7}
DATA = ("load", "store", "amo", "lr")
KINDS = (*DATA, "fetch")

ATTEMPT = (
    """
    j after_stubs
    .balign 16
    .option push
    .option norvc
stubs:
"""
    + "".join(f"    {text}\n    ecall\n    .balign 16\n" for text in STUBS.values())
    + f"""
    .option pop
attempt:
    la s9, stubs
    add s9, s9, a3
    li t6, 0x{MPP | MPRV | SUM | MXR:x}
    csrc mstatus, t6
    li a1, {UNTOUCHED}
    la s3, attempted
    bltz a5, 1f
    add s9, s9, a5
    csrw mepc, s9
    csrs mstatus, a4
    li s8, 1
    mret
1:  csrs mstatus, a4
    jr s9
    .balign 4
attempted:
    li t6, 0x20000
    csrc mstatus, t6
    li s8, 0
    ret
after_stubs:"""
)
TABLE_LOOP = [
    "ld t0, 0(s1)",
    "ld t1, 8(s1)",
    "sd t1, 0(t0)",
    "ld t0, 16(s1)",
    f"li t1, 0x{INITIAL:x}",
    "sd t1, 0(t0)",
    "sfence.vma",
    f"li t0, 0x{SCRATCH + 16:x}",
    "sc.d x0, x0, (t0)",  # no reservation is left
    "ld a0, 24(s1)",
    "ld a3, 32(s1)",
    "ld a4, 40(s1)",
    "ld a5, 48(s1)",
    f"li a2, {OPERAND}",
    "jal ra, attempt",
    "ld t5, 56(s1)",
    "bne s4, t5, fail",
    "ld t5, 64(s1)",
    "bne s5, t5, fail",
    "ld t5, 72(s1)",
    "bnez t5, 1f",
    "mv t5, s9",
    "1: ld t6, 80(s1)",
    "add t5, t5, t6",
    "bne s6, t5, fail",
    "srli t5, s7, 11",
    "andi t5, t5, 3",
    "ld t6, 88(s1)",
    "bne t5, t6, fail",
    "ld t5, 96(s1)",
    "bne a1, t5, fail",
    "ld t0, 16(s1)",
    "ld t6, 0(t0)",
    "ld t5, 104(s1)",
    "bne t5, t6, fail",
]
# Kind: (result in a1, memory afterwards) of an access that works. An sc without a reservation fails.
WORKS = {
    "load": (INITIAL, INITIAL),
    "store": (UNTOUCHED, OPERAND),
    "amo": (INITIAL, INITIAL + OPERAND),
    "lr": (INITIAL, INITIAL),
    "sc": (1, INITIAL),
    "lrsc": (0, OPERAND),
    "lbu": (0x88, INITIAL),
    "sb": (UNTOUCHED, INITIAL & ~0xFF | OPERAND),
    "lw": (0x55667788, INITIAL),
    "amow": (0x55667788, INITIAL >> 32 << 32 | OPERAND),
    "fetch": (FETCHED, INITIAL),
}


def pte(address, flags):
    return address >> 12 << 10 | flags


def entry(table, va, level):
    """Address of the entry of a table that va uses."""
    return table + 8 * (va >> 12 + 9 * level & 0x1FF)


def put(address, value):
    return [f"li t0, 0x{address:x}", f"li t1, 0x{value % (1 << 64):x}", "sd t1, 0(t0)"]


def row(kind, va, mode=S_MODE, cause=None, tval=None, put_at=None, bits=0, pa=None, result=None, step=None, distance=ALIAS):
    """A record. cause None: the access works; put_at: (address of an entry, its value); pa: where the access ends up.
    result, step: a1 and the distance of mepc from the access (of a fetch: from its target), where they are not the usual.
    distance: from the program to its alias for U mode."""
    works, fetch = cause is None, kind == "fetch"
    where = pa if pa and not fetch else SCRATCH + 8
    value, memory = WORKS[kind] if works else (UNTOUCHED, INITIAL)
    if not pa and not fetch:
        memory = INITIAL
    stub = 16 * list(STUBS).index(kind)
    if works:
        cause, tval = {U_MODE: 8, S_MODE: 9, M_MODE: 11}[mode], 0
        base, usual = (va, 4) if fetch else (0, 8 if kind == "lrsc" else 4)
    else:
        tval, base, usual = va if tval is None else tval, va if fetch else 0, 0
    alias = {U_MODE: distance, S_MODE: 0, M_MODE: -1}[mode]
    status = bits | (mode << 11 if mode != M_MODE else 0)
    slot, written = put_at or (SCRATCH, 0)
    return (
        slot,
        written,
        where,
        va,
        stub,
        status,
        alias,
        cause,
        tval,
        base,
        usual if step is None else step,
        mode,
        value if result is None else result,
        memory,
    )


def code_at(address):
    """What fetches return from: addi a1, x0, FETCHED; ecall."""
    return put(address, (FETCHED << 20 | 0x593) | 0x73 << 32)


def begin(p):
    """Tables: virtual 0..2 MiB by LEAVES, the program at its own addresses (S) and ALIAS higher (U), translation on."""
    p.lines += [ATTEMPT]
    for address, value in (
        (entry(ROOT, 0, 2), pte(MIDDLE, V)),
        (entry(ROOT, 0x80000000, 2), pte(0x80000000, GOOD)),
        (entry(MIDDLE, 0, 1), pte(LEAVES, V)),
        (entry(ROOT, 0x80000000 + ALIAS, 2), pte(0x80000000, GOOD | U)),
    ):
        p.lines += put(address, value)
    p.lines += [f"li t0, 0x{SV39 | ROOT >> 12:x}", "csrw satp, t0", "sfence.vma"]


def tries(p, rows):
    p.table([[value % (1 << 64) for value in each] for each in rows], TABLE_LOOP)


def page(i):
    return PAGES + 0x1000 * i


def either(p, software, hardware):
    """Two ways to go on, after begin(): where A = 0 is a page fault (Svade), or where hardware sets A and D. Asks for it
    by a load."""
    va, sets, after = 0x1F0000, p.label("sets"), p.label("after")
    p.lines += [
        *put(entry(LEAVES, va, 0), pte(page(0), GOOD & ~A)),
        "sfence.vma",
        f"li a0, 0x{va:x}",
        "li a3, 0",
        f"li a4, 0x{S_MODE << 11:x}",
        "li a5, 0",
        "jal ra, attempt",
        "li t0, 13",
        f"bne s4, t0, {sets}",
    ]
    software()
    p.lines += [f"j {after}", f"{sets}:"]
    hardware()
    p.lines += [f"{after}:"]


def to_supervisor(p):
    """Goes on in S mode; the next trap to M mode ends it (leave() or expect_trap)."""
    inside = p.label("supervisor")
    p.lines += ["li s8, 1", f"la t6, {inside}", "csrw mepc, t6", "li t6, 0x1000", "csrc mstatus, t6", "li t6, 0x800", "csrs mstatus, t6", "mret", f"{inside}:"]


def leave(p):
    p.lines += ["la s3, 1f", "ecall", "j fail", "1: li s8, 0"]


def supervisor_trap(p, cause, tval, before, text):
    """The one instruction traps from S mode to M mode."""
    to_supervisor(p)
    p.expect_trap(cause, tval, before, text)
    p.check("s7", 0x800, [f"li t5, 0x{MPP:x}", "and s7, s7, t5"])  # came from S
    p.lines += ["li s8, 0"]


def supervisor_check(p, register, value, lines):
    to_supervisor(p)
    p.check(register, value, lines)
    leave(p)


# ---- good translations ----
def translate(p):
    """Leaves of all levels map what they say, for loads, stores, AMOs and fetches, from S and from U mode."""
    begin(p)
    for i in range(8):
        p.lines += code_at(page(i) + CODE)
    for address in (SUPER + CODE, SUPER + 0x12000 + CODE, SUPER + 0x1FF000 + CODE):
        p.lines += code_at(address)
    p.lines += ["fence.i"]
    rows = []
    for mode, user in ((S_MODE, 0), (U_MODE, U)):
        for i in range(8):  # 4 KiB pages, the other way round
            va, pa = 0x10000 + 0x1000 * i, page(7 - i)
            slot = (entry(LEAVES, va, 0), pte(pa, GOOD | user | (G if i & 1 else 0) | i << 8 & 0x300))  # G and the software's bits mean nothing here
            rows += [row(kind, va + offset, mode, put_at=slot, pa=pa + offset) for offset in (0, 0x7F8, 0xFF8) for kind in ("load", "store", "amo")]
            rows += [row(kind, va + 8 * i, mode, pa=pa + 8 * i) for kind in ("lr", "sc", "lrsc", "lbu", "sb", "lw", "amow")]
            rows += [row("fetch", va + CODE, mode)]
        # 2 MiB: at both ends of a table, and in the middle.
        for va in (0x200000, 0x1200000, 0x3FE00000):
            slot = (entry(MIDDLE, va, 1), pte(SUPER, GOOD | user))
            rows += [
                row(kind, va + offset, mode, put_at=slot, pa=SUPER + offset)
                for offset in (0, 0x12340, 0x0FFFF8, 0x1FFFF8)
                for kind in ("load", "store", "lrsc")
            ]
            rows += [row("fetch", va + offset + CODE, mode, put_at=slot) for offset in (0, 0x12000, 0x1FF000)]
        # 1 GiB: low, and the last of the address space.
        for va in (0x40000000, 0xFFFFFFFFC0000000, 0xFFFFFFC000000000, 0x3FC0000000):
            slot = (entry(ROOT, va, 2), pte(0x80000000, GOOD | user))
            rows += [
                row(kind, va + pa - 0x80000000, mode, put_at=slot, pa=pa)
                for pa in (page(3) + 0x18, SUPER + 0x1F8, 0x8FFFFFF8)
                for kind in ("load", "store", "amo")
            ]
            rows += [row("fetch", va + page(2) + CODE - 0x80000000, mode, put_at=slot)]
    # Two names of one page: what one writes, the other reads; a page that changes its owner; each table, each end.
    first, last = 0x20000, 0xFFFFFFFFFFFFF000
    setup = [(entry(ROOT, last, 2), pte(ROOT_2, V)), (entry(ROOT_2, last, 1), pte(LEAVES_2, V)), (entry(LEAVES_2, last, 0), pte(page(5), GOOD))]
    rows += [row("load", 0x10000, put_at=each, pa=page(7), mode=U_MODE) for each in setup]
    rows += [row("load", last + 0xFF8, pa=page(5) + 0xFF8, put_at=(entry(LEAVES, first, 0), pte(page(5), GOOD)))]
    rows += [row(kind, va + 0x20, pa=page(5) + 0x20) for va in (first, last) for kind in ("store", "load", "amo", "sb", "lbu")]
    tries(p, rows)
    p.check("a1", 0x99, [f"li a0, 0x{first + 0x40:x}", f"li t0, 0x{SUPER:x}", "li a1, 0x99", "jal ra, in_s", f"li a0, 0x{page(5) + 0x40:x}", "ld a1, 0(a0)"])
    p.lines += [
        "j 9f",
        "in_s:  # stores a1 in S mode at one name, adds 0 at the other",
        "la t5, 1f",
        "csrw mepc, t5",
        "li t5, 0x1800",
        "csrc mstatus, t5",
        "li t5, 0x800",
        "csrs mstatus, t5",
        "la s3, 2f",
        "li s8, 1",
        "mret",
        f"1: li a3, 0x{(last - first) % (1 << 64):x}",
        "add a3, a3, a0",
        "sd a1, 0(a0)",
        "ld a4, 0(a3)",
        "bne a4, a1, 3f",
        "sd x0, 0(a3)",
        "ld a4, 0(a0)",
        "bnez a4, 3f",
        "amoadd.d x0, a1, (a3)",
        "3: ecall",
        "2: li s8, 0",
        "ret",
        "9:",
    ]


# ---- bad entries ----
def bad_leaves(level):
    """(what, entry) that no access may use, at a level: their flags say yes but for one thing."""
    inside = {0: 0, 1: SUPER, 2: 0x80000000}[level] or page(0)
    good = pte(inside, GOOD)
    rows = [
        ("V", good & ~V),
        ("zero", 0),
        ("ones without V", (1 << 64) - 2),
        ("W without R", good & ~R),
        ("W alone", good & ~(R | X)),
        ("N", good | N_BIT),
        ("PBMT NC", good | PBMT_NC),
        ("PBMT IO", good | PBMT_IO),
        ("PBMT 3", good | PBMT_IO | PBMT_NC),
        *((f"bit {i}", good | 1 << i) for i in range(54, 61)),
    ]
    if level:
        rows += [(f"misaligned, bit {i}", good | 1 << 10 + i) for i in range(9 * level)]
        table = {1: LEAVES, 2: MIDDLE}[level]
        rows += [(f"table with {name}", pte(table, V | flag)) for name, flag in (("D", D), ("A", A), ("U", U), ("AD", AD), ("N", N_BIT), ("PBMT", PBMT_NC))]
        rows += [("table without V", pte(table, 0))]
    else:
        rows += [("no leaf at the last level", pte(LEAVES, V)), ("no leaf, G", pte(page(0), V | G))]
    return rows


FAULT_VA = {0: 0x10000, 1: 0x200000, 2: 0x40000000}  # one for each level


def level_entry(level):
    return entry((LEAVES, MIDDLE, ROOT)[level], FAULT_VA[level], level)


def bad_entries(kinds):
    rows = []
    for level in (0, 1, 2):
        va, slot = FAULT_VA[level], level_entry(level)
        good = pte({0: page(0), 1: SUPER, 2: 0x80000000}[level], GOOD)
        offset = {0: 0x100, 1: 0x10100, 2: page(0) + CODE - 0x80000000}[level]
        for _, value in bad_leaves(level):
            rows += [row(kind, va + offset, cause=PAGE_FAULT[kind], put_at=(slot, value)) for kind in kinds]
        to = {0: page(0), 1: SUPER + 0x10000, 2: page(0)}[level]
        rows += [row(kind, va + offset - (0 if kind == "fetch" else CODE), put_at=(slot, good), pa=to) for kind in kinds]  # and then it is good
    return rows


def fault(p):
    """Entries and addresses that are not valid: a page fault of the kind of the access, with the address; nothing else happens."""
    begin(p)
    for address in (page(0) + CODE, SUPER + 0x10100):
        p.lines += code_at(address)
    p.lines += ["fence.i"]
    rows = bad_entries(KINDS)
    non_canonical(rows, KINDS)
    tries(p, rows)


def order(p):
    """A misaligned address comes first, whatever its page."""
    begin(p)
    for cause, text in ((4, "lw a1, 0(a0)"), (6, "sh a1, 0(a0)"), (6, "amoadd.d a1, a2, (a0)"), (4, "lr.w a1, (a0)"), (6, "sc.w a1, a2, (a0)")):
        for va in (0x1FFFF9, 0x80000FFF, 1 << 38 | 1):
            supervisor_trap(p, cause, "a0", [f"li a0, 0x{va:x}"], text)


def non_canonical(rows, kinds):
    """Bits 63 to 39 that differ from bit 38, although bits 38 to 0 lead to a good page."""
    for low in (page(0), page(0) | 1 << 38):  # root entries 2 and 258
        good = low | ((1 << 25) - 1 << 39 if low >> 38 else 0)
        slot = (entry(ROOT, low, 2), pte(0x80000000, GOOD))
        rows += [row(kind, good + (CODE if kind == "fetch" else 0), put_at=slot, pa=page(0)) for kind in kinds]
        for flipped in (1 << 39, 1 << 63, 1 << 50, (1 << 25) - 1 << 39):
            rows += [row(kind, good ^ flipped, cause=PAGE_FAULT[kind]) for kind in kinds]


def allowed(kind, flags, mode, bits):
    """What a leaf with A and D allows, after the manual's text on U, SUM and MXR and on R, W, X."""
    if mode == U_MODE and not flags & U:
        return False
    if mode == S_MODE and flags & U and (kind == "fetch" or not bits & SUM):
        return False
    if kind == "fetch":
        return bool(flags & X)
    if kind in ("load", "lr"):
        return bool(flags & R) or bool(bits & MXR and flags & X)
    return bool(flags & W)


def permissions(kinds, all_bits=(0, SUM, MXR, SUM | MXR), levels=(0,)):
    rows = []
    for level, rwx, user, bits, mode in itertools.product(levels, (R, RW, X, RX, RWX), (0, U), all_bits, (S_MODE, U_MODE)):
        pa, va = {0: (page(0), FAULT_VA[0]), 1: (SUPER + 0x10000, FAULT_VA[1] + 0x10000)}[level]
        leaf = (level_entry(level), pte(pa if level == 0 else SUPER, V | rwx | user | AD))
        for kind in kinds:
            offset = CODE if kind == "fetch" else 0
            good = allowed(kind, rwx | user, mode, bits)
            rows += [row(kind, va + offset, mode, None if good else PAGE_FAULT[kind], put_at=leaf, bits=bits, pa=pa)]
    return rows


def permission_bits(p):
    """R, W, X and U of a page against the mode, SUM and MXR."""
    begin(p)
    p.lines += [*code_at(page(0) + CODE), *code_at(SUPER + 0x10000 + CODE), "fence.i"]
    tries(p, permissions(KINDS) + permissions(KINDS, (0, SUM | MXR), (1,)))


def store_conditional(p):
    """An SC needs a page that can be written, whether it has a reservation or not."""
    begin(p)
    rows = bad_entries(("sc",)) + permissions(("sc",))
    non_canonical(rows, ("sc",))
    tries(p, rows)
    # With a reservation, by another name of the page; it is still there afterwards.
    va, other = 0x10000, 0x11000
    p.lines += [*put(entry(LEAVES, other, 0), pte(page(0), GOOD)), *put(entry(LEAVES, va, 0), pte(page(0), V | R | X | AD)), "sfence.vma"]
    supervisor_trap(p, 15, "a0", [f"li a0, 0x{va:x}", "lr.d a3, (a0)"], "sc.d a1, a0, (a0)")
    supervisor_check(p, "a1", 0, [f"li a0, 0x{other:x}", "sc.d a1, a0, (a0)"])
    p.check("a1", other, [f"li a0, 0x{page(0):x}", "ld a1, 0(a0)"])


def accessed_dirty(p):
    """A is 0, or D for a store: a page fault (Svade), and nobody but software writes entries. Or hardware sets them, and
    nothing else of the entry."""
    begin(p)
    p.lines += [*code_at(page(0) + CODE), *code_at(SUPER + CODE), "fence.i"]
    either(p, lambda: faults_without(p), lambda: sets(p))


def entry_holds(slot, value):
    """A record that reads an entry, from M mode."""
    return row("load", slot, M_MODE, result=value)


WRITERS = ("store", "amo", "sc", "lrsc", "sb", "amow")


def sets(p):
    rows, conditional = [], []  # an sc without a reservation comes last: QEMU does not go along
    for level, mode, flags in itertools.product((0, 1, 2), (S_MODE, U_MODE, M_MODE), (0, A, D, AD)):
        to = {0: page(0), 1: SUPER, 2: 0x80000000}[level]
        va, pa = FAULT_VA[level] + (page(0) - to if level == 2 else 0), to if level < 2 else page(0)
        other = (G, 0x300, 0x100, G | 0x200)[level]  # the software's bits
        slot, value = level_entry(level), pte(to, V | RWX | flags | other | (U if mode == U_MODE else 0))
        for kind in STUBS:
            if mode == M_MODE and kind == "fetch":
                continue
            into = conditional if kind == "sc" else rows
            into += [
                row(kind, va + (CODE if kind == "fetch" else 0), mode, put_at=(slot, value), pa=pa, bits=MPRV | S_MODE << 11 if mode == M_MODE else 0),
                entry_holds(slot, value | A | (D if kind in WRITERS else 0)),
            ]
    tries(p, rows + conditional)


def faults_without(p):
    for level, mode in itertools.product((0, 1, 2), (S_MODE, U_MODE)):
        to = {0: page(0), 1: SUPER, 2: 0x80000000}[level]
        va, pa = FAULT_VA[level] + (page(0) - to if level == 2 else 0), to if level < 2 else page(0)
        for flags in (0, A, D, AD):
            slot = (level_entry(level), pte(to, V | RWX | flags | (U if mode == U_MODE else 0)))
            rows = []
            for kind in (*KINDS, "sc", "lrsc"):
                good = bool(flags & A) and (kind in ("load", "lr", "fetch") or bool(flags & D))
                half = kind == "lrsc" and not good and flags & A  # the LR works, its SC does not
                rows += [
                    row(
                        kind,
                        va + (CODE if kind == "fetch" else 0),
                        mode,
                        None if good else 13 if kind == "lrsc" and not half else PAGE_FAULT[kind],
                        put_at=slot,
                        pa=pa,
                        result=INITIAL if half else None,
                        step=4 if half else None,
                    )
                ]
            tries(p, rows)
            p.check("a1", slot[1], [f"li a0, 0x{slot[0]:x}", "ld a1, 0(a0)"])


PROGRAMS = {
    "vm_translate": translate,
    "vm_fault": fault,
    "vm_order": order,
    "vm_sum_mxr": permission_bits,
    "vm_sc": store_conditional,
    "vm_svade": accessed_dirty,
}
