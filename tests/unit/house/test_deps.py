#!/usr/bin/env python3
"""scripts/deps.tsv is what the sources use: each command, header, library and module of a target of make belongs to a package of that target,
each package of a target is used there; and scripts/deps.sh says in one line what it does, or cannot do.

Uses are read from recipes, from the scripts that they and the suite's groups call, from what those import and call, and from includes.
A command that is none of ours, of no row and not of Debian's base system is a fault; which package it belongs to, dpkg says.
"""
import ast
import fnmatch
import functools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts"))
from suite import groups  # noqa: E402

# Which target is the first to need what a makefile's file rules make: the first row whose makefile and target fit.
BUILT_FOR = (
    ("csrc/csrc.mk", r"SYSTEMC|systemc", "systemc"),
    ("csrc/csrc.mk", r"UNIT_|TSAN", "test"),
    ("csrc/csrc.mk", r"FUZZ", "fuzz"),
    ("rtl/rtl.mk", r"COVERAGE", "coverage"),
    ("rtl/rtl.mk", r"BENCH_RUNTIME|unit/rtl|rivals", "test"),
    ("html/html.mk", r"", "html"),
    ("attach/attach.mk", r"", "test"),
    ("scripts/linux/linux.mk", r"", "linux"),
    ("scripts/package/package.mk", r"", "install"),
    ("tests/kernels/kernels.mk", r"", "kernels"),
    ("tests/workloads/workloads.mk", r"build/tests", "test"),
    ("tests/workloads/workloads.mk", r"", "run"),
    ("tests/*", r"", "test"),
    ("sim/*", r"", "run"),
    ("*", r"", "run"),
)
# Which target compiles a folder's C and C++.
COMPILED_FOR = (
    ("harness/systemc/*", "systemc"),
    ("csrc/*", "run"),
    ("harness/*", "run"),
    ("scripts/coverage/*", "coverage"),
    ("tests/unit/*", "test"),
    ("tests/isa/*", "test"),
    ("tests/exports/*", "test"),
    ("tests/attach/*", "test"),
)
# Targets that another one's recipe makes.
WITHIN = {"formal-wide": "formal", "formal-others": "formal", "need-html": "test", "need-installed": "test", "tested-attach": "test"}
# What a target imports, and does not call: release.py takes functions of the flow and of the proofs, and with --no-verilog none that runs yosys.
IMPORTED = {"ip": {"sta", "z3"}, "overhead": {"z3"}, "lint-rtl": {"npm", "sta", "yosys", "yosys-smtbmc", "z3"}}
ASKING = ("scripts/deps.sh", "tests/unit/house/test_deps.py")  # they name packages and commands, and use none
COMMAND = "tipoff-cc"  # a row's target that is none of make's
# Of git and make, which a person has; of compilers, which have their libraries' headers with them.
BASE = {"git", "make", "mawk", "apt", "libc6-dev", "linux-libc-dev", "libstdc++-12-dev", "libgcc-12-dev", "libclang-common-14-dev"}
SHELL_POSITION = re.compile(
    r"(?:^|[|;&(`!{]|\b(?:then|do|else|exec|env|logged|time|if|while|eval)\b|\bsh -c '|\bnice -n \d+|\bchrt -i 0|\bxargs(?: -\w(?: ?(?:\d+|\$\([^()]*\)))?)*|\bcommand -v)"
    r"\s*[@+]*\s*(?:\w+=(?:\"[^\"]*\"|'[^']*'|\$\([^()]*\)|\S)*\s+)*\"?"
    r"(?!(?:if|then|do|else|elif|while|until|for|case|exec|env|eval|fi|done|esac|in|nice|chrt|xargs|command|logged|time)\b)([A-Za-z][\w.+-]*)(?=[\s\";)&|]|$)",
    re.MULTILINE,
)


@functools.cache
def tracked():
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in listed.stdout.split("\n") if name and (ROOT / name).exists()]


@functools.cache
def text_of(name):
    return (ROOT / name).read_text(encoding="utf-8")


def table(text):
    """[(package, targets, gives, why)]."""
    rows = [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]
    return [(package, targets.split(), gives.split(), why) for package, targets, gives, why in rows[1:]]


ROWS = table(text_of("scripts/deps.tsv"))
GIVES = {give for _, _, gives, _ in ROWS for give in gives if not give.startswith("~")}
PREFIXES = {give[: give.rindex("-") + 1] for give in GIVES if give.startswith("riscv64-")}


# Also words of everyday: names of a command only where one stands.
PLAIN = {give for give in GIVES if re.fullmatch(r"[a-z]{2,6}", give)} - {"numpy", "yaml", "yosys"}
SPECIAL = GIVES - PLAIN
FILES = {give for give in GIVES if give.startswith("/")}


def packages_of(target, rows):
    """The rows of a target, with those of the targets that it includes."""
    found, todo, seen = [], [target], set()
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen.add(name)
        for row in rows:
            if name in row[1]:
                if row[0].startswith("@"):
                    todo.append(row[0][1:])
                else:
                    found.append(row)
    return found


def including(target, rows):
    """A target, and all that have its rows."""
    found, todo = set(), [target]
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo += [other for package, names, _, _ in rows if package == f"@{name}" for other in names]
    return found


# ---- what a text uses ----
def shell_words(text):
    """Words where a command stands, with variables that hold one word put in."""
    text = re.sub(r"<< *'?EOF'?\n[\s\S]*?\nEOF$|\$\(foreach \w+,|\$\(if [^,]*,", "", re.sub(r"\\\n\s*", " ", text), flags=re.MULTILINE)
    text = re.sub(r"\bawk '[^']*'", "awk", re.sub(r"(^|\s)#.*", r"\1", text))  # awk's words are none of the shell's
    for name, value in re.findall(r"^\s*(\w+)=([\w./-]+)$", text, flags=re.MULTILINE):
        text = re.sub(rf"\$\{{{name}\}}|\${name}\b", value, text)
    return set(SHELL_POSITION.findall(text))


def uses_of_shell(text):
    words = shell_words(text)
    paths = {give for give in GIVES if give.startswith("/") and re.search(rf"(?<![\w/]){re.escape(give)}", text)}
    options = {give for give in GIVES if give.startswith("-") and re.search(rf"(?<!\S){re.escape(give)}(?!\S)", text)}
    return (words & GIVES) | paths | options | ({"picolibc.specs"} if "picolibc.specs" in text else set()), words


@functools.cache
def nodes_of(text):
    """All nodes of a Python file: to parse it, and to walk it, are most of this test's time."""
    return list(ast.walk(ast.parse(text)))


def uses_of_python(text):
    """(what of GIVES it names, commands that it calls by subprocess)."""
    prose = {
        id(node.body[0].value)
        for node in nodes_of(text)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and node.body and isinstance(node.body[0], ast.Expr)
    }
    found, called = set(), set()
    for node in nodes_of(text):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names} & GIVES
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found |= {node.module.split(".")[0]} & GIVES
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            found |= {node.value} & SPECIAL
            found |= {f"{node.value}gcc"} & GIVES if node.value in PREFIXES else set()
            found |= {give for give in FILES if node.value.startswith(give)}
            first = node.value.split(" ")[0]
            found |= {first} & GIVES if "-" in first else set()
        if isinstance(node, (ast.List, ast.Call)):
            words = getattr(node, "elts", None) or getattr(node, "args", [])
            found |= {words[0].value} & GIVES if words and isinstance(words[0], ast.Constant) and isinstance(words[0].value, str) else set()
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and getattr(node.func.value, "id", "") == "subprocess" and node.args:
            words = getattr(node.args[0], "elts", [])
            if words and isinstance(words[0], ast.Constant) and "/" not in str(words[0].value):
                called.add(words[0].value)
    return found, called


def uses_of_script(text):
    """Of a .mjs: strings that belong to GIVES."""
    strings = set(re.findall(r'"([^"\n]*)"', text))
    return (strings & GIVES) | {give for give in GIVES if give.startswith("/") and any(s.startswith(give) for s in strings)}


@functools.cache
def uses_of_file(name):
    """(of GIVES, commands) of one file, without what it calls."""
    text = text_of(name)
    if name.endswith(".py"):
        found, called = uses_of_python(text)
        return found | {"python3"}, called
    if name.endswith(".mjs"):
        return uses_of_script(text), set()
    return uses_of_shell(text)


@functools.cache
def modules():
    found = {}
    for name in tracked():
        if name.endswith(".py"):
            path = pathlib.PurePath(name)
            found.setdefault(path.parent.name if path.name == "__init__.py" else path.stem, []).append(name)
    return found


@functools.cache
def called_by(name):
    """Files that a file imports, or names by their paths."""
    text, here, found = text_of(name), str(pathlib.PurePath(name).parent), set()
    if name.endswith(".py"):
        for node in nodes_of(text):
            wanted = []
            if isinstance(node, ast.Import):
                wanted = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                wanted = [
                    node.module,
                    *(
                        f"{node.module}.{alias.name}"
                        for alias in node.names
                        if len(modules().get(node.module, [])) == 0 or "/__init__.py" in str(modules()[node.module])
                    ),
                ]
            for module in wanted:
                files = modules().get(module.split(".")[-1], [])
                files = [f for f in files if f.startswith(here + "/")] or [f for f in files if not f.startswith("tests/")] or files
                found |= set(files if len(files) == 1 else [])
            if isinstance(node, ast.Constant) and node.value in ("sweep", "sensitivity"):  # `tipoff sweep`
                found |= {f for f in tracked() if f.startswith(f"python/{node.value}/")}
        strings = (node.value for node in nodes_of(text) if isinstance(node, ast.Constant) and isinstance(node.value, str))
        words = {value for value in strings if not re.search(r"\s", value)}  # none of a message
        if ".py" in words:  # of an f-string, for names of this folder
            words |= {f"{word}.py" for word in words if f"{here}/{word}.py" in tracked()}
        code = "\n".join(words)
    else:
        code = re.sub(r"^\s*(#|//).*", "", text, flags=re.MULTILINE)
    for path in re.findall(r"[\w./{}-]+\.(?:py|sh|mjs)\b", code):
        whole = [f for f in (path.lstrip("./"), f"{here}/{path}") if f in tracked()] or [
            f for f in tracked() if "/" in path and f.endswith("/" + path.lstrip("/."))
        ]
        found |= set(whole[:1])
    return found - {name}


def closure(names):
    seen, todo = set(ASKING), list(names)
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo += called_by(name)
    return seen - set(ASKING)


# ---- what the makefiles say ----
def without_sanitizers(text):
    while (start := text.find("$(if $(SAN),")) >= 0:
        depth, end = 0, start
        while True:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
            if depth == 0 and text[end - 1] == ")":
                break
        text = text[:start] + text[end:]
    return text


@functools.cache
def makefiles():
    return {name: without_sanitizers(re.sub(r"\\\n\s*", " ", text_of(name))) for name in tracked() if name == "Makefile" or name.endswith(".mk")}


@functools.cache
def variables():
    found = {}
    for text in makefiles().values():
        for name, value in re.findall(r"^([A-Z_]+) *[:?]?= *(.*)$", text, flags=re.MULTILINE):
            found.setdefault(name, value)
    return {**found, "PYTHON": "python3", "HTML_PAGE_TOO": ""}  # asks whether npm exists


def expanded(text):
    for _ in range(6):
        text = re.sub(r"\$+\((\w+)(?:_\$\(\w+\))?\)", lambda match: "" if match[1] == "MAKE" else variables().get(match[1], match[0]), text)
    return re.sub(r"\$+\(\w+\)", "", text)


def rules(text):
    """[(targets, prerequisites, recipe)] of a makefile."""
    found = []
    for block in re.findall(r"^((?!\s|#|define|ifn?|export)[^\n=]+?):(?![:=])([^\n]*)\n((?:\t[^\n]*\n?|else\n|endif\n)*)", text, flags=re.MULTILINE):
        found.append((block[0], block[1], "\n".join(line.lstrip("\t@+-") for line in block[2].split("\n"))))
    return found


@functools.cache
def targets():
    """{target: (prerequisites, recipe)} of those that people type."""
    found = {}
    names = {word for text in makefiles().values() for line in re.findall(r"^TARGETS \+?:?= (.*)$", text, flags=re.MULTILINE) for word in line.split()}
    for text in makefiles().values():
        for heads, before, recipe in rules(text):
            for head in heads.split():
                if head in names:
                    old = found.get(head, ("", ""))
                    found[head] = (old[0] + " " + before, old[1] + "\n" + recipe)
    return found


def commented():
    """Targets that `make help` lists."""
    return set(re.findall(r"^##-? +([a-z0-9-]+): ", "\n".join(makefiles().values()), flags=re.MULTILINE))


def scripts_of(recipe):
    return {path for path in re.findall(r"[\w./-]+\.(?:py|sh|mjs)\b", recipe) if path in tracked()}


def groups_of_suite():
    """[(group, whether the suite runs any of it, commands)]."""
    found = []
    for group in groups.load(ROOT / "tests/suite.toml")["group"]:
        texts = {False: "", True: ""}
        for test in groups.expand(group):
            texts[groups.in_part(group.get("short"), test.name, groups.SUITE)] += (
                group["command"] if test.name.endswith(groups.EMPTY) else test.command
            ) + "\n"
        found += [(group, suite, text) for suite, text in texts.items() if text]
    return found


@functools.cache
def uses_by_target():
    """{target: {use: where}}, and {command: where} of all."""
    uses, words = {}, {}

    def add(target, found, called, where):
        target = WITHIN.get(target, target)
        for use in found:
            uses.setdefault(target, {}).setdefault(use, where)
        for word in called:
            words.setdefault(word, where)

    for target, (_, recipe) in targets().items():
        add(target, *uses_of_shell(expanded(recipe)), f"make {target}")
        if target not in ("test", "test-only", "test-all"):  # their scripts are the suite's groups, below
            for name in closure(scripts_of(recipe)):
                add(target, *uses_of_file(name), name)
    for name, text in makefiles().items():
        for heads, _, recipe in rules(text):
            if not any(head in targets() for head in heads.split()):
                target = next(t for file, pattern, t in BUILT_FOR if fnmatch.fnmatch(name, file) and re.search(pattern, heads))
                add(target, *uses_of_shell(expanded(recipe)), f"{name}: {heads}")
                for script in closure(scripts_of(recipe)):
                    add(target, *uses_of_file(script), script)
    for group, suite, text in groups_of_suite():
        extra = [need.removeprefix("deps-") for need in group.get("needs", []) if need.startswith("deps-")]
        target = extra[0] if extra else "test" if suite else "test-all"
        if "optional" in group:
            continue
        add(target, *uses_of_shell(text), f"tests/suite.toml: {group['name']}")
        for name in closure(scripts_of(text)):
            add(target, *uses_of_file(name), f"{name} (tests/suite.toml: {group['name']})")
    add(COMMAND, *uses_of_shell(text_of("runtime/tipoff-cc")), "runtime/tipoff-cc")
    for name in tracked():
        target = next((t for pattern, t in COMPILED_FOR if fnmatch.fnmatch(name, pattern)), None)
        if target and name.endswith((".c", ".h", ".cpp")):
            found = set(re.findall(r"^#include <([\w./+-]+)>", text_of(name), flags=re.MULTILINE))
            add(target, found & GIVES, (), name)
            add("lint-c", (found & GIVES) if target != "systemc" else (), (), name)
    return uses, words


def lacking(uses, rows):
    """Uses that no package of their target gives."""
    for target, found in sorted(uses.items()):
        given = {give.lstrip("~") for _, _, gives, _ in packages_of(target, rows) for give in gives}
        for use, where in sorted(found.items()):
            if use not in given | IMPORTED.get(target, set()):
                yield f"{target}: {use} ({where}): in scripts/deps.tsv no package of {target} gives it"


def idle(uses, rows):
    """Rows whose package a target, and those that include it, do not use."""
    for package, names, gives, _ in rows:
        for target in names:
            if package.startswith("@"):
                if not any(package[1:] in row[1] for row in rows):
                    yield f"{package}: no row names {package[1:]}"
            elif not any(give.startswith("~") or give in uses.get(other, {}) for give in gives for other in including(target, rows)):
                yield f"{package}: nothing that make {target} runs uses {' '.join(gives)}"


class Table(unittest.TestCase):
    maxDiff = None

    def test_uses_are_given(self):
        uses, _ = uses_by_target()
        self.assertEqual(list(lacking(uses, ROWS)), [])
        self.assertGreater(sum(map(len, uses.values())), 100)
        self.assertEqual({target: names - set(uses[target]) for target, names in IMPORTED.items()}, {target: set() for target in IMPORTED})

    def test_rows_are_used(self):
        self.assertEqual(list(idle(uses_by_target()[0], ROWS)), [])

    def test_the_checks_find_what_is_wrong(self):
        rows = table("package\ttargets\tgives\twhy\nclang\trun\tclang\tx\n@run\ttest\t\t\nlld\ttest\tld.lld\tx\n")
        self.assertEqual([row[0] for row in packages_of("test", rows)], ["lld", "clang"])
        self.assertEqual(len(list(lacking({"run": {"clang": "a", "ld.lld": "b"}, "test": {"clang": "c"}}, rows))), 1)
        self.assertEqual(len(list(idle({"run": {}, "test": {"ld.lld": "c"}}, rows))), 1)
        self.assertEqual(
            shell_words('cross=riscv64-\nA=1 make x | xz -d && $(tar x; "${cross}gcc" y) # bc\nif cmp a b; then nice -n 10 flex; fi'),
            {"make", "xz", "tar", "riscv64-gcc", "cmp", "flex"},
        )
        found, called = uses_of_python(
            '"""verilator"""\nimport subprocess, numpy\nsubprocess.run(["timeout", "9", "yosys-smtbmc", "z3"])\nX = "riscv64-linux-gnu-"\n'
        )
        self.assertEqual((found, called), ({"numpy", "yosys-smtbmc", "z3", "riscv64-linux-gnu-gcc"}, {"timeout"}))

    def test_no_command_is_of_no_row(self):
        """Commands of this machine that the sources call come from the base system or a row."""
        _, words = uses_by_target()
        paths = {word: path for word in words if (path := shutil.which(word, path="/usr/bin:/bin:/usr/sbin:/sbin")) and word not in GIVES}
        names = {name for path in paths.values() for name in (path, "/usr" + path, path.removeprefix("/usr"), os.path.realpath(path))}
        listed = subprocess.run(["dpkg-query", "-S", *sorted(names)], capture_output=True, text=True, check=False).stdout
        owners = {path: owner.split(",")[0].split(":")[0] for owner, path in re.findall(r"^([^\s:]\S*): (\S+)$", listed, flags=re.MULTILINE)}
        status = subprocess.run(["dpkg-query", "-W", "-f", "${Package} ${Essential} ${Priority}\n"], capture_output=True, text=True, check=True).stdout
        base = BASE | {line.split()[0] for line in status.splitlines() if line.endswith((" yes", " required")) or " yes " in line}
        wrong = []
        for word, path in sorted(paths.items()):
            owner = next((owners[p] for p in (path, path.removeprefix("/usr"), "/usr" + path, os.path.realpath(path)) if p in owners), "nobody")
            if owner not in base:
                wrong.append(f"{word} ({words[word]}): of {owner}, which is no row of scripts/deps.tsv")
        self.assertEqual(wrong, [])

    def test_gives_are_of_their_package(self):
        """Where a package is installed, it has what its row says."""
        names = [row[0] for row in ROWS if not row[0].startswith("@")]
        self.assertEqual(len(names), len(set(names)), "a package stands twice")
        there = subprocess.run(["dpkg-query", "-W", "-f", "${db:Status-Status} ${Package}\n", *names], capture_output=True, text=True, check=False).stdout
        checked = 0
        for package, _, gives, _ in ROWS:
            if f"\ninstalled {package}\n" not in "\n" + there:
                continue
            files = subprocess.run(["dpkg-query", "-L", package], capture_output=True, text=True, check=True).stdout.split("\n")
            for give in (give.lstrip("~") for give in gives):
                name = give.partition("=")[2].replace("thread", "tsan")
                runtime = f"/libclang_rt.{name}-{os.uname().machine}.a"
                ends = {"-l": (f"/lib{give[2:]}.so", f"/lib{give[2:]}.a"), "-f": (f"/ld.{name}", runtime)}.get(give[:2], (f"/{give}",))
                self.assertTrue(any(f.startswith(give) if give.startswith("/") else f.endswith(ends) for f in files), f"{package} has no {give}")
                checked += 1
        self.assertGreater(checked, 40)

    def test_every_target_asks(self):
        """A target that `make help` lists asks for its packages, and the table knows it."""
        known = {name for row in ROWS for name in row[1]}
        for target in sorted(commented() - {"help", "clean", "deps"}):
            self.assertIn(f"deps-{target}", targets()[target][0].split() + re.findall(r"deps-[a-z-]+", targets()[target][1]), f"make {target}")
            self.assertIn(target, known, "scripts/deps.tsv")
        self.assertEqual(
            known - set(targets()) - {COMMAND} - {name for name in known if name.startswith("test-")}, set(), "targets of scripts/deps.tsv that make has not"
        )


class Script(unittest.TestCase):
    """scripts/deps.sh with a dpkg-query and an apt-get of the test's."""

    def setUp(self):
        self.tree = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        for name in ("scripts", "bin", "fake"):
            (self.tree / name).mkdir()
        for name in ("scripts/deps.sh", "scripts/deps.tsv"):
            shutil.copy(ROOT / name, self.tree / name)
        for name in "awk bash cat cut dirname env flock grep id mkdir sed sort tail".split():
            (self.tree / "bin" / name).symlink_to(shutil.which(name))
        self.fake("id", "echo 0")
        self.fake("dpkg-query", 'echo "$@" >> calls; for name in "${@:4}"; do [ "$name" = lld ] || printf "installed/%s " "$name"; done; exit 1')
        self.fake(
            "apt-get", 'echo "$@" >> apt; case "$*" in *--assume-no*) echo "0 upgraded, 7 newly installed,"; echo "Need to get 40.5 MB of archives.";; esac'
        )

    def fake(self, name, body):
        path = self.tree / "bin" / name
        path.unlink(missing_ok=True)
        path.write_text(f"#!{shutil.which('bash')}\n{body}\n", encoding="utf-8")
        path.chmod(0o755)

    def said(self, *words):
        done = subprocess.run(
            [self.tree / "scripts/deps.sh", *words], env={"PATH": str(self.tree / "bin")}, capture_output=True, text=True, check=False, timeout=30
        )
        return done.returncode, done.stdout, done.stderr

    def test_nothing_missing(self):
        self.assertEqual(self.said("run"), (0, "", ""))
        self.assertEqual(len((self.tree / "calls").read_text(encoding="utf-8").splitlines()), 1)
        self.assertFalse((self.tree / "apt").exists())

    def test_missing(self):
        status, out, err = self.said("--check", "test")
        self.assertEqual((status, out.count("\n"), err), (1, 1, ""))
        self.assertIn("lld (links unit tests)", out)
        self.assertFalse((self.tree / "apt").exists())
        status, out, err = self.said("test")
        self.assertEqual((status, out, err), (0, "make test: installs lld (links unit tests): 7 packages, 40.5 MB to load\n", ""))
        self.assertTrue((self.tree / "apt").read_text(encoding="utf-8").splitlines()[-1].endswith("--no-install-recommends lld"))

    def test_no_network(self):
        self.fake("apt-get", 'case "$*" in *update*) exit 0;; esac; echo "E: Unable to locate package lld"; exit 100')
        status, out, err = self.said("test")
        self.assertEqual((status, out.count("\n"), err.count("\n")), (1, 1, 1))
        self.assertIn("make test lacks lld, and apt-get cannot fetch them: check the network", err)

    def test_no_network_and_old_lists(self):
        """apt-get update ends with status 0 where it fetches nothing."""
        self.fake("apt-get", 'case "$*" in *update*) echo "W: Failed to fetch http://deb.debian.org/x"; exit 0;; esac; echo "E: Failed to fetch y"; exit 100')
        status, out, err = self.said("test")
        self.assertEqual((status, out, err.count("\n")), (1, "", 1))
        self.assertIn("make test lacks lld, and apt-get cannot fetch them", err)

    def test_no_root(self):
        self.fake("id", "echo 1000")
        status, out, err = self.said("test")
        self.assertEqual((status, out), (1, ""))
        self.assertEqual(err, "scripts/deps.sh: make test lacks packages, and here is no sudo: run as root: apt-get install --no-install-recommends lld\n")
        self.fake("sudo", 'echo "$@" >> sudo; "$@"')
        self.assertEqual(self.said("test")[0], 0)
        self.assertEqual(len((self.tree / "sudo").read_text(encoding="utf-8").splitlines()), 2)

    def test_no_debian(self):
        (self.tree / "bin/dpkg-query").unlink()
        status, out, err = self.said("run")
        self.assertEqual((status, out, err.count("\n")), (1, "", 1))
        self.assertIn("no Debian; run needs, by Debian's names: python3 ", err)

    def test_wrong_words(self):
        for words, text in (
            (("tset",), "no target tset; there are: all advice"),
            ((), "which target?"),
            (("--bad",), "no option --bad"),
            (("--list", "run"), "stands alone"),
        ):
            status, out, err = self.said(*words)
            self.assertEqual((status, out, err.count("\n")), (2, "", 1), words)
            self.assertIn(text, err)
        self.assertEqual(self.said("--list")[1].count("\n"), len(ROWS) + 1)


if __name__ == "__main__":
    unittest.main()
