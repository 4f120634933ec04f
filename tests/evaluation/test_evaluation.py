#!/usr/bin/env python3
"""`make evaluation` on short programs: the page's figures against the table of its sweep, recomputed here; luck falls with the number of samples, bias does not; TIP and TEA are
within chance on every program, LCI and Dispatch on none; theory foretells what the study of triggers and estimates measures; a second run runs nothing.

    tests/evaluation/test_evaluation.py [TEXT]     programs with that text in their name (ch: chase, strsearch, vm_chase)

Needs build/bin/tipoff, the small workloads, the model of small2, gnuplot, and numpy and zstandard for /usr/bin/python3.
"""
import csv
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
UNITS = ("instruction", "block", "function", "application")


def evaluate(folder, *more):
    command = [ROOT / "scripts/evaluation/evaluate.py", "--set", "quick", "--output", folder / "page.md", "--folder", folder / "runs", *more]
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


def check(condition, message):
    if not condition:
        sys.exit(f"FAIL {message}")


def section(page, title):
    """Rows of the tables under a heading, as lists of cells."""
    body = page.split(f"## {title}\n", 1)[1].split("\n## ", 1)[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in body.splitlines() if line.startswith("|") and not line.startswith("|---")]


def near(text, value):
    return abs(float(text) - 100 * value) <= 0.05 + 1e-9


def figures(page, rows):
    period = min(float(row["period"]) for row in rows)
    first = [row for row in rows if float(row["period"]) == period]
    head, *lines = section(page, "By instruction")
    check([line[0] for line in lines] == [row["program"].split(".")[0] for row in first] + ["**mean**", "**median**", "**maximum**"], f"programs: {lines}")
    for line, row in zip(lines, first):
        check(int(line[1].replace(",", "")) == round(float(row["samples"]) + float(row["repeats"])), f"samples: {line}")
        chance, deviation = line[2].split(" ± ")
        check(near(chance, float(row["chance.instruction"])) and near(deviation, float(row["chance_deviation.instruction"])), f"chance: {line}")
        for name, cell in zip(head[3:], line[3:]):
            check(near(cell, float(row[f"error.{name}.instruction"])), f"{line[0]}: {name}: {cell}")
    seen, tables = 0, iter(("error", "stacks"))
    for line in section(page, "By granularity"):
        if line[0] == "profiler":
            what = next(tables)
            continue
        for unit, cell in zip(UNITS, line[1:]):
            values = [float(row[f"{what}.{line[0]}.{unit}"]) for row in first]
            mean, median, maximum = re.match(r"([\d.]+), ([\d.]+), ([\d.]+)", cell).groups()
            check(
                near(mean, sum(values) / len(values)) and near(median, statistics.median(values)) and near(maximum, sorted(values)[-1]),
                f"{line[0]} by {unit}: {cell}, {values}",
            )
            seen += 1
    check(seen == 13 * len(UNITS), f"{seen} cells by granularity")
    tables, seen = iter(("instruction", "function")), 0
    for line in section(page, "Error against number of samples"):
        if line[0] == "period":
            unit = next(tables)
            continue
        chosen = [row for row in rows if float(row["period"]) == int(line[0])]
        check(near(line[2], sum(float(row[f"chance.{unit}"]) for row in chosen) / len(chosen)), f"period {line[0]}: chance by {unit}: {line[2]}")
        for name, cell in zip(head[3:], line[3:]):
            error = sum(float(row[f"error.{name}.{unit}"]) for row in chosen) / len(chosen)
            beyond = sum(float(row[f"error.{name}.{unit}"]) - float(row[f"chance.{unit}"]) for row in chosen) / len(chosen)
            got = re.match(r"([\d.]+) \(([-+\d.]+)\)", cell).groups()
            check(near(got[0], error) and near(got[1], beyond), f"period {line[0]}: {name} by {unit}: {cell}")
            seen += 1
    check(seen == 2 * 6 * 8, f"{seen} cells by number of samples")


def pooled(page, rows):
    """The page's pooled errors are the table's; pooled by counts they are less than the samples' at every period, on average over these programs by a fifth or more."""
    by_period = [line for line in section(page, "The same samples, pooled") if line[0] == "jittered"]
    names = ("TIP", "TIP (blocks)", "TIP (counts)")
    check(len(by_period) == 6, f"{len(by_period)} rows by period")
    for line in by_period:
        chosen = [row for row in rows if float(row["period"]) == int(line[1])]
        for name, cell in zip(names, line[4:]):
            errors, ratios = [float(row[f"error.{name}.instruction"]) for row in chosen], [
                float(row[f"error.{name}.instruction"]) / float(row["chance.instruction"]) for row in chosen
            ]
            got = [float(part) for part in re.match(r"([\d.]+) \(([\d.]+), ([\d.]+)\)", cell).groups()]
            want = (100 * sum(errors) / len(errors), sum(ratios) / len(ratios), sorted(ratios)[-1])
            check(all(abs(a - b) <= 0.005 + 1e-9 for a, b in zip(got, want)), f"period {line[1]}: {name}: {cell}, {want}")
    gain = statistics.fmean(float(row["error.TIP (counts).instruction"]) / float(row["error.TIP.instruction"]) for row in rows)
    check(gain < 0.8, f"pooled by counts: {gain} of the samples' error")


def luck_and_bias(rows):
    """Between the shortest and the longest period TIP's error grows as chance does; that of LCI, Dispatch and Fetch exists before."""
    for program in sorted({row["program"] for row in rows}):
        mine = sorted((row for row in rows if row["program"] == program), key=lambda row: float(row["period"]))
        few, many = mine[-1], mine[0]
        growth = float(few["error.TIP.instruction"]) / float(many["error.TIP.instruction"])
        expected = (float(many["samples"]) / float(few["samples"])) ** 0.5
        check(expected / 2 < growth < expected * 2, f"{program}: TIP's error grows {growth:.1f} times, by chance {expected:.1f}")
        for name in "LCI", "Dispatch", "Fetch":
            check(float(many[f"error.{name}.instruction"]) > 3 * float(many["chance.instruction"]), f"{program}: {name} is not biased")
            check(float(few[f"error.{name}.instruction"]) < 2 * float(many[f"error.{name}.instruction"]), f"{program}: {name}'s error is luck")


def bias(page, rows):
    """TIP's and TEA's errors are no more than chance's on any program at any period; LCI's and Dispatch's are more on every program. And so says the page."""
    shortest = min(float(row["period"]) for row in rows)
    for row in rows:
        value = lambda key: float(row[f"{key}.instruction"])
        check(
            value("error.TIP") < value("chance") + 3 * value("chance_deviation"),
            f"{row['program']} at {row['period']}: TIP: {value('error.TIP')}, chance {value('chance')} ± {value('chance_deviation')}",
        )
        check(value("stacks.TEA") < value("chance_stacks") + 3 * value("chance_stacks_deviation"), f"{row['program']} at {row['period']}: TEA's stacks")
        if float(row["period"]) == shortest:
            for name in "LCI", "Dispatch":
                check(value(f"error.{name}") > value("chance") + 10 * value("chance_deviation"), f"{row['program']}: {name} is within chance")
    said = {line[0]: line[1] for line in section(page, "Bias")}
    programs = len({row["program"] for row in rows})
    check(said["TIP"].endswith(f", 0 of {programs}") and all(said[name].endswith(f", {programs} of {programs}") for name in ("LCI", "Dispatch")), f"{said}")


def studied(page, folder):
    """Independent draws have chance's error; what has a variance in closed form has the error that it foretells; stratified triggers are no worse than chance, golden ones on average
    better; four samples an interrupt halve it; where periodic sampling beats, the others do not."""
    found = [json.loads(path.read_text()) for path in sorted((folder / "runs/study").glob("*.json"))]
    mean = lambda values: statistics.fmean(list(values))
    ratio = lambda mode: mean(error / floor for one in found for error, floor in zip(one["modes"][mode], one["floor"]))
    check(0.95 < ratio("independent") < 1.05, f"independent draws: {ratio('independent')} of chance")
    check(ratio("stratified") < 1 and ratio("golden") < ratio("stratified"), f"stratified {ratio('stratified')}, golden {ratio('golden')}")
    for one in found:
        period = next(iter(one["ideas"]))
        floor = one["floor"][one["periods"].index(int(period))]
        for idea in "stratified", "consecutive", "buffered", "blocks", "counts":
            error, theory = one["ideas"][period][idea]
            check(0.75 < error / floor / theory < 1.33, f"{one['program']}: {idea}: {error / floor:.2f} of chance, {theory:.2f} foretold")
        check(one["beat"]["modes"]["golden"] < 1.3 * one["beat"]["floor"], f"{one['program']}: {one['beat']}")
    check(max(one["beat"]["modes"]["periodic"] / one["beat"]["floor"] for one in found) > 5, "no period beats with any program's loops")
    best = mean(one["ideas"][period]["golden, buffered"][0] / one["floor"][one["periods"].index(int(period))] for one in found)
    check(best < 0.5, f"four samples an interrupt, golden: {best} of chance")
    rows = section(page, "Beating chance")
    check(len(rows) == 2 * 18 and len(section(page, "Which cycles to sample")) == 9 + len(found) + 1, f"{len(rows)} rows of ideas")


def main():
    text = (sys.argv[1:] or ["ch"])[0]
    programs = {path.stem for path in (ROOT / "build/workloads").glob("*.small.elf") if text in path.stem.split(".")[0]}
    count = len(programs)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        status, said = evaluate(folder, "--only", text)
        check(status == 0, f"status {status}: {said}")
        rows = list(csv.DictReader((folder / "runs/rates.sweep/table.csv").open()))
        check(len(rows) == 6 * count and {row["program"] for row in rows} == programs, f"{len(rows)} rows")
        page = (folder / "page.md").read_text()
        figures(page, rows)
        pooled(page, rows)
        luck_and_bias(rows)
        bias(page, rows)
        studied(page, folder)
        for picture in "programs", "rates", "modes":
            check(f"page-{picture}.svg" in page and (folder / f"page-{picture}.svg").stat().st_size > 2000, f"{picture}: no picture")
            lines = list(csv.reader((folder / f"page-{picture}.csv").open()))
            check(len(lines) == (count + 1 if picture == "programs" else 7), f"{picture}: {len(lines)} lines of numbers")
        times = {path.name: path.stat().st_mtime_ns for path in (folder / "runs/study").iterdir()}
        status, said = evaluate(folder, "--only", text)
        check(len(times) == count and times == {path.name: path.stat().st_mtime_ns for path in (folder / "runs/study").iterdir()}, "the study ran again")
        check(
            status == 0
            and f"{6 * count} finished before, 0 run now" in said
            and [row for row in section((folder / "page.md").read_text(), "By instruction")] == section(page, "By instruction"),
            f"again: {said}",
        )
        status, said = evaluate(folder, "--only", "no such")
        check(status == 1 and "no workload of size small has 'no such'" in said and len(said.splitlines()) == 1, f"no program: {status}, {said}")
    print(
        f"{count} programs at 6 periods: the page says what the table says; TIP's error is luck, LCI's, Dispatch's and Fetch's are bias; the study's errors are those of theory"
    )


if __name__ == "__main__":
    main()
