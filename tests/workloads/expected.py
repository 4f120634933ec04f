#!/usr/bin/env python3
"""Results that workloads must print, computed without them: the constants in their sources come from here.

    tests/workloads/expected.py    print NAME.SIZE RESULT lines
"""
import itertools
import math
import struct
import zlib

from expected_cmark import cmark

MASK32 = (1 << 32) - 1
MASK64 = (1 << 64) - 1
SIZES = ("small", "medium", "large", "tiny")


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


# ---- floating point: Python's floats are IEEE 754 doubles, so the same operations in the same order give the same bits ----
DIGEST_START = 1469598103


def digest(values):
    result = DIGEST_START
    for value in values:
        bits = struct.unpack("<Q", struct.pack("<d", value))[0]
        result = ((result ^ bits) * 0x100000001B3 & MASK64) ^ bits >> 32
    return result


def uniform(seed):
    for word in random_words(seed):
        yield (word >> 32) * 2.0**-32


def nbody(steps):
    r = uniform(0xB0D7)
    bodies = [[next(r) * 8 - 4 for _ in "xyz"] + [next(r) - 0.5 for _ in "xyz"] + [next(r) + 0.25] for _ in range(5)]
    dt = 0.0078125
    for _ in range(steps):
        for i, a in enumerate(bodies):
            for b in bodies[i + 1 :]:
                d = [a[k] - b[k] for k in range(3)]
                square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 0.0625
                pull = dt / (square * math.sqrt(square))
                for k in range(3):
                    a[3 + k] -= d[k] * b[6] * pull
                for k in range(3):
                    b[3 + k] += d[k] * a[6] * pull
        for b in bodies:
            for k in range(3):
                b[k] += dt * b[3 + k]
    return digest(value for b in bodies for value in b[:3])


def dgemm(n):
    r = uniform(0xD6E3)
    pairs = [[(next(r) * 2 - 1, next(r) * 2 - 1) for _ in range(n)] for _ in range(n)]
    columns = [[pairs[k][j][1] for k in range(n)] for j in range(n)]

    def element(i, j):
        total = 0.0
        for (a, _), b in zip(pairs[i], columns[j]):
            total += a * b
        return total

    return digest(element(i, j) for i in range(n) for j in range(n))


def fft(log):
    n = 1 << log
    r = uniform(0xFF7)
    given = [next(r) * 2 - 1 for _ in range(n)]
    re = [given[int(f"{i:0{log}b}"[::-1], 2)] for i in range(n)]
    im = [0.0] * n
    c, s, half = -1.0, 0.0, 1
    while half < n:
        wr, wi = 1.0, 0.0
        for k in range(half):
            for i in range(k, n, 2 * half):
                j = i + half
                tr, ti = wr * re[j] - wi * im[j], wr * im[j] + wi * re[j]
                re[j], im[j] = re[i] - tr, im[i] - ti
                re[i] += tr
                im[i] += ti
            wr, wi = wr * c - wi * s, wr * s + wi * c
        s, c = -1.0 * math.sqrt((1 - c) * 0.5), math.sqrt((1 + c) * 0.5)
        half *= 2
    return digest(value for pair in zip(re, im) for value in pair)


def mandelbrot(side):
    def escape(cr, ci):
        zr = zi = 0.0
        for i in range(100):
            rr, ii = zr * zr, zi * zi
            if rr + ii > 4:
                return i
            zr, zi = rr - ii + cr, 2 * zr * zi + ci
        return 100

    return digest(float(escape(-2 + 2.5 * x / side, -1.25 + 2.5 * y / side)) for y in range(side) for x in range(side))


def lbm(parameters):
    width, steps = parameters
    cx, cy = (0, 1, 0, -1, 0, 1, -1, -1, 1), (0, 0, 1, 0, -1, 1, 1, -1, -1)
    weight = (4.0 / 9,) + (1.0 / 9,) * 4 + (1.0 / 36,) * 4
    r = uniform(0x1B3)
    now = [[[weight[q] * (1 + 0.125 * next(r)) for _ in range(width)] for _ in range(width)] for q in range(9)]
    for _ in range(steps):
        after = [[[0.0] * width for _ in range(width)] for _ in range(9)]
        for y in range(width):
            for x in range(width):
                rho = ux = uy = 0.0
                for q in range(9):
                    f = now[q][y][x]
                    rho += f
                    ux += f * cx[q]
                    uy += f * cy[q]
                ux, uy = ux / rho, uy / rho
                square = 1.5 * (ux * ux + uy * uy)
                for q in range(9):
                    f = now[q][y][x]
                    along = 3 * (cx[q] * ux + cy[q] * uy)
                    balance = weight[q] * rho * (1 + along + 0.5 * along * along - square)
                    after[q][(y + cy[q]) % width][(x + cx[q]) % width] = f - 0.6 * (f - balance)
        now = after
    return digest(now[q][y][y] for y in range(width) for q in range(9))


def meanshift(parameters):
    side, starts = parameters
    r = uniform(0x3EA5)
    image = [[next(r) + 0.125 for _ in range(side)] for _ in range(side)]

    def clamp(v):
        return min(max(v, 0), side - 1)

    def walk(px, py):
        for _ in range(6):
            total = sx = sy = 0.0
            for y in range(clamp(math.ceil(py - 3)), clamp(math.floor(py + 3)) + 1):
                for x in range(clamp(math.ceil(px - 3)), clamp(math.floor(px + 3)) + 1):
                    w = image[y][x]
                    total += w
                    sx += w * x
                    sy += w * y
            dx, dy = sx / total - px, sy / total - py
            px, py = sx / total, sy / total
            if dx * dx + dy * dy < 0.0001:
                break
        return px, py

    ends = [walk(next(r) * (side - 1), next(r) * (side - 1)) for _ in range(starts)]
    return digest(value for end in ends for value in end)


def molecular(parameters):
    atoms, steps = parameters
    box, r = 8.0, uniform(0x301E)
    x, v = [[0.0] * 3 for _ in range(atoms)], [[0.0] * 3 for _ in range(atoms)]
    for i in range(atoms):
        for k in range(3):
            x[i][k], v[i][k] = next(r) * box, next(r) - 0.5

    def nearest(d):
        return d - box if d > box / 2 else d + box if d < -box / 2 else d

    def step(dt):
        f = [[0.0] * 3 for _ in range(atoms)]
        for i in range(atoms):
            for j in range(i + 1, atoms):
                d = [nearest(x[i][k] - x[j][k]) for k in range(3)]
                square = 0.0
                for k in range(3):
                    square += d[k] * d[k]
                if square > 6.25:
                    continue
                inverse = 1 / (square + 0.5)
                sixth = inverse * inverse * inverse
                force = 24 * inverse * sixth * (2 * sixth - 1)
                for k in range(3):
                    f[i][k] += force * d[k]
                    f[j][k] -= force * d[k]
        speeds = 0.0
        for i in range(atoms):
            square = 0.0
            for k in range(3):
                v[i][k] += dt * f[i][k]
                x[i][k] += dt * v[i][k]
                if x[i][k] >= box:
                    x[i][k] -= box
                if x[i][k] < 0:
                    x[i][k] += box
                square += v[i][k] * v[i][k]
            speeds += math.sqrt(square)
        return speeds

    return digest([step(0.00390625) for _ in range(steps)])


def vm_paging(parameters):
    """The same accesses on a dictionary."""
    pages, accesses = parameters
    digest, memory = 0, {}
    for r in itertools.islice(random_words(0x9A6E5), accesses):
        at = ((r >> 8 & MASK32) % pages, (r >> 50) % 512 // 64)
        digest = ((digest ^ memory.get(at, 0)) * 0x100000001B3 + (r & 0xFF)) & MASK64
        if r >> 62:
            memory[at] = digest
    return digest


def vm_sort(count):
    """The median key, by Python's sort."""
    return sorted(word >> 20 & MASK32 for word in itertools.islice(random_words(0x5EED), count))[count // 2]


def vm_code(parameters):
    """The functions' work, by their numbers."""
    functions, calls = parameters
    x = 1
    for word in itertools.islice(random_words(0xC0DE9A6E), calls):
        n = (word >> 30 & MASK32) % functions
        x = ((x ^ (0x85EBCA6B * (n + 3) & MASK32)) * (2654435761 * (2 * n + 1) & MASK32)) & MASK64
        x = (x ^ x >> 29) | 1
    return x


def vm_chase(parameters):
    """The ring's indices in order; sum of index * 5^(steps left) instead of Horner's rule."""
    pages, steps = parameters
    digest, at, power = 0, 0, pow(5, steps - 1, 1 << 64)
    fifth = pow(5, -1, 1 << 64)
    for _ in range(steps):
        digest += at * power
        power = power * fifth & MASK64
        at = (at * 40501 + 24691) % pages
    return digest & MASK64


def vm_procs(parameters):
    """Each process a dictionary and a float, in turn."""
    processes, rounds = parameters
    states, balances, token = [{} for _ in range(processes)], [float(n) for n in range(processes)], 0
    for _, n in itertools.product(range(rounds), range(processes)):
        for i in range(6):
            at = (token >> 7) % 12, (token >> 20) % 4
            states[n][at] = (states[n].get(at, 0) + (token ^ n)) & MASK64
            token = ((token + states[n][at]) * 0x100000001B3 + i) & MASK64
            token ^= token >> 32
        balances[n] = balances[n] * 0.5 + (token & 0xFFFF)
        token = (token + int(balances[n])) & MASK64
    return token


EXPECTED = {
    "interp": (interp, (281, 2203, 20011, 41)),
    "chase": (chase, ((2048, 3000), (65536, 17000), (131072, 160000))),
    "queens": (queens, (7, 9, 10)),
    "crc": (crc, (900, 10000, 100000)),
    "nbody": (nbody, (140, 1500, 15000)),
    "dgemm": (dgemm, (16, 48, 104)),
    "fft": (fft, (8, 11, 14)),
    "mandelbrot": (mandelbrot, (16, 52, 160)),
    "lbm": (lbm, ((10, 2), (20, 5), (64, 4))),
    "meanshift": (meanshift, ((24, 24), (40, 300), (64, 3000))),
    "molecular": (molecular, ((24, 5), (64, 8), (128, 20))),
    "cmark": (cmark, ((1000, 2), (2000, 6), (2000, 60))),
    "vm_paging": (vm_paging, ((40, 140), (96, 900), (384, 8000))),
    "vm_sort": (vm_sort, (720, 4000, 24000)),
    "vm_code": (vm_code, ((64, 4000), (256, 30000), (512, 250000))),
    "vm_chase": (vm_chase, ((64, 15000), (512, 120000), (2048, 1000000))),
    "vm_procs": (vm_procs, ((2, 40), (3, 220), (4, 900))),
}


def result(program):
    """Of NAME.SIZE; None where nothing is computed here."""
    name, _, size = program.partition(".")
    if name not in EXPECTED or size not in SIZES:
        return None
    function, parameters = EXPECTED[name]
    return function(parameters[SIZES.index(size)]) if SIZES.index(size) < len(parameters) else None


if __name__ == "__main__":
    for program in (f"{name}.{size}" for name in EXPECTED for size in SIZES[: len(EXPECTED[name][1])]):
        print(f"{program} 0x{result(program):x}")
