"""Address spaces of the ISA tests: satp's ASID, global pages, sfence.vma by address space and by page. Also: a switch keeps the
TLBs' entries. Written by hand after the privileged manual, "satp" and "sfence.vma"; page i holds 0x100 + i, and at
CODE a routine that returns i.

Two address spaces stand side by side: OURS by ROOT (isa_vm.py), THEIRS by tables of its own. The program lies in both at
the same place. Each has its numbers, and no number is ever the other's, so nothing needs a fence but what changes an entry.
"""
from isa_vm import CODE, G, GOOD, LEAVES, MIDDLE, ROOT, ROOT_2, SUPER, SV39, V, begin, entry, leave, page, pte, put, supervisor_check, to_supervisor

VA, GLOBAL_VA, BELOW_GLOBAL, SUPER_VA, MANY_VA = 0x10000, 0x11000, 0x600000, 0x200000, 0x40000
THEIR_MIDDLE, THEIR_LEAVES, SHARED_LEAVES = page(8), page(9), page(10)
THEIR_SUPER, MANY, THEIR_MANY = 0x80800000, 0x80A00000, 0x80B00000
OURS, THEIRS = 1, 2
# Pairs of numbers: neighbours, and such as differ in one bit or in all of them.
PAIRS = ((OURS, THEIRS), (0, 255), (OURS, 5), (OURS, 17), (OURS, 129), (64, THEIRS), (0, 128))
OUR_NUMBERS = sorted({ours for ours, _ in PAIRS})
ST_TLB = 16 + 7  # of mhpmevent: tables/pmu_events.tsv, tables/events.tsv
SWITCHES, MISSES = 200, 20  # of the loop that counts, and the most that it may meet


def satp(number):
    return SV39 | number << 44 | (ROOT if number in OUR_NUMBERS else ROOT_2) >> 12


def to(number, register="a2"):
    return [f"li {register}, 0x{satp(number):x}", f"csrw satp, {register}"]


def load(va, register="a1"):
    return [f"li a0, 0x{va:x}", f"ld {register}, 0(a0)"]


def change(slot, value):
    return put(slot, value)


def spaces(p):
    begin(p)
    for i in range(8):
        p.lines += [*put(page(i), 0x100 + i), *put(page(i) + CODE, (i << 20 | 0x593) | 0x00008067 << 32)]  # addi a1, x0, i; ret
    for table, slot, value in ((ROOT_2, 0x80000000, pte(0x80000000, GOOD)), (ROOT_2, 0, pte(THEIR_MIDDLE, V))):
        p.lines += put(entry(table, slot, 2), value)
    for middle, leaves, own in ((MIDDLE, LEAVES, 2), (THEIR_MIDDLE, THEIR_LEAVES, 3)):
        p.lines += [
            *put(entry(middle, 0, 1), pte(leaves, V)),
            *put(entry(leaves, VA, 0), pte(page(own), GOOD)),
            *put(entry(leaves, GLOBAL_VA, 0), pte(page(4), GOOD | G)),
            *put(entry(middle, BELOW_GLOBAL, 1), pte(SHARED_LEAVES, V | G)),
        ]
    p.lines += [
        *put(entry(SHARED_LEAVES, BELOW_GLOBAL, 0), pte(page(5), GOOD)),
        *put(entry(MIDDLE, SUPER_VA, 1), pte(SUPER, GOOD)),
        *put(entry(THEIR_MIDDLE, SUPER_VA, 1), pte(THEIR_SUPER, GOOD)),
        *put(SUPER + 0x12340, 0x201),
        *put(THEIR_SUPER + 0x12340, 0x202),
        "fence.i",
        "sfence.vma",
    ]


def numbers(p):
    """Eight bits are held; a mode that does not exist changes none of them."""
    for number in (0, 1, 0x80, 0xFF, 0x100, 0xFFFF, 0xAA55):
        p.check("a1", satp(0) | (number & 0xFF) << 44, [f"li a0, 0x{satp(0) | number << 44:x}", "csrw satp, a0", "csrr a1, satp"])
    p.check(
        "a1",
        satp(0) | 0x5A << 44,
        [f"li a0, 0x{satp(0) | 0x5A << 44:x}", "csrw satp, a0", f"li a0, 0x{9 << 60 | 0xFF << 44:x}", "csrw satp, a0", "csrr a1, satp"],
    )
    p.check("a1", 0x33 << 44 | 0x123, [f"li a0, 0x{0x33 << 44 | 0x123:x}", "csrw satp, a0", "csrr a1, satp"])  # bare, too
    p.lines += to(OURS, "t0")


def alternate(p):
    """Each sees its own pages, by loads, stores and fetches, and both the global ones; no fence anywhere."""
    for ours, theirs in PAIRS:
        for _ in range(3):
            for number, own, big in ((ours, 2, 0x201), (theirs, 3, 0x202)):
                supervisor_check(p, "a1", 0x100 + own, [*to(number), *load(VA)])
                supervisor_check(p, "a1", own, [f"li a0, 0x{VA + CODE:x}", "jalr ra, 0(a0)"])
                supervisor_check(p, "a1", 0x104, load(GLOBAL_VA))
                supervisor_check(p, "a1", 4, [f"li a0, 0x{GLOBAL_VA + CODE:x}", "jalr ra, 0(a0)"])
                supervisor_check(p, "a1", 0x105, load(BELOW_GLOBAL))
                supervisor_check(p, "a1", big, load(SUPER_VA + 0x12340))
                mark = 0x1000 + number
                supervisor_check(p, "a1", mark, [f"li a0, 0x{VA:x}", f"li a1, 0x{mark:x}", "sd a1, 8(a0)", f"li a0, 0x{page(own):x}", "ld a1, 8(a0)"])
    # In one run of S mode, each switch at once before an access, and a store before a switch.
    to_supervisor(p)
    p.lines += [f"li a2, 0x{satp(OURS):x}", f"li a3, 0x{satp(THEIRS):x}", f"li a0, 0x{VA:x}"]
    for i in range(6):
        p.check("a1", 0x102, ["csrw satp, a2", "ld a1, 0(a0)", f"li t0, {i}", "sd t0, 16(a0)"])
        p.check("a1", 0x103, ["csrw satp, a3", f"li t0, {i + 100}", "sd t0, 16(a0)", "ld a1, 0(a0)"])
        p.check("a1", i + 100, ["ld a1, 16(a0)"])
        p.check("a1", i, ["csrw satp, a2", "ld a1, 16(a0)"])
    leave(p)
    # Bare in between: addresses are physical at once, and translated at once.
    for number, own in ((OURS, 2), (THEIRS, 3), (OURS, 2)):
        supervisor_check(p, "a1", 0x106, [*to(number), "csrw satp, x0", *load(page(6))])
        supervisor_check(p, "a1", 0x100 + own, [*to(number), *load(VA)])


def fences(p):
    """An entry changes; the fence for that, for its space, its page or both; the other space's stays as it is."""
    for middle, leaves, number, other, other_own in ((THEIR_MIDDLE, THEIR_LEAVES, THEIRS, OURS, 2), (MIDDLE, LEAVES, OURS, THEIRS, 3)):
        del middle
        own = 5 - other_own
        for i, form in enumerate(("sfence.vma x0, a4", "sfence.vma a0, a4", "sfence.vma a0", "sfence.vma") * 3):
            for where, now in (((i + 1) % 8, number), (own, other)):  # changed from inside, and back from the other one
                supervisor_check(p, "a1", 0x100 + other_own, [*to(other), *load(VA)])
                supervisor_check(
                    p,
                    "a1",
                    0x100 + where,
                    [
                        *to(now),
                        *change(entry(leaves, VA, 0), pte(page(where), GOOD)),
                        f"li a0, 0x{VA + 0x808:x}",
                        f"li a4, {number}",
                        form,
                        *to(number),
                        *load(VA),
                    ],
                )
                supervisor_check(p, "a1", where, [f"li a0, 0x{VA + CODE:x}", "jalr ra, 0(a0)"])
                supervisor_check(p, "a1", 0x100 + other_own, [*to(other), *load(VA)])
    # A large page, by an address in its middle.
    slot = entry(THEIR_MIDDLE, SUPER_VA, 1)
    for i, form in enumerate(("sfence.vma x0, a4", "sfence.vma a0, a4", "sfence.vma a0") * 2):
        target, value = ((SUPER, 0x201), (THEIR_SUPER, 0x202))[i % 2]
        supervisor_check(p, "a1", 0x201, [*to(OURS), *load(SUPER_VA + 0x12340)])
        supervisor_check(
            p,
            "a1",
            value,
            [*to(THEIRS), *change(slot, pte(target, GOOD)), f"li a0, 0x{SUPER_VA + 0x77000:x}", f"li a4, {THEIRS}", form, *load(SUPER_VA + 0x12340)],
        )
    # Global pages: by everything, and by their address in all spaces.
    for i, form in enumerate(("sfence.vma", "sfence.vma a0", "sfence.vma x0, x0") * 2):
        where = 6 - i % 2
        for number in (OURS, THEIRS):
            supervisor_check(p, "a1", 0x105 + i % 2 if i else 0x104, [*to(number), *load(GLOBAL_VA)])
        both = [line for leaves in (LEAVES, THEIR_LEAVES) for line in change(entry(leaves, GLOBAL_VA, 0), pte(page(where), GOOD | G))]
        supervisor_check(p, "a1", 0x100 + where, [*both, f"li a0, 0x{GLOBAL_VA:x}", form, *load(GLOBAL_VA)])
        supervisor_check(p, "a1", 0x100 + where, [*to(OURS), *load(GLOBAL_VA)])


def many_fences(p):
    """An entry that changes 150 times, each with a fence for its space; the other space looks on."""
    to_supervisor(p)
    loop = p.label("loop")
    p.lines += [
        "addi s0, s0, 1",
        "li a3, 0",
        f"li a4, {THEIRS}",
        f"li t1, 0x{entry(THEIR_LEAVES, VA, 0):x}",
        f"{loop}:",
        "andi a5, a3, 7",
        "slli t0, a5, 10",
        f"li t2, 0x{pte(page(0), GOOD):x}",
        "add t0, t0, t2",
        "sd t0, 0(t1)",
        "sfence.vma x0, a4",
        *to(THEIRS),
        *load(VA),
        "addi a5, a5, 0x100",
        "bne a1, a5, fail",
        *to(OURS),
        *load(VA),
        "li a5, 0x102",
        "bne a1, a5, fail",
        "addi a3, a3, 1",
        "li t0, 150",
        f"bltu a3, t0, {loop}",
    ]
    p.check("a1", 0x103, [*change(entry(THEIR_LEAVES, VA, 0), pte(page(3), GOOD)), "sfence.vma x0, a4", *to(THEIRS), *load(VA)])
    leave(p)


def many_pages(p):
    """More pages than TLBs of the first level hold, in both spaces at the same addresses: each has its own, and changes."""
    count = 70
    for base, leaves, first in ((MANY, LEAVES, 0), (THEIR_MANY, THEIR_LEAVES, 0x1000)):
        p.lines += [
            f"li a4, {count}",
            f"li t0, 0x{base:x}",
            f"li t1, 0x{entry(leaves, MANY_VA, 0):x}",
            f"li t2, 0x{pte(base, GOOD):x}",
            f"li t3, {first}",
            "1: sd t3, 0(t0)",
            "sd t2, 0(t1)",
            "li a5, 4096",
            "add t0, t0, a5",
            "addi t1, t1, 8",
            "addi t2, t2, 1 << 10",
            "addi t3, t3, 1",
            "addi a4, a4, -1",
            "bnez a4, 1b",
            "sfence.vma",
        ]

    def look(skipped):
        """In both spaces, page by page and then space by space: nothing differs."""
        for turns in ((OURS, THEIRS) * 2,):
            for number in turns:
                loop, step = p.label("loop"), p.label("step")
                first = 0 if number == OURS else 0x1000
                p.lines += [
                    "addi s0, s0, 1",
                    *to(number),
                    "li a3, 0",
                    f"li a0, 0x{MANY_VA:x}",
                    f"{loop}:",
                    "ld a1, 0(a0)",
                    f"li t0, 0x{first:x}",
                    "add t0, t0, a3",
                    f"li t1, {skipped if number == THEIRS else -1}",
                    f"bne a3, t1, {step}",
                    "li t0, 0x104",
                    f"{step}:",
                    "bne a1, t0, fail",
                    "li t0, 4096",
                    "add a0, a0, t0",
                    "addi a3, a3, 1",
                    f"li t0, {count}",
                    f"bltu a3, t0, {loop}",
                ]

    to_supervisor(p)
    look(-1)
    leave(p)
    for at, form in ((3, "sfence.vma a0, a4"), (69, "sfence.vma x0, a4"), (40, "sfence.vma a0")):
        slot, va = entry(THEIR_LEAVES, MANY_VA + 4096 * at, 0), MANY_VA + 4096 * at
        to_supervisor(p)
        p.lines += [*change(slot, pte(page(4), GOOD)), f"li a0, 0x{va:x}", f"li a4, {THEIRS}", form]
        look(at)
        p.lines += [*change(slot, pte(THEIR_MANY + 4096 * at, GOOD)), f"li a0, 0x{va:x}", f"li a4, {THEIRS}", form]
        look(-1)
        leave(p)


def kept(p):
    """A page in each space, and many switches: what misses the data TLB are the first turns only. Without counters 0 are counted."""
    loop = p.label("loop")
    p.lines += ["addi s0, s0, 1", "csrw mhpmcounter3, x0", f"li t0, {ST_TLB}", "csrw mhpmevent3, t0"]
    to_supervisor(p)
    p.lines += [
        f"li a2, 0x{satp(OURS):x}",
        f"li a3, 0x{satp(THEIRS):x}",
        f"li a0, 0x{VA:x}",
        f"li a4, {SWITCHES // 2}",
        f"{loop}:",
        "csrw satp, a2",
        "ld a1, 0(a0)",
        "csrw satp, a3",
        "ld a5, 0(a0)",
        "sub a5, a5, a1",
        "li t0, 1",
        "bne a5, t0, fail",
        "addi a4, a4, -1",
        f"bnez a4, {loop}",
    ]
    leave(p)
    p.lines += ["csrr a1, mhpmcounter3", "csrw mhpmevent3, x0", f"li t0, {MISSES}", "bgtu a1, t0, fail"]


def asid(p):
    spaces(p)
    alternate(p)
    fences(p)
    many_fences(p)
    many_pages(p)
    kept(p)
    numbers(p)


PROGRAMS = {"vm_asid": asid}
