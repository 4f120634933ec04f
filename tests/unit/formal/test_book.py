#!/usr/bin/env python3
"""Proofs on record: what has changed in any source, script or option is not taken as proved."""
import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts/formal"))
import book  # noqa: E402


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        book.PATH = folder / "proofs.tsv"
        source = folder / "unit.sv"
        source.write_text("module unit; endmodule\n")
        first = book.digest_of([source], "-i", "-t", "2")
        book.Book(recorded=True).add("unit, induction", first)
        assert not book.PATH.exists(), "written without --record"
        book.Book(writing=True).add("unit, induction", first)
        assert not book.Book().holds("unit, induction", first), "left out without --recorded"
        kept = book.Book(recorded=True)
        assert kept.holds("unit, induction", first) and not kept.holds("unit, from reset", first)
        assert book.digest_of([source], "-i", "-t", "1") != first != book.digest_of([source], "-i", "-t2")
        used, unused = folder / "one_pkg.sv", folder / "two_pkg.sv"
        used.write_text("package one_pkg; endpackage\n")
        unused.write_text("package two_pkg; import three_pkg::*; endpackage\n")
        source.write_text("module unit import one_pkg::*; (); endmodule\n")
        assert book.used([used, unused, source]) == [used, source], "a package that nobody imports"
        unused.write_text("package two_pkg; import one_pkg::*; endpackage\n")
        source.write_text("module unit; import two_pkg::X; endmodule\n")
        assert book.used([used, unused, source]) == [used, unused, source], "a package of a package"
        assert book.digest_of([used, unused, source]) != book.digest_of([used, source])
        source.write_text("module unit ; endmodule\n")
        assert not kept.holds("unit, induction", book.digest_of([source], "-i", "-t", "2")), "the source has changed"
        other = book.Book(writing=True)
        other.add("unit, from reset", "0")
        assert set(book.Book().rows) == {"unit, induction", "unit, from reset"}, "an older row is lost"
        beside = book.Book(writing=True)
        other.add("other, induction", "1")
        beside.add("unit, from reset", "2")
        assert book.Book().rows == {"unit, induction": first, "unit, from reset": "2", "other, induction": "1"}, "a row that another run wrote is lost"
    rows = (ROOT / "tests/formal/proofs.tsv").read_text().splitlines()
    assert all(len(row.split("\t")) == 2 for row in rows if not row.startswith("#")), "tests/formal/proofs.tsv is no table"


if __name__ == "__main__":
    main()
