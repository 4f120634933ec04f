#!/usr/bin/env python3
"""A library of csrc/ includes only those above it in docs/layout.md, so there is no circle of includes over folders; a published method is
put to use by commands alone. What a library says goes to its caller: none writes to stderr by itself, none sets the process's locale."""
import pathlib
import re
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]


def order(page):
    """The folders of docs/layout.md's part on csrc/, from the top."""
    return re.findall(r"^- `([^`]+)/`:", page.split("## The C side: csrc/")[1].split("\n## ")[0], flags=re.M)


def includes(root):
    """(file, its folder, included file, its folder) of each include between two folders of csrc/ and harness/."""
    for path in sorted(p for top in ("csrc", "harness") for p in (root / top).rglob("*") if p.suffix in (".c", ".h", ".cpp")):
        for name in re.findall(r'^\s*#\s*include\s+"([^"]+)"', path.read_text(encoding="utf-8"), flags=re.M):
            found = next((place for place in (path.parent / name, root / "csrc" / name, root / name) if place.exists()), None)
            if found and found.resolve().is_relative_to(root.resolve()):
                other = found.resolve().relative_to(root.resolve())
                if other.parent != path.parent.relative_to(root):
                    yield str(path.relative_to(root)), str(path.parent.relative_to(root)), str(other), str(other.parent)


def faults(root, known):
    """What is against the order, a line each."""
    found = []
    for path, folder, other, whose in includes(root):
        if not folder.startswith("csrc/"):
            continue
        if folder not in known:
            found.append(f"{path}: docs/layout.md has no line for {folder}/")
        elif whose in known and known.index(whose) > known.index(folder):
            found.append(f"{path} includes {other}, of a folder below its own in docs/layout.md")
        elif whose.startswith("harness") and folder != "csrc/cli":
            found.append(f"{path} includes {other}: libraries are linked without the harness")
        if whose.startswith("csrc/methods/") and folder != "csrc/cli":
            found.append(f"{path} includes {other}: only commands know methods")
    return found


# Its text on what differs goes to the stream passed to it: the run's thread has no other.
SPEAKS = {"csrc/workers/feed.c"}


def loud(root):
    """Files of libraries that write to stderr, or set the locale."""
    found = []
    for path in sorted((root / "csrc").rglob("*.[ch]")):
        name = str(path.relative_to(root))
        code = re.sub(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"', "", path.read_text(encoding="utf-8"), flags=re.S)
        if not name.startswith("csrc/cli/") and name not in SPEAKS and re.search(r"\b(stderr|setlocale|perror|warnx?)\b", code):
            found.append(name)
    return found


class Includes(unittest.TestCase):
    def test_what_is_a_fault(self):
        with tempfile.TemporaryDirectory() as made:
            root = pathlib.Path(made)
            for name, text in {
                "csrc/base/a.h": "",
                "csrc/base/b.c": '#include "base/a.h"\n#include "report/r.h"\n#include <stdio.h>\n#include "generated.h"\n',
                "csrc/report/r.h": '#include "base/a.h"\n  #  include "methods/m/m.h"\n#include "harness/h.h"\n',
                "csrc/methods/m/m.h": '#include "report/r.h"\n#include "local.h"\n',
                "csrc/methods/m/local.h": "",
                "csrc/cli/c.c": '#include "methods/m/m.h"\n#include "harness/h.h"\n',
                "harness/h.h": '#include "base/a.h"\n',
            }.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text, encoding="utf-8")
            found = faults(root, ["csrc/base", "csrc/report", "csrc/methods/m", "csrc/cli"])
            self.assertEqual([line.split(" includes ")[0] for line in found], ["csrc/base/b.c"] + ["csrc/report/r.h"] * 3)
            self.assertEqual(len(faults(root, ["csrc/base", "csrc/methods/m", "csrc/cli"])), 4)  # report has no line: three of it, and its methods/

    def test_what_is_loud(self):
        with tempfile.TemporaryDirectory() as made:
            root = pathlib.Path(made)
            for name, text in {
                "csrc/base/a.c": "fputs(text, stderr);\n",
                "csrc/base/b.c": '// to stderr\nconst char *p = "/dev/stderr"; /* setlocale */\n',
                "csrc/report/c.c": 'setlocale(LC_ALL, "");\n',
                "csrc/cli/d.c": 'setlocale(LC_ALL, ""), fputs(text, stderr);\n',
            }.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text, encoding="utf-8")
            self.assertEqual(loud(root), ["csrc/base/a.c", "csrc/report/c.c"])
        self.assertEqual(loud(ROOT), [])

    def test_the_tree(self):
        known = order((ROOT / "docs/layout.md").read_text(encoding="utf-8"))
        self.assertIn("csrc/base", known)
        self.assertGreater(sum(1 for _ in includes(ROOT)), 300)
        self.assertEqual(faults(ROOT, known), [])


if __name__ == "__main__":
    unittest.main()
