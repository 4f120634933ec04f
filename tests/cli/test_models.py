#!/usr/bin/env python3
"""Models: one that was made from other tables, for another configuration or with lint findings is refused or reported; what make builds again.

    tests/cli/test_models.py [--only TEXT]

Needs build/bin/tipoff, build/workloads/interp.tiny.elf, the models of small2 and tea4.
"""
import json
import os
import re
import shutil
import struct
import subprocess
import sys

from cli import MODEL, ROOT, RUN, TINY, TIMEOUT, check, copy_of_build, main, refused, test, tipoff


def digest_of(config):
    return json.loads((ROOT / f"build/{config}/gen/config.json").read_text())["digest.model"]


@test
def stale_model(folder):
    """A model that was built from other tables or another configuration file, at its usual place."""
    command = copy_of_build(folder)
    check(tipoff(*RUN, "--quiet", TINY, command=command)[0] == 0, "the copy runs")
    model = folder / "build/small2/model.so"
    content = model.read_bytes()
    check(content.count(digest_of("small2").encode()) == 1, "the model holds its digest once")
    model.write_bytes(content.replace(digest_of("small2").encode(), b"0123456789abcdef"))
    refused(
        [*RUN, "--stats", folder / "s", TINY],
        f"{model}: built from other tables, or from another tables/config/small2.toml",
        "0123456789abcdef",
        "make build/small2/model.so",
        command=command,
    )
    check(not (folder / "s").exists(), "nothing is touched")


@test
def model_with_lint_findings(folder):
    """What STRICT=0 has built is reported in each run: one line, and the run goes on. The number is put into a copy of the model."""
    command = copy_of_build(folder)
    model = folder / "build/small2/model.so"
    symbols = subprocess.run(["nm", model], stdout=subprocess.PIPE, text=True, check=True).stdout
    address = int(re.search(r"^(\w+) d _ZZ12tipoff_modelE3api$", symbols, re.M)[1], 16)
    segments = subprocess.run(["readelf", "-lW", model], stdout=subprocess.PIPE, text=True, check=True).stdout
    for offset, begin, size in (map(lambda text: int(text, 16), found) for found in re.findall(r"LOAD +(0x\w+) (0x\w+) 0x\w+ (0x\w+)", segments)):
        if begin <= address < begin + size:
            place = offset + address - begin
    content = bytearray(model.read_bytes())
    check(content[place + 4 : place + 8] == bytes(4), "a model that was built as usual has none")
    check("STRICT" not in tipoff(*RUN, "--quiet", TINY, command=command)[2], "and says nothing")
    content[place + 4 : place + 8] = struct.pack("<I", 3)
    model.write_bytes(content)
    status, _, err = tipoff(*RUN, "--quiet", TINY, command=command)
    line = f"tipoff: warning: {model}: built with STRICT=0 over 3 lint findings, not for results: build it without (make build/small2/model.so)\n"
    check((status, err) == (0, line), f"status {status}: {err}")


@test
def stale_configuration(folder):
    """The command alone was rebuilt: model and configuration fit each other, and not the command."""
    command = copy_of_build(folder)
    path = folder / "build/small2/gen/config.json"
    config = json.loads(path.read_text())
    config["digest.tables"] = "0123456789abcdef"
    path.write_text(json.dumps(config))
    refused([*RUN, TINY], f"{path}: made from other tables (digest 0123456789abcdef)", "make CONFIGS=small2 build", command=command)
    del config["digest.tables"]
    path.write_text(json.dumps(config))
    refused([*RUN, TINY], f"{path}: made from other tables (digest unknown)", command=command)


@test
def model_of_another_configuration(_):
    refused(["run", "--config", "tea4", "--model", MODEL, TINY], f"{MODEL}: model of configuration small2, not of tea4", "--config")
    status, _, err = tipoff("run", "--model", MODEL, "--quiet", "--max-cycles", 1000, TINY)  # without --config it is the model's
    check(status == 124, f"status {status}: {err}")


@test
def no_model(folder):
    command = copy_of_build(folder)
    (folder / "build/small2/model.so").unlink()
    refused([*RUN, TINY], "build/small2/model.so: cannot read the model", "make build/small2/model.so", command=command)


@test
def what_is_built_again(folder):
    """A key that only the C side reads makes no new model; one that the RTL reads, a row of a table, and a generator that writes something else, do (asked of make)."""
    tree = folder / "tree"
    tree.mkdir()
    for name in ("rtl", "sim", "csrc", "harness", "html", "tests", "attach"):
        (tree / name).symlink_to(ROOT / name)
    (tree / "scripts").mkdir()
    shutil.copy(ROOT / "scripts/gen.py", tree / "scripts")  # its tables are those beside it
    shutil.copytree(ROOT / "scripts/generate", tree / "scripts/generate", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("Makefile", "scripts/results.mk", "scripts/linux/linux.mk", "scripts/package/package.mk", "python/tipoff/version.py"):
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tree / name)
    shutil.copytree(ROOT / "tables", tree / "tables")

    def make(*arguments):
        done = subprocess.run(["make", "-s", *arguments], cwd=tree, stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT, check=False)
        check(done.returncode in (0, 1), f"make {arguments}: {done.stderr.decode()}")
        return done.returncode

    def verilates():
        make("build/small2/gen/.stamp")
        return make("-q", "build/small2/model-check/Vsim_top.mk") == 1

    make("build/small2/gen/.stamp")
    verilated = tree / "build/small2/model-check/Vsim_top.mk"
    verilated.parent.mkdir(parents=True)
    verilated.write_text("")
    check(not verilates(), "nothing has changed")
    config = tree / "tables/config/small2.toml"
    text = config.read_text()
    first = json.loads((tree / "build/small2/gen/config.json").read_text())
    os.utime(verilated)
    config.write_text(re.sub(r"(?m)^(\[llc\](?:\n.*)*?\nlatency *= *)\d+", r"\g<1>77", text))
    check(config.read_text() != text, "a key has changed")
    check(not verilates(), "llc.latency takes no new model")
    second = json.loads((tree / "build/small2/gen/config.json").read_text())
    check(second["llc.latency"] == 77 and second["digest.model"] == first["digest.model"], f"{first} {second}")
    config.write_text(re.sub(r"(?m)^rob_entries *= *\d+", "rob_entries = 34", text))
    check(verilates(), "core.rob_entries does")
    check(json.loads((tree / "build/small2/gen/config.json").read_text())["digest.model"] != first["digest.model"], "and has another digest")
    os.utime(verilated)
    module = tree / "scripts/generate/text.py"
    os.utime(module)
    check(not verilates(), "a generator that writes the same takes no new model")
    module.write_text(module.read_text().replace("Do not edit.", "Edit the tables."))
    check(verilates(), "one that writes something else does")


if __name__ == "__main__":
    sys.exit(main())
