#!/usr/bin/env python3
"""How far the inputs of each page of results have moved since it was measured: commits that touch them, and days, most first.

    scripts/results_age.py [--write]     --write: into the pages, too, as of now, below the commit that they name

The commit is the page's own (scripts/page_head.py), its inputs a row of tables/results_pages.tsv. A commit counts whatever it changes in them.
"""
import argparse
import csv
import datetime
import pathlib
import re
import subprocess
import sys

import page_head

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = "tables/results_pages.tsv"
COMMAND = "make results-age"


def inputs(root=ROOT):
    """{page: its inputs}"""
    with open(root / TABLE, encoding="utf-8") as file:
        rows = csv.DictReader((line for line in file if not line.startswith("#")), delimiter="\t")
        return {row["page"]: row["inputs"].split() for row in rows}


class History:
    """Of the tree that a page is in."""

    def __init__(self, root=ROOT):
        self.root = root
        self.shallow = self.git("rev-parse", "--is-shallow-repository") == "true"
        self.now = (self.git("rev-parse", "--short=8", "HEAD"), self.git("log", "-1", "--format=%cs"))

    def git(self, *words):
        done = subprocess.run(["git", "-C", self.root, *words], capture_output=True, text=True, check=False)
        if done.returncode and words[0] == "rev-parse":
            raise SystemExit(f"results_age.py: {self.root}: {done.stderr.strip() or 'git fails'}: the age follows from the history")
        return done.stdout.strip() if done.returncode == 0 else None

    def age(self, head, paths):
        """(commits, days), or why not, of a page with this head."""
        name = re.match(r"[0-9a-f]{7,40}\b", head.get("commit", ""))
        if not name:
            return "names no commit"
        begun = self.git("log", "-1", "--format=%cs", name[0], "--")
        if begun is None:
            return f"{name[0]} is not in this clone's history: " + ("it is shallow, git fetch --unshallow" if self.shallow else "no such commit")
        count = self.git("rev-list", "--count", f"{name[0]}..HEAD", "--", *paths)
        return int(count), (datetime.date.fromisoformat(self.now[1]) - datetime.date.fromisoformat(begun)).days


def words(age):
    if isinstance(age, str):
        return age
    commits, days = age
    return f"{commits} commit{'s' * (commits != 1)} to its inputs since, in {days} day{'s' * (days != 1)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="into the pages, too")
    arguments = parser.parse_args()
    history, found, table = History(), {}, inputs()
    for name, paths in table.items():
        page = ROOT / f"docs/results/{name}.md"
        if not page.exists():
            raise SystemExit(f"results_age.py: {TABLE}: {name}: there is no docs/results/{name}.md")
        if gone := [path for path in paths if not (ROOT / path).exists()]:
            raise SystemExit(f"results_age.py: {TABLE}: {name}: {', '.join(gone)} does not exist: name where it is now")
        head = page_head.head(page_head.read(page))
        found[name] = (history.age(head, paths), head.get("commit", "no head"))
        if arguments.write:
            lines = {**head, "age": f"`{COMMAND}` reports it; at {history.now[0]} ({history.now[1]}): {words(found[name][0])}"}
            page.write_text(page_head.headed(page_head.read(page), [f"- {key}: {value}" for key, value in lines.items()]), encoding="utf-8")
    for name, (age, commit) in sorted(found.items(), key=lambda item: (0, item[1][0]) if isinstance(item[1][0], str) else (1, -item[1][0][0])):
        print(f"{name:20} {words(age):55} {commit}")
    if history.shallow:
        print("this clone is shallow: commits before its first are not counted; git fetch --unshallow brings them")
    return 0


if __name__ == "__main__":
    sys.exit(main())
