#!/usr/bin/env python3
"""Measures latency, throughput and resources of every instruction on a core; writes tables/measured/CONFIG.tsv.

    scripts/instruction_tables/measure.py [--config small2] [--output FILE] [--only NAME,...]

Each figure is the slope between two lengths of a straight line of instructions, timed by the program itself (rdcycle), in lockstep.
"""
import argparse
import pathlib
import struct
import subprocess
import sys
import tempfile
import tomllib

import benches
import operands
import program
import solve

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def keys(config: str) -> dict:
    path = ROOT / f"tables/config/{config}.toml"
    if not path.exists():
        sys.exit(f"instruction-tables: no configuration {config}: `tipoff config` lists them")
    with open(path, "rb") as file:
        return {f"{section}.{key}": value for section, rows in tomllib.load(file).items() for key, value in rows.items()}


def run(config: str, rows: list, has_float: bool) -> dict:
    """{bench's key: cycles of a repetition}."""
    with tempfile.TemporaryDirectory() as folder:
        source, elf, memory = (pathlib.Path(folder) / name for name in ("benches.S", "benches.elf", "results"))
        source.write_text(program.text(rows, has_float), encoding="ascii")
        subprocess.run([ROOT / "build/bin/tipoff-cc", source, "-o", elf], check=True)
        done = subprocess.run(
            [ROOT / "build/bin/tipoff", "run", "--config", config, "--quiet", "--no-call-graph", f"--dump-memory=results:{16 * len(rows)}={memory}", elf],
            cwd=ROOT,
        )
        if done.returncode != 0:
            sys.exit(f"instruction-tables: the program ended with status {done.returncode} on {config}")
        numbers = struct.unpack(f"<{2 * len(rows)}Q", memory.read_bytes())
    return {bench.key: (numbers[2 * i + 1] - numbers[2 * i]) / bench.copies for i, bench in enumerate(rows)}


def all_benches(instructions: list, config: dict) -> list:
    blockers = benches.blockers(bool(config["core.fp"]))
    rows = [benches.alone(b, times) for b in blockers for times in sorted({benches.times_busy(i) for i in instructions})]
    for i in instructions:
        if i.name in solve.NOT_MEASURED:
            continue
        rows += [benches.every(i), benches.around(i), benches.longest(i)]
        rows += [benches.latency(i, number) for number in range(i.sources)]
        rows += [benches.resource(i, b) for b in blockers]
        rows.append(benches.order(i))
    return [row for row in rows + [benches.order(None)] + benches.pairs(bool(config["core.fp"])) if row]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", default="small2")
    parser.add_argument("--output", type=pathlib.Path, help="default: tables/measured/CONFIG.tsv")
    parser.add_argument("--raw", action="store_true", help="print the cycles of each bench, too")
    parser.add_argument("--only", help="these instructions, a comma apart (and those that their chains need)")
    arguments = parser.parse_args()
    config = keys(arguments.config)
    instructions = operands.read(ROOT / "tables/instructions.tsv", bool(config["core.fp"]))
    if arguments.only:
        wanted = set(arguments.only.split(",")) | solve.NEEDED
        unknown = wanted - {i.name for i in instructions} - solve.NEEDED
        if unknown:
            parser.error(f"no instruction {', '.join(sorted(unknown))} on {arguments.config}")
        instructions = [i for i in instructions if i.name in wanted]
    cycles = run(arguments.config, all_benches(instructions, config), bool(config["core.fp"]))
    if arguments.raw:
        for key, value in cycles.items():
            print(*key, f"{value:.3f}", sep="\t")
    try:
        text = solve.table(arguments.config, instructions, config, cycles)
    except solve.Unstable as fault:
        sys.exit(f"instruction-tables: {fault}: a bench is wrong, or too short for this core (--raw prints all)")
    output = arguments.output or ROOT / f"tables/measured/{arguments.config}.tsv"
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
