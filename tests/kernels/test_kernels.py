#!/usr/bin/env python3
"""The kernels of kernels.tsv: all of them exist, their results are right, and a wrong one is noticed.

    tests/kernels/test_kernels.py [--each] [--only TEXT]

--each: of each row with one of its flags, and wrong ones of the thirty computations as their definitions have them. Needs `make kernels` (--each: `make
need-kernels`) and build/bin/tipoff.
"""
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile

import kernels
import reference

sys.path.insert(0, str(kernels.ROOT / "tests/cli"))
from cli import check, main, test, tipoff  # noqa: E402

SOURCES = kernels.ROOT / "tests/kernels"
COMPUTATIONS = """2mm 3mm adi atax bicg cholesky correlation covariance deriche doitgen durbin fdtd-2d floyd-warshall gemm gemver gesummv
                  gramschmidt heat-3d jacobi-1d jacobi-2d lu ludcmp mvt nussinov seidel-2d symm syr2k syrk trisolv trmm""".split()
GCC = [
    "riscv64-unknown-elf-gcc",
    "-march=rv64imafdc_zicsr_zifencei",
    "-mabi=lp64d",
    "-mcmodel=medany",
    "-std=gnu17",
    "-ffreestanding",
    "-ffp-contract=off",
    "-fno-math-errno",
    "-I",
    SOURCES,
    "-I",
    kernels.ROOT / "tests/workloads/runtime",
    "-DSIZE=0",
]
EACH = "--each" in sys.argv


def result(program):
    status, out, err = tipoff("iss", "--quiet", "--max-insns", 10_000_000, program)
    return status, out.strip(), err.strip()


@test
def table(_folder):
    found = kernels.read()
    check(sorted({row.kernel for row in found.rows}) == sorted(COMPUTATIONS), "the thirty computations, and no other")
    check(set(reference.MODELS) == set(COMPUTATIONS), "each has a model in reference.py")
    if not EACH:
        count = len(kernels.unique(found))
        check(count >= 300, f"{count} programs with code of their own: at least 300")
    transformed = {row.kernel for row in found.rows if set(row.defines) & {"TILED", "UNROLLED", "INTERCHANGED", "FUSED", "SPLIT"}}
    check(transformed == set(COMPUTATIONS), "each is transformed by hand, too")


@test
def results(_folder):
    programs = [kernels.BUILD / f"{program}.elf" for program in (kernels.each if EACH else lambda table: table.programs)(kernels.read())]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for program, (status, out, err) in zip(programs, pool.map(result, programs)):
            check(status == 0 and out.endswith("PASS"), f"{program.name}: status {status}: {out} {err}")


def broken(row, folder):
    """The row's kernel with its first operator changed."""
    sizes = [
        f"-DN={row.n}",
        f"-DSTEPS={row.steps}",
        f"-DEXPECTED={kernels.expected(row.kernel, row.n, row.steps)}",
        "-DTOLERANCE=1e-10",
        *(f"-D{d}" for d in row.defines),
    ]
    text = subprocess.run([*GCC, *sizes, "-E", "-P", SOURCES / f"{row.kernel}.c"], capture_output=True, text=True, check=True).stdout
    changes = ((r" \+= (?!\d|TILE)", " -= "), (" -= ", " += "), (r" \* ", " + "), (r" \+ ", " - "))
    # In the kernel itself, else in what it is made of, else in the shared product.
    starts = text.rindex("void kernel(int n)"), text.index("\n}", text.rindex("void kernel_sum(")), text.index("real dot4(")
    start = next(at for at in starts if any(re.search(operator, text[at:]) for operator, _ in changes))
    operator, other = next(change for change in changes if re.search(change[0], text[start:]))
    text = text[:start] + re.sub(operator, other, text[start:], count=1)
    source, program = folder / f"{row.name}.c", folder / f"{row.name}.elf"
    source.write_text(text)
    support = sorted((kernels.BUILD / "runtime").glob("*.o"))
    subprocess.run(
        [
            *GCC,
            "-O1",
            *sizes,
            "-include",
            kernels.BUILD / "expected.h",
            source,
            SOURCES / "main.c",
            *support,
            '-DWORKLOAD="kernel"',
            "-nostdlib",
            "-static",
            "-Wl,--no-warn-rwx-segments",
            "-T",
            kernels.ROOT / "tests/workloads/runtime/link.ld",
            "-lgcc",
            "-o",
            program,
        ],
        check=True,
    )
    return program


@test
def wrong_results_are_noticed(_folder):
    with tempfile.TemporaryDirectory() as folder:
        for row in kernels.read().rows:
            if row.variant in ("float", "large") or EACH and row.variant:
                continue
            status, out, _ = result(broken(row, pathlib.Path(folder)))
            check(status == 1 and out.endswith("FAIL"), f"{row.name} with an operator changed: status {status}: {out}")


@test
def bad_tables(folder):
    head = "flags\tO2\t-O2\n"
    good = "kernel\tgemm\t-\t18\t0\t-\tO2\n"
    path = folder / "kernels.tsv"
    path.write_text(head + good)
    check(kernels.read(path).programs == ["gemm.O2"], "a good table")
    for text, said in (
        (head + good.replace("O2", "O4"), "O4"),
        (head + good.replace("18", "many"), "kernels.tsv:2"),
        (head + good + good, "twice"),
        ("core\tgemm\n", "neither"),
    ):
        path.write_text(text)
        try:
            kernels.read(path)
        except SystemExit as error:
            check(re.search(re.escape(said), str(error)), f"{said!r} expected: {error}")
        else:
            raise AssertionError(f"accepted: {text!r}")


if __name__ == "__main__":
    sys.argv = [word for word in sys.argv if word != "--each"]
    sys.exit(main())
