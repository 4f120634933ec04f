#!/usr/bin/env python3
"""`tipoff report --format flamegraph`: boxes, read from the picture by where they are, have the widths of the collapsed stacks and of the CSV's states."""
import collections
import re
import sys
import xml.etree.ElementTree as xml

from exports import ROOT, by, check, exported, main, near, refused, sampled, table, test, tipoff

SVG = "{http://www.w3.org/2000/svg}"
ROWS = [line.split("\t") for line in (ROOT / "tables/events.tsv").read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
EVENTS = [row[0] for row in ROWS if row[4] == "-"]  # of every core
LEFT, WIDTH = 12, 1176  # of the box of all time
EXACT = 0.0003  # the picture has four digits


class Box:
    def __init__(self, group):
        first, *self.strip = group.findall(SVG + "rect")
        self.x, self.width, self.y = (float(first.get(key)) for key in ("x", "width", "y"))
        self.classes = first.get("class").split()
        self.title = group.find(SVG + "title").text.split("\n")
        self.name = self.title[0]
        text = group.find(SVG + "text")
        self.text = None if text is None else text.text or ""


def read(path):
    """{path of names: box} of the frames, [(path of the frame, box)] of the leaves, the picture."""
    picture = xml.parse(path).getroot()
    boxes = sorted((Box(group) for group in picture.findall(SVG + "g")), key=lambda box: (-box.y, box.x))
    levels = collections.defaultdict(list)
    for box in boxes:
        levels[box.y].append(box)
    frames, leaves, below, way = {}, [], [], {}
    for y in sorted(levels, reverse=True):
        check(not below or below[0].y - y == 18, f"levels are next to each other: {y}")
        end = LEFT
        for box in levels[y]:
            check(box.x >= end - EXACT, f"{box.title} overlaps what is left of it")
            end = box.x + box.width
            on = [b for b in below if "leaf" not in b.classes and b.x - EXACT <= box.x and end <= b.x + b.width + EXACT]
            check(len(on) == 1 or not below, f"{box.title} stands on {[b.title for b in on]}")
            way[box] = (way[on[0]] if on else ()) + (box.name,)
            if "leaf" in box.classes:
                leaves.append((way[on[0]], box))
            else:
                check(way[box] not in frames, f"{way[box]} appears twice")
                frames[way[box]] = box
        below = levels[y]
    return frames, leaves, picture


def folded(path, *options):
    status, out, err = tipoff("report", "--format", "folded", *options, path)
    check(status == 0, err)
    stacks = [line.rsplit(" ", 1) for line in out.splitlines()]
    inclusive = collections.Counter()
    for stack, weight in stacks:
        names = ("all", *stack.split(";"))
        for depth in range(len(names)):
            inclusive[names[: depth + 1]] += int(weight)
    return inclusive


def compare(path, *options, leaf_sums=True):
    frames, leaves, picture = read(exported("flamegraph", path, *options))
    inclusive = folded(path, *options)
    total = inclusive[("all",)]
    seen = {tuple(name.replace(";", ":") for name in way): box for way, box in frames.items()}
    check(len(seen) > 10, f"boxes: {seen}")
    for way, weight in inclusive.items():
        width = WIDTH * weight / total
        check((way in seen) == (width >= 0.1), f"{way}: {width}")
        if way in seen:
            near(seen[way].width, width, EXACT, ";".join(way))
    check(set(seen) <= set(inclusive), f"{set(seen) - set(inclusive)}")
    near(frames[("all",)].x, LEFT, 0, "left edge")
    if leaf_sums:
        sums(path, frames, leaves, picture, *options)
    return frames, leaves, picture


def sums(path, frames, leaves, picture, *options):
    """What leaves and strips say of states and events is what the CSV says, less what is too narrow to be drawn."""
    _, rows = table(path, *options)
    total = sum(float(row["cycles"]) for row in rows)
    note = [text.text for text in picture.iter(SVG + "text") if text.text and "not drawn" in text.text]
    missing = float(re.search(r"([\d.]+) % of the time", note[0])[1]) / 100 if note else 0
    lost = total - sum(box.width for _, box in leaves) / WIDTH * total
    near(lost / total, missing, 0.00006, f"what is not drawn: {note}")
    states = collections.Counter()
    for _, box in leaves:
        states[box.title[0].rsplit(": ", 1)[1]] += box.width / WIDTH
    expected = collections.Counter()
    for row in rows:
        met = "+".join(name for bit, name in enumerate(EVENTS) if int(row["psv"]) >> bit & 1)
        expected[f"{row['state']} {met}".strip()] += float(row["cycles"]) / total
    for name, share in expected.items():
        check(-1e-5 <= share - states[name] <= missing + 1e-4, f"{name}: {states[name]}, not {share} less some of {missing}")
    time = by(path, "state", *options)
    strip = {rect.get("class"): float(rect.get("width")) for rect in frames[("all",)].strip}
    names = ["Computing", "Stalled", "Flushed", "Drained"]
    check(len(strip) == len(time) == 4, f"{strip}")
    for number, name in enumerate(names):
        near(strip[f"s{number}"] / WIDTH, time[name] / total, 1e-6, f"strip: {name}")
    for box in frames.values():
        check(not box.strip or abs(float(box.strip[0].get("x")) - box.x) < 0.1 + EXACT, f"strip of {box.title}")
        check(sum(float(rect.get("width")) for rect in box.strip) <= box.width + EXACT, f"strip of {box.title}")
        cycles = int(re.match(r"([\d,]+) cycles", box.title[1])[1].replace(",", ""))
        near(box.width, WIDTH * cycles / total, WIDTH / total, f"tooltip: {box.title}")
        check(box.text is None or box.text == box.name or box.name.startswith(box.text.removesuffix("..")), f"{box.text} {box.name}")


@test
def test_samples(folder):
    path = sampled(folder)
    frames, leaves, picture = compare(path)
    check(("all", "_start", "main", "lz_find") in frames, f"{list(frames)}")
    check(any(way[-1] == "lz_find" and box.title[0] == "lz_find: Stalled ST_L1" for way, box in leaves), "labels have events")
    check(any("missed the L1 data cache" in line for _, box in leaves for line in box.title), "tooltips say what events mean")
    words = [text.text for text in picture.iter(SVG + "text")]
    check("compress.small.elf on small2" in words and any(word.startswith("Stalled 2") for word in words if word), f"{words[:8]}")
    check(not any("mode" in word for word in words if word), "one mode: none is named")


@test
def test_in_order(folder):
    """Boxes beside each other are in the order of their names: graphs of two runs look alike."""
    frames, _, _ = read(exported("flamegraph", sampled(folder)))
    sides = [way[-1] for way, _ in sorted(frames.items(), key=lambda item: item[1].x) if way[:-1] == ("all", "_start", "main")]
    check(len(sides) > 4 and sides == sorted(sides), f"{sides}")


@test
def test_modes(folder):
    """Traps are named, address spaces and modes are distinguished."""
    path = sampled(folder, program=ROOT / "build/workloads/vm_procs.small.elf")
    frames, _, picture = compare(path)
    classes = {way[-1].split(" ")[0]: box.classes[1] for way, box in frames.items()}
    check((classes["main"], classes["kernel_trap"]) == ("user", "supervisor"), f"{classes}")
    check(any(name.endswith("[exception]") for way in frames for name in way), "traps")
    words = [text.text for text in picture.iter(SVG + "text")]
    check({"user mode", "supervisor mode", "machine mode"} <= set(words), f"{words[:12]}")


@test
def test_others(folder):
    path = sampled(folder)
    compare(path, "--profiler", "Oracle")
    compare(path, "--by", "instruction")
    frames, leaves, _ = compare(path, "--by", "function", leaf_sums=False)
    check(("all", "_start", "main") in frames and leaves, "as without it")


@test
def test_without_states(folder):
    """NCI knows neither callers nor states: functions side by side, and nothing on them."""
    path = sampled(folder)
    frames, leaves, _ = read(exported("flamegraph", path, "--profiler", "NCI"))
    _, rows = table(path, "--by", "function", "--profiler", "NCI")
    total = sum(float(row["cycles"]) for row in rows)
    check(not leaves and all(len(way) <= 2 for way in frames), "one level")
    for row in rows:
        if float(row["cycles"]) / total > 0.01:
            near(frames[("all", row["name"])].width, WIDTH * float(row["cycles"]) / total, EXACT, row["name"])


@test
def test_colours(folder):
    """The hues of states are those of the HTML page, in light and in dark."""
    style = read(exported("flamegraph", sampled(folder)))[2].find(SVG + "style").text
    light, dark = style.split("@media")
    page = (ROOT / "html/style/colours.css").read_text(encoding="utf-8")
    for state in range(4):
        colours = re.search(rf"--state-{state}: light-dark\((#\w+), (#\w+)\)", page).groups()
        for part, colour in zip((light, dark), colours):
            check(f".s{state}{{fill:{colour}}}" in part, f"{colour} of state {state} in {part}")


@test
def test_refused(folder):
    path = sampled(folder)
    refused(["report", "--format", "flamegraph", "--output", path, path], "--output")
    for options, words in ((["--children"], "omit --children"), (["--stacks"], "and --stacks"), (["--granularity", "block"], "function or instruction")):
        status, out, err = tipoff("report", "--format", "flamegraph", *options, path)
        check(status == 2 and not out and words in err, f"{options}: {status} {err}")


if __name__ == "__main__":
    sys.exit(main())
