"""The result of the workload cmark, from the specification in its files' headers.

Lists and their sort, dot products, regular expressions, the standard library's CRC: nothing of the program's algorithms.
"""
import binascii
import functools
import math
import re
import struct

LIST_SEED, MATRIX_SEED, TEXT_SEED = 5, 0x35C3, 0x1D
WORDS = {
    "i": ["7", "+4091", "-68", "315502"],
    "f": ["3.25", "-.0071", "640.", "+18.4467"],
    "s": ["6.02e23", "-1.6E-19", "8e+8", ".5e-3"],
    "x": ["12:30", "-x41", "1.2.3", "5e+e7"],
}
NUMBER = r"[+-]?(\d+|\d*\.\d*)"
STATES = ["", "[+-]", r"[+-]?\d+", r"[+-]?\d*\.\d*", NUMBER + "[eE]", NUMBER + "[eE][+-]", NUMBER + r"[eE][+-]?\d+"]


def crc(values, start):
    """CRC-16 with the polynomial 0x1021, of 16-bit values, low byte first."""
    return binascii.crc_hqx(b"".join(struct.pack("<H", v & 0xFFFF) for v in values), start)


def state(prefix):
    """Of the machine behind these characters: the first kind that all of them match; 7 where none does."""
    return next((n for n, pattern in enumerate(STATES) if re.fullmatch(pattern, prefix)), len(STATES))


def text_answer(part, p):
    tokens, m = "", TEXT_SEED
    while len(tokens + (word := WORDS["iiffsisx"[m % 8]][m // 8 % 4] + ",")) < part:
        tokens, m = tokens + word, m + 5
    hit = range(p, len(tokens), 2 * p + 5)
    other = "".join(chr(ord(c) ^ 4) if c != "," and i in hit else c for i, c in enumerate(tokens))
    walks = [[state(token[:n]) for n in range(len(token) + 1)] for token in (tokens + other).split(",")[:-1]]
    ended = [sum(walk[-1] == s for walk in walks) for s in range(8)]
    left = [sum(a == s != b for walk in walks for a, b in zip(walk, walk[1:])) for s in range(8)]
    return crc(ended + left, p)


def score(elements, limit):
    total = result = 0
    for before, now in zip([0] + elements, elements):
        total += now
        result += 10 if total > limit else now > before
        total = 0 if total > limit else total
    return result


def matrix_answer(part, p):
    n = math.isqrt(part // 8)
    a = [[(MATRIX_SEED * (i * n + j + 1) // 8) % 256 - 128 + p + 1 - 0x2000 for j in range(n)] for i in range(n)]
    columns = [[((MATRIX_SEED ^ (i * n + j)) * 7 // 4) % 256 - 128 for i in range(n)] for j in range(n)]
    first_row = [column[0] for column in columns]

    def dot(x, y, term=lambda product: product):
        return sum(term(u * v) for u, v in zip(x, y))

    scaled = [x * (p + 3) for row in a for x in row]
    results = [
        scaled,
        [dot(row, first_row) for row in a] + scaled[n:],
        [dot(row, column) for row in a for column in columns],
        [dot(row, column, lambda x: (x // 4 % 16) * (x // 32 % 128)) for row in a for column in columns],
    ]
    return crc([score(c, 4096 * (p + 1)) for c in results], p)


def list_pass(part, by_value):
    count = part // 20 - 1
    byte = [i % 12 + 16 * ((LIST_SEED ^ i // 4) % 8) for i in range(count)]

    def value(i):
        kernel = {11: text_answer, 1: matrix_answer}.get(byte[i] % 16)
        return kernel(part, byte[i] // 16) % 128 if kernel else byte[i]

    order, found, misses, total = list(range(count)), 0, 0, 0
    for s in range(100):
        hit = next((i for i in order if (byte[i] == 3 * s if by_value else i == s)), None)
        order.reverse()
        if hit is None:
            misses += order[0]
        else:
            found, total = found + 1, total + 1 + order.index(hit) * s
            order.remove(hit)
            order.insert(0, hit)
    values = {i: value(i) for i in order}
    order.sort(key=values.get)
    return crc([values[i] * 256 + i for i in order] + [byte[i] * 256 + i for i in range(count)] + [found, misses, total], 0)


def cmark(parameters):
    size, passes = parameters
    once = functools.lru_cache()(lambda by_value: list_pass(size // 3, by_value))
    results = [once(n % 2 == 1) for n in range(passes)]
    return crc(results, 0) << 16 | results[-1]
