#!/usr/bin/env python3
"""Results that workloads must print, computed without them: the constants in their sources come from here.

    tests/workloads/expected.py    print NAME.SIZE RESULT lines
"""
import itertools
import zlib

MASK32 = (1 << 32) - 1
MASK64 = (1 << 64) - 1
SIZES = ("small", "medium", "large")


def interp(limit):
    """Primes by trial division; FNV-1a over their decimal digits, lowest first."""
    primes = []
    for n in range(2, limit):
        if all(n % p for p in primes if p * p <= n):
            primes.append(n)
    digest = 2166136261
    for byte in "".join(str(p)[::-1] for p in primes).encode():
        digest = ((digest ^ byte) * 16777619) & MASK32
    return len(primes) << 32 | digest


def random_words(state):
    """The runtime's xorshift64."""
    while True:
        state ^= state << 13 & MASK64
        state ^= state >> 7
        state ^= state << 17 & MASK64
        yield state


def crc(length):
    """zlib's CRC-32 of the message."""
    return zlib.crc32(bytes(word & 0xFF for word in itertools.islice(random_words(0xC0DE), length)))


def queens(largest):
    """Sum of the published numbers of solutions (OEIS A000170) for 1..largest queens."""
    return sum((1, 0, 0, 2, 10, 4, 40, 92, 352, 724)[:largest])


def chase(parameters):
    """The ring's indices in order, without a list."""
    count, steps = parameters
    digest = at = 0
    for _ in range(steps):
        digest = ((digest ^ at) * 0x100000001B3) & MASK64
        digest ^= digest >> 29
        at = (at * 40501 + 24691) % count
    return digest


EXPECTED = {
    "interp": (interp, (281, 2203, 20011)),
    "chase": (chase, ((2048, 3000), (65536, 17000), (131072, 160000))),
    "queens": (queens, (7, 9, 10)),
    "crc": (crc, (900, 10000, 100000)),
}


def results():
    """{"NAME.SIZE": result}"""
    return {f"{name}.{size}": function(parameter) for name, (function, parameters) in EXPECTED.items() for size, parameter in zip(SIZES, parameters)}


if __name__ == "__main__":
    for key, value in results().items():
        print(f"{key} 0x{value:x}")
