#!/usr/bin/env python3
"""What both collections cost when a handler on the core takes them: docs/guide/mix.md, "What collecting costs".

    scripts/hbbp/overhead.py [--config full2 ...] [--write]

build/workloads/collected/PROGRAM.elf (tests/workloads/runtime/collected_machine.S) runs without a sample, with samples of retired instructions alone, and with
stacks of the core's records alone: what a sample, and a stack of 16 transfers, costs is the difference by how many were taken. --write: into the page.
"""
import argparse
import json
import pathlib
import struct
import subprocess
import sys
import tempfile

from collect import ROOT, TIPOFF

sys.path.insert(0, str(ROOT / "tests/profile"))
import software_samples  # noqa: E402

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import page_head  # noqa: E402

PAGE = ROOT / "docs/guide/mix.md"
BEGIN, END = "<!-- overhead: begin -->", "<!-- overhead: end -->"
PROGRAMS = ("interp.medium", "sort.medium", "strsearch.medium")
EBS, BRANCHES = 9973, 997
PUBLISHED = (1_000_037, 100_003)  # the paper's shortest periods


def cycles(config, name, ebs, branches):
    """Of the run, with the samples and stacks that the handler took, instructions and branches."""
    elf = software_samples.Elf(ROOT / f"build/workloads/collected/{name}.elf")
    elf.write_words(elf.symbols["sampling_settings"].address, (ebs, branches))
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "program.elf").write_bytes(elf.data)
        subprocess.run(
            [
                TIPOFF,
                "run",
                "--quiet",
                "--config",
                config,
                "--stats",
                folder / "stats.json",
                "--dump-memory",
                f"sampling_taken={folder / 'taken'}",
                "--count",
                "INSTRUCTIONS,BRANCHES",
                folder / "program.elf",
            ],
            check=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        stats = json.loads((folder / "stats.json").read_text())
        samples, stacks = struct.unpack("<2Q", (folder / "taken").read_bytes()[:16])
    return stats["cycles"], samples, stacks, stats


def measure(config, name):
    subprocess.run(["make", "-s", f"build/workloads/collected/{name}.elf"], check=True, cwd=ROOT)
    plain, none, nothing, stats = cycles(config, name, 0, 0)
    with_samples, samples, _, _ = cycles(config, name, EBS, 0)
    with_stacks, _, stacks, _ = cycles(config, name, 0, BRANCHES)
    if none or nothing or not samples or not stacks:
        raise SystemExit(f"overhead.py: {name}: {none} and {nothing} samples without a period, {samples} and {stacks} with one")
    a_sample, a_stack = (with_samples - plain) / samples, (with_stacks - plain) / stacks
    cost = a_sample * stats["instructions"] / PUBLISHED[0] + a_stack * stats["counts"]["BRANCHES"] / PUBLISHED[1]
    return [config, name, f"{plain:,}", f"{a_sample:.0f}", f"{a_stack:.0f}", f"{100 * cost / plain:.3f} %"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", nargs="+", default=["full2"])
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    rows = [measure(config, name) for config in arguments.config for name in PROGRAMS]
    header = ("core", "program", "cycles without", "cycles a sample", "cycles a stack", "slow-down at the paper's shortest periods")
    text = "\n".join(["| " + " | ".join(header) + " |", "|" + "---|" * len(header), *("| " + " | ".join(row) + " |" for row in rows)]) + "\n"
    print(text)
    if arguments.write:
        page = PAGE.read_text(encoding="utf-8")
        measured = page_head.sentence("scripts/hbbp/overhead.py --write")
        PAGE.write_text(page[: page.index(BEGIN) + len(BEGIN)] + "\n" + measured + "\n\n" + text + page[page.index(END) :], encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
