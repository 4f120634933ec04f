#!/usr/bin/env python3
"""Pages of results say what wrote them, at which commit, on which machine, and how old they are: the pages, and the scripts that write this."""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts"))
import page_head  # noqa: E402
import results_age  # noqa: E402

PAGES = sorted((ROOT / "docs/results").glob("*.md"))


class Tree:
    """A repository in a folder that the test makes."""

    def __init__(self, folder):
        self.root = pathlib.Path(folder)

    def git(self, *words):
        command = ["git", "-C", self.root, "-c", "user.name=a", "-c", "user.email=a@b", *words]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    def put(self, name, text):
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        (self.root / name).write_text(text)
        self.git("add", "-A")
        self.git("commit", "-qm", name)
        return self.git("rev-parse", "--short=8", "HEAD")


class Pages(unittest.TestCase):
    def test_each_begins_with_its_head(self):
        self.assertGreater(len(PAGES), 10)
        for page in PAGES:
            head = page_head.head(page.read_text(encoding="utf-8"))
            self.assertEqual(list(head), [*page_head.LINES, "age"], page.name)
            self.assertRegex(head["command"], r"^`(make [\w -]+|scripts/[\w/]+\.py.*)`$", page.name)
            if script := re.match(r"`(scripts/\S+\.py)", head["command"]):
                self.assertTrue((ROOT / script[1]).exists(), head["command"])
            self.assertRegex(head["commit"], r"^[0-9a-f]{8,} \(20\d\d-\d\d-\d\d\)", page.name)
            self.assertRegex(head["age"], r"^`make results-age` reports it; at [0-9a-f]{8,} \(20\d\d-\d\d-\d\d\): ", page.name)

    def test_each_has_its_inputs(self):
        self.assertEqual(sorted(results_age.inputs()), sorted(page.stem for page in PAGES))
        for name, paths in results_age.inputs().items():
            self.assertTrue(paths, name)
            self.assertEqual([path for path in paths if not (ROOT / path).exists()], [], name)

    def test_each_script_that_writes_one_writes_its_head(self):
        writers = [path for path in (ROOT / "scripts").rglob("*.py") if re.search(r'"docs/results/[\w-]+\.md"', path.read_text(encoding="utf-8"))]
        self.assertGreater(len(writers), 10)
        self.assertEqual([path.name for path in writers if "page_head." not in path.read_text(encoding="utf-8")], [])


class Head(unittest.TestCase):
    def test_is_put_in_and_taken_out(self):
        text, lines = "# Title\n\nText.\n- machine: of the text\n", ["- command: `make a`", "- commit: 12345678", "- machine: m"]
        once = page_head.headed(text, lines)
        self.assertEqual(once, "# Title\n\n- command: `make a`\n- commit: 12345678\n- machine: m\n\nText.\n- machine: of the text\n")
        self.assertEqual(page_head.headed(once, lines), once)
        self.assertEqual(page_head.headed(page_head.headed(text, [*lines, "- age: old"]), lines), once)
        self.assertEqual(page_head.body(once), text)
        self.assertEqual(page_head.head(once), {"command": "`make a`", "commit": "12345678", "machine": "m"})
        self.assertEqual((page_head.head(text), page_head.body(text)), ({}, text))
        with self.assertRaises(SystemExit):
            page_head.headed("Text.\n", lines)

    def test_stays_where_nothing_is_measured(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "a.md"
            page_head.write(page, "# A\n\n1\n")
            self.assertEqual(page.read_text(), "# A\n\n1\n")
            page_head.write(page, "# A\n\n1\n", "make a")
            first = page_head.head(page.read_text())
            self.assertEqual((list(first), first["command"]), (list(page_head.LINES), "`make a`"))
            page_head.write(page, "# A\n\n2\n")
            self.assertEqual((page_head.head(page.read_text()), page_head.body(page.read_text())), (first, "# A\n\n2\n"))

    def test_commit_says_what_is_beside_it(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(page_head.commit(folder), "not recorded")
            tree = Tree(folder)
            tree.git("init", "-q")
            tree.put("docs/a.md", "1")
            name = tree.put("rtl/core.sv", "1")
            date = tree.git("log", "-1", "--format=%cs")
            (tree.root / "docs/a.md").write_text("2")
            self.assertEqual(page_head.commit(folder), f"{name} ({date})")
            (tree.root / "rtl/core.sv").write_text("2")
            self.assertEqual(page_head.commit(folder), f"{name} ({date}), with changes of its own")


class Age(unittest.TestCase):
    def test_counts_what_touches_the_inputs(self):
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaises(SystemExit):
                results_age.History(folder)
            tree = Tree(folder)
            tree.git("init", "-q")
            first = tree.put("rtl/core.sv", "1")
            tree.put("csrc/a.c", "1")
            tree.put("rtl/core.sv", "2")
            tree.put("README", "1")
            history = results_age.History(folder)
            head = {"commit": f"{first} (2026-01-01), and so on"}
            self.assertEqual([history.age(head, paths)[0] for paths in (["rtl"], ["rtl", "csrc"], ["tables"])], [1, 2, 0])
            self.assertEqual(history.age({"commit": "not recorded"}, ["rtl"]), "names no commit")
            self.assertIn("no such commit", history.age({"commit": "deadbeef"}, ["rtl"]))
            with tempfile.TemporaryDirectory() as copies:
                subprocess.run(["git", "clone", "-q", "--depth", "1", f"file://{folder}", f"{copies}/c"], check=True)
                self.assertIn("shallow", results_age.History(f"{copies}/c").age(head, ["rtl"]))

    def test_words(self):
        self.assertEqual(results_age.words((1, 1)), "1 commit to its inputs since, in 1 day")
        self.assertEqual(results_age.words((0, 2)), "0 commits to its inputs since, in 2 days")
        self.assertEqual(results_age.words("names no commit"), "names no commit")


if __name__ == "__main__":
    unittest.main()
