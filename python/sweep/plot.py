"""A plot of a sweep's table as SVG, by gnuplot: a curve for each combination of the parameters in `by`, its points the means over all rows that share an x."""
import subprocess

# Distinct for the colour-blind, too: Okabe and Ito, "Color Universal Design" (2008); then the same with dashes.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
DASHES = (1, 2, 4)
WIDTH, HEIGHT, LINE = 880, 430, 20  # of the picture, and of a line of its key
LETTER = 8  # the key's letters are about so wide
SHARES = ("error.", "stacks.", "chance.", "chance_")  # results that are parts of the time: drawn in per cent


class Missing(Exception):
    """gnuplot is not installed, or cannot draw this."""


def is_share(name):
    return name.startswith(SHARES)


def curves(table, plot):
    """{name: [(x, y)]}, in the order of the table; rows without the result are left out."""
    found, times = {}, 100 if is_share(plot["y"]) else 1
    for row in table:
        if row.get(plot["y"]) in (None, ""):
            continue
        name = ", ".join(f"{key} {row[key]}" for key in plot["by"])
        found.setdefault(name, {}).setdefault(row[plot["x"]], []).append(times * row[plot["y"]])
    return {name: sorted((x, sum(ys) / len(ys)) for x, ys in points.items()) for name, points in found.items()}


def quoted(text):
    return "'" + str(text).replace("'", "''").replace("\n", " ") + "'"


def script(found, plot):
    """What gnuplot reads."""
    width = WIDTH + max(0, max(map(len, found)) - 20) * LETTER
    lines = [
        f'set terminal svg size {width},{max(HEIGHT, LINE * (len(found) + 4))} dynamic noenhanced font "sans-serif,12" background rgb "white"',
        f"set title {quoted(plot['y'])}",
        f"set xlabel {quoted(plot['x'])}",
        "set key outside right top Left reverse",
        "set border 3",
        "set tics nomirror",
        'set grid ytics linecolor rgb "#e4e4e4" linetype 1',
        *(f"set logscale {axis}" for axis in plot["log"]),
        *(["set format y '%g %%'"] if is_share(plot["y"]) else []),
    ]
    drawn = []
    for i, (name, points) in enumerate(found.items()):
        lines += [f"$curve{i} << END", *(f"{x!r} {y!r}" for x, y in points), "END"]
        style = f'linewidth 2 pointtype 7 pointsize 0.5 dashtype {DASHES[i // len(COLOURS) % len(DASHES)]} linecolor rgb "{COLOURS[i % len(COLOURS)]}"'
        drawn.append(f"$curve{i} with linespoints {style} title {quoted(name or plot['y'])}")
    if "y" not in plot["log"] and all(y >= 0 for points in found.values() for _, y in points):
        lines.append("set yrange [0:]")
    return "\n".join([*lines, "plot " + ", ".join(drawn)]) + "\n"


def svg(table, plot):
    """The text of the file, or None: no row has a value. Missing says why it cannot be drawn."""
    found = curves(table, plot)
    if not found:
        return None
    try:
        done = subprocess.run(["gnuplot"], input=script(found, plot), capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        raise Missing("plots are drawn by gnuplot: apt-get install gnuplot-nox, and the same command again") from error
    if done.returncode != 0:
        raise Missing(f"gnuplot: {(done.stderr.strip().splitlines() or ['failed'])[-1].strip()}")
    return done.stdout
