"""What `make verdicts` found, as text of docs/results/verdicts.md and as its plot."""
import pathlib
import statistics
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import page_head  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/results/verdicts.md"
PLOT = PAGE.with_suffix(".svg")
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
METHODS = {"tea": "TEA", "topdown": "top-down", "gus": "Gus"}
IDEAL = ("branches", "l1i", "l1d", "tlb", "memory_order")
COLOURS = {"branches": "#d55e00", "l1i": "#e69f00", "l1d": "#0072b2", "tlb": "#009e73", "memory_order": "#cc79a7"}
WORTH = 0.03  # a part that gains less of the time is not called the bottleneck
# What a method may say where it has no name for a part of ours: right for any of these.
STANDS_FOR = {"core": {"window", "int_ports", "mem_ports", "fp_ports", "none"}, "bandwidth": {"fetch_width", "width"}}
LEVEL_1 = (("branches", "memory_order"), ("l1i", "bandwidth"), ("l1d", "core"))  # of top-down: bad speculation, front end, back end


def named(gains):
    best = max(gains, key=gains.get)
    return best if gains[best] >= WORTH else "none"


def drilled(shares):
    """As the method has it: the largest share of level 1, then the larger one in it."""
    group = max(LEVEL_1, key=lambda parts: sum(shares[part] for part in parts))
    return named({part: shares[part] for part in group})


def verdict(row, method):
    return drilled(row[method]) if method == "topdown" else named(row[method])


def right(row, method):
    name, true = verdict(row, method), named(row["truth"])
    return name == true or true in STANDS_FOR.get(name, ())


def percent(value):
    return f"{100 * value:.1f}"


def cell(gains, part):
    return part if part == "none" else f"{part}, {percent(gains[part])} %"


def of_kind(rows):
    return (("workloads", [row for row in rows if not row["kernel"]]), ("kernels", [row for row in rows if row["kernel"]]))


# ---- tables ----
def how_often(found):
    lines = ["| core | programs |" + "".join(f" {name} |" for name in METHODS.values()) + " always `none` |", "|---|---|" + "---|" * (len(METHODS) + 1)]
    for config, rows in found.items():
        for what, own in of_kind(rows):
            if own:
                lines.append(
                    f"| {config} | {len(own)} {what} |"
                    + "".join(f" {sum(right(row, method) for row in own)} |" for method in METHODS)
                    + f" {sum(named(row['truth']) == 'none' for row in own)} |"
                )
    return lines


def by_part(found):
    lines = [
        "| bottleneck | core | programs |" + "".join(f" {name} |" for name in METHODS.values()) + " instead |",
        "|---|---|---|" + "---|" * (len(METHODS) + 1),
    ]
    for config, rows in found.items():
        for part in sorted({named(row["truth"]) for row in rows}):
            own = [row for row in rows if named(row["truth"]) == part]
            wrong = {}
            for row in own:
                for method, name in METHODS.items():
                    if not right(row, method):
                        said = f"{name}: {verdict(row, method)}"
                        wrong[said] = wrong.get(said, 0) + 1
            instead = ", ".join(f"{said} {count}" for said, count in sorted(wrong.items(), key=lambda pair: -pair[1]))
            lines.append(
                f"| {part} | {config} | {len(own)} |" + "".join(f" {sum(right(row, method) for row in own)} |" for method in METHODS) + f" {instead} |"
            )
    return lines


def agreement(found):
    lines = ["| part | core |" + "".join(f" {name} |" for name in METHODS.values()), "|---|---|" + "---|" * len(METHODS)]
    for config, rows in found.items():
        for part in IDEAL:
            cells = []
            for method in METHODS:
                known = [row[method][part] - row["truth"][part] for row in rows if part in row[method]]
                cells.append(f" {percent(statistics.fmean(map(abs, known)))} |" if known else " - |")
            lines.append(f"| {part} | {config} |" + "".join(cells))
    return lines


def shadow(found):
    lines = ["| core | programs | Flushed | with the wait | late paths | top-down |", "|---|---|---|---|---|---|"]
    for config, rows in found.items():
        for what, own in of_kind(rows):
            if own:
                errors = [statistics.fmean(abs(row["shadow"][i] - row["truth"]["branches"]) for row in own) for i in range(3)]
                errors.append(statistics.fmean(abs(row["topdown"]["branches"] - row["truth"]["branches"]) for row in own))
                lines.append(f"| {config} | {len(own)} {what} | " + " | ".join(map(percent, errors)) + " |")
    for config, rows in found.items():
        lines += [
            "",
            f"On {config}, where `ideal.branches` gains or Flushed costs 3 % or more:",
            "",
            "| program | Flushed | with the wait | late paths | top-down | ideal.branches |",
            "|---|---|---|---|---|---|",
        ]
        for row in rows:
            if max(row["shadow"][0], row["truth"]["branches"]) >= WORTH:
                lines.append(
                    f"| {row['program']} | " + " | ".join(percent(v) for v in (*row["shadow"], row["topdown"]["branches"], row["truth"]["branches"])) + " |"
                )
    return lines


def programs(config, rows):
    lines = ["| program | the core: part, gain | next |" + "".join(f" {name} |" for name in METHODS.values()), "|---|---|---|" + "---|" * len(METHODS)]
    for row in rows:
        true = named(row["truth"])
        following = sorted(row["truth"], key=row["truth"].get)[-2 if true != "none" else -1]
        cells = [f" {cell(row[method], verdict(row, method))}{' ✓' if right(row, method) else ''} |" for method in METHODS]
        lines.append(f"| {row['program']} | {cell(row['truth'], true)} | {cell(row['truth'], following)} |" + "".join(cells))
    return lines


def text(found):
    lines = [
        "## Who names the right resource",
        *how_often(found),
        "",
        "By what the core says, and what was said instead:",
        "",
        *by_part(found),
        "",
        "## How well the gain agrees",
        "Mean distance of the predicted gain from the core's, in points of a percent of the time, over all programs:",
        "",
        *agreement(found),
        "",
        "![Predicted against real gain](verdicts.svg)",
        "",
        "## Mispredictions: the refill's shadow",
        "What mispredictions cost by `mispredict-cost` ([workers.md](../reference/workers.md)): the cycles of an empty ROB (Flushed); with the wait of the first instruction after them; and all by which right paths are late,",
        "which is the cost if no other work overlaps it. Mean distance from what a core gains that mispredicts nothing, in points, with top-down's share beside:",
        "",
        *shadow(found),
    ]
    for config, rows in found.items():
        lines += ["", f"## {config}, program by program", *programs(config, rows)]
    return "\n".join(lines)


# ---- plot ----
def plot(found):
    """Predicted against real gain, a field a core and method: a dot a program and part."""
    size, gap, left, top = 240, 50, 60, 50
    parts = []
    for i, (config, rows) in enumerate(found.items()):
        for j, (method, name) in enumerate(METHODS.items()):
            x, y = left + j * (size + gap), top + i * (size + gap)
            parts.append(f'<rect x="{x}" y="{y}" width="{size}" height="{size}" fill="none" stroke="#999"/>')
            parts.append(f'<line x1="{x}" y1="{y + size}" x2="{x + size}" y2="{y}" stroke="#333" stroke-dasharray="3 3"/>')
            parts.append(f'<text x="{x + size / 2}" y="{y - 8}" text-anchor="middle">{name}, {config}</text>')
            for k in range(0, 101, 25):
                parts.append(f'<text x="{x + k / 100 * size:.1f}" y="{y + size + 14}" text-anchor="middle" font-size="10" fill="#666">{k} %</text>')
                if j == 0:
                    parts.append(f'<text x="{x - 6}" y="{y + size - k / 100 * size + 4:.1f}" text-anchor="end" font-size="10" fill="#666">{k} %</text>')
            for row in rows:
                for part in IDEAL:
                    if part in row[method]:
                        real, said = (min(max(gain, 0.0), 1.0) for gain in (row["truth"][part], row[method][part]))
                        if max(real, said) >= 0.005:
                            parts.append(
                                f'<circle cx="{x + real * size:.1f}" cy="{y + size - said * size:.1f}" r="3" fill="{COLOURS[part]}" fill-opacity="0.7"><title>{row["program"]}, {part}: {percent(real)} %, predicted {percent(said)} %</title></circle>'
                            )
    width, y = left + len(METHODS) * (size + gap), top + len(found) * (size + gap)
    for k, (part, colour) in enumerate(COLOURS.items()):
        parts.append(f'<circle cx="{left + 10 + k * 130}" cy="{y + 14}" r="4" fill="{colour}"/><text x="{left + 20 + k * 130}" y="{y + 19}">{part}</text>')
    return (
        "<!-- Predicted against real gain of ideal parts, by method and core: the plot of verdicts.md, written by scripts/gus/verdicts.py. -->\n"
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {y + 34}" font-family="sans-serif" font-size="13">\n<rect width="100%" height="100%" fill="#fff"/>\n'
        + "\n".join(parts)
        + f'\n<text x="{left}" y="18">share of the cycles that goes with an ideal part: on the core (across), predicted (up); dots a program and part, from 0.5 % on</text>\n</svg>\n'
    )


def write(found):
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    _, _, behind = rest.partition(END)
    page_head.write(PAGE, before + BEGIN + "\n" + text(found) + "\n" + END + behind, "make verdicts")
    PLOT.write_text(plot(found), encoding="utf-8")
