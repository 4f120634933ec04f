#!/usr/bin/env python3
"""Litmus tests from cycles of edges, as diy makes them: all critical ones of 3 and 4 edges of the alphabet below.

    scripts/litmus_cycles.py FOLDER     writes one .litmus file for each cycle
    scripts/litmus_cycles.py --list     prints their names, each with its verdict under RVWMO

Edges between threads: Rfe (a load reads that store), Coe (that store is overwritten by this one), Fre (that load reads what this store
overwrites). In a thread, from a load (R) or store (W) to the next one: EDGES. A cycle is critical if no two edges of a thread follow each
other, and both accesses of a thread are to one location only where the cycle has one location. The condition of a test asks for the cycle.
It is forbidden if, and only if, each edge of a thread is preserved; on one location it always is (the manual's rules 1 and 2, load value).
"""
import argparse
import itertools
import pathlib
import sys

# Edge of a thread: which pairs of accesses it may join, and which of them it keeps in order.
EDGES = {
    "po": ("RR RW WR WW", ""),
    "addr": ("RR RW", "RR RW"),
    "data": ("RW", "RW"),
    "ctrl": ("RR RW", "RW"),
    "fence.rw.rw": ("RR RW WR WW", "RR RW WR WW"),
    "fence.tso": ("RR RW WR WW", "RR RW WW"),
    "aq": ("RR RW", "RR RW"),
    "rl": ("RW WW", "RW WW"),
    "rcsc": ("WR", "WR"),  # amoswap.rl, then lr.aq: rule 7
}
SHAPES = {"WWRR": "MP", "WRWR": "SB", "RWRW": "LB", "WWRW": "S", "WWWR": "R", "WWWW": "2+2W"}


def joins(pair):
    return [name for name, (pairs, _) in EDGES.items() if pair in pairs.split()]


def access(kind, edge, first, register, base, value):
    """The instructions of an access, the first or second one of its thread."""
    lines = []
    if not first and edge in ("addr", "data"):
        lines.append("xor x20,x10,x10")
        if edge == "addr":
            lines.append(f"add x21,{base},x20")
            base = "x21"
    if kind == "W":
        depends = not first and edge == "data"
        lines.append(f"ori x22,x20,{value}" if depends else f"li x22,{value}")
        if first and edge == "rcsc":
            return [*lines, f"amoswap.w.rl x0,x22,({base})"]
        return [*lines, ("sw.rl" if edge == "rl" and not first else "sw") + f" x22,0({base})"]
    if edge == "rcsc":
        return [*lines, f"lr.w.aq {register},({base})"]
    return [*lines, ("lw.aq" if edge == "aq" and first else "lw") + f" {register},0({base})"]


def between(edge):
    return {"ctrl": ["bne x10,x0,L", "L:"], "fence.rw.rw": ["fence rw,rw"], "fence.tso": ["fence.tso"]}.get(edge, [])


def pair_code(kinds, edge, bases, values):
    first = access(kinds[0], edge, True, "x10", bases[0], values[0])
    return first + between(edge) + access(kinds[1], edge, False, "x11", bases[1], values[1])


def text(name, threads, condition):
    init = "".join(f"{i}:x6=x;{i}:x7=y;" for i in range(len(threads)))
    rows = "".join(" | ".join(row) + ";\n" for row in itertools.zip_longest(*threads, fillvalue=""))
    return f"RISCV {name}\n{{{init}}}\n{' | '.join(f'P{i}' for i in range(len(threads)))};\n{rows}exists ({condition})\n"


def chain(kinds):
    """Values of accesses to one location that follow each other by Rfe, Coe and Fre: a load has that of the last store before it."""
    values = list(itertools.accumulate(kind == "W" for kind in kinds))
    return [int(value) for value in values]


def two_locations():
    """Cycles of 4 edges: thread 0 goes from x to y, thread 1 from y to x."""
    for shape, family in SHAPES.items():
        one, two = shape[:2], shape[2:]
        for left, right in itertools.product(joins(one), joins(two)):
            if one == two and joins(one).index(left) > joins(two).index(right):
                continue  # the same cycle, begun elsewhere
            y, x = chain(one[1] + two[0]), chain(two[1] + one[0])
            threads = [pair_code(one, left, ("x6", "x7"), (x[1], y[0])), pair_code(two, right, ("x7", "x6"), (y[1], x[0]))]
            seen = [(0, "x10", one[0], x[1]), (0, "x11", one[1], y[0]), (1, "x10", two[0], y[1]), (1, "x11", two[1], x[0])]
            parts = [f"{thread}:{register}={value}" for thread, register, kind, value in seen if kind == "R"]
            parts += [f"{place}={values[-1]}" for place, ends, values in (("x", two[1] + one[0], x), ("y", one[1] + two[0], y)) if ends == "WW"]
            forbidden = one in EDGES[left][1].split() and two in EDGES[right][1].split()
            name = f"{family}+{left}+{right}"
            yield name, text(name, threads, " /\\ ".join(parts)), forbidden


def one_location():
    """Cycles of 3 and 4 edges: thread 0 has two accesses of x, each other thread one; b, the others, a, then b is after a in thread 0."""
    follows = {"WR", "WW", "RW"}
    for count in (1, 2):
        for a, b, *others in itertools.product("RW", repeat=2 + count):
            kinds = [b, *others, a]
            if any(first + second not in follows for first, second in itertools.pairwise(kinds)):
                continue
            values = chain(kinds)
            for edge in joins(a + b):
                threads = [pair_code(a + b, edge, ("x6", "x6"), (values[-1], values[0]))]
                threads += [access(kind, "po", True, "x10", "x6", value) for kind, value in zip(others, values[1:])]
                parts = [f"0:x10={values[-1]}"] * (a == "R") + [f"0:x11={values[0]}"] * (b == "R")
                parts += [f"{i}:x10={value}" for i, (kind, value) in enumerate(zip(others, values[1:]), 1) if kind == "R"]
                parts += [f"x={values[-1]}"]
                name = f"Co{a}{b}-{''.join(others)}+{edge}"
                yield name, text(name, threads, " /\\ ".join(parts)), True


def cycles():
    """(name, text of the file, whether RVWMO forbids it)"""
    yield from two_locations()
    yield from one_location()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=pathlib.Path)
    parser.add_argument("--list", action="store_true", help="print names and verdicts, write nothing")
    asked = parser.parse_args()
    if asked.list == bool(asked.folder):
        parser.error("give a FOLDER, or --list")
    for name, litmus, forbidden in cycles():
        if asked.list:
            print(f"{name}\t{'forbidden' if forbidden else 'allowed'}")
        else:
            asked.folder.mkdir(parents=True, exist_ok=True)
            (asked.folder / f"{name}.litmus").write_text(litmus, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
