#!/usr/bin/env python3
"""Parallel kernels give the answer that Python computes in another way: for any number of harts, quantum and way to wait, and on a core in lockstep.

    tests/parallel/test_parallel.py [--only TEXT]

Needs build/parallel/*.tiny.elf and *.tiny.passive.elf (make need-parallel), build/bin/tipoff and build/small2c/model.so.
"""
import heapq
import math
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from cli import ROOT, check, main, test, tipoff  # noqa: E402

HERE = ROOT / "tests/parallel"
PROGRAMS = ROOT / "build/parallel"
WORD = (1 << 64) - 1
ANSWERS = {}  # kernel: what it prints, as a function of its sizes: a text, and what numbers in it may differ by


def answer(function):
    ANSWERS[function.__name__.rstrip("_")] = function
    return function


def tiny(name, what):
    """What BY_SIZE gives for the smallest size, in that kernel's source."""
    found = re.search(rf"\b{what} = BY_SIZE\((\d+),", (HERE / f"{name}.c").read_text())
    check(found, f"{name}.c: {what}")
    return int(found[1])


def random_at(index):
    z = (index + 1) * 0x9E3779B97F4A7C15 & WORD
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & WORD
    z = (z ^ z >> 27) * 0x94D049BB133111EB & WORD
    return z ^ z >> 31


@answer
def is_(n, rounds):
    """Python's own sort."""
    total = 0
    for each in range(rounds):
        keys = sorted(random_at(each * n + i) >> 44 for i in range(n))
        total += sum(key * i for i, key in enumerate(keys))
    return f"is {total & WORD}, 0 out of order\n", 0


@answer
def cg(n, rounds):
    """What was multiplied comes back: 1 + (i + round) % 4."""
    return f"cg {sum(1 + (i + each) % 4 for each in range(rounds) for i in range(n)):.3f}, 0 far off\n", 0.001


@answer
def stencil(n, rounds):
    """A step scales a product of cosines by what it does to a cosine's top, where the neighbours are cos(2 pi / n)."""
    return f"stencil {((1 + math.cos(2 * math.pi / n)) / 2) ** rounds:.9f}, 0 elsewhere\n", 2e-9


@answer
def sp(n, rounds):
    """The lowest mode of each direction, by its eigenvalue: the middle is the top of all three sines."""
    return f"sp {(1 + 4 * 0.25 * math.sin(math.pi / 2 / (n + 1)) ** 2) ** (-3 * rounds):.9f}, 0 elsewhere\n", 2e-9


@answer
def lu(n, _):
    """The sum of x + 2 y + 3 z; the error has become nothing."""
    return f"lu {sum(x + 2 * y + 3 * z for x in range(1, n + 1) for y in range(1, n + 1) for z in range(1, n + 1)):.6f}, {0:.3e} off\n", 1e-4


@answer
def ep(blocks, rounds):
    """One stream of random numbers, from its begin to its end; exponent and mantissa of the logarithm's argument are not in question."""
    x, rings, total = 271828183, [0] * 10, [0.0, 0.0]

    def following():
        nonlocal x
        x = x * 5**13 % 2**46
        return math.ldexp(x, -45) - 1

    for _ in range(rounds * blocks * 1024):
        a, b = following(), following()
        radius = math.hypot(a, b)
        if radius > 1:
            continue
        length = math.sqrt(-4 * math.log(radius))
        pair = (a / radius * length, b / radius * length)
        rings[int(max(map(abs, pair)))] += 1
        total = [total[i] + pair[i] for i in range(2)]
    return f"ep {total[0]:.8e} {total[1]:.8e}, rings {' '.join(map(str, rings))}, {sum(rings)} pairs\n", 1e-6


@answer
def bfs(n, rounds):
    """Shortest ways by Dijkstra's algorithm."""
    edges = [[(random if k % 2 else i + random % 32) % n for k in range(8) for random in [random_at(i * 8 + k)]] for i in range(n)]
    reached = depths = 0
    for each in range(rounds):
        left, depth = [(0, random_at(~each & WORD) % n)], {}
        while left:
            steps, vertex = heapq.heappop(left)
            if vertex not in depth:
                depth[vertex] = steps
                for other in edges[vertex]:
                    heapq.heappush(left, (steps + 1, other))
        reached += len(depth)
        depths += sum(depth.values())
    return f"bfs {reached} reached, depths {depths}\n", 0


@answer
def unequal(n, rounds):
    """Euler's totients by their product over primes, and 1 has no smaller number."""
    totients = list(range(n + 1))
    for prime in range(2, n + 1):
        if totients[prime] == prime:
            for multiple in range(prime, n + 1, prime):
                totients[multiple] -= totients[multiple] // prime
    return f"unequal {rounds * sum(totients[2:])}\n", 0


@answer
def mg(levels, _):
    """The sum of the solution; the error has become little."""
    n = (1 << levels) + 1

    def solution(z, y, x):
        return 1e-3 * x * (n - 1 - x) * y * (n - 1 - y) * z * (z % 3 + 1) * (n - 1 - z) / (n * n)

    inside = range(1, n - 1)
    return f"mg {sum(solution(z, y, x) for z in inside for y in inside for x in inside):.6f}, {0:.3e} off\n", 1e-3


@answer
def ft(bits, rounds):
    """The shift theorem: each value is 3, 2 and 1 places further on."""
    n, total = 1 << bits, 0
    for i in range(n**3):
        z, y, x = i // n // n, i // n % n, i % n
        moved = ((z + 3 * rounds) % n * n + (y + 2 * rounds) % n) * n + (x + rounds) % n
        total += random_at(i) % 1000 * moved
    return f"ft {total}, 0 broken\n", 0


@answer
def lbm(n, _):
    """Mass is kept, and a shear wave decays by the viscosity; 16 points a wave are not quite many."""
    return f"lbm {n * n:.6f} {1:.4f}\n", 0.012


@answer
def nbody(n, rounds):
    """Velocity Verlet with each pair once; energy is kept to a few parts of a million."""

    def pulls():
        result = [[0.0] * 3 for _ in range(n)]
        for i in range(n):
            for j in range(i):
                apart = [b - a for a, b in zip(places[i], places[j])]
                factor = (sum(a * a for a in apart) + 0.01) ** -1.5 / n
                for axis in range(3):
                    result[i][axis] += apart[axis] * factor
                    result[j][axis] -= apart[axis] * factor
        return result

    randoms = [[random_at(i // 2 * 3 + axis) for axis in range(3)] for i in range(n)]
    places = [[(-1) ** i * (random % 1024 / 512 - 1) for random in randoms[i]] for i in range(n)]
    speeds = [[(-1) ** i * (random // 1024 % 1024 / 512 - 1) for random in randoms[i]] for i in range(n)]
    step, pull = 1 / 1024, pulls()
    for _ in range(rounds):
        places = [[places[i][a] + step * speeds[i][a] + step * step / 2 * pull[i][a] for a in range(3)] for i in range(n)]
        before, pull = pull, pulls()
        speeds = [[speeds[i][a] + step / 2 * (before[i][a] + pull[i][a]) for a in range(3)] for i in range(n)]
    first = " ".join(f"{each:.9f}" for each in places[0])
    return f"nbody momentum {0:.6f}, energy {-1e-6:.6f}, first {first}\n", 5e-6


@answer
def kmeans(n, rounds):
    """Lloyd's algorithm, by lists of members."""
    points = [[random_at(i % 8 * 4 + a) % 1000 * 4 + random_at(i * 4 + a) % 1000 for a in range(4)] for i in range(n)]
    total = 0
    for each in range(rounds):
        centres = [points[random_at(each * 8 + k) % n] for k in range(8)]
        for _ in range(6):
            members = [[] for _ in centres]
            for point in points:
                distance, nearest = min((sum((a - b) ** 2 for a, b in zip(point, centre)), k) for k, centre in enumerate(centres))
                members[nearest].append(point)
                total += distance
            centres = [[sum(axis) // len(of) for axis in zip(*of)] if of else centre for of, centre in zip(members, centres)]
    return f"kmeans {total}\n", 0


@answer
def quicksort(n, rounds):
    """Python's own sort, of the same keys as is."""
    return is_(n, rounds)[0].replace("is", "quicksort"), 0


@answer
def mandelbrot(n, rounds):
    """By complex numbers."""
    most, width, total = tiny("mandelbrot", "MOST_STEPS"), 3, 0
    for _ in range(rounds):
        for i in range(n * n):
            c, z, steps = complex(-0.75 + width * (i % n / n - 0.5), 0.125 + width * (i // n / n - 0.5)), 0j, 0
            while steps < most and z.real**2 + z.imag**2 <= 4:
                z, steps = z * z + c, steps + 1
            total += steps
        width /= 2
    return f"mandelbrot {total}\n", 0


NUMBER = re.compile(r"-?\d+(?:\.\d+(?:e[-+]\d+)?)?")


def agrees(name, said, want, by):
    check(NUMBER.sub("#", said) == NUMBER.sub("#", want), f"{name}: {said!r}, {want!r} expected")
    for got, expected in zip(NUMBER.findall(said), NUMBER.findall(want)):
        near = abs(float(got) - float(expected)) <= by if "." in expected else got == expected
        check(near, f"{name}: {got} in {said!r}, {expected} in {want!r} expected")


def expected(name):
    return ANSWERS[name](tiny(name, {"ep": "BLOCKS", "ft": "BITS", "mg": "LEVELS"}.get(name, "N")), tiny(name, "usual_rounds"))


@test
def answers(_):
    """Each kernel has one, and prints it for 1, 2 and 4 harts and two quanta, active and passive: the same text in all."""
    check(set(ANSWERS) == {path.stem for path in HERE.glob("*.c")} - {"parallel"}, f"answers of {sorted(ANSWERS)}")
    for name in ANSWERS:
        want, by = expected(name)
        seen = set()
        for waits in ("", ".passive"):
            for harts, quantum in ((1, None), (2, 64), (2, 1000), (4, 64), (4, 1000)):
                options = ["--quantum", quantum] if quantum else []
                status, out, err = tipoff("iss", "--max-insns", 20000000, "--harts", harts, *options, PROGRAMS / f"{name}.tiny{waits}.elf")
                check(status == 0, f"{name}{waits}, {harts} harts, quantum {quantum}: status {status}: {err}")
                agrees(f"{name}{waits}, {harts} harts, quantum {quantum}", out, want, by)
                seen.add(out)
        check(len(seen) == 1, f"{name}: {seen}")


@test
def rounds(_):
    """The argument is the number of rounds; what is none is refused."""
    status, out, err = tipoff("iss", "--quiet", "--harts", 2, PROGRAMS / "unequal.tiny.elf", "--", 3)
    check((status, out) == (0, unequal(tiny("unequal", "N"), 3)[0]), f"status {status}: {out!r}: {err}")
    status, out, err = tipoff("iss", "--quiet", "--harts", 2, PROGRAMS / "unequal.tiny.elf", "--", "x")
    check((status, out) == (2, "the argument is the number of rounds, from 1 on\n"), f"status {status}: {out!r}: {err}")


@test
def waiting(_):
    """Who sleeps executes nothing: with unequal work, waiting harts cost instructions when they spin, and next to none when they sleep."""
    took = {}
    for waits in ("", ".passive"):
        for harts in (1, 4):
            status, _, err = tipoff("iss", "--harts", harts, PROGRAMS / f"unequal.tiny{waits}.elf")
            check(status == 0, f"{harts} harts{waits}: status {status}: {err}")
            took[waits, harts] = int(re.search(r": ([\d,]+) instructions in", err)[1].replace(",", ""))
    check(took["", 4] > 1.5 * took["", 1], f"spinning: {took}")
    check(took[".passive", 4] < 1.05 * took[".passive", 1], f"sleeping: {took}")


@test
def on_cores(_):
    """Two coherent cores in lockstep."""
    for waits in ("", ".passive"):
        want, by = expected("unequal")
        status, out, err = tipoff("run", "--config", "small2c", "--harts", 2, "--max-cycles", 1000000, PROGRAMS / f"unequal.tiny{waits}.elf")
        check(status == 0, f"{waits}: status {status}: {err}")
        agrees(f"on cores{waits}", out, want, by)
        check(err.count("memory-order, devices: all agree") == 2, f"lockstep{waits}: {err}")


if __name__ == "__main__":
    sys.exit(main())
