#!/usr/bin/python3
"""What of a run is shown (--mode, --process, --focus, --ignore): in every format the same time, which is that of the run's own call stacks.

    tests/cli/test_filters.py [--only TEXT]

Needs build/bin/tipoff, build/workloads/{interp.tiny,vm_procs.small}.elf and the model of small2.
"""
import csv
import gzip
import io
import json
import re
import sys

from cli import ROOT, RUN, TINY, check, main, refused, test, tipoff

PROCESSES = ROOT / "build/workloads/vm_procs.small.elf"
FORMATS = ("folded", "callgrind", "csv", "json", "pprof", "speedscope", "gecko", "perf-script", "flamegraph", "html")


def ran(folder, program, *options):
    path = folder / f"{program.stem}.tips"
    status, _, err = tipoff(*RUN, "--quiet", "--period", 97, "--samples", path, *options, program)
    check(status == 0, err)
    return path


def whole(*arguments):
    status, out, err = tipoff("report", *arguments)
    check(status == 0, f"{arguments}: {err}")
    return out


def stacks(path, *filters):
    """The time of each call stack: names without what distinguishes processes."""
    sums = {}
    for line in whole("--format", "folded", *filters, path).splitlines():
        names, time = line.rsplit(" ", 1)
        sums[names] = sums.get(names, 0) + int(time)
    return sums


def weight(path, *filters):
    """Time shown, and of the whole run, in 1/U cycle."""
    report = json.loads(whole("--format", "json", *filters, path))
    return report["weight"], report.get("weight_of_run", report["weight"]), report


def end_of_run(report):
    return sum(unit["weight"] for unit in report["units"] if unit["name"] == "end of run")


@test
def modes_add_up(folder):
    path = ran(folder, PROCESSES)
    total, _, report = weight(path)
    of = {mode: weight(path, "--mode", mode)[0] for mode in ("user", "supervisor", "machine")}
    check(all(of.values()), f"a mode has no time: {of}")
    check(sum(of.values()) == total - end_of_run(report), f"{of} is not {total} less the end of the run")
    check(weight(path, "--mode", "user,kernel,machine")[0] == sum(of.values()), "all modes together")
    for context in report["contexts"]:
        check(context["weight"] <= of[context["mode"]], f"{context} has more than its mode")
    spaces = {}
    for context in report["contexts"]:
        spaces[context["process"]] = spaces.get(context["process"], 0) + context["weight"]
    for process, time in spaces.items():
        got, of_run, _ = weight(path, "--process", process)
        check((got, of_run) == (time, total), f"{process}: {got}, by mode and process {time}")


@test
def focus_is_what_stacks_say(folder):
    path = ran(folder, PROCESSES)
    everything = stacks(path)
    total, _, _ = weight(path)
    cycles = sum(everything.values())
    for function in ("main", "trap_entry", "copy_page", "console_printf"):

        def has(names):
            return any(re.fullmatch(rf"{function}( [\[{{].*)?", frame) for frame in names.split(";"))

        expected = {names: time for names, time in everything.items() if has(names)}
        others = {names: time for names, time in everything.items() if not has(names) and not names.startswith("end of run")}
        check(set(stacks(path, "--focus", function)) == set(expected), f"--focus {function}: other stacks than those that have it")
        check(set(stacks(path, "--ignore", function)) == set(others), f"--ignore {function}: other stacks than those without it")
        below, without = weight(path, "--focus", function)[0], weight(path, "--ignore", function)[0]
        check(abs(below / total - sum(expected.values()) / cycles) < 1e-3, f"--focus {function}: {below} of {total}")
        check(abs(without / total - sum(others.values()) / cycles) < 1e-3, f"--ignore {function}: {without} of {total}")
    both = stacks(path, "--focus", "main", "--ignore", "copy_page")
    check(both and all("main" in names and "copy_page" not in names for names in both), f"both: {list(both)[:3]}")


@test
def every_format_shows_the_same(folder):
    path = ran(folder, TINY)
    filters = ("--focus", "console_printf")
    units, of_run, report = weight(path, *filters)
    check(0 < units < of_run, f"{units} of {of_run}")
    check(sum(unit["weight"] for unit in report["units"]) == units, "JSON: units are not its total")
    cycles = round(units / report["U"])
    folded = sum(stacks(path, *filters).values())
    check(abs(folded / report["U"] - cycles) <= 1 or abs(folded - cycles) <= 1, f"folded: {folded}, {cycles} cycles")
    rows = csv.DictReader(io.StringIO(whole("--format", "csv", *filters, path)))
    check(sum(float(row["cycles"]) for row in rows) * report["U"] == units, "CSV: another total")
    scope = json.loads(whole("--format", "speedscope", *filters, path))
    check(abs(sum(scope["profiles"][0]["weights"]) - cycles) <= 1, "speedscope: another total")
    for name in FORMATS:
        output = folder / "output"
        status, _, err = tipoff("report", "--format", name, "--output", output, *filters, path)
        check(status == 0 and "shown: " in err and "below console_printf" in err, f"{name}: status {status}: {err}")
        text = output.read_bytes()
        check(b"console_printf" in (gzip.decompress(text) if name == "pprof" else text), f"{name}: lacks it")
    text = whole(*filters, path)
    check(f"shown: {100 * units / of_run:.1f} % of the time, below console_printf" in text, text)
    check(re.search(r"^ *100\.0 % .* main", whole("--children", "--focus", "main", path), re.M), "below main all is main's")


@test
def differences_of_what_is_shown(folder):
    path = ran(folder, TINY)
    status, out, err = tipoff("diff", "--format", "csv", "--focus", "console_printf", path, path)
    check(status == 0, err)
    status, text, _ = tipoff("diff", "--focus", "console_printf", path, path)
    check(status == 0 and text.count("below console_printf") == 2, text)
    check("_start" not in out and "console_printf" in out, out)


@test
def what_is_not_there(folder):
    path = ran(folder, TINY)
    refused(["report", "--focus", "nobody", path], "--focus nobody: no time of a function called so")
    refused(["report", "--ignore", "nobody", path], "--ignore nobody: no time of a function called so")
    refused(["report", "--process", "nobody", path], "--process nobody: has no time: name one of ")
    refused(["report", "--mode", "kernel,guest", path], "--mode kernel,guest: use user, supervisor", lines=0)
    refused(["report", "--mode", "user", "--format", "vcd", path], "--format vcd: of whole samples", lines=0)
    refused(["report", "--mode", "user", "--pool", "blocks", path], "--pool: of the whole run", lines=0)
    refused(["report", "--focus", "main", "--profiler", "NCI", path], "no call stacks in the profile of NCI")
    blind = ran(folder, TINY, "--no-call-graph")
    refused(["report", "--focus", "main", blind], "no call stacks")


if __name__ == "__main__":
    sys.exit(main())
