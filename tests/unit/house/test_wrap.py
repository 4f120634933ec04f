#!/usr/bin/env python3
"""scripts/wrap.py: prose is wrapped at 120 columns and nothing else changes; the pages written by hand have no longer line."""
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts"))
import wrap  # noqa: E402

LONG = " ".join(["word"] * 40)


class Wrap(unittest.TestCase):
    def lines(self, text):
        done = wrap.wrapped(text)
        self.assertEqual(done.split(), text.split())
        self.assertEqual(wrap.wrapped(done), done)
        self.assertEqual(wrap.faults(done), [])
        return done.split("\n")

    def test_prose(self):
        lines = self.lines(f"# Title\n\n{LONG}\nand more\n\nshort\nlines stay\n")
        self.assertEqual([len(line) for line in lines], [7, 0, 119, 88, 0, 5, 10, 0])
        self.assertEqual(wrap.faults(f"# Title\n\n{LONG}\nand more\n"), [3])

    def test_items(self):
        lines = self.lines(f"- {LONG}\n  - {LONG}\n\n    {LONG}\n10. {LONG}\n")
        self.assertEqual([line[:5] for line in lines], ["- wor", "  wor", "  - w", "    w", "", "    w", "    w", "10. w", "    w", ""])

    def test_kept(self):
        for text in (
            f"| {LONG} |\n|---|\n",
            f"```\n{LONG}\n```\n",
            f"text\n\n    {LONG}\n",
            f"- item\n\n      {LONG}\n",
            f"## {LONG}\n",
            f"<!-- table by x -->\n{LONG}\n<!-- end of table -->\n",
            f"<!-- measured: begin -->\n{LONG}\n\n{LONG}\n<!-- measured: end -->\n",
            "w" * 130 + "\n",
        ):
            self.assertEqual((wrap.wrapped(text), wrap.faults(text)), (text, []))
        self.assertEqual(wrap.faults(f"```\n{LONG}\n```\n{LONG}\n"), [4])

    def test_code_is_not_broken(self):
        lines = self.lines("x" * 110 + " `make test CHANGED=HEAD` and `a b`, " + LONG + "\n")
        self.assertEqual(lines[0], "x" * 110)
        self.assertTrue(lines[1].startswith("`make test CHANGED=HEAD` and `a b`, word"))

    def test_no_line_begins_something_else(self):
        for mark in ("-", "+", "1.", "#", "|", ">"):
            lines = self.lines("x" * 118 + f" {mark} y {LONG}\n")
            self.assertFalse(any(line.startswith(mark) for line in lines), mark)

    def test_pages(self):
        found = [(path.name, number) for path in wrap.pages() for number in wrap.faults(path.read_text(encoding="utf-8"))]
        self.assertEqual(found, [])
        self.assertGreater(len(wrap.pages()), 30)


if __name__ == "__main__":
    unittest.main()
