#!/usr/bin/env python3
"""Linux of several harts, on the ISS and on coherent cores in lockstep: what it sees of them, OpenMP in both wait policies, threads that contend for futexes, memory, a program that a
signal kills, checkpoints, bad input; and that QEMU's virt of as many harts prints the same.

    tests/linux/test_harts.py [--only TEXT]

Needs build/bin/tipoff, build/small2c/model.so, build/linux/smp/linux.elf (make linux-smp), riscv64-linux-gnu-gcc and qemu-system-riscv64.
"""
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from cli import ROOT, TIMEOUT, TIPOFF, check, main, refused, test, tipoff  # noqa: E402

HARTS = 2, 4, 8


def build(folder, name, *options):
    program = folder / name
    command = ["riscv64-linux-gnu-gcc", "-O2", "-Wall", "-Wextra", "-Werror", "-static", *options, "-o", program, ROOT / f"tests/linux/{name}.c"]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)  # the linker warns of dlopen in libgomp
    return program


def linux(harts, *arguments, command=TIPOFF):
    """Status, stdout and stderr; the first run of that many harts boots."""
    command = [command, "linux", "--iss", "--harts", harts, *arguments]
    done = subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIMEOUT, check=False)
    return done.returncode, done.stdout, re.sub(r"tipoff: .*: boots once; .*\n", "", done.stderr)


@test
def openmp(folder):
    """Each hart has its thread. The results are those of one hart, whether waiting threads spin or sleep; another run is the same."""
    program = build(folder, "openmp", "-fopenmp")
    status, one, err = linux(1, "--", program)
    check(status == 0 and err == "on 1 harts\n", f"one hart: status {status}: {one}{err}")
    for harts in HARTS:
        for policy, bound in ("active", "true"), ("passive", "false"):
            status, out, err = linux(harts, "--env", f"OMP_WAIT_POLICY={policy}", "--env", f"OMP_PROC_BIND={bound}", "--", program)
            used = int(err.split()[1]) if re.fullmatch(r"on \d+ harts\n", err) else 0
            check(status == 0 and (used == harts or bound == "false" and used > 1), f"{harts} harts, {policy}: status {status}: {out}{err}")
            head, rest = out.split("\n", 1)
            seen = 1 if bound == "true" else harts  # by the first thread, which is bound to its own
            check(head == f"{seen} harts, {harts} online, {harts} of OpenMP, {harts} threads", f"{harts} harts, {policy}: {head}")
            check(rest == one.split("\n", 1)[1], f"{harts} harts, {policy}: {rest}, one: {one}")


def file_of_initramfs(name, data):
    """A file as the kernel unpacks it (Documentation/driver-api/early-userspace/buffer-format.rst)."""
    fields = [1, 0o100755, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name) + 1, 0]
    head = b"070701" + b"".join(b"%08x" % field for field in fields) + name.encode() + b"\0"
    return head + bytes(-len(head) % 4) + data + bytes(-len(data) % 4)


def qemu(folder, harts, program, *arguments, variables=()):
    """Status and stdout of a program on QEMU under the same kernel, but for the console on its command line and with another init."""
    image, initrd = folder / "Image", folder / "initrd"
    kernel = (ROOT / "build/linux/smp/kernel/arch/riscv/boot/Image").read_bytes()
    words = " ".join(["console=ttyS0", "mem=190M", "panic=-1", "norandmaps", *variables, "--", *map(str, arguments)]).encode()
    image.write_bytes(re.sub(rb"console=ttyS1 earlycon=[^\0]*", lambda found: words.ljust(len(found.group()), b"\0"), kernel))
    check(image.stat().st_size == len(kernel), f"{words} is longer than the kernel's command line")
    if not (folder / "qemu_init").exists():
        build(folder, "qemu_init")
    files = ("init", (folder / "qemu_init").read_bytes()), ("program", program.read_bytes()), ("TRAILER!!!", b"")
    initrd.write_bytes(b"".join(file_of_initramfs(*file) for file in files))
    machine = ["-machine", "virt", "-m", "256M", "-smp", harts, "-display", "none", "-net", "none", "-monitor", "none", "-serial", "stdio", "-no-reboot"]
    command = ["qemu-system-riscv64", *machine, "-kernel", image, "-initrd", initrd]
    done = subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIMEOUT, check=False)
    printed = re.search(r"^begin\n(.*)^status (\d+)\n", done.stdout.replace("\r", ""), re.MULTILINE | re.DOTALL)
    check(printed, f"QEMU, {harts} harts: {done.stdout[-2000:]}{done.stderr}")
    return int(printed.group(2)), printed.group(1)


@test
def as_qemu(folder):
    """Both programs print on QEMU's virt what they print here, by as many harts."""
    openmp, futex = build(folder, "openmp", "-fopenmp"), build(folder, "futex")
    for harts in HARTS:
        for policy in "active", "passive":
            variables = f"OMP_WAIT_POLICY={policy}", "OMP_PROC_BIND=true"
            status, out, err = linux(harts, *(word for variable in variables for word in ("--env", variable)), "--", openmp)
            there = qemu(folder, harts, openmp, variables=variables)
            check(there == (status, out + err), f"{harts} harts, {policy}: {there} on QEMU, {(status, out, err)} here")
        status, out, _ = linux(harts, "--", futex, harts)
        there = qemu(folder, harts, futex, harts)
        sums = [text.rsplit(", ", 1)[0] for text in (there[1], out)]  # what follows is how often a thread slept
        check(there[0] == status and sums[0] == sums[1], f"{harts} harts: {there} on QEMU, {out} here")


@test
def more_threads_than_harts(folder):
    """The kernel's scheduler divides the harts among them."""
    program = build(folder, "openmp", "-fopenmp")
    status, out, err = linux(2, "--env", "OMP_NUM_THREADS=5", "--", program)
    check(status == 0 and out.startswith("2 harts, 2 online, 2 of OpenMP, 5 threads\n"), f"status {status}: {out}{err}")


@test
def futexes(folder):
    """A mutex that all want, a barrier, a ring in which each thread wakes the next one."""
    program = build(folder, "futex")
    for harts in HARTS:
        status, out, err = linux(harts, "--", program, harts)
        check(status == 0 and out.startswith(f"{100 * harts} times, 20 laps, ") and err == "", f"{harts} harts: status {status}: {out}{err}")
        check(linux(harts, "--", program, harts) == (status, out, err), f"{harts} harts: another run differs from {out}")


@test
def killed_by_a_signal(folder):
    """A thread on whatever hart: status, place, and the calls up to its start; and one that jumps astray while others go on."""
    source, program = folder / "crash.c", folder / "crash"
    source.write_text(
        "#include <pthread.h>\n"
        "__attribute__((noinline)) static void store(volatile int *p) { *p = 1; }\n"
        "static void *work(void *p) {\n"
        "    store(p);\n"
        "    return 0;\n"
        "}\n"
        "static void *jump(void *p) {\n"
        "    ((void (*)(void))p)();\n"
        "    return 0;\n"
        "}\n"
        "static void *spin(void *p) {\n"
        "    for (;;) store(p);\n"
        "}\n"
        "int main(int count, char **words) {\n"
        "    pthread_t t[4];\n"
        "    int good;\n"
        "    void *(*other)(void *) = count > 1 ? spin : work, *(*last)(void *) = count > 1 ? jump : work;\n"
        "    (void)words;\n"
        "    for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, i == 3 ? last : other, i == 3 ? (void *)16 : &good);\n"
        "    for (int i = 0; i < 4; i++) pthread_join(t[i], 0);\n"
        "    return 3;\n"
        "}\n",
        encoding="utf-8",
    )
    subprocess.run(["riscv64-linux-gnu-gcc", "-O1", "-g", "-static", "-fno-optimize-sibling-calls", "-o", program, source], check=True)
    status, _, err = linux(4, "--", program)
    check(status == 139 and re.search(r"killed by signal 11 .*, store\+0x\w+, by an access to 0x10\n", err), f"status {status}: {err}")
    status, _, wild = linux(4, "--", program, "j")
    check(status == 139 and re.search(r"from: jump, .*crash.c:8", wild), f"a jump: status {status}: {wild}")
    check("crash: there: store, " in err and re.search(r"called from: work, .*crash.c:4; start_thread", err), err)


@test
def memory(folder):
    """The device tree of several harts shows the kernel more memory, too."""
    source = "#include <stdlib.h>\n#include <string.h>\nint main(void) { char *b = malloc(300 << 20); if (!b) return 3; memset(b, 1, 300 << 20); return 7; }\n"
    program = folder / "large"
    command = ["riscv64-linux-gnu-gcc", "-O1", "-fno-builtin", "-static", "-x", "c", "-o", program, "-"]
    subprocess.run(command, input=source, text=True, check=True)
    for options, want in ([], 3), (["--memory", "512M"], 7):
        got = linux(2, *options, "--", program)
        check(got == (want, "", ""), f"{options}: {got}, status {want} expected")


@test
def checkpoints(folder):
    """At the program's first instruction, of the N harts that it was asked for: what continues it prints what the run does. Another N is refused."""
    program, machine = build(folder, "openmp", "-fopenmp"), folder / "machine"
    for harts in 1, 4:
        whole, saved = linux(harts, "--", program), linux(harts, "--checkpoint", machine, "--", program)
        check(saved == (0, "", ""), f"{harts} harts: {saved}")
        check(tipoff("iss", "--quiet", "--restore", machine) == whole, f"{harts} harts: the restored run, not {whole}")
    for command, harts in (["iss", "--harts", "2"], 2), (["run", "--config", "small2c", "--harts", "2"], 2), (["mix", "--exact"], 1):
        refused([*command, "--restore", machine], f"{machine}: a checkpoint of a machine of 4 harts, not of {harts}", "with --harts 4")
    loader, library = (pathlib.Path("/usr/riscv64-linux-gnu/lib") / name for name in ("ld-linux-riscv64-lp64d.so.1", "libc.so.6"))
    source, linked = folder / "linked.c", folder / "linked"
    source.write_text('#include <stdio.h>\nint main(void) { puts("hello"); return 7; }\n', encoding="utf-8")
    subprocess.run(["riscv64-linux-gnu-gcc", "-o", linked, source], check=True)
    saved = linux(2, "--file", f"{loader}:/lib/{loader.name}", "--file", f"{library}:/lib/{library.name}", "--checkpoint", machine, "--", linked)
    check(saved == (0, "", ""), f"with libraries, which a copy of the machine finds: {saved}")
    check(tipoff("iss", "--quiet", "--restore", machine) == (7, "hello\n", ""), "with libraries, restored")
    check(linux(2, "--checkpoint", folder / "nowhere/m", "--", program)[0] == 4, "a folder that does not exist")


def on_cores(harts, *arguments):
    """The same on cores, in lockstep from the program's first instruction on: every hart's checks have agreed."""
    command = [TIPOFF, "linux", "--config", "small2c", "--harts", harts, "--max-cycles", 50_000_000, *arguments]
    done = subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=20 * TIMEOUT, check=False)
    agreed = done.stderr.count("memory-order, devices: all agree")
    check(agreed == harts, f"{arguments}: {agreed} of {harts} harts: {done.stdout}{done.stderr}")
    return done.returncode, done.stdout


@test
def cores(folder):
    """Threads that wake each other, OpenMP in both wait policies, threads and processes that map, protect, fork and unmap."""
    openmp, futex, maps, races = build(folder, "openmp", "-fopenmp"), build(folder, "futex"), build(folder, "maps"), build(folder, "races")
    want = linux(4, "--", maps, 4)
    check(want[0] == 0 and re.fullmatch(r"(\d+), \1 expected; forks 163255\n", want[1]), f"maps on the ISS: {want}")
    check(on_cores(4, "--", maps, 4) == want[:2], f"maps, not as the ISS has it: {want}")
    found = sum(16 * i + page for i in range(8) for page in range(1, 5)) + sum(16 * i + 2 for i in (1, 5))  # by the writer; by its children
    check(on_cores(2, "--", races, 2) == linux(2, "--", races, 2)[:2] == (0, f"sum {found}, 0 bad\n"), "races")
    check(on_cores(2, "--", futex, 2) == linux(2, "--", futex, 2)[:2], "futexes")
    for policy in "active", "passive":
        options = ["--env", f"OMP_WAIT_POLICY={policy}", "--", openmp]
        check(on_cores(2, *options) == linux(2, *options)[:2], f"OpenMP, {policy}")


@test
def bad_input(folder):
    """Cores whose caches are not coherent; that many harts; a missing kernel."""
    program = build(folder, "futex")
    for harts, text in (2, "--harts: the caches of small2 are not coherent (harts.coherent = 0): name a configuration"), (9, "--harts: cores have 8 at most"):
        done = subprocess.run(
            [TIPOFF, "linux", "--config", "small2", "--harts", str(harts), "--", program], capture_output=True, text=True, timeout=TIMEOUT, check=False
        )
        check(done.returncode == 2 and text in done.stderr, f"on a core: {done}")
    for value in "0", "17", "x", "-1", "2x":
        status, out, err = linux(value, "--", program)
        check(status == 2 and out == "" and f"--harts needs a number, 1 to 16: {value}\n" in err, f"{value}: status {status}: {err}")
    alone = folder / "build/bin/tipoff"
    alone.parent.mkdir(parents=True)
    shutil.copy(TIPOFF, alone)
    status, out, err = linux(2, "--", program, command=alone)
    check(status == 2 and out == "" and "smp/linux.elf: No such file or directory: make it with `make linux-smp`" in err and err.count("\n") == 1, err)


if __name__ == "__main__":
    sys.exit(main())
