#!/usr/bin/env python3
"""scripts/suite/lint_changed.py: which lint a change calls for, by a small tree of its own."""
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "scripts"))
from suite import lint_changed  # noqa: E402

INCLUDES = {
    "csrc/base/bytes.h": (),
    "csrc/iss/iss.h": ("csrc/base/bytes.h",),
    "csrc/base/bytes.c": ("csrc/base/bytes.h",),
    "csrc/iss/csr.c": ("csrc/iss/iss.h",),
    "csrc/iss/trap.c": (),
    "tests/unit/iss/test_csr.c": ("csrc/iss/iss.h",),
    "docs/example.c": ("csrc/base/bytes.h",),
}
OTHERS = (
    "scripts/gen.py",
    "tests/tool.py",
    "rtl/alu.sv",
    "rtl/rtl.mk",
    "sim/lint.vlt",
    "tables/csrs.tsv",
    "html/src/page.ts",
    "docs/page.md",
    ".clang-tidy",
    ".flake8",
)


class Known:
    """What is known of the tree: its files, and what each includes."""

    files = frozenset(INCLUDES) | frozenset(OTHERS)

    @staticmethod
    def includes(path):
        return INCLUDES.get(path, ())


class LintChanged(unittest.TestCase):
    def setUp(self):
        room = tempfile.TemporaryDirectory()
        self.addCleanup(room.cleanup)
        for path in Known.files:
            (pathlib.Path(room.name) / path).parent.mkdir(parents=True, exist_ok=True)
            (pathlib.Path(room.name) / path).touch()
        patch = mock.patch.object(lint_changed, "ROOT", pathlib.Path(room.name))
        patch.start()
        self.addCleanup(patch.stop)

    def commands(self, *files):
        """But for lint-words, which any change of a file calls for, at the end."""
        found = [" ".join(words) for words in lint_changed.commands(set(files), Known)]
        there = any((lint_changed.ROOT / path).is_file() for path in files)
        self.assertEqual([number for number, words in enumerate(found) if words == "make -s lint-words"], [len(found) - 1] if there else [])
        return found[: len(found) - there]

    def test_a_file_of_c(self):
        self.assertEqual(self.commands("csrc/iss/trap.c"), ["make -s lint-c LINT_ONLY=csrc/iss/trap.c"])

    def test_a_header(self):
        """Who includes it, directly or by another header; not the rest, nor what lint does not read."""
        self.assertEqual(
            self.commands("csrc/base/bytes.h"),
            ["make -s lint-c LINT_ONLY=csrc/base/bytes.c csrc/base/bytes.h csrc/iss/csr.c tests/unit/iss/test_csr.c"],
        )

    def test_a_file_that_is_gone(self):
        self.assertEqual(self.commands("csrc/iss/gone.c", "scripts/gone.py"), [])

    def test_a_rule(self):
        """All its files, once, and no part of that besides."""
        self.assertEqual(self.commands(".clang-tidy", "csrc/iss/trap.c"), ["make -s lint-c"])
        self.assertEqual(self.commands(".flake8", "tests/tool.py"), ["make -s lint-python"])
        self.assertEqual(self.commands("sim/lint.vlt", "rtl/alu.sv"), ["make -s lint-rtl"])

    def test_python(self):
        self.assertEqual(self.commands("tests/tool.py"), ["black --quiet --check tests/tool.py", "flake8 tests/tool.py"])

    def test_rtl_and_what_it_is_made_from(self):
        for path in ("rtl/alu.sv", "tables/csrs.tsv"):
            self.assertEqual(self.commands(path), ["make -s lint-rtl"])
        self.assertEqual(self.commands("scripts/gen.py")[-1], "make -s lint-rtl")
        self.assertEqual(self.commands("rtl/rtl.mk"), [])

    def test_the_page_and_what_has_no_lint(self):
        self.assertEqual(self.commands("html/src/page.ts", "docs/page.md"), ["make -s lint-html"])


if __name__ == "__main__":
    unittest.main()
