#!/usr/bin/env bash
# The Debian packages whose libraries an installed tree links, with versions, as a package's Depends has them.
#
#   scripts/package/needs.sh FOLDER    FOLDER: what has lib/tipoff in it
set -euo pipefail
[ $# = 1 ] && [ -d "$1/lib/tipoff" ] || { echo "usage: scripts/package/needs.sh FOLDER, with FOLDER/lib/tipoff" >&2; exit 2; }
tree=$(cd "$1" && pwd)
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/debian"
printf 'Source: tipoff\n\nPackage: tipoff\nArchitecture: any\n' > "$work/debian/control"
mapfile -t linked < <(find "$tree/lib/tipoff" -name '*.so' -o -path '*/bin/tipoff')
cd "$work"
llvm=$(sed -n 's/^llvm-\([0-9]*\)-dev\t.*/\1/p' "$root/scripts/deps.tsv")  # loaded by the first disassembly
libraries=$(dpkg-shlibdeps -O "${linked[@]}" 2> "$work/log") || { cat "$work/log" >&2; exit 1; }
echo "${libraries#shlibs:Depends=}, libllvm$llvm, python3 (>= 3.11), python3-zstandard"
