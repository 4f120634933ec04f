#!/usr/bin/env python3
"""Counts against time: counts of events against exposed time, what the events explain, and the profilers' errors on other cores; writes docs/results/counts-and-time.md.

    scripts/evaluation/counts_and_time.py [--set quick|full] [--only TEXT] [--configs NAME,...] [--output FILE.md] [--folder FOLDER] [--jobs N]      make counts-and-time [QUICK=1]

quick: small workloads, small2. full: events on medium workloads, tea4; errors on small workloads on all cores that are built of those that --configs lists. What was run before is not run again.
--only: programs with that text in their name. Status 1: a run failed.
"""
import argparse
import pathlib
import statistics
import sys

sys.path[:0] = map(str, (pathlib.Path(__file__).resolve().parent, pathlib.Path(__file__).resolve().parents[1]))
import events  # noqa: E402
import evaluate  # noqa: E402
import exposed  # noqa: E402
import page_head  # noqa: E402
import counts_and_time_pictures as pictures  # noqa: E402
from tables import PROFILERS, percent, table  # noqa: E402

ROOT = evaluate.ROOT
SETS = {"quick": ("small", "small2", ("small2",)), "full": ("medium", "tea4", ("narrow1", "rob16", "small2", "ahead2", "tea4", "wide8"))}
WHAT = {
    "narrow1": "one wide",
    "rob16": "small2 with a window of 16",
    "small2": "two wide, a window of 32",
    "ahead2": "small2 with the next-line prefetcher of the data cache",
    "tea4": "four wide, 192",
    "wide8": "eight wide",
}
PERIOD = 17
MOST = 12  # kinds of what no event explains


def correlations(rows):
    """event -> r of each program that has enough instructions which met it."""
    found = {event: [events.correlation(row, event) for row in rows] for event in rows[0]["events"]}
    return {event: [r for r in values if r is not None] for event, values in found.items()}


def quartiles(values):
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else (values[0],) * 3
    return [f"{value:.2f}" for value in (min(values), low, middle, high, max(values))]


def counted(found):
    return table(
        ["event", "programs", "least", "quartile", "median", "quartile", "most"],
        [[event, str(len(values)), *(quartiles(values) if values else [""] * 5)] for event, values in found.items()],
    )


def best_sets(found):
    lines, before = [], set()
    for size, names, share in found:
        new = [name for name in names if name not in before]
        gone = [name for name in before if name not in names]
        lines.append([str(size), " ".join(names), f"{' '.join(sorted(new))}{f' for {chr(32).join(sorted(gone))}' if gone else ''}", percent(share)])
        before = set(names)
    return table(["events", "the best", "new", "of the time lost"], lines, left=0)


def rest(kinds, shown=MOST):
    lines = [[name, percent(share)] for name, share in list(kinds.items())[:shown]]
    return table(["without an event", "of the time lost"], lines + [["all others", percent(sum(list(kinds.values())[shown:]))]])


def errors(rows, configs):
    """Mean error by instruction of each profiler on each core, and its rank."""
    lines = []
    for config in configs:
        mine = [row for row in rows if row["config"] == config]
        means = {name: statistics.fmean(row[f"error.{name}.instruction"] for row in mine) for name in PROFILERS}
        ranks = {name: sorted(means, key=means.get).index(name) + 1 for name in PROFILERS}
        lines.append(
            [
                f"`{config}`: {WHAT[config]}",
                f"{statistics.median(row['samples'] for row in mine):,.0f}",
                percent(statistics.fmean(row["chance.instruction"] for row in mine)),
                *(f"{percent(means[name])} ({ranks[name]})" for name in PROFILERS),
            ]
        )
    return table(["core", "samples", "chance", *PROFILERS], lines)


def first_of_all(rows, configs):
    best = {
        config: sum(min(PROFILERS, key=lambda name: row[f"error.{name}.instruction"]) == "TIP" for row in rows if row["config"] == config) for config in configs
    }
    return (
        "TIP has the least error of all on "
        + ", ".join(f"{count} of {sum(row['config'] == config for row in rows)} programs on `{config}`" for config, count in best.items())
        + "."
    )


def page(rows, cores, configs, what, name, drawn):
    found, sets, kinds = correlations(rows), events.subsets(rows), events.unexplained(rows)
    picture = lambda key: [f"![{key}]({drawn[key]})", ""]
    return (
        "\n".join(
            [
                "# Counts against time, and other cores",
                "",
                f"Counts and time cover {len(rows)} programs, {what}, exact: the Oracle's, of every cycle.",
                "",
                "## Counts of events against exposed time",
                "",
                "Pearson's r over the instructions of a program that met the event: how often each met it, against the cycles of its stack with it. 1: a count says how much time goes. Programs: those in which three"
                " instructions or more met it, with counts or times that differ.",
                "",
                *counted(found),
                *picture("counts"),
                *said(name, "counts"),
                "## What the events explain",
                "",
                "The best set of N of the nine events, by the part of the time lost (Stalled, Flushed, Drained) in executions which met one of them; mean over the programs.",
                "",
                *best_sets(sets),
                *picture("sets"),
                "What the rest is, by what the instruction does or waits for (`--worker stall-causes`): the tenth event that would explain most.",
                "",
                *rest(kinds),
                *said(name, "rest"),
                "## Other cores",
                "",
                f"Error by instruction, mean over the small workloads, period {PERIOD} with jitter; in brackets the rank. NCI+ILP is NCI that splits a cycle among all that commit; TIP-ILP is TIP that books a whole cycle"
                " to one instruction, where TIP has 1/n for each of n.",
                "",
                *errors(cores, configs),
                first_of_all(cores, configs),
                "",
                *picture("cores"),
                *said(name, "cores"),
            ]
        ).rstrip()
        + "\n"
    )


def said(name, part):
    """What is written by hand about a table, for the full set."""
    path = pathlib.Path(__file__).resolve().parent / f"counts-and-time-{part}.md"
    return [*path.read_text(encoding="utf-8").strip().splitlines()[1:], ""] if name == "full" and path.exists() else []


def swept(configs, only, folder, jobs):
    programs = ", ".join(f'"{name}"' for name in evaluate.workloads("small", only))
    listed = ", ".join(f'"{config}"' for config in configs)
    return evaluate.swept(
        folder, "cores", f"program = [{programs}]\nconfig = [{listed}]\nperiod = {PERIOD}\njitter = {evaluate.JITTER}\nseed = {evaluate.SEED}\n", jobs
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", choices=SETS, default="full")
    parser.add_argument("--only", default="", metavar="TEXT")
    parser.add_argument("--configs", metavar="NAME,...", type=lambda text: tuple(text.split(",")))
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "docs/results/counts-and-time.md", metavar="FILE.md")
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build/evaluation", metavar="FOLDER")
    parser.add_argument("--jobs", type=int, metavar="N")
    arguments = parser.parse_args()
    size, config, configs = SETS[arguments.set]
    configs = [name for name in arguments.configs or configs if (ROOT / "build" / name / "model.so").exists()]
    rows = list(exposed.programs(evaluate.workloads(size, arguments.only), config, arguments.folder / "exposed"))
    cores = swept(configs, arguments.only, arguments.folder / "cores", arguments.jobs)
    stem = arguments.output.with_suffix("")
    drawn = pictures.draw(correlations(rows), events.subsets(rows), cores, configs, stem)
    text = page(rows, cores, configs, f"workloads of size {size} on `{config}`", arguments.set, drawn)
    page_head.write(arguments.output, text, f"make counts-and-time{' QUICK=1' * (arguments.set == 'quick')}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
