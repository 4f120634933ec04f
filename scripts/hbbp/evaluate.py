#!/usr/bin/env python3
"""How far mixes from samples are from exact ones: errors of EBS, LBR and HBBP on the workloads, between the marks of docs/guide/mix.md.

    scripts/hbbp/evaluate.py [--config small2 ...] [--size medium] [--quick] [--write]

Test programs are the workloads; the rule was learned on others (collect.py). Each runs once on each core with every check; exact counts are those of the same run, from its jumps. Errors
are the paper's average weighted error over mnemonics. --quick: three programs, small, as a test: status 1 where HBBP's mean error is above QUICK_BOUND.
"""
import argparse
import pathlib
import statistics
import sys

from collect import DEPTH, EBS, LBR, ROOT, Run, tests

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import page_head  # noqa: E402

PAGE = ROOT / "docs/guide/mix.md"
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
PUBLISHED = {"EBS": 4.43, "LBR": 3.15, "HBBP": 1.83}  # section VIII.A, means of SPEC CPU2006, in %
PERIODS = ((307, 31), (EBS, LBR), (3001, 307))
QUICK, QUICK_BOUND = ("interp", "sort", "vm_procs"), 2.0


def errors(run):
    """In %, by column of the table."""
    learned, paper, skid = run.compared(), run.compared("--rule", "paper"), run.compared("--skid")
    found = {
        "mepc": skid["errors"]["EBS"],
        "EBS": learned["errors"]["EBS"],
        "LBR": learned["errors"]["LBR"],
        "paper": paper["errors"]["HBBP"],
        "HBBP": learned["errors"]["HBBP"],
    }
    return {name: 100 * error for name, error in found.items()} | {
        "instructions": learned["totals"]["exact"],
        "streams": learned["streams"],
        "broken": learned["streams_broken"] + learned["streams_outside"],
    }


def table(header, rows):
    return ["| " + " | ".join(header) + " |", "|" + "---|" * len(header), *("| " + " | ".join(row) + " |" for row in rows), ""]


COLUMNS = ("mepc", "EBS", "LBR", "paper", "HBBP")


def by_program(config, size):
    runs = [Run(program, config) for program in tests(size)]
    found = {run.name.removesuffix(f".{size}"): errors(run) for run in runs}
    rows = [[name, f"{e['instructions']:,.0f}", *(f"{e[c]:.2f}" for c in COLUMNS)] for name, e in sorted(found.items())]
    mean = {c: statistics.mean(e[c] for e in found.values()) for c in COLUMNS}
    rows.append(["**mean**", "", *(f"**{mean[c]:.2f}**" for c in COLUMNS)])
    rows.append(["largest", "", *(f"{max(e[c] for e in found.values()):.2f}" for c in COLUMNS)])
    rows.append(["published, mean of SPEC CPU2006", "", "", *(f"{PUBLISHED[c]:.2f}" for c in ("EBS", "LBR", "HBBP")), ""])
    broken, streams = sum(e["broken"] for e in found.values()), sum(e["streams"] for e in found.values())
    lines = [
        f"Average weighted error over mnemonics, in %, of {len(found)} programs on `{config}`, one sample every {EBS} instructions, one stack of {DEPTH} every {LBR} transfers:",
        "",
    ]
    lines += table(["program", "instructions", "EBS by mepc", "EBS", "LBR", "HBBP, paper's rule", "HBBP"], rows)
    return [*lines, f"Of {streams:,.0f} streams {broken:,.0f} are broken or lead out of all images.", ""], mean


def by_core(configs, size):
    """Means on further cores: precise samples and stacks follow the program alone, so that only mepc's differ where no interrupt or device has a time of its own."""
    rows = []
    for config in configs:
        mean = by_program(config, size)[1]
        rows.append([f"`{config}`", *(f"{mean[c]:.2f}" for c in COLUMNS)])
    return [
        "Means on other cores, in %: what is precise depends on the program alone, skid on the core.",
        "",
        *table(["core", "EBS by mepc", "EBS", "LBR", "HBBP, paper's rule", "HBBP"], rows),
    ]


def by_mode(config, size):
    rows = []
    for program in tests(size):
        if not program.name.startswith("vm_"):
            continue
        run = Run(program, config)
        for mode in "US":
            found = run.compared("--filter", f"mode={mode}")
            rows.append(
                [program.name.split(".")[0], mode, f"{found['totals']['exact']:,.0f}", *(f"{100 * found['errors'][m]:.2f}" for m in ("EBS", "LBR", "HBBP"))]
            )
    return ["Kernel and user code apart, where there are both (errors in %):", "", *table(["program", "mode", "instructions", "EBS", "LBR", "HBBP"], rows)]


def by_period(config, size):
    rows = []
    for ebs, lbr in PERIODS:
        runs = [run for run in (Run(program, config, ebs, lbr) for program in tests(size)) if run.is_long_enough()]
        found = [errors(run) for run in runs]
        rows.append(
            [
                f"{ebs}",
                f"{lbr}",
                f"{len(runs)}",
                f"{statistics.mean(e['instructions'] for e in found) / ebs:,.0f}",
                f"{statistics.mean(e['streams'] for e in found):,.0f}",
                f"{100 * DEPTH / lbr:.0f} %",
                *(f"{statistics.mean(e[c] for e in found):.2f}" for c in COLUMNS),
            ]
        )
    return [
        f"Mean errors on `{config}` by the periods, in %; coverage: how much of all transfers the stacks hold:",
        "",
        *table(
            ["every, instructions", "transfers", "programs", "samples", "streams", "coverage", "EBS by mepc", "EBS", "LBR", "HBBP, paper's rule", "HBBP"], rows
        ),
    ]


def quick(config):
    runs = [Run(program, config, ebs=101, lbr=13) for program in tests("small") if program.name.split(".")[0] in QUICK]
    if len(runs) != len(QUICK):
        raise SystemExit(f"evaluate.py: build/workloads: {', '.join(QUICK)} are not all there: run make build")
    found = [errors(run) for run in runs]
    mean = statistics.mean(e["HBBP"] for e in found)
    print(f"mean error of HBBP {mean:.2f} %, of EBS {statistics.mean(e['EBS'] for e in found):.2f} %: at most {QUICK_BOUND} %")
    good = mean <= QUICK_BOUND and all(e["broken"] <= 0.001 * e["streams"] for e in found)
    print(f"{int(good)} passed, {int(not good)} failed")
    return 0 if good else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", nargs="+", default=["small2"])
    parser.add_argument("--size", default="medium")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    if arguments.quick:
        return quick(arguments.config[0])
    lines = by_program(arguments.config[0], arguments.size)[0]
    if arguments.config[1:]:
        lines += by_core(arguments.config[1:], arguments.size)
    lines += by_mode(arguments.config[0], arguments.size) + by_period(arguments.config[0], arguments.size)
    lines.append(page_head.sentence("make mix-evaluation") + " The numbers are the simulated core's and do not depend on the machine.")
    text = "\n".join(lines) + "\n"
    print(text)
    if arguments.write:
        page = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(page[: page.index(BEGIN) + len(BEGIN)] + "\n" + text + page[page.index(END) :], encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
