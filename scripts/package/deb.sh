#!/usr/bin/env bash
# Makes build/dist/tipoff_VERSION_MACHINE.deb of an installed tree, whose prefix is /usr.
#
#   scripts/package/deb.sh TREE VERSION MARCH    `make deb` does, after it has filled the tree
set -euo pipefail
cd "$(dirname "$0")/../.."
[ $# = 3 ] || { echo "usage: scripts/package/deb.sh TREE VERSION MARCH, or make deb" >&2; exit 2; }
tree=$1
machine=$(dpkg --print-architecture)
package=build/dist/tipoff_$2_$machine.deb
mkdir -p build/dist
# The module where Debian's Python looks for it.
mkdir -p "$tree/usr/lib/python3/dist-packages"
mv "$tree/usr/lib/tipoff/python/tipoff" "$tree/usr/lib/python3/dist-packages/tipoff"
mkdir -p "$tree/usr/share/zsh/vendor-completions"
mv "$tree/usr/share/zsh/site-functions/_tipoff" "$tree/usr/share/zsh/vendor-completions/"
rmdir "$tree/usr/share/zsh/site-functions"
mv "$tree/usr/share/doc/tipoff/LICENSE" "$tree/usr/share/doc/tipoff/copyright"
needs=$(scripts/package/needs.sh "$tree/usr")
mkdir -p "$tree/DEBIAN"
cat > "$tree/DEBIAN/control" << EOF
Package: tipoff
Version: $2
Architecture: $machine
Maintainer: $(git log -1 --format='%an <%ae>' 2> /dev/null || echo 'tipoff <nobody@localhost>')
Installed-Size: $(du -sk "$tree/usr" | cut -f1)
Depends: $needs
Recommends: gcc-riscv64-unknown-elf, picolibc-riscv64-unknown-elf
Suggests: python3-pandas, linux-perf
Section: devel
Priority: optional
Description: which instruction takes the time on an out-of-order core, and why
 Runs RISC-V programs on models of a core, samples them time-proportionally,
 and reports which instruction takes the time and why. Also reads other cores'
 pipeline traces. With the Python module that reads its files.
 .
 Built with MARCH=$3 (native: for processors like that of the machine that
 built it).
EOF
(cd "$tree" && find usr -type f -exec md5sum {} + > DEBIAN/md5sums)
dpkg-deb --root-owner-group --build "$tree" "$package" > /dev/null
du -h "$package"
