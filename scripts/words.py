#!/usr/bin/env python3
"""Plain words: phrases of scripts/words.tsv that a file must not contain.

    scripts/words.py [FILE ...]       status 1 if one of these files (default: all) contains one, with what to write instead
    scripts/words.py --count [REV]    how often each phrase stands in each room (of that commit), exceptions included
"""
import fnmatch
import functools
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROOMS = ("csrc", "harness", "rtl", "sim", "attach", "tables", "scripts", "runtime", "python", "html", "docs", "tests")
KINDS = (".c", ".h", ".cpp", ".S", ".sv", ".svh", ".vlt", ".mk", ".sh", ".py", ".ts", ".mjs", ".f", ".tsv", ".md", ".toml")
TABLE = "scripts/words.tsv"
# The phrases themselves, and records: what was proved or mutated goes by its words.
KEPT = (TABLE, "tests/unit/house/test_words.py", "tests/evidence/*.tsv", "tests/formal/profileme_faults.tsv", "tests/formal/proofs/*.tsv")


def phrases(path):
    """[(compiled pattern, what to write instead, globs of files that may keep it)]; ValueError names a damaged line."""
    found = []
    lines = path.read_text(encoding="utf-8").splitlines()
    rows = [(number, line) for number, line in enumerate(lines, 1) if line and not line.startswith("#")]
    for number, line in rows[1:]:
        cells = line.split("\t")
        if len(cells) != 3 or not all(cells):
            raise ValueError(f"{path}:{number}: three columns are needed, separated by tabs: pattern, instead, except")
        try:
            pattern = re.compile(cells[0], re.IGNORECASE)
        except re.error as error:
            raise ValueError(f"{path}:{number}: not a regular expression: {error}") from error
        found.append((pattern, cells[1], [] if cells[2] == "-" else cells[2].split()))
    return found


def covered(name):
    if any(fnmatch.fnmatch(name, glob) for glob in KEPT):
        return False
    return name.endswith(KINDS) and (name.split("/")[0] in ROOMS or "/" not in name)


@functools.cache
def quick(pattern):
    """Found in small letters wherever the pattern is found, for a fraction of the time: a word's beginning, or ignoring case, lets re skip nothing."""
    text = pattern.pattern
    return re.compile(text.removeprefix(r"\b")) if text.islower() else None


def findings(name, text, table):
    found, small = [], text.lower()
    for pattern, instead, kept in table:
        if quick(pattern) and not quick(pattern).search(small):
            continue
        if any(fnmatch.fnmatch(name, glob) for glob in kept):
            continue
        for number, line in enumerate(text.splitlines(), 1):
            match = pattern.search(line)
            if match:
                found.append(f"{name}:{number}: '{match.group(0)}': write {instead}")
    return found


def git(*arguments):
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, check=True).stdout.decode("utf-8", "replace")


def files(revision):
    """{name: text} of the covered files of the tree, or of a commit."""
    if revision:
        names = git("ls-tree", "-r", "--name-only", revision).splitlines()
        return {name: git("show", f"{revision}:{name}") for name in names if covered(name)}
    names = git("ls-files", "--cached", "--others", "--exclude-standard").splitlines()
    return {
        name: (ROOT / name).read_text(encoding="utf-8")
        for name in sorted(set(names))
        if covered(name) and (ROOT / name).is_file() and not (ROOT / name).is_symlink()
    }


def room(name):
    parts = name.split("/")
    return "/".join(parts[:2]) if parts[0] in ("csrc", "docs") and len(parts) > 2 else parts[0] if len(parts) > 1 else "top"


def count(revision, table):
    texts = files(revision)
    rooms = sorted({room(name) for name in texts})
    total = dict.fromkeys(rooms, 0)
    kinds = []
    for pattern, _, _ in table:
        hits = dict.fromkeys(rooms, 0)
        for name, text in texts.items():
            hits[room(name)] += sum(len(pattern.findall(line)) for line in text.splitlines())
        kinds.append((sum(hits.values()), pattern.pattern))
        total = {name: total[name] + hits[name] for name in rooms}
    for hits, pattern in kinds:
        print(f"{hits:6} {pattern}")
    print()
    for name in rooms:
        print(f"{total[name]:6} {name}")
    print(f"{sum(total.values()):6} in all")


def main():
    table = phrases(ROOT / TABLE)
    if sys.argv[1:2] == ["--count"]:
        count(sys.argv[2] if len(sys.argv) > 2 else None, table)
        return 0
    chosen = {os.path.relpath(os.path.abspath(name), ROOT) for name in sys.argv[1:]}
    found = []
    for name, text in files(None).items():
        if not chosen or name in chosen:
            found += findings(name, text, table)
    for line in found:
        print(line, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
