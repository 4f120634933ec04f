"""docs/results/overhead.md, .csv and .svg from docs/results/overhead.json."""
import csv
import pathlib
import re
import subprocess
import sys

import document_cores
import document_fit
import flow_fpga
import state
from document_cores import table
from library import DRIVER, LOAD, PACKAGE, ROOT, UNIT_GATE

sys.path.append(str(ROOT / "scripts"))
import page_head  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
PAGE = ROOT / "docs/results/overhead.md"
WHOLE = ("TIP", "TEA")
COLOURS = ("#0072b2", "#56b4e9", "#d55e00", "#f0b27a")  # Okabe and Ito, "Color Universal Design" (2008), and a lighter one
COLUMNS = ("unit", "lanes", "flip-flops", "area um2", "gates", "gates of flip-flops", "path ns", "path gates", "path from", "path to")


def bytes_of(bits):
    return f"{bits / 8:.0f}"


UNIT_HEADS = ("unit", "lanes", "flip-flops", "bytes", "gates", "... of flip-flops", "longest path, ns")


def unit_cells(row):
    bits = row["flip-flops"]
    return row["unit"], row["lanes"], f"{bits:,}", bytes_of(bits), f"{row['gates']:,}", f"{row['gates of flip-flops']:,}", f"{row['path ns']:.2f}"


def whole_units(results):
    fo4, bar = results["FO4 ns"], half_yardstick(results)
    return table(
        (*UNIT_HEADS, "FO4", "of the add with bypass"),
        [(*unit_cells(row), f"{row['path ns'] / fo4:.0f}", f"{50 * row['path ns'] / bar:.0f} %") for row in results["units"] if row["unit"] in WHOLE],
    )


def half_yardstick(results):
    return results["yardsticks"]["64-bit add with bypass"]["ns"] / 2


def purposes(results):
    rows = {(row["unit"], row["lanes"]): row for row in results["units"] if row["unit"] in WHOLE}
    lanes = sorted({width for _, width in rows})
    keys = [(name, width) for name in WHOLE for width in lanes if (name, width) in rows]
    names = list(rows[keys[0]]["bits by purpose"])
    lines = [(name, *(f"{rows[key]['bits by purpose'].get(name, 0):,}" for key in keys)) for name in names]
    lines.append(("sum", *(f"{rows[key]['flip-flops']:,}" for key in keys)))
    lines.append(
        (
            "... counted by the published figures",
            *(f"{rows[key]['bits of what was published']:,}: {bytes_of(rows[key]['bits of what was published'])} B" for key in keys),
        )
    )
    return table(("bits", *(f"{name}, {width}" for name, width in keys)), lines)


def purposes_of(results, prefix, last):
    """Bits by purpose of the units whose name begins so, with what is called `last` at the end."""
    rows = [row for row in results["units"] if row["unit"].startswith(prefix) and "bits by purpose" in row]
    if not rows:
        return []
    names = list(rows[0]["bits by purpose"])
    lines = [(name, *(f"{row['bits by purpose'].get(name, 0):,}" for row in rows)) for name in names]
    lines.append(("sum", *(f"{row['flip-flops']:,}" for row in rows)))
    if last:
        lines.append((last, *(f"{row['bits of what was published']:,}: {bytes_of(row['bits of what was published'])} B" for row in rows)))
    return table(("bits", *(f"{row['unit'].removeprefix(prefix).strip() or row['unit']}, {row['lanes']}" for row in rows)), lines)


SAMPLERS = ("ProfileMe", "branch_history", "CTR")


def samplers(results):
    """What samples instructions, and what records branches."""
    rows = [row for row in results["units"] if row["unit"].startswith(SAMPLERS)]
    if not rows:
        return []
    return [
        "## Sampling instructions, recording branches",
        "[ProfileMe](../reference/profileme.md) with one, two or four sets of profile registers, each with one register for records that wait and with a buffer of four, and [control transfer records](../reference/ctr.md), in the "
        "cores full2 (two lanes) and full4 (four). `branch_history` stands in the front end and comes with ProfileMe. Records are flip-flops here; a core would hold many of them in a RAM.",
        "",
        *table(UNIT_HEADS, [unit_cells(row) for row in rows]),
        "ProfileMe's flip-flops by purpose (`scripts/overhead/state_profileme.tsv`):",
        "",
        *purposes_of(results, "ProfileMe", "... in registers that the paper names"),
        "Of the control transfer records (`scripts/overhead/state_ctr.tsv`):",
        "",
        *purposes_of(results, "CTR", ""),
        *table(("what", "published", "source"), [(row["what"], row["value"], row["source"]) for row in state.rows("published_samplers.tsv")]),
        *(HERE / "samplers.md").read_text(encoding="utf-8").split("\n", 1)[1].splitlines(),
        "",
    ]


def parts(results):
    fo4 = results["FO4 ns"]
    return table(
        ("unit", "lanes", "flip-flops", "gates", "longest path, ns", "FO4", "gates on it", "from", "to"),
        [
            (
                row["unit"],
                row["lanes"],
                f"{row['flip-flops']:,}",
                f"{row['gates']:,}",
                f"{row['path ns']:.2f}",
                f"{row['path ns'] / fo4:.0f}",
                row["path gates"],
                f"`{row['path from'].removeprefix(state.TOP)}`",
                f"`{row['path to'].removeprefix(state.TOP)}`",
            )
            for row in results["units"]
        ],
    )


def fpga(results):
    rows = results.get("FPGA", [])
    if not rows:
        return []
    kinds = [kind for kind in flow_fpga.KINDS if any(row[kind] for row in rows)]
    return [
        "## In an FPGA",
        f"Cells of {flow_fpga.FAMILY}: counts, without placement.",
        "",
        *table(("unit", "lanes", *kinds), [(row["unit"], row["lanes"], *(f"{row[kind]:,}" for kind in kinds)) for row in rows]),
    ]


def stones(results):
    """What a core does in a cycle at least, and which complete units take more than half of it: by the yardsticks, and by the longest paths of a core's own."""
    rows = [(name, row["ns"], row["gates"]) for name, row in results["yardsticks"].items()]
    rows += [
        (f"{name}, {row['config']}'s own", path["ns"], path["gates"])
        for row in results.get("cores", [])
        for name, path in row.get("own", {}).items()
        if row["variant"] == document_cores.LISTED
    ]
    units = [row for row in results["units"] if row["unit"] in WHOLE]

    def above(ns):
        slow = [f"{row['unit']} at {row['lanes']}" for row in units if row["path ns"] >= ns / 2]
        return "none" if not slow else "all" if len(slow) == len(units) else ", ".join(slow)

    return table(
        ("yardstick", "longest path, ns", "FO4", "gates on it", "half of it, ns", "complete units that take more than half"),
        [(name, f"{ns:.2f}", f"{ns / results['FO4 ns']:.0f}", gates, f"{ns / 2:.2f}", above(ns)) for name, ns, gates in rows],
    )


def verdict(results):
    """The goal, half of a rename of four or of an add with bypass: which units at which width take more."""
    bars = [
        (f"a rename of four, {row['config']}'s own", path["ns"] / 2)
        for row in results.get("cores", [])
        if row["config"] == "tea4" and row["variant"] == document_cores.LISTED
        for name, path in row.get("own", {}).items()
        if name.startswith("rename")
    ]
    bars.append(("the add with bypass", half_yardstick(results)))
    lines = [
        "The goal is half of a rename of four instructions, or of a 64-bit add with bypass, for every unit but those that sample instructions or record branches."
    ]
    for name, bar in bars:
        above = [f"{row['unit']} at {row['lanes']}" for row in results["units"] if row["path ns"] >= bar and not row["unit"].startswith(SAMPLERS)]
        lines.append(f"Half of {name}, {bar:.2f} ns: {'above it: ' + ', '.join(above) if above else 'every unit at every width is below it'}.")
    return [" ".join(lines), ""]


def text(results):
    return [
        "# What the profiling units cost",
        "",
        "From `overhead.json`; the same rows as CSV: `overhead.csv`. What has a date below was measured at another time than the units. A unit is a row of `scripts/overhead/units.tsv`.",
        "",
        f"The RTL goes through the slang front end into Yosys, is flattened and mapped by abc, for speed, to the cells of a Liberty library, 0.18 um (Debian's `{PACKAGE}`), and timed by OpenSTA. "
        f"A gate is the area of a {UNIT_GATE}. Not in these figures: wires, clock tree, scan. Inputs come from registers at the unit's door, {results['clock to output ns']:.2f} ns after the clock, "
        f"through a {DRIVER}; outputs drive {1000 * LOAD:.0f} fF. FO4, an inverter that drives four, is {1000 * results['FO4 ns']:.0f} ps there.",
        "",
        "Tools: " + ", ".join(f"{name} {version}" for name, version in results["tools"].items()) + ".",
        "",
        "## Complete units",
        "`profile_top` with the one counter that triggers; the other counters are the core's own PMU (`pmu 29` below).",
        "",
        *whole_units(results),
        "![Gate equivalents by number of lanes](overhead.svg)",
        "",
        "## Flip-flops by purpose",
        "Counted in the netlist; each register's bits follow from the configuration (`scripts/overhead/state.tsv`), and a flip-flop too many, one too few or one that no row knows stops the run.",
        "",
        *purposes(results),
        "Published, for comparison:",
        "",
        *table(("what", "published", "source"), [(row["what"], row["value"], row["source"]) for row in state.rows("published.tsv")]),
        "What the published unit has (OIR, one sample) is the smaller part. The rest buys that no trigger is lost while a sample is read, that waits count in full, and that a sample says "
        "when it was taken, in which mode and in which address space. TEA's vectors in the ROB, the fetch buffer and the load queue are in [integration.md](../guide/integration.md), section 7.",
        "",
        *samplers(results),
        "## Longest paths",
        "",
        *stones(results),
        *verdict(results),
        *(HERE / "why.md").read_text(encoding="utf-8").split("\n", 1)[1].splitlines(),
        "",
        *fpga(results),
        *document_cores.text(results),
        *document_fit.fitted(results, WHOLE, table),
        *document_fit.smaller(results, table),
        "## All rows",
        "",
        *parts(results),
    ]


def picture(results):
    rows = [row for row in results["units"] if row["unit"] in WHOLE]
    lanes = sorted({row["lanes"] for row in rows})
    at = {(row["unit"], row["lanes"]): row for row in rows}
    lines = []
    for width in lanes:
        for name in WHOLE:
            row = at.get((name, width))
            if row:
                lines.append(f"\"{name}, {width}\" {row['gates of flip-flops'] / 1000} {(row['gates'] - row['gates of flip-flops']) / 1000}")
    data = "\n".join(lines)
    script = f"""set terminal svg size 720,380 dynamic noenhanced font "sans-serif,12" background rgb "white"
$data << END
{data}
END
set title 'Complete units by number of lanes: thousands of gates (NAND2)'
set style data histograms
set style histogram rowstacked
set style fill solid 0.9 border rgb "white"
set boxwidth 0.7
set key left top reverse Left
set border 3
set xtics nomirror
set ytics nomirror
set yrange [0:]
set grid ytics linecolor rgb "#e4e4e4" linetype 1
plot $data using 2:xtic(1) linecolor rgb "{COLOURS[0]}" title 'flip-flops', $data using 3 linecolor rgb "{COLOURS[1]}" title 'logic'
"""
    try:
        drawn = subprocess.run(["gnuplot"], input=script, capture_output=True, text=True, check=True).stdout
    except (FileNotFoundError, subprocess.CalledProcessError) as error:
        raise SystemExit(f"overhead: gnuplot did not draw overhead.svg: apt-get install gnuplot-nox: {getattr(error, 'stderr', '')}") from error
    head, rest = drawn.split("\n", 1)  # <?xml ...?>
    PAGE.with_suffix(".svg").write_text(
        f"{head}\n<!-- Gates of the complete units by number of lanes: a picture of overhead.md. -->\n{re.sub(r'[ ]+$', '', rest, flags=re.MULTILINE)}",
        encoding="utf-8",
    )


def write(results, command=None):
    page_head.write(PAGE, "\n".join(text(results)).rstrip("\n") + "\n", command)
    with PAGE.with_suffix(".csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(results["units"])
    picture(results)
