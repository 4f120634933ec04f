"""The evaluation's pictures as SVG, by gnuplot, and the numbers of each as CSV beside it."""
import csv
import statistics
import subprocess

from tables import PROFILERS, at

# Okabe and Ito, "Color Universal Design" (2008).
COLOURS = ("#0072b2", "#56b4e9", "#009e73", "#e69f00", "#d55e00", "#cc79a7", "#999999", "#000000")

FEWEST = 6  # programs for which quartiles say something; gnuplot draws no box of fewer than five


def plotted(script, path, what):
    try:
        done = subprocess.run(["gnuplot"], input=script, capture_output=True, text=True, check=True)
    except (FileNotFoundError, subprocess.CalledProcessError) as error:
        raise SystemExit(f"scripts/evaluation: {path}: gnuplot did not draw it: apt-get install gnuplot-nox: {getattr(error, 'stderr', '')}") from error
    head, rest = done.stdout.split("\n", 1)  # <?xml ...?>
    path.write_text(f"{head}\n<!-- {what} -->\n{rest}", encoding="utf-8")


def numbers(path, head, lines):
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(head)
        writer.writerows(lines)


def box_plots(rows, path):
    """Errors of a profiler over the programs, a box each: quartiles, median, the whole range."""
    lines = [(row["program"], *(row[f"error.{name}.instruction"] for name in PROFILERS)) for row in rows]
    numbers(path.with_suffix(".csv"), ("program", *PROFILERS), lines)
    data = "\n".join(" ".join(str(100 * value) for value in line[1:]) for line in lines)
    tics = ", ".join(f"'{name}' {i + 1}" for i, name in enumerate(PROFILERS))
    style = "boxplot" if len(lines) >= FEWEST else "points pointtype 7"
    boxes = ", ".join(f'$data using ({i + 1}):{i + 1} with {style} linecolor rgb "{COLOURS[i]}" notitle' for i in range(len(PROFILERS)))
    plotted(
        f"""set terminal svg size 820,420 dynamic noenhanced font "sans-serif,12" background rgb "white"
$data << END
{data}
END
set title 'Error by instruction over {len(rows)} programs, percent of the time'
set style boxplot fraction 1.0 nooutliers
set style fill solid 0.35 border
set boxwidth 0.5
set xtics ({tics}) nomirror
set ytics nomirror
set yrange [0:]
set xrange [0.4:{len(PROFILERS) + 0.6}]
set border 3
set grid ytics linecolor rgb "#e4e4e4" linetype 1
plot {boxes}
""",
        path,
        "Error by instruction of each profiler over the programs: a picture of evaluation.md.",
    )


GRANULARITIES = ("instruction", "block", "function")


def granularities(rows, path):
    """The same boxes by granularity, the profilers side by side."""
    keys = [(unit, name) for unit in GRANULARITIES for name in PROFILERS]
    lines = [(row["program"], *(row[f"error.{name}.{unit}"] for unit, name in keys)) for row in rows]
    numbers(path.with_suffix(".csv"), ("program", *(f"{name} by {unit}" for unit, name in keys)), lines)
    data = "\n".join(" ".join(str(100 * value) for value in line[1:]) for line in lines)
    style = "boxplot" if len(lines) >= FEWEST else "points pointtype 7"
    step = len(PROFILERS) + 1
    boxes = []
    for i, (unit, name) in enumerate(keys):
        at_, which = GRANULARITIES.index(unit) * step + PROFILERS.index(name) + 1, PROFILERS.index(name)
        boxes.append(f'$data using ({at_}):{i + 1} with {style} linecolor rgb "{COLOURS[which]}" notitle')
    legend = [f'NaN with boxes linecolor rgb "{COLOURS[i]}" title {name!r}' for i, name in enumerate(PROFILERS)]
    tics = ", ".join(f"'by {unit}' {i * step + (len(PROFILERS) + 1) / 2}" for i, unit in enumerate(GRANULARITIES))
    plotted(
        f"""set terminal svg size 900,420 dynamic noenhanced font "sans-serif,12" background rgb "white"
$data << END
{data}
END
set title 'Error over {len(rows)} programs, percent of the time; boxes in the order of the names'
set style boxplot fraction 1.0 nooutliers
set style fill solid 0.35 border
set boxwidth 0.7
set xtics ({tics}) nomirror scale 0
set ytics nomirror
set yrange [0:]
set xrange [0.2:{len(GRANULARITIES) * step}]
set key outside right top Left reverse
set border 3
set grid ytics linecolor rgb "#e4e4e4" linetype 1
plot {", ".join(boxes + legend)}
""",
        path,
        "Errors of each profiler over the programs by granularity: a picture of evaluation.md.",
    )


def curves(rows, periods, path):
    """Mean error by number of samples, and chance."""
    names = ("chance", *PROFILERS)
    lines = []
    for period in periods:
        chosen = at(rows, period)
        column = ["chance.instruction", *(f"error.{name}.instruction" for name in PROFILERS)]
        lines.append((period, statistics.median(row["samples"] for row in chosen), *(statistics.fmean(row[key] for row in chosen) for key in column)))
    numbers(path.with_suffix(".csv"), ("period", "samples", *names), lines)
    data = "\n".join(" ".join(str(value) for value in (line[1], *(100 * number for number in line[2:]))) for line in lines)
    drawn = ['$data using 1:2 with lines linewidth 3 dashtype 2 linecolor rgb "#444444" title "chance"']
    drawn += [
        f'$data using 1:{i + 3} with linespoints linewidth 2 pointtype 7 pointsize 0.5 linecolor rgb "{COLOURS[i]}" title {name!r}'
        for i, name in enumerate(PROFILERS)
    ]
    plotted(
        f"""set terminal svg size 820,420 dynamic noenhanced font "sans-serif,12" background rgb "white"
$data << END
{data}
END
set title 'Mean error by instruction, percent of the time'
set xlabel 'samples a program (median)'
set logscale xy
set key outside right top Left reverse
set border 3
set tics nomirror
set grid ytics linecolor rgb "#e4e4e4" linetype 1
plot {", ".join(drawn)}
""",
        path,
        "Error against the number of samples: a picture of evaluation.md.",
    )


def modes(found, path):
    """Mean error of each way to choose cycles, as a multiple of independent draws', by period."""
    names, periods = list(found[0]["modes"]), found[0]["periods"]
    lines = [(period, *(statistics.fmean(one["modes"][name][i] / one["floor"][i] for one in found) for name in names)) for i, period in enumerate(periods)]
    numbers(path.with_suffix(".csv"), ("period", *names), lines)
    data = "\n".join(" ".join(str(value) for value in line) for line in lines)
    drawn = [
        f'$data using 1:{i + 2} with linespoints linewidth 2 pointtype 7 pointsize 0.5 linecolor rgb "{COLOURS[i]}" title {name!r}'
        for i, name in enumerate(names)
    ]
    plotted(
        f"""set terminal svg size 820,420 dynamic noenhanced font "sans-serif,12" background rgb "white"
$data << END
{data}
END
set title 'Error of TIP by instruction, as a multiple of what independent draws have'
set xlabel 'period in cycles'
set logscale xy
set key outside right top Left reverse
set border 3
set tics nomirror
set grid ytics linecolor rgb "#e4e4e4" linetype 1
plot 1 with lines linewidth 3 dashtype 2 linecolor rgb "#444444" title 'chance', {", ".join(drawn)}
""",
        path,
        "Ways to choose the sampled cycles: a picture of evaluation.md.",
    )


def draw(first, rows, found, periods, stem):
    """{name of a picture: its file's name}; the files lie beside the page."""
    paths = {name: stem.with_name(f"{stem.name}-{name}.svg") for name in ("programs", "granularities", "rates", "modes")}
    box_plots(first, paths["programs"])
    granularities(first, paths["granularities"])
    curves(rows, periods, paths["rates"])
    modes(found, paths["modes"])
    return {name: path.name for name, path in paths.items()}
