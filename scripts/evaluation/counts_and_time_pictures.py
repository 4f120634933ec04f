"""The pictures of the page of counts against time as SVG, by gnuplot, and the numbers of each as CSV beside it."""
import statistics

from pictures import COLOURS, FEWEST, numbers, plotted
from tables import PROFILERS

HEAD = 'set terminal svg size 820,420 dynamic noenhanced font "sans-serif,12" background rgb "white"'
FRAME = """set border 3
set tics nomirror
set grid ytics linecolor rgb "#e4e4e4" linetype 1"""
POINTS = (7, 5, 9, 11, 13, 6, 4, 8)  # a shape of its own beside the colour


def counts(found, path):
    """r of each event over the programs: a box where there are enough, else their points."""
    numbers(path.with_suffix(".csv"), ("event", "r"), [(event, value) for event, values in found.items() for value in values])
    shown = {event: values for event, values in found.items() if values}
    blocks = "\n".join(f"$at{i} << END\n" + "\n".join(map(str, values)) + "\nEND" for i, values in enumerate(shown.values()))
    tics = ", ".join(f"'{event}' {i + 1}" for i, event in enumerate(shown))
    drawn = []
    for i, values in enumerate(shown.values()):
        style = "boxplot" if len(values) >= FEWEST else "points pointtype 7 pointsize 0.6"
        drawn.append(f'$at{i} using ({i + 1}):1 with {style} linecolor rgb "{COLOURS[i % len(COLOURS)]}" notitle')
    plotted(
        f"""{HEAD}
{blocks}
set title 'How counts of events go with exposed time: Pearson r over instructions, a box of programs'
set style boxplot fraction 1.0 nooutliers
set style fill solid 0.35 border
set boxwidth 0.5
{FRAME}
set xtics ({tics})
set yrange [:1.05]
set xrange [0.4:{len(shown) + 0.6}]
plot {", ".join(drawn)}
""",
        path,
        "Correlation of the count of each event with exposed time: a picture of counts-and-time.md.",
    )


def sets(found, path):
    """What the best set of N events explains."""
    numbers(path.with_suffix(".csv"), ("events", "set", "share"), [(size, " ".join(names), share) for size, names, share in found])
    data = "\n".join(f"{size} {100 * share}" for size, _, share in found)
    plotted(
        f"""{HEAD}
$data << END
{data}
END
set title 'The best set of N events: percent of the time lost that it explains, mean over programs'
set xlabel 'events'
{FRAME}
set yrange [0:100]
set xrange [0.5:9.5]
set xtics 1
plot $data using 1:2 with linespoints linewidth 2 pointtype 7 linecolor rgb "{COLOURS[0]}" notitle
""",
        path,
        "Time that sets of events explain: a picture of counts-and-time.md.",
    )


def cores(rows, configs, path):
    """Mean error of each profiler by core."""
    lines = [
        (config, *(statistics.fmean(row[f"error.{name}.instruction"] for row in rows if row["config"] == config) for name in PROFILERS)) for config in configs
    ]
    numbers(path.with_suffix(".csv"), ("core", *PROFILERS), lines)
    data = "\n".join(" ".join([line[0], *(str(100 * value) for value in line[1:])]) for line in lines)
    drawn = [
        f'$data using ($0+1):{i + 2}:xtic(1) with linespoints linewidth 2 pointtype {POINTS[i]} linecolor rgb "{COLOURS[i]}" title {name!r}'
        for i, name in enumerate(PROFILERS)
    ]
    plotted(
        f"""{HEAD}
$data << END
{data}
END
set title 'Mean error by instruction on other cores, percent of the time'
{FRAME}
set yrange [0:]
set xrange [0.6:{len(configs) + 0.4}]
set key outside right top Left reverse
plot {", ".join(drawn)}
""",
        path,
        "Error by core: a picture of counts-and-time.md.",
    )


def draw(found, best, rows, configs, stem):
    """{name of a picture: its file's name}; the files lie beside the page."""
    files = {name: stem.with_name(f"{stem.name}-{name}.svg") for name in ("counts", "sets", "cores")}
    counts(found, files["counts"])
    sets(best, files["sets"])
    cores(rows, configs, files["cores"])
    return {name: path.name for name, path in files.items()}
