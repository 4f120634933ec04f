#!/usr/bin/env python3
"""What the documentation names exists: files, links, headings, make targets and variables, commands and their options, workers, tests.

Each is checked against a second source: the files that git lists, the headings of the page, the Makefile, --help, `tipoff workers` and
the list of tests. Paths are checked in the comments and messages of all sources, too. Needs build/bin/tipoff and build/bin/tipoff-cc.
"""
import fnmatch
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
FOLDERS = ("guide", "reference", "method", "results")
EVERY = sorted((ROOT / "docs").rglob("*.md"))
DOORS = [ROOT / f"docs/guide/{name}.md" for name in ("my-program", "my-report", "my-core", "accuracy", "contribute")]
MOVED = [page for page in EVERY if page.parent.name == "docs" and page.name != "layout.md"]  # pages that now stand in a folder
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *(page for page in EVERY if page not in MOVED)]
CONFIGS = {path.stem for path in [*ROOT.glob("tables/config/*.toml"), *ROOT.glob("attach/*/*.toml")]} | {"mycore", "yours", "mine"}  # of the reader, too
# Written by hand in the place of a name: nothing has this path.
PLACEHOLDER = re.compile(r"\b(NAME|MODULE|CONFIG|FILE)\b|\byours\b|[{}<>]")
# Their sources make up paths: trees for the tests of scripts, keys of tables.
MADE_UP = (
    "tests/unit/evidence/",
    "tests/unit/house/test_includes.py",
    "tests/unit/run_tests/",
    "tests/unit/mutate/",
    "tests/unit/gen/",
    "tests/unit/house/test_docs.py",
    "tests/unit/house/test_results.py",
    "tests/suite.toml",
    "scripts/generate/config.py",
    "scripts/faults/faults.py",
    "tests/workloads/workloads.mk",
    "docs/layout.md",
    "docs/results/mutants.md",
)
FOREIGN = {
    "--cache-sim": "valgrind",
    "--trace-gem": "NaxRiscv",
    "--enable-arch-db": "XiangShan",
    "--dump-db": "XiangShan",
    "--trace-konata": "VexiiRiscv",
}  # options of tools that no script of ours calls with them


def output(*command):
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=60).stdout


def tracked():
    names = {n for n in output("git", "ls-files", "--cached", "--others", "--exclude-standard").split("\n") if n and (ROOT / n).exists()}
    return names, {str(parent) for n in names for parent in pathlib.PurePath(n).parents}


def missing_paths(text, names, folders, here):
    """The paths in text, as seen from the top, from a folder of C or from `here`, that neither a file nor a folder has. '*' matches any text."""
    top = "|".join(sorted(re.escape(f) for f in folders if "/" not in f and f != "."))
    found = re.finditer(rf"(?<![\w/.$*-])(?<!--only )(?:{top})/[\w./*-]*[\w*](?![\w{{$(]|/[{{$(])", text)
    for path in (match.group(0).rstrip("./") for match in found):
        seen = [path, f"csrc/{path}", f"html/src/{path}", f"{here}/{path}", f"{pathlib.PurePath(here).parent}/{path}"]
        if not any(p in names or p in folders or "*" in p and fnmatch.filter(names, p) for p in seen):
            # build/ is not in the tree; NAME.sv and the like stand for any name; a program is named without its suffix.
            if not PLACEHOLDER.search(path) and not fnmatch.filter(names, path + ".*"):
                yield path


def anchors(text):
    return {re.sub(r"[^\w -]", "", line.lstrip("# ").lower()).replace(" ", "-") for line in text.split("\n") if line.startswith("#")}


def missing_links(page, text):
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        name, _, anchor = target.partition("#")
        if re.match(r"https?:", name):
            continue
        path = (page.parent / name).resolve() if name else page
        if not path.exists() or anchor and anchor not in anchors(path.read_text(encoding="utf-8")):
            yield target


def headings():
    return {page.name: [line.lstrip("# ") for line in page.read_text(encoding="utf-8").split("\n") if line.startswith("#")] for page in PAGES}


def missing_headings(text, known):
    """References such as: docs/x.md, "Title", that no heading of the page begins with."""
    for page, title in re.findall(r'([\w-]+\.md)`?\)?(?:\]\([^)]*\))?,\s+"([^"]+)"', text):
        if not any(heading.startswith(" ".join(title.split())) for heading in known.get(page, [])):
            yield f'{page}, "{title}"'


def code(text):
    """What stands in code: the lines of blocks, and what is between backquotes, a piece each."""
    for number, block in enumerate(re.split(r"^```.*$", text, flags=re.M)):
        if number % 2:
            yield from block.split("\n")
            continue
        yield from re.findall(r"^    (?! )(.*)$", block, flags=re.M)
        yield from re.findall(r"`([^`\n]+)`", block)


def makefile():
    """(targets, variables): what has a rule by name, and the last part of each path that the Makefile writes under build/."""
    text = "".join((ROOT / name).read_text(encoding="utf-8") for name in ["Makefile", *output("git", "ls-files", "*.mk").split()])
    rules = re.findall(r"^([a-z][a-z -]*?)\s*:(?![:=])", text, flags=re.M)
    built = re.findall(r"build/[^\s:;,]*/([\w.*%-]+)", re.sub(r"\$+\([^()]*\)|\$+[*<@]|\$\w+", "*", text))
    return {target for rule in rules for target in rule.split()} | {f"build/**/{name.replace('%', '*')}" for name in built if name.strip("*%.")}, set(
        re.findall(r"\$[({](\w+)", text)
    )


def missing_make(piece, targets, variables):
    """Targets and variables of a make command that the Makefile does not have."""
    match = re.match(r"make((?: [\w./=%'-]+)+)", piece)
    for word in match.group(1).split() if match else []:
        name, equals, _ = word.partition("=")
        if (
            equals
            and name not in variables
            or not equals
            and not any(fnmatch.fnmatch(word, target.replace("/**/", "/*/")) or fnmatch.fnmatch(word, target.replace("/**/", "/")) for target in targets)
        ):
            yield word


class Commands:
    """The options of each command of tipoff, by --help."""

    def __init__(self):
        listing = output("build/bin/tipoff", "--help")
        self.of = {name: self.options("build/bin/tipoff", name, "--help") for name in re.findall(r"^  ([a-z]+) {2,}\S", listing, flags=re.M)}
        self.of["linux"] |= self.of["run"]
        self.of["linux --perf"] = self.options("build/bin/tipoff", "linux", "--perf", "--help") | {"--perf"}
        for action in re.findall(r'\{"(\w+)", regions_', (ROOT / "csrc/cli/cmd_regions.c").read_text(encoding="utf-8")):
            self.of["regions"] |= self.options("build/bin/tipoff", "regions", action, "--help")
        self.every = set().union(*self.of.values(), self.options("build/bin/tipoff-cc", "--help"))

    @staticmethod
    def options(*command):
        return {"--", *re.findall(r"(?<![\w-])(-[a-zA-Z]|--[a-z][a-z-]*)(?![\w-])", output(*command))}

    def missing(self, piece):
        """Commands and options in a piece of code that --help does not list."""
        for name, rest in re.findall(r"(?<![\w./-])(?:build/bin/)?tipoff ([a-z]\w*)((?: [^|;&#>`]*)?)", "" if piece.startswith("make ") else piece):
            if name not in self.of:
                yield f"tipoff {name}"
                continue
            rest = re.sub(r"'[^']*'", "", rest).split(" -- ")[0]
            name += " --perf" * (name == "linux" and "--perf" in rest.split())
            for option in re.findall(r"(?<!\S)(--?[a-z][a-z-]*)", rest):
                if option not in self.of[name]:
                    yield f"tipoff {name} {option}"
            yield from (f"--config {value}" for value in re.findall(r"--config[ =]([a-z]\w*)(?![\w/])", rest) if value not in CONFIGS)


def links(page):
    """The pages that a page points at."""
    targets = re.findall(r"\]\(([^)\s#]+\.md)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    return [(page.parent / target).resolve() for target in targets if not re.match(r"https?:", target)]


def reached(first, steps):
    """The pages that one comes to from these in that many steps, these among them."""
    pages = set(first)
    for _ in range(steps):
        pages |= {target for page in pages for target in links(page) if target.exists()}
    return pages


def faults_of_pointer(page, text):
    """What is wrong with a page at an old path: it is one line that points at the page of its name in a folder, and nothing else."""
    match = re.fullmatch(r"Moved: \[docs/(\w+)/([\w-]+\.md)\]\((\w+)/([\w-]+\.md)\)\n", text)
    if not match:
        return ["is not one line 'Moved: [docs/FOLDER/PAGE.md](FOLDER/PAGE.md)'"]
    folder, name = match.group(1, 2)
    if match.group(3, 4) != (folder, name) or name != page.name:
        return ["points elsewhere than it says"]
    return [] if (ROOT / "docs" / folder / name).exists() else [f"docs/{folder}/{name} does not exist"]


class Docs(unittest.TestCase):
    def test_folders(self):
        """Each page stands in a folder of its kind of reader, and has a name of its own: sentences name pages without their folders."""
        self.assertEqual({page.parent.relative_to(ROOT / "docs").as_posix() for page in EVERY} - {"."}, set(FOLDERS))
        names = [page.name for page in PAGES]
        self.assertEqual(sorted(set(names)), sorted(names))
        self.assertGreater(len(names), 40)

    def test_doors(self):
        """README is short and leads to five doors, each a page of ten links at most; every page is within two steps of a door."""
        self.assertLessEqual(len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()), 120)
        self.assertEqual([door for door in links(ROOT / "README.md") if door in DOORS], DOORS)
        for door in DOORS:
            self.assertTrue(0 < len(links(door)) <= 10, f"{door.name}: {len(links(door))} links")
        self.assertLess(len(reached(DOORS, 0)), len(reached(DOORS, 1)))
        self.assertEqual([page.relative_to(ROOT).as_posix() for page in PAGES[1:] if page not in reached(DOORS, 2)], [])

    def test_old_paths(self):
        self.assertTrue(MOVED)
        self.assertEqual([(page.name, fault) for page in MOVED for fault in faults_of_pointer(page, page.read_text(encoding="utf-8"))], [])
        old = ROOT / "docs/glossary.md"
        self.assertEqual(faults_of_pointer(old, "Moved: [docs/reference/glossary.md](reference/glossary.md)\n"), [])
        for text in (
            "Moved: [docs/reference/glossary.md](reference/glossary.md)\nand more\n",
            "Moved: [docs/guide/glossary.md](guide/glossary.md)\n",
            "Moved: [docs/reference/glossary.md](reference/ctr.md)\n",
            "Moved: [docs/reference/ctr.md](reference/ctr.md)\n",
            "# Glossary\n",
        ):
            self.assertEqual(len(faults_of_pointer(old, text)), 1, text)

    def test_help_is_aligned(self):
        """Options begin in column 2 or 6, their text in column 29 or after them. argp loses count of columns where its buffer ends in a line: shift the text."""
        for name in sorted(set(Commands().of) - {"linux", "linux --perf", "sensitivity", "sweep"}):
            text = output("build/bin/tipoff", name, "--help")
            options = [line for block in text.split("\n\n") if block.startswith("  ") for line in block.split("\n") if line]
            self.assertGreater(len(options), 1, name)
            wrong = [line for line in options if not re.match(r"      --|  -\S, | {29}\S", line) or len(line) > 80]
            self.assertFalse(wrong, f"tipoff {name} --help")

    def test_the_checks_find_what_is_wrong(self):
        names, folders = {"rtl/core.sv", "docs/a.md", "csrc/profile/units.h"}, {".", "rtl", "docs", "csrc", "csrc/base"}
        self.assertEqual(
            list(missing_paths("see rtl/core.sv, rtl/cone.sv, profile/units.h, rtl/*.sv, rtl/*.c and rtl/NAME.sv", names, folders, "docs")),
            ["rtl/cone.sv", "rtl/*.c"],
        )
        self.assertEqual(
            list(missing_links(PAGES[0], "[a](docs/reference/glossary.md) [b](docs/none.md) [c](https://x.org) [d](docs/reference/glossary.md#nothing)")),
            ["docs/none.md", "docs/reference/glossary.md#nothing"],
        )
        self.assertEqual(list(missing_headings('a.md, "Two runs" b.md), "One"', {"a.md": ["Two runs, and more"], "b.md": ["Two"]})), ['b.md, "One"'])
        self.assertEqual(list(code("a `b c`\n\n    d\n```\ne\n```\n`f`")), ["d", "b c", "", "e", "", "f"])
        self.assertEqual(
            list(missing_make("make CONFIGS=wide8 buidl VAR=1 build/a/x build/y", {"build", "build/**/x"}, {"CONFIGS"})), ["buidl", "VAR=1", "build/y"]
        )
        self.assertEqual(
            list(Commands().missing("build/bin/tipoff run --perod 97 x.elf -- --its-own | tipoff nothing")), ["tipoff run --perod", "tipoff nothing"]
        )
        self.assertEqual(
            list(Commands().missing("tipoff linux --perf --show states --max-cycles 9 --config=tea5 -- ./a --b")),
            ["tipoff linux --perf --max-cycles", "--config tea5"],
        )

    def test_paths(self):
        names, folders = tracked()
        seen, wrong = 0, []
        for name in sorted(names):
            if name.startswith(MADE_UP) or name.endswith((".json", ".svg", ".tips")):
                continue
            try:
                text = (ROOT / name).read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue
            seen += 1
            wrong += [(name, path) for path in missing_paths(text, names, folders, str(pathlib.PurePath(name).parent))]
        self.assertFalse(wrong, "\n".join(map(str, wrong)))
        self.assertGreater(seen, 500)

    def test_links_and_headings(self):
        names, _ = tracked()
        known, number, wrong = headings(), 0, []
        for page in PAGES:
            text = page.read_text(encoding="utf-8")
            number += text.count("](")
            wrong += [(page.name, link) for link in missing_links(page, text)]
        self.assertGreater(number, 30)
        for name in sorted(names):
            if name.endswith((".md", ".c", ".h", ".py", ".sv", ".toml", ".tsv", "Makefile")) and not name.startswith(MADE_UP):
                text = re.sub(r"\n(?://|#) ?", " ", (ROOT / name).read_text(encoding="utf-8"))
                wrong += [(name, heading) for heading in missing_headings(text, known)]
        self.assertFalse(wrong, "\n".join(map(str, wrong)))

    def test_make(self):
        targets, variables = makefile()
        pieces = [(page.name, piece) for page in PAGES for piece in code(page.read_text(encoding="utf-8"))]
        self.assertGreater(sum(piece.startswith("make ") for _, piece in pieces), 30)
        self.assertEqual([(name, piece, word) for name, piece in pieces for word in missing_make(piece, targets, variables)], [])

    def test_commands(self):
        commands, number, wrong = Commands(), 0, []
        sources = [n for n in tracked()[0] if n.startswith(("scripts/", "tests/")) and n.endswith((".py", ".sh", ".mjs")) and not n.startswith(MADE_UP)]
        scripts = "".join((ROOT / n).read_text(encoding="utf-8") for n in sources)
        workers = re.findall(r"^[+ ] (\S+)", output("build/bin/tipoff", "workers"), flags=re.M)
        # The list has no names of tests that are not built: these are named by their files.
        tests = output("python3", "scripts/run_tests.py", "--list") + " ".join(tracked()[0])
        for page in PAGES:
            for piece in code(page.read_text(encoding="utf-8")):
                number += "tipoff " in piece
                bad = list(commands.missing(piece))
                bad += [name for name in re.findall(r"--worker[ =]([a-z][\w-]*)", piece) if name not in workers]
                named = re.findall(r"run_tests.py --only ([a-z][\w/-]*)|^--only ([a-z][\w/-]*)|\bONLY=([a-z][\w/-]*)", piece)
                bad += ["".join(name) for name in named if "".join(name).islower() and "".join(name) not in tests]
                option = re.match(r"--[a-z][a-z-]*", piece)
                if option and option.group(0) not in commands.every | FOREIGN.keys() and not re.search(rf"[\"' |(]{option.group(0)}\b", scripts):
                    bad.append(option.group(0))
                wrong += [(page.name, piece, word) for word in bad]
        self.assertGreater(number, 100)
        self.assertFalse(wrong, "\n".join(map(str, wrong)))


if __name__ == "__main__":
    unittest.main()
