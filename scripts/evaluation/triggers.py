"""Which cycles are sampled: every way of choosing one in `period` cycles of a run. Each takes (cycles, period, random numbers) and gives the cycles."""
import numpy

GOLDEN = 0.6180339887498949  # (sqrt 5 - 1) / 2: of all numbers the one that fractions come least near to


def independent(cycles, period, random):
    """Anywhere, each by itself: the triggers of chance's floor."""
    return random.integers(0, cycles, cycles // period)


def periodic(cycles, period, random):
    return numpy.arange(random.integers(0, period), cycles, period)


def _walk(cycles, period, bits, random):
    span = 1 << bits
    at = numpy.cumsum(period + random.integers(0, span, cycles // max(period - span // 2, 1) + 1) - span // 2)
    return at[at < cycles]


def jittered(cycles, period, random):
    """Each distance varies by two bits (`--jitter=2`)."""
    return _walk(cycles, period, 2, random)


def jittered_much(cycles, period, random):
    """... by up to an eighth of the period either way."""
    return _walk(cycles, period, max(0, period.bit_length() - 2), random)


def stratified(cycles, period, random):
    """One in each interval of a period, anywhere in it."""
    count = cycles // period
    return numpy.arange(count) * period + random.integers(0, period, count)


def golden(cycles, period, random):
    """One in each interval, at the fraction k times the golden ratio: an accumulator in the place of the shift register."""
    k = numpy.arange(cycles // period)
    return k * period + ((k * GOLDEN + random.random()) % 1 * period).astype(int)


def fractional(cycles, period, random):
    """Every period + the golden ratio: distances of period and period + 1, which a handler can write to tipoff_period, or the carry of a fraction's accumulator add."""
    at = (numpy.arange(cycles // period) * (period + GOLDEN) + random.random() * period).astype(int)
    return at[at < cycles]


def bit_reversed(cycles, period, random):
    """... at the fraction that k backwards is (van der Corput): counts that a short loop divides, divide it, too."""
    k = numpy.arange(cycles // period)
    fraction, bit, left = numpy.zeros(len(k)), 0.5, k.copy()
    for _ in range(32):
        fraction += bit * (left & 1)
        left >>= 1
        bit /= 2
    return k * period + ((fraction + random.random()) % 1 * period).astype(int)


MODES = {
    "independent": independent,
    "periodic": periodic,
    "jitter 2 bits": jittered,
    "jitter 1/4": jittered_much,
    "stratified": stratified,
    "golden": golden,
    "fractional": fractional,
    "bit-reversed": bit_reversed,
}


def consecutive(at, cycles, many):
    """`many` cycles from each on."""
    found = (at[:, None] + numpy.arange(many)[None, :]).ravel()
    return found[found < cycles]
