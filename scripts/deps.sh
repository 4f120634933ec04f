#!/usr/bin/env bash
# Installs the Debian packages that tipoff needs and this machine lacks.
#
#   scripts/deps.sh          install what is missing (as root, or through sudo)
#   scripts/deps.sh --check  print what is missing; status 1 if anything is
set -euo pipefail

packages=(
    build-essential clang lld clang-format clang-tidy python3        # compilers, checks, table generator
    black flake8                                                     # layout and checks of Python
    verilator zlib1g-dev liblz4-dev                                  # model, waveforms
    libelf-dev libdw-dev llvm-14-dev libzstd-dev libcjson-dev        # ELF, DWARF, disassembly, samples, JSON
    libiberty-dev                                                    # names of C++
    libsystemc-dev                                                   # the tile as a SystemC module
    libcmocka-dev                                                    # unit tests
    gcc-riscv64-unknown-elf binutils-riscv64-unknown-elf             # workloads
    picolibc-riscv64-unknown-elf                                     # the C library of tipoff-cc
    opensbi                                                          # firmware that tests boot
    gcc-riscv64-linux-gnu libc6-dev-riscv64-cross bison flex bc tcl  # Linux: its kernel, and programs for it
    device-tree-compiler                                             # device tree of the simulated machine
    qemu-system-misc                                                 # independent ISA reference
    python3-zstandard python3-numpy python3-sklearn                  # the Python module; the evaluation's study; rules that are learned
    llvm-19                                                          # llvm-mca with models of cores that are out of order
    gnuplot-nox                                                      # plots of sweeps
    libxml2-utils                                                    # checks the suite's JUnit XML
    valgrind                                                         # counts what checks cost
    yosys nodejs npm ca-certificates z3                              # synthesis check, proofs; HTML reports
    berkeley-abc opensta                                             # cost of the units: mapping and timing
    iverilog python3-yaml                                            # simulates their release folder; reads its manifests
    chromium poppler-utils fonts-dejavu-core                         # the browser that HTML reports are tested in
)

missing=()
for package in "${packages[@]}"; do
    if [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" != installed ]; then
        case "$package" in
            nodejs | npm) command -v "${package/nodejs/node}" >/dev/null && continue ;;
        esac
        missing+=("$package")
    fi
done
[ ${#missing[@]} -eq 0 ] && exit 0

if [ "${1:-}" = --check ]; then
    echo "missing: ${missing[*]}"
    exit 1
fi
sudo=
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || {
        echo "scripts/deps.sh: missing packages: ${missing[*]}; run as root: apt-get install ${missing[*]}" >&2
        exit 1
    }
    sudo=sudo
fi
echo "installing: ${missing[*]}"
$sudo apt-get update -qq
$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
