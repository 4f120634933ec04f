#!/usr/bin/env python3
"""Linux on the ISS: boot, panic, and programs: what they are handed, what they print, how they end; bad input.

    tests/linux/test_iss.py [--only TEXT]

Needs build/bin/tipoff, build/linux/linux.elf (make linux) and riscv64-linux-gnu-gcc.
"""
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from cli import ROOT, TIMEOUT, TIPOFF, check, main, test, tipoff  # noqa: E402

LINUX = ROOT / "build/linux/linux.elf"


def probe(folder, *options, name="probe"):
    program = folder / name
    subprocess.run(["riscv64-linux-gnu-gcc", "-O2", "-Wall", "-static", *options, "-o", program, ROOT / "tests/linux/probe.c", "-lm"], check=True)
    return program


def linux(*arguments, stdin=b""):
    done = subprocess.run([TIPOFF, "linux", *map(str, arguments)], input=stdin, capture_output=True, timeout=TIMEOUT, check=False)
    return done.returncode, done.stdout, done.stderr.decode(errors="replace")


@test
def boots(folder):
    """Firmware and init print on stdout, the kernel on stderr; status 0."""
    status, out, err = tipoff("iss", "--max-insns", 200_000_000, LINUX)
    check(status == 0, f"status {status}: {err}")
    check("OpenSBI v" in out and out.endswith("tipoff: Linux is up; the tray is empty: nothing to run\n"), out)
    check("Run /init as init process" in err and "2 ports" in err and err.endswith("exit status 0\n"), err)
    check("16 firmware and 31 hardware counters" in err, f"the PMU driver has not found its counters: {err}")


@test
def a_panic(folder):
    """Without an init the kernel panics, and asks for a reset: status 5, and its last lines are printed."""
    program = folder / "panic.elf"
    kernel = LINUX.read_bytes()
    check(b"/init\0" in kernel, "the kernel names its init")
    program.write_bytes(kernel.replace(b"/init\0", b"/none\0"))
    status, _, err = tipoff("iss", "--quiet", "--max-insns", 200_000_000, program)
    lines = err.splitlines()
    check(status == 5, f"status {status}: {err}")
    check("Kernel panic - not syncing: No working init found" in lines[-2] and "asked for a reset" in lines[-1], err)


@test
def handed_in(folder):
    """Arguments, environment, input and files, as they are; stdout and stderr apart."""
    program, file, other = probe(folder), folder / "probe.txt", folder / "other"
    file.write_text("a file\n")
    other.write_bytes(bytes(range(256)) * 300)
    linux("--iss", "--", program)
    status, out, err = linux(
        "--iss", "--file", file, f"--file={other}:/some/where", "--env", "PROBE=a b", "--env=X=", "--", program, "3", "", "--iss", "ä b", stdin=b"one\ntwo"
    )
    wanted = f"argument {program}\nargument 3\nargument \nargument --iss\nargument ä b\nPROBE=a b\n2.449489742783178\nstdin:one\ntwo|\n/some/where:".encode()
    wanted += other.read_bytes() + b"|\nprobe.txt:a file\n|\n"
    check(status == 3 and err == "stderr\n", f"status {status}: {err!r}")
    check(out == wanted, f"{out[:600]!r}")


@test
def ends(folder):
    """The program's status; 128 and the signal's number; a power-off, a restart; memory that runs out."""
    program = probe(folder)
    linux("--iss", "--", program)
    for what, want in ("0", 0), ("255", 255), ("abort", 134), ("fork", 0), ("binary", 0), ("off", 0), ("reboot", 5), ("memory", 137):
        status, out, err = linux("--iss", "--", program, what)
        check(status == want, f"{what}: status {status}: {out[-300:]!r}: {err}")
        check(what != "fork" or out.endswith(b"child ended with 9\n"), f"{what}: {out[-300:]!r}")
        check(what != "binary" or out.endswith(bytes(range(256))), f"{what}: {out[-300:]!r}")
        check(what != "reboot" or "asked for a reset" in err, f"{what}: {err}")
    same = [linux("--iss", "--", probe(folder, *options, name="other"), "7")[0] for options in (["-static-pie"], ["-O0"], ["-march=rv64gc", "-O3"])]
    check(same == [7, 7, 7], f"built in other ways: {same}")


def shared(*names):
    return [f"--file=/usr/riscv64-linux-gnu/lib/{name}:/lib/{name}" for name in names]


@test
def dynamic_and_limited(folder):
    """A dynamically linked program with its loader and libraries does what the static one does; --max-insns ends it, with status 124."""
    program, dynamic = probe(folder), folder / "probe"
    want = linux("--iss", "--", program, "7")
    subprocess.run(["riscv64-linux-gnu-gcc", "-O2", "-o", dynamic, ROOT / "tests/linux/probe.c", "-lm"], check=True)
    libraries = shared("ld-linux-riscv64-lp64d.so.1", "libm.so.6", "libc.so.6")
    got = linux("--iss", *libraries, "--", dynamic, "7")
    check(got == want and want[0] == 7, f"dynamic {got}, static {want}")
    status, out, _ = linux("--iss", "--max-insns", "1000", *libraries, "--", dynamic, "7")
    check(status == 124 and out == b"", f"--max-insns: status {status}, {out!r}")


def from_text(folder, name, text, *options):
    program = folder / name
    subprocess.run(["riscv64-linux-gnu-gcc", "-O1", "-g", "-static", "-w", "-x", "c", *options, "-o", program, "-"], input=text, text=True, check=True)
    return program


@test
def random_numbers(folder):
    """What asks for random numbers gets them, the same in each run; two in one run differ."""
    source = """#include <fcntl.h>
#include <stdio.h>
#include <sys/random.h>
#include <unistd.h>
#include <stdlib.h>
int main(void) {
    unsigned long a = 0, b = 0, c = 0;
    if (getrandom(&a, sizeof a, 0) != sizeof a || getrandom(&b, sizeof b, GRND_RANDOM) != sizeof b) return 1;
    if (read(open("/dev/random", O_RDONLY), &c, sizeof c) != sizeof c || a == b || b == c) return 2;
    printf("%lx %lx %lx %x\\n", a, b, c, arc4random());
    return 3;
}
"""
    program = from_text(folder, "random", source)
    first = linux("--iss", "--max-insns", 300_000_000, "--", program)
    check(first[0] == 3 and first[2] == "", f"{first}")
    check(linux("--iss", "--max-insns", 300_000_000, "--", program) == first, f"another run: not {first}")


@test
def many_arguments(folder):
    """All of them arrive."""
    source = "extern char **environ;\n#include <stdio.h>\n#include <stdlib.h>\n"
    source += 'int main(int c, char **v) { int e = 0; while (environ[e]) e++; printf("%d %s %d", c, v[c - 1], e); return 0; }\n'
    program = from_text(folder, "arguments", source)
    got = linux("--iss", "--", program, *range(1, 5001))
    check(got == (0, b"5001 5000 2", ""), f"{got}")


@test
def killed_by_a_signal(folder):
    """Signal, place, function, line, what was accessed, and the calls on the way there, from a library's code to the program's own."""
    source = """#include <stdlib.h>
__attribute__((noinline)) int work(volatile int *p) { return *p; }
__attribute__((noinline)) int deep(int n, char *b) {
    volatile char room[100];
    room[n] = b[0];
    if (n == 0) abort();
    return deep(n - 1, (char *)room) + room[5];
}
__attribute__((noinline)) int wild(int (*to)(void)) { return to() + 1; }
__attribute__((noinline)) int endless(int n) { volatile char room[5000]; room[0] = n; return endless(n + 1) + room[0]; }
int main(int c, char **v) {
    if (c == 2) return deep(2, v[1]);
    if (c == 3) return wild((int (*)(void))0x123456);
    if (c == 4) return endless(0);
    return work((int *)8);
}
"""
    program = from_text(folder, "crash", source)
    status, out, err = linux("--iss", "--", program)
    place, called = (rf"tipoff: {re.escape(str(program))}: {what}" for what in ("there: work, .*<stdin>:2", "called from"))
    said = re.fullmatch(
        rf"init: /crash: killed by signal 11 \(Segmentation fault\) at 0x(\w+), work\+0x0, by an access to 0x8\n{place}\n{called}: main, .*<stdin>:15\n", err
    )
    symbols = subprocess.run(["riscv64-linux-gnu-nm", program], capture_output=True, text=True, check=True).stdout
    check(status == 139 and said and re.search(rf"^0*{said[1]} T work$", symbols, re.MULTILINE), f"status {status}: {err}")
    status, out, err = linux("--iss", "--", program, "x")
    check(status == 134 and re.match(r"init: /crash: killed by signal 6 \(Aborted\) at 0x\w+, \w+", err) and "access" not in err, f"status {status}: {err}")
    check(re.search(rf"{called}: raise; abort; deep, .*:6; deep, .*:7; deep, .*:7; main, .*:12\n$", err), err)
    relocated = folder / "pie"
    options = ["-x", "c", "-O1", "-g", "-w", "-pie", "-fPIE", "-o", relocated, "-"]
    subprocess.run(["riscv64-linux-gnu-gcc", *options], input=source, text=True, check=True)
    status, out, err = linux("--iss", *shared("ld-linux-riscv64-lp64d.so.1", "libc.so.6"), "--", relocated)
    check(
        status == 139 and re.search(r", work\+0x0, by an access to 0x8\ntipoff: .*/pie: there: work, .*<stdin>:2\n.*called from: main, .*:15\n$", err),
        f"status {status}: {err}",
    )
    came = r" at 0x123456, by an access to 0x123456\n.*: it went there from: wild, .*:9\n.*called from: main, .*:13\n$"
    for place in [program], [*shared("ld-linux-riscv64-lp64d.so.1", "libc.so.6"), relocated]:
        status, out, err = linux("--iss", *place[:-1], "--", place[-1], "x", "x")
        check(status == 139 and re.search(came, err), f"{place}: status {status}: {err}")
    status, out, err = linux("--iss", "--", program, "x", "x", "x")
    check(status == 139 and re.search(rf"there: endless, .*:10\n{called}: " + "endless, .*:10; " * 16 + r"\.\.\.\n$", err), f"status {status}: {err}")


@test
def threads(folder):
    """OpenMP: its threads take turns on the one hart."""
    program = folder / "threads"
    source = "int main(void) { int n = 0, s = 0;\n#pragma omp parallel num_threads(4)\n{\n#pragma omp atomic\nn++;\n#pragma omp for reduction(+:s)\nfor (int i = 0; i < 1000; i++) s += i;\n}\nreturn n == 4 && s == 499500 ? 9 : 1; }\n"
    subprocess.run(
        ["riscv64-linux-gnu-gcc", "-O2", "-static", "-fopenmp", "-w", "-x", "c", "-o", program, "-"],
        input=source,
        text=True,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    got = linux("--iss", "--", program)
    check(got == (9, b"", ""), f"{got}")


@test
def more_memory(folder):
    """--memory: one kernel serves all sizes. The program gets what lies above the usual size, too, and the tray stays its own."""
    source = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int count, char **words) {
    const size_t bytes = strtoul(words[1], NULL, 10) << 20;
    char *block = malloc(bytes), line[128];
    if (!block) return 3;
    for (size_t i = 0; i < bytes; i += 4096) block[i] = (char)(i >> 12);
    for (size_t i = 0; i < bytes; i += 4096) if (block[i] != (char)(i >> 12)) return 1;
    FILE *map = fopen("/proc/iomem", "r");
    while (fgets(line, sizeof line, map)) if (strstr(line, "System RAM")) fputs(line, stdout);
    return 0;
}"""
    program = from_text(folder, "large", source)
    usual, low = b"80200000-8bffffff : System RAM\n", 0x90000000
    for memory, mib, status in ((None, 100, 0), ("256M", 100, 0), (None, 300, 3), ("512M", 300, 0), ("512M", 600, 3), ("1G", 300, 0)):
        options = ["--memory", memory] if memory else []
        linux("--iss", *options, "--", program, 1)
        got, out, err = linux("--iss", *options, "--", program, mib)
        check(got == status and err == "", f"{memory}, {mib} MiB: status {status} expected, got {got}: {out!r} {err}")
        top = {"512M": 0x9FFFFFFF, "1G": 0xBFFFFFFF}.get(memory)
        want = usual + (f"{low:x}-{top:x} : System RAM\n".encode() if top else b"")
        check(out == (want if status == 0 else b""), f"{memory}: {out!r}")
    machine = folder / "machine"
    check(linux("--memory", "512M", "--checkpoint", machine, "--", program, 300)[0] == 0, "a checkpoint")
    check(tipoff("iss", "--quiet", "--restore", machine)[0] == 0, "it goes on with its memory")
    for value, says in (("128M", "too little for Linux: at least 256M"), ("300M", "a power of two from 16M to 2G"), ("8G", "too much")):
        got, out, err = linux("--iss", "--memory", value, "--", program)
        check(got == 2 and out == b"" and f"--memory {value}: " in err and says in err, f"{value}: status {got}: {out!r} {err}")


@test
def bad_input(folder):
    program = probe(folder)
    linux("--iss", "--", program)
    dynamic, folder_, text, damaged = folder / "dynamic", folder / "folder", folder / "text", folder / "damaged"
    subprocess.run(["riscv64-linux-gnu-gcc", "-o", dynamic, ROOT / "tests/linux/probe.c", "-lm"], check=True)
    folder_.mkdir()
    text.write_text("#!/bin/sh\necho hello\n" * 10)
    damaged.write_bytes(program.read_bytes()[:200])
    large = folder / "large"
    with open(large, "wb") as file:
        file.truncate(65 << 20)
    cases = [
        (["--iss"], "name a program"),
        (["--iss", "--"], "name a program"),
        (["--iss", "--", folder / "none"], "cannot open"),
        (["--iss", "--", "/bin/true"], "another architecture"),
        (["--iss", "--", dynamic], "dynamically linked"),
        (["--iss", "--", dynamic], "lacks /lib/ld-linux-riscv64-lp64d.so.1, libm.so.6, libc.so.6:"),
        (["--iss", *shared("ld-linux-riscv64-lp64d.so.1", "libm.so.6"), "--", dynamic], "lacks libc.so.6:"),
        (["--iss", "--max-insns", "x", "--", program], "a number"),
        (["--iss", "--", folder_], str(folder_)),
        (["--iss", "--", text], f"{text}: a script, and what runs it is not in the guest: name its interpreter as the program"),
        (["--iss", "--", "/dev/null"], "not an ELF"),
        (["--iss", "--file", folder / "none", "--", program], "cannot open"),
        (["--iss", "--file", large, "--", program], "64 MiB"),
        (["--iss", "--env", "X", "--", program], "NAME=VALUE"),
        (["--iss", "--env", "=x", "--", program], "NAME=VALUE, with a name: =x"),
        (["--iss", "--file", f"{text}:/", "--", program], "a file, not of a folder"),
        (["--iss", "--file", f"{text}:", "--", program], "no file of the guest after the colon"),
        (["--iss", f"--file={text}:/a/../b", "--", program], "without . and .."),
        (["--iss", "--file", ":/a", "--", program], "no file of this machine: :/a"),
        (["--iss", "--period", "97", "--", program], "--period"),
        (["--iss", "--max-insns", "9", "--checkpoint", folder / "m", "--", program], "--checkpoint and --max-insns: leave one out"),
        (["--nosuch", "--", program], "nosuch"),
        (["--config", "nosuch", "--", program], "nosuch"),
        (["--config=odd3", "--", program], "without floating point"),
    ]
    for arguments, said in cases:
        status, out, err = linux(*arguments)
        check(status == 2 and out == b"" and said in err, f"{arguments}: status {status}, {out!r}: {err}")
    status, _, err = linux("--iss", "--", damaged)
    check(status == 126 and str(damaged.name) in err, f"a damaged program: status {status}: {err}")


@test
def booted_again(folder):
    """The kept machine is made again where it is damaged, and that is reported."""
    machine = LINUX.with_name("linux-pmp8-ad0.machine")
    program = probe(folder)
    machine.unlink(missing_ok=True)  # another tipoff may have kept it, with the same state in other bytes
    linux("--iss", "--", program)
    good = machine.read_bytes()
    machine.write_bytes(good[:5000])
    status, _, err = linux("--iss", "--", program, "4")
    check(status == 4 and "boots once" in err and machine.read_bytes() == good, f"status {status}: {err}")
    status, _, err = linux("--iss", "--", program, "4")
    check(status == 4 and err == "stderr\n", f"status {status}: {err}")


if __name__ == "__main__":
    sys.exit(main())
