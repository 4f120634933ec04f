#!/usr/bin/env python3
"""Print every file of the tree with the first sentence of its own header, by the folders of docs/layout.md.

    scripts/layout.py [FOLDER ...]  print the files of these folders and below (default: all)
    scripts/layout.py --check       status 1 if a file has no header, a folder no line in docs/layout.md, or a line no folder
"""
import fnmatch
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BARE = {
    "tests/.clang-tidy": "what of the style checks tests are free of",
    "tests/unit/samples/version1.tips": "a sample file of version 1, which has to stay readable",
    "tests/unit/samples/version3.tips": "a sample file of version 3, the last with statistics as JSON, likewise",
    ".editorconfig": "editor settings",
    ".gitignore": "what is built is not committed",
    "LICENSE": "Apache-2.0",
    "README.md": "what, one picture, two commands, one real result",
    ".clang-format": "C style",
    ".flake8": "what is found in Python",
    "scripts/ip/fusesoc.core.in": "the release's core file of FuseSoC, whose first line is not a comment",
    "scripts/synth/package-lock.json": "the exact npm packages of the synthesis check",
    "html/package-lock.json": "the exact npm packages of HTML reports and their tests",
}


def files():
    names = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split("\n")
    return sorted(n for n in set(names) if n and (ROOT / n).exists())


def summary(name):
    if re.fullmatch(r"tests/unit/rtl/\w+/config", name):
        return "the configuration that this test is built with, where it is not small2"
    if name in BARE:
        return BARE[name]
    try:
        head = (ROOT / name).read_text(encoding="utf-8").split("\n")[:12]
    except UnicodeDecodeError:
        return "binary"
    if name.endswith(".json"):
        match = re.search(r'"description": "([^"]+)"', "\n".join(head))
        return match.group(1) if match else None
    if name.endswith(".csv") and (ROOT / name).with_suffix(".svg").exists():
        return f"the numbers of {pathlib.PurePath(name).stem}.svg"
    if name.endswith(".litmus"):  # what the format has for it
        match = re.search(r'^"([^"]+)"$', "\n".join(head), re.MULTILINE)
        return match.group(1) if match else None
    if name.endswith(".md"):
        return next((l.lstrip("# ") for l in head if l.startswith("#") or re.fullmatch(r"Moved: \[.*", l)), None)
    for line in head:
        text = line.strip()
        if text.startswith(("#!", "<?xml")) or text in ("", "/*", "/**") or text.startswith("`verilator_config"):
            continue
        if name.endswith((".c", ".h", ".cpp")) and text.startswith("#"):
            return None  # a directive of C, not a comment
        match = re.match(r'(?://+|#|<!--|/\*+|\*|"""|\'\'\'|--)\s*(.+?)(?:\*/|"""|-->)?$', text)
        if not match:
            return None
        sentence = re.match(r"(.+?[.;])(?:\s|$)", match.group(1) + " ")
        return (sentence.group(1) if sentence else match.group(1)).rstrip(".;: ")
    return None


def rooms():
    """{pattern of a folder: its sentence}, from docs/layout.md."""
    page = (ROOT / "docs/layout.md").read_text(encoding="utf-8")
    return dict(re.findall(r"^- `([^`]+)/`: (.+)$", page, flags=re.M))


def room_of(folder, known):
    """The pattern that says what a folder is for: its own name before one with a star."""
    return (
        folder
        if folder in known
        else next((pattern for pattern in known if "*" in pattern and fnmatch.fnmatch(folder, pattern) and folder.count("/") == pattern.count("/")), None)
    )


def show(wanted):
    known, folder = rooms(), None
    for name in sorted(files(), key=lambda n: (str(pathlib.PurePath(n).parent), n)):
        if wanted and not any(name.startswith(f"{prefix.rstrip('/')}/") for prefix in wanted):
            continue
        parent = str(pathlib.PurePath(name).parent)
        if parent != folder:
            folder = parent
            print(f"\n{parent}/: {known[room_of(parent, known)]}" if parent != "." else "top")
        print(f"  {pathlib.PurePath(name).name}: {summary(name)}")


def check():
    known, status = rooms(), 0
    folders = {str(pathlib.PurePath(name).parent) for name in files()} - {"."}
    used = {room_of(folder, known) for folder in folders}
    for problem in [
        *(f"{name} has no header that says its job; begin it with a comment of one sentence" for name in files() if not summary(name)),
        *(f"docs/layout.md has no line for {folder}/; say in one sentence what it is for" for folder in sorted(folders) if not room_of(folder, known)),
        *(f"docs/layout.md: {pattern}/: no such folder; take the line out" for pattern in known if pattern not in used),
    ]:
        print(f"scripts/layout.py: {problem}", file=sys.stderr)
        status = 1
    return status


def main():
    if "--check" in sys.argv:
        return check()
    try:
        show(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


if __name__ == "__main__":
    sys.exit(main())
