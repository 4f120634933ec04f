"""What every page of results begins with: the command that wrote it, the commit and the machine; scripts/results_age.py adds how old it is."""
import os
import pathlib
import platform
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
NOT_RECORDED = "not recorded"
LINES = ("command", "commit", "machine")
HEAD = re.compile(r"\A(# [^\n]*\n\n)((?:- (?:command|commit|machine|age): [^\n]*\n)+\n)?")


def commit(root=ROOT):
    """The tree's commit with its date; changes outside docs/ are marked, since the figures may come from them."""

    def git(*words):
        return subprocess.run(["git", "-C", root, *words], capture_output=True, text=True, check=True).stdout.strip()

    try:
        changed = git("status", "--porcelain", "--untracked-files=no", "--", ".", ":!docs", ":!*.md")
        name = git("describe", "--always", "--abbrev=8")
        return f"{name} ({git('log', '-1', '--format=%cs')}){', with changes of its own' if changed else ''}"
    except (OSError, subprocess.CalledProcessError):
        return NOT_RECORDED


def machine():
    """Processor, cores and distribution."""
    name = re.search(r"^model name\s*: (.*)", read("/proc/cpuinfo"), flags=re.M)
    system = re.search(r'^PRETTY_NAME="?([^"\n]*)', read("/etc/os-release"), flags=re.M)
    return f"{name[1] if name else platform.machine()}, {os.cpu_count()} cores; {system[1] if system else platform.system()}"


def read(path):
    try:
        return pathlib.Path(path).read_text(encoding="utf-8")
    except OSError:
        return ""


def made_by(command):
    """The three lines of a page that `command` writes now."""
    return [f"- command: `{command}`", f"- commit: {commit()}", f"- machine: {machine()}"]


def sentence(command):
    """The same as one sentence, for a table of figures within a page that is written by hand."""
    return f"By `{command}`, at commit {commit()}, on {machine()}."


def head(text):
    """{"command", "commit", "machine", "age": text} of what stands at the top of a page; empty where it has none."""
    found = HEAD.match(text)
    return dict(line[2:].split(": ", 1) for line in (found[2] or "").split("\n") if line) if found else {}


def body(text):
    """The page without its head."""
    return HEAD.sub(r"\1", text)


def headed(text, lines):
    """The page with these lines below its title, in the place of those that stand there."""
    if not HEAD.match(text):
        raise SystemExit("page_head: a page begins with its title: a line '# ...', and an empty one")
    return HEAD.sub(lambda found: found[1] + "\n".join(lines) + "\n\n", text)


def write(page, text, command=None):
    """Write a page whose figures `command` has just measured; without it they are those of before, and the head stays."""
    lines = made_by(command) if command else [f"- {name}: {value}" for name, value in head(read(page)).items()]
    pathlib.Path(page).write_text(headed(text, lines) if lines else text, encoding="utf-8")
