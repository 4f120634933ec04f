"""The pictures of the case studies as SVG, by gnuplot, and the numbers of each as CSV beside it."""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "evaluation"))
from pictures import COLOURS, numbers, plotted  # noqa: E402
from runs import STATES  # noqa: E402

# Computing, Stalled, Flushed, Drained: order and lightness distinguish them without colour, too.
SHADES = dict(zip(STATES, (COLOURS[2], COLOURS[0], COLOURS[4], COLOURS[3])))


def bars(names, parts, shades, title, path, what):
    """Stacked bars, one a name; PARTS: name of a part -> thousands of cycles by bar."""
    numbers(path.with_suffix(".csv"), ("side", *parts), [(name, *(values[i] for values in parts.values())) for i, name in enumerate(names)])
    data = "\n".join(" ".join([f'"{name}"', *(f"{values[i] / 1000:.3f}" for values in parts.values())]) for i, name in enumerate(names))
    drawn = ", ".join(
        f'$data using {i + 2}{":xtic(1)" if i == 0 else ""} title "{part}" linecolor rgb "{shade}"' for i, (part, shade) in enumerate(zip(parts, shades))
    )
    plotted(
        f"""set terminal svg size 900,420 dynamic noenhanced font "sans-serif,12" background rgb "white"
$data << END
{data}
END
set title '{title}'
set ylabel 'thousand cycles'
set style data histograms
set style histogram rowstacked
set style fill solid 0.85 border rgb "white"
set boxwidth 0.6
set yrange [0:]
set key outside right top Left reverse invert
set border 3
set tics nomirror
set xtics scale 0
set grid ytics linecolor rgb "#e4e4e4" linetype 1
plot {drawn}
""",
        path,
        what,
    )


def states(case, path):
    """The cycles of each side by state, as the exact profile has them."""
    parts = {state: [] for state in STATES}
    for side in case.sides:
        report = side.profile("Oracle")
        for state in STATES:
            parts[state].append(round(report["states"][state] * side.cycles / report["weight"]))
    bars(
        [side.name for side in case.sides],
        parts,
        SHADES.values(),
        f"{case.row['title']}: cycles by state",
        path,
        f"Cycles of the case {case.name} by state: a picture of cases.md.",
    )


KINDS = {"loads": r"c?\.?f?l[bhwd]u? ", "stores": r"c?\.?f?s[bhwd] "}
# Of loads and stores: what their executions met, the first that fits.
MET = (
    ("loads that missed the LLC", "loads", "ST_LLC"),
    ("loads that missed the L1 alone", "loads", "ST_L1"),
    ("other loads", "loads", None),
    ("stores that met a full queue", "stores", "DR_SQ"),
    ("other stores", "stores", None),
)


def memory(case, path):
    """The cycles of loads and stores of each side by what they met."""
    parts = {name: [0] * len(case.sides) for name, *_ in MET}
    for at, side in enumerate(case.sides):
        report = side.profile("Oracle")
        for unit in report["units"]:
            kind = next((kind for kind, words in KINDS.items() if re.match(words, unit.get("instruction", ""))), None)
            for part in unit["stack"]:
                met = [event for bit, event in enumerate(report["events"]) if part["psv"] >> bit & 1]
                name = next((name for name, of, event in MET if of == kind and (event is None or event in met)), None)
                if name:
                    parts[name][at] += part["weight"] * side.cycles / report["weight"]
    parts = {name: [round(value) for value in values] for name, values in parts.items()}
    shades = (COLOURS[0], COLOURS[1], COLOURS[6], COLOURS[4], COLOURS[3])
    bars(
        [side.name.removeprefix("distance ") for side in case.sides],
        parts,
        shades,
        "Cycles of loads and stores by prefetch distance",
        path,
        f"Cycles of loads and stores of the case {case.name}: a picture of cases.md.",
    )


def draw(case, page):
    """The pictures of a case, which lie beside the page: their files' names, and what they show in words."""
    path = page.with_name(f"cases-{case.name}.svg")
    states(case, path)
    found = [{"file": path.name, "alt": f"{case.name}: cycles by state"}]
    if case.row.get("memory"):
        path = page.with_name(f"cases-{case.name}-memory.svg")
        memory(case, path)
        found.append({"file": path.name, "alt": f"{case.name}: cycles of loads and stores by what they met"})
    return found
