"""Physical memory protection and the counter-overflow interrupt of S mode in the ISA tests. Records as in isa_vm.py, but
without translation. Expected values are written out by hand after the privileged manual, "Physical Memory Protection",
for a grain of a page (G = 10), and "Sscofpmf".

All is done with the lowest three regions; a core without protection has nothing to check.
"""
import itertools

from isa_priv import LCOFI, SPIE, SPP, enter
from isa_priv import begin as begin_s
from isa_vm import ACCESS_FAULT, ATTEMPT, CODE, INITIAL, M_MODE, MPP, MPRV, PAGE_FAULT, S_MODE, U_MODE, code_at, put, row, tries

R, W, X, TOR, NAPOT, L = 1, 2, 4, 1 << 3, 3 << 3, 0x80
OFF = 0
EVERYTHING, OPEN = (1 << 54) - 1, NAPOT | R | W | X
AREA = 0x80800000  # what the regions are about: aligned to 8 MiB, and after it as much again
NEEDS = {"fetch": X, "load": R, "lr": R, "store": W, "sc": W, "amo": W}
KINDS = tuple(NEEDS)


def napot(base, size):
    return (base >> 2) | (size // 8 - 1)


def fault(kind):
    return ACCESS_FAULT[PAGE_FAULT[kind]]


def regions(p, *pairs):
    """(configuration, address register) of regions 0 to 2; those not given are off."""
    pairs = (*pairs, *[(OFF, 0)] * (3 - len(pairs)))
    p.lines += ["csrw pmpcfg0, x0"]
    p.lines += [line for i, (_, address) in enumerate(pairs) for line in (f"li t0, 0x{address:x}", f"csrw pmpaddr{i}, t0")]
    p.lines += [f"li t0, 0x{sum(config << 8 * i for i, (config, _) in enumerate(pairs)):x}", "csrw pmpcfg0, t0", "sfence.vma"]


def accesses(address, rwx, modes=(S_MODE, U_MODE), kinds=KINDS, bits=0, fixed=False):
    """Each kind from each mode, where these rights hold. A fetch goes to the code of the page. fixed: M mode cannot write
    there, INITIAL is set already."""
    rows = []
    for mode, kind in itertools.product(modes, kinds):
        at, good = address & ~0xFFF | CODE if kind == "fetch" else address, rwx & NEEDS[kind]
        rows += [row(kind, at, mode, None if good else fault(kind), pa=None if fixed else at, bits=bits, distance=0)]
    return rows


def fill(p, pages):
    for address in sorted({each & ~0xFFF for each in pages}):
        p.lines += code_at(address + CODE)
    p.lines += ["fence.i"]


def begin(p):
    p.lines += [ATTEMPT, "csrw satp, x0", "li t0, -1", "csrw pmpaddr2, t0", "csrr t0, pmpaddr2", "beqz t0, pass"]


def registers(p):
    """What can be written, and reads back."""
    for i in range(3):

        def config(value, expected, i=i):
            rest = f"li a1, 0x{value << 8 * i:x}"
            p.check("a0", expected, [rest, "csrw pmpcfg0, a1", "csrr a0, pmpcfg0", f"srli a0, a0, {8 * i}", "andi a0, a0, 0xff", "csrw pmpcfg0, x0"])

        for mode, rwx in itertools.product((0, 1, 2, 3), range(8)):
            rights = rwx & X if rwx & 3 == W else rwx
            config(mode << 3 | rwx | (0x60 if rwx & 1 else 0), (0 if mode == 2 else mode << 3) | rights)  # NA4 is off; W needs R; bits 5 and 6 do not exist
        address = f"pmpaddr{i}"
        for mode, low in ((OFF, 0), (TOR, 0), (NAPOT, 0x1FF)):
            for written in ((1 << 64) - 1, 0, 0x201 << 20 | 0x3FF, 0x20200200, 0x20200400, 0x155555555555555 & EVERYTHING):
                expected = written & EVERYTHING
                expected = expected & ~0x3FF if mode != NAPOT else expected & ~0x1FF | low
                p.check(
                    "a0",
                    expected,
                    [
                        f"li a1, 0x{written:x}",
                        f"csrw {address}, a1",
                        f"li a1, 0x{mode << 8 * i:x}",
                        "csrw pmpcfg0, a1",
                        f"csrr a0, {address}",
                        "csrw pmpcfg0, x0",
                    ],
                )
    # The hidden bits are kept.
    p.check(
        "a0",
        0x20200123 | 0x1FF,
        [
            "li a1, 0x20200123",
            "csrw pmpaddr0, a1",
            "csrr a2, pmpaddr0",
            "li a3, 0x20200000",
            "bne a2, a3, fail",
            f"li a1, {NAPOT}",
            "csrw pmpcfg0, a1",
            "csrr a0, pmpaddr0",
            "csrw pmpcfg0, x0",
        ],
    )


def pmp(p):
    begin(p)
    registers(p)
    other = [AREA - 0x1000, AREA, AREA + 0x1000, AREA + 0x2000, AREA + 0xF000, AREA + 0x10000, AREA + 0x1FF000, AREA + 0x200000]
    fill(p, [*other, AREA + 0x7FF000])
    rest = (OPEN, EVERYTHING)
    # One page, all existing rights; its first and last words, and its neighbours.
    for rwx in (0, R, X, R | X, R | W, R | W | X):
        regions(p, (NAPOT | rwx, napot(AREA, 0x1000)), rest)
        tries(p, [each for offset in (0, 0xFF8) for each in accesses(AREA + offset, rwx)])
        tries(p, accesses(AREA - 8, 7) + accesses(AREA + 0x1000, 7))
        # M mode is not held by it, unless it takes on another mode for its data.
        tries(p, accesses(AREA, 7, (M_MODE,)))
        tries(p, [each for mode in (S_MODE, U_MODE) for each in accesses(AREA, rwx, (M_MODE,), ("load", "store", "amo"), bits=MPRV | mode << 11)])
        tries(p, accesses(AREA, 7, (M_MODE,), ("load", "lr"), bits=MPRV | MPP))
    # Larger ones end where they say; smaller ones are a page.
    for size in (8, 0x800, 0x1000, 0x2000, 0x10000, 0x200000):
        real = max(size, 0x1000)
        regions(p, (NAPOT | R, napot(AREA, size)), rest)
        tries(p, accesses(AREA, R) + accesses(AREA + real - 8, R) + accesses(AREA + real, 7) + accesses(AREA - 8, 7))
    regions(p, (NAPOT | R, AREA >> 2 | 0x200), rest)  # bits 8 to 0 count as ones: 8 KiB
    tries(p, accesses(AREA + 0x1000, R) + accesses(AREA, R) + accesses(AREA + 0x2000, 7))
    # Top of range: from the register below, which counts even if its region is off.
    for below in (OFF, NAPOT | R | W | X, TOR | R | W | X):
        regions(p, (below, AREA >> 2), (TOR | R, (AREA + 0x10000) >> 2), rest)
        tries(
            p,
            accesses(AREA - 8, 7)
            + accesses(AREA, 7 if below & NAPOT == NAPOT else R)
            + accesses(AREA + 0x1000, R)
            + accesses(AREA + 0xFFF8, R)
            + accesses(AREA + 0x10000, 7),
        )
    # Low bits do not count; top not above base: nothing; region 0 begins at 0.
    regions(p, (OFF, AREA >> 2 | 0x3FF), (TOR, (AREA + 0x1000) >> 2 | 0x3FF), rest)
    tries(p, accesses(AREA - 8, 7) + accesses(AREA, 0) + accesses(AREA + 0x1000, 7))
    for base, top in ((AREA, AREA), (AREA + 0x1000, AREA), (AREA, 0)):
        regions(p, (OFF, base >> 2), (TOR, top >> 2), rest)
        tries(p, accesses(AREA, 7) + accesses(AREA - 8, 7))
    regions(p, (TOR | R | X, (AREA + 0x1000) >> 2), rest)  # the program is in it, too
    tries(p, accesses(AREA + 0xFF8, R | X) + accesses(AREA + 0x1000, 7))
    # The lowest-numbered region that holds the page decides, whether it gives or takes.
    for first, second in ((R | W | X, 0), (0, R | W | X), (X, R | W), (R | W, X), (R, R | W | X)):
        regions(p, (NAPOT | first, napot(AREA, 0x1000)), (NAPOT | second, napot(AREA, 0x10000)), rest)
        tries(p, accesses(AREA, first) + accesses(AREA + 0x1000, second) + accesses(AREA + 0x10000, 7))
        regions(p, (NAPOT | first, napot(AREA, 0x10000)), (NAPOT | second, napot(AREA, 0x1000)), rest)
        tries(p, accesses(AREA, first) + accesses(AREA + 0x1000, first))
    # Without a region that matches, S and U mode have nothing: not even the next instruction.
    data = ("load", "store", "amo", "lr", "sc")
    for setting in ((), ((NAPOT | R | W | X, napot(AREA, 0x1000)),), ((OFF | R | W | X, EVERYTHING),)):
        regions(p, *setting)
        tries(p, [each for mode in (S_MODE, U_MODE) for each in accesses(AREA + 0x1000, 0, (M_MODE,), data, bits=MPRV | mode << 11)])
        tries(p, accesses(AREA + 0x1000, 7, (M_MODE,)))
        for mode in (S_MODE, U_MODE):
            p.lines += [
                "addi s0, s0, 1",
                "li a3, 0",
                f"li a4, {mode << 11}",
                "li a5, 0",
                "jal ra, attempt",
                "li t5, 1",
                "bne s4, t5, fail",
                "bne s5, s9, fail",
                "bne s6, s9, fail",
            ]
    # A fetch that goes on to a page that is closed; and a write of the registers is enough, without a fence.
    regions(p, (NAPOT | R, napot(AREA + 0x1000, 0x1000)), rest)
    p.lines += [f"li t0, 0x{AREA + 0xFFE:x}", "li t1, 0x0593", "sh t1, 0(t0)", f"li t0, 0x{AREA + 0x1000:x}", "li t1, 0x730123", "sw t1, 0(t0)", "fence.i"]
    tries(p, [row("fetch", AREA + 0xFFE, mode, 1, tval=AREA + 0x1000, distance=0) for mode in (S_MODE, U_MODE)])
    regions(p, rest)
    for opened in (0, 1, 0, 1):
        p.lines += [
            f"li t0, 0x{napot(AREA, 0x1000):x}",
            "csrw pmpaddr0, t0",
            f"li t0, 0x{(NAPOT | (R if opened else 0)) | OPEN << 8:x}",
            "li t1, -1",
            "csrw pmpaddr1, t1",
            "csrw pmpcfg0, t0",
        ]
        enter(p, S_MODE)
        p.lines += [
            "addi s0, s0, 1",
            "la s3, 1f",
            f"li a0, 0x{AREA:x}",
            "ld a1, 0(a0)",
            "ecall",
            "1: li s8, 0",
            f"li t5, {9 if opened else 5}",
            "bne s4, t5, fail",
        ]
    locks(p)


def locks(p):
    """Last, for nothing but a reset opens a lock. Region 2: everything; region 1: TOR from AREA, 64 KiB, R and X; then
    region 0: AREA's page, R."""
    low, high = AREA >> 2 | 0x1FF, (AREA + 0x10000) >> 2
    p.lines += [line for offset in (8, 0x1008, 0xF008) for line in put(AREA + offset, INITIAL)]
    regions(p, (OFF, low), (OFF, 0), (OPEN | L, EVERYTHING))
    for address in (0x12345 << 10, high):  # a region below a lock is locked with it only by TOR
        p.check("a0", address, [f"li t0, 0x{address:x}", "csrw pmpaddr1, t0", "csrr a0, pmpaddr1"])
    config = OFF | (TOR | R | X | L) << 8 | (OPEN | L) << 16
    p.lines += [f"li t0, 0x{config & 0xFFFF:x}", "csrw pmpcfg0, t0", "csrw pmpaddr2, x0", "sfence.vma"]

    def still(expected):
        p.check("a0", expected, ["li t0, 0xffffff", "csrr a0, pmpcfg0", "and a0, a0, t0"])
        p.check("a0", high, ["csrr a0, pmpaddr1"])
        p.check("a0", EVERYTHING, ["csrr a0, pmpaddr2"])
        p.check("a0", low & ~0x3FF if not expected & 0x10 else low, ["csrr a0, pmpaddr0"])

    still(config)
    for text in ("csrw pmpaddr0, t0", "csrw pmpaddr1, t0", "csrs pmpaddr0, t0", "csrc pmpaddr1, t0", "csrs pmpaddr1, t0"):
        p.lines += ["li t0, 0x10203ff", text]
        still(config)
    for value in (config ^ 0x8000, config & ~0xFF00, config ^ 0x0F00):  # its byte only
        p.lines += [f"li t0, 0x{value:x}", "csrw pmpcfg0, t0"]
        still(config)
    everybody = (M_MODE, S_MODE, U_MODE)
    tries(
        p,
        accesses(AREA - 8, 7, everybody)
        + accesses(AREA + 8, R | X, everybody, fixed=True)
        + accesses(AREA + 0xF008, R | X, everybody, fixed=True)
        + accesses(AREA + 0x10000, 7, everybody),
    )
    # Region 0 can still be turned on, at the address that it has; while it is open it comes first, and M mode may do all.
    for first in (NAPOT | R | W | X, NAPOT, NAPOT | R):
        p.lines += [f"li t0, 0x{config & ~0xFF | first:x}", "csrw pmpcfg0, t0", "sfence.vma"]
        still(config & ~0xFF | first)
        tries(p, accesses(AREA + 8, 7, (M_MODE,)) + accesses(AREA + 8, first & 7) + accesses(AREA + 0x1008, R | X, everybody, fixed=True))
    # Locked, too.
    p.lines += put(AREA + 8, INITIAL)
    config = config & ~0xFF | NAPOT | R | L
    p.lines += [f"li t0, 0x{config:x}", "csrw pmpcfg0, t0", "sfence.vma"]
    still(config)
    p.lines += [f"li t0, 0x{config & ~0xFFFF:x}", "csrw pmpcfg0, t0", "csrw pmpaddr0, x0", "csrw pmpaddr1, x0"]
    still(config)
    tries(p, accesses(AREA + 8, R, everybody, fixed=True) + accesses(AREA + 0x1008, R | X, everybody, fixed=True))
    tries(p, accesses(AREA + 8, R, (M_MODE,), ("load", "store", "amo"), bits=MPRV | MPP, fixed=True))


# ---- counter overflow ----
def lcofi_s(p):
    """A counter that overflows in S or U mode interrupts S mode, which clears the request. Where no counter counts, software asks."""
    begin_s(p)
    p.lines += [f"li t0, {1 << LCOFI}", "csrw mideleg, t0", "csrw mie, t0", "li t0, -1", "csrw mcounteren, t0"]
    minstret_like = 2  # event: instructions retired
    for mode, sie, vectored in ((S_MODE, 1, 0), (S_MODE, 1, 1), (U_MODE, 0, 0), (U_MODE, 1, 1)):
        after = p.label("after")
        p.lines += [
            f"la t0, s_vectors + {vectored}",
            "csrw stvec, t0",
            "csrw mip, x0",
            "li t0, -40",
            "csrw mhpmcounter3, t0",
            f"li t0, 0x{1 << 62 | minstret_like:x}",
            "csrw mhpmevent3, t0",
            f"la s3, {after}",
        ]
        enter(p, mode, sie << 1)
        p.lines += ["li a0, 300", "1: addi a0, a0, -1", "bnez a0, 1b", "j 2f", "2: ecall"]  # no counter: by software
        p.lines += [
            f"{after}:",
            "li s8, 0",
            "bnez tp, 3f",
            "csrr t0, mhpmcounter3",
            "li t1, -40",
            "bne t0, t1, fail",
            f"li t0, {1 << LCOFI}",
            "csrw mip, t0",
            f"li t0, 0x{1 << 63 | 1 << 62 | minstret_like:x}",
            "csrw mhpmevent3, t0",
            "la s3, 3f",
        ]
        enter(p, mode, sie << 1)
        p.lines += ["nop", "ecall", "3: li s8, 0"]
        p.check("tp", 1, [])
        p.check("s2", 1 << 63 | LCOFI, [])
        p.check("s9", 0, [])
        p.check("gp", LCOFI if vectored else -1, [])
        p.check("ra", (SPP if mode == S_MODE else 0) | (SPIE if sie else 0), ["li t5, 0x122", "and ra, ra, t5"])
        p.check("a0", 8, ["csrr a0, 0xda0"])
        p.check("a0", 1 << LCOFI, ["csrr a0, sip"])
        enter(p, S_MODE)
        p.check("a0", 0, [f"li a1, {1 << LCOFI}", "csrc sip, a1", "csrr a0, sip"])
        p.lines += ["la s3, 1f", "ecall", "1: li s8, 0"]
        p.check("a0", 0, ["csrr a0, mip"])
        p.check("a0", 8, ["csrr a0, 0xda0"])  # OF stays, and keeps further requests away
        p.lines += ["csrw mhpmevent3, x0"]


PROGRAMS = {"pmp": pmp, "lcofi_s": lcofi_s}
