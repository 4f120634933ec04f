"""Sections of docs/results/overhead.md from docs/results/overhead.json: cost by lanes and ROB entries, and what a unit would save by keeping less (storage.py)."""
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
SIZES = (32, 64, 128, 192, 256, 512)  # of a ROB


def line_through(points):
    """(at 0, for each one more) of least squares, and the greatest distance from it."""
    count, sum_x, sum_y = len(points), sum(x for x, _ in points), sum(y for _, y in points)
    slope = (count * sum(x * y for x, y in points) - sum_x * sum_y) / (count * sum(x * x for x, _ in points) - sum_x * sum_x)
    start = (sum_y - slope * sum_x) / count
    return start, slope, max(abs(start + slope * x - y) for x, y in points)


def fitted(results, whole, table):
    """Cost by lanes and ROB entries."""
    lines = []
    for name in whole:
        rows = [row for row in results["units"] if row["unit"] == name]
        for what in ("flip-flops", "gates"):
            start, slope, off = line_through([(row["lanes"], row[what]) for row in rows])
            lines.append((name, what, f"{start:,.0f} + {slope:,.1f} W", f"{off:,.0f}"))
    table_of = results.get("vectors", [])
    said = [
        "## By lanes and ROB entries",
        "",
        "Least squares through 1, 2, 4 and 8 lanes (W), the complete units; the last column is the greatest distance of a measured one.",
        "",
        *table(("unit", "", "fitted", "off by at most"), lines),
    ]
    if table_of:
        start, slope, off = line_through([(row["entries"], row["gates"]) for row in table_of])
        said += [
            f"TEA's vectors in the ROB are 9 flip-flops an entry. With what writes and reads them (`attach/psv_table.sv`, {table_of[0]['lanes']} lanes), measured at {', '.join(str(row['entries']) for row in table_of)} entries: "
            + ", ".join(f"{row['gates']:,}" for row in table_of)
            + f" gates, {start:,.0f} + {slope:,.1f} N fitted, off by at most {off:,.0f}. By the fit, N from 32 to 512:",
            "",
            *table(
                ("entries", *(str(n) for n in SIZES)),
                [("bytes", *(f"{9 * n / 8:,.0f}" for n in SIZES)), ("gates", *(f"{start + slope * n:,.0f}" for n in SIZES))],
            ),
        ]
    return said


def smaller(results, table):
    kept = results.get("storage")
    if not kept:
        return []
    base = kept["base"]  # what the copies were made of: the unit of that day
    lines = []
    for row in kept["ideas"]:
        saved = base["flip-flops"] - row["flip-flops"] if row["synthesized"] else row["bits saved"]
        wrong = f"{100 * row['mean error']:.3f} %, {100 * row['worst error']:.3f} %" if "mean error" in row else ""
        lines.append(
            (
                row["idea"],
                row["text"],
                f"{saved:,}",
                f"{saved / 8:.0f}",
                f"{row['gates']:,}" if row["synthesized"] else "",
                f"{row['path ns']:.2f}" if row["synthesized"] else "",
                wrong,
            )
        )
    return [
        "## Smaller",
        "",
        f"What TEA at 4 lanes would save by keeping less, of {base['flip-flops']:,} flip-flops, {base['gates']:,} gates and a path of {base['path ns']:.2f} ns: the unit before it had a register at its door. With gates: a changed copy went through the flow, and passes the release's bench under Icarus (`scripts/ip/flat_bench.v.in`); without: worked out, not synthesized. Error: the part of the time that "
        f"is booked elsewhere than by whole samples, mean and worst over {kept['programs']} programs on `tea4` ({kept['samples']:,} samples), each sample as the smaller unit would have taken it (`scripts/overhead/storage.py`).",
        "",
        *table(("idea", "", "bits saved", "bytes", f"gates left of {base['gates']:,}", "longest path, ns", "error, worst"), lines),
        *(HERE / "smaller.md").read_text().split("\n", 1)[1].strip().splitlines(),
        "",
    ]
