#!/usr/bin/env python3
"""What a static analyser says a program takes: llvm-mca on each basic block, lifted by how often the block ran.

    scripts/gus/static.py [--cpu sifive-p670] PROGRAM.elf      (prints the blocks of a kernel, their cycles and executions)

As the paper does (Gus, section 4.1): the cycles of an iteration of each block, in steady state, times its executions, added up.
llvm-mca has no model of our cores: the nearest of RISC-V's that are out of order are SiFive's P400 (3 wide) and P600 (4 wide), and
XiangShan's Nanhu (6 wide). Blocks and executions are those of the instruction-set simulator (`tipoff gus` counts them).
"""
import argparse
import dataclasses
import json
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIPOFF = ROOT / "build/bin/tipoff"
MCA = "llvm-mca-19"
NEAREST = {"small2": "sifive-p450", "tea4": "sifive-p670", "wide8": "xiangshan-nanhu"}  # by configuration
ITERATIONS = 100
TRANSFERS = re.compile(r"(b\w+|j|jal|jr|jalr|ret|call|tail|ecall|ebreak|mret|sret)\b")
TARGET = re.compile(r"0x[0-9a-f]+$")


@dataclasses.dataclass
class Block:
    address: int
    executions: int
    lines: list
    cycles: float = 0.0


def region(program, config):
    """Gus's report of a kernel: from kernel_begin to kernel_end (tests/kernels/run.S)."""
    done = subprocess.run(
        [TIPOFF, "gus", "--config", config, "--from", "kernel_begin", "--to", "kernel_end", "--format", "json", program],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"{program}: tipoff gus: {done.stderr.decode(errors='replace').strip()}")
    return json.loads(done.stdout)


def blocks(report):
    """Basic blocks of what ran: they end with a transfer of control, and before what one leads to."""
    rows = sorted((int(row["address"], 16), row["instruction"], row["executions"]) for row in report["rows"])
    leaders = {int(found[0], 16) for _, text, _ in rows if (found := TARGET.search(text)) and TRANSFERS.match(text)}
    found, open_block, last = [], None, 0
    for address, text, executions in rows:
        if open_block is None or address in leaders or executions != open_block.executions or address - last > 4:
            open_block = Block(address, executions, [])
            found.append(open_block)
        open_block.lines.append(text)
        last = address
        if TRANSFERS.match(text):
            open_block = None
    return found


def analyse(found, cpu):
    """Sets the cycles of an iteration of each block. One process for all."""
    source = ["target:"]
    for k, block in enumerate(found):
        lines = [TARGET.sub("target", line) if TRANSFERS.match(line) else line for line in block.lines]
        source += [f"# LLVM-MCA-BEGIN block{k}", *lines, f"# LLVM-MCA-END block{k}"]
    done = subprocess.run(
        [MCA, "-mtriple=riscv64", f"-mcpu={cpu}", f"-iterations={ITERATIONS}", "-skip-unsupported-instructions=lack-sched", "-json"],
        input="\n".join(source) + "\n",
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"{MCA} -mcpu={cpu}: {done.stderr[-1000:].strip()}")
    regions = {region["Name"]: region for region in json.loads(done.stdout)["CodeRegions"]}
    for k, block in enumerate(found):
        block.cycles = regions[f"block{k}"]["SummaryView"]["TotalCycles"] / ITERATIONS
    return found


def lifted(report, cpu):
    """The cycles of the whole region."""
    return sum(block.cycles * block.executions for block in analyse(blocks(report), cpu))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cpu", default=NEAREST["tea4"])
    parser.add_argument("program", type=pathlib.Path)
    options = parser.parse_args()
    report = region(options.program, "tea4")
    found = analyse(blocks(report), options.cpu)
    print(f"{'address':>10}  {'executions':>10}  {'each':>7}  {'cycles':>9}  instructions")
    for block in sorted(found, key=lambda b: -b.cycles * b.executions):
        print(f"0x{block.address:08x}  {block.executions:>10}  {block.cycles:>7.2f}  {block.cycles * block.executions:>9.0f}  {'; '.join(block.lines)}")
    print(f"{sum(b.cycles * b.executions for b in found):.0f} cycles by {MCA} -mcpu={options.cpu}; Gus, tea4: {report['cycles']:.0f}")


if __name__ == "__main__":
    main()
