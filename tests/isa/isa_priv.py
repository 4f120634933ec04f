"""Supervisor mode in the ISA tests, without translation: what is delegated to S mode, its CSRs, what it may execute, and
physical memory protection. Expected values are written out by hand after the privileged manual.

Registers beside those of isa_system.py, set by the handler of S mode (supervisor_handler), which goes on to M mode:
    tp           times that it has been entered: 0: the trap went to M mode at once
    s2, s9, s10  scause, stval, sepc as it found them;  ra: sstatus
    gp           entry of the vectored table that was taken, -1: the base
    s1           1: it leaves by ebreak instead of ecall
"""
import itertools

from isa_system import MPP, MSIP, MTIMECMP, UNTOUCHED
from isa_vm import leave, supervisor_check

S_MODE, U_MODE, M_MODE = 1, 0, 3
SIE, SPIE, SPP, MIE, TVM, TW, TSR = 1 << 1, 1 << 5, 1 << 8, 1 << 3, 1 << 20, 1 << 21, 1 << 22
SSI, MSI, STI, MTI, SEI, MEI, LCOFI = 1, 3, 5, 7, 9, 11, 13
ORDER = (SEI, SSI, STI, LCOFI)

HANDLER = """
    j after_handler
    .balign 64
    .option push
    .option norvc
s_vectors:
    j s_exception
    .irp number, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
    j s_vector_\\number
    .endr
    .option pop
    .irp number, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
s_vector_\\number:
    li gp, \\number
    j s_common
    .endr
    .balign 4
s_exception:
    li gp, -1
s_common:
    addi tp, tp, 1
    csrr s2, scause
    csrr s9, stval
    csrr s10, sepc
    csrr ra, sstatus
    bnez s1, 1f
    ecall
1:  ebreak
after_handler:
    li s1, 0"""


def begin(p, vectored=0):
    p.lines += [HANDLER, f"la t0, s_vectors + {vectored}", "csrw stvec, t0"]


def enter(p, mode, bits=0):
    """Goes on in the mode with these bits of mstatus on, which are off otherwise."""
    inside = p.label("inside")
    p.lines += [
        "li s8, 1",
        "li tp, 0",
        "li gp, -2",
        f"la t6, {inside}",
        "csrw mepc, t6",
        f"li t6, 0x{MPP | SIE | SPIE | SPP | TVM | TW | TSR | 1 << 7:x}",
        "csrc mstatus, t6",
        f"li t6, 0x{bits | mode << 11:x}",
        "csrs mstatus, t6",
        "mret",
        f"{inside}:",
    ]
    return inside


def trapped(p, mode, cause, tval, before, text, delegated=0, sie=0, epc=None, bits=0):
    """The instruction traps from the mode: to S if it is delegated, and M sees only the handler's ecall; else to M.
    tval: a number, 'a0', 'pc', 'insn'."""
    enter(p, mode, sie * SIE | bits)
    if not delegated:
        p.expect_trap(cause, tval, before, text, epc)
        p.check("tp", 0, [])
        p.check("s7", mode << 11, [f"li t5, 0x{MPP:x}", "and s7, s7, t5"])
        p.lines += ["li s8, 0"]
        return
    here, after = p.label("traps"), p.label("after")
    p.lines += [
        "addi s0, s0, 1",
        *before,
        f"li a1, {UNTOUCHED}",
        f"la s3, {after}",
        ".option push",
        ".option norvc",
        f"{here}: {text}",
        "j fail",
        ".option pop",
        f"{after}:",
        "li s8, 0",
    ]
    p.check("tp", 1, [])
    p.check("gp", -1, [])
    p.check("s2", cause, [])
    where = [f"la t6, {here}"] if epc is None else [f"li t6, 0x{epc:x}"]
    p.check("t6", 0, [*where, "xor t6, t6, s10"])
    bits = {"pc": ["mv t6, s10"], "a0": ["mv t6, a0"], "insn": [f"la t5, {here}", "lhu t6, 2(t5)", "lhu t5, 0(t5)", "slli t6, t6, 16", "or t6, t6, t5"]}.get(
        tval
    )
    p.check("t6", 0, [*(bits or [f"li t6, 0x{tval:x}"]), "xor t6, t6, s9"])
    p.check("ra", (SPP if mode == S_MODE else 0) | (SPIE if sie else 0), [f"li t5, 0x{SIE | SPIE | SPP:x}", "and ra, ra, t5"])
    p.check("a1", UNTOUCHED, [])
    p.check("s4", 9, [])  # of the handler's ecall, in S mode
    p.check("s7", S_MODE << 11, [f"li t5, 0x{MPP:x}", "and s7, s7, t5"])


# cause, tval, lines before, instruction; epc if it is not the instruction's address
CAUSES = (
    (1, 0x20000, [], "jalr x0, 0(a0)", 0x20000),
    (2, "insn", [], ".word 0xffffffff", None),
    (2, "insn", [], "csrrs a1, mscratch, x0", None),
    (4, "a0", ["addi a0, a0, 1"], "lw a1, 0(a0)", None),
    (5, "a0", [], "ld a1, 0(a0)", None),
    (5, "a0", [], "lr.d a1, (a0)", None),
    (6, "a0", ["addi a0, a0, 2"], "sw a1, 0(a0)", None),
    (6, "a0", ["addi a0, a0, 2"], "amoadd.w a1, a1, (a0)", None),
    (7, "a0", [], "sb a1, 0(a0)", None),
    (7, "a0", [], "sc.w a1, a1, (a0)", None),
    (7, "a0", [], "amoor.d a1, a1, (a0)", None),
    (8, 0, [], "ecall", None),
    (3, "pc", [], "ebreak", None),
)


def delegate_exceptions(p):
    """medeleg: each exception from S and from U, on its own delegated and as the only one that is not; from M never."""
    begin(p)
    for (cause, tval, before, text, epc), mode, others, sie in itertools.product(CAUSES, (S_MODE, U_MODE), (0, 1), (0, 1)):
        if cause == 8 and mode != U_MODE:
            continue
        before = ["li a0, 0x20000", *before]
        p.lines += [f"la t0, s_vectors + {sie}", "csrw stvec, t0"]  # exceptions go to the base, vectored or not
        rest = 0xB1FF & ~(1 << cause) if others else 0  # not the ecall of S mode
        for delegated in (0, 1) if not sie else (1,):
            p.lines += [f"li t0, 0x{rest | delegated << cause:x}", "csrw medeleg, t0", "csrw scause, x0", "csrw sepc, x0", "csrw stval, x0"]
            trapped(p, mode, cause, tval, before, text, delegated, sie, epc)
            if not delegated:
                for name in ("scause", "sepc", "stval"):
                    p.check("a0", 0, [f"csrr a0, {name}"])
    # M mode's own stay in M, whatever medeleg says.
    p.lines += ["li t0, -1", "csrw medeleg, t0", "li tp, 0"]
    for cause, tval, before, text, epc in CAUSES[:2] + CAUSES[3:-2]:
        p.expect_trap(cause, tval, ["li a0, 0x20000", *before], text, epc)
    p.expect_trap(11, 0, [], "ecall")
    p.check("tp", 0, [])
    # The ecall of S mode itself: the handler leaves by ebreak.
    p.lines += ["li t0, 0x200", "csrw medeleg, t0", "li s1, 1"]
    for sie in (0, 1):
        enter(p, S_MODE, sie * SIE)
        p.lines += ["addi s0, s0, 1", "la s3, 1f", "2: ecall", "j fail", "1: li s8, 0", "la t5, 2b", "bne s10, t5, fail"]
        for register, value in (("s4", 3), ("s2", 9), ("s9", 0), ("tp", 1)):
            p.check(register, value, [])
        p.check("ra", SPP | sie * SPIE, [f"li t5, 0x{SIE | SPIE | SPP:x}", "and ra, ra, t5"])
    p.lines += ["li s1, 0", "csrw medeleg, x0"]
    # sret goes back: SIE from SPIE, SPIE 1, SPP 0; nothing of M's has changed.
    p.lines += [
        "li t0, 0x100",
        "csrw medeleg, t0",
        "la t0, back",
        "csrw stvec, t0",
        "li t0, 0x6543",
        "csrw mepc, t0",
        "csrw mcause, x0",
        "j 1f",
        ".balign 4",
        "back:",
        "addi tp, tp, 1",
        "csrr s10, sepc",
        "addi s10, s10, 4",
        "csrw sepc, s10",
        "csrr ra, sstatus",
        "sret",
        "1:",
    ]
    for sie in (0, 1):
        enter(p, U_MODE, sie * SIE)
        p.check("a1", 0x56, ["li a1, 0x55", ".option push", ".option norvc", "ecall", ".option pop", "addi a1, a1, 1"])
        p.lines += ["addi s0, s0, 1", "la s3, 1f", "csrr a0, sstatus", "j fail", "1: li s8, 0"]
        p.check("s4", 2, [])  # still in U mode
        p.check("tp", 1, [])
        p.check("ra", sie * SPIE, [f"li t5, 0x{SIE | SPIE | SPP:x}", "and ra, ra, t5"])
        p.check("s7", sie * SIE | SPIE, [f"li t5, 0x{SIE | SPIE | SPP | MPP:x}", "and s7, s7, t5"])


# ---- interrupts ----
M_TRAP = """
    j after_m_trap
    .balign 4
m_trap:
    csrr t4, mcause
    bgez t4, exception
    addi s11, s11, 1
    mv a6, t4
    csrr a7, mepc
    csrr a5, mstatus
    csrw mie, x0
    mret
after_m_trap:
    la t0, m_trap
    csrw mtvec, t0"""


def pend(bits):
    lines = [f"li t5, 0x{bits & 0x2222:x}", "csrw mip, t5"]
    lines += [f"li t5, {MSIP}", f"li t6, {bits >> MSI & 1}", "sw t6, 0(t5)", "lw t6, 0(t5)"]
    lines += [f"li t5, {MTIMECMP}", f"li t6, {0 if bits >> MTI & 1 else -1}", "sd t6, 0(t5)", "ld t6, 0(t5)"]
    return [*lines, f"li t5, 0x{bits:x}", "1: csrr t6, mip", "bne t6, t5, 1b"]


def first(bits):
    """The manual's order."""
    return next((code for code in (MEI, MSI, MTI, SEI, SSI, STI, LCOFI) if bits >> code & 1), None)


def interrupt(p, mode, pending, enabled, delegated, sie, mie=0, vectored=0):
    """All is set up in M mode; what is taken is taken right after the mret, before an instruction of the mode."""
    ready = pending & enabled
    to_m = first(ready & ~delegated) if mode != M_MODE or mie else None
    to_s = first(ready & delegated) if to_m is None and (mode == U_MODE or (mode == S_MODE and sie)) else None
    p.lines += [
        "csrw mie, x0",
        f"li t5, 0x{delegated:x}",
        "csrw mideleg, t5",
        *pend(pending),
        "li s11, 0",
        "li s2, 0",
        "li s9, 7",
        "csrw stval, s9",
        f"la t5, s_vectors + {vectored}",
        "csrw stvec, t5",
        f"li t5, 0x{enabled:x}",
        "csrw mie, t5",
        "la s3, 1f",
    ]
    inside = enter(p, mode, sie * SIE | mie << 7)
    p.lines += [".option push", ".option norvc", "nop", "nop", "nop", "ecall", ".option pop", "j fail", "1: li s8, 0", "csrci mstatus, 8", "csrw mie, x0"]
    p.check("tp", int(to_s is not None), [])
    p.check("s11", int(to_m is not None), [])
    if to_m is not None:
        p.check("a6", 1 << 63 | to_m, [])
        p.check("a7", 0, [f"la t6, {inside}", "xor a7, a7, t6"])
        p.check("a5", mode << 11 | mie << 7, [f"li t5, 0x{MPP | MIE | 1 << 7:x}", "and a5, a5, t5"])
    elif to_s is not None:
        p.check("s2", 1 << 63 | to_s, [])
        p.check("s9", 0, [])
        p.check("gp", to_s if vectored else -1, [])
        p.check("s10", 0, [f"la t6, {inside}", "xor s10, s10, t6"])
        p.check("ra", (SPP if mode == S_MODE else 0) | sie * SPIE, [f"li t5, 0x{SIE | SPIE | SPP:x}", "and ra, ra, t5"])
    p.check("s4", {U_MODE: 8, S_MODE: 9, M_MODE: 11}[mode] if to_s is None else 9, [])


def delegate_interrupts(p):
    """mideleg, mie, SIE and MIE: what is taken, from which mode, to which mode, in which order; stvec direct and vectored."""
    begin(p)
    p.lines += [M_TRAP]
    every = (0x2222, 0)
    for code, delegated, mode, sie in itertools.product(ORDER, (1, 0), (S_MODE, U_MODE), (0, 1)):
        bit = 1 << code
        for rest in (0, 1):  # the other bits of mideleg
            interrupt(p, mode, bit, 0x2AAA, delegated * bit | (0x2222 & ~bit if rest else 0), sie)
        interrupt(p, mode, bit, 0x2AAA & ~bit, delegated * bit, sie)  # not enabled
        interrupt(p, mode, bit, bit, delegated * bit, sie, vectored=1)
    for code, delegated, mie in itertools.product(ORDER, every, (0, 1)):  # in M mode: those of M mode if MIE
        interrupt(p, M_MODE, 1 << code, 0x2AAA, delegated, 1, mie)
    for one, other in itertools.combinations((*ORDER, MSI, MTI), 2):  # two at a time: those for M first, then the order
        both = 1 << one | 1 << other
        for delegated in (0x2222, 0, 0x2222 & ~(1 << one), 0x2222 & ~(1 << other)):
            for mode, sie, mie in ((S_MODE, 1, 0), (U_MODE, 0, 0), (S_MODE, 0, 0), (M_MODE, 1, 1)):
                interrupt(p, mode, both, both, delegated, sie, mie, vectored=one & 1)
    for mode in (S_MODE, U_MODE, M_MODE):  # all, and one less each time
        left = 0x22AA
        while left:
            interrupt(p, mode, left, 0x2AAA, 0x2222, 1, 1, vectored=1)
            left &= ~(1 << first(left))
    # sie and sip: mie and mip where mideleg has ones; SSIP and LCOFIP can be written there, STIP and SEIP cannot.
    p.lines += ["csrw mie, x0", *pend(0), "csrci mstatus, 8"]
    for mask in (0, 0x2, 0x20, 0x200, 0x2000, 0x2002, 0x220, 0x2222):
        p.lines += [f"li t5, 0x{mask:x}", "csrw mideleg, t5"]
        p.check("a0", 0, ["csrw mie, x0", "csrr a0, sie"])
        p.check("a0", mask, ["li a1, 0x2aaa", "csrw mie, a1", "csrr a0, sie"])
        supervisor_check(p, "a0", mask, ["csrr a0, sie"])
        for before, after in ((0, mask), (0x2AAA, 0x2AAA)):
            p.check("a0", after, [f"li a1, 0x{before:x}", "csrw mie, a1", "li a1, -1", "csrw sie, a1", "csrr a0, mie"])
        p.check("a0", 0x2AAA & ~mask, ["li a1, 0x2aaa", "csrw mie, a1", "csrw sie, x0", "csrr a0, mie"])
        p.check("a0", 0x888 | mask, ["li a1, 0x888", "csrw mie, a1", "li a1, -1", "csrs sie, a1", "csrr a0, mie", "csrw mie, x0"])
        p.check("a0", mask, ["li a1, 0x2222", "csrw mip, a1", "csrr a0, sip"])
        p.check("a0", 0x2222 & ~(mask & 0x2002), ["csrw sip, x0", "csrr a0, mip"])
        p.check("a0", mask & 0x2002, ["csrw mip, x0", "li a1, -1", "csrw sip, a1", "csrr a0, mip"])
        p.check("a0", 0, ["csrc sip, a1", "csrr a0, mip"])
        supervisor_check(p, "a0", mask & 0x2002, ["li a1, -1", "csrs sip, a1", "csrr a0, sip"])
        supervisor_check(p, "a0", 0, ["li a1, -1", "csrrc x0, sip, a1", "csrr a0, sip"])
    # wfi ends when an enabled interrupt is pending, whatever SIE says.
    p.lines += ["li t5, 0x2222", "csrw mideleg, t5"]
    for code in ORDER:
        p.lines += [*pend(1 << code), f"li t5, {1 << code}", "csrw mie, t5", "csrci sstatus, 2"]
        supervisor_check(p, "a0", 3, ["li a0, 2", "wfi", "addi a0, a0, 1"])
        p.check("tp", 0, ["csrw mie, x0", "li tp, 0"])
    # S mode asks itself: its own software interrupt, taken within its own program.
    p.lines += [*pend(0), "li t5, 2", "csrw mie, t5"]
    enter(p, S_MODE, SIE)
    p.lines += ["addi s0, s0, 1", "la s3, 1f", "li a0, 100", "csrsi sip, 2", "2: addi a0, a0, -1", "bnez a0, 2b", "j fail", "1: li s8, 0"]
    p.check("s2", 1 << 63 | SSI, [])
    p.check("tp", 1, ["csrw mie, x0", *pend(0)])


# ---- what S and U mode may execute ----
M_CSRS = (
    "mstatus",
    "misa",
    "medeleg",
    "mideleg",
    "mie",
    "mtvec",
    "mcounteren",
    "0x30a",
    "mscratch",
    "mepc",
    "mcause",
    "mtval",
    "mip",
    "pmpcfg0",
    "pmpcfg2",
    "pmpaddr0",
    "pmpaddr15",
    "mcycle",
    "minstret",
    "mhpmcounter3",
    "mhpmevent3",
    "mcountinhibit",
    "mvendorid",
    "mhartid",
    "0xf15",
    "0x7c0",
)
S_CSRS = ("sstatus", "sie", "stvec", "scounteren", "0x10a", "sscratch", "sepc", "scause", "stval", "sip", "satp")


def traps(p):
    """Instructions and CSRs that a mode may not use, with TVM, TW and TSR; what sstatus shows."""
    begin(p)
    p.lines += ["csrw scounteren, x0"]
    for name in M_CSRS:
        trapped(p, S_MODE, 2, "insn", [], f"csrrs a1, {name}, x0")
    for name in (*S_CSRS, "0xda0"):
        trapped(p, U_MODE, 2, "insn", [], f"csrrs a1, {name}, x0")
        supervisor_check(p, "a0", 0, [f"csrr a0, {name}", "li a0, 0"])
    trapped(p, S_MODE, 2, "insn", [], "csrrw a1, 0xda0, a1")
    # SRET, WFI, SFENCE.VMA, satp: the bit that forbids each, all other bits on or off.
    fall = ["la t5, 2f", "csrw sepc, t5", "li t5, 0x100", "csrs sstatus, t5"]
    for text, bit, before, after in (
        ("sret", TSR, fall, "2:"),
        ("wfi", TW, ["csrsi sip, 2"], ""),
        ("sfence.vma", TVM, [], ""),
        ("sfence.vma a1, a0", TVM, [], ""),
        ("csrrs a1, satp, x0", TVM, [], ""),
        ("csrrw a1, satp, x0", TVM, [], ""),
        ("csrrwi x0, satp, 0", TVM, [], ""),
    ):
        others = (TSR | TW | TVM) & ~bit
        for more in (0, others):
            trapped(p, S_MODE, 2, "insn", [], text, bits=bit | more)
            p.lines += ["li t5, 2", "csrw mideleg, t5", "csrw mie, t5"]  # for the wfi that is allowed
            enter(p, S_MODE, more)
            p.check("a0", 0x31, ["li a0, 0x30", *before, text, after, "addi a0, a0, 1"])
            leave(p)
            p.check("s7", S_MODE << 11, [f"li t5, 0x{MPP:x}", "and s7, s7, t5", "csrw mie, x0", "csrw mip, x0", "csrw mideleg, x0"])
        # M mode may, U mode may not.
        p.lines += [f"li t5, 0x{TSR | TW | TVM:x}", "csrs mstatus, t5"]
        if text != "sret":
            p.check("a0", 0x31, ["li t5, 2", "csrw mie, t5", "csrw mip, t5", "li a0, 0x30", text, "addi a0, a0, 1", "csrw mip, x0", "csrw mie, x0"])
        else:
            p.check(
                "s4",
                9,
                [
                    "la t5, 2f",
                    "csrw sepc, t5",
                    "li t5, 0x100",
                    "csrs mstatus, t5",
                    "la s3, 3f",
                    "li s8, 1",
                    "sret",
                    "j fail",
                    "2: ecall",
                    "j fail",
                    "3: li s8, 0",
                ],
            )
        p.lines += [f"li t5, 0x{TSR | TW | TVM:x}", "csrc mstatus, t5"]
        for more in (0, TSR | TW | TVM):
            trapped(p, U_MODE, 2, "insn", [], text, bits=more)
    for mode in (S_MODE, U_MODE):
        trapped(p, mode, 2, "insn", [], "mret")
        trapped(p, mode, 2, "insn", [], ".word 0x00200073")  # uret
    # sret from S to U and to S; mstatus afterwards.
    for spp, spie in itertools.product((0, 1), (0, 1)):
        enter(p, S_MODE)
        p.lines += [
            "addi s0, s0, 1",
            "la t5, 2f",
            "csrw sepc, t5",
            f"li t5, 0x{SPP | SPIE:x}",
            "csrc sstatus, t5",
            f"li t5, 0x{spp * SPP | spie * SPIE:x}",
            "csrs sstatus, t5",
            "la s3, 3f",
            "sret",
            "j fail",
            "2: ecall",
            "j fail",
            "3: li s8, 0",
        ]
        p.check("s4", 9 if spp else 8, [])
        p.check("s7", SPIE | spie * SIE | spp << 11, [f"li t5, 0x{MPP | SPP | SPIE | SIE:x}", "and s7, s7, t5"])
    # sstatus: some bits of mstatus and no others.
    visible = 0xC0122
    fs = [f"li t6, 0x{1 << 63 | 0x6000:x}", "or a0, a0, t6", "xor a0, a0, t6"]  # FS and SD: as there is floating point or not
    p.check("a0", 2 << 32 | visible, ["li a1, 0x7e79a2", "csrs mstatus, a1", "csrr a0, sstatus", *fs])
    p.check("a0", 2 << 32, ["csrw sstatus, x0", "csrr a0, sstatus", *fs])
    p.check("a0", 10 << 32 | 0x7E79A2 & ~visible & ~0x6000, ["csrr a0, mstatus", *fs])
    p.lines += [f"li t5, 0x{MPP:x}", "csrs mstatus, t5"]
    # Counters: S mode needs mcounteren, U mode scounteren, too.
    for name, bit in (("cycle", 0), ("time", 1), ("instret", 2), ("hpmcounter3", 3), ("hpmcounter31", 31)):
        for m, s in itertools.product((0, 1), (0, 1)):
            # the other bits are the contrary
            p.lines += [
                f"li t5, 0x{m << bit if m else 0xFFFFFFFF ^ 1 << bit:x}",
                "csrw mcounteren, t5",
                f"li t5, 0x{s << bit if s else 0xFFFFFFFF ^ 1 << bit:x}",
                "csrw scounteren, t5",
            ]
            for mode, good in ((S_MODE, m), (U_MODE, m and s)):
                if good:
                    enter(p, mode)
                    p.check("a1", 0, [f"csrr a1, {name}", "li a1, 0"])
                    leave(p)
                else:
                    trapped(p, mode, 2, "insn", [], f"csrrs a1, {name}, x0")
    # scountovf shows S mode what mcounteren has bits for, M mode all.
    few = p.label("few")  # not all counters exist
    p.lines += [
        f"li t5, 0x{1 << 63:x}",
        *(f"csrw mhpmevent{i}, t5" for i in (3, 4, 31)),
        "csrr t5, mhpmevent31",
        f"beqz t5, {few}",
        "li t5, 0x80000010",
        "csrw mcounteren, t5",
    ]
    p.check("a0", 0x80000018, ["csrr a0, 0xda0"])
    supervisor_check(p, "a0", 0x80000010, ["csrr a0, 0xda0"])
    p.lines += [f"{few}:", *(f"csrw mhpmevent{i}, x0" for i in (3, 4, 31))]
    p.check("a0", 10 << 32 | visible, ["csrci mstatus, 8", "li a1, 0x7e79a2", "csrc mstatus, a1", "li a1, -1", "csrw sstatus, a1", "csrr a0, mstatus", *fs])
    p.lines += ["li t5, 0x20000", "csrc mstatus, t5"]
    supervisor_check(p, "a0", 2 << 32, ["csrw sstatus, x0", "csrr a0, sstatus"])


PROGRAMS = {"vm_delegate": delegate_exceptions, "vm_interrupts": delegate_interrupts, "vm_traps": traps}
