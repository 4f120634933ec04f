"""A plot of a sweep's table as SVG: a curve for each combination of the parameters in `by`, its points the means over all rows that share an x."""
import html
import math

WIDTH, HEIGHT, LEFT, TOP, LEGEND = 560, 320, 80, 50, 260
COLOURS = ("#1f5fa8", "#c2410c", "#2e7d32", "#7b1fa2", "#00838f", "#ad1457", "#5d4037", "#455a64")
DASHES = ("", "6 3", "2 3")


def curves(table, plot):
    """{name: [(x, y)]}, in the order of the table; rows without the result are left out."""
    found = {}
    for row in table:
        if row.get(plot["y"]) in (None, ""):
            continue
        name = ", ".join(f"{row[key]}" if isinstance(row[key], str) else f"{key} {row[key]}" for key in plot["by"])
        found.setdefault(name, {}).setdefault(row[plot["x"]], []).append(row[plot["y"]])
    return {name: sorted((x, sum(ys) / len(ys)) for x, ys in points.items()) for name, points in found.items()}


class Axis:
    """A scale from data to 0..1, and its ticks."""

    def __init__(self, values, log, from_0):
        low, high = min(values), max(values)
        self.log = log and low > 0
        if self.log:
            base = [10.0**n for n in range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 2)]
            steps = [step * k for step in base for k in (1, 2, 5)]
            self.low, self.high = max(s for s in steps if s <= low * 1.000001), min(s for s in steps if s >= high * 0.999999)
            if self.low == self.high:
                self.high = min(s for s in steps if s > self.low * 1.000001)
            self.ticks = [s for s in steps if self.low <= s <= self.high]
            if len(self.ticks) > 10:
                self.ticks = [s for s in base if self.low <= s <= self.high]
        else:
            low = min(0, low) if from_0 else low
            span = (high - low) or abs(high) or 1
            step = 10.0 ** math.floor(math.log10(span / 4))
            step *= next(k for k in (1, 2, 5, 10) if span / (step * k) <= 6)
            self.low, self.high = math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step
            if self.low == self.high:
                self.high += step
            self.ticks = [self.low + i * step for i in range(round((self.high - self.low) / step) + 1)]

    def at(self, value):
        if self.log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)


def svg(table, plot):
    """The text of the file, or None: no row has a value."""
    found = curves(table, plot)
    if not found:
        return None
    x_axis = Axis([x for points in found.values() for x, _ in points], "x" in plot["log"], False)
    y_axis = Axis([y for points in found.values() for _, y in points], "y" in plot["log"], True)
    height = max(TOP + HEIGHT + 60, TOP + 20 * len(found) + 20)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + LEGEND} {height}" font-family="sans-serif" font-size="12">', '<rect width="100%" height="100%" fill="white"/>']

    def text(x, y, words, anchor="middle", colour="#333", size=12):
        parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" fill="{colour}">{html.escape(str(words))}</text>')

    def line(x1, y1, x2, y2, colour):
        parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"/>')

    def place(x, y):
        return LEFT + WIDTH * x_axis.at(x), TOP + HEIGHT * (1 - y_axis.at(y))

    text(LEFT, TOP - 20, plot["y"], "start", "#111", 14)
    text(LEFT + WIDTH / 2, TOP + HEIGHT + 42, plot["x"])
    for tick in y_axis.ticks:
        y = TOP + HEIGHT * (1 - y_axis.at(tick))
        line(LEFT, y, LEFT + WIDTH, y, "#e4e4e4")
        text(LEFT - 8, y + 4, f"{tick:.6g}", "end")
    for tick in x_axis.ticks:
        x = LEFT + WIDTH * x_axis.at(tick)
        line(x, TOP + HEIGHT, x, TOP + HEIGHT + 5, "#888")
        text(x, TOP + HEIGHT + 20, f"{tick:.6g}")
    line(LEFT, TOP + HEIGHT, LEFT + WIDTH, TOP + HEIGHT, "#888")
    for i, (name, points) in enumerate(found.items()):
        colour, dash = COLOURS[i % len(COLOURS)], DASHES[i // len(COLOURS) % len(DASHES)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*point) for point in points))
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"><title>{html.escape(f"{name}: {point[0]:g}, {point[1]:.6g}")}</title></circle>'
                  for point, (x, y) in ((point, place(*point)) for point in points)]
        text(LEFT + WIDTH + 16, TOP + 12 + 20 * i, name or plot["y"], "start", colour)
    return "\n".join([*parts, "</svg>"]) + "\n"
