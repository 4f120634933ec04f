"""Which binaries are older than what they are built from: asked of make, which knows."""
import functools
import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
BINARY = re.compile(r"build/(?:bin/tipoff[\w-]*|tests/unit[\w-]*/[\w./-]+|\w+/model\.so)")
DRIVER = re.compile(r"\btests/(?!unit/)[\w/]+\.py")  # a script that runs the command tipoff
DEFAULT = "small2"  # the configuration of one that names none


@functools.cache
def known(root=ROOT):
    return {path.stem for path in (root / "tables/config").glob("*.toml")}


def configurations(command, root=ROOT):
    """Those that a command names; of a script that names none, the default."""
    return sorted(known(root).intersection(re.findall(r"\w+", command))) or ([DEFAULT] if DRIVER.search(command) else [])


def used_by(commands, root=ROOT):
    """The binaries that tests use, by their commands, those that exist: the ones that are named; where tipoff runs, models of the
    configurations that are named."""
    found = set()
    for command in commands:
        binaries, driver = BINARY.findall(command), DRIVER.search(command)
        found.update(binaries)
        if driver:
            found.add("build/bin/tipoff")
        if driver or any(path.startswith("build/bin/") for path in binaries):
            found.update(f"build/{config}/model.so" for config in configurations(command, root))
    return sorted(path for path in found if (root / path).is_file())


def variables(path):
    """Those of make that a binary is built with."""
    also = re.fullmatch(r"build/tests/unit/rtl/\w+(\.(\w+))/run", path)
    if also:
        return (f"UNIT_SUFFIX={also[1]}", f"UNIT_CONFIG={also[2]}")
    return ("SAN=1",) if re.match(r"build/(bin/tipoff|tests/unit)-san", path) else ()


def typed(path):
    """What builds it."""
    return " ".join(["make", *(word for word in variables(path) if word == "SAN=1"), path])


def current(paths, given, root=ROOT):
    """Whether make would build none of them. It may rewrite generated sources, as it does whenever it is asked."""
    environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "MAKEOVERRIDES")}
    return (
        subprocess.run(
            ["make", "-q", *given, *paths],
            cwd=root,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        ).returncode
        == 0
    )


def stale(paths, root=ROOT):
    """Those of the paths that make would build again: one call of make where there is none."""
    groups = {}
    for path in paths:
        groups.setdefault(variables(path), []).append(path)
    old = []
    for given, group in groups.items():
        if not current(group, given, root):
            old += [path for path in group if len(group) == 1 or not current([path], given, root)]
    return sorted(old)


def lines(commands, root=ROOT):
    """A line for each stale binary of these tests."""
    return [f"stale: {path} is older than what it is built from: {typed(path)}" for path in stale(used_by(commands, root), root)]
