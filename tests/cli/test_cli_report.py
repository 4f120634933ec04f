#!/usr/bin/env python3
"""The command line of what reads sample files: every bad input by its message and exit status; what every command has in common.

    tests/cli/test_cli_report.py [--only TEXT]

Needs build/bin/tipoff, build/workloads/interp.{tiny,large}.elf, queens.small.elf and the model of small2.
"""
import json
import os
import re
import shutil
import sys

from cli import BLOCK, LARGE, ROOT, RUN, TINY, check, main, refused, sampled, test, tipoff
from damaged import changed, cut, flip, version_99


@test
def bad_input_keeps_files(folder):
    """An output file that exists already keeps its content when the input is bad."""
    kept = folder / "kept.tips"
    kept.write_text("precious")
    refused([*RUN, "--period", 97, "--samples", kept, folder / "none.elf"], "cannot open")
    refused(["report", "--output", kept, folder / "none.tips"], "cannot open")
    check(kept.read_text() == "precious", "a file was touched")


@test
def commands(_):
    status, out, err = tipoff("--help")
    check(status == 0 and err == "", "--help is no error")
    for command in ("run", "report", "samples", "compare", "trace", "iss", "config", "workloads", "workers", "results"):
        check(re.search(rf"^  {command} ", out, re.M), f"--help lacks {command}: {out}")
        status, text, _ = tipoff(command, "--help")
        check(status == 0 and "Usage:" in text, f"{command} --help: status {status}: {text}")
        check(tipoff("help", command) == (0, text, ""), f"help {command} is not {command} --help")
    status, out, _ = tipoff("--version")
    check(status == 0 and re.fullmatch(r"tipoff \d+\.\d+.*\n", out), f"--version: {out!r}")
    refused(["rpeort"], "rpeort: no such command: did you mean 'report'?")
    refused(["xyzzyplugh"], "xyzzyplugh: no such command: `tipoff --help` lists them")
    refused(["record"], "record: no such command: here it is: tipoff run --period")
    refused(["annotate"], "tipoff report --annotate")
    refused(["help", "rpeort"], "rpeort: no such command: did you mean 'report'?")
    refused(["help", "run", "more"], "help: unexpected argument 'more'")
    refused([], "Usage:", lines=0)


@test
def bad_sample_files(folder):
    good = sampled(folder)
    size = good.stat().st_size
    text = folder / "text.tips"
    text.write_text("cycle,pc\n1,2\n")
    empty = folder / "empty.tips"
    empty.write_bytes(b"")
    trace = folder / "trace.bin"
    check(tipoff(*RUN, "--quiet", "--trace", trace, "--max-cycles", 1000, TINY)[0] == 124, "--max-cycles gives 124")
    version = changed(good, "version.tips", version_99)
    header = changed(good, "header.tips", cut(20))
    header_block = changed(good, "header-block.tips", cut(60))
    middle = changed(good, "middle.tips", flip(size // 2))
    end = changed(good, "end.tips", flip(size - 30))
    longer = changed(good, "longer.tips", lambda data: data.extend(b"more"))
    for command in ("report", "compare"):
        refused([command, folder / "none.tips"], "none.tips: cannot open", "name a file that exists")
        refused([command, text], f"{text}: not a tipoff file", "name a file that `tipoff run` has written")
        refused([command, empty], f"{empty}: not a tipoff file")
        refused([command, TINY], "not a tipoff file")
        refused([command, trace], f"{trace}: a tipoff file of kind 'trace'", "name the other file")
        refused([command, version], f"{version}: file version 99", "reads versions 1 to 4", "run again")
        refused([command, header], f"{header}: truncated", "run again")
        refused([command, header_block], f"{header_block}: truncated", "run again")
        refused([command], "name", lines=0)
        # What is good of a damaged file is used, with a line of warning.
        for path, fault in (middle, "bad block at offset"), (end, "bad block at offset"), (longer, "data after the end mark"):
            status, out, err = tipoff(command, path)
            lost = command == "compare" and ("holds no Oracle profile" in err or "holds no samples" in err)  # whichever block it was
            check(status == (2 if lost else 0) and f"warning: {path}: bad block at offset" in err and fault in err, f"{command} {path}: status {status}: {err}")
            check(lost or out, f"{command} {path}: nothing was reported")
    status, out, err = tipoff("report", good)
    check(status == 0 and err == "", f"the file itself is good: status {status}: {err}")
    status, out, _ = tipoff("report", "--format", "json", middle)
    check(status == 0 and not json.loads(out)["complete"], "a damaged file is reported as such")


@test
def truncated_sample_file(folder):
    """What is good of a truncated file is reported, with one line of warning."""
    good = sampled(folder, period=16, program=ROOT / "build/workloads/queens.small.elf")  # more than a block
    whole = json.loads(tipoff("report", "--format", "json", good)[1])
    check(whole["samples"] > BLOCK and whole["complete"], f"{whole['samples']} samples")
    size = good.stat().st_size
    counts = set()
    for kept in range(size - 1, 700, -(size // 9)):
        path = changed(good, "cut.tips", cut(kept))
        status, out, err = tipoff("report", "--format", "json", path)
        if status == 2:  # not a sample is left
            check("holds no samples" in err.splitlines()[-1], f"cut at {kept}: {err!r}")
            continue
        check(status == 0 and err.count("\n") == 1 and "warning" in err and f"{path}: truncated at offset" in err, f"cut at {kept}: status {status}, {err!r}")
        part = json.loads(out)
        check(not part["complete"], f"cut at {kept}: reported as complete")
        counts.add(part["samples"])
    # Blocks are written when they are full, and once a second.
    check(whole["samples"] in counts and len(counts) > 1, f"cuts gave {counts}")


@test
def damage_is_said_alike(folder):
    """Every command uses what is whole of a damaged file, warns in the same words, and ends as of a whole one."""
    good = folder / "good.tips"
    check(tipoff(*RUN, "--quiet", "--period", 97, "--samples", good, "--worker", "collections:ebs=101,lbr=11", TINY)[0] == 0, "run")
    size = good.stat().st_size
    damages = ("cut.tips", cut(size - 20), "before it are good"), ("longer.tips", lambda data: data.extend(b"more"), "in other blocks are good")
    for name, damage, words in damages:
        path, said = changed(good, name, damage), set()
        for command in (["report"], ["compare"], ["diff", good], ["samples"], ["results"], ["mix"]):
            status, out, err = tipoff(*command, path)
            said.add(err)
            check(status == 0 and out, f"{command} {name}: status {status}: {err}")
        check(len(said) == 1, f"{name}: {said}")
        check(err.startswith(f"tipoff: warning: {path}: ") and err.endswith(f"{words}\n") and err.count("\n") == 1, err)
    check(tipoff("samples", path)[1] == tipoff("samples", good)[1], "samples before the damage")


@test
def output_option(folder):
    """-o is --output wherever a command writes a document: the same bytes, under its name when whole, and over no input."""
    good, made, trace = sampled(folder), folder / "made", folder / "trace.bin"
    check(tipoff(*RUN, "--quiet", "--trace", trace, "--trace-to", 2000, TINY)[0] == 0, "a trace")
    commands = [["report", "--format", form, good] for form in ("text", "csv", "json", "folded")]
    commands += [["compare", good], ["diff", good, good], ["samples", good], ["results", good], ["mix", "--exact", TINY], ["trace", trace]]
    for command in [*commands, ["gus", TINY]]:
        status, out, err = tipoff(*command)
        check(status == 0 and out, f"{command}: status {status}: {err}")
        check(tipoff(*command, "-o", made)[:2] == (0, "") and made.read_text(encoding="utf-8") == out, f"{command}: -o")
        made.write_text("precious")
        refused([*command[:-1], folder / "none", "-o", made], "none")
        check(made.read_text() == "precious", f"{command}: a refused input costs the old output")
        refused([*command, "-o", command[-1]], "--output", "another")
        refused([*command, "-o", folder / "none/x"], "none/x: cannot create", status=4)


@test
def report_usage(folder):
    good = sampled(folder)
    refused(["report", good, good], "as a file before it: name one of each hart")
    refused(["report", "--format", "xml", good], "--format xml: use one of text, csv, json", lines=0)
    refused(["report", "--granularity", "line", good], "--granularity line:", lines=0)
    refused(["report", "--by", "lines", good], "--by lines: use one of instruction, line, inline,", "process and window", lines=0)
    refused(["report", "--by", "line", "--stacks", good], "--by line: has no cycle stacks", lines=0)
    refused(["report", "--by", "line", "--annotate", "main", good], "--annotate or --by", lines=0)
    refused(["report", "--debug-dir", folder / "none", good], "--debug-dir", "no such folder", lines=0)
    refused(["report", "--top", "x", good], "--top x: not a number", lines=0)
    refused(["report", "--annotate", "main", "--format", "csv", good], "--annotate", lines=0)
    refused(["report", "--annotate", "main", "--stacks", good], "--annotate or --stacks", lines=0)
    refused(["report", "--annotate", "nosuch", good], "no function 'nosuch'", "--by function")
    refused(["report", "--profiler", "nosuch", good], "no profile 'nosuch'", "Oracle")
    status, out, _ = tipoff("report", "--output", folder / "out.txt", good)
    check(status == 0 and out == "" and "Hottest instructions" in (folder / "out.txt").read_text(), "--output")


@test
def report_units(folder):
    """Every unit in every format; with counts, and without the worker that counts; and without the program."""
    status, out, _ = tipoff("report", "--by", "help")
    units = [line.split()[0] for line in out.splitlines()]
    check(
        status == 0
        and {"instruction", "line", "inline", "block", "loop", "function", "file", "module", "mode", "hart", "data", "process", "window"} == set(units),
        f"--by help: {out!r}",
    )
    uncounted, program, moved = folder / "uncounted.tips", folder / "p.elf", folder / "moved.tips"
    shutil.copy(TINY, program)
    check(tipoff(*RUN, "--quiet", "--period", 97, "--no-cosim", "--samples", uncounted, TINY)[0] == 0, "run")
    check(tipoff(*RUN, "--quiet", "--period", 97, "--samples", moved, program)[0] == 0, "run")
    program.unlink()
    for samples, warnings in ((sampled(folder), 0), (uncounted, 0), (moved, 1)):
        for unit in units:
            for form in ("text", "csv", "json"):
                status, out, err = tipoff("report", "--by", unit, "--format", form, samples)
                check(status == 0 and err.count("\n") == warnings, f"--by {unit} --format {form} {samples}: status {status}, {err!r}")
            report = json.loads(out)
            if unit == "window":  # times in cycles: tests/profile/test_windows.py
                weights = [report["U"] * state["cycles"] for window in report["windows"] for state in window["states"].values()]
            elif unit == "hart":  # shares of its own time; several: tests/harts/test_harts.py
                weights = [round(report["weight"] * sum(row[state] for row in report["rows"] for state in ("Computing", "Stalled", "Flushed", "Drained")))]
            elif unit == "data":  # shares: tests/harts/test_samples.py
                weights = [report["weight"] * sum(row["share"] for row in report["rows"])]
            else:
                weights = [u["weight"] for u in report["units"]]
            total = round(sum(weights), 6)
            check(report["granularity"] == unit and total == report["weight"] > 0, f"--by {unit} {samples}: {total} in all, {report['weight']} expected")
    _, out, _ = tipoff("report", "--by", "loop", uncounted)
    check("no counts: the run had no worker `exec-counts`" in out and "is a guess" in out, out)


@test
def report_without_program(folder):
    """The program is gone, or is another one: a warning, and addresses."""
    program = folder / "p.elf"
    shutil.copy(TINY, program)
    path = folder / "p.tips"
    check(tipoff(*RUN, "--quiet", "--period", 97, "--samples", path, program)[0] == 0, "run")
    program.unlink()
    status, out, err = tipoff("report", path)
    check(status == 0 and f"{program}: cannot open" in err and err.count("\n") == 1, f"status {status}: {err}")
    check("addresses only" in out and "0x801" in out, out)
    shutil.copy(LARGE, program)
    status, out, err = tipoff("report", path)
    check(status == 0 and "not the program that ran" in err and "--program" in err, f"status {status}: {err}")
    status, out, err = tipoff("report", "--program", TINY, path)
    check(status == 0 and err == "" and "main" in out, f"status {status}: {err}")


@test
def no_oracle(folder):
    path = folder / "x.tips"
    check(tipoff(*RUN, "--quiet", "--no-oracle", "--period", 97, "--samples", path, TINY)[0] == 0, "run")
    refused(["compare", path], f"{path}: holds no Oracle profile", "--no-oracle")
    status, out, _ = tipoff("report", path)
    check(status == 0 and "holds no Oracle profile" in out, f"status {status}: {out}")


@test
def tags_of_tagging_profilers(folder):
    """One tag as a unit in hardware has it: who tags says something else, TIP the same; the table says how many there were."""
    rows = {}
    for tags in "1", "512":
        path = folder / f"{tags}.tips"
        check(tipoff(*RUN, "--quiet", "--period", 17, "--worker", f"profilers:tags={tags}", "--samples", path, TINY)[0] == 0, "run")
        status, out, _ = tipoff("compare", path)
        check(status == 0 and f"Dispatch, Fetch, IBS, SPE and RIS: {tags} tag" in out, out)
        rows[tags] = {line.split()[0]: line for line in out.splitlines() if line.startswith(("  TIP ", "  Dispatch ", "  Fetch "))}
    check(rows["1"]["TIP"] == rows["512"]["TIP"], f"{rows}")
    check(rows["1"]["Dispatch"] != rows["512"]["Dispatch"] and rows["1"]["Fetch"] != rows["512"]["Fetch"], f"{rows}")
    refused([*RUN, "--worker", "profilers:tags=0", TINY], "tags=0: give a number from 1 to 512")


@test
def colour_and_bars(folder):
    """No escape sequences in a pipe; ASCII bars where the locale is not UTF-8."""
    good = sampled(folder)
    _, out, _ = tipoff("report", good, env={**os.environ, "LC_ALL": "C"})
    check("\033" not in out and out.isascii() and "CCCC" in out, "ASCII bars expected in the C locale")
    _, out, _ = tipoff("report", good, env={**os.environ, "LC_ALL": "C.UTF-8"})
    check("\033" not in out and "█" in out, "block characters expected in a UTF-8 locale")


if __name__ == "__main__":
    sys.exit(main())
