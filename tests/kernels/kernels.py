#!/usr/bin/env python3
"""The table of kernels, kernels.tsv: micro-benchmarks by name, and the makefile that builds them.

    tests/kernels/kernels.py --rules FILE    write a rule for each program of the table
    tests/kernels/kernels.py --list          the programs built, less those whose code is another's, one a line
"""
import argparse
import dataclasses
import hashlib
import pathlib
import shlex
import struct
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = pathlib.Path(__file__).with_name("kernels.tsv")
BUILD = ROOT / "build" / "kernels"


@dataclasses.dataclass(frozen=True)
class Row:
    kernel: str
    variant: str  # empty: as the definition has it
    n: int
    steps: int
    defines: tuple
    flags: tuple  # names

    @property
    def name(self):
        return f"{self.kernel}-{self.variant}" if self.variant else self.kernel

    @property
    def programs(self):
        return [f"{self.name}.{flags}" for flags in self.flags]


@dataclasses.dataclass(frozen=True)
class Table:
    flags: dict  # by name
    rows: list

    @property
    def programs(self):
        return [program for row in self.rows for program in row.programs]


def read(path=TABLE):
    flags, rows = {}, []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line or line.startswith(("#", "type\t")):
            continue
        cells = line.split("\t")
        try:
            kind, name, *rest = cells
            if kind == "flags":
                flags[name] = rest[0]
            elif kind == "kernel":
                variant, n, steps, defines, sets = rest
                wanted = tuple(sets.split(","))
                if not set(wanted) <= set(flags):
                    raise ValueError(f"flags {', '.join(sorted(set(wanted) - set(flags)))} have no row above")
                rows.append(Row(name, "" if variant == "-" else variant, int(n), int(steps), () if defines == "-" else tuple(defines.split(",")), wanted))
            else:
                raise ValueError(f"`{kind}` is neither flags nor kernel")
        except ValueError as error:
            sys.exit(f"{path.name}:{number}: {error}: columns are type, name, variant, n, steps, defines, flags, a tab apart")
    names = [row.name for row in rows]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        sys.exit(f"{path.name}: {', '.join(twice)}: stands there twice: give each row a variant of its own")
    return Table(flags, rows)


def expected(kernel, n, steps):
    return f"EXPECTED_{kernel.replace('-', '_')}_{n}_{steps}"


def each(table):
    """A program of each row: every source in every variant, and all of the flags between them."""
    return [row.programs[number % len(row.programs)] for number, row in enumerate(table.rows)]


def rules(table):
    """Of the programs, and of main's objects, which rows of the same sizes share."""
    lines = ["# Written by tests/kernels/kernels.py from kernels.tsv.", "KERNELS := " + " ".join(f"build/kernels/{p}.elf" for p in table.programs)]
    lines.append("KERNELS_EACH := " + " ".join(f"build/kernels/{p}.elf" for p in each(table)))
    mains = {}
    for row in table.rows:
        tolerance = "1e-4" if "REAL=float" in row.defines else "1e-10"
        sizes = f"-DN={row.n} -DSTEPS={row.steps} -DEXPECTED={expected(row.kernel, row.n, row.steps)} -DTOLERANCE={tolerance}"
        main_object = mains.setdefault(sizes, f"build/kernels/main/{row.kernel}-{row.n}-{row.steps}-{tolerance}.o")
        for flags, program in zip(row.flags, row.programs):
            options = shlex.join(f"-D{d}" for d in row.defines) + " " + table.flags[flags]
            lines.append(f"build/kernels/{program}.elf: tests/kernels/{row.kernel}.c {main_object}\n\t$(call KERNEL_BUILD,{sizes},{options},{main_object})")
    lines += [f"{path}:\n\t$(call KERNEL_MAIN,{sizes})" for sizes, path in mains.items()]
    lines.append("KERNEL_MAINS := " + " ".join(mains.values()))
    return "\n".join(lines) + "\n"


def code(path):
    """The loaded sections of an ELF file but its notes, and the sizes of those that are zero at the start."""
    data = path.read_bytes()
    (start,) = struct.unpack_from("<Q", data, 40)
    size, count, _ = struct.unpack_from("<HHH", data, 58)
    parts = hashlib.sha256()
    for k in range(count):
        _, kind, flags, address, offset, length = struct.unpack_from("<IIQQQQ", data, start + k * size)
        if flags & 2 and kind != 7:  # SHF_ALLOC, not SHT_NOTE
            parts.update(struct.pack("<QQ", address, length) + (b"" if kind == 8 else data[offset : offset + length]))
    return parts.digest()


def unique(table):
    """Programs of the table that are built, the first of each code: (row, flags, path)."""
    seen, found = set(), []
    for row in table.rows:
        for flags, program in zip(row.flags, row.programs):
            path = BUILD / f"{program}.elf"
            if not path.exists():
                sys.exit(f"{path.relative_to(ROOT)}: is missing: run make kernels")
            digest = code(path)
            if digest not in seen:
                seen.add(digest)
                found.append((row, flags, path))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rules", type=pathlib.Path)
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    table = read()
    if options.rules:
        text = rules(table)
        options.rules.parent.mkdir(parents=True, exist_ok=True)
        if not options.rules.exists() or options.rules.read_text() != text:
            options.rules.write_text(text)
    if options.list:
        for _, _, path in unique(table):
            print(path.stem)


if __name__ == "__main__":
    main()
