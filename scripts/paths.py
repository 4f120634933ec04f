#!/usr/bin/env python3
"""How often branch histories give the path to an instruction: the paper's two graphs (ProfileMe, MICRO 1997, figure 6), from samples of the hardware.

    scripts/paths.py [--config full2] [--size medium] [--only NAME]... [--again] [--write]

Each workload on bare metal runs once, sampled in pairs, with the worker that keeps the exact way to each sampled instruction (`branch-history`); `tipoff profileme --path-success` then looks for
the path to the second of each pair, for 1 to 16 branches, within procedures and across them. Means over the programs are printed, and with --write put into
docs/guide/profileme-software.md, docs/results/profileme-paths.svg and docs/results/profileme-paths.csv (each program). What was run is not run again without --again: build/paths.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys

import page_head

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "scripts/evaluation"))
import pictures  # noqa: E402

PAGE, PICTURE = ROOT / "docs/guide/profileme-software.md", ROOT / "docs/results/profileme-paths.svg"
BEGIN, END = "<!-- paths: begin -->", "<!-- paths: end -->"
TIPOFF = ROOT / "build/bin/tipoff"
SETTINGS = "256,jitter=8,pairs=64"
# Those without an operating system in them: what runs between an instruction and the next one is in the histories, too.
PROGRAMS = (
    "bigcode",
    "chase",
    "cmark",
    "compress",
    "crc",
    "dgemm",
    "dhry",
    "fft",
    "graph",
    "hash",
    "interp",
    "lbm",
    "mandelbrot",
    "matmul",
    "meanshift",
    "molecular",
    "nbody",
    "queens",
    "sort",
    "stream",
    "strsearch",
)
PROCEDURES = ("within", "across")
BRANCHES = range(1, 17)
SHOWN = (1, 2, 4, 6, 8, 12, 16)
AT = 8  # branches, of the table of programs
LOOKS = {
    "execution counts": 'dashtype 2 linecolor rgb "#999999"',
    "history bits": 'linecolor rgb "#56b4e9"',
    "history bits and pairs": 'linecolor rgb "#0072b2"',
    "all 16 bits and pairs": 'linecolor rgb "#d55e00"',
    "the same, then counts": 'linecolor rgb "#009e73"',
}


def tipoff(*words):
    done = subprocess.run([TIPOFF, *map(str, words)], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"scripts/paths.py: tipoff {' '.join(map(str, words))}: {done.stderr.strip()}")
    return done.stdout


def measure(name, options, folder):
    """{(procedures, scheme, branches): row}, and the statistics of the run."""
    tips, stats = folder / f"{name}.{options.config}.{options.size}.tips", folder / f"{name}.{options.config}.{options.size}.json"
    if options.again or not tips.exists() or not stats.exists():
        tipoff(
            "run",
            "--config",
            options.config,
            "--quiet",
            "--profileme",
            SETTINGS,
            "--worker",
            "branch-history",
            "--samples",
            tips,
            "--stats",
            stats,
            f"build/workloads/{name}.{options.size}.elf",
        )
    view = json.loads(tipoff("profileme", "--path-success", "--format", "json", tips))
    return {(r["procedures"], r["scheme"], r["branches"]): r for r in view["rows"]}, json.loads(stats.read_text()), view


def success(row):
    return 100 * row["right"] / row["samples"]


def mean(found, procedures, scheme, branches):
    return statistics.fmean(success(rows[procedures, scheme, branches]) for rows, _, _ in found.values())


def draw(found, schemes):
    lines = [
        (procedures, scheme, n, mean(found, procedures, scheme, n), *(success(rows[procedures, scheme, n]) for rows, _, _ in found.values()))
        for procedures in PROCEDURES
        for scheme in schemes
        for n in BRANCHES
    ]
    pictures.numbers(
        PICTURE.with_suffix(".csv"),
        ("procedures", "scheme", "branches", "mean", *found),
        [(*line[:3], *(f"{value:.2f}" for value in line[3:])) for line in lines],
    )
    blocks, plots = [], []
    for procedures in PROCEDURES:
        data = "\n".join(" ".join([str(n), *(f"{mean(found, procedures, scheme, n):.2f}" for scheme in schemes)]) for n in BRANCHES)
        blocks.append(f"${procedures} << END\n{data}\nEND")
        curves = ", ".join(
            f"${procedures} using 1:{i + 2} with linespoints linewidth 2 pointtype 7 pointsize 0.4 {LOOKS[scheme]} title {scheme!r}"
            for i, scheme in enumerate(schemes)
        )
        plots.append(f"set title '{procedures.capitalize()} procedures'\nplot {curves}\nunset key\nset ylabel ''")
    pictures.plotted(
        "\n".join(blocks)
        + f"""
set terminal svg size 900,500 dynamic noenhanced font "sans-serif,12" background rgb "white"
set multiplot layout 1,2 margins screen 0.08,0.98,0.36,0.93 spacing screen 0.08
set xlabel 'branches of the path'
set ylabel 'one path, the one taken: percent of the samples'
set xrange [0.5:16.5]
set yrange [0:100]
set xtics 1,1,16 nomirror
set ytics nomirror
set border 3
set grid ytics linecolor rgb "#e4e4e4" linetype 1
set key at screen 0.53,0.02 center bottom vertical Left reverse samplen 2
{chr(10).join(plots)}
unset multiplot
""",
        PICTURE,
        f"Paths found from branch histories, means of {len(found)} programs: a picture of profileme-software.md.",
    )


def tables(found, schemes):
    out = ["| success, mean of " + str(len(found)) + " programs | branches: " + " | ".join(map(str, SHOWN)) + " |", "|---" * (len(SHOWN) + 1) + "|"]
    for procedures in PROCEDURES:
        for scheme in schemes:
            out.append(f"| {procedures} procedures, {scheme} | " + " | ".join(f"{mean(found, procedures, scheme, n):.1f} %" for n in SHOWN) + " |")
    out += [
        "",
        f"| program, {AT} branches | samples | first retired, too | " + " | ".join(f"{p}: {s}" for p in PROCEDURES for s in schemes) + " |",
        "|---" * (2 * len(schemes) + 3) + "|",
    ]
    for name, (rows, _, view) in found.items():
        cells = " | ".join(f"{success(rows[p, s, AT]):.1f}" for p in PROCEDURES for s in schemes)
        out.append(f"| {name} | {rows['within', schemes[0], AT]['samples']} | {100 * view['paired'] / view['path_samples']:.0f} % | {cells} |")
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", default="full2", help="the core (default: %(default)s)")
    parser.add_argument("--size", default="medium", help="of the workloads (default: %(default)s)")
    parser.add_argument("--only", action="append", metavar="NAME", help="this program alone; any number of times")
    parser.add_argument("--again", action="store_true", help="run again what was run")
    parser.add_argument("--write", action="store_true", help=f"put tables and picture into {PAGE.relative_to(ROOT)}")
    options = parser.parse_args()
    folder = ROOT / "build/paths"
    folder.mkdir(parents=True, exist_ok=True)
    found = {}
    for name in options.only or PROGRAMS:
        found[name] = measure(name, options, folder)
        stats = found[name][1]
        print(
            f"{name}: {stats['instructions']} instructions, {stats['routes']['records']} records, {stats['routes']['histories']} histories as the branches retired",
            flush=True,
        )
    schemes = tuple(dict.fromkeys(scheme for _, scheme, _ in next(iter(found.values()))[0]))
    every = [row for rows, _, _ in found.values() for row in rows.values()]
    sure = [row for row in every if row["scheme"] not in ("execution counts", "the same, then counts")]
    one = sum(row["right"] + row["wrong"] for row in sure)
    lines = [
        *tables(found, schemes),
        "",
        f"{sum(s['routes']['records'] for _, s, _ in found.values()):,} records; of the {sum(s['routes']['histories'] for _, s, _ in found.values()):,} that retired every history is that of the "
        f"branches that retired. Where one path only fits a history, it is another than the one taken in {sum(row['wrong'] for row in sure)} of {one:,} cases (all lengths and schemes with bits).",
    ]
    print("\n".join(lines))
    if options.write:
        page = PAGE.read_text(encoding="utf-8")
        head, rest = page.split(BEGIN)
        lines = [page_head.sentence("make paths"), "", *lines]
        PAGE.write_text(head + BEGIN + "\n" + "\n".join(lines) + "\n" + END + rest.split(END)[1], encoding="utf-8")
        draw(found, schemes)


if __name__ == "__main__":
    main()
