#!/usr/bin/env python3
"""The case studies on small work: who names the culprit first, that the change gains, that the page has each case, and that a run is not made twice.

    tests/cases/test_cases.py CONFIG

For each case of tests/cases/cases.toml that is tested on CONFIG and needs no Linux: the first instructions by profiler are those of `names`; the best side is `gain` times as fast as the first at least; the culprit's time, counted here
from the text of `tipoff report`, is what the prediction is made of; all sides print the same (scripts/cases sees to that).
"""
import csv
import io
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/cases"))
import drawings  # noqa: E402
import page  # noqa: E402
import runs  # noqa: E402


def exact_share(side, wanted):
    """Of the time, by the rows of the Oracle's CSV: of instructions by their words."""
    text = subprocess.run(
        [runs.BIN / "tipoff", "report", "--format", "csv", "--profiler", "Oracle", "--top", "0", side.samples], capture_output=True, text=True, check=True
    ).stdout
    rows = list(csv.DictReader(io.StringIO(text)))
    return sum(float(row["cycles"]) for row in rows if re.match(wanted["instruction"], row["instruction"])) / sum(float(row["cycles"]) for row in rows)


def faults(case):
    row, found = case.row, []
    for profiler, words in row["names"].items():
        first = case.named(profiler)[0]
        if not re.match(words, first[1]):
            found.append(f"{profiler} names {first} first, not {words}")
    if case.gain(case.best) < row["gain"]:
        found.append(f"the best side, '{case.best.name}', is {case.gain(case.best):.2f} times as fast")
    low, high = case.predicted
    if not 1 < low <= high:
        found.append(f"predicted {low} to {high}")
    if "instruction" in row["culprit"]:
        share = exact_share(case.sides[0], row["culprit"])
        if abs(low * (1 - share) - 1) > 1e-3:
            found.append(f"predicted {low}, from a share of {share}")
    return [f"{case.name}: {text}" for text in found]


def again(case, config, folder):
    """The same once more: no sample file is written again, except one whose options differ."""
    before = [side.samples.stat().st_mtime_ns for side in case.sides]
    runs.Case(case.name, config, folder, small=True)
    same = before == [side.samples.stat().st_mtime_ns for side in case.sides]
    kept = case.sides[0].samples.with_suffix(".json")
    kept.write_text(kept.read_text(encoding="utf-8").replace('"key": "', '"key": "0'), encoding="utf-8")
    runs.Case(case.name, config, folder, small=True)
    return ([] if same else [f"{case.name}: what was run is run again"]) + (
        [f"{case.name}: what has another key is kept"] if before[0] == case.sides[0].samples.stat().st_mtime_ns else []
    )


def main():
    config, found = sys.argv[1], []
    written = (ROOT / "docs/results/cases.md").read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for case in (
            runs.Case(name, config, folder, small=True) for name, row in runs.table().items() if row.get("core", "small2") == config and "linux" not in row
        ):
            print(f"{case.name}: " + ", ".join(f"{side.name}: {side.cycles:,}" for side in case.sides), flush=True)
            found += faults(case)
            pictures = drawings.draw(case, folder / "cases.md")
            text = "\n".join(page.section(case, pictures))
            for picture in pictures:
                if (
                    f"]({picture['file']})" not in text
                    or (folder / picture["file"]).stat().st_size < 2000
                    or not (ROOT / "docs/results" / picture["file"]).exists()
                ):
                    found.append(f"{case.name}: no picture {picture['file']}")
            if f"## {case.row['title']}\n" not in written:
                found.append(f"docs/results/cases.md has no case '{case.row['title']}': make cases")
            last = case
        found += again(last, config, folder)
    print("\n".join(found) or "the cases say what the page says")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
