#!/usr/bin/env python3
"""tipoff-cc as a newcomer uses it: C and C++ programs with a C library, on the ISS and, in lockstep, on small2.

    tests/cli/test_cc.py [--only TEXT]

Needs build/bin/tipoff, build/bin/tipoff-cc, the model of small2 and build/answers.
"""
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys

from cli import ROOT, check, main, refused, test, tipoff

CC = ROOT / "build/bin/tipoff-cc"
HERE = ROOT / "tests/cli"
WAYS = (["iss", "--quiet"], ["run", "--config", "small2", "--quiet"])


def cc(*words, cwd, **more):
    done = subprocess.run([str(CC), *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False, cwd=cwd, **more)
    return done.returncode, done.stdout, done.stderr


def built(folder, source, *options):
    program = folder / f"{pathlib.Path(source).stem}.elf"
    status, out, err = cc("-Wall", "-Wextra", HERE / source, *options, "-o", program, cwd=folder)
    check((status, out, err) == (0, "", ""), f"tipoff-cc {source}: status {status}: {out}{err}")
    return program


@test
def heap(folder):
    """It reaches the end of the machine's memory, whatever that is, and not beyond: sbrk and malloc report it, and nothing traps."""
    program = built(folder, "cc_memory.c")
    for way in WAYS:
        for options, words, status in (
            ([], [1], 4),
            ([], [200], 0),
            ([], [300], 3),
            (["--memory", "16M"], [1], 4),
            (["--memory", "16M"], [6], 0),
            (["--memory", "16M"], [8], 3),
            (["--memory", "512M"], [500], 0),
            (["--memory", "2G"], [1900], 0),
            (["--memory", "2G"], [2048], 3),
            (["--memory", "2G"], [20000], 3),
        ):
            got, out, err = tipoff(*way, *options, program, "--", *words, cwd=folder)
            check(got == status, f"{way} {options}, {words} MiB: status {status} expected, got {got}: {out}{err}")
    for memory, status in (("256M", 3), ("512M", 0)):
        got, out, err = tipoff("iss", "--memory", memory, program, "--", 270, "malloc", cwd=folder)
        check(got == status, f"malloc of 270 MiB of {memory}: status {status} expected, got {got}: {out}{err}")
    big = built(folder, "cc_memory.c", "-DBYTES=300000000")
    refused(["iss", big], "does not fit into memory of 256M", "run with --memory 512M", cwd=folder)
    check(tipoff("iss", "--memory", "512M", big, "--", 200, cwd=folder)[0] == 0, "a static array of 300 MB, and a block of 200 MiB")


@test
def starts_where_dram_does(folder):
    """A core with a boot ROM of its own jumps to the first word of DRAM: from there a program comes to its start, too. So do the known answers."""
    for program in (built(folder, "cc_files.c", "-lm"), ROOT / "build/answers/csr.elf"):
        symbols = subprocess.run(["riscv64-unknown-elf-nm", program], capture_output=True, text=True, check=True).stdout
        start = int(re.search(r"^([0-9a-f]+) . _start$", symbols, re.MULTILINE)[1], 16)
        reset = folder / "reset"  # a file: objcopy, as root, would put one in the place of /dev/stdout
        subprocess.run(["riscv64-unknown-elf-objcopy", "-O", "binary", "-j", ".reset", program, reset], check=True)
        words = reset.read_bytes()
        high, low = int.from_bytes(words[:4], "little"), int.from_bytes(words[4:8], "little")
        check(high & 0x7F == 0x17 and low & 0x7F == 0x67 and high >> 7 & 31 == low >> 15 & 31, f"{program}: no auipc and jalr: {words.hex()}")
        target = 0x80000000 + (high & 0xFFFFF000) + (low >> 20) - (low >> 31 << 12)
        check(target == start, f"{program}: the first word of DRAM leads to 0x{target:x}, not to _start at 0x{start:x}")


@test
def files_and_arguments(folder):
    """What the program says of a file is what Python says of it."""
    program = built(folder, "cc_files.c", "-lm")
    data = (ROOT / "README.md").read_bytes()
    total = 0
    for byte in data:
        total = (31 * total + byte) % 2**32
    (folder / "text").write_bytes(data)
    (folder / "typed").write_text("by hand\n")
    expected = [
        "argument 1: text",
        "argument 2: two words",
        f"{len(data)} bytes, sum {total}, last '{data[-5:].decode()}', root {math.sqrt(len(data)):.6f}, 3",
        "write: Read-only file system",
        "typed: by hand",
    ]
    for way in WAYS:
        status, out, err = tipoff(*way, "--input", folder / "typed", program, "--", "text", "two words", cwd=folder)
        check(status == 7, f"{way}: status {status}: {out}{err}")
        for line in "\n".join(expected).splitlines():
            check(line in out.splitlines(), f"{way}: {line!r} expected: {out}")
        check("to stderr" in out + err, f"{way}: {out}{err}")
        status, out, err = tipoff(*way, program, "--", "nothing/here", cwd=folder)
        check(status == 4 and "cannot open: No such file or directory" in out, f"{way}: status {status}: {out}{err}")
    check(not pathlib.Path("/tmp/tipoff-cc-was-here").exists(), "a program has written a file of the host")


@test
def time_and_names(folder):
    """clock() is the machine's cycles at its frequency, the date is the same in every run, and files can be asked for but not touched."""
    sys.path.insert(0, str(ROOT / "scripts"))
    from generate.device_tree import TIMEBASE_HZ

    program = built(folder, "cc_posix.c")
    (folder / "text").write_text("five\n")
    for way in WAYS:
        status, out, err = tipoff(*way, program, "--", "text", cwd=folder)
        clock, per_second, cycles = map(int, re.match(r"clock (\d+) of (\d+) a second, (\d+) cycles\n", out).groups())
        foretold = cycles / 100 / TIMEBASE_HZ * per_second  # a tick is 100 cycles
        check(status == 0 and abs(clock - foretold) < 2 and clock > 10, f"{way}: status {status}: {out}{err}")
        for line in (
            "date Sat Jan  1 00:00:00 2000",
            "same 1, times 1",
            "stat 0, 5 bytes; access 0 -1",
            "none -1 No such file or directory",
            "remove -1 Read-only file system",
            "rename -1 Read-only file system",
        ):
            check(line in out.splitlines(), f"{way}: {line!r} expected: {out}")
    check((folder / "text").read_text() == "five\n", "a program has changed a file of the host")


@test
def objects(folder):
    program = built(folder, "cc_objects.cpp")
    for way in WAYS:
        for word, status_expected, text in (
            ("", 0, "destroyed"),
            ("exit", 9, "destroyed"),
            ("abort", 134, "area 49"),
            ("trap", 125, "trap: cause 0x0000000000000002"),
            ("overflow", 126, "stack overflow: "),
        ):
            status, out, err = tipoff(*way, program, "--", *([word] if word else []))
            check(status == status_expected, f"{way} {word}: status {status}, {status_expected} expected: {out}{err}")
            check(out.startswith("constructed\narea 49\n") and text in out, f"{way} {word}: {text!r} expected: {out}")


@test
def strings(folder):
    """memset, memcpy, memmove, strlen: by words, right for every alignment and length; a program's own come first."""
    program = built(folder, "cc_strings.c")
    symbols = subprocess.run(["riscv64-unknown-elf-nm", program], stdout=subprocess.PIPE, text=True, check=True).stdout
    for name in ("memset", "memcpy", "memmove", "strlen"):
        check(re.search(rf" W {name}$", symbols, re.M), f"{name} is not the runtime's")
    status, out, err = tipoff("iss", "--quiet", program)
    check(status == 0 and re.fullmatch(r"\d{5,} cases\n", out), f"status {status}: {out}{err}")
    (folder / "own.c").write_text(
        "#include <stddef.h>\nsize_t strlen(const char *t) { return t ? 42 : 0; }\nint main(int c, char **v) { return (int)strlen(v[c - 1]); }\n"
    )
    check(cc("-fno-builtin", "own.c", "-o", "own.elf", cwd=folder)[::2] == (0, ""), "a function of that name")
    check(tipoff("iss", "--quiet", "own.elf", cwd=folder)[0] == 42, "the program's own strlen")


@test
def cxx_library(folder):
    """What C++ lacks here is explained, also with -c; a mistake of the program's is gcc's to report."""
    for name, text in (
        ("header", '#include <cstdio>\nint main() { std::printf("x"); }\n'),
        ("throws", "int main() { try { throw 1; } catch (int) { } }\n"),
        ("types", "struct A { virtual ~A() {} }; struct B : A {};\nint main() { A *a = new B; return dynamic_cast<B *>(a) != nullptr; }\n"),
    ):
        (folder / f"{name}.cpp").write_text(text)
        for options in (["-o", "x.elf"], ["-c"]):
            status, _, err = cc(f"{name}.cpp", *options, cwd=folder)
            check(status == 1 and "error:" in err and "tipoff-cc: C++ has no standard library" in err and "tipoff linux -- PROGRAM" in err, f"{name}: {err}")
    (folder / "wrong.cpp").write_text("int main() { return x; }\n")
    status, _, err = cc("wrong.cpp", cwd=folder)
    check(status == 1 and "error:" in err and "tipoff-cc:" not in err, err)


@test
def checkpoint(folder):
    """A file that is open in a checkpoint is read on after it."""
    program = built(folder, "cc_files.c", "-lm")
    (folder / "text").write_bytes(b"x" * 5000)
    status, whole, _ = tipoff("iss", "--quiet", program, "--", "text", cwd=folder)
    check(status == 7 and "5000 bytes" in whole, whole)
    status, first, err = tipoff("iss", "--quiet", "--checkpoint", "machine", "--at", "read:3", program, "--", "text", cwd=folder)
    check(status == 0, f"status {status}: {err}")
    for way in WAYS:
        status, rest, err = tipoff(*way, "--restore", "machine", cwd=folder)
        check(status == 7 and first + rest == whole, f"{way}: status {status}: {first!r} and {rest!r}, in one go {whole!r}: {err}")


@test
def harts(folder):
    """Other harts than the first wait, or do what the program has for them, on stacks and with thread-local data of their own."""
    program, alone = built(folder, "cc_harts.c"), folder / "alone.c"
    for n in (1, 2, 5, 16):
        total = sum(5 + 1000 * hart + 1000 for hart in range(n))
        status, out, err = tipoff("iss", "--quiet", "--harts", n, "--max-insns", 10000000, program, "--", n)
        text = f"{n} harts: sum {total}, {n - 1} with an errno of their own, mine 78, {n - 1} aligned\n"
        check((status, out) == (0, text), f"{n} harts: status {status}: {out}{err}")
    alone.write_text('#include <stdio.h>\nint main(void) {\n    puts("once");\n    return 3;\n}\n')
    for options in (["--harts", 4], ["--hart-id", 9], []):
        status, out, err = tipoff("iss", "--quiet", *options, built(folder, alone))
        check((status, out) == (3, "once\n"), f"{options}: status {status}: {out}{err}")


@test
def harts_overflow(folder):
    """A stack that is too small ends the program where it ends, and does not go on in another's: the first hart's, the lowest, one between, the highest."""
    for size in 64, 300_000:
        program = built(folder, "cc_harts_overflow.c", f"-Wl,--defsym=__hart_stack_size={size}")
        symbols = subprocess.run(["riscv64-unknown-elf-nm", program], capture_output=True, text=True, check=True).stdout
        place = {name: int(address, 16) for address, _, name in map(str.split, symbols.splitlines())}
        stride = size // 65536 * 65536 + 2 * 65536  # the guard, and the stack in as many
        check(place["__stack_guard"] == place["__stack_bottom"] + 15 * stride, f"{size}: main's guard is at {place['__stack_guard']:#x}")
        for hart in 0, 1, 7, 15:
            status, out, err = tipoff("iss", "--quiet", "--harts", 16, "--max-insns", 100_000_000, program, "--", hart)
            said = re.fullmatch(r"stack overflow: cause 0x0{15}7, pc 0x\w+, tval (0x\w+)\n", out)
            check(status == 126 and said, f"{size}, hart {hart}: status {status}: {out}{err}")
            first = place["__stack_guard"] if hart == 0 else place["__stack_bottom"] + stride * (hart - 1)
            check(64512 <= int(said.group(1), 16) - first < 65536, f"{size}, hart {hart}: not at the end of the guard at {first:#x}: {out}")
    program = built(folder, "cc_harts_overflow.c", "-DFRAME=200*1024", "-fstack-check")  # more than a guard
    for hart in 0, 1:
        status, out, err = tipoff("iss", "--quiet", "--harts", 2, "--max-insns", 100_000_000, program, "--", hart)
        check(status == 126 and out.startswith("stack overflow: "), f"frames of 200 KiB, hart {hart}: status {status}: {out}{err}")
    status, out, err = tipoff(*WAYS[1], program)
    check(status == 126 and out.startswith("stack overflow: "), f"on a core: status {status}: {out}{err}")
    words = [CC, "-Wl,--defsym=__hart_stack_size=4096", HERE / "cc_harts.c", "-o", "x.elf"]
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=folder)
    check(done.returncode == 1 and "thread-local data does not fit on the stack of another hart: make that larger by" in done.stderr, f"{done}")


@test
def harts_many_symbols(folder):
    """A program for several harts is known as one by its symbols, also where their list is not read at once."""
    real, nm = (shutil.which(f"riscv64-unknown-elf-{name}") for name in ("gcc", "nm"))
    tools = {"riscv64-unknown-elf-gcc": f'[ "$1" = -print-prog-name=nm ] && exec echo {folder}/nm\nexec {real} "$@"\n', "nm": f'{nm} "$@"\nexec seq 100000\n'}
    for name, text in tools.items():
        (folder / name).write_text("#!/bin/sh\n" + text)
        (folder / name).chmod(0o755)
    status, out, err = cc(HERE / "cc_harts.c", "-o", "x.elf", cwd=folder, env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"})
    symbols = subprocess.run([nm, folder / "x.elf"], capture_output=True, text=True, check=True).stdout
    check((status, out, err) == (0, "", "") and " T harts_lock\n" in symbols, f"status {status}: {out}{err}")


@test
def harts_share(folder):
    """Harts that print, allocate and read files at once get whole lines and memory of their own; one of them ends the run, by a trap or exit, too."""
    program = built(folder, "cc_harts_share.c")
    (folder / "text").write_text("text")
    for way, want in ("r", 3), ("t", 125), ("e", 7):
        for quantum in 64, 256, 1000:
            words = ["--quiet", "--harts", 4, "--quantum", quantum, "--max-insns", 100_000_000, program, "--", way, 4]
            status, out, err = tipoff("iss", *words, cwd=folder)
            lines = re.findall(r"^hart (\d) line (\d+), of some length ([\d.]+) and more$", out, re.MULTILINE)
            others = out.count("\n") - len(lines)
            counted = all(float(number) == 1.5 * int(line) for _, line, number in lines) and len(set(lines)) == len(lines)
            check(status == want and counted and others == (way == "t"), f"{way}, {quantum}: status {status}: {out[:2000]}{err}")
            trap = re.search(r"^trap: cause 0x0{15}(?:2, pc 0x\w+, tval 0x0{15}0|7, pc 0x\w+, tval 0x0{15}8)\n\Z", out, re.MULTILINE)
            check(trap or way != "t", f"{way}, {quantum}: {out[-300:]}")
            check(len(lines) == 160 if way != "e" else len(lines) >= 40, f"{way}, {quantum}: {len(lines)} lines: {err}")
    source = (HERE / "cc_harts_share.c").read_text()
    done = subprocess.run([CC, "-x", "c", "-", "-o", "piped.elf"], input=source, capture_output=True, text=True, check=False, cwd=folder)
    check(done.returncode == 0 and not done.stdout + done.stderr, f"from standard input: {done}")
    check(tipoff("iss", "--quiet", "--harts", 2, "--max-insns", 100_000_000, "piped.elf", "--", "r", 2, cwd=folder)[0] == 3, "from standard input")


@test
def files_elsewhere(folder):
    """A program reads files below the folder where it starts, and below --file-root; others are refused, and the user which option allows it."""
    program = built(folder, "cc_files.c", "-lm")
    inside, outside = folder / "inside", folder / "outside"
    inside.mkdir()
    outside.mkdir()
    (outside / "text").write_bytes(b"x" * 50)
    (inside / "link").symlink_to("../outside/text")
    for way in WAYS:
        for path in ("../outside/text", outside / "text", "link", "/etc/passwd", "/proc/self/environ", "/no/such/file"):
            status, out, err = tipoff(*way, program, "--", path, cwd=inside)
            check(status == 4 and "Permission denied" in out, f"{way} {path}: status {status}: {out}{err}")
            check(str(path) in err and "--file-root DIR" in err and err.count("may not read") == 1, f"{way} {path}: {err}")
        for path in ("../outside/text", "link"):
            status, out, err = tipoff(*way, "--file-root", "/usr", "--file-root", "../outside", program, "--", path, cwd=inside)
            check(status == 7 and "50 bytes" in out and "may not" not in err, f"{way} {path}: status {status}: {out}{err}")
        refused([*way, "--file-root", outside / "text", program, "--", "link"], "--file-root", "not a folder", lines=0)


@test
def long_write(folder):
    """One call of the host, which is one instruction of the ISS, prints 64 KiB at most and reports it."""
    (folder / "w.c").write_text(
        "#include <string.h>\n#include <unistd.h>\nstatic char text[1 << 20];\n"
        "int main(void) { memset(text, 'x', sizeof text); return write(1, text, sizeof text) == 1 << 16 ? 3 : 4; }\n"
    )
    check(cc("w.c", "-o", "w.elf", cwd=folder)[0] == 0, "w.elf")
    status, out, err = tipoff("iss", "--quiet", folder / "w.elf")
    check(status == 3 and out == "x" * (1 << 16), f"status {status}, {len(out)} bytes: {err}")


@test
def as_gcc(folder):
    """-c, several files, other options; what is missing is reported."""
    (folder / "a.c").write_text("int two(void);\nint main(void) { return two(); }\n")
    (folder / "b.c").write_text("int two(void) { return VALUE; }\n")
    check(cc("-c", "-DVALUE=2", "b.c", cwd=folder)[0] == 0 and (folder / "b.o").exists(), "-c")
    check(cc("a.c", "b.o", cwd=folder)[0] == 0 and (folder / "a.elf").exists(), "a.elf is the default")
    check(tipoff("iss", "--quiet", folder / "a.elf")[0] == 2, "status of a.elf")
    status, out, err = cc(cwd=folder)
    check(status == 2 and out == "" and err.count("\n") == 1 and "no file to build" in err, err)
    status, out, err = cc("--help", cwd=folder)
    check(status == 0 and out.startswith("Usage: tipoff-cc") and err == "", err)
    tools = folder / "tools"
    tools.mkdir()
    for name in ("bash", "dirname", "readlink", "cat"):
        (tools / name).symlink_to(shutil.which(name))
    status, out, err = cc("a.c", cwd=folder, env={"PATH": str(tools)})
    check(
        status == 2 and out == "" and err == "tipoff-cc: riscv64-unknown-elf-gcc is missing: apt install gcc-riscv64-unknown-elf\n", f"status {status}: {err}"
    )


@test
def page(folder):
    """Every command of docs/guide/bare-metal.md prints what the page says."""
    text = (ROOT / "docs/guide/bare-metal.md").read_text(encoding="utf-8")
    for name, source in re.findall(r"`(\w+\.c)`:\n\n```c\n(.*?)```", text, re.DOTALL):
        (folder / name).write_text(source)
    commands = 0
    for block in re.findall(r"```console\n(.*?)```", text, re.DOTALL):
        for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
            done = subprocess.run(
                ["bash", "-c", command],
                cwd=folder,
                env=dict(os.environ, PATH=f"{ROOT}/build/bin:{os.environ['PATH']}"),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=120,
                check=False,
            )
            check(done.stdout == expected, f"{command}: printed {done.stdout!r}, the page says {expected!r}")
            commands += 1
    check(commands >= 9, f"{commands} commands found in the page")


@test
def bad_input(folder):
    program = built(folder, "cc_files.c", "-lm")
    for way in WAYS:
        status, out, err = tipoff(*way, program, "text")
        check(status == 2 and out == "" and "the program's own arguments follow --" in err, f"{way}: status {status}: {err}")
    status, out, err = tipoff("iss", "--quiet", program, "--", "x" * 2000)
    check(status == 126 and "its arguments do not fit" in out, f"status {status}: {out}{err}")


if __name__ == "__main__":
    main()
