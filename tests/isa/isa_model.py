"""What RV64IMA instructions compute, written from the manual in Python integers; knows nothing of the C or RTL code.

Operands and results are unsigned 64-bit numbers.
"""
M64 = (1 << 64) - 1


def s(value, bits=64):
    """The low bits, as a signed number."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def w(value):
    """A word result: the low 32 bits, sign-extended."""
    return s(value, 32) & M64


def u32(value):
    return value & 0xFFFFFFFF


def quotient(a, b):
    """Rounds towards zero; by the manual's table, division by zero gives -1 and overflow gives the dividend."""
    if b == 0:
        return -1
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


def remainder(a, b):
    return a if b == 0 else a - b * quotient(a, b)


# name: f(rs1, rs2 or immediate); immediates come sign-extended to 64 bits
COMPUTE = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "xor": lambda a, b: a ^ b,
    "or": lambda a, b: a | b,
    "and": lambda a, b: a & b,
    "slt": lambda a, b: int(s(a) < s(b)),
    "sltu": lambda a, b: int(a < b),
    "sll": lambda a, b: a << (b % 64),
    "srl": lambda a, b: a >> (b % 64),
    "sra": lambda a, b: s(a) >> (b % 64),
    "addw": lambda a, b: w(a + b),
    "subw": lambda a, b: w(a - b),
    "sllw": lambda a, b: w(a << (b % 32)),
    "srlw": lambda a, b: w(u32(a) >> (b % 32)),
    "sraw": lambda a, b: w(s(a, 32) >> (b % 32)),
    "mul": lambda a, b: a * b,
    "mulh": lambda a, b: s(a) * s(b) >> 64,
    "mulhsu": lambda a, b: s(a) * b >> 64,
    "mulhu": lambda a, b: a * b >> 64,
    "div": lambda a, b: quotient(s(a), s(b)),
    "divu": lambda a, b: quotient(a, b),
    "rem": lambda a, b: remainder(s(a), s(b)),
    "remu": lambda a, b: remainder(a, b),
    "mulw": lambda a, b: w(a * b),
    "divw": lambda a, b: w(quotient(s(a, 32), s(b, 32))),
    "divuw": lambda a, b: w(quotient(u32(a), u32(b))),
    "remw": lambda a, b: w(remainder(s(a, 32), s(b, 32))),
    "remuw": lambda a, b: w(remainder(u32(a), u32(b))),
}
for immediate, register in (
    ("addi", "add"),
    ("slti", "slt"),
    ("sltiu", "sltu"),
    ("xori", "xor"),
    ("ori", "or"),
    ("andi", "and"),
    ("slli", "sll"),
    ("srli", "srl"),
    ("srai", "sra"),
    ("addiw", "addw"),
    ("slliw", "sllw"),
    ("srliw", "srlw"),
    ("sraiw", "sraw"),
):
    COMPUTE[immediate] = COMPUTE[register]

TAKEN = {
    "beq": lambda a, b: a == b,
    "bne": lambda a, b: a != b,
    "blt": lambda a, b: s(a) < s(b),
    "bge": lambda a, b: s(a) >= s(b),
    "bltu": lambda a, b: a < b,
    "bgeu": lambda a, b: a >= b,
}

# f(memory, register, bits): operands are that wide; .w results are cut by the caller
AMO = {
    "amoswap": lambda m, r, n: r,
    "amoadd": lambda m, r, n: m + r,
    "amoxor": lambda m, r, n: m ^ r,
    "amoor": lambda m, r, n: m | r,
    "amoand": lambda m, r, n: m & r,
    "amomin": lambda m, r, n: min(s(m, n), s(r, n)),
    "amomax": lambda m, r, n: max(s(m, n), s(r, n)),
    "amominu": lambda m, r, n: min(m, r),
    "amomaxu": lambda m, r, n: max(m, r),
}


def compute(name, a, b):
    return COMPUTE[name](a & M64, b & M64) & M64


def amo(name, memory, register, bits):
    mask = (1 << bits) - 1
    return AMO[name](memory & mask, register & mask, bits) & mask


def load(name, data):
    """What lb..lwu make of these bytes."""
    value = int.from_bytes(data, "little")
    return value if name.endswith("u") or len(data) == 8 else s(value, 8 * len(data)) & M64
