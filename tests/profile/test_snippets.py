#!/usr/bin/env python3
"""Pipeline snippets (`tipoff run --snippets`), as the HTML report has them, against the pipeline view (Konata) of the same run: each row's stages are
those of its instruction there, the rows are those around it, the sample is a mark, and the instructions are those with the most marks."""
import collections
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/cli"), str(ROOT / "tests/trace")]
import check_kanata  # noqa: E402
from cli import check, main, refused, test, tipoff  # noqa: E402

BEFORE, AFTER, WRONG = 8, 16, 8
STATES = ["Computing", "Stalled", "Flushed", "Drained"]


def run(folder, name, *options):
    path = folder / "run.tips"
    status, _, err = tipoff("run", "--config", "small2", "--quiet", "--period", 97, "--samples", path, *options, ROOT / f"build/workloads/{name}.elf")
    check(status == 0, err)
    return path


def page(path):
    status, out, err = tipoff("report", "--format", "html", path)
    check(status == 0, err)
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', out, re.DOTALL)[1])


def rows_of(document, snippet):
    """(pc, fetched, {stage: cycle}, left, squashed) of each row, cycles from reset."""
    names = {"Q": "dispatched", "X": "issued", "C": "done"}
    rows = []
    for i, address in enumerate(snippet["address"]):
        at = {key: snippet[key][i] for key in ("fetched", *names.values(), "left")}
        cycles = {key: None if cycle < 0 else cycle + snippet["from"] for key, cycle in at.items()}
        stages = {"F": cycles["fetched"], **{stage: cycles[key] for stage, key in names.items() if cycles[key] is not None}}
        rows.append((int(document["strings"][address], 16), stages, cycles["left"], bool(snippet["squashed"][i])))
    return rows


def compare(folder, name, hottest):
    log = folder / "log"
    document = page(run(folder, name, "--snippets", hottest, "--kanata", log))
    snippets = document["snippets"]
    left = check_kanata.read(log)
    in_order = sorted(left, key=lambda one: int(one[5]))  # of dispatch
    number = {(one[0], one[1], one[3], one[4]): i for i, one in enumerate(in_order)}
    marks = collections.Counter()
    for one in left:
        marks[one[0]] += len(one[7])
    wrong = states = 0
    for snippet in snippets:
        rows = rows_of(document, snippet)
        for pc, stages, end, squashed in rows:
            at = number.get((pc, stages["F"], end, squashed))
            check(at is not None and in_order[at][2] == stages, f"{pc:#x} {stages} {end}: {at is not None and in_order[at][2]}")
        places = [number[pc, stages["F"], end, squashed] for pc, stages, end, squashed in rows]
        # Those around it, in the order of dispatch.
        middle = places[snippet["row"]]
        before = [i for i in range(middle) if not in_order[i][4]][-BEFORE:]
        after, others, i = [], [], middle
        while len(after) < AFTER and (i := i + 1) < len(in_order):
            if not in_order[i][4]:
                after.append(i)
            elif len(others) < WRONG:
                others.append(i)
        check(places == sorted([*before, middle, *after, *others]), f"rows of {snippet}")
        wrong += len(others)
        # A mark in its place, and of all marks of the instruction the existing ones.
        pc = rows[snippet["row"]][0]
        check((snippet["cycle"], STATES[snippet["state"]]) in in_order[middle][7], f"{pc:#x} in cycle {snippet['cycle']}: {in_order[middle][7]}")
        check(name != "interp.tiny" or snippet["triggers"] == marks[pc], f"{pc:#x}: {snippet['triggers']} of {marks[pc]}")
        states |= 1 << snippet["state"]
        # It is the instruction of the report.
        code = document["code"][document["functions"]["code"][snippet["function"]]]
        check(
            pc == int(code["start"], 0) + code["offset"][snippet["instruction"]],
            f"{pc:#x} in {document['functions']['mode'][snippet['function']]}: {code['start']}",
        )
    triggers = [snippet["triggers"] for snippet in snippets]
    check(len(snippets) == hottest and triggers == sorted(triggers, reverse=True), f"{triggers}")
    check(wrong > 0 and states.bit_count() > 1, f"{wrong} on a wrong path, states {states}")
    return snippets, marks


@test
def test_one_mode(folder):
    snippets, marks = compare(folder, "interp.tiny", 20)
    check([s["triggers"] for s in snippets] == sorted(marks.values(), reverse=True)[:20], "those with the most samples")


@test
def test_modes(folder):
    """Traps and processes: one address in two address spaces is two instructions."""
    compare(folder, "vm_procs.small", 40)


@test
def test_same_again(folder):
    """One thread or two, and a second time: the same snippets. Without the option none, and a smaller file."""
    first = page(run(folder, "interp.tiny", "--snippets", 5, "--threads", 1))["snippets"]
    size = (folder / "run.tips").stat().st_size
    check(len(first) == 5 and first == page(run(folder, "interp.tiny", "--snippets", 5, "--threads", 2))["snippets"], "the same in one thread or two")
    check(page(run(folder, "interp.tiny"))["snippets"] == [], "none")
    check(0 < size - (folder / "run.tips").stat().st_size < 5 * 3000, "they take little room")


@test
def test_short_run(folder):
    """A run that is cut off: rows that are not over."""
    status, _, err = tipoff(
        "run",
        "--config",
        "small2",
        "--quiet",
        "--period",
        97,
        "--samples",
        folder / "run.tips",
        "--snippets",
        1000,
        "--max-cycles",
        3000,
        "--kanata",
        folder / "log",
        ROOT / "build/workloads/compress.small.elf",
    )
    check(status == 124, err)
    document = page(folder / "run.tips")
    known = {(one[0], one[1]): (one[2], one[3]) for one in check_kanata.read(folder / "log")}
    over = 0
    for snippet in document["snippets"]:
        for pc, stages, end, _ in rows_of(document, snippet):
            check(known[pc, stages["F"]][0] == stages, f"{pc:#x}: {stages}")
            over += end is not None
            check(end is None or end == known[pc, stages["F"]][1], f"{pc:#x}: {end}")
    check(over > 100 and len(document["snippets"]) > 10, f"{over}")


@test
def test_refused(folder):
    program = ROOT / "build/workloads/compress.small.elf"
    for options, words in (
        (["--snippets", 5], "--samples"),
        (["--snippets", 0, "--samples", folder / "x"], "hottest"),
        (["--snippets", "many", "--samples", folder / "x"], "hottest"),
    ):
        status, _, err = tipoff("run", "--config", "small2", "--period", 97, *options, program)
        check(status == 2 and words in err and not (folder / "x").exists(), f"{options}: {status} {err}")
    refused(["run", "--config", "small2", "--worker", "snippets:few=1", program], "few")


if __name__ == "__main__":
    sys.exit(main())
