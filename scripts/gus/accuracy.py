#!/usr/bin/env python3
"""How far Gus is from the core: cycles of both, program by program, their mean error and how well their order agrees.

    scripts/gus/accuracy.py [--config NAME ...] [--only TEXT] [--core FOLDER|page] [--refinements] [--write]      (prints tables in Markdown)

Needs build/bin/tipoff and the workloads. The core's cycles are those of `tipoff run`, from reset to the end: of the tree in FOLDER that has
build/bin/tipoff and the models (default: this one), or those measured before that docs/guide/gus.md states. --refinements: each refinement of the model (rows
`option` of build/CONFIG/gen/gus.tsv) is left out, then all: what that does to error and speed, the latter in instructions a second of CPU time on
SPEED_PROGRAMS, the best of SPEED_RUNS. --write: into docs/guide/gus.md, between its marks.
"""
import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import page_head  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIPOFF = ROOT / "build/bin/tipoff"
PAGE = ROOT / "docs/guide/gus.md"
SPEED_PROGRAMS, SPEED_RUNS = ("matmul.large", "interp.large"), 2


def kendall(pairs):
    """Tau-a: pairs that both put in one order, less those that they do not, of all pairs."""
    score, n = 0, len(pairs)
    for i, (a, b) in enumerate(pairs):
        for c, d in pairs[i + 1 :]:
            product = (a - c) * (b - d)
            score += (product > 0) - (product < 0)
    return score / (n * (n - 1) / 2) if n > 1 else 1.0


def measured(program, config, folder):
    """Cycles of the core, by the command in `folder`."""
    with tempfile.TemporaryDirectory() as scratch:
        stats = pathlib.Path(scratch) / "stats.json"
        subprocess.run(
            [folder / "build/bin/tipoff", "run", "--quiet", "--config", config, "--stats", stats, program],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            check=True,
        )
        return json.loads(stats.read_text())["cycles"]


def published():
    """{configuration: {program: cycles}} of the page's table."""
    header, found = None, {}
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("| program | "):
            header = re.findall(r"(\w+): core", line)
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if header and len(cells) == 1 + 3 * len(header) and cells[1].isdigit():
            for k, config in enumerate(header):
                found.setdefault(config, {})[cells[0]] = int(cells[1 + 3 * k])
    return found


def modelled(program, config, *options):
    """Cycles, instructions, and CPU time in seconds."""
    with subprocess.Popen(
        [TIPOFF, "gus", "--config", config, "--format", "json", *options, program], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
    ) as process:
        found = json.loads(process.stdout.read())
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = status
    if status:
        raise SystemExit(f"tipoff gus {program}: status {status}")
    return found["cycles"], found["instructions"], used.ru_utime + used.ru_stime


def speed(config, *options):
    """Million instructions a second of CPU time."""
    instructions = seconds = 0
    for name in SPEED_PROGRAMS:
        runs = [modelled(ROOT / f"build/workloads/{name}.elf", config, *options) for _ in range(SPEED_RUNS)]
        instructions, seconds = instructions + runs[0][1], seconds + min(run[2] for run in runs)
    return instructions / seconds / 1e6


def table(configs, programs, core, gus):
    lines = ["| program |" + "".join(f" {c}: core | Gus | error |" for c in configs), "|---|" + "---|---|---|" * len(configs)]
    for program in programs:
        cells = "".join(f" {core[c][program]} | {gus[c][program]:.0f} | {100 * (gus[c][program] / core[c][program] - 1):+.1f} % |" for c in configs)
        lines.append(f"| {program.stem} |{cells}")
    return lines + [line for c in configs for line in ("", f"{c}: {summary([(core[c][p], gus[c][p]) for p in programs])}")]


def refinements(configs, programs, core, gus):
    """What each does, left out: the error on each configuration, the program that changes most, the speed."""
    names = [line.split("\t")[1] for line in (ROOT / f"build/{configs[-1]}/gen/gus.tsv").read_text().splitlines() if line.startswith("option\t")]
    lines = [
        "| without |" + "".join(f" {c}: MAPE | Kendall's tau | most changed |" for c in configs) + " million instructions a second |",
        "|---|" + "---|---|---|" * len(configs) + "---|",
    ]
    for name in [None, *names, "all"]:
        options, cells = ["--without", name] if name else [], ""
        for config in configs:
            cycles = {p: modelled(p, config, *options)[0] for p in programs} if name else gus[config]
            pairs = [(core[config][p], cycles[p]) for p in programs]
            most = max(programs, key=lambda p: abs(cycles[p] / gus[config][p] - 1))
            change = f"{most.stem} {100 * (cycles[most] / gus[config][most] - 1):+.1f} %" if cycles[most] != gus[config][most] else "-"
            cells += f" {100 * statistics.mean(abs(g / c - 1) for c, g in pairs):.2f} % | {kendall(pairs):.3f} | {change} |"
        lines.append(f"| {f'`{name}`' if name else 'nothing'} |{cells} {speed(configs[-1], *options):.1f} |")
        print(lines[-1], flush=True)
    return lines


def write(mark, lines):
    before, begin, rest = PAGE.read_text(encoding="utf-8").partition(f"<!-- {mark}: begin -->\n")
    _, end, behind = rest.partition(f"<!-- {mark}: end -->")
    if not end:
        raise SystemExit(f"{PAGE}: has no marks <!-- {mark}: begin --> and <!-- {mark}: end -->")
    PAGE.write_text(before + begin + "\n".join(lines) + "\n" + end + behind, encoding="utf-8")


def summary(pairs):
    errors = sorted(abs(gus / core - 1) for core, gus in pairs)
    low, middle, high = statistics.quantiles(errors, n=4, method="inclusive") if len(errors) > 1 else errors * 3
    return f"MAPE {100 * statistics.mean(errors):.2f} %, quartiles {100 * low:.2f} %, {100 * middle:.2f} % (median), {100 * high:.2f} %, Kendall's tau {kendall(pairs):.3f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", nargs="+", default=["small2", "tea4"])
    parser.add_argument("--only", default="", help="programs whose name contains this text")
    parser.add_argument("--core", default=str(ROOT), help="where the core is run, or `page`")
    parser.add_argument("--refinements", action="store_true", help="leave each out, one by one")
    parser.add_argument("--write", action="store_true", help="into docs/guide/gus.md")
    options = parser.parse_args()
    programs = [p for p in sorted((ROOT / "build/workloads").glob("*.small.elf")) if options.only in p.name]
    if not programs:
        parser.error("no such programs in build/workloads: run make build")
    if options.write and options.only:
        parser.error("--write takes all programs: leave --only out")
    known = published() if options.core == "page" else {}
    core, gus = ({config: {} for config in options.config} for _ in range(2))
    for config in options.config:
        for program in programs:
            if known and program.stem not in known.get(config, {}):
                parser.error(f"{PAGE} has no cycles of {program.stem} on {config}: name a folder, --core FOLDER")
            core[config][program] = known[config][program.stem] if known else measured(program, config, pathlib.Path(options.core))
            gus[config][program] = modelled(program, config)[0]
    found = table(options.config, programs, core, gus)
    print("\n".join(found))
    if options.write:
        write("accuracy", [page_head.sentence("scripts/gus/accuracy.py --write"), "", *found])
    if options.refinements:
        print()
        left_out = refinements(options.config, programs, core, gus)
        if options.write:
            write("refinements", left_out)


if __name__ == "__main__":
    main()
