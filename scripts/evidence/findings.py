"""What was found of each fault: on disk as it comes (build/evidence/*.jsonl), and on record (tests/evidence, a file a room, a row a fault)."""
import csv
import json

from fault import half

COLUMNS = ["id", "half", "file", "function", "change", "original", "code", "first", "finders", "ran", "of"]
COLUMNS_MEAN = """# Faults of the evidence for the short suite (scripts/evidence), a row each in the order of their ids: which tests find it, the first one first.
# ran of N: tests that were run with it, and all tests for its build. code: digest of the function; another one: the row is made again."""


class Verdict:
    """Of one fault: which tests ran with it, in their order, and what they said."""

    def __init__(self, code):
        self.code, self.ran, self.of, self.old = code, {}, 0, None

    @property
    def finders(self):
        return [test for test, found in self.ran.items() if found] or (self.old["finders"].split() if self.old else [])

    def row(self, fault):
        if not self.ran and self.old:
            return self.old
        finders = self.finders
        cells = [fault.id, half(fault.id), fault.path, fault.function, fault.what, fault.original, fault.code, *(finders[:1] or [""]), " ".join(finders)]
        return dict(zip(COLUMNS, [*cells, str(len(self.ran)), str(self.of)]))

    def counts(self):
        """(tests that have run with it, all tests)."""
        return (int(self.old["ran"]), int(self.old["of"])) if self.old and not self.ran else (len(self.ran), self.of)

    def whole(self):
        """Whether all tests have run."""
        ran, of = self.counts()
        return 0 < of <= ran


class Book:
    """The verdicts by id; rows on record count until a newer result."""

    def __init__(self, path, folder, faults, tests=None):
        """tests: names of those that exist; others' findings have gone with them. None: all on record."""
        self.path, self.folder, self.faults = path, folder, {fault.id: fault for fault in faults}
        self.verdicts = {}
        self.count = len(tests) if tests is not None else 0
        for room in sorted({fault.room for fault in faults}):
            for row in rows(folder / f"{room}.tsv"):
                fault = self.faults.get(row["id"])
                if fault and fault.code == row["code"] and (tests is None or set(row["finders"].split()) <= tests):
                    self.of(fault).old = row
        for line in path.read_text().splitlines() if path.exists() else ():
            entry = json.loads(line)
            if tests is None or entry["test"] in tests:
                self.take(entry)

    def of(self, fault):
        return self.verdicts.setdefault(fault.id, Verdict(fault.code))

    def take(self, entry):
        found = set(entry["found"])
        for key in entry["asked"]:
            fault_id, _, code = key.partition(":")
            fault = self.faults.get(fault_id)
            if fault and fault.code == code:
                verdict = self.of(fault)
                verdict.of = self.count
                verdict.ran.setdefault(entry["test"], key in found)

    def say(self, test, asked, found):
        """What a test says of those faults that were asked."""
        entry = {"test": test, "asked": [f"{fault.id}:{fault.code}" for fault in asked], "found": [f"{fault.id}:{fault.code}" for fault in found]}
        self.take(entry)
        with self.path.open("a") as file:
            print(json.dumps(entry), file=file)

    def without_one(self):
        """A test is no good: it fails without a fault."""
        self.count -= 1
        for verdict in self.verdicts.values():
            verdict.of = self.count

    def asked(self):
        """Names of the tests that have said something."""
        return {test for verdict in self.verdicts.values() for test in verdict.ran}

    def record(self):
        """Writes what is known to the files of the rooms."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for room in sorted({fault.room for fault in self.faults.values()}):
            known = [self.verdicts[f.id].row(f) for f in self.faults.values() if f.room == room and f.id in self.verdicts]
            with (self.folder / f"{room}.tsv").open("w", encoding="utf-8", newline="") as file:
                print(COLUMNS_MEAN, file=file)
                table = csv.DictWriter(file, COLUMNS, delimiter="\t", quoting=csv.QUOTE_NONE, quotechar=None, escapechar=None, lineterminator="\n")
                table.writeheader()
                table.writerows(sorted(known, key=lambda row: row["id"]))


def rows(path):
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader((line for line in file if not line.startswith("#")), delimiter="\t", quoting=csv.QUOTE_NONE))
