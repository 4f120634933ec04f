#!/usr/bin/env python3
"""A release folder of the profiling units that needs nothing else of this tree: `make ip`.

    scripts/ip/release.py [--prefix tipoff] [--lanes 4] [--rob 192] [--counters 29] [--tea 1] [--no-verilog] FOLDER

Packages, modules, files and macros begin with the prefix, so that they clash with nobody's; two releases with different prefixes are two units,
of different widths say, in one chip. What is in the folder: its README.md. FOLDER must not exist, or be a release.
"""
import argparse
import pathlib
import re
import shutil
import string
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(ROOT / "scripts/formal"), str(ROOT / "scripts/overhead")]
import flow  # noqa: E402
import proofs  # noqa: E402
from prove import packages  # noqa: E402

MARK = "profile.f"  # a folder that has it, and nothing but what is released, is a release
TYPES = ("word_t", "priv_e", "csr_req_t")  # all that the units need of core_pkg
RULES = ["sim/bundle_rules.sv", "sim/blame_rule.sv"]
KIT = ["attach/psv_table.sv"]  # what an adapter may want beside the units
PLACES = {name: place for place, names in (("check", RULES), ("kit", KIT), ("proofs", proofs.SPECIFICATION)) for name in names}
# docs/guide/integration.md, as it reads where this tree is not: sentences that name what is not released.
RELEASED = (
    (
        "whose `where` in `tables/csrs.tsv` is `pmu` or `tip_csrs` (`csrs_pkg::csr_in_pmu`, `csr_in_tip_csrs`) here",
        "of `csrs_pkg::csr_in_pmu` and `csrs_pkg::csr_in_tip_csrs` here",
    ),
    (
        " With `profile.window` = 1 route those of `csr_window`, and with `profile.ctr_depth` those of `ctr`, too (`docs/reference/ctr.md`), with `profile.triggers` those of `sdtrig` (`docs/reference/triggers.md`).",
        "",
    ),
    ("`rtl/tile.sv` is the worked example: our core and `profile_top`, 60 lines. ", ""),
    ("; `sim/harness_unit.sv` has one for the harness", ""),
    ("The rows of `tables/csrs.tsv` whose `where` is `tip_csrs`. ", ""),
    (" The harness reads them without (section 6).", ""),
    (" (`docs/reference/pmu.md`)", ""),
    ("`scripts/ip/flat_bench.v.in`", "`bench/`"),
    ("`sim/bundle_rules.sv`", "`check/bundle_rules.sv`"),
    ("`sim/blame_rule.sv`", "`check/blame_rule.sv`"),
    (" (`sim/binds.sv` does it for ours)", ""),
    (", measured on the in-order core (`tests/attach/test_attach.py`) and on a stub of BOOM (`tests/attach/boom/test_boom.py`)", ", measured on two cores"),
    ("the known answers (section 6)", "a program whose answer is known (`answers/`)"),
    (" (one that runs: `attach/inorder/inorder_adapter.sv`)", ""),
)
VERSION = "0.1.0"


def units():
    return [line for line in (ROOT / "rtl/profile.f").read_text().splitlines() if line and not line.startswith("//")]


# What a file is excused from there, where sim/lint.vlt is not, and why.
PARTLY_READ = "/* verilator lint_off UNUSEDSIGNAL */  // the whole bundle; rules read a part"
WAIVERS = {
    "bundle_rules": PARTLY_READ,
    "blame_rule": PARTLY_READ,
    "events_pkg": "/* verilator lint_off UNUSEDPARAM */  // numbers of events, for those who fill in vectors",
    "records_pkg": "/* verilator lint_off SYMRSVDWORD */  // a field is called interrupt because it is one",
}


def waived(name, text):
    """A file within its waiver."""
    if name not in WAIVERS:
        return text
    rule = WAIVERS[name].split("  //")[0]
    head, rest = text.split("\n", 1)
    return f"{head}\n{WAIVERS[name]}\n{rest}{rule.replace('lint_off', 'lint_on')}\n"


def without_comments(text):
    return re.sub(r"//.*", "", text)


def types_package():
    """core_pkg's types that the units need, as a package."""
    text = (ROOT / "rtl/pkg/core_pkg.sv").read_text()
    found = []
    for name in TYPES:
        match = re.search(rf"^  typedef (?:[^;{{]*|[^;{{]*{{[^}}]*}}) {name};.*\n", text, re.MULTILINE)
        if not match:
            raise SystemExit(f"release.py: rtl/pkg/core_pkg.sv has no type {name} any more: say in TYPES what took its place")
        found.append(match[0])
    return "// Types of the units' ports.\npackage types_pkg;\n" + "\n".join(found) + "endpackage\n"


def pruned(package, users):
    """A generated package without the parameters, functions and records that nobody uses."""
    words = set(re.findall(r"\w+", without_comments(" ".join(users))))
    lines, skip = [], None
    for line in package.splitlines():
        if skip:
            skip = None if line.strip() == "endfunction" else skip
            continue
        function = re.match(r"\s*function automatic .*?(\w+)\(", line)
        parameter = re.match(r"\s*localparam .*?(\w+) = ", line)
        if function and function[1] not in words:
            skip = function[1]
            while lines[-1].lstrip().startswith(("//", "/*")):  # its comment
                lines.pop()
        elif not parameter or parameter[1] in words:
            lines.append(line)
    text = "\n".join(lines) + "\n"
    for whole, name in re.findall(r"((?:  //.*\n)*  typedef struct packed \{\n(?:    .*\n)*  \} (\w+);\n)", text):
        if name not in words and len(re.findall(rf"\b{name}\b", text)) == 1:
            text = text.replace(whole, "")
    return text


def prefixed(text, names, prefix):
    """With the prefix before each of the names, and before the macro; core_pkg is the package of types."""
    text = re.sub(r"\bcore_pkg\b", "types_pkg", text)
    text = re.sub(r"\b(" + "|".join(sorted(names, key=len, reverse=True)) + r")\b", rf"{prefix}_\1", text)
    text = text.replace("`ASSERT", f"`{prefix.upper()}_ASSERT").replace("`define ASSERT", f"`define {prefix.upper()}_ASSERT")
    text = re.sub(r"\b(PROVE_STORY|PROVE_COUNT)\b", rf"{prefix.upper()}_\1", text)  # the macros of the proofs
    text = re.sub(r"\bTIPOFF_ASSERT_SVH\b", f"{prefix.upper()}_ASSERT_SVH", text)
    return text.replace('"assert.svh"', f'"{prefix}_assert.svh"').replace("scripts/gen.py from tables/", "the project's tables")


def bundle_fields(records):
    """(name, dimensions, text) of each field of the commit bundle."""
    body = re.search(r"typedef struct packed {\n(.*?)  } commit_bundle_t;", records, re.DOTALL)[1]
    for line in body.splitlines():
        dimensions, name, text = re.match(r"\s*logic ((?:\[[^\]]*\])*) ?(\w+);  // (.*)", line).groups()
        yield name, [high.removesuffix("-1") if high.endswith("-1") else str(int(high) + 1) for high in re.findall(r"\[([^\]:]*):0\]", dimensions)], text


def flat_wrapper(records):
    """Verilog ports: a vector a field, lane 0 in its low bits."""
    fields = list(bundle_fields(records))

    def width(dimensions):
        return "" if not dimensions else f" [{' * '.join(dimensions)}-1:0]" if len(dimensions) > 1 else f" [{dimensions[0]}-1:0]"

    ports = [f"  input  logic{width(dimensions)} {name}_i,  // {text}" for name, dimensions, text in fields]
    assigns = [f"    bundle.{name} = {name}_i;" for name, *_ in fields]
    return (HERE / "flat.sv.in").read_text().replace("@PORTS@", "\n".join(ports)).replace("@ASSIGNS@", "\n".join(assigns))


def bench(csrs, config):
    """The self-checking bench of the flat wrapper, with the addresses of the CSRs and the sizes of this release."""
    text = (HERE / "flat_bench.v.in").read_text()
    constants = {
        **dict(re.findall(r"localparam logic \[11:0\] (\w+) = 12'h(\w+);", csrs)),
        **dict(re.findall(r"localparam int unsigned (\w+) = (\d+);", config)),
    }
    missing = [name for name in re.findall(r"@(\w+)@", text) if name not in constants]
    if missing:
        raise SystemExit(f"release.py: flat_bench.v.in names {missing[0]}, which the packages do not have")
    return re.sub(r"@(\w+)@", lambda match: constants[match[1]], text)


def contract():
    """What docs/guide/integration.md says of ports, bundle and rules."""
    text = (ROOT / "docs/guide/integration.md").read_text()
    text = text[text.index("## 2. Connect") : text.index("## 5. Events")].rstrip()
    for ours, theirs in RELEASED:
        found = re.sub(r"(?:\\ |\\\n)+", r"\\s+", re.escape(ours))  # wherever its lines break
        text, times = re.subn(found, lambda _, theirs=theirs: theirs, text)
        if not times:
            raise SystemExit(f"release.py: docs/guide/integration.md does not say {ours!r} any more: say in RELEASED what took its place")
    return f"# Connecting the unit: ports, commit bundle, rules, an adapter\n\n{text}\n"


def lower(folder, prefix):
    """The flat wrapper and all below it as one file of Verilog, for simulators and synthesis that do not read SystemVerilog."""
    flow.install_front_end()
    work = flow.ROOM / f"lower-{prefix}"
    work.mkdir(parents=True, exist_ok=True)
    files = [folder / name for name in sources(folder)]
    flow.elaborate({"top": f"{prefix}_flat", "files": [*files, folder / f"include/{prefix}_assert.svh"]}, work)
    (folder / "verilog").mkdir()
    # Constants as parameters, without attributes: what simulators of 2005 read.
    flow.run(["yosys", "-q", "-p", f"read_rtlil {work}/design.il; write_verilog -noattr {work}/flat.v"], work / "lower.log")
    text = re.sub(r"/\* Generated by .*? \*/\n", "", (work / "flat.v").read_text())
    (folder / f"verilog/{prefix}_flat.v").write_text(
        f"// {prefix}_flat and all below it as Verilog 2005, made of ../rtl by the slang front end and Yosys. Do not edit.\n{text}"
    )


def sources(folder):
    return [line for line in (folder / MARK).read_text().splitlines() if line.endswith(".sv")]


def write_lists(folder, prefix, files):
    """profile.f, and the same for FuseSoC and Bender."""
    (folder / MARK).write_text(f"// {prefix}: the units, packages first; paths from this folder.\n+incdir+include\n" + "\n".join(files) + "\n")
    values = {
        "prefix": prefix,
        "version": VERSION,
        "core_files": "\n".join(f"      - {name}" for name in files),
        "bender_files": "\n".join(f"      - {name}" for name in files),
    }
    for source, target in (("fusesoc.core.in", f"{prefix}_profile.core"), ("Bender.yml.in", "Bender.yml")):
        (folder / target).write_text(string.Template((HERE / source).read_text()).substitute(values))


def empty_folder(folder):
    if folder.exists():
        if not (folder / MARK).exists():
            raise SystemExit(f"release.py: {folder} exists and is no release: name another folder, or remove it")
        shutil.rmtree(folder)
    folder.mkdir(parents=True)


def release(folder, arguments):
    prefix = arguments.prefix
    generated = packages(
        arguments.lanes,
        flow.ROOM / f"gen/ip-{prefix}",
        rows=arguments.rob // arguments.lanes,
        tea=arguments.tea,
        others=(("counters", arguments.counters), ("vectors", arguments.tea)),
    )
    package = {pathlib.Path(path).stem: pathlib.Path(path).read_text() for path in generated}
    modules = {pathlib.Path(name).stem: (ROOT / name).read_text() for name in units()}
    beside = {pathlib.Path(name).stem: (ROOT / name).read_text() for name in PLACES}
    places = {pathlib.Path(name).stem: place for name, place in PLACES.items()}
    flat = flat_wrapper(package["records_pkg"])
    csrs = package["csrs_pkg"]  # whole, for the bench
    users = [*modules.values(), *beside.values(), flat, package["records_pkg"], package["events_pkg"]]
    texts = {
        "config_pkg": pruned(package["config_pkg"], users),
        "events_pkg": package["events_pkg"],
        "csrs_pkg": pruned(csrs, [*users, "csr_in_pmu csr_in_tip_csrs"]),
        "records_pkg": package["records_pkg"],
        "types_pkg": types_package(),
        **modules,
        "flat": flat,
        **beside,
    }
    empty_folder(folder)
    for part in ("rtl", "include", "check", "kit", "proofs", "answers", "bench", "doc"):
        (folder / part).mkdir()
    files = []
    for name, text in texts.items():
        place = f"{places.get(name, 'rtl')}/{prefix}_{name}.sv"
        (folder / place).write_text(prefixed(waived(name, text), texts, prefix))
        if place.startswith("rtl/"):
            files.append(place)
    (folder / f"include/{prefix}_assert.svh").write_text(
        prefixed((ROOT / "rtl/prim/assert.svh").read_text(), texts, prefix).replace("define ASSERT(", f"define {prefix.upper()}_ASSERT(")
    )
    (folder / f"bench/{prefix}_flat_bench.v").write_text(bench(csrs, package["config_pkg"]).replace("PREFIX", prefix))
    (folder / "doc/connecting.md").write_text(prefixed(contract(), [name for name in texts if name not in ("flat",)], prefix))
    shutil.copy(ROOT / "LICENSE", folder / "LICENSE")
    for program in sorted((ROOT / "attach/answers").glob("*.S")):
        shutil.copy(program, folder / "answers")
    write_lists(folder, prefix, files)
    proofs.write(folder, HERE, prefix, arguments.lanes, files)
    values = {
        "prefix": prefix,
        "PREFIX": prefix.upper(),
        "lanes": arguments.lanes,
        "counters": arguments.counters,
        "unit": "TEA" if arguments.tea else "TIP",
        "version": VERSION,
    }
    (folder / "README.md").write_text(string.Template((HERE / "README.md.in").read_text()).substitute(values))
    if arguments.verilog:
        lower(folder, prefix)
        proofs.elaborate(folder, prefix, files)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prefix", default="tipoff", help="of packages, modules, files and macros (default: %(default)s)")
    parser.add_argument("--lanes", type=int, default=4, help="instructions that can commit in a cycle, 1 to 8 (default: %(default)s)")
    parser.add_argument("--rob", type=int, default=192, help="entries of the reorder buffer, a multiple of --lanes (default: %(default)s)")
    parser.add_argument("--counters", type=int, default=29, help="programmable counters, 1 to 29 (default: %(default)s)")
    parser.add_argument("--tea", type=int, default=1, choices=(0, 1), help="1: samples wait for their complete vector; 0: TIP alone (default: %(default)s)")
    parser.add_argument("--no-verilog", dest="verilog", action="store_false", help="without verilog/ and proofs/*.smt2, which need the synthesis front end")
    parser.add_argument("folder", type=pathlib.Path)
    arguments = parser.parse_args()
    if not re.fullmatch(r"[a-z][a-z0-9]*", arguments.prefix):
        parser.error(f"--prefix {arguments.prefix}: small letters and digits, a letter first")
    if arguments.rob % arguments.lanes:
        parser.error(f"--rob {arguments.rob}: a multiple of --lanes {arguments.lanes} is needed")
    flow.ROOM.mkdir(parents=True, exist_ok=True)
    release(arguments.folder, arguments)
    print(f"{arguments.folder}: {'TEA' if arguments.tea else 'TIP'} of {arguments.lanes} lanes and {arguments.counters} counters as {arguments.prefix}_*")
    return 0


if __name__ == "__main__":
    sys.exit(main())
