"""A second tree in which faulty code takes the place of the real one: copies of the files, links to what is built, but for what the faults are in."""
import os
import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
OWN = {"bin", "obj", "lib", "tests", "evidence"}  # folders of build/ that a tree has of its own
UNLINKED = {"unit", "unit-san", "unit-tsan", "log"}  # of build/tests: made in the tree, or nothing that it needs


def tracked():
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    return [name for name in names if name and (ROOT / name).is_file()]


def put(path, content):
    """Writes what has changed: an unchanged file keeps its time, so that make builds no more than it must."""
    if not path.is_file() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def newer(source, target):
    return not target.is_file() or target.stat().st_mtime_ns != source.stat().st_mtime_ns


def link(path, target):
    if path.is_symlink() and os.readlink(path) == str(target):
        return
    if path.is_symlink() or path.is_file():
        path.unlink()
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(target)


def copy_files(tree, replaced, keep=()):
    """The tracked files; `replaced` ({name: bytes}) stand for those of their names, or beside them. keep: names that stay as they are in the tree."""
    names = tracked()
    for name in names:
        if name in replaced or name in keep:
            continue
        source, target = ROOT / name, tree / name
        if newer(source, target):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)
    for name, content in replaced.items():
        put(tree / name, content)
    known = {*names, *replaced, *keep}
    for folder in ("csrc", "tests", "rtl", "sim"):
        for path in (tree / folder).rglob("*"):
            if path.is_file() and path.suffix in (".c", ".h", ".sv", ".svh", ".py") and str(path.relative_to(tree)) not in known:
                path.unlink()  # moved or gone since the copy was made
    for command in (["git", "init", "-q"], ["git", "add", "-A"]):  # tests ask git which files there are
        if command[1] != "init" or not (tree / ".git").exists():
            subprocess.run(command, cwd=tree, check=True, capture_output=True)


def link_build(tree, own=()):
    """own: folders of build/, as small2, whose files are linked one by one, so that some can be others."""
    build = tree / "build"
    build.mkdir(exist_ok=True)
    for entry in (ROOT / "build").iterdir():
        if entry.name in own:
            for path in entry.iterdir():
                link(build / entry.name / path.name, path)
        elif entry.name not in OWN and not entry.name.startswith(("obj", "mutate", "faults")):
            link(build / entry.name, entry)
    link(build / "bin/tipoff-cc", "../../runtime/tipoff-cc")
    tests = ROOT / "build/tests"
    for folder in tests.iterdir() if tests.is_dir() else ():
        if folder.is_dir() and folder.name not in UNLINKED:
            for path in folder.rglob("*"):
                if path.is_file() and path.name != "qemu_compare":
                    link(build / "tests" / path.relative_to(tests), path)
    if not (build / "obj").exists() and (ROOT / "build/obj").exists():
        shutil.copytree(ROOT / "build/obj", build / "obj", copy_function=shutil.copy2)


def make(tree, *arguments):
    """(status, what it says)."""
    done = subprocess.run(
        ["make", "-s", "-k", *arguments], cwd=tree, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, errors="replace"
    )
    return done.returncode, done.stdout
