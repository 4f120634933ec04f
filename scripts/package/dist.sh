#!/usr/bin/env bash
# Writes a README into build/dist/tipoff-VERSION-MACHINE, a folder that runs wherever it is put, and packs it.
#
#   scripts/package/dist.sh FOLDER VERSION MARCH    `make dist` does, after it has filled the folder
set -euo pipefail
cd "$(dirname "$0")/../.."
[ $# = 3 ] || { echo "usage: scripts/package/dist.sh FOLDER VERSION MARCH, or make dist" >&2; exit 2; }
folder=$1
needs=$(scripts/package/needs.sh "$folder")
cat > "$folder/README" << EOF
tipoff $2: which instruction takes the time on an out-of-order core, and why.

    bin/tipoff workloads
    bin/tipoff run --config small2 --period 97 --samples /tmp/my.tips lib/tipoff/workloads/queens.small.elf
    bin/tipoff report --format html --output /tmp/my.html /tmp/my.tips
    PYTHONPATH=lib/tipoff/python python3 -c 'import tipoff; print(len(tipoff.Samples("/tmp/my.tips").samples))'

The folder may stand anywhere; bin/ holds links into it. Manual pages: man -M share/man tipoff-run. Completion: source
share/bash-completion/completions/tipoff; for zsh share/zsh/site-functions goes into fpath.

It needs, of Debian 12: $(sed 's/ ([^)]*)//g; s/,//g' <<< "$needs")
tipoff-cc also needs gcc-riscv64-unknown-elf and picolibc-riscv64-unknown-elf. Instructions of the processor: those of
MARCH=$3 (native: of the machine that built it).
EOF
tar -C "$(dirname "$folder")" --owner=0 --group=0 --sort=name --mtime=@"$(stat -c %Y python/tipoff/version.py)" -czf "$folder.tar.gz" "$(basename "$folder")"
du -h "$folder.tar.gz"
