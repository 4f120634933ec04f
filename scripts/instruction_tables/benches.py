"""The micro-programs: a pattern of instructions, repeated in a straight line often and twice as often; the slope is the result.

No branch of the measuring itself is in what is measured, and what happens before and after cancels.

    latency     a chain through one operand; what else is in the chain is subtracted
    every       independent ones
    resources   behind instructions that keep a resource busy: what one more costs
    order       older ones that become ready in the same cycle: what they delay
"""
import dataclasses

from operands import Instruction

DATA = "a0"  # address of a line that holds zeros
JUMPS = 24  # the smallest BTB knows twice as many
STORED = "a2"  # of another line
SLOW_TIMES = 8
USE_COPIES = {1: 48, SLOW_TIMES: 12}  # repetitions: beyond what windows hold, within the smallest instruction cache
ORDER_COPIES = 5  # twice as many fit the smallest issue queue
ORDER_CHAIN = 24  # longer than all copies take to commit


@dataclasses.dataclass(frozen=True)
class Bench:
    key: tuple  # (instruction, what, ...): who asks
    pattern: tuple  # lines of assembler; {n}: the repetition's number
    copies: int  # repetitions of the shorter one
    setup: tuple = ()
    teardown: tuple = ()


@dataclasses.dataclass(frozen=True)
class Setting:
    """What an instruction that leaves its place needs around it: less what that takes alone, the rest is its own time."""

    before: tuple = ()
    after: tuple = ()
    setup: tuple = ()
    teardown: tuple = ()


# A trap goes to the next instruction, a return likewise. `sret` leaves M-mode, so PMP has to let S-mode see the memory; an `ecall` leads
# back. `wfi` finds an interrupt pending that is enabled in mie, and not taken:
# mstatus.MIE is 0, which an `mret` before may have set.
TRAP = Setting(("la t0, 1f", "csrw mtvec, t0"), ("1:",), ("csrr s7, mtvec",), ("csrw mtvec, s7",))
SETTINGS = {
    "ecall": TRAP,
    "ebreak": TRAP,
    "mret": Setting(("la t0, 1f", "csrw mepc, t0", "csrs mstatus, t2"), ("1:",), ("li t2, 0x1800",)),
    "sret": Setting(
        ("la t0, 1f", "csrw sepc, t0", "csrs mstatus, t2", "la t0, 2f", "csrw mtvec, t0"),
        ("1: ecall", "2:"),
        ("csrr s7, mtvec", "li t2, 0x100", "li t0, -1", "csrw pmpaddr0, t0", "li t0, 0x1f", "csrw pmpcfg0, t0"),
        ("csrw mtvec, s7", "csrw pmpcfg0, zero"),
    ),
    "wfi": Setting((), (), ("csrci mstatus, 8", "li t2, 2", "csrs mip, t2", "csrs mie, t2"), ("csrc mie, t2", "csrc mip, t2")),
}


@dataclasses.dataclass(frozen=True)
class Blocker:
    """`copies` of `line` in a row keep a resource busy; {r}: a register of its own for each."""

    resource: str
    line: str
    copies: int = 4
    setup: tuple = ()


def blockers(has_float: bool) -> list[Blocker]:
    rows = [
        Blocker("mem_ports", f"ld t{{r}}, 0({DATA})"),
        Blocker("branch_ports", "beq a1, zero, .+4"),
        Blocker("multiplier", "mul t{r}, a1, a1"),
        Blocker("divider", "div t{r}, zero, a1", 1),
    ]
    if has_float:
        rows += [Blocker("fp_ports", "fadd.d ft{r}, fs0, fs0"), Blocker("fp_divider", "fdiv.d ft{r}, fs1, fs1", 1)]
    return rows


def lines(blocker: Blocker) -> tuple:
    return tuple(blocker.line.format(r=4 + i % 3) for i in range(blocker.copies))


def values(instruction: Instruction) -> list[str]:
    """Registers that no one writes, as sources: addresses, ones, or values for which a branch is not taken."""
    if instruction.unit == "store":
        first = STORED
    elif instruction.unit in {"load", "amo"}:
        first = DATA
    elif instruction.unit == "jalr":
        first = None
    else:
        first = "a1"
    one = "fs4" if instruction.name.endswith(".s") else "fs0"
    sources = [one if instruction.float_source(i) else "a1" for i in range(instruction.sources)]
    if sources and not instruction.float_source(0) and first:
        sources[0] = first
    if instruction.unit == "div":
        sources = ["zero", "a1"]
    elif instruction.unit == "branch" and instruction.name in {"beq", "blt", "bltu"}:
        sources = ["a1", "zero"]  # 1 and 0
    elif instruction.unit == "branch":
        sources = ["a1", "a1"] if instruction.name == "bne" else ["zero", "a1"]
    return sources


def is_slow(instruction: Instruction) -> bool:
    return instruction.unit == "div" or instruction.name.startswith(("fdiv", "fsqrt"))


def times_busy(instruction: Instruction) -> int:
    """How often a blocker comes for one instruction: it must be busy for longer than the instruction's own unit."""
    return SLOW_TIMES if is_slow(instruction) else 1


def every(instruction: Instruction) -> Bench:
    """As often as the core takes it: no result is anybody's operand. Of those of SETTINGS the time of what is around them, too."""
    if instruction.name in SETTINGS:
        return within(instruction, "every", (instruction.name,))
    target = "ft4" if instruction.float_target else "t4"
    copies = 16 if instruction.serial or is_slow(instruction) else 128
    if instruction.unit in {"jal", "jalr"}:
        copies = JUMPS
    if instruction.unit == "jalr":
        pattern = ("auipc t5, 0", "jalr t4, 8(t5)")
    else:
        pattern = (instruction.text(target, values(instruction)),)
    return Bench((instruction.name, "every"), pattern, copies)


def within(instruction: Instruction, what: str, middle: tuple) -> Bench:
    s = SETTINGS[instruction.name]
    return Bench((instruction.name, what), (*s.before, *middle, *s.after), 8, s.setup, s.teardown)


def around(instruction: Instruction) -> Bench | None:
    """What is around an instruction of SETTINGS, without it."""
    s = SETTINGS.get(instruction.name)
    return within(instruction, "around", ()) if s and s.before else None


def latency(instruction: Instruction, number: int) -> Bench | None:
    """A chain through source `number`, and through the instruction that leads from the target back to it."""
    if not instruction.has_target or instruction.serial or instruction.unit == "jalr":
        return None
    sources = values(instruction)
    from_float, to_float = instruction.float_source(number), instruction.float_target
    target = "ft0" if to_float else "t0"
    if instruction.unit == "load":
        sources[number] = "t1"
        back = ("fmv.x.d t0, ft0", f"add t1, {DATA}, t0") if to_float else (f"add t1, {DATA}, t0",)
        if to_float and instruction.name == "flw":
            back = ("fmv.x.w t0, ft0", f"add t1, {DATA}, t0")
    elif from_float and not to_float:
        sources[number] = "ft0"
        back = ("fmv.d.x ft0, t0",)
    elif to_float and not from_float:
        sources[number] = "t0"
        back = ("fmv.x.d t0, ft0",)
    else:
        sources[number] = target
        back = ()
    copies = 16 if is_slow(instruction) else 64
    setup = ("li t0, 0", f"mv t1, {DATA}")
    if to_float or from_float:
        setup += ("fmv.s ft0, fs4" if instruction.name.endswith(".s") else "fmv.d ft0, fs0",)
    return Bench((instruction.name, "latency", number), (instruction.text(target, sources), *back), copies, setup)


def returns(instruction: Instruction, number: int) -> list[str]:
    """What else is in latency()'s chain: names of instructions with a known latency."""
    bench = latency(instruction, number)
    return [line.split()[0] for line in bench.pattern[1:]] if bench else []


def longest(instruction: Instruction) -> Bench | None:
    """A chain with operands that take long: all ones by one, 1/3, the root of 2. The second operand, or the only one, waits for the
    result, but does not depend on it: times zero, plus what it is."""
    if not is_slow(instruction):
        return None
    if instruction.unit == "div":
        bits = (31 if instruction.name.endswith("w") else 63) + instruction.name.startswith(("divu", "remu"))
        pattern = (instruction.text("t0", ["t2", "t1"]), "and t0, t0, zero", "addi t1, t0, 1")
        return Bench((instruction.name, "longest"), pattern, 8, ("li t2, -1", f"srli t2, t2, {64 - bits}", "li t1, 1"))
    kind = instruction.name[-1]
    operand = {"fdiv": 3, "fsqrt": 2}[instruction.name[:-2]]
    one, zero = {"s": ("fs4", "fs6"), "d": ("fs0", "fs3")}[kind]
    sources = [one, "ft1"] if instruction.sources == 2 else ["ft1"]
    pattern = (instruction.text("ft0", sources), f"fmul.{kind} ft1, ft0, {zero}", f"fadd.{kind} ft1, ft1, ft2")
    return Bench((instruction.name, "longest"), pattern, 8, (f"li t0, {operand}", f"fcvt.{kind}.l ft2, t0", f"fmv.{kind} ft1, ft2"))


def resource(instruction: Instruction, blocker: Blocker) -> Bench | None:
    """Between copies of what keeps a resource busy."""
    if instruction.serial or instruction.unit in {"jal", "jalr"}:
        return None
    target = "ft3" if instruction.float_target else "t3"
    sources = values(instruction)
    slow = times_busy(instruction)
    pattern = (*lines(blocker) * slow, instruction.text(target, sources))
    return Bench((instruction.name, "uses", blocker.resource), pattern, USE_COPIES[slow], blocker.setup)


def alone(blocker: Blocker, times: int) -> Bench:
    return Bench((blocker.resource, "alone", times), lines(blocker) * times, USE_COPIES[times], blocker.setup)


def order(instruction: Instruction | None) -> Bench | None:
    """Copies and additions that become ready with a younger addition, on which a long chain waits: do the copies take their ports?

    None: the additions alone. Each repetition begins with a long division; its divisor waits for the chain before.
    """
    copies = ("add t3, t1, zero",) * ORDER_COPIES
    if instruction is not None:
        if instruction.serial or instruction.unit not in {"alu", "mul", "branch", "jalr"} or instruction.sources == 0:
            return None
        if instruction.unit == "jalr":
            return None
        sources = [("t1" if source == "a1" else source) for source in values(instruction)]
        copies = (instruction.text("t3", sources), copies[0]) * ORDER_COPIES
    head = ("addi t6, t2, 1", "div t0, t5, t6", "and t0, t0, zero", "addi t1, t0, 1")
    chain = ("add t2, t1, zero",) + ("addi t2, t2, 0",) * ORDER_CHAIN + ("and t2, t2, zero",)
    return Bench((instruction.name if instruction else "none", "order"), (*head, *copies, *chain), 4, ("li t2, 0", "li t5, -1", "srli t5, t5, 1"))


def pairs(has_float: bool) -> list[Bench]:
    """What is between two instructions, by name."""

    def row(name, *pattern, copies=32, setup=()):
        return Bench((name, "pair"), pattern, copies, setup)

    a = DATA
    rows = [
        row("sd, ld", f"sd t0, 0({a})", f"ld t0, 0({a})"),
        row("sw, lw", f"sw t0, 0({a})", f"lw t0, 0({a})"),
        row("sb, lbu", f"sb t0, 0({a})", f"lbu t0, 0({a})"),
        row("sd, lw: part of it", f"sd t0, 0({a})", f"lw t0, 4({a})"),
        row("sw, ld: more than it", f"sw t0, 0({a})", f"ld t0, 0({a})"),
        row("branch, taken", "beq zero, zero, .+8", "nop"),
        # More transfers than the smallest BTB has: what it costs there depends on where the program lies, too.
        row("call and return", "jal ra, 1f", "j 2f", "1: ret", "2:"),
        row("return, mispredicted", "jal ra, 1f", "nop", "1: addi ra, ra, 12", "ret", "2: nop", copies=8),
        row("auipc, jalr, predicted", "auipc t5, 0", "jalr t4, 12(t5)", "nop"),
        row("csrrw mepc", "csrw mepc, t0", copies=8),
        row("csrrs mstatus", "csrs mstatus, zero", copies=8),
        row("mret, behind csrw mepc and csrs mstatus", "la t0, 1f", "csrw mepc, t0", "csrs mstatus, t2", "mret", "1:", copies=8, setup=("li t2, 0x1800",)),
    ]
    if has_float:
        rows += [
            row("fsd, fld", f"fsd ft0, 0({a})", f"fld ft0, 0({a})", setup=("fmv.d ft0, fs0",)),
            row("fsw, flw", f"fsw ft0, 0({a})", f"flw ft0, 0({a})", setup=("fmv.d ft0, fs0",)),
            row("csrrs fcsr", "csrrs t0, fcsr, zero", copies=8),
            row("fadd.d into fmadd.d's addend", "fadd.d ft0, ft0, fs3", "fmadd.d ft0, fs0, fs3, ft0", setup=("fmv.d ft0, fs0",)),
        ]
    return rows
