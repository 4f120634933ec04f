#!/usr/bin/python3
"""What `make install` lays out: completion knows every command and option, pages build, the version stands once, and the tree runs where it is moved
to, with the source tree hidden.

    tests/package/test_package.py [--only TEXT]

What completion must know comes from elsewhere than it was made from: the options from --usage, the commands from csrc/cli/main.c, where help alone is
known from there. bash and zsh themselves are asked. Needs build/package/tree (make need-installed), build/bin/tipoff, python3-zstandard; zsh.
"""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TREE = ROOT / "build/package/tree/usr"
sys.path.insert(0, str(ROOT / "tests/cli"))
from cli import check, main, test, tipoff  # noqa: E402

BASH = TREE / "share/bash-completion/completions/tipoff"
ZSH = TREE / "share/zsh/site-functions/_tipoff"
NAMES = re.findall(r'^    \{"([a-z]+)", cmd_\w+, "', (ROOT / "csrc/cli/main.c").read_text(encoding="utf-8"), flags=re.MULTILINE)
SECOND = re.findall(r'\{"([a-z]+)", regions_\w+\}', (ROOT / "csrc/cli/cmd_regions.c").read_text(encoding="utf-8"))


def ran(*words, status=0, **more):
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False, timeout=120, **more)
    check(done.returncode == status, f"{words}: status {done.returncode}: {done.stdout[-500:]} {done.stderr[-500:]}")
    return done.stdout


def completed(*lines):
    """What bash offers for each command line, the word under the cursor last; readline splits words at = and :."""
    script = [f"source {shlex.quote(str(BASH))}"]
    for line in lines:
        words = [part for word in line for part in re.split(r"([=:])", word) if part] if "=" in line[-1] else line
        quoted = " ".join(map(shlex.quote, words))
        script += [f"COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _tipoff 2> /dev/null", 'echo "${COMPREPLY[*]}"']
    out = ran("bash", "-c", "\n".join(script), env={**os.environ, "PATH": f"{ROOT}/build/bin:{os.environ['PATH']}"})
    return [row.split() for row in out.split("\n")[: len(lines)]]


def used(name):
    """Long options of a command as --usage, or argparse's own usage line, has them."""
    shown = tipoff(*name, "--usage")[1] or tipoff(*name, "--help")[1].split("\n\n")[0]
    return set(re.findall(r"\[(?:-\w, )?(--[a-z-]+)", shown))


@test
def commands(_):
    (offered,) = completed(["tipoff", ""])
    check(set(NAMES) | {"help", "--help", "--version"} == set(offered) and len(NAMES) > 15, f"{set(NAMES) ^ set(offered)}")
    check(set(completed(["tipoff", "regions", ""])[0]) == set(SECOND) and len(SECOND) > 5, "words of regions")


@test
def options(_):
    """Each long option of --usage is offered; none is that --usage has not, but for other names of one."""
    names = [[name] for name in NAMES if name != "regions"] + [["regions", word] for word in SECOND]
    seen = 0
    for name, offered in zip(names, completed(*[["tipoff", *name, "-"] for name in names])):
        offered = {word.rstrip("=") for word in offered if word.startswith("--")}
        wanted = used(name)
        check(wanted <= offered, f"{name}: lacks {wanted - offered}")
        if name[0] != "linux":  # whose --usage is that of run
            check(all(word in tipoff(*name, "--help")[1] for word in offered), f"{name}: {offered}")
        seen += len(wanted)
    check(seen > 250, f"{seen} options")


@test
def values(_):
    """Values that the list of options names, configurations of the build, files by what a command reads."""
    got = completed(
        ["tipoff", "report", "--format=c"],
        ["tipoff", "report", "--by", "f"],
        ["tipoff", "run", "--config", "smal"],
        ["tipoff", "run", "--trace-format="],
        ["tipoff", "config", "tea"],
        ["tipoff", "run", "build/workloads/queens.small"],
        ["tipoff", "run", "--", "build/workloads/queens.small.e"],
        ["tipoff", "help", "wor"],
    )
    check(got[0] == ["csv", "callgrind"] and got[1] == ["function", "file"], f"{got}")
    check("small2" in got[2] and got[3] == ["bin", "csv"] and "tea4" in got[4], f"{got}")
    check(got[5] == ["build/workloads/queens.small.elf"] == got[6] and got[7] == ["workloads", "workers"], f"{got}")


@test
def zsh(folder):
    """zsh itself, in a terminal of its own, lists what follows `tipoff report --for` and `tipoff trace --format=`."""
    ran("zsh", "-n", ZSH)
    script = folder / "ask.zsh"
    script.write_text(
        f"""zmodload zsh/zpty
zpty ask 'TERM=dumb zsh -f -i'
zpty -w ask 'fpath=({shlex.quote(str(ZSH.parent))} $fpath); autoload -U compinit; compinit -D -u; zstyle ":completion:*" insert-tab false; PS1="[as""k]"'
zpty -r -m ask seen '*\\[ask\\]*'
for line in "$@"; do
    zpty -w -n ask "$line"$'\\t\\C-U'"echo do\\"\\"ne"$'\\n'
    zpty -r -m ask seen '*done*\\[ask\\]*'
    print -r -- "<$line> $seen"
done
""",
        encoding="utf-8",
    )
    out = ran("timeout", "60", "zsh", "-f", script, "tipoff report --data-ad", "tipoff litmus --on=r", "tipoff regions val", "tipoff workl")
    out = re.sub(r"[\x00-\x09\x0b-\x1f]", "", out)
    for wanted in ("--data-addresses", "--on=rtl", "regions validate", "workloads"):
        check(wanted in out, f"{wanted}: {out!r}")


@test
def pages(_):
    """A page for each command, which man formats without a warning, with its text."""
    folder = TREE / "share/man/man1"
    names = {"tipoff", "tipoff-cc", *(f"tipoff-{name}" for name in NAMES if name != "regions"), *(f"tipoff-regions-{word}" for word in SECOND)}
    check({path.name.removesuffix(".1.gz") for path in folder.iterdir()} == names, "pages")
    done = subprocess.run(
        ["man", "--warnings", "-l", folder / "tipoff-report.1.gz"], capture_output=True, text=True, check=True, env={**os.environ, "MANWIDTH": "100"}
    )
    check(not done.stderr and "tipoff-report - show where the time of a run went" in done.stdout and "--annotate=FUNCTION" in done.stdout, done.stderr)


@test
def version(_):
    """In python/tipoff/version.py, and what says it has it from there."""
    said = re.search(r'"([\d.]+)"', (ROOT / "python/tipoff/version.py").read_text(encoding="utf-8"))[1]
    check(tipoff("--version")[1] == f"tipoff {said}\n", "the command")
    page = ran("gunzip", "-c", TREE / "share/man/man1/tipoff-run.1.gz")
    check(f'"tipoff {said}"' in page, page[:300])
    check(ran("/usr/bin/python3", "-c", "import tipoff; print(tipoff.__version__)", env={"PYTHONPATH": str(ROOT / "python")}) == said + "\n", "the module")
    listed = ran("git", "-C", ROOT, "grep", "--untracked", "-lFw", f'"{said}"', "--", "python", "csrc", "*.toml", "*.mk", "Makefile", "scripts/package").split()
    check(
        [name for name in listed if re.search(rf'(?i)version.*"{re.escape(said)}"', (ROOT / name).read_text(encoding="utf-8"))] == ["python/tipoff/version.py"],
        f"{listed}",
    )


@test
def moved(folder):
    """Elsewhere, by a path with a space, and with the source tree hidden: run, report, page, Python."""
    place = folder / "some where"
    shutil.copytree(TREE, place, symlinks=True)
    script = r"""set -eu
mount -t tmpfs none "$1"; cd "$2"; [ ! -e "$1/Makefile" ]
export PATH="$PWD/bin:/usr/bin:/bin" PYTHONPATH="$PWD/lib/tipoff/python"
tipoff config | grep 'small2 .*built'
tipoff workloads | grep queens.small.elf
tipoff run --config small2 --quiet --period 97 --samples my.tips --worker collections:ebs=101,lbr=11 lib/tipoff/workloads/queens.small.elf
tipoff report my.tips | grep 'Computing'
tipoff report --format html --output my.html my.tips
grep -c '<html' my.html
tipoff gus --config small2 lib/tipoff/workloads/queens.small.elf > gus.txt
tipoff mix my.tips > mix.txt
/usr/bin/python3 -c 'import tipoff; s = tipoff.Samples("my.tips"); print(len(s.samples), s.complete, tipoff.__file__)'
"""
    home = {name: value for name, value in os.environ.items() if name in ("LANG", "HOME")}
    words = ["unshare", "-m"] if os.geteuid() == 0 else ["unshare", "-rm"]
    page = (TREE / "lib/tipoff/html/page.html").exists()
    script = script if page else re.sub(r".*my\.html.*\n", "", script)
    out = ran(*words, "bash", "-c", script, "-", ROOT, place, env=home)
    check(re.search(r"^949 True .*some where/lib/tipoff/python/tipoff/__init__.py$", out, flags=re.MULTILINE), out)
    check(str(ROOT) not in out, f"names the source tree: {out}")
    for name in ("gus.txt", "mix.txt"):
        check((place / name).stat().st_size > 200, name)


if __name__ == "__main__":
    sys.exit(main())
