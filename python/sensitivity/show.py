"""What was measured, as text, CSV, JSON and SVG."""
import csv
import io
import json

BAR = 30


def gain(base, cycles):
    """How much faster, of the time before: 0.25 where a quarter of the cycles is gone."""
    return 1 - cycles / base


def ordered(rows):
    return sorted(rows, key=lambda row: (row["cycles"] is None, -(row["gain"] or 0)))


def text(result):
    lines = [
        f"{result['program']} on {result['config']}: {result['cycles']:,} cycles, IPC {result['ipc']:.2f}",
        "",
        f"{'gain':>8}  {'cycles':>12}  {'':{BAR}}  {'change':14}",
    ]
    most = max([abs(row["gain"]) for row in result["changes"] if row["gain"] is not None] + [0.01])
    for row in ordered(result["changes"]):
        if row["cycles"] is None:
            lines.append(f"{'-':>8}  {'-':>12}  {row['message'][:BAR]:{BAR}}  {row['name']:14}  {row['text']}")
            continue
        bar = "█" * round(BAR * max(row["gain"], 0) / most)
        keys = ", ".join(f"{key}={value}" for key, value in row["keys"].items())
        lines.append(f"{100 * row['gain']:7.1f} %  {row['cycles']:12,}  {bar:{BAR}}  {row['name']:14}  {row['text']} ({keys})")
    return "\n".join(lines) + "\n"


def as_csv(result):
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["program", "config", "change", "resource", "keys", "cycles_before", "cycles", "gain"])
    for row in result["changes"]:
        keys = " ".join(f"{key}={value}" for key, value in row["keys"].items())
        writer.writerow(
            [
                result["program"],
                result["config"],
                row["name"],
                row["resource"],
                keys,
                result["cycles"],
                row["cycles"] or "",
                "" if row["gain"] is None else f"{row['gain']:.6f}",
            ]
        )
    return out.getvalue()


def as_json(result):
    return json.dumps(result, indent=1) + "\n"


def escaped(words):
    return str(words).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def svg(result):
    rows = [row for row in ordered(result["changes"]) if row["cycles"] is not None]
    most = max([abs(row["gain"]) for row in rows] + [0.01])
    height, left, wide = 22, 150, 360
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="760" height="{60 + height * len(rows)}" font-family="sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="10" y="24" font-size="14">{escaped(result["program"])} on {escaped(result["config"])}: cycles gone, of {result["cycles"]:,}</text>',
    ]
    for i, row in enumerate(rows):
        y = 44 + height * i
        length = wide * abs(row["gain"]) / most
        colour = "#0072b2" if row["gain"] >= 0 else "#d55e00"
        parts += [
            f'<text x="{left - 8}" y="{y + 12}" text-anchor="end">{escaped(row["name"])}</text>',
            f'<rect x="{left}" y="{y}" width="{max(length, 0.5):.1f}" height="{height - 6}" fill="{colour}"><title>{escaped(row["text"])}</title></rect>',
            f'<text x="{left + length + 6:.1f}" y="{y + 12}">{100 * row["gain"]:.1f} %</text>',
        ]
    return "\n".join([*parts, "</svg>"]) + "\n"
