#!/usr/bin/env python3
"""scripts/words.py: a planted phrase is found with its line and its replacement, exceptions are kept, the table's faults are named."""
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts"))
import words  # noqa: E402


class Words(unittest.TestCase):
    def table(self, *rows):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "words.tsv"
            path.write_text("# a comment\npattern\tinstead\texcept\n" + "".join(row + "\n" for row in rows), encoding="utf-8")
            return words.phrases(path)

    def test_planted(self):
        table = words.phrases(ROOT / words.TABLE)
        found = words.findings("csrc/cli/main.c", "first\n'x' is too much\n", table)
        self.assertEqual(found, ["csrc/cli/main.c:2: 'is too much': write unexpected argument"])
        self.assertEqual(words.findings("csrc/cli/main.c", "unexpected argument 'x'\n", table), [])

    def test_any_case(self):
        """Rows of small letters, and others, which are searched otherwise."""
        for row in (r"\bfoo bar\b", r"foo bar\b", r"\bFoo bar\b", r"\bfoo\Sbar|foo bar\b"):
            table = self.table(row + "\tbaz\t-")
            for text in ("a FOO Bar", "a foo bar", "foo bar"):
                self.assertEqual(words.findings("a.c", f"x\n{text}\n", table), [f"a.c:2: '{text.removeprefix('a ')}': write baz"], row)
            self.assertEqual(words.findings("a.c", "a fob bar\n", table), [])

    def test_every_banned_row_finds_something(self):
        texts = (
            "x is too much; it hangs on x; for ever; bad luck; need not fail again; less chance from; --worker waits; there is none of that name; "
            "free some and run again; he is told; is owed; foreseen; behind it; behind the load; can be had; begins anew; of which one is; "
            "that it is one; is said; says so; is of x; is not there; that there are; what there is; in vain; so many"
        )
        for pattern, instead, kept in words.phrases(ROOT / words.TABLE):
            if kept != ["*"]:
                self.assertTrue(pattern.search(texts), f"{pattern.pattern}: no example of it in this test")

    def test_which_files(self):
        for name in ("tests/cli/hart.S", "tests/unit/rtl/hold.h", "tests/html/why.mjs", "tests/suite.toml", "README.md", "csrc/cli/main.c"):
            self.assertTrue(words.covered(name), name)
        for name in ("scripts/words.tsv", "tests/formal/proofs/axi.tsv", "tests/evidence/report.tsv", "LICENSE"):
            self.assertFalse(words.covered(name), name)

    def test_good_english(self):
        table = words.phrases(ROOT / words.TABLE)
        for text in ("file.tell()", "tell(results)", "hangs on a busy machine", "so that it is never shorter", "the data are of no use"):
            self.assertEqual(words.findings("csrc/cli/main.c", text + "\n", table), [])

    def test_exceptions(self):
        table = self.table(r"\bfoo\b" + "\tbar\tcsrc/report/* docs/*", r"\bbaz\b" + "\tbar\t*")
        self.assertEqual(words.findings("csrc/report/run.c", "foo baz\n", table), [])
        self.assertEqual(words.findings("csrc/base/error.c", "Foo baz\n", table), ["csrc/base/error.c:1: 'Foo': write bar"])

    def test_damaged(self):
        with self.assertRaisesRegex(ValueError, r"words.tsv:3: three columns"):
            self.table("foo\tbar")
        with self.assertRaisesRegex(ValueError, r"words.tsv:3: not a regular expression"):
            self.table("fo(o\tbar\t-")

    def test_tree(self):
        table = words.phrases(ROOT / words.TABLE)
        found = [line for name, text in words.files(None).items() for line in words.findings(name, text, table)]
        self.assertEqual(found, [])


if __name__ == "__main__":
    unittest.main()
