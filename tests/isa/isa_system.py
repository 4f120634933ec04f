"""System-level half of the ISA tests: the frame that every program has (checks, trap handler), and what traps, CSRs,
privilege modes, interrupts, reservations and compressed forms must do. Expected values are written out by hand, after
the privileged and unprivileged manuals and the choices that tables/ and docs/ state for this machine.

Register use of a program:
    s0      number of the check that runs
    s3      where to go on after the exception that is expected, 0: none is
    s4..s7  mcause, mtval, mepc, mstatus as the last trap's handler found them
    s8      1: the exception handler returns to M mode
    s11     interrupts taken so far; t3, t4: the interrupt handler's own
    t5, t6  scratch of the frame
"""
import itertools

MSIP, MTIMECMP, MTIME = 0x2000000, 0x2004000, 0x200BFF8
MIE, MPIE, MPP, MPRV, UXL = 1 << 3, 1 << 7, 3 << 11, 1 << 17, 10 << 32  # UXL: with SXL
ALL = (1 << 64) - 1
UNTOUCHED = 0x5A5
ENDLESS = 10000  # turns of a loop that waits for an interrupt


class Checks:
    """The text and the data of one program."""

    def __init__(self):
        self.lines, self.data, self.labels = [], [], 0

    def label(self, stem="L"):
        self.labels += 1
        return f"{stem}_{self.labels}"

    def is_empty(self):
        return "addi s0, s0, 1" not in self.lines

    def check(self, register, value, lines):
        """After the lines the register holds the value."""
        self.lines += ["addi s0, s0, 1", *lines, f"li t5, 0x{value & ALL:x}", f"bne {register}, t5, fail"]

    def expect_trap(self, cause, tval, before, text, epc=None):
        """The one instruction `text` raises this exception, and leaves a1 alone. tval: a register, a number, 'pc', or
        'insn' for the instruction's own bits. epc: a number if it is not the instruction's address."""
        here, after = self.label("traps"), self.label("after")
        self.lines += [
            "addi s0, s0, 1",
            *before,
            f"li a1, {UNTOUCHED}" if " a1" in text else "",
            "li s4, -1",
            f"la s3, {after}",
            ".option push",
            ".option norvc",
            f"{here}: {text}",
            "j fail",
            ".option pop",
            f"{after}:",
            f"li t5, {cause}",
            "bne s4, t5, fail",
        ]
        self.lines += [f"li t5, 0x{epc:x}" if epc is not None else f"la t5, {here}", "bne s6, t5, fail"]
        if tval == "insn":
            self.lines += [f"la t5, {here}", "lhu t6, 2(t5)", "lhu t5, 0(t5)", "slli t6, t6, 16", "or t5, t5, t6", "bne s5, t5, fail"]
        elif tval == "pc":
            self.lines += ["bne s5, t5, fail"]
        elif isinstance(tval, int):
            self.lines += [f"li t5, 0x{tval & ALL:x}", "bne s5, t5, fail"]
        else:
            self.lines += [f"bne s5, {tval}, fail"]
        if " a1" in text:
            self.lines += [f"li t5, {UNTOUCHED}", "bne a1, t5, fail"]

    def to_user(self):
        """Goes on in U mode; the next exception ends it."""
        inside = self.label("user")
        self.lines += ["li s8, 1", f"la t6, {inside}", "csrw mepc, t6", "li t6, 0x1800", "csrc mstatus, t6", "mret", f"{inside}:"]

    def user_trap(self, cause, tval, before, text):
        self.to_user()
        self.expect_trap(cause, tval, before, text)
        self.check("s7", 0, ["li t5, 0x1800", "and s7, s7, t5"])  # came from U
        self.lines += ["li s8, 0"]

    def user_check(self, register, value, lines):
        self.to_user()
        self.check(register, value, lines)
        self.lines += ["la s3, 1f", "ecall", "j fail", "1: li s8, 0"]

    def text(self, name):
        body = [line if line.endswith(":") or not line else f"    {line}" for line in self.lines]
        return "\n".join([f"# {name}: made by tests/isa/gen_isa.py", PROLOGUE, *body, EPILOGUE, *self.data, TAIL])


PROLOGUE = """
    .section .text.start, "ax"
    .globl _start
_start:
    la t0, exception
    la t1, 1f                   # where there is no protection, the first of these traps and that is that
    csrw mtvec, t1
    li t1, -1                   # S- and U-mode may access all memory, and read the counters that M-mode opens
    csrw pmpaddr0, t1
    csrw scounteren, t1
    li t1, 0x1f
    csrw pmpcfg0, t1
    .balign 4
1:  csrw mtvec, t0
    li s0, 0
    li s3, 0
    li s8, 0
    li s11, 0
    j main

pass:
    li t0, 1
    j end
# The number of the check, at most 255 and never 0, is the exit status. User mode leaves by an ecall to here, too.
fail:
    li t1, 255
    beqz s0, 1f
    bgeu s0, t1, 1f
    mv t1, s0
1:  slli t0, t1, 1
    ori t0, t0, 1
end:
    la t1, tohost
    sd t0, 0(t1)
2:  j 2b

    .balign 64
vectors:                    # for mtvec's vectored mode: a6 = number of the entry
    .option push
    .option norvc
    j exception
    .irp number, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
    j vector_\\number
    .endr
    .option pop
    .irp number, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
vector_\\number:
    li a6, \\number
    j interrupt
    .endr

    .balign 4
exception:
    csrr s4, mcause
    bltz s4, direct
    csrr s5, mtval
    csrr s6, mepc
    csrr s7, mstatus
    beqz s3, fail           # nobody expects it
    csrw mepc, s3
    li s3, 0
    beqz s8, 1f
    li t6, 0x1800
    csrs mstatus, t6
1:  mret
direct:
    li a6, 0
interrupt:                  # turns all sources off
    csrr s4, mcause
    csrr s5, mtval
    csrr s6, mepc
    csrr s7, mstatus
    addi s11, s11, 1
    li t3, 0x2000000
    sw x0, 0(t3)
    li t4, -1
    li t3, 0x2004000
    sd t4, 0(t3)
    li t3, 0x2000
    csrc mip, t3
    li t3, 0x2088
1:  csrr t4, mip
    and t4, t4, t3
    bnez t4, 1b
    mret

main:"""

EPILOGUE = """
    j pass

    .data
    .balign 64"""

TAIL = """
    .section .tohost, "aw", @progbits
    .globl tohost
    .balign 64
tohost: .dword 0"""


# ---- rows of the table that are no plain computation ----
def fence(p):
    p.data += [".balign 8", "fenced: .dword 0"]
    for text in ("fence", "fence r, w", "fence w, r", "fence rw, rw", "fence iorw, iorw", "fence.tso", ".word 0x0ff0018f", ".word 0xfff7800f"):
        p.check("a2", 0x1234, ["la a0, fenced", "sd x0, 0(a0)", "li a1, 0x1234", "sd a1, 0(a0)", text, "ld a2, 0(a0)"])
    p.check("x3", 77, ["li x3, 77", ".word 0x0ff0018f"])  # rd and rs1 are ignored


def fence_i(p):
    """Code that is overwritten in loops: the cache lines have been fetched before each write."""
    for step, size in ((1, "sw"), (3, "sw"), (5, "sd")):
        spot, again = p.label("spot"), p.label("again")
        p.lines += [
            "li a3, 0",
            f"{again}:",
            "addi s0, s0, 1",
            f"la a0, {spot}",
            "slli a1, a3, 20",
            "li a2, 0x513",
            "or a1, a1, a2",  # addi a0, x0, a3
            "li a2, 0x13",
            "slli a2, a2, 32",
            "or a1, a1, a2",
            f"{size} a1, 0(a0)",
            "fence.i",
            ".option push",
            ".option norvc",
            ".balign 8",
            f"{spot}: addi a0, x0, -1",
            "nop",
            ".option pop",
            "bne a0, a3, fail",
            f"addi a3, a3, {step}",
            "li a1, 40",
            f"bltu a3, a1, {again}",
        ]
    # A function in memory that was data until now, called twice with different bodies.
    p.data += [".balign 64", "built: .dword 0"]
    for value in (11, 22):
        code = (value << 20 | 0x513) | 0x00008067 << 32  # li a0, value; ret
        p.check("a0", value, ["la a2, built", f"li a1, 0x{code:x}", "sd a1, 0(a2)", "fence.i", "jalr ra, 0(a2)"])


def ecall(p):
    for _ in range(3):
        p.expect_trap(11, 0, [], "ecall")
    p.user_trap(8, 0, [], "ecall")


def ebreak(p):
    for _ in range(3):
        p.expect_trap(3, "pc", [], "ebreak")
    p.user_trap(3, "pc", [], "ebreak")
    p.lines += [
        ".option push",
        ".option rvc",
        "addi s0, s0, 1",
        "la s3, 1f",
        "2: c.ebreak",
        "c.nop",
        "j fail",
        "1: la t5, 2b",
        "bne s6, t5, fail",
        "bne s5, t5, fail",
        "li t5, 3",
        "bne s4, t5, fail",
        ".option pop",
    ]


def mret(p):
    """(MPP, MPIE) before -> mstatus afterwards, seen by a trap from where mret went."""
    for mpp, mpie in itertools.product((0, 3), (0, 1)):
        target, after = p.label("target"), p.label("after")
        p.lines += [
            "addi s0, s0, 1",
            f"la t5, {target}",
            "csrw mepc, t5",
            "li t5, 0x1888",
            "csrc mstatus, t5",
            f"li t5, {mpp << 11 | mpie << 7}",
            "csrs mstatus, t5",
            "li s8, 1",
            f"la s3, {after}",
            "csrw mie, x0",
            "mret",
            "j fail",
            f"{target}: ecall",
            "j fail",
            f"{after}: li s8, 0",
        ]
        p.check("s4", 11 if mpp else 8, [])
        # the trap put MIE, which mret took from MPIE, into MPIE, and the mode into MPP
        p.check("s7", UXL | mpp << 11 | mpie << 7, [])
    p.check(
        "a0",
        UXL | MPIE,
        [
            "la t5, 1f",
            "csrw mepc, t5",
            "li t5, 0x1888",
            "csrs mstatus, t5",
            "csrci mstatus, 8",
            "mret",
            "j fail",
            "1: csrr a0, mstatus",
            "csrci mstatus, 8",
            "andi a0, a0, ~8",
        ],
    )  # MPP is left at U, MPIE at 1
    p.check(
        "a0",
        UXL | MPIE | MPP | MPRV,
        [
            "la t5, 1f",
            "csrw mepc, t5",
            "li t5, 0x21880",
            "csrs mstatus, t5",
            "mret",
            "1: li t5, 0x1800",
            "csrs mstatus, t5",
            "csrr a0, mstatus",
            "andi a0, a0, ~8",
        ],
    )  # back to M: MPRV stays
    p.lines += ["csrci mstatus, 8"]
    p.to_user()
    p.expect_trap(11 - 3, 0, [], "ecall")
    p.check("s7", 0, ["li t5, 0x20000", "and s7, s7, t5"])  # to U: MPRV is cleared
    p.lines += ["li s8, 0"]
    p.user_trap(2, 0x30200073, [], "mret")


def sctrclr(p):
    """Where there is mctrctl: M-mode may, U-mode may not (S-mode: isa_ctr.py). Else it is illegal."""
    p.lines += ["la s3, 1f", "csrr a0, 0x34e", "li s3, 0", "j 2f", "1:"]
    p.expect_trap(2, 0x10400073, ["li a1, 0"], ".word 0x10400073")
    p.user_trap(2, 0x10400073, [], ".word 0x10400073")
    p.lines += ["j pass", "2:"]
    p.check("a0", 5, ["li a0, 4", ".word 0x10400073", "addi a0, a0, 1"])
    # Three times: what follows it is known from the second time on.
    loop = ["1: .word 0x10400073", "addi a3, a3, 1", "addi a0, a0, -1", "bnez a0, 1b"]
    p.check("a2", 13, ["li a0, 3", "csrr a1, minstret", *loop, "csrr a2, minstret", "sub a2, a2, a1"])
    p.user_trap(2, 0x10400073, [], ".word 0x10400073")


def wfi(p):
    p.check(
        "a0", 5, ["li a0, 4", f"li a1, {MSIP}", "li a2, 1", "sw a2, 0(a1)", "li a2, 8", "csrw mie, a2", "wfi", "addi a0, a0, 1", "csrw mie, x0", "sw x0, 0(a1)"]
    )
    p.check(
        "a0",
        5,
        ["li a0, 4", f"li a1, {MTIMECMP}", "sd x0, 0(a1)", "li a2, 0x80", "csrw mie, a2", "wfi", "addi a0, a0, 1", "csrw mie, x0", "li a2, -1", "sd a2, 0(a1)"],
    )
    # Twenty ticks of 100 cycles: longer than the checks of a run take a wfi's end for granted.
    p.check(
        "a0",
        5,
        ["li a0, 4", f"li a1, {MTIME}", "ld a2, 0(a1)", "addi a2, a2, 20", f"li a1, {MTIMECMP}", "sd a2, 0(a1)"]
        + ["li a2, 0x80", "csrw mie, a2", "wfi", "csrr a3, mip", "andi a3, a3, 0x80", "beqz a3, fail", "addi a0, a0, 1"]
        + ["csrw mie, x0", "li a2, -1", "sd a2, 0(a1)"],
    )
    p.user_trap(2, 0x10500073, [], "wfi")


VALUES = [0, 1, 0x1F, 0x8000000000000000, 0x123456789ABCDEF0, 0x5555555555555555, ALL]
CSR_EFFECT = {"csrrw": lambda old, operand: operand, "csrrs": lambda old, operand: old | operand, "csrrc": lambda old, operand: old & ~operand & ALL}


def csr_instruction(p, name):
    effect, immediate = CSR_EFFECT[name[:5]], name.endswith("i")
    for old, operand in itertools.product(VALUES, [0, 1, 21, 31] if immediate else VALUES):
        source = str(operand) if immediate else "a1"
        start = [f"li a0, 0x{old:x}", "csrw mscratch, a0", f"li a1, 0x{operand:x}"]
        p.check("a2", old, [*start, f"{name} a2, mscratch, {source}"])
        p.check("a3", effect(old, operand), ["csrr a3, mscratch"])
        p.check("a3", effect(old, operand), [*start, f"{name} x0, mscratch, {source}", "bnez x0, fail", "csrr a3, mscratch"])
        if not immediate:
            p.check("a1", old, [*start, f"{name} a1, mscratch, a1"])
            p.check("a3", effect(old, operand), ["csrr a3, mscratch"])
    if not immediate:
        p.check("a3", effect(0x77, 0), ["li a0, 0x77", "csrw mscratch, a0", f"{name} a2, mscratch, x0", "csrr a3, mscratch"])
    # Read-only CSRs: any form that writes is illegal, even if it writes the same value.
    p.expect_trap(2, "insn", ["li a0, 0"], f"{name} a1, mhartid, {'1' if immediate else 'a0'}")
    if name[:5] == "csrrw":
        p.expect_trap(2, "insn", [], f"{name} a1, mhartid, {'0' if immediate else 'x0'}")
        p.expect_trap(2, "insn", [], f"{name} x0, mhartid, {'0' if immediate else 'x0'}")
    else:
        p.check("a1", 0, ["li a1, -1", f"{name} a1, mhartid, {'0' if immediate else 'x0'}"])
    p.expect_trap(2, "insn", ["li a0, 0"], f"{name} a1, 0x123, {'0' if immediate else 'x0'}")
    p.user_trap(2, "insn", ["li a0, 0"], f"{name} a1, mscratch, {'0' if immediate else 'x0'}")


def sret(p):
    """(SPP, SPIE) before -> sstatus afterwards, and the mode: U cannot read mscratch, S neither, but S reads sscratch."""
    for spp, spie in itertools.product((0, 1), (0, 1)):
        target, after = p.label("target"), p.label("after")
        p.lines += [
            "addi s0, s0, 1",
            f"la t5, {target}",
            "csrw sepc, t5",
            "li t5, 0x122",
            "csrc mstatus, t5",
            f"li t5, 0x{spp << 8 | spie << 5:x}",
            "csrs mstatus, t5",
            "li s8, 1",
            f"la s3, {after}",
            "sret",
            "j fail",
            f"{target}: ecall",
            "j fail",
            f"{after}: li s8, 0",
        ]
        p.check("s4", 9 if spp else 8, [])
        p.check("a0", 0x20 | spie << 1, ["csrr a0, sstatus", "li a1, 0x122", "and a0, a0, a1"])
    p.user_trap(2, 0x10200073, [], "sret")


def sfence_vma(p):
    """Does nothing that a program without translation sees, whatever its operands; illegal in U-mode."""
    for text in ("sfence.vma", "sfence.vma a0", "sfence.vma a0, a1", "sfence.vma x0, a1"):
        p.check("a0", 0x77, ["li a0, 0x77", "li a1, 3", text])
    p.user_trap(2, 0x12000073, [], "sfence.vma")


SYSTEM = {
    "sctrclr": sctrclr,
    "sret": sret,
    "sfence.vma": sfence_vma,
    "fence": fence,
    "fence.i": fence_i,
    "ecall": ecall,
    "ebreak": ebreak,
    "mret": mret,
    "wfi": wfi,
    **{name: lambda p, name=name: csr_instruction(p, name) for name in ("csrrw", "csrrs", "csrrc", "csrrwi", "csrrsi", "csrrci")},
}


def load_reserved(p, width):
    """LR and SC: the reservation is one 64-byte line. An SC that executes clears it, whatever else does not."""
    size, ones = (4, 0xFFFFFFFF) if width == "w" else (8, ALL)
    load = f"l{width}"
    p.data += [".balign 64", "line: .dword 0x8877665544332211, 0x1020304050607080, 0, 0, 0, 0, 0, 0", "next_line: .dword 1, 2, 3, 4, 5, 6, 7, 8"]

    def cell(address, value):
        p.check("a4", value if width == "d" or value < 1 << 31 else value | ALL << 32, [f"la a3, {address}", f"{load} a4, 0(a3)"])

    p.check("a2", 0x44332211 if width == "w" else 0x8877665544332211, ["la a0, line", f"lr.{width} a2, (a0)"])
    p.check("a0", 0xFFFFFFFF80000000 if width == "w" else 0x80000000, ["la a0, line + 16", "li a1, 0x80000000", "sd a1, 0(a0)", f"lr.{width}.aq a0, (a0)"])
    for suffix in ("", ".aq", ".rl", ".aqrl"):
        p.check("a2", 0, ["la a0, line", f"lr.{width}{suffix} a2, (a0)", "li a1, 0x77", f"sc.{width}{suffix} a2, a1, (a0)"])
        cell("line", 0x77)
        p.check("a2", 1, ["la a0, line", "li a1, 0x99", f"sc.{width}{suffix} a2, a1, (a0)"])  # the reservation is used up
        cell("line", 0x77)
    lr, sc = ["la a0, line", f"lr.{width} a2, (a0)"], f"sc.{width} a2, a1, (a0)"
    p.check("a1", 0, [*lr, "li a1, -1", f"sc.{width} a1, a1, (a0)"])
    cell("line", ones)
    p.check("a0", 0, [*lr, "li a1, 3", f"sc.{width} a0, a1, (a0)"])
    p.lines += [*lr, "li a1, 5", f"sc.{width} x0, a1, (a0)"]
    cell("line", 5)
    p.check("a2", 0, ["la a0, line", f"lr.{width} x0, (a0)", "li a1, 6", sc])
    p.check("a2", 0, [*lr, f"addi a0, a0, {64 - size}", "li a1, 7", sc])  # same line, other word
    cell(f"line + {64 - size}", 7)
    p.check("a2", 1, [*lr, "addi a0, a0, 64", "li a1, 7", sc])  # the next line
    cell("next_line", 1)
    p.check("a2", 1, ["la a0, line", "li a1, 9", sc])  # which has cleared it
    p.check("a2", 1, [*lr, "addi a0, a0, 64", f"lr.{width} a2, (a0)", "addi a0, a0, -64", "li a1, 9", sc])  # only the last LR counts
    p.check("a2", 0, [*lr, "li a1, 0x21", f"s{width} a1, 0(a0)", "li a1, 0x22", sc])  # own stores leave it
    cell("line", 0x22)
    p.lines += lr
    p.expect_trap(11, 0, [], "ecall")  # traps leave it
    p.check("a2", 0, ["li a1, 0x23", sc])
    p.lines += lr
    p.expect_trap(6, "a5", [f"addi a5, a0, {size // 2}"], f"sc.{width} a1, a2, (a5)")  # an SC that faults leaves it
    p.expect_trap(7, "a5", ["li a5, 0x20000"], f"sc.{width} a1, a2, (a5)")
    p.check("a2", 0, ["li a1, 0x24", sc])
    p.expect_trap(5, "a5", [*lr, "li a5, 0x20000"], f"lr.{width} a1, (a5)")  # an LR that faults, too
    p.check("a2", 0, ["li a1, 0x25", sc])
    other = "d" if width == "w" else "w"
    p.check("a2", 0, [*lr, "li a1, 0x26", f"sc.{other} a2, a1, (a0)"])
    p.check(
        "a2",
        32,
        [
            "li a2, 0",
            "li a5, 32",
            "la a0, line + 8",
            f"s{width} x0, 0(a0)",
            f"1: lr.{width} a1, (a0)",
            "addi a1, a1, 1",
            f"sc.{width} a4, a1, (a0)",
            "bnez a4, 1b",
            "addi a5, a5, -1",
            "bnez a5, 1b",
            f"{load} a2, 0(a0)",
        ],
    )  # the usual loop


# ---- programs of their own ----
def csr_values(p):
    """Reset values, write masks, and CSRs that do not exist."""
    fixed = {"misa": 1 << 63 | 1 << 20 | 1 << 18 | 1 << 12 | 1 << 8 | 1 << 2 | 1, "mvendorid": 0, "marchid": 0, "mimpid": 0, "mhartid": 0, "mconfigptr": 0}
    # F (5) and D (3) exist together or not at all: taken away if alike.
    fp_away = ["andi a1, a0, 0x28", "xor a0, a0, a1", "srli a2, a1, 2", "xor a2, a2, a1", "andi a2, a2, 8", "or a0, a0, a2"]
    for name, value in fixed.items():
        read = f"csrr a0, {name}" if name != "mconfigptr" else "csrr a0, 0xf15"
        p.check("a0", value, ["li a0, 0x99", read] + (fp_away if name == "misa" else []))
    p.check("a0", fixed["misa"], ["csrw misa, x0", "csrr a0, misa", *fp_away])
    p.check("a0", UXL | MPP, ["csrr a0, mstatus"])  # at reset
    for name in ("mie", "mcountinhibit", "mhpmevent3", "mhpmevent31"):
        p.check("a0", 0, [f"csrr a0, {name}"])
    written = {
        "mscratch": ALL,
        "mepc": ALL - 1,
        "mcause": 1 << 63 | 0x3F,
        "mtval": ALL,
        "mcounteren": 0xFFFFFFFF,
        "mie": 0x2AAA,
        "medeleg": 0xB3FF,
        "mideleg": 0x2222,
        "sscratch": ALL,
        "sepc": ALL - 1,
        "scause": 1 << 63 | 0x3F,
        "stval": ALL,
        "scounteren": 0xFFFFFFFF,
        "senvcfg": 1,
        "menvcfg": 1,
        "mhpmevent3": 0xF0000000000000FF,
    }
    for name, mask in written.items():
        for value in (ALL, 0, 0xAAAAAAAAAAAAAAAA, 0x5555555555555555, 0):
            p.check("a0", value & mask, [f"li a1, 0x{value:x}", f"csrw {name}, a1", f"csrr a0, {name}"])
    p.check("a0", ALL - 2, ["csrr a2, mtvec", "li a1, -1", "csrw mtvec, a1", "csrr a0, mtvec", "csrw mtvec, a2"])
    p.check("a0", 0xAAAAAAAAAAAAAAA8, ["csrr a2, mtvec", "li a1, 0xaaaaaaaaaaaaaaaa", "csrw mtvec, a1", "csrr a0, mtvec", "csrw mtvec, a2"])
    # FS and with it SD can be set if misa has F.
    with_f = ["csrr a1, misa", "srli a1, a1, 5", "andi a1, a1, 1", *(line for bit in (13, 14, 63) for line in (f"slli a2, a1, {bit}", "xor a0, a0, a2"))]
    p.check("a0", UXL | 0x7E79AA & ~0x6008, ["li a1, -9", "csrw mstatus, a1", "csrr a0, mstatus", *with_f])
    p.check("a0", UXL, ["li a1, 0x1000", "csrw mstatus, a1", "csrr a0, mstatus"])  # no such mode
    p.check("a0", UXL | 0x800, ["li a1, 0x800", "csrw mstatus, a1", "csrr a0, mstatus"])
    p.check("a0", UXL | MPP, ["li a1, 0x1800", "csrw mstatus, a1", "csrr a0, mstatus"])
    p.check("a0", 0x2222, ["li a1, -1", "csrw mip, a1", "csrr a0, mip"])
    p.check("a0", 0, ["csrw mip, x0", "csrr a0, mip"])
    for address in (
        0x000,
        0x001,
        0x003,
        0x101,
        0x145,
        0x181,
        0x305 + 0x100,
        0x3A1,
        0x3A4,
        0x3C0,
        0x5DD,
        0x7A0,
        0x7B0,
        0x7C4,
        0xB01,
        0xC20,
        0xC80,
        0xF10,
        0xFFF,
    ):
        p.expect_trap(2, "insn", [], f"csrrs a1, 0x{address:x}, x0")
        p.expect_trap(2, "insn", [], f"csrrw a1, 0x{address:x}, a1")


def counters(p):
    """mcycle and minstret count, can be written and stopped; user mode sees what mcounteren lets it see."""
    p.lines += [".option push", ".option norvc"]
    p.check("a2", 6, ["csrr a0, minstret", "nop", "nop", "nop", "nop", "nop", "csrr a1, minstret", "sub a2, a1, a0"])
    p.check("a2", 1, ["csrr a0, mcycle", "nop", "csrr a1, mcycle", "sltu a2, a0, a1"])
    p.check("a2", 1, ["csrr a0, instret", "csrr a1, minstret", "csrr a3, instret", "sltu a4, a0, a1", "sltu a2, a1, a3", "and a2, a2, a4"])
    p.check("a2", 1, ["csrr a0, cycle", "csrr a1, mcycle", "csrr a3, cycle", "sltu a4, a0, a1", "sltu a2, a1, a3", "and a2, a2, a4"])
    p.check("a1", 1001, ["li a0, 1000", "csrw minstret, a0", "nop", "csrr a1, minstret"])
    p.check(
        "a1",
        0x123456789,
        [
            "li a0, 0x123456789",
            "csrw mcycle, a0",
            "csrr a1, mcycle",
            "srli a2, a1, 16",
            "slli a2, a2, 16",
            "xor a3, a1, a2",
            "li a4, 0x6789",
            "bltu a3, a4, fail",
            "sub a1, a1, a3",
            "or a1, a1, a4",
        ],
    )
    p.check("a1", 7, ["csrwi mcountinhibit, 5", "csrwi minstret, 7", "nop", "nop", "csrr a1, minstret"])
    p.check("a1", 9, ["csrwi mcycle, 9", "nop", "nop", "csrr a1, mcycle"])
    p.check("a2", 1, ["csrwi mcountinhibit, 0", "csrr a0, mcycle", "nop", "csrr a1, mcycle", "sltu a2, a0, a1"])
    p.check("a1", 0, ["csrr a1, mhpmevent3"])
    for name in ("3", "4"):  # without an event: plain storage
        p.check("a1", 0x123456789ABCDEF0, ["li a0, 0x123456789abcdef0", f"csrw mhpmcounter{name}, a0", "nop", f"csrr a1, mhpmcounter{name}"])
        p.check("a1", 0x123456789ABCDEF0, [f"csrr a1, hpmcounter{name}"])
    # scountovf: OF of each counter, whoever set it; read-only, and not for user mode.
    for bits in ((3,), (4, 5), ()):
        p.lines += [line for i in (3, 4, 5) for line in (f"li a0, {1 << 63 if i in bits else 0}", f"csrw mhpmevent{i}, a0")]
        p.check("a1", sum(1 << i for i in bits), ["csrr a1, 0xda0"])
    p.expect_trap(2, "insn", [], "csrrw a1, 0xda0, a1")
    p.lines += ["li a0, -1", "csrw mcounteren, a0"]
    p.user_trap(2, "insn", [], "csrrs a1, 0xda0, x0")
    p.lines += [".option pop"]
    p.check("a2", 1, [f"li a3, {MTIME}", "ld a0, 0(a3)", "csrr a1, time", "sltu a2, a1, a0", "xori a2, a2, 1"])
    p.lines += ["li a0, -1", "csrw mcounteren, a0"]
    names = {"cycle": 0, "time": 1, "instret": 2, "hpmcounter3": 3, "hpmcounter16": 16, "hpmcounter31": 31}
    for name in names:
        p.user_check("a1", 0, [f"csrr a1, {name}", "li a1, 0"])
    for name, bit in names.items():
        p.lines += [f"li a0, 0x{0xFFFFFFFF ^ 1 << bit:x}", "csrw mcounteren, a0"]
        p.user_trap(2, "insn", [], f"csrrs a1, {name}, x0")
        p.lines += [f"li a0, 0x{1 << bit:x}", "csrw mcounteren, a0"]
        p.user_check("a1", 0, [f"csrr a1, {name}", "li a1, 0"])
        p.check("a1", 0, ["csrw mcounteren, x0", f"csrr a1, {name}", "li a1, 0"])  # machine mode always may
    p.expect_trap(2, "insn", [], "csrrw a1, cycle, a1")


ILLEGAL = [
    0xFFFFFFFF,
    0x0000007B,
    0x0000000B,
    0x0000002B,
    0x0000005B,
    0x00007003,
    0x00001067,
    0x00003067,
    0x00002063,
    0x00003063,
    0x00004023,
    0x00007023,
    0x04001013,
    0x80001013,
    0x44005013,
    0x80005013,
    0x80000033,
    0x40001033,
    0x40002033,
    0x04000033,
    0x0600003B,
    0x0200101B,
    0x4200501B,
    0x0000201B,
    0x0200103B,
    0x0200203B,
    0x4000103B,
    0x0000002F,
    0x0000102F,
    0x0000402F,
    0x1010202F,
    0x1010302F,
    0x2800202F,
    0xF800202F,
    0x00002007,
    0x00003027,
    0x00000053,
    0x00000043,
    0x00000057,
    0x0000200F,
    0x0000700F,
    0x000000F3,
    0x00008073,
    0x001000F3,
    0x00200073,
    0x102000F3,
    0x120000F3,
    0x302000F3,
    0x30208073,
    0x105000F3,
    0x7B200073,
    0x70200073,
    0x00004073,
    0x10000073,
    0x0000003F,
    0x0000007F,
    0x0000006B,
    0x00000077,
]
ILLEGAL_C = {
    0x0000: "all zeros",
    0x0004: "c.addi4spn, 0",
    0x001C: "c.addi4spn, 0",
    0x2000: "c.fld",
    0x8000: "reserved",
    0x9FFC: "reserved",
    0xA000: "c.fsd",
    0x2001: "c.addiw x0",
    0x207D: "c.addiw x0",
    0x6101: "c.addi16sp 0",
    0x6081: "c.lui 0",
    0x6001: "c.lui x0, 0",
    0x9C41: "reserved",
    0x9C61: "reserved",
    0x9F7D: "reserved",
    0x4002: "c.lwsp x0",
    0x5002: "c.lwsp x0",
    0x6002: "c.ldsp x0",
    0x8002: "c.jr x0",
    0x2002: "c.fldsp",
    0xA002: "c.fsdsp",
}


def illegal(p):
    for word in ILLEGAL:
        p.expect_trap(2, word, [], f".word 0x{word:x}")
    for half in ILLEGAL_C:
        p.expect_trap(2, half, [], f".half 0x{half:x}")
    for word in ILLEGAL[::7]:
        p.user_trap(2, word, [], f".word 0x{word:x}")
    for half in list(ILLEGAL_C)[::5]:
        p.user_trap(2, half, [], f".half 0x{half:x}")


def fetch(p):
    """Fetches from where nothing is or nothing may be executed, and instructions across lines, pages and the end of memory."""
    for address in (0x20000, 0x2000000, 0xC000000, 0x10000000, 0x90000000, 0x7FFEFFFE, 0x2000, 0xFFFFFFFFFFFFFFFE, 0):
        p.expect_trap(1, address, [f"li a0, 0x{address:x}"], "jalr x0, 0(a0)", epc=address)
        p.to_user()
        p.expect_trap(1, address, [f"li a0, 0x{address:x}"], "jalr x0, 0(a0)", epc=address)
        p.lines += ["li s8, 0"]
    last = 0x8FFFFFFE
    p.expect_trap(1, last + 2, [f"li a0, 0x{last:x}", "li a2, 0x0513", "sh a2, 0(a0)", "fence.i"], "jalr x0, 0(a0)", epc=last)
    p.expect_trap(1, last + 2, [f"li a0, 0x{last:x}", "li a2, 0x0001", "sh a2, 0(a0)", "fence.i"], "jalr x0, 0(a0)", epc=last + 2)  # a c.nop, then the end
    p.expect_trap(2, 0, [f"li a0, 0x{last:x}", "sh x0, 0(a0)", "fence.i"], "jalr x0, 0(a0)", epc=last)
    for line in (64, 4096):
        for before in (2, 4, 6):
            p.lines += [".option push", ".option rvc", "j 1f", f".balign {line}", f".zero {line - before}", "1:"]
            p.check(
                "a0",
                0x7FF + 3 * 16 + 5,
                [
                    ".option norvc",
                    "addi a0, x0, 0x7ff",
                    "addi a0, a0, 16",
                    ".option rvc",
                    "c.addi a0, 5",
                    ".option norvc",
                    "addi a0, a0, 16",
                    "addi a0, a0, 16",
                    ".option pop",
                ],
            )
    p.check("a0", 0x02028593 << 32 | 0x297, ["li a1, 0x1000", "ld a0, 0(a1)"])  # the boot ROM can be read,
    p.expect_trap(7, "a0", ["li a0, 0x1000"], "sd a1, 0(a0)")  # not written,
    p.expect_trap(7, "a0", ["li a0, 0x1000"], "amoadd.d a1, x0, (a0)")
    p.expect_trap(7, "a0", ["li a0, 0x1000"], "sc.d a1, x0, (a0)")
    p.check("a2", 55, ["la a0, 1f", "li a1, 0x1018", "ld a2, 0(a1)", "la a1, _start", "bne a1, a2, fail", "li a2, 55", "1:"])


def user_mode(p):
    """User mode computes, loads, stores and traps; machine-mode instructions and CSRs are illegal there."""
    p.data += [".balign 8", "shared: .dword 0x1122334455667788"]
    p.user_check("a2", 0x1122334455667788, ["la a0, shared", "ld a2, 0(a0)"])
    p.user_check("a2", 0x99, ["la a0, shared", "li a1, 0x99", "sd a1, 0(a0)", "ld a2, 0(a0)"])
    p.user_check("a2", 0x99, ["la a0, shared", "amoadd.d a2, a1, (a0)"])
    for name in (
        "mstatus",
        "misa",
        "mie",
        "mtvec",
        "mcounteren",
        "mscratch",
        "mepc",
        "mcause",
        "mtval",
        "mip",
        "mcycle",
        "minstret",
        "mhartid",
        "mvendorid",
        "mhpmcounter3",
        "mhpmevent3",
        "mcountinhibit",
        "0x7c0",
        "0x5c0",
    ):
        p.user_trap(2, "insn", [], f"csrrs a1, {name}, x0")
    for cause, before, text in (
        (4, ["la a0, shared + 1"], "lw a1, 0(a0)"),
        (5, ["li a0, 0x20000"], "lw a1, 0(a0)"),
        (6, ["la a0, shared + 1"], "sw a1, 0(a0)"),
        (7, ["li a0, 0x20000"], "sw a1, 0(a0)"),
    ):
        p.user_trap(cause, "a0", before, text)
    p.user_check("a0", 0, ["fence", "fence.i", "li a0, 0"])


def arm(sources):
    """Lines that make these interrupts pending."""
    lines = []
    if "msi" in sources:
        lines += [f"li t5, {MSIP}", "li t6, 1", "sw t6, 0(t5)", "lw t6, 0(t5)"]
    if "mti" in sources:
        lines += [f"li t5, {MTIMECMP}", "sd x0, 0(t5)", "ld t6, 0(t5)"]
    if "lcofi" in sources:
        lines += ["li t5, 0x2000", "csrs mip, t5"]
    wanted = sum(bit for name, bit in (("msi", 8), ("mti", 0x80), ("lcofi", 0x2000)) if name in sources)
    return [*lines, f"li t5, 0x{wanted:x}", "1: csrr t6, mip", "and t6, t6, t5", "bne t6, t5, 1b"]


def wait(p):
    p.lines += ["addi s0, s0, 1", f"li t6, {ENDLESS}", "1: addi t6, t6, -1", "beqz t6, fail", "beqz s11, 1b"]


def interrupts(p):
    """Software, timer and counter-overflow interrupts: enables, priority, vectors, from both modes."""
    codes = {"msi": 3, "mti": 7, "lcofi": 13}
    sources = [("msi",), ("mti",), ("lcofi",), ("msi", "mti"), ("mti", "lcofi"), ("msi", "lcofi"), ("msi", "mti", "lcofi")]
    p.check("a0", 0, ["csrr a0, mip"])
    for vectored, pending in itertools.product((0, 1), sources):
        code = min(codes[name] for name in pending)  # MEI, MSI, MTI, LCOFI: here the order of the codes
        p.lines += [
            f"la t5, {'vectors + 1' if vectored else 'exception'}",
            "csrw mtvec, t5",
            "li s11, 0",
            "li a6, -1",
            "csrci mstatus, 8",
            "li t5, 0x2888",
            "csrw mie, t5",
            *arm(pending),
        ]
        p.check("s11", 0, ["nop", "nop"])  # MIE is off
        p.lines += ["csrsi mstatus, 8"]
        wait(p)
        p.check("s4", 1 << 63 | code, [])
        p.check("s5", 0, [])
        p.check("s7", UXL | MPP | MPIE, [])
        p.check("a6", code if vectored else 0, [])
        p.check("s11", 1, ["nop", "nop", "nop", "csrci mstatus, 8"])
    p.lines += ["la t5, exception", "csrw mtvec, t5"]
    # Each enable bit.
    for name, bit in (("msi", 3), ("mti", 7), ("lcofi", 13)):
        p.lines += ["li s11, 0", f"li t5, 0x{0x2888 ^ 1 << bit:x}", "csrw mie, t5", *arm((name,)), "csrsi mstatus, 8", "nop", "nop", "nop", "nop"]
        p.check("s11", 0, ["csrci mstatus, 8"])
        p.lines += [f"li t5, 0x{1 << bit:x}", "csrw mie, t5", "csrsi mstatus, 8"]
        wait(p)
        p.check("s4", 1 << 63 | bit, ["csrci mstatus, 8"])
    # User mode is interrupted whatever MIE says; exceptions go to the base in vectored mode, too.
    for name in codes:
        p.lines += ["li s11, 0", "li t5, 0x2888", "csrw mie, t5", "csrci mstatus, 8", *arm((name,))]
        p.to_user()
        wait(p)
        p.check("s4", 1 << 63 | codes[name], [])
        p.check("s7", 0, ["li t5, 0x1800", "and s7, s7, t5"])
        p.lines += ["la s3, 1f", "ecall", "j fail", "1: li s8, 0", "csrci mstatus, 8"]
    p.lines += ["la t5, vectors + 1", "csrw mtvec, t5"]
    p.expect_trap(11, 0, [], "ecall")
    p.expect_trap(3, "pc", [], "ebreak")
    p.lines += ["la t5, exception", "csrw mtvec, t5"]
    # The timer comes by itself, while code runs and while it waits.
    for inside in ("nop", "wfi", "div a0, a1, a2", "ecall"):
        p.lines += [
            "li s11, 0",
            "li t5, 0x80",
            "csrw mie, t5",
            f"li t5, {MTIME}",
            "ld t6, 0(t5)",
            "addi t6, t6, 3",
            f"li t5, {MTIMECMP}",
            "sd t6, 0(t5)",
            "addi s0, s0, 1",
            "csrsi mstatus, 8",
            f"li a3, {ENDLESS}",
            "1: addi a3, a3, -1",
            "beqz a3, fail",
            "la s3, 2f",
            inside,
            "2: li s3, 0",
            "beqz s11, 1b",
            "csrci mstatus, 8",
        ]
        p.check("s11", 1, [])
    p.check("s11", 1, [f"li t5, {MTIMECMP}", "ld t6, 0(t5)", "addi t6, t6, 1", "bnez t6, fail"])  # the handler's -1


def clint(p):
    """Registers of the CLINT: sizes, parts, and that mtime goes on."""
    p.check("a0", 0, [f"li a1, {MSIP}", "li a0, -2", "sw a0, 0(a1)", "lw a0, 0(a1)"])
    p.check("a0", 1, [f"li a1, {MSIP}", "li a0, -1", "sw a0, 0(a1)", "lw a0, 0(a1)", "sw x0, 0(a1)"])
    p.check("a0", 0x123456789ABCDEF0, [f"li a1, {MTIMECMP}", "li a0, 0x123456789abcdef0", "sd a0, 0(a1)", "ld a0, 0(a1)"])
    p.check("a0", 0x12345678, [f"li a1, {MTIMECMP}", "lw a0, 4(a1)"])
    p.check("a0", 0xFFFFFFFF9ABCDEF0, [f"li a1, {MTIMECMP}", "lw a0, 0(a1)"])
    p.check("a0", 0x77777777_9ABCDEF0, [f"li a1, {MTIMECMP}", "li a0, 0x77777777", "sw a0, 4(a1)", "ld a0, 0(a1)"])
    p.check("a0", ALL, [f"li a1, {MTIMECMP}", "li a0, -1", "sd a0, 0(a1)", "ld a0, 0(a1)"])
    p.check(
        "a2",
        1,
        [f"li a1, {MTIME}", "ld a0, 0(a1)", f"li a3, {ENDLESS}", "1: ld a2, 0(a1)", "addi a3, a3, -1", "beqz a3, fail", "beq a2, a0, 1b", "sltu a2, a0, a2"],
    )
    p.expect_trap(4, "a0", [f"li a0, {MTIME + 4}"], "ld a1, 0(a0)")
    p.check("a0", 0x60, ["li a1, 0x10000000", "lbu a0, 5(a1)"])  # UART: ready


def trap_state(p):
    """mstatus, mepc and the register file across traps; a trap inside a handler's shadow of interrupts."""
    for mie in (0, 1):
        p.lines += ["csrw mie, x0", f"csr{'s' if mie else 'c'}i mstatus, 8"]
        p.expect_trap(11, 0, [], "ecall")
        p.check("s7", UXL | MPP | mie << 7, [])
        p.check("a0", UXL | MPIE | mie << 3, ["csrr a0, mstatus"])
    p.lines += ["csrci mstatus, 8"]
    values = [f"x{i}" for i in range(1, 32) if i not in (8, 19, 20, 21, 22, 23, 24, 30, 31)]
    p.lines += [f"li {register}, 0x{0x0101010101010101 * int(register[1:]):x}" for register in values]
    p.expect_trap(11, 0, [], "ecall")
    for register in values:
        p.check(register, 0x0101010101010101 * int(register[1:]), [])
    p.check("a0", 0, ["li s11, 0", "li a0, 0"])
    # An older instruction that faults keeps younger ones from taking effect.
    p.data += [".balign 8", "young: .dword 1"]
    p.lines += [
        "addi s0, s0, 1",
        "la s3, 1f",
        "la a0, young",
        "li a1, 0x20000",
        "li a2, 5",
        "div a3, a1, a2",
        "lw a3, 0(a1)",
        "sd x0, 0(a0)",
        "li a2, 6",
        "amoswap.d x0, x0, (a0)",
        "j fail",
        "1:",
    ]
    p.check("a3", 0x20000 // 5, [])
    p.check("a2", 5, [])
    p.check("a4", 1, ["ld a4, 0(a0)"])


COMPRESSED = [
    # before, compressed form, register, value; sp is 0x80200000, a0 and a1 as said
    ([], "c.addi4spn a5, sp, 4", "a5", 0x80200004),
    ([], "c.addi4spn a5, sp, 1020", "a5", 0x802003FC),
    ([], "c.addi4spn s1, sp, 64", "s1", 0x80200040),
    ([], "c.addi4spn a5, sp, 8", "a5", 0x80200008),
    ([], "c.addi4spn a5, sp, 512", "a5", 0x80200200),
    (["li a0, 5"], "c.addi a0, 31", "a0", 36),
    (["li a0, 5"], "c.addi a0, -32", "a0", ALL - 26),
    (["li t4, -1"], "c.addi t4, 1", "t4", 0),
    (["li a0, 0x7fffffff"], "c.addiw a0, 1", "a0", 0xFFFFFFFF80000000),
    (["li a0, 0x1ffffffff"], "c.addiw a0, 0", "a0", ALL),
    (["li a0, 3"], "c.addiw a0, -32", "a0", ALL - 28),
    ([], "c.li a0, 31", "a0", 31),
    ([], "c.li a0, -32", "a0", ALL - 31),
    ([], "c.li t6, 1", "t6", 1),
    ([], "c.lui a0, 1", "a0", 0x1000),
    ([], "c.lui a0, 31", "a0", 0x1F000),
    ([], "c.lui a0, 0xfffe0", "a0", 0xFFFFFFFFFFFE0000),
    ([], "c.lui t6, 0xfffff", "t6", ALL - 0xFFF),
    ([], "c.addi16sp sp, 16", "sp", 0x80200010),
    ([], "c.addi16sp sp, -512", "sp", 0x801FFE00),
    ([], "c.addi16sp sp, 496", "sp", 0x802001F0),
    ([], "c.addi16sp sp, 32", "sp", 0x80200020),
    ([], "c.addi16sp sp, 64", "sp", 0x80200040),
    ([], "c.addi16sp sp, 128", "sp", 0x80200080),
    (["li a0, -256"], "c.srli a0, 4", "a0", 0x0FFFFFFFFFFFFFF0),
    (["li a0, -256"], "c.srli a0, 63", "a0", 1),
    (["li a0, -256"], "c.srai a0, 4", "a0", ALL - 15),
    (["li a0, -256"], "c.srai a0, 32", "a0", ALL),
    (["li a0, 3"], "c.slli a0, 62", "a0", 3 << 62),
    (["li a0, 3"], "c.slli a0, 1", "a0", 6),
    (["li t4, 1"], "c.slli t4, 33", "t4", 1 << 33),
    (["li a0, -1"], "c.andi a0, 21", "a0", 21),
    (["li a0, 0x1ff"], "c.andi a0, -32", "a0", 0x1E0),
    (["li a0, 9", "li a1, 12"], "c.sub a0, a1", "a0", ALL - 2),
    (["li a0, 9", "li a1, 12"], "c.xor a0, a1", "a0", 5),
    (["li a0, 9", "li a1, 12"], "c.or a0, a1", "a0", 13),
    (["li a0, 9", "li a1, 12"], "c.and a0, a1", "a0", 8),
    (["li a0, 0x80000000", "li a1, 1"], "c.subw a0, a1", "a0", 0x7FFFFFFF),
    (["li a0, 0x7fffffff", "li a1, 1"], "c.addw a0, a1", "a0", 0xFFFFFFFF80000000),
    (["li t4, 77"], "c.mv a0, t4", "a0", 77),
    (["li t4, 77", "li a0, 3"], "c.add a0, t4", "a0", 80),
]
HINTS = [0x0005, 0x107D, 0x4005, 0x507D, 0x6005, 0x707D, 0x0006, 0x1006, 0x8006, 0x9006, 0x0501, 0x0502, 0x8101, 0x8501, 0x1002]


def compressed(p):
    p.lines += [".option push", ".option rvc", "mv s1, gp"]
    for before, form, register, value in COMPRESSED:
        p.check(register, value, ["li sp, 0x80200000", *before, form])
    p.data += [".balign 64", "words: .dword " + ", ".join(f"0x{0x8081828384858687 + 0x0808080808080808 * i & ALL:x}" for i in range(64))]

    def word(offset, size):
        value = (0x8081828384858687 + 0x0808080808080808 * (offset // 8)) & ALL
        if size == 8:
            return value
        value = value >> 8 * (offset % 8) & 0xFFFFFFFF
        return value | (ALL << 32 & ALL if value >> 31 else 0)

    for size, kind, most in ((4, "w", 124), (8, "d", 248)):
        for offset in sorted({0, size, 2 * size, 4 * size, 8 * size, 16 * size, most} & set(range(0, most + 1, size))):
            p.check("a4", word(offset, size), ["la a5, words", f"c.l{kind} a4, {offset}(a5)"])
            p.check(
                "a4",
                0x55,
                ["la s1, canvas", "li a4, 0x55", f"c.s{kind} a4, {offset}(s1)", "li a4, 0", f"l{kind} a4, {offset}(s1)", f"s{kind} x0, {offset}(s1)"],
            )
        for offset in sorted({0, size, 2 * size, 4 * size, 8 * size, 16 * size, 32 * size, 63 * size}):
            p.check("t4", word(offset, size), ["la sp, words", f"c.l{kind}sp t4, {offset}(sp)"])
            p.check(
                "t4",
                0x55,
                ["la sp, canvas", "li t4, 0x55", f"c.s{kind}sp t4, {offset}(sp)", "li t4, 0", f"l{kind} t4, {offset}(sp)", f"s{kind} x0, {offset}(sp)"],
            )
    p.data += [".balign 64", "canvas: .zero 1024"]
    for value, form, taken in ((0, "c.beqz", 1), (1, "c.beqz", 0), (0, "c.bnez", 0), (1 << 63, "c.bnez", 1), (1 << 63, "c.beqz", 0)):
        for distance in (2, 16, 120, 240):
            p.check("a2", taken, [f"li a0, 0x{value:x}", "li a2, 1", f"{form} a0, 1f", "li a2, 0", "j 1f", f".zero {distance}", "1:"])
        p.check("a2", taken, [f"li a0, 0x{value:x}", "li a2, 0", "j 2f", "1: li a2, 1", "j 3f", ".zero 200", f"2: {form} a0, 1b", "3:"])
    for distance in (2, 100, 1000, 2000):
        p.check("a2", 1, ["li a2, 1", "c.j 1f", "li a2, 0", "j fail", f".zero {distance}", "1:"])
        p.check("a2", 1, ["li a2, 0", "j 2f", "1: li a2, 1", "j 3f", f".zero {distance}", "2: c.j 1b", "3:"])
    p.check("a2", 1, ["la a0, 1f", "li a2, 1", "c.jr a0", "li a2, 0", "1:"])
    p.lines += ["addi s0, s0, 1", "la a0, 1f", "c.jalr a0", "2: j fail", "1: la a1, 2b", "bne ra, a1, fail"]
    p.lines += ["addi s0, s0, 1", "la ra, 1f", "c.jalr ra", "2: j fail", "1: la a1, 2b", "bne ra, a1, fail"]
    for hint in HINTS:
        p.check("a0", 0x1234567890, ["li a0, 0x1234567890", f".half 0x{hint:x}", "bnez x0, fail"])
    p.lines += [".option pop"]


def plic(p):
    """The UART's interrupt through the PLIC to the M-mode context: levels, enables, threshold, claim, completion; taken."""
    uart, plic_base, source = 0x10000000, 0x0C000000, 10
    enable, threshold, claim = plic_base + 0x2000, plic_base + 0x200000, plic_base + 0x200004

    def put(address, value, size="w"):
        return [f"li t5, {address}", f"li t6, {value}", f"s{size} t6, 0(t5)", f"l{size} t6, 0(t5)"]  # read back: it has arrived

    def mip(expected):
        # Devices answer within a few cycles, their lines follow.
        p.check("a0", expected << 11, ["li a1, 40", "1: addi a1, a1, -1", "bnez a1, 1b", "csrr a0, mip", "li a1, 0x800", "and a0, a0, a1"])

    mip(0)
    p.lines += [*put(plic_base + 4 * source, 3), *put(enable, 1 << source)]
    p.check("a0", 3, [f"li t5, {plic_base + 4 * source}", "lw a0, 0(t5)"])
    p.lines += put(uart + 1, 2, "b")  # interrupt when the transmitter is empty: it is
    p.check("a0", 1 << source, [f"li t5, {plic_base + 0x1000}", "lw a0, 0(t5)"])
    mip(1)
    p.lines += put(threshold, 3)
    mip(0)
    p.lines += put(threshold, 2)
    mip(1)
    p.check("a0", source, [f"li t5, {claim}", "lw a0, 0(t5)"])
    mip(0)
    p.check("a0", 0, [f"li t5, {claim}", "lw a0, 0(t5)"])
    p.lines += [f"li t5, {claim}", f"li t6, {source}", "sw t6, 0(t5)", f"li t5, {plic_base}", "lw t6, 0(t5)"]
    mip(1)  # nobody has asked the UART
    p.check("a0", 2, [f"li t5, {uart + 2}", "lbu a0, 0(t5)"])
    mip(1)  # the line is down, but its gateway does not withdraw what it has forwarded (specification, "Interrupt Gateways")
    p.check("a0", source, [f"li t5, {claim}", "lw a0, 0(t5)"])
    p.lines += [f"li t5, {claim}", f"li t6, {source}", "sw t6, 0(t5)", f"li t5, {plic_base}", "lw t6, 0(t5)"]
    mip(0)
    p.check("a0", 0x60, [f"li t5, {uart + 5}", "lbu a0, 0(t5)"])
    # Taken, and served as a driver does.
    p.lines += ["la t5, serve", "csrw mtvec, t5", "li t5, 0x800", "csrw mie, t5", "csrsi mstatus, 8", "li s11, 0"]
    for _ in range(2):
        p.lines += [
            "addi s0, s0, 1",
            "li s11, 0",
            *put(uart + 1, 0, "b"),
            f"li t5, {uart + 1}",
            "li t6, 2",
            "sb t6, 0(t5)",
            f"li a3, {ENDLESS}",
            "1:",
            "addi a3, a3, -1",
            "beqz a3, fail",
            "bnez s11, 2f",
            "j 1b",
            "2:",
        ]
        p.check("s4", 1 << 63 | 11, [])
        p.check("s11", source, [])
    p.lines += [
        "csrci mstatus, 8",
        "la t5, exception",
        "csrw mtvec, t5",
        "j 3f",
        ".balign 4",
        "serve:",
        "csrr s4, mcause",
        f"li t1, {claim}",
        "lw s11, 0(t1)",
        f"li t2, {uart + 2}",
        "lbu t2, 0(t2)",
        "sw s11, 0(t1)",
        "lw zero, -4(t1)",
        "mret",
        "3:",
    ]


EXTRA = {
    "csr_values": csr_values,
    "counters": counters,
    "illegal": illegal,
    "fetch": fetch,
    "user_mode": user_mode,
    "interrupts": interrupts,
    "clint": clint,
    "plic": plic,
    "trap_state": trap_state,
    "compressed": compressed,
}
