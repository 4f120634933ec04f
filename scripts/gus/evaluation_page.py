"""What `make gus-evaluation` found, as text of docs/results/gus-evaluation.md and as its plot."""
import math
import pathlib
import statistics
import sys

import static
from accuracy import kendall

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import page_head  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/results/gus-evaluation.md"
PLOT = PAGE.with_suffix(".svg")
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
TOOLS = {"gus": "Gus", "mca": "llvm-mca"}
# Gus's paper, figure 12: 1421 micro-benchmarks from PolyBench on a Skylake.
PUBLISHED = [("Gus, published", 20.27, 5.84, 14.72, 30.41, 0.82), ("llvm-mca, published", 32.69, 10.41, 23.43, 51.62, 0.61)]
WORST = 12


def large(row):
    return row.variant == "large"


def errors(rows, tool):
    return [100 * (cycles[tool] / cycles["core"] - 1) for _, _, cycles in rows]


def figures(rows, tool):
    """MAPE, quartiles, Kendall's tau."""
    absolute = sorted(map(abs, errors(rows, tool)))
    quartiles = statistics.quantiles(absolute, n=4, method="inclusive") if len(absolute) > 1 else absolute * 3
    return statistics.mean(absolute), *quartiles, kendall([(c["core"], c[tool]) for _, _, c in rows])


def summary(evaluations):
    lines = ["| core | programs | tool | MAPE | first quartile | median | third quartile | Kendall's tau |", "|---|---|---|---|---|---|---|---|"]
    for config, rows in evaluations.items():
        for what, chosen in (("in the L1", [r for r in rows if not large(r[0])]), ("larger", [r for r in rows if large(r[0])])):
            for tool, name in TOOLS.items():
                if chosen:
                    mean, low, middle, high, tau = figures(chosen, tool)
                    model = f" ({static.NEAREST[config]})" if tool == "mca" else ""
                    lines.append(
                        f"| {config} | {len(chosen)} {what} | {name}{model} | {mean:.2f} % | {low:.2f} % | {middle:.2f} % | {high:.2f} % | {tau:.3f} |"
                    )
    for name, mean, low, middle, high, tau in PUBLISHED:
        lines.append(f"| Skylake | 1421 | {name} | {mean} % | {low} % | {middle} % | {high} % | {tau} |")
    return lines


def by_kernel(evaluations):
    lines = [
        "| kernel | programs |" + "".join(f" {c}: Gus, median | largest | llvm-mca, median |" for c in evaluations),
        "|---|---|" + "---|---|---|" * len(evaluations),
    ]
    first = next(iter(evaluations.values()))
    for kernel in sorted({row.kernel for row, _, _ in first}):
        count = sum(row.kernel == kernel for row, _, _ in first)
        cells = [f"| {kernel} | {count} |"]
        for rows in evaluations.values():
            own = [r for r in rows if r[0].kernel == kernel]
            gus, mca = errors(own, "gus"), errors(own, "mca")
            cells.append(f" {statistics.median(map(abs, gus)):.1f} % | {max(gus, key=abs):+.1f} % | {statistics.median(map(abs, mca)):.1f} % |")
        lines.append("".join(cells))
    return lines


def worst(evaluations):
    lines = []
    for config, rows in evaluations.items():
        found = sorted(rows, key=lambda r: -abs(r[2]["gus"] / r[2]["core"] - 1))[:WORST]
        lines += ["", f"The largest errors on {config}:", "", "| program | core | Gus | error |", "|---|---|---|---|"]
        lines += [f"| {row.name}.{flags} | {c['core']} | {c['gus']:.0f} | {100 * (c['gus'] / c['core'] - 1):+.1f} % |" for row, flags, c in found]
    return lines


def text(evaluations):
    count = len(next(iter(evaluations.values())))
    return "\n".join([f"{count} programs.", "", *summary(evaluations), "", *by_kernel(evaluations), *worst(evaluations)])


def plot(evaluations):
    """Distributions of the errors, a strip a core and tool: programs by 5 % of error, from -100 to 100; beyond: in the last bar."""
    width, left, right, high, strip, step = 920, 170, 40, 60, 84, 5
    bars = 200 // step
    across = (width - left - right) / bars
    parts, y = [], 30
    for config, rows in evaluations.items():
        for tool, name in TOOLS.items():
            counts = [0] * bars
            for e in errors(rows, tool):
                counts[min(max(math.floor((e + 100) / step), 0), bars - 1)] += 1
            top = max(counts)
            parts.append(f'<text x="{left - 12}" y="{y + high - 22}" text-anchor="end">{config}, {name}</text>')
            parts.append(f'<text x="{left - 12}" y="{y + high - 6}" text-anchor="end" font-size="11" fill="#666">MAPE {figures(rows, tool)[0]:.1f} %</text>')
            for k, n in enumerate(counts):
                if n:
                    size = max(1.5, n / top * high)
                    parts.append(
                        f'<rect x="{left + k * across:.1f}" y="{y + high - size:.1f}" width="{across - 1:.1f}" height="{size:.1f}" fill="{"#2b6cb0" if tool == "gus" else "#c05621"}">'
                        f"<title>{n} programs: {k * step - 100} to {(k + 1) * step - 100} %</title></rect>"
                    )
            parts.append(f'<line x1="{left}" y1="{y + high}" x2="{width - right}" y2="{y + high}" stroke="#999"/>')
            y += strip
    middle = left + bars / 2 * across
    grid = "".join(f'<text x="{left + k * bars / 8 * across:.1f}" y="{y + 4}" text-anchor="middle" font-size="11">{25 * k - 100} %</text>' for k in range(9))
    return (
        "<!-- Errors of Gus and of llvm-mca on the kernels, by core: the plot of gus-evaluation.md, written by scripts/gus/evaluate.py. -->\n"
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {y + 36}" font-family="sans-serif" font-size="14">\n<rect width="100%" height="100%" fill="#fff"/>\n'
        f'<line x1="{middle:.1f}" y1="20" x2="{middle:.1f}" y2="{y - 10}" stroke="#333" stroke-dasharray="3 3"/>\n' + "\n".join(parts) + f"\n{grid}\n"
        f'<text x="{middle:.1f}" y="{y + 26}" text-anchor="middle">error of the cycles; programs by steps of {step} %, what is beyond in the last bar</text>\n</svg>\n'
    )


def write(evaluations):
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    _, _, behind = rest.partition(END)
    page_head.write(
        PAGE,
        before + BEGIN + "\n" + text(evaluations) + "\n\n![Distribution of the errors](gus-evaluation.svg)\n" + END + behind,
        "make gus-evaluation",
    )
    PLOT.write_text(plot(evaluations), encoding="utf-8")
