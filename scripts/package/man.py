#!/usr/bin/env python3
"""Writes manual pages of `tipoff`, of each of its commands and of `tipoff-cc`, from what they print on --help, by help2man.

    scripts/package/man.py BINARY TIPOFF-CC VERSION FOLDER    FOLDER/tipoff.1, tipoff-run.1, ...
"""
import pathlib
import re
import shlex
import subprocess
import sys

from commands import commands, say


def page(words, name, text, version, others):
    """One page; help2man takes the program's name from the version's line, which each command has of tipoff."""
    extra = f"[SEE ALSO]\n{', '.join(rf'.BR {other} (1)' for other in others)}\n".replace(", .BR", ",\n.BR").replace("(1),", "(1),")
    words_of = ["help2man", "--no-info", "--section=1", f"--version-string={version}", f"--name={text}", "--include=/dev/stdin", shlex.join(map(str, words))]
    done = subprocess.run(words_of, input=extra, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"man.py: help2man {name}: {done.stderr.strip()}")
    lines = done.stdout.splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith(".TH "))
    date = re.match(r'\.TH \S+ "?1"? "([^"]*)"', lines[at])[1]
    lines[at] = f'.TH {name.upper()} "1" "{date}" "tipoff {version}" "User Commands"'
    at = lines.index(".SH NAME") + 1
    lines[at] = f"{name} \\- {text}"
    return "\n".join(lines) + "\n"


def described(binary, command):
    """The sentences after the usage lines."""
    first = say(binary, *command.words, "--help").split("\n\n")[0]
    return " ".join(line for line in first.split("\n") if not re.match(r"Usage|  or", line))


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    binary, compiler, version, folder = sys.argv[1], sys.argv[2], sys.argv[3], pathlib.Path(sys.argv[4])
    found = commands(binary)
    texts = {"-".join(["tipoff", *command.words]): command for command in found if command.options}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "tipoff.1").write_text(
        page([binary], "tipoff", "which instruction takes the time on an out-of-order core, and why", version, list(texts)), encoding="utf-8"
    )
    for name, command in texts.items():
        text = command.text or re.split(r"(?<=\w)[.:](?:\s|$)", described(binary, command))[0]
        text = text[0].lower() + text[1:]
        (folder / f"{name}.1").write_text(page([binary, *command.words], name, text, version, ["tipoff"]), encoding="utf-8")
    (folder / "tipoff-cc.1").write_text(page([compiler], "tipoff-cc", "build a program for tipoff's bare machine", version, ["tipoff"]), encoding="utf-8")


if __name__ == "__main__":
    main()
