#!/usr/bin/env python3
"""What the kernels compute, from the definitions and not in the way of the C files: sums that their results are checked by.

    tests/kernels/reference.py OUTPUT.h      (defines EXPECTED_KERNEL_N_STEPS for every row of kernels.tsv)

Products are sums over whole rows and columns, factorisations and triangular systems go through Gaussian elimination, shortest
ways through Dijkstra's algorithm, folded sequences through recursion.
"""
import functools
import heapq
import math
import pathlib
import sys

import kernels

ALPHA, BETA = 1.5, 1.25
MODELS = {}


def model(function):
    """A kernel's model: from (n, steps) to the arrays, in the order in which kernel_sum adds them up."""
    MODELS[function.__name__.strip("_").replace("_", "-")] = function
    return function


# ---- inputs, sums, and what the definitions are made of ----
def value(k):
    return (k * 2654435761 % 2**32 >> 22) * 2.0**-10


def vector(first, n):
    return [value(first + k) for k in range(n)]


def matrix(first, n):
    return [vector(first + i * n, n) for i in range(n)]


def dominant(first, n):
    return [[a + n * (i == j) for j, a in enumerate(row)] for i, row in enumerate(matrix(first, n))]


def weighed(values):
    """The sum that kernel_sum makes of (index, value)."""
    return math.fsum((k % 8 + 1) * v for k, v in values)


def total(*arrays):
    def flat(a):
        return [x for row in a for x in flat(row)] if isinstance(a, list) else [a]

    return math.fsum(weighed(enumerate(flat(a))) for a in arrays)


def triangle(a, wanted):
    n = len(a)
    return weighed((i * n + j, a[i][j]) for i in range(n) for j in range(n) if wanted(i, j))


def dot(x, y):
    return math.fsum(a * b for a, b in zip(x, y))


def transposed(a):
    return [list(column) for column in zip(*a)]


def product(a, b):
    columns = transposed(b)
    return [[dot(row, column) for column in columns] for row in a]


def times(factor, a):
    return [times(factor, x) for x in a] if isinstance(a, list) else factor * a


def plus(a, *others):
    return [plus(*x) for x in zip(a, *others)] if isinstance(a, list) else math.fsum((a, *others))


def applied(a, x):
    return [dot(row, x) for row in a]


def eliminated(a):
    """L - 1 below the diagonal and U on and above it, by Gaussian elimination."""
    a, n = [row[:] for row in a], len(a)
    for k in range(n):
        for i in range(k + 1, n):
            a[i][k] /= a[k][k]
            a[i][k + 1 :] = [x - a[i][k] * y for x, y in zip(a[i][k + 1 :], a[k][k + 1 :])]
    return a


def solved(a, b):
    """x of a x = b, by Gauss-Jordan elimination with the largest pivot."""
    a = [[*row, y] for row, y in zip(a, b)]
    for k in range(len(a)):
        best = max(range(k, len(a)), key=lambda i: abs(a[i][k]))
        a[k], a[best] = a[best], a[k]
        a[k] = [x / a[k][k] for x in a[k]]
        for i in range(len(a)):
            if i != k and a[i][k]:
                a[i] = [x - a[i][k] * y for x, y in zip(a[i], a[k])]
    return [row[-1] for row in a]


# ---- products ----
@model
def gemm(n, _steps):
    a, b, c = (matrix(f, n) for f in (0, 10000, 20000))
    return total(plus(times(ALPHA, product(a, b)), times(BETA, c)))


@model
def _2mm(n, _steps):
    a, b, c, d = (matrix(f, n) for f in (0, 10000, 20000, 30000))
    return total(plus(times(ALPHA, product(a, product(b, c))), times(BETA, d)))


@model
def _3mm(n, _steps):
    a, b, c, d = (matrix(f, n) for f in (0, 10000, 20000, 30000))
    return total(product(product(a, b), product(c, d)))


@model
def atax(n, _steps):
    a = matrix(0, n)
    return total(applied(transposed(a), applied(a, vector(10000, n))))


@model
def bicg(n, _steps):
    a = matrix(0, n)
    return total(applied(transposed(a), vector(10000, n)), applied(a, vector(20000, n)))


@model
def mvt(n, _steps):
    a, x1, x2, y1, y2 = matrix(0, n), *(vector(f, n) for f in (10000, 20000, 30000, 40000))
    return total(plus(x1, applied(a, y1)), plus(x2, applied(transposed(a), y2)))


@model
def gesummv(n, _steps):
    x = vector(20000, n)
    return total(plus(times(ALPHA, applied(matrix(0, n), x)), times(BETA, applied(matrix(10000, n), x))))


@model
def gemver(n, _steps):
    u1, v1, u2, v2, y, z = (vector(f, n) for f in (10000, 20000, 30000, 40000, 50000, 60000))
    a = plus(matrix(0, n), [times(u, v1) for u in u1], [times(u, v2) for u in u2])
    x = plus(times(BETA, applied(transposed(a), y)), z)
    return total(a, x, times(ALPHA, applied(a, x)))


@model
def doitgen(n, _steps):
    lines = [vector(i * n, n) for i in range(n * n)]
    return total(product(lines, matrix(10000, n)))


@model
def symm(n, _steps):
    lower = matrix(0, n)
    a = [[lower[max(i, j)][min(i, j)] for j in range(n)] for i in range(n)]
    return total(plus(times(ALPHA, product(a, matrix(10000, n))), times(BETA, matrix(20000, n))))


def rank_update(c, update):
    """c's lower triangle, times beta, plus alpha times that of update; above the diagonal c."""
    n = len(c)
    return total([[BETA * c[i][j] + ALPHA * update[i][j] if j <= i else c[i][j] for j in range(n)] for i in range(n)])


@model
def syrk(n, _steps):
    a = matrix(0, n)
    return rank_update(matrix(10000, n), product(a, transposed(a)))


@model
def syr2k(n, _steps):
    a, b = matrix(0, n), matrix(10000, n)
    return rank_update(matrix(20000, n), plus(product(a, transposed(b)), product(b, transposed(a))))


@model
def trmm(n, _steps):
    a = [[1.0 if i == j else x if j < i else 0.0 for j, x in enumerate(row)] for i, row in enumerate(matrix(0, n))]
    return total(times(ALPHA, product(transposed(a), matrix(10000, n))))


# ---- systems and factorisations ----
@model
def lu(n, _steps):
    return total(eliminated(dominant(0, n)))


@model
def ludcmp(n, _steps):
    return total(solved(dominant(0, n), vector(10000, n)))


@model
def trisolv(n, _steps):
    lower = [[x if j <= i else 0.0 for j, x in enumerate(row)] for i, row in enumerate(dominant(0, n))]
    return total(solved(lower, vector(10000, n)))


@model
def cholesky(n, _steps):
    lower = dominant(0, n)
    u = eliminated([[lower[max(i, j)][min(i, j)] for j in range(n)] for i in range(n)])
    factor = [[u[j][i] / math.sqrt(u[j][j]) if j <= i else 0.0 for j in range(n)] for i in range(n)]
    return triangle(factor, lambda i, j: j <= i)


@model
def gramschmidt(n, _steps):
    a = dominant(0, n)
    u = eliminated(product(transposed(a), a))
    r = [[u[i][j] / math.sqrt(u[i][i]) if j >= i else 0.0 for j in range(n)] for i in range(n)]
    q = [solved(transposed(r), row) for row in a]
    return total(q) + triangle(r, lambda i, j: j >= i)


@model
def durbin(n, _steps):
    r = times(0.5 / n, vector(0, n))
    rows = [[1.0 if i == j else r[abs(i - j) - 1] for j in range(n)] for i in range(n)]
    return total(solved(rows, times(-1, r)))


# ---- data ----
def centred(n):
    columns = transposed(matrix(0, n))
    means = [math.fsum(column) / n for column in columns]
    return means, [[x - mean for x in column] for mean, column in zip(means, columns)]


@model
def covariance(n, _steps):
    means, columns = centred(n)
    return total([[dot(x, y) / (n - 1) for y in columns] for x in columns], means)


@model
def correlation(n, _steps):
    _, columns = centred(n)
    return total([[dot(x, y) / math.sqrt(dot(x, x) * dot(y, y)) for y in columns] for x in columns])


# ---- graphs and sequences ----
@model
def floyd_warshall(n, _steps):
    length = [[int(value(i * n + j) * 1024) + 1 for j in range(n)] for i in range(n)]

    def from_node(start):
        found, waiting = {}, [(0, start)]
        while waiting:
            far, node = heapq.heappop(waiting)
            if node not in found:
                found[node] = far
                for other in range(n):
                    heapq.heappush(waiting, (far + length[node][other], other))
        return found

    ways = [from_node(i) for i in range(n)]
    return triangle([[ways[i][j] for j in range(n)] for i in range(n)], lambda i, j: i != j)


@model
def nussinov(n, _steps):
    base = [int(value(i) * 1024) & 3 for i in range(n)]

    @functools.cache
    def most(i, j):
        """Base i alone, or paired with k: what is between them, and what is behind k."""
        if j - i < 2:
            return 0
        pairs = (1 + most(i + 1, k - 1) + most(k + 1, j) for k in range(i + 2, j + 1) if base[i] + base[k] == 3)
        return max(most(i + 1, j), max(pairs, default=0))

    sys.setrecursionlimit(10000)
    return triangle([[most(i, j) for j in range(n)] for i in range(n)], lambda i, j: j >= i)


# ---- stencils and recursions ----
def relaxed(grid, step):
    """A new grid: step(neighbour, index) inside, the old values on the border. neighbour(offset...) reads the old grid."""

    def at(a, index):
        for i in index:
            a = a[i]
        return a

    def new(a, index):
        if isinstance(a, list):
            return [new(x, (*index, i)) for i, x in enumerate(a)]
        inside = all(0 < i < len(grid) - 1 for i in index)
        return step(lambda *offset: at(grid, [i + o for i, o in zip(index, offset)])) if inside else a

    return new(grid, ())


def repeated(grid, count, step):
    for _ in range(count):
        grid = relaxed(grid, step)
    return grid


@model
def jacobi_1d(n, steps):
    return total(repeated(vector(0, n), 2 * steps, lambda at: 0.33333 * (at(-1) + at(0) + at(1))))


@model
def jacobi_2d(n, steps):
    return total(repeated(matrix(0, n), 2 * steps, lambda at: 0.2 * math.fsum((at(0, 0), at(0, 1), at(0, -1), at(1, 0), at(-1, 0)))))


@model
def heat_3d(n, steps):
    def step(at):
        around = (at(1, 0, 0), at(-1, 0, 0), at(0, 1, 0), at(0, -1, 0), at(0, 0, 1), at(0, 0, -1))
        return 0.25 * at(0, 0, 0) + 0.125 * math.fsum(around)

    return total(repeated([matrix(i * n * n, n) for i in range(n)], 2 * steps, step))


@model
def seidel_2d(n, steps):
    a = matrix(0, n)
    for _ in range(steps):
        for i in range(1, n - 1):
            for j in range(1, n - 1):
                a[i][j] = math.fsum(x for row in a[i - 1 : i + 2] for x in row[j - 1 : j + 2]) / 9
    return total(a)


@model
def fdtd_2d(n, steps):
    ex, ey, hz = (matrix(f, n) for f in (0, 10000, 20000))
    for t in range(steps):
        ey = [[float(t)] * n] + [[y - 0.5 * (h - up) for y, h, up in zip(*rows)] for rows in zip(ey[1:], hz[1:], hz)]
        ex = [[x[0]] + [e - 0.5 * (h - left) for e, h, left in zip(x[1:], z[1:], z)] for x, z in zip(ex, hz)]
        hz = [[hz[i][j] - 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]) if max(i, j) < n - 1 else hz[i][j] for j in range(n)] for i in range(n)]
    return total(ex, ey, hz)


@model
def adi(n, steps):
    def line(right, below, diagonal, above):
        """The inner unknowns of a line whose ends are 1."""
        m = len(right)
        rows = [[diagonal if i == j else below if j == i - 1 else above if j == i + 1 else 0.0 for j in range(m)] for i in range(m)]
        right = right[:]
        right[0] -= below
        right[-1] -= above
        return [1.0, *solved(rows, right), 1.0]

    def half(field, before, here, behind, system):
        """The lines that lie across the rows of field: each from three rows of it."""
        inner = [[-before * field[i - 1][j] + here * field[i][j] - behind * field[i + 1][j] for j in range(1, n - 1)] for i in range(1, n - 1)]
        return [line(right, *system) for right in inner]

    u = matrix(0, n)
    for _ in range(steps):
        across = transposed(u)
        columns = half(across, -0.2, 1 - 0.4, -0.2, (-0.4, 1.8, -0.4))
        v = transposed([across[0], *columns, across[-1]])
        rows = half(v, -0.4, 1 - 0.8, -0.4, (-0.2, 1.4, -0.2))
        u = [u[0], *rows, u[-1]]
    return weighed((i * n + j, u[i][j]) for i in range(1, n - 1) for j in range(1, n - 1))


@model
def deriche(n, _steps):
    e = math.exp(-0.25)
    k = (1 - e) ** 2 / (1 + 2 * 0.25 * e - e * e)

    def response(count, first, second):
        """Of the recursion y[t] = first x[t] + second x[t-1] + 2 e y[t-1] - e^2 y[t-2]: roots e, e."""
        return [(t + 1) * e**t * first + (t * e ** (t - 1) * second if t else 0) for t in range(count)]

    forth, back = response(n, k, k * e * (0.25 - 1)), response(n, k * e * 1.25, -k * e * e)

    def smoothed(line):
        return [math.fsum(forth[i - j] * line[j] for j in range(i + 1)) + math.fsum(back[j - i - 1] * line[j] for j in range(i + 1, n)) for i in range(n)]

    rows = [smoothed(row) for row in matrix(0, n)]
    return total(transposed([smoothed(column) for column in transposed(rows)]))


def main():
    table = kernels.read()
    wanted = sorted({(row.kernel, row.n, row.steps) for row in table.rows})
    missing = {kernel for kernel, _, _ in wanted} - set(MODELS)
    if missing:
        sys.exit(f"tests/kernels/reference.py: no model of {', '.join(sorted(missing))}: write one")
    lines = [f"#define {kernels.expected(*key)} {MODELS[key[0]](*key[1:]).hex()}" for key in wanted]
    text = "// Written by tests/kernels/reference.py: the sums of the kernels' results.\n" + "\n".join(lines) + "\n"
    output = pathlib.Path(sys.argv[1])
    if not output.exists() or output.read_text() != text:
        output.write_text(text)


if __name__ == "__main__":
    main()
