#!/usr/bin/env python3
"""How far Gus is from coherent cores: cycles of both for programs of several harts (tests/harts).

    scripts/gus/harts.py [--config NAME] [--harts N] [--only TEXT] [--core FILE] [--write]      (prints a table in Markdown)

Needs build/bin/tipoff and the models of NAME (default: small2c). Cycles are those from reset until a hart ends the run. --core: cycles of the core are
read from this file (JSON, by program) where it has them, else measured, and written to it. --write: into docs/guide/gus.md, between its marks.
"""
import argparse
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "tests/harts"))
import page_head  # noqa: E402
from programs import built  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIPOFF, PAGE, HERE = ROOT / "build/bin/tipoff", ROOT / "docs/guide/gus.md", ROOT / "tests/harts"
PROGRAMS = ("apart", "counted", "latency", "lines", "order", "prefetch", "progress", "scale", "shared", "stale", "together")


def core(program, config, harts):
    command = [TIPOFF, "run", "--config", config, "--harts", harts, "--no-cosim", "--max-cycles", 3000000, program]
    err = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False).stderr
    found = re.search(r"([\d,]+) cycles", err)
    if not found:
        sys.exit(f"{program.name}: {err}")
    return int(found[1].replace(",", ""))


def gus(program, config, harts):
    command = [TIPOFF, "gus", "--config", config, "--harts", harts, "--format", "json", "--max-insns", 50000000, program]
    return json.loads(subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True).stdout)["cycles"]


def table(arguments):
    config, harts = arguments.config, arguments.harts
    known = json.loads(arguments.core.read_text()) if arguments.core and arguments.core.exists() else {}
    rows, errors = [f"| program | {config}, {harts} harts | Gus | error |", "|---|---:|---:|---:|"], []
    with tempfile.TemporaryDirectory() as folder:
        for name in PROGRAMS:
            if arguments.only not in name:
                continue
            options = [f"-DHARTS={harts}", "-DTOTAL=240", "-I", ROOT / "build/gen"]
            program = built(pathlib.Path(folder), *options, HERE / "start.S", HERE / f"{name}.c", name=f"{name}.elf")
            if name not in known:
                known[name] = core(program, config, harts)
                if arguments.core:
                    arguments.core.write_text(json.dumps(known, indent=1) + "\n")
            cycles = gus(program, config, harts)
            errors.append(cycles / known[name] - 1)
            rows.append(f"| {name} | {known[name]} | {cycles:.0f} | {100 * errors[-1]:+.1f} % |")
    mean = statistics.mean(abs(e) for e in errors)
    return [*rows, "", f"Mean absolute error {100 * mean:.1f} %, median {100 * statistics.median(abs(e) for e in errors):.1f} %."]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0], epilog=__doc__.split("\n\n", 1)[1], formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--config", default="small2c", metavar="NAME")
    parser.add_argument("--harts", type=int, default=2, metavar="N")
    parser.add_argument("--only", default="", metavar="TEXT")
    parser.add_argument("--core", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    lines = table(arguments)
    print(*lines, sep="\n")
    if arguments.write:
        begin, end = "<!-- harts: begin -->\n", "<!-- harts: end -->\n"
        page = PAGE.read_text()
        before, rest = page.split(begin)
        lines = [page_head.sentence("scripts/gus/harts.py --write"), "", *lines]
        PAGE.write_text(before + begin + "\n".join(lines) + "\n" + end + rest.split(end)[1])


if __name__ == "__main__":
    main()
