#!/usr/bin/env python3
"""One vocabulary for all commands: what --help of each says is parsed, and options of the same name are compared.

    tests/cli/test_words.py [--only TEXT]
"""
import csv
import io
import json
import re
import sys

from cli import RUN, TINY, check, main, refused, test, tipoff

# Options of one name that several commands have for what each of them does, and why: here the letter alone is the same.
OWN = {
    "by": "units of time, and keys of instructions, several at once",
    "checkpoint": "iss: where --at says; linux: where the program begins",
    "compare": "estimates, each command's with the exact ones",
    "coverage": "of slices found, and of those cut out",
    "harts": "run: also a configuration for each",
    "interval": "of slices that are made, and of those that SimPoint made",
    "list": "what would run: changes, points",
    "max": "of a region, by each method",
    "method": "published ones, each command's",
    "min": "as max",
    "on": "machines of litmus tests, models of regions",
    "output": "import writes no text; sweep many files",
    "period": "run: or the program's own counter",
    "profile": "run writes it, regions validate reads it",
    "reference": "cycles, statistics, slices: of the full run",
    "seed": "of what is random in each",
    "trace": "of cycles, and of instructions",
    "vectors": "of bbv's files: instead of a run, and of one",
    "warmup": "with checks, without time, before checkpoints",
}


def parsed(text):
    """{name: (letters, argument, words)} of a list of options."""
    found, name = {}, None
    for line in text.splitlines():
        head = re.match(r" {2}((?:-\S, )*) *--([a-z-]+)(\S*)(?:, --[a-z-]+\S*)?(?: {2,}(.*))?$", line)
        if head:
            name = head[2]
            found[name] = [head[1].replace(",", "").split(), head[3], head[4] or ""]
        elif name and line.startswith(" " * 20):
            found[name][2] += " " + line.strip()
        else:
            name = None
    return {name: (letters, argument.replace("[=", "=").strip("=]"), words.strip()) for name, (letters, argument, words) in found.items()}


def commands():
    names = re.findall(r"^  ([a-z]+) {2,}\S", tipoff("--help")[1], re.M)
    actions = re.findall(r"`tipoff (regions [a-z]+)`", tipoff("regions")[2])
    return [name for name in names if name != "regions"] + actions


def helps():
    return {name: tipoff(*name.split(), "--help")[1] for name in commands()}


def first(words):
    """What an option is, before what a command says besides."""
    return re.split(r"[:;,(.]", words)[0].strip()


@test
def help_is_the_same(_folder):
    """-h, -?, --help and `tipoff help` are the same everywhere, and begin and end alike."""
    for name in commands():
        words = name.split()
        status, out, err = tipoff(*words, "--help")
        check(status == 0 and err == "", f"{name} --help: status {status}, {err!r}")
        for letter in "-h", "-?":
            check(tipoff(*words, letter) == (0, out, ""), f"{name} {letter}: not what --help says")
        if len(words) == 1:
            check(tipoff("help", name) == (0, out, ""), f"help {name}: not what --help says")
        check(out.startswith(f"Usage: tipoff {name} [OPTION...]"), f"{name}: {out.splitlines()[0]}")
        check("  -h, -?, --help             show this list\n" in out, f"{name}: --help does not list itself")
        check("Exit status: " in re.sub(r"\s+", " ", out), f"{name}: no exit status")
        status, out, err = tipoff(*words, "--usage")
        check(status == 0 and err == "" and out.startswith("Usage: tipoff "), f"{name} --usage: {status} {out!r} {err!r}")
        refused([*words, "--no-such-option"], f"tipoff {name}: ", f"Try `tipoff {name} --help'", lines=0)


@test
def options_of_the_same_name(_folder):
    """The same name has the same letter, argument and words; a letter is one name's."""
    of, letters = {}, {}
    for command, text in helps().items():
        check("(default " not in re.sub(r"\s+", " ", text), f"{command}: (default X) instead of (default: X)")
        for name, option in parsed(text).items():
            of.setdefault(name, {})[command] = option
            for letter in option[0]:
                check(letters.setdefault(letter, name) == name, f"{command}: {letter} is --{letters[letter]} elsewhere")
    for name, by in of.items():
        for command, (short, argument, words) in by.items():
            other = next(iter(by.values()))
            check(short == other[0], f"{command} --{name}: {short}, {other[0]} in {next(iter(by))}")
            if name not in OWN and name != "format":
                check(argument == other[1], f"{command} --{name}={argument}: {other[1]} in {next(iter(by))}")
                check(first(words) == first(other[2]), f"{command} --{name}: {first(words)!r}, {first(other[2])!r} in {next(iter(by))}")
    check(not set(OWN) - set(of), f"of no command: {sorted(set(OWN) - set(of))}")
    check(letters == {"-o": "output", "-q": "quiet", "-j": "jobs", "-h": "help", "-?": "help"}, f"letters: {letters}")


@test
def formats_and_outputs(_folder):
    """Each format that --help names is one, another one is refused with all of them; and what writes to a file says what 4 is."""
    for command, text in helps().items():
        options = parsed(text)
        if "output" in options:
            check(
                re.search(r"\b4 (when|if) (an|the) output\s+(could|can)\s?not be\s+written", re.sub(r"\s+", " ", text)), f"{command}: says not what status 4 is"
            )
        if command.endswith("import") or "format" not in options:  # of what is read
            continue
        first_one = "csv" if command == "samples" else "text"  # samples: as long as a run, with columns for each lane
        check(options["format"][2].startswith(f"output format: {first_one} (default)"), f"{command} --format: {options['format'][2]}")


def cell(value):
    return ";".join(map(cell, value)) if isinstance(value, list) else "" if value is None else str(int(value)) if isinstance(value, bool) else str(value)


@test
def tables(folder):
    """What lists something has it as text, CSV and JSON, the same in both, also with --output; text has numbers as 1,234."""
    samples = folder / "s.tips"
    tipoff(*RUN, "--quiet", "--period", 997, "--samples", samples, "--max-cycles", 20000, TINY)
    for words in (["config"], ["config", "tea4", "--keys"], ["config", "small2", "tea4"], ["workloads"], ["workers"], ["results"], ["samples", samples]):
        table = tipoff(*words, "--format", "csv")[1]
        rows = list(csv.DictReader(io.StringIO(table)))
        objects = json.loads(tipoff(*words, "--format", "json")[1])
        check(len(rows) > 4 and rows == [{name: cell(value) for name, value in row.items()} for row in objects], f"{words}: CSV and JSON differ")
        check(tipoff(*words, "--format", "csv", "-o", folder / "out") == (0, "", "") and (folder / "out").read_text() == table, f"{words}: --output")
        refused([*words, "-o", "/nowhere/x"], "/nowhere/x", status=4)
        refused([*words, "--format", "xml"], "--format xml: use one of ", lines=0)
    check(" 3,200 " in tipoff("config")[1] and " 1,024\n" in tipoff("config", "tea4")[1], "numbers in groups")


@test
def old_names(_folder):
    """What users' scripts have still serves, and --help does not list it."""
    for old, new in (
        (["gus", "-c", "small2", "--limit", 1], ["gus", "--config", "small2", "--top", 1]),
        (["mix", "--exact", "--limit", 2], ["mix", "--exact", "--top", 2]),
    ):
        check(tipoff(*old, TINY) == tipoff(*new, TINY), f"{old}")
    for name, options in (("gus", ("--limit", "-c,", "-s,")), ("mix", ("--limit",)), ("report", ("--granularity",))):
        text = tipoff(name, "--help")[1]
        check(not any(option in text for option in options), f"{name} --help lists one of {options}")


@test
def elsewhere(_folder):
    """perf's and pprof's commands: one line with what to type, which is a command with these options."""
    known = {name: parsed(text) for name, text in helps().items()}
    for name in "record stat annotate script list top mem c2c evlist peek tree traces raw proto web".split():
        status, out, err = tipoff(name)
        check((status, out) == (2, "") and err.startswith(f"tipoff: {name}: no such command: here it is: tipoff ") and err.count("\n") == 1, f"{name}: {err!r}")
        for command, rest in re.findall(r"tipoff ([a-z]+)([^,;]*)", err.split("here it is: ")[1]):
            check(command in known and set(re.findall(r"--([a-z-]+)", rest)) <= set(known[command]), f"{name}: {command}{rest}")
    refused(["reprot"], "reprot: no such command: did you mean 'report'? `tipoff --help` lists them")
    for name in "xyz", "tip", "recrod":
        refused([name], f"tipoff: {name}: no such command: `tipoff --help` lists them\n")


if __name__ == "__main__":
    sys.exit(main())
