"""Bare-metal programs of several harts, from their sources."""
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]


def built(folder, *sources, name="program.elf"):
    program = folder / name
    command = ["riscv64-unknown-elf-gcc", "-march=rv64ima_zicsr_zifencei", "-mabi=lp64", "-mcmodel=medany", "-ffreestanding", "-O2", "-Wall", "-Wextra"]
    command += [
        "-Werror",
        "-nostdlib",
        "-static",
        *([] if "-T" in sources else ["-T", ROOT / "tests/fuzz/link.ld"]),
        "-Wl,--no-warn-rwx-segments,--defsym=finisher=0x100000",
    ]
    subprocess.run([*command, "-Wl,--defsym=__global_pointer$=0x80000800", "-o", program, *sources], check=True)
    return program
