#!/usr/bin/env python3
"""Proofs on record: what has changed in anything that a proof uses is not taken as proved, and what nobody uses may change; branches merge."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts/formal"))
import book  # noqa: E402
import prove  # noqa: E402
import prove_psv  # noqa: E402
import uses  # noqa: E402

ONE = """// Generated.
package one_pkg;  // a comment
  localparam int unsigned Width = 2;  // lanes
  localparam int unsigned Bits = $clog2(Width + 1), Other = 7;
  localparam logic [Bits-1:0] Table [2] = '{
    2'd0,
    2'd1};
  typedef logic [Bits-1:0] count_t;
  typedef enum logic [1:0] { RED = 0, GREEN, BLUE } colour_e;
  typedef struct packed {
    logic valid;
    colour_e colour;  // a struct's field
  } light_t;
  /* verilator lint_off UNUSEDSIGNAL */  // why
  function automatic logic [Bits:0] twice(input count_t n);
    logic [Bits:0] sum;
    sum = n + n;
    if (sum == '0) sum = '0;
    twice = sum;
  endfunction
endpackage
"""
TWO = """package two_pkg;
  import one_pkg::*;
  typedef struct packed {
    light_t [1:0] lights;
  } lights_t;
  typedef logic [7:0] byte_t;
endpackage
"""


def counted(source, one=ONE, two=TWO):
    return uses.of({"one_pkg.sv": one, "two_pkg.sv": two, "unit.sv": source})


class Uses(unittest.TestCase):
    COUNT = "module unit import one_pkg::*; (input count_t n_i);\nendmodule\n"
    LIGHTS = "module unit; two_pkg::lights_t l; endmodule\n"

    def test_what_nobody_names(self):
        """A further declaration, or another value of one that nobody names, changes nothing."""
        before = counted(self.COUNT)
        self.assertEqual(list(before), ["one_pkg.sv", "unit.sv"])
        for old, new in (
            ("endpackage", "  localparam int unsigned Harts = 4;\nendpackage"),
            ("endpackage", "  function automatic logic odd(input logic n);\n    odd = n;\n  endfunction\nendpackage"),
            ("'{\n    2'd0", "'{\n    2'd3"),
            ("GREEN", "YELLOW"),
            ("n + n", "n + 2"),
            ("// lanes", "// lanes, 1 to 8"),
            ("  typedef", "\n\n    typedef"),
        ):
            self.assertIn(old, ONE)
            self.assertEqual(counted(self.COUNT, ONE.replace(old, new)), before, new)
        self.assertEqual(counted(self.COUNT, two=TWO.replace("[1:0]", "[2:0]")), before)

    def test_what_is_named(self):
        """... by the source, or by what it names, in another package as well; by an enum's member, or a field of a type that is named."""
        for source, old, new in (
            (self.COUNT, "[Bits-1:0] count_t", "[Bits:0] count_t"),
            (self.COUNT, "Width + 1", "Width"),
            (self.COUNT, "Width = 2", "Width = 3"),
            (self.COUNT, "Other = 7", "Other = 8"),  # of the same declaration
            (self.LIGHTS, "GREEN", "YELLOW"),
            (self.LIGHTS, "logic valid", "logic valid, more"),
            ("module unit; logic l; assign l = one_pkg::BLUE == 2; endmodule\n", "RED = 0", "RED = 1"),
            ("module unit; import one_pkg::*; assign y_o = twice(x_i); endmodule\n", "n + n", "n + 2"),
            ("module unit; import one_pkg::*; assign y_o = twice(x_i); endmodule\n", "Width = 2", "Width = 3"),
            ("module unit; import one_pkg::*; assign y_o = Table[x_i]; endmodule\n", "'{\n    2'd0", "'{\n    2'd3"),
        ):
            self.assertIn(old, ONE)
            self.assertNotEqual(counted(source, ONE.replace(old, new)), counted(source), new)
        self.assertNotEqual(counted(self.LIGHTS, two=TWO.replace("[1:0]", "[2:0]")), counted(self.LIGHTS))
        self.assertNotEqual(counted(self.LIGHTS, two=TWO.replace("one_pkg", "three_pkg")), counted(self.LIGHTS), "another import")

    def test_what_cannot_be_taken_apart(self):
        """All of it counts, and all that it names."""
        for more in (
            "  class c;\n  endclass\n",
            '`include "more.svh"\n',
            "  localparam Odd;\n",
            "  logic [ 3;\n",
            "  // synopsys translate_off\n",
            "  export *::*;\n",
        ):
            odd = TWO.replace("  typedef", f"{more}  typedef", 1)
            before = counted("module unit; endmodule\n", two=odd)
            self.assertEqual(list(before), ["one_pkg.sv", "two_pkg.sv", "unit.sv"], more)
            self.assertNotEqual(counted("module unit; endmodule\n", two=odd.replace("[7:0]", "[8:0]")), before, more)
            self.assertNotEqual(counted("module unit; endmodule\n", ONE.replace("GREEN", "YELLOW"), odd), before, more)

    def test_plain(self):
        """Comments, blanks and line breaks go, and nothing else: not what looks like a comment in a string, nor the lines of a macro, nor words to tools."""
        self.assertEqual(uses.plain("a /* b\nc */ d // e\n\n\n  f\t g\n"), "a d f g\n")
        self.assertEqual(uses.plain("f(\n  a,  // b\n  c\n);\n"), uses.plain("f(a, c);\n"))
        self.assertNotEqual(uses.plain("a &\n&b\n"), uses.plain("a &&\nb\n"))
        for line in ("`define A a", '`include "a.svh"', "`ifdef A", "`endif", "a `define A b", "// synopsys a"):
            self.assertEqual(uses.plain(f"a\nb\n{line}\nc\nd\n"), f"a b\n{line}\nc d\n")
        for same in ('$fatal(1, "a  // b /* c");\n', "`define A(x) \\\n  x \\\n\nb\n", "// synopsys translate_off\n", "a = `__LINE__;  b\n"):
            self.assertEqual(uses.plain(same), same)
        self.assertNotEqual(uses.plain("a b\n"), uses.plain("ab\n"))
        self.assertEqual(uses.words(uses.plain("a/**/b\n")), {"a", "b"})


class Sources(unittest.TestCase):
    """The packages and sources of two proofs, as they are."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.sets = [
            [*prove.packages(2, self.folder / "w2"), *prove.UNITS, *prove.SPECIFICATION],
            [*prove.packages(1, self.folder / "load", 9, 1, prove_psv.PLAN["load1"][2]), *prove_psv.PACKAGES, *prove_psv.LOAD, *prove_psv.LOAD_SPEC],
        ]

    def texts(self, number):
        return {pathlib.Path(name).name: (ROOT / name).read_text() for name in self.sets[number]}

    def test_new_key(self):
        """A new key, event set, CSR or type in any package makes no proof stale; another width does."""
        for number in (0, 1):
            texts = self.texts(number)
            before = uses.of(texts)
            for name in (name for name in texts if name.endswith("_pkg.sv")):
                text = texts[name].replace("\nendpackage", "\n  localparam int unsigned HartsOfTheMachine = 4;  // harts\nendpackage")
                self.assertNotEqual(text, texts[name])
                self.assertEqual(uses.of({**texts, name: text}), before, name)
            text = texts["config_pkg.sv"].replace("CoreWidth = ", "CoreWidth = 1")
            self.assertNotEqual(uses.of({**texts, "config_pkg.sv": text}), before)

    def test_enough(self):
        """What counts is all that is needed: Verilator reads the units with it, and without the rest; not with a name less."""
        texts = self.texts(1)
        kept = uses.of(texts)
        self.assertLess(sum(len(kept.get(name, "")) for name in texts), 0.6 * sum(map(len, map(uses.plain, texts.values()))))
        for name in texts:
            text = kept.get(name, f"package {pathlib.Path(name).stem};\n")
            (self.folder / name).write_text(text + ("endpackage\n" if name.endswith("_pkg.sv") else ""))
        files = [self.folder / pathlib.Path(name).name for name in self.sets[1] if name not in prove_psv.LOAD_SPEC]
        command = ["verilator", "--lint-only", "-Wno-lint", "-Wno-style", "-Wno-fatal", "-Irtl/prim", *map(str, files)]

        def reads():
            return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

        done = reads()
        self.assertEqual(done.returncode, 0, done.stderr[-2000:])
        types = self.folder / "lsu_pkg.sv"
        types.write_text(types.read_text().replace("load_info_t;", "another_t;"))
        self.assertNotEqual(reads().returncode, 0)


class Book(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.addCleanup(setattr, book, "ROOM", book.ROOM)
        book.ROOM = self.folder / "proofs"
        self.source = self.folder / "unit.sv"
        self.source.write_text("module unit; endmodule\n")

    def rows(self):
        return book.Book().rows

    def test_digest(self):
        first = book.digest_of([self.source], "-i", "-t", "2")
        self.assertEqual(len({first, book.digest_of([self.source], "-i", "-t", "1"), book.digest_of([self.source], "-i", "-t2")}), 3)
        self.source.write_text("module unit;  endmodule  // a comment\n")
        self.assertEqual(book.digest_of([self.source], "-i", "-t", "2"), first)
        self.source.write_text("module unit(); endmodule\n")
        self.assertNotEqual(book.digest_of([self.source], "-i", "-t", "2"), first, "the source has changed")

    def test_rows(self):
        book.Book(recorded=True).add("unit", "unit, induction", "1")
        self.assertFalse(book.ROOM.exists(), "written without --record")
        book.Book(writing=True).add("unit", "unit, induction", "1")
        self.assertFalse(book.Book().holds("unit, induction", "1"), "left out without --recorded")
        kept = book.Book(recorded=True)
        self.assertTrue(kept.holds("unit, induction", "1"))
        self.assertFalse(kept.holds("unit, induction", "2") or kept.holds("unit, from reset", "1"))
        other, beside = book.Book(writing=True), book.Book(writing=True)
        other.add("unit", "unit, from reset", "0")
        other.add("other", "other, induction", "1")
        beside.add("unit", "unit, from reset", "2")
        self.assertEqual(self.rows(), {"unit, induction": {"1"}, "unit, from reset": {"2"}, "other, induction": {"1"}}, "a row that another run wrote is lost")
        book.path_of("unit").write_text("<<<<<<< HEAD\n")
        with self.assertRaisesRegex(SystemExit, "unit.tsv:1"):
            self.rows()

    def git(self, *words):
        done = subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def branch(self, name, *rows):
        self.git("checkout", "-q", "-b", name, "base")
        for row in rows:
            book.Book(writing=True).add(*row)
        self.git("add", "-A")
        self.git("commit", "-qm", name)

    def test_merge(self):
        """Two branches that put other proofs on record, or the same one of other sources, in one file or in several, merge without a conflict."""
        (self.folder / ".gitattributes").write_text((ROOT / ".gitattributes").read_text().replace("tests/formal/", ""))
        self.git("init", "-q", "-b", "base")
        for row in ("a", "b", "c", "d"):
            book.Book(writing=True).add("unit", row, "1")
        self.git("add", "-A")
        self.git("commit", "-qm", "base")
        self.branch("left", ("unit", "a", "2"), ("unit", "c", "2"), ("new", "e", "2"))
        self.branch("right", ("unit", "b", "3"), ("unit", "c", "3"), ("new", "f", "3"), ("more", "g", "3"))
        self.git("merge", "-q", "-m", "both", "left")
        mixed = self.rows()
        for row, digest in (("a", "2"), ("b", "3"), ("c", "2"), ("c", "3"), ("d", "1"), ("e", "2"), ("f", "3"), ("g", "3")):
            self.assertIn(digest, mixed[row])
        book.Book(writing=True).add("unit", "c", "4")
        self.assertEqual(self.rows()["c"], {"4"}, "rows of other sources go when one is recorded")


if __name__ == "__main__":
    unittest.main()
