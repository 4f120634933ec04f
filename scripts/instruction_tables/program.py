"""Benches as one program: each a function that returns the cycles of its pattern, called until caches and predictors know it."""
from benches import Bench

# The fastest call counts: once in a while a line of code was thrown out between two calls. A branch that another bench's have taught the other
# direction is mispredicted in four calls, until the predictor's counter of three bits (rtl/fetch/tage.sv) has left that half.
CALLS, CALLS_OF_BRANCHES = 4, 6

# The caller has the first lines of a page, functions the rest: a line that is fetched ahead after a function throws none of the caller's out.
PAGE, CALLER, LINE = 4096, 512, 64
BRANCHES = {"beq", "bne", "blt", "bge", "bltu", "bgeu"}

HEAD = """\
# Made by scripts/instruction_tables: cycles of each bench to `results`.
.option norvc
.section .text.pages, "ax"
.balign {page}
.globl main
main:
    addi sp, sp, -64
    sd ra, 0(sp)
    sd s0, 8(sp)
    sd s1, 16(sp)
    sd s2, 24(sp)
    la s0, functions
    la s1, results
again:
    ld s2, 0(s0)
    beqz s2, done
    li s5, -1
    ld s6, 8(s0)
call:
    jal s3, prepare
    jalr s2
    bgeu a0, s5, slower
    mv s5, a0
slower:
    addi s6, s6, -1
    bnez s6, call
    sd s5, 0(s1)
    addi s0, s0, 16
    addi s1, s1, 8
    j again
done:
    ld ra, 0(sp)
    ld s0, 8(sp)
    ld s1, 16(sp)
    ld s2, 24(sp)
    addi sp, sp, 64
    li a0, 0
    ret
prepare:
    la a0, cell
    addi a2, a0, 64
    li a1, 1
    sd zero, 0(a0)
"""
FLOAT_VALUES = """\
    fcvt.d.l fs0, a1
    fcvt.s.l fs4, a1
    fmv.d.x fs3, zero
    fmv.w.x fs6, zero
    fadd.d fs1, fs0, fs0
    fmv.d ft0, fs0
    fmv.d ft3, fs0
    fmv.d ft4, fs0
"""
TAIL = """\
    jr s3
.section .bss
.balign 64
cell: .zero 128
.globl results
results: .zero {bytes}
.section .rodata
.balign 8
functions:
"""


def calls(bench: Bench) -> int:
    branches = any(line.split(":")[-1].split()[0] in BRANCHES for line in bench.pattern if line.split(":")[-1])
    return CALLS_OF_BRANCHES if branches else CALLS


def function(name: str, bench: Bench, repetitions: int) -> list[str]:
    """In t5, t6 nothing survives; a7 holds the first cycle: no pattern uses it."""
    rows = [".balign 64", f"{name}:", "    mv s4, ra"]
    rows += [f"    {line}" for line in bench.setup]
    rows += ["    .balign 16", "    csrr a7, cycle", "    .balign 16"]
    for _ in range(repetitions):
        rows += [f"    {line}" for line in bench.pattern]
    rows += ["    csrr a0, cycle", "    sub a0, a0, a7", *(f"    {line}" for line in bench.teardown), "    mv ra, s4", "    ret"]
    return rows


def text(benches: list[Bench], has_float: bool) -> str:
    """results: two 64-bit numbers a bench, of `copies` repetitions and of twice as many."""
    code, table, place = [], [], PAGE
    for number, bench in enumerate(benches):
        for half in (1, 2):
            name = f"bench_{number}_{half}"
            lines = function(name, bench, bench.copies * half)
            size = (len(lines) * 4 // LINE + 4) * LINE  # `la` is two instructions, alignment may add some
            if place + size > PAGE:
                code += [f".balign {PAGE}", f".skip {CALLER}"]
                place = CALLER
            place += size
            code += lines
            table.append(f"    .dword {name}, {calls(bench)}")
    return "\n".join(
        [
            HEAD.format(page=PAGE) + (FLOAT_VALUES if has_float else "") + TAIL.format(bytes=16 * len(benches)),
            *table,
            "    .dword 0",
            ".section .text.pages",
            *code,
            "",
        ]
    )
