"""Control transfer records in the ISA tests (Smctr, Ssctr): types, filters, modes, clearing, wrap, freezing, call stacks, access.

Expected records are written out by hand after the specification. Where there are none (mctrctl is illegal: the
ISS alone, and cores without profile.ctr_depth) there is nothing to test: tests/unit/gen says which cores have them.
"""
from isa_priv import S_MODE, U_MODE, trapped
from isa_vm import supervisor_check

SISELECT, SIREG, SIREG2, SIREG3, SIREG4 = 0x150, 0x151, 0x152, 0x153, 0x155
SCTRCTL, SCTRSTATUS, SCTRDEPTH, MCTRCTL = 0x14E, 0x14F, 0x15F, 0x34E
U, S, M, RASEMU, STE, MTE, BPFRZ, LCOFIFRZ = (1 << bit for bit in (0, 1, 2, 7, 8, 9, 11, 12))
EXCINH, _INTRINH, TRETINH, NTBREN, TKBRINH = (1 << bit for bit in range(33, 38))
JUMPS = 0xFF << 40  # all inhibits of types 8 to 15
FROZEN, SCTRCLR = 1 << 31, ".word 0x10400073"
EXCEPTION, INTERRUPT, TRAP_RETURN, NOT_TAKEN, TAKEN = range(1, 6)
INHIBIT = {TAKEN: TKBRINH, **{kind: 1 << (32 + kind) for kind in range(8, 16)}}

# One transfer of each type, in 32 and in 16 bits; each source at a label of its own. Called with mctrctl in a7, returns by s2: neither
# is recorded.
BODY = """
    j after_body
    .option push
    .option norvc
body:
    csrw mctrctl_, a7
src_0: beq x0, x0, dst_0
    nop
dst_0: la a2, dst_2
src_1: bne x0, x0, fail
not_1:
src_2: jalr x0, 0(a2)
    j fail
dst_2: la a2, dst_3
src_3: jalr ra, 0(a2)
    j fail
dst_3: la ra, dst_4
src_4: jalr t0, 0(ra)
    j fail
dst_4: la a2, dst_5
src_5: jalr a3, 0(a2)
    j fail
dst_5:
src_6: jal a3, dst_6
    j fail
dst_6:
src_7: jal ra, dst_7
    j fail
dst_7: la ra, dst_8
src_8: jalr x0, 0(ra)
    j fail
dst_8:
src_9: jal x0, dst_9
    j fail
    .option rvc
    .balign 4
dst_9: li a0, 0
    c.nop
src_10: c.beqz a0, dst_10
    c.nop
dst_10: la t0, dst_11
src_11: c.jr t0
    c.nop
dst_11: la t0, dst_12
src_12: c.jalr t0
    c.nop
dst_12: la a0, dst_13
src_13: c.jalr a0
    c.nop
dst_13:
src_14: c.j dst_14
    c.nop
dst_14: la a0, dst_15
src_15: c.jr a0
    c.nop
dst_15:
    csrw mctrctl_, x0
    jr s2
    .option pop
after_body:""".replace(
    "mctrctl_", str(MCTRCTL)
)
TYPES = (TAKEN, NOT_TAKEN, 10, 8, 12, 14, 15, 9, 13, 11, TAKEN, 13, 12, 8, 11, 10)


def select(i):
    return [f"li t6, {0x200 + i}", f"csrw {SISELECT}, t6"]


def register(p, number, label, bit):
    """sireg or sireg2 of the selected entry is the label's address (None: 0), and that in bit 0."""
    where = [f"la t6, {label}"] if label else ["li t6, 0"]
    p.check("a0", bit, [f"csrr a0, {number}", *where, "sub a0, a0, t6"])


def record(p, i, source, target, kind):
    p.lines += select(i)
    register(p, SIREG, source, 1)
    where = [f"la t6, {target}"] if target else ["li t6, 0"]
    p.check("a0", 0, [f"csrr a0, {SIREG2}", "andi a0, a0, -2", *where, "sub a0, a0, t6"])
    p.check("a0", kind, [f"csrr a0, {SIREG3}", "andi a0, a0, 15"])
    p.check("a0", 0, [f"csrr a0, {SIREG4}"])


def is_empty(p, i):
    p.lines += select(i)
    for number in (SIREG, SIREG2, SIREG3):
        p.check("a0", 0, [f"csrr a0, {number}"])


def call_body(p, control):
    back = p.label("back")
    p.lines += [SCTRCLR, f"li a7, 0x{control:x}", f"la s2, {back}", "j body", f"{back}:"]


def types(p):
    p.lines += [BODY]
    for inhibited in (None, NOT_TAKEN, *INHIBIT):
        call_body(p, M | (0 if inhibited == NOT_TAKEN else NTBREN) | INHIBIT.get(inhibited, 0))
        expected = [(f"src_{k}", "not_1" if kind == NOT_TAKEN else f"dst_{k}", kind) for k, kind in enumerate(TYPES) if kind != inhibited]
        for i, row in enumerate(reversed(expected)):
            record(p, i, *row)
        for i in range(len(expected), 16):
            is_empty(p, i)
    call_body(p, S | U)  # not of this mode
    is_empty(p, 0)
    p.lines += [f"li t6, 0x{FROZEN:x}", f"csrs {SCTRSTATUS}, t6"]
    call_body(p, M)
    is_empty(p, 0)
    p.check("a0", FROZEN, [f"csrr a0, {SCTRSTATUS}", f"li t6, 0x{FROZEN:x}", "and a0, a0, t6", f"csrc {SCTRSTATUS}, t6"])


def cycles(p):
    """CCV is 0 in the first record behind sctrclr or a write of mctrctl; else CC is what mcycle says, within what reading it takes."""
    p.lines += [
        SCTRCLR,
        f"csrwi {MCTRCTL}, {M}",
        "j 1f",
        "nop",
        "1: csrr s9, mcycle",
        "li a2, 77777777",
        "li a3, 3",
        "div a2, a2, a3",
        "div a2, a2, a3",
        "csrr s10, mcycle",
        "j 1f",
        "nop",
        f"1: csrwi {MCTRCTL}, 0",
        "sub s10, s10, s9",
    ]
    p.check("a0", 0, [*select(1), f"csrr a0, {SIREG3}", "li t6, 0xffff8000", "slli t6, t6, 32", "srli t6, t6, 32", "and a0, a0, t6"])
    p.check("a0", 1, [*select(0), f"csrr a0, {SIREG3}", "srli a1, a0, 16", "srli a0, a0, 15", "andi a0, a0, 1"])
    p.check("a0", 1, ["sltu a0, a1, s10", "xori a0, a0, 1"])  # no fewer than between the two reads
    p.check("a0", 1, ["addi a2, s10, 100", "sltu a0, a1, a2"])
    # A long time: exponent 1 and more; a record an iteration would end it, so the loop is not recorded.
    p.lines += [
        f"li a7, 0x{M | TKBRINH:x}",
        f"csrw {MCTRCTL}, a7",
        "j 1f",
        "nop",
        "1: csrr s9, mcycle",
        "li a2, 20000",
        "2: addi a2, a2, -1",
        "bnez a2, 2b",
        "csrr s10, mcycle",
        "j 1f",
        "nop",
        f"1: csrwi {MCTRCTL}, 0",
        "sub s10, s10, s9",
        *select(0),
        f"csrr a0, {SIREG3}",
        "srli a0, a0, 16",
        "srli a1, a0, 12",
        "beqz a1, fail",
        "addi a1, a1, -1",
        "slli a0, a0, 52",
        "srli a0, a0, 52",
        "li a2, 4096",
        "add a0, a0, a2",
        "sll a0, a0, a1",
        "li a2, 1",
        "sll a2, a2, a1",
        "add a2, a2, a0",
        "addi s0, s0, 1",
        "bltu a2, s10, fail",
        "addi s10, s10, 200",
        "bltu s10, a0, fail",
    ]


def wrap(p):
    """A ring of 16: the pointer, and the youngest 16 of 21."""
    p.lines += [
        f"csrwi {SCTRDEPTH}, 0",
        f"csrwi {SCTRSTATUS}, 3",
        SCTRCLR,
        f"csrwi {MCTRCTL}, {M}",
        "li a2, 20",
        "1: addi a2, a2, -1",
        "wrap_src: bnez a2, 1b",
        "wrap_end: j 1f",
        "nop",
        "wrap_behind:",
        f"1: csrwi {MCTRCTL}, 0",
    ]
    p.check("a0", (3 + 20) % 16, [f"csrr a0, {SCTRSTATUS}"])
    record(p, 0, "wrap_end", "wrap_behind", 11)
    for i in range(1, 16):
        p.check("a0", TAKEN, [*select(i), f"csrr a0, {SIREG3}", "andi a0, a0, 15"])
        register(p, SIREG, "wrap_src", 1)
    # What does not exist: ignored; what the specification leaves open is a write of a depth that is too large.
    for i in (16, 255):
        p.lines += [*select(i), "li a1, -1", f"csrw {SIREG}, a1"]
        is_empty(p, i)
    p.check("a0", 0, [f"csrwi {SCTRDEPTH}, 5", f"csrwi {SCTRDEPTH}, 7", f"csrr a0, {SCTRDEPTH}"])
    # If there is a second 16: the first stand where they were; the pointer goes beyond 15.
    p.lines += [f"csrwi {SCTRDEPTH}, 1", f"csrr a0, {SCTRDEPTH}", "beqz a0, 9f", f"csrwi {SCTRSTATUS}, 16"]
    p.check("a0", 16, [f"csrr a0, {SCTRSTATUS}"])
    p.lines += [f"csrwi {MCTRCTL}, {M}", "j 1f", "nop", f"1: csrwi {MCTRCTL}, 0"]
    p.check("a0", 17, [f"csrr a0, {SCTRSTATUS}"])
    p.check("a0", 1, [*select(0), f"csrr a0, {SIREG}", "andi a0, a0, 1"])
    p.lines += [f"csrwi {SCTRDEPTH}, 0", "9:", f"csrwi {SCTRSTATUS}, 0"]


def writes(p):
    """Entries as software writes them: masks; one that was never written is 0 but for that; the pointer moves them."""
    for number, mask in ((SIREG, (1 << 64) - 1), (SIREG2, (1 << 64) - 1), (SIREG3, 0xFFFF800F)):
        p.lines += [SCTRCLR, *select(5)]
        p.check("a0", mask, ["li a1, -1", f"csrw {number}, a1", f"csrr a0, {number}"])
        for other in {SIREG, SIREG2, SIREG3} - {number}:
            p.check("a0", 0, [f"csrr a0, {other}"])
        is_empty(p, 4)
        is_empty(p, 6)
        p.check("a0", mask, [f"csrwi {SCTRSTATUS}, 2", *select(7), f"csrr a0, {number}", f"csrwi {SCTRSTATUS}, 0"])
    p.check("a0", 0, ["li a1, -1", f"csrw {SIREG4}, a1", f"csrr a0, {SIREG4}"])
    mctrctl, sctrctl = 0xFF3E00001B87, 0xFF3E00001983
    p.check("a0", sctrctl, [SCTRCLR, "li a1, -1", f"csrw {MCTRCTL}, x0", f"csrw {SCTRCTL}, a1", f"csrr a0, {MCTRCTL}"])
    p.check("a0", mctrctl & ~4, ["li a1, -5", f"csrw {MCTRCTL}, a1", f"csrr a0, {MCTRCTL}"])
    p.check("a0", sctrctl, [f"csrr a0, {SCTRCTL}"])
    p.check("a0", 0x200, [f"csrw {SCTRCTL}, x0", f"csrr a0, {MCTRCTL}", f"csrw {MCTRCTL}, x0"])
    p.check("a0", FROZEN | 15, ["li a1, -1", f"csrw {SCTRSTATUS}, a1", f"csrr a0, {SCTRSTATUS}", f"csrw {SCTRSTATUS}, x0"])
    # miselect has numbers of its own.
    p.check("a0", 0, ["li t6, 0x200", f"csrw {0x350}, t6", f"csrw {SISELECT}, t6", "li a1, -1", f"csrw {SIREG}, a1", f"csrr a0, {0x351}"])


def access(p):
    for csr in (SCTRCTL, SCTRSTATUS, SCTRDEPTH, SIREG, MCTRCTL):
        trapped(p, U_MODE, 2, "insn", [], f"csrrs a1, {csr}, x0")
    trapped(p, S_MODE, 2, "insn", [], f"csrrs a1, {MCTRCTL}, x0")
    trapped(p, U_MODE, 2, "insn", [], SCTRCLR)
    supervisor_check(p, "a0", 1, [*select(0), "li a1, 0x1235", f"csrw {SIREG}, a1", f"csrr a0, {SIREG}", "andi a0, a0, 1"])
    supervisor_check(p, "a0", 0, [SCTRCLR, f"csrr a0, {SIREG}"])


def between_modes(p):
    """Traps and their returns, by what is enabled: source mode, bits of mctrctl, what is in the ring, the youngest first. All other
    types are inhibited."""
    others = TKBRINH | JUMPS
    trap, blind = ("there", "vectors_", EXCEPTION), (None, "vectors_", EXCEPTION)
    external, into, leaves = ("there", None, EXCEPTION), ("entry", "there", TRAP_RETURN), ("entry", None, TRAP_RETURN)
    for mode, bits, expected in (
        (U_MODE, M | U, (trap, into)),
        (U_MODE, M, (blind, leaves)),
        (U_MODE, U, ()),
        (U_MODE, U | MTE, ()),
        (U_MODE, U | STE, ()),
        (U_MODE, U | MTE | STE, (external,)),
        (U_MODE, U | MTE | STE | EXCINH, (external,)),
        (U_MODE, S, ()),
        (U_MODE, S | MTE | STE, ()),
        (U_MODE, M | U | EXCINH, (into,)),
        (U_MODE, M | U | TRETINH, (trap,)),
        (U_MODE, M | TRETINH, (blind,)),
        (U_MODE, M | EXCINH, (leaves,)),
        (S_MODE, M | S, (trap, into)),
        (S_MODE, M, (blind, leaves)),
        (S_MODE, S, ()),
        (S_MODE, S | MTE, (external,)),
        (S_MODE, S | STE, ()),
    ):
        entry, there, after = p.label("entry"), p.label("there"), p.label("after")
        names = {"there": there, "entry": entry, "vectors_": "exception_"}
        p.lines += [
            "la t0, exception_",
            "csrw mtvec, t0",
            SCTRCLR,
            "li s8, 1",
            f"la t6, {there}",
            "csrw mepc, t6",
            "li t6, 0x1800",
            "csrc mstatus, t6",
            f"li t6, 0x{mode << 11:x}",
            "csrs mstatus, t6",
            f"la s3, {after}",
            f"li t6, 0x{bits | others:x}",
            f"csrw {MCTRCTL}, t6",
            f"{entry}: mret",
            "j fail",
            f"{there}: ecall",
            "j fail",
            f"{after}:",
            "li s8, 0",
            "la t0, vectors",
            "csrw mtvec, t0",
        ]
        for i, (source, target, kind) in enumerate(expected):
            record(p, i, names.get(source), names.get(target), kind)
        is_empty(p, len(expected))


def freezes(p):
    """LCOFI and breakpoint freeze where the control asks for it, and are not recorded; else they are."""
    others = TKBRINH | JUMPS | TRETINH
    for bits in (BPFRZ, LCOFIFRZ):
        p.lines += [
            "la t0, exception_",
            "csrw mtvec, t0",
            SCTRCLR,
            "la s3, 1f",
            f"li t6, 0x{M | bits | others:x}",
            f"csrw {MCTRCTL}, t6",
            "j 3f",
            "nop",
            "3: nop",
            ".option push",
            ".option norvc",
            f"brk_{bits}: ebreak",
            ".option pop",
            "j fail",
            "1: la t0, vectors",
            "csrw mtvec, t0",
        ]
        p.check("a0", 1 if bits == BPFRZ else 0, [f"csrr a0, {SCTRSTATUS}", "srli a0, a0, 31"])
        if bits == BPFRZ:
            is_empty(p, 0)
        else:
            record(p, 0, f"brk_{bits}", "exception_", EXCEPTION)
        p.lines += [f"csrw {SCTRSTATUS}, x0"]
    for bits in (TKBRINH | JUMPS, LCOFIFRZ, BPFRZ | TKBRINH | JUMPS, LCOFIFRZ | TKBRINH):
        # Counter 3 counts instructions in M-mode; the loop ends when the handler of the frame has been.
        src, loop = p.label("src"), p.label("loop")
        p.lines += [
            "li s11, 0",
            SCTRCLR,
            "li t5, 0x2000",
            "csrw mie, t5",
            "csrw mip, x0",
            f"li t6, 0x{M | bits:x}",
            "li t0, -100",
            "csrw mhpmcounter3, t0",
            "li t0, 2",
            "csrw mhpmevent3, t0",
            f"csrw {MCTRCTL}, t6",
            "csrsi mstatus, 8",
            "li a3, 10000",
            f"{loop}: addi a3, a3, -1",
            "seqz a4, a3",
            "or a4, a4, s11",
            f"{src}: beqz a4, {loop}",
            "csrci mstatus, 8",
            f"csrr s9, {SCTRSTATUS}",
            f"csrw {MCTRCTL}, x0",
            "csrw mhpmevent3, x0",
            "csrw mie, x0",
            "srli s9, s9, 31",
        ]
        p.check("s11", 1, [])
        p.check("s9", 1 if bits & LCOFIFRZ else 0, [])
        if bits == LCOFIFRZ:  # what the loop did, up to the interrupt
            for i in range(4):
                record(p, i, src, loop, TAKEN)
        elif bits == LCOFIFRZ | TKBRINH:
            is_empty(p, 0)
        else:
            p.check("a0", TRAP_RETURN, [*select(0), f"csrr a0, {SIREG3}", "andi a0, a0, 15"])
            p.check("a0", INTERRUPT, [*select(1), f"csrr a0, {SIREG3}", "andi a0, a0, 15"])
            p.check("a0", 1, [f"csrr a0, {SIREG}", f"la t6, {loop}", "sub a0, a0, t6", f"la a2, {src} + 2", "sub a2, a2, t6", "sltu a0, a0, a2"])
            register(p, SIREG2, "vectors", 0)
            is_empty(p, 2)
        p.lines += [f"csrw {SCTRSTATUS}, x0"]


def call_stack(p):
    """Calls stand until they return; a swap takes the place of the youngest; nothing else is recorded."""
    p.lines += [
        SCTRCLR,
        f"csrwi {SCTRSTATUS}, 0",
        f"li a7, 0x{M | RASEMU | NTBREN | 0xFF << 40:x}",
        f"csrw {MCTRCTL}, a7",
        "j 1f",
        "nop",
        "1: call_1: jal ra, func_1",
        "call_2: jal t0, func_2",
        f"ended: csrw {MCTRCTL}, x0",
        "j 9f",
    ]
    p.lines += [
        "func_1: mv s10, ra",
        "la a2, func_3",
        "call_3: jalr ra, 0(a2)",
        "mv ra, s10",
        "jalr x0, 0(ra)",
        "func_3: la t0, swapped",
        "csrr s9, 0x14f",
        "beq x0, x0, 1f",
        "nop",
        "1: jalr x0, 0(ra)",
        "swapped: j fail",
    ]
    p.lines += ["func_2: mv s10, t0", "la t0, func_4", "swap: jalr ra, 0(t0)", "func_4: csrr s11, 0x14f", f"csrw {MCTRCTL}, x0", "jr s10", "9:"]
    p.check("s9", 2, [])  # two calls deep
    p.check("s11", 1, [])  # both are back; one call, swapped
    record(p, 0, "swap", "func_4", 12)
    p.check("a0", 0, [*select(1), f"csrr a0, {SIREG}", "andi a0, a0, 1"])
    # Popped ones stand at the other end, invalid.
    p.check("a0", 0, [*select(15), f"csrr a0, {SIREG}", "andi a0, a0, 1"])
    p.check("a0", 8, [f"csrr a0, {SIREG3}", "andi a0, a0, 15"])
    p.check("a0", 0, [*select(0), f"csrr a0, {SIREG3}", "srli a0, a0, 15"])  # no cycles
    p.lines += [f"csrw {SCTRSTATUS}, x0"]


def ctr(p):
    """Some handlers end the recording first: exception_, before that of the frame."""
    p.lines += ["la s3, pass", f"csrr a0, {MCTRCTL}", "li s3, 0", "j after_ctr", ".balign 4", "exception_:", f"csrw {MCTRCTL}, x0", "j vectors", "after_ctr:"]
    for part in (types, cycles, wrap, writes, access, between_modes, freezes, call_stack):
        part(p)


PROGRAMS = {"ctr": ctr}
