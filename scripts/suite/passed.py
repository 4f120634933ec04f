"""The tests that have passed, each with the digest of what its result follows from: build/tests/passed.tsv, one line for each pass."""
import datetime
import pathlib

from .groups import ROOT

BOOK = ROOT / "build" / "tests" / "passed.tsv"
COLUMNS = ("digest", "name", "seconds", "commit", "date")
LONGEST = 50000  # lines; beyond that the last of each test are kept


class Passed:
    """Read once, appended to at each pass: what a suite that is ended has done stays."""

    def __init__(self, path: pathlib.Path = BOOK):
        self.path = path
        self.rows = {}
        lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
        for line in lines:
            fields = line.split("\t")
            if len(fields) == len(COLUMNS):  # the last line of a machine that has lost its power may be a piece
                self.rows[fields[1], fields[0]] = dict(zip(COLUMNS, fields))
        if len(lines) > LONGEST:
            last = {name: row for (name, _), row in self.rows.items()}
            path.write_text("".join("\t".join(row.values()) + "\n" for row in last.values()), encoding="utf-8")

    def has(self, name, digest):
        return (name, digest) in self.rows

    def add(self, name, digest, seconds, commit):
        row = dict(zip(COLUMNS, (digest, name, f"{seconds:.1f}", commit, datetime.date.today().isoformat())))
        self.rows[name, digest] = row
        with self.path.open("a", encoding="utf-8") as file:
            print(*row.values(), sep="\t", file=file)
