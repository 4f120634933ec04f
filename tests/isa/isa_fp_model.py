"""What F and D compute, in exact rational arithmetic; written from the manual and IEEE 754, knows nothing of the C or RTL code.

Operands and results are encodings: singles as 32 bits, doubles as 64. Every function that rounds returns (result, flags).
"""
import math
from fractions import Fraction

NX, UF, OF, DZ, NV = 1, 2, 4, 8, 16
RNE, RTZ, RDN, RUP, RMM = range(5)
# format: fraction bits, exponent bits
SHAPE = {"s": (23, 8), "d": (52, 11)}
WIDTH = {"s": 32, "d": 64}
INTEGERS = {"w": (-1 << 31, (1 << 31) - 1), "wu": (0, (1 << 32) - 1), "l": (-1 << 63, (1 << 63) - 1), "lu": (0, (1 << 64) - 1)}
MASK = (1 << 64) - 1


class Number:
    """kind: 'finite', 'inf', 'nan' or 'snan'; sign: 1 if negative; value: the magnitude of a finite number."""

    def __init__(self, form, bits):
        fraction_bits, exponent_bits = SHAPE[form]
        fraction, biased = bits & ((1 << fraction_bits) - 1), bits >> fraction_bits & ((1 << exponent_bits) - 1)
        self.sign, self.kind, self.value = bits >> (fraction_bits + exponent_bits) & 1, "finite", Fraction(0)
        least = 2 - (1 << (exponent_bits - 1))
        if biased == (1 << exponent_bits) - 1:
            self.kind = "inf" if fraction == 0 else "nan" if fraction >> (fraction_bits - 1) else "snan"
        else:
            hidden = 1 << fraction_bits if biased else 0
            self.value = (hidden | fraction) * Fraction(2) ** (least + max(biased, 1) - 1 - fraction_bits)

    def is_nan(self):
        return self.kind in ("nan", "snan")

    def signed(self):
        return -self.value if self.sign else self.value


def canonical(form):
    fraction_bits, exponent_bits = SHAPE[form]
    return ((2 << exponent_bits) - 1) << (fraction_bits - 1)


def infinity(form, sign):
    fraction_bits, exponent_bits = SHAPE[form]
    return sign << (WIDTH[form] - 1) | ((1 << exponent_bits) - 1) << fraction_bits


def zero(form, sign):
    return sign << (WIDTH[form] - 1)


def to_multiple(magnitude, unit, sign, mode):
    """The magnitude as a whole number of units."""
    whole, rest = divmod(magnitude / unit, 1)
    half = Fraction(1, 2)
    up = {RNE: rest > half or (rest == half and whole % 2 == 1), RTZ: False, RDN: bool(sign) and rest > 0, RUP: not sign and rest > 0, RMM: rest >= half}[mode]
    return int(whole) + up, rest != 0


def log2_floor(value):
    guess = value.numerator.bit_length() - value.denominator.bit_length()
    return guess if Fraction(2) ** guess <= value else guess - 1


def rounded(form, sign, magnitude, mode):
    fraction_bits, exponent_bits = SHAPE[form]
    if magnitude == 0:
        return zero(form, sign), 0
    greatest = (1 << (exponent_bits - 1)) - 1
    least, exponent = 1 - greatest, log2_floor(magnitude)
    free, _ = to_multiple(magnitude, Fraction(2) ** (exponent - fraction_bits), sign, mode)  # as if exponents had no end
    tiny = free * Fraction(2) ** (exponent - fraction_bits) < Fraction(2) ** least
    last = max(exponent, least) - fraction_bits
    units, inexact = to_multiple(magnitude, Fraction(2) ** last, sign, mode)
    if units * Fraction(2) ** last >= Fraction(2) ** (greatest + 1):
        to_infinity = mode in (RNE, RMM) or mode == (RDN if sign else RUP)
        return infinity(form, sign) - (0 if to_infinity else 1), OF | NX
    if units >= 2 << fraction_bits:
        units, last = units // 2, last + 1
    biased = last + fraction_bits - least + 1 if units >> fraction_bits else 0
    return sign << (WIDTH[form] - 1) | biased << fraction_bits | units & ((1 << fraction_bits) - 1), (NX if inexact else 0) | (UF if inexact and tiny else 0)


def nan_of(form, *numbers):
    return canonical(form), NV if any(n.kind == "snan" for n in numbers) else 0


def total(form, x, y, mode):
    """Of two (kind, sign, magnitude), no NaN."""
    if "inf" in (x[0], y[0]):
        if x[0] == y[0] and x[1] != y[1]:
            return canonical(form), NV
        return infinity(form, x[1] if x[0] == "inf" else y[1]), 0
    result = (-x[2] if x[1] else x[2]) + (-y[2] if y[1] else y[2])
    if result == 0:
        return zero(form, x[1] if x[1] == y[1] and x[2] == 0 else int(mode == RDN)), 0
    return rounded(form, int(result < 0), abs(result), mode)


def fma(form, a, b, c, mode):
    x, y, z = (Number(form, n) for n in (a, b, c))
    if {x.kind, y.kind} == {"inf", "finite"} and (x.value if x.kind == "finite" else y.value) == 0:
        return canonical(form), NV
    if x.is_nan() or y.is_nan() or z.is_nan():
        return nan_of(form, x, y, z)
    product = ("inf" if "inf" in (x.kind, y.kind) else "finite", x.sign ^ y.sign, x.value * y.value)
    return total(form, product, (z.kind, z.sign, z.value), mode)


def flip(form, a):
    return a ^ 1 << (WIDTH[form] - 1)


def add(form, a, b, mode):
    x, y = Number(form, a), Number(form, b)
    return nan_of(form, x, y) if x.is_nan() or y.is_nan() else total(form, (x.kind, x.sign, x.value), (y.kind, y.sign, y.value), mode)


def mul(form, a, b, mode):
    x, y = Number(form, a), Number(form, b)
    if x.is_nan() or y.is_nan():
        return nan_of(form, x, y)
    sign = x.sign ^ y.sign
    if "inf" in (x.kind, y.kind):
        other = y if x.kind == "inf" else x
        return (canonical(form), NV) if other.kind == "finite" and other.value == 0 else (infinity(form, sign), 0)
    return rounded(form, sign, x.value * y.value, mode)


def div(form, a, b, mode):
    x, y = Number(form, a), Number(form, b)
    if x.is_nan() or y.is_nan():
        return nan_of(form, x, y)
    sign = x.sign ^ y.sign
    if x.kind == y.kind and (x.kind == "inf" or x.value == y.value == 0):
        return canonical(form), NV
    if x.kind == "inf":
        return infinity(form, sign), 0
    if y.kind == "inf":
        return zero(form, sign), 0
    return (infinity(form, sign), DZ) if y.value == 0 else rounded(form, sign, x.value / y.value, mode)


def sqrt(form, a, mode):
    x = Number(form, a)
    if x.is_nan():
        return nan_of(form, x)
    if x.kind == "finite" and x.value == 0:
        return a, 0
    if x.sign:
        return canonical(form), NV
    if x.kind == "inf":
        return a, 0
    scale = 1 << 1200  # the root to 1200 places; what is beyond stands for itself as half a unit of the last
    square = x.value * scale * scale
    root = math.isqrt(square.numerator // square.denominator)
    exact = square.denominator == 1 and root * root == square.numerator
    return rounded(form, 0, Fraction(2 * root + (not exact), 2 * scale), mode)


def convert(to, form, a, mode):
    x = Number(form, a)
    if x.is_nan():
        return nan_of(to, x)
    return (infinity(to, x.sign), 0) if x.kind == "inf" else rounded(to, x.sign, x.value, mode)


def from_integer(form, kind, value, mode):
    low, high = INTEGERS[kind]
    bits = (high - low).bit_length()
    value &= (1 << bits) - 1
    if value > high:
        value -= 1 << bits
    return rounded(form, int(value < 0), Fraction(abs(value)), mode)


def to_integer(form, kind, a, mode):
    x = Number(form, a)
    low, high = INTEGERS[kind]
    if x.kind != "finite":
        result, flags = (low if x.kind == "inf" and x.sign else high), NV
    else:
        whole, inexact = to_multiple(x.value, Fraction(1), x.sign, mode)
        result, flags = -whole if x.sign else whole, NX if inexact else 0
        if not low <= result <= high:
            result, flags = low if result < low else high, NV
    bits = (high - low).bit_length()
    result &= (1 << bits) - 1
    return (result | (MASK ^ 0xFFFFFFFF) if bits == 32 and result >> 31 else result), flags


def compare(form, name, a, b):
    x, y = Number(form, a), Number(form, b)
    if x.is_nan() or y.is_nan():
        return 0, NV if name != "feq" or "snan" in (x.kind, y.kind) else 0

    def place(n):  # in the order of the extended line
        return (-1 if n.sign else 1, 0) if n.kind == "inf" else (0, n.signed())

    p, q = place(x), place(y)
    return int({"feq": p == q, "flt": p < q, "fle": p <= q}[name]), 0


def extreme(form, name, a, b):
    x, y = Number(form, a), Number(form, b)
    flags = NV if "snan" in (x.kind, y.kind) else 0
    if x.is_nan() and y.is_nan():
        return canonical(form), flags
    if x.is_nan() or y.is_nan():
        return (b if x.is_nan() else a), flags
    equal = compare(form, "feq", a, b)[0]
    a_is_less = x.sign > y.sign if equal else compare(form, "flt", a, b)[0]
    return (a if a_is_less == (name == "fmin") else b), flags


def inject(form, name, a, b):
    top = 1 << (WIDTH[form] - 1)
    sign = {"fsgnj": b & top, "fsgnjn": ~b & top, "fsgnjx": (a ^ b) & top}[name]
    return a & ~top | sign, 0


def classify(form, a):
    x = Number(form, a)
    if x.is_nan():
        return 1 << (8 if x.kind == "snan" else 9)
    if x.kind == "inf":
        return 1 << (0 if x.sign else 7)
    least = Fraction(2) ** (2 - (1 << (SHAPE[form][1] - 1)))
    return 1 << {0: (3, 4), 1: (2, 5), 2: (1, 6)}[0 if x.value == 0 else 1 if x.value < least else 2][0 if x.sign else 1]
