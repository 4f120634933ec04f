"""The commands and their options as tipoff says them itself: read from what --help prints, for completion and manual pages."""
import dataclasses
import os
import re
import subprocess

CHOICES = re.compile(r"[a-z0-9-]+(?:\|[a-z0-9-]+)+|\{[a-z0-9,-]+\}")


@dataclasses.dataclass
class Option:
    names: list  # "-o", "--output"
    value: str  # as the list calls it, "" where the option takes none
    optional: bool  # the value
    text: str
    values: list = dataclasses.field(default_factory=list)  # all of them, where the list has them

    @property
    def long(self):
        return next(name for name in self.names if name.startswith("--"))


@dataclasses.dataclass
class Command:
    words: list  # ["report"]; ["regions", "find"]
    text: str
    operands: str  # of the usage line
    options: list = dataclasses.field(default_factory=list)


def say(*words):
    """What a command prints, in plain English; argparse's usage in one line, as argp's is."""
    environment = {**os.environ, "COLUMNS": "250", "LC_ALL": "C"}
    environment.pop("ARGP_HELP_FMT", None)
    done = subprocess.run(list(map(str, words)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment, text=True, check=False, timeout=60)
    return done.stdout


def listed(text):
    """Of `text (default), csv; svg, a picture; json: an object`: the words that begin the parts between semicolons."""
    found = []
    for part in text.split(";"):
        for word in part.split(":")[0].split(", "):
            word = word.strip().removesuffix(" (default)")
            if not re.fullmatch("[a-z0-9-]+", word):
                break
            found.append(word)
    return found


def option_of(line):
    """Of `-o, --output=FILE   text`, `--jitter[=BITS|none]  text`, `--jobs N  text`: a value has no spaces in it."""
    names, value, rest = [], "", line.strip()
    while match := re.match(r"(--?[\w?-]+)(\[=\S+\]|=\S+| (?=[A-Z[{])\S+)?(?:, (?=-))?", rest):
        names.append(match[1])
        value = match[2] or value
        rest = rest[match.end() :]
    rest = rest.strip()
    optional = value.strip().startswith("[")
    value = re.sub(r"^[ =]*(\[?)=?", r"\1", value)
    value = value[1:-1] if optional else value
    values = re.split(r"[|,]", value.strip("{}")) if CHOICES.fullmatch(value) else []
    return Option(names, value, optional, rest, values or (listed(rest.removeprefix("output format: ")) if "output format: " in rest else []))


def options_of(text):
    """Of argp's and argparse's lists: a line that begins with a hyphen, and what is indented deeper."""
    found = []
    for line in text.splitlines():
        indent = len(line) - len(line.lstrip())
        if 2 <= indent <= 8 and line.lstrip().startswith("-"):
            found.append(line)
        elif found and indent > 8:
            found[-1] += ("" if found[-1].strip().count(" ") else "  ") + " " + line.strip()
    return [option_of(line) for line in found]


def operands_of(text, words):
    """What the usage line has after the command's name and the options."""
    line = re.sub(r"(?i)^usage: tipoff ", "", text.split("\n")[0]).removeprefix(" ".join(words))
    return re.sub(r"\[(?:OPTION[^]]*|-[^][]*(?:\[[^]]*\])?)\]", "", line).strip()


def command(binary, words, text):
    shown = say(binary, *words, "--help")
    options = options_of(shown)
    for option in options:
        long = option.long
        if f"`{long} help` lists" in option.text and not option.values:
            rows = [line.split() for line in say(binary, *words, long, "help").splitlines()]
            option.values = [row[0] for row in rows if len(row) > 1 and re.fullmatch(r"[\w.-]+", row[0])]
    return Command(words, text, operands_of(shown, words), options)


def subcommands(binary, name):
    """Of a command that wants one more word: those that it names where there is none."""
    if not re.match(rf"(?i)usage: tipoff {name} [a-z]", say(binary, name, "--help")):
        return []
    return re.findall(rf"`tipoff {name} ([a-z]+)`", say(binary, name))


def commands(binary):
    """All commands, in the order of `tipoff --help`; one with subcommands is followed by these."""
    found = []
    for name, text in re.findall(r"^  ([a-z]+) +(\S.*)$", say(binary, "--help"), flags=re.MULTILINE):
        within = subcommands(binary, name)
        found.append(command(binary, [name], text) if not within else Command([name], text, "", []))
        found += [command(binary, [name, word], "") for word in within]
    return found
