#!/usr/bin/python3
"""The worker `slices`: what slices take adds up to the run, and is cut where a trace of every cycle says; lists of begins; what is refused.

    tests/cli/test_slices_worker.py [--only TEXT]

Needs build/bin/tipoff, build/small2/model.so, build/workloads/interp.tiny.elf and vm_procs.small.elf.
"""
import csv
import json
import sys

from cli import ROOT, RUN, TINY, check, main, refused, test, tipoff

TRAPS = ROOT / "build/workloads/vm_procs.small.elf"  # 253 traps
STATES = ["Computing", "Stalled", "Flushed", "Drained"]


def slices(folder, how, program=TINY, *options):
    file = folder / "slices.csv"
    status, _, err = tipoff(*RUN, "--quiet", "--worker", f"slices:file={file},{how}", *options, program)
    check(status == 0, f"slices:{how}: status {status}: {err}")
    with open(file, encoding="utf-8") as rows:
        return [{name: int(value) for name, value in row.items()} for row in csv.DictReader(rows)]


def total(rows, name):
    return sum(row[name] for row in rows)


def follows(rows):
    """Each slice begins where the one before ends, and its states are its cycles."""
    end = 0
    for number, row in enumerate(rows):
        check(row["slice"] == number and row["begin"] == end, f"after {end}: {row}")
        check(sum(row[state] for state in STATES) == row["cycles"], f"states: {row}")
        end += row["instructions"] + row["traps"]


@test
def slices_add_up_to_the_run(folder):
    stats_file = folder / "stats.json"
    rows = slices(folder, "every=7777", TRAPS, "--stats", stats_file)
    stats = json.loads(stats_file.read_text())
    follows(rows)
    check([row["instructions"] + row["traps"] for row in rows[:-1]] == [7777] * (len(rows) - 1), "lengths")
    for name, expected in [
        ("instructions", stats["instructions"]),
        ("traps", stats["checks"]["traps"]),
        ("cycles", stats["cycles"]),
        *[(state, stats["state_cycles"][state]) for state in STATES],
        *stats["events"].items(),
    ]:
        check(total(rows, name) == expected, f"{name}: {total(rows, name)} of {expected}")
    check(total(rows, "traps") > 200 and total(rows, "ST_L1") > 1000, "there are some")


def cycles_of(trace, begins):
    """Of a trace of all cycles: a slice ends with the cycle in which its last instruction commits; without traps and micro-ops."""
    with open(trace, encoding="utf-8") as file:
        commits = [sum(int(row[name]) for name in row if name.startswith("commit")) for row in csv.DictReader(file)]
    ends, done, left = [], 0, list(begins[1:])
    for number, count in enumerate(commits):
        done += count
        while left and done >= left[0]:
            ends.append(number + 1)
            left.pop(0)
    ends.append(len(commits))
    return [end - begin for begin, end in zip([0, *ends], ends)]


@test
def cycles_are_those_of_a_trace(folder):
    trace = folder / "trace.csv"
    rows = slices(folder, "every=333", TINY, "--worker", f"csv:file={trace}")
    check(len(rows) == 67, f"{len(rows)} slices of 22151 instructions")
    expected = cycles_of(trace, [333 * number for number in range(len(rows))])
    check([row["cycles"] for row in rows] == expected, "cycles by slice")
    # Slices of one instruction: two leave in a cycle, and the second has none.
    rows = slices(folder, "every=1")
    expected = cycles_of(trace, list(range(len(rows))))
    check([row["cycles"] for row in rows] == expected and 0 in expected, "cycles by instruction")


@test
def slices_of_bbv(folder):
    status, table, _ = tipoff("bbv", "--interval", 1000, "--format", "csv", TINY)
    check(status == 0, "bbv")
    instructions, begins = {}, {}
    for row in csv.DictReader(table.splitlines()):
        number = int(row["slice"])
        instructions[number] = instructions.get(number, 0) + int(row["instructions"])
        begins[number] = int(row["begin"])
    lists = {
        "table": table,
        "numbers": "".join(f"{begin}\n" for begin in begins.values()),
        "without the first": "".join(f"{begin}\n" for begin in list(begins.values())[1:]),
        "objects": json.dumps({"slices": [{"begin": begin} for begin in begins.values()]}),
    }
    status, lists["regions"], _ = tipoff("regions", "find", "--interval", 1000, "--format", "json", TINY)
    check(status == 0, "regions find")
    found = {}
    for name, text in lists.items():
        file = folder / "begins"
        file.write_text(text, encoding="utf-8")
        found[name] = slices(folder, f"at={file}")
        follows(found[name])
        check([row["begin"] for row in found[name]] == list(begins.values()), f"{name}: begins")
        check([row["instructions"] for row in found[name]] == list(instructions.values()), f"{name}: instructions")
    check(all(rows == found["table"] for rows in found.values()), "the same whatever the form")


@test
def the_rest_of_a_run_is_the_last_slice(folder):
    whole = slices(folder, "every=22151")
    check(len(whole) == 1 and whole[0]["cycles"] == 37483, f"one slice that the run just fills: {whole}")
    file = folder / "begins"
    file.write_text("0\n20000\n5000000\n", encoding="utf-8")
    rows = slices(folder, f"at={file}")
    check([row["instructions"] for row in rows] == [20000, 2151] and total(rows, "cycles") == 37483, f"{rows}")


@test
def bad_input(folder):
    out, file = folder / "out.csv", folder / "begins"

    def no(how, *texts):
        refused([*RUN, "--worker", f"slices:{how}", TINY], *texts)
        check(not out.exists(), f"{how}: nothing is written")

    no("every=5", "needs a file")
    no(f"file={out}", "every=N or at=FILE")
    no(f"file={out},every=5,at={file}", "every=N or at=FILE")
    no(f"file={out},every=0", "give a number from 1")
    no(f"file={out},at={file}", str(file), "No such file")
    for text, said in [
        ("0\n20\n10\n", "line 3: 10 after 20: sort"),
        ("0\nten\n", "line 2: no number"),
        ("0\n-5\n", "line 2: no number"),
        ("slice,start\n0,0\n", "line 1: no number"),
        ("slice,begin\n0\n", "line 2: no number"),
        ("{", "no JSON"),
        ('{"slices": 5}', "no number"),
        ('{"slices": [{"begin": 0}, {"begin": -5}]}', "slice 2 of `slices`"),
    ]:
        file.write_text(text, encoding="utf-8")
        no(f"file={out},at={file}", str(file), said)
    file.write_text("0\n", encoding="utf-8")
    refused([*RUN, "--worker", f"slices:file={file},at={file}", TINY], str(file))
    check(file.read_text() == "0\n", "the list stays")


if __name__ == "__main__":
    sys.exit(main())
