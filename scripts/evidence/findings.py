"""What was found of each fault: on disk as it comes (build/evidence/*.jsonl), and on record (tests/evidence, a file a room, a row a fault)."""
import csv
import json

from fault import half

COLUMNS = ["id", "half", "file", "function", "change", "original", "code", "first", "seconds", "finders", "ran", "reached"]
COLUMNS_MEAN = """# Faults of the evidence for the short suite (scripts/evidence), a row each in the order of their ids: which tests find it, the first one first.
# seconds: up to the first. ran of reached: tests that were run of those that come to the place. code: digest of the function; another one: the row is made anew."""


class Verdict:
    """Of one fault: which tests ran, in their order, and what they said."""

    def __init__(self, code):
        self.code, self.ran, self.reached, self.old, self.said = code, {}, 0, None, False  # said: on disk

    def add(self, test, found, seconds):
        self.ran.setdefault(test, (found, seconds))

    @property
    def finders(self):
        return [test for test, (found, _) in self.ran.items() if found] or (self.old["finders"].split() if self.old else [])

    def row(self, fault):
        if not self.ran and self.old:
            return self.old
        until, first = 0.0, ""
        for test, (found, seconds) in self.ran.items():
            until += seconds
            if found:
                first = test
                break
        cells = [fault.id, half(fault.id), fault.path, fault.function, fault.what, fault.original, fault.code, first, f"{until:.1f}", " ".join(self.finders)]
        return dict(zip(COLUMNS, [*cells, str(len(self.ran)), str(self.reached)]))

    def counts(self):
        """(tests that have run, tests that come to the place)."""
        return (int(self.old["ran"]), int(self.old["reached"])) if self.old and not self.ran else (len(self.ran), self.reached)

    def whole(self):
        """Whether all tests that come to the place have run."""
        ran, reached = self.counts()
        return ran >= reached


class Book:
    """The verdicts by id; rows on record count until something newer is said."""

    def __init__(self, path, folder, faults, tests=None):
        """tests: names of those that there are; others' findings have gone with them. None: whatever is there."""
        self.path, self.folder, self.faults = path, folder, {fault.id: fault for fault in faults}
        self.verdicts = {}
        for room in sorted({fault.room for fault in faults}):
            for row in rows(folder / f"{room}.tsv"):
                fault = self.faults.get(row["id"])
                if fault and fault.code == row["code"] and (tests is None or set(row["finders"].split()) <= tests):
                    self.of(fault).old = row
        for line in path.read_text().splitlines() if path.exists() else ():
            entry = json.loads(line)
            fault = self.faults.get(entry["id"])
            if fault and fault.code == entry["code"]:
                verdict = self.of(fault)
                verdict.reached, verdict.said = entry["reached"], True
                for test, found, seconds in entry["ran"]:
                    if tests is None or test in tests:
                        verdict.add(test, found, seconds)

    def of(self, fault):
        return self.verdicts.setdefault(fault.id, Verdict(fault.code))

    def say(self, fault, reached, ran):
        """ran: [(test, found, seconds)], of now."""
        verdict = self.of(fault)
        verdict.reached, verdict.said = reached, True
        for test, found, seconds in ran:
            verdict.add(test, found, seconds)
        with self.path.open("a") as file:
            print(json.dumps({"id": fault.id, "code": fault.code, "reached": reached, "ran": ran}), file=file)

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
