#!/usr/bin/env python3
"""The report's advice leads to the cause: of programs whose cause is known, because it was put there (docs/results/advice.md).

    tests/profile/test_advice.py CONFIG

For each program of tests/advice/programs.toml, before and after its change: the rule for its cause is the first or second advice; an instruction
that it names is, by addr2line, on the line of the source that ends in "// cause"; the change makes the program faster by a tenth at least; after it that
advice has less than half of the time it had; and both print the same. On tea4, that the page was measured on, rank and verdict are those
of the table, and the cycles those of the page.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import advice  # noqa: E402


def lines_of(program, addresses):
    out = subprocess.run(["riscv64-unknown-elf-addr2line", "-e", program, *addresses], capture_output=True, text=True, check=True).stdout
    return [int(found[1]) if (found := re.search(r":(\d+)", line)) else 0 for line in out.splitlines()]


def check(measured, config, folder, page):
    name, entry, faults = measured.name, measured.entry, []
    if measured.rank not in (1, 2):
        return [f"{name}: {entry['rule']} is advice no. {measured.rank}"]
    source = (advice.SOURCES / f"{name}.c").read_text(encoding="utf-8").splitlines()
    cause = [i + 1 for i, line in enumerate(source) if line.endswith("// cause")]
    named = lines_of(folder / f"{name}.before.elf", measured.advice["examples"])
    if len(cause) != 1 or cause[0] not in named:
        faults.append(f"{name}: the cause is in line {cause}, the advice names {named}")
    if measured.gain < 1.1:
        faults.append(f"{name}: the change makes it {measured.gain:.2f} times as fast")
    if measured.share_after > measured.share / 2:
        faults.append(f"{name}: after the change the advice has {measured.share_after:.2f} of the time still, {measured.share:.2f} before it")
    if config != "tea4":
        return faults
    if (measured.rank, measured.verdict) != (entry["rank"], entry["gain"]):
        faults.append(f"{name}: advice no. {measured.rank}, gain {measured.verdict}; programs.toml has no. {entry['rank']}, {entry['gain']}")
    row = next((line for line in page if line.startswith(f"| [{name}](")), "")
    cycles = re.search(r"\| ([\d,]+), ([\d,]+) \|", row)
    if not cycles or any(abs(int(said.replace(",", "")) / found - 1) > 0.03 for said, found in zip(cycles.groups(), measured.cycles)):
        faults.append(f"{name}: {measured.cycles} cycles; docs/results/advice.md has '{row}': make advice")
    return faults


def main():
    config, faults = sys.argv[1], []
    page = advice.PAGE.read_text(encoding="utf-8").splitlines()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        programs = [name for name, entry in advice.programs().items() if entry.get("core", config) == config]
        for program in programs:
            measured = advice.Measured(program, config, folder)
            print(measured.row(), flush=True)
            faults += check(measured, config, folder, page)
    print("\n".join(faults) or f"{len(programs)} programs: the advice leads to the cause")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
