#!/usr/bin/env python3
"""Lint of what differs from a revision: changed C files and those that include a changed header, changed Python, RTL where any of it changed, the page; words of all files.

    scripts/suite/lint_changed.py REV

Calls the lint targets of make, and says which. A changed rule (.clang-tidy, .flake8, ...) checks all of its files.
"""
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from suite import groups, inputs  # noqa: E402

ROOT = groups.ROOT
RULES = {
    ".clang-format": "lint-c",
    ".clang-tidy": "lint-c",
    "tests/.clang-tidy": "lint-c",
    "csrc/csrc.mk": "lint-c",
    ".flake8": "lint-python",
    "pyproject.toml": "lint-python",
    "sim/lint.vlt": "lint-rtl",
}
RTL = ("rtl/", "sim/", "tables/", "scripts/generate/", "scripts/gen.py")
C = ("csrc/", "harness/", "runtime/", "tests/unit/", "tests/isa/")


def including(headers, known):
    """The C files that include one of these headers, directly or not."""
    users = {}
    for path in known.files:
        if path.startswith(C) and path.endswith((".c", ".h")):
            for header in known.includes(path):
                users.setdefault(header, set()).add(path)
    found, left = set(), set(headers)
    while left:
        more = users.get(left.pop(), set()) - found
        found |= more
        left |= {path for path in more if path.endswith(".h")}
    return {path for path in found if path.endswith(".c")}


def commands(files, known):
    """What has to run for these files: [command]."""
    there = {path for path in files if (ROOT / path).is_file()}
    found = [["make", "-s", target] for target in dict.fromkeys(RULES[path] for path in sorted(files) if path in RULES)]
    whole = {words[-1] for words in found}
    c_files = {path for path in there if path.startswith(C) and path.endswith((".c", ".h"))}
    if c_files and "lint-c" not in whole:
        c_files |= including({path for path in c_files if path.endswith(".h")}, known)
        found.append(["make", "-s", "lint-c", "LINT_ONLY=" + " ".join(sorted(c_files))])
    scripts = sorted(path for path in there if path.endswith(".py"))
    if scripts and "lint-python" not in whole:
        found += [["black", "--quiet", "--check", *scripts], ["flake8", *scripts]]
    if any(path.startswith(RTL) and not path.endswith(".mk") for path in files) and "lint-rtl" not in whole:
        found.append(["make", "-s", "lint-rtl"])
    if any(path.startswith("html/") for path in files):
        found.append(["make", "-s", "lint-html"])
    if there:
        found.append(["make", "-s", "lint-words"])
    return found


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    try:
        files = inputs.changed_since(sys.argv[1])
        known = inputs.Inputs({}, inputs.tree() | files)
    except groups.SuiteError as reason:
        raise SystemExit(f"lint_changed.py: {reason}") from None
    environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}
    for words in commands(files, known):
        if subprocess.run(words, cwd=ROOT, env=environment, check=False).returncode:
            raise SystemExit(f"lint_changed.py: {' '.join(words[:3])} finds something in what differs from {sys.argv[1]}")


if __name__ == "__main__":
    main()
