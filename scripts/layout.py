#!/usr/bin/env python3
"""Write docs/layout.md: every file of the tree with the first sentence of its own header.

    scripts/layout.py          write docs/layout.md
    scripts/layout.py --check  status 1 if docs/layout.md is out of date or a file has no header
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROOMS = {
    "tables": "facts, each stated once; generated from: SystemVerilog, C, docs",
    "tables/measured": "what instructions cost on a core, as measured there: docs/instruction-tables.md",
    "tables/config": "one complete, named, validated core configuration a file",
    "rtl": "synthesizable; folder order = pipeline order",
    "rtl/pkg": "types that travel between rooms",
    "rtl/prim": "leaf primitives and the assertion macro",
    "rtl/fetch": "fetch: instruction cache, predictors, fetch target queue, fetch buffer",
    "rtl/decode": "decode, with the compressed forms",
    "rtl/rename": "map table, free list, snapshots",
    "rtl/dispatch": "who may enter the window",
    "rtl/issue": "issue queues, register file",
    "rtl/execute": "functional units",
    "rtl/lsu": "load and store queues, L1 data cache, MSHRs, AMOs, devices",
    "rtl/commit": "reorder buffer",
    "rtl/csr": "control and status registers",
    "rtl/profile": "what users come for, usable without our core",
    "rtl/profile/rivals": "the profilers that TIP is compared with, as units: docs/rivals.md",
    "rtl/soc": "the tile on AXI4: docs/axi.md",
    "sim": "the simulated machine around the core",
    "sim/rivals": "those units on one bundle, for worker rivals",
    "harness": "drives a Verilator model from C",
    "attach": "the units on cores that are not ours: one folder a core",
    "attach/inorder": "an in-order core with commit ports, its adapter and its model",
    "attach/boom": "SonicBOOM: adapter and bind, for those who have its Verilog",
    "tests/attach/boom": "the adapter on a stub with BOOM's names",
    "attach/answers": "programs with known answers, one for each state of a cycle",
    "harness/systemc": "the tile as a SystemC module: docs/systemc.md",
    "csrc": "C libraries; each knows only those before it in the list of docs",
    "html": "the page of HTML reports, bundled into one file: `make html`",
    "html/src": "what the page knows: its data, sums over it, its state",
    "html/src/ui": "what views are made of",
    "html/src/views": "the views, a file each",
    "html/style": "how it looks, on a screen and on paper",
    "csrc/methods/hbbp": "hybrid basic block profiling, and mixes of instructions: docs/mix.md",
    "csrc/methods/profileme": "what software makes of ProfileMe's records: docs/profileme-software.md",
    "csrc/methods/gus": "Gus, a model of resources: docs/gus.md",
    "scripts/instruction_tables": "what each instruction costs, measured on the RTL: docs/instruction-tables.md",
    "scripts/hbbp": "the rule of hybrid basic block profiling learned, and its errors measured: docs/mix.md",
    "tables/taxonomies": "classes of instructions for `tipoff mix --taxonomy`",
    "scripts/gus": "how far Gus is from the core: docs/gus.md",
    "csrc/guest": "Linux on the machine: booted, and handed a program",
    "python": "tipoff's files in Python: docs/python.md",
    "html": "the page of `tipoff report --format html`",
    "scripts": "generators, installers, drivers",
    "scripts/generate": "what scripts/gen.py is made of: a module a table, a row in exports.py a generated file",
    "scripts/cases": "case studies: `make cases`",
    "scripts/evaluation": "all profilers on all programs: `make evaluation`",
    "scripts/linux": "the guest: kernel configuration, init, and what fetches and builds them",
    "scripts/programs": "programs of Debian's source packages: built, given work, measured",
    "scripts/programs/work": "what some of them are given to do",
    "scripts/ip": "the release folder of the profiling units: `make ip`",
    "scripts/overhead": "what the profiling units cost: `make overhead`",
    "scripts/overhead/rtl": "what is measured beside the units themselves: a wrapper, and the yardsticks of a cycle",
    "tests": "mirrors rtl/ and csrc/",
    "tests/kernels": "PolyBench's thirty computations, and `make kernels`",
    "docs": "guides",
}
BARE = {"tests/.clang-tidy": "what of the style checks tests are free of",
    "tests/unit/samples/version1.tips": "a sample file of version 1, which has to stay readable",".editorconfig": "editor settings", ".gitignore": "what is built is not committed", "LICENSE": "Apache-2.0", "README.md": "what, one picture, two commands, one real result",
        "docs/layout.md": "this page, written by scripts/layout.py", ".clang-format": "C style",
        "scripts/ip/fusesoc.core.in": "the release's core file of FuseSoC, whose first line is not a comment", "scripts/synth/package-lock.json": "the exact npm packages of the synthesis check",
        "html/package-lock.json": "the exact npm packages of HTML reports and their tests"}


def files():
    names = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    return sorted(n for n in set(names) if n and (ROOT / n).exists())


def summary(name):
    if re.fullmatch(r"tests/unit/rtl/\w+/config", name):
        return "the configuration that this test is built with, where it is not small2"
    if name in BARE:
        return BARE[name]
    try:
        head = (ROOT / name).read_text(encoding="utf-8").split("\n")[:12]
    except UnicodeDecodeError:
        return "binary"
    if name.endswith(".json"):
        match = re.search(r'"description": "([^"]+)"', "\n".join(head))
        return match.group(1) if match else None
    if name.endswith(".csv") and (ROOT / name).with_suffix(".svg").exists():
        return f"the numbers of {pathlib.PurePath(name).stem}.svg"
    if name.endswith(".md"):
        return next((l.lstrip("# ") for l in head if l.startswith("#")), None)
    for line in head:
        text = line.strip()
        if text.startswith(("#!", "<?xml")) or text in ("", "/*", "/**") or text.startswith("`verilator_config"):
            continue
        if name.endswith((".c", ".h", ".cpp")) and text.startswith("#"):
            return None  # a directive of C, not a comment
        match = re.match(r'(?://+|#|<!--|/\*+|\*|"""|\'\'\'|--)\s*(.+?)(?:\*/|"""|-->)?$', text)
        if not match:
            return None
        sentence = re.match(r"(.+?[.;])(?:\s|$)", match.group(1) + " ")
        return (sentence.group(1) if sentence else match.group(1)).rstrip(".;: ")
    return None


def page():
    lines = ["# Layout: every file, one line", "", "Written by scripts/layout.py from the files' own headers."]
    bare, folder = [], None
    for name in sorted(files(), key=lambda n: (str(pathlib.PurePath(n).parent), n)):
        parent = str(pathlib.PurePath(name).parent)
        if parent != folder:
            folder = parent
            lines += ["", f"## {parent}/" + (f": {ROOMS[parent]}" if parent in ROOMS else "") if parent != "." else "## top"]
        text = summary(name)
        if not text:
            bare.append(name)
        lines.append(f"- `{pathlib.PurePath(name).name}`: {text}")
    return "\n".join(lines) + "\n", bare


def main():
    text, bare = page()
    target = ROOT / "docs" / "layout.md"
    for name in bare:
        print(f"scripts/layout.py: {name} has no header that says its job; begin it with a comment of one sentence", file=sys.stderr)
    if "--check" in sys.argv:
        if not target.exists() or target.read_text(encoding="utf-8") != text:
            print("scripts/layout.py: docs/layout.md is out of date; run scripts/layout.py", file=sys.stderr)
            return 1
        return 1 if bare else 0
    target.write_text(text, encoding="utf-8")
    return 1 if bare else 0


if __name__ == "__main__":
    sys.exit(main())
