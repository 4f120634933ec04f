#!/usr/bin/env bash
# Builds perf of the kernel's source package, static for the guest: FOLDER/perf; and FOLDER/perf-start, which it starts programs by.
#
#   scripts/linux/perf.sh FOLDER      where build.sh has unpacked the source
#
#   Debian's zlib, elfutils -> libelf, which reads symbols --.
#   tools/perf of linux-source-6.1 ---------------------------> perf
# Of the libraries that it could use it has libelf alone: one file that needs nothing. What has not changed is not built
# again; with the packages in FOLDER/cache no network is needed.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(cd "$1" && pwd)
. "$here/progress.sh"
cross=riscv64-linux-gnu-
packages=(zlib=1:1.2.13.dfsg-1 elfutils=0.188-2.1)
without=(LIBDW_DWARF_UNWIND LIBUNWIND LIBBPF LIBPERL LIBPYTHON LIBCRYPTO LIBNUMA LIBAUDIT LIBCAP LIBZSTD LIBPFM4 LIBDEBUGINFOD LIBBABELTRACE
    JEVENTS SLANG GTK2 LZMA ZLIB SDT BACKTRACE DEMANGLE AUXTRACE JVMTI DWARF SYSCALL_TABLE)

[ -d "$folder/source/tools/perf" ] || { echo "scripts/linux/perf.sh: $folder/source: no kernel source there: run make linux" >&2; exit 1; }
libraries=$folder/perf-libraries
"${cross}gcc" -O2 -Wall -Wextra -Werror -static -nostdlib -o "$folder/perf-start.new" "$here/perf_start.c"
mv "$folder/perf-start.new" "$folder/perf-start"
key="$(cat "$folder/source.version") ${packages[*]} ${without[*]} $(${cross}gcc -dumpfullversion)"
[ ! -e "$folder/perf" ] || [ "$(cat "$folder/perf.key" 2>/dev/null)" != "$key" ] || exit 0
unset MAKEFLAGS MAKELEVEL MFLAGS
jobs=-j${JOBS:-2}
logged() { "$@" >> "$folder/perf.log" 2>&1 < /dev/null || { tail -20 "$folder/perf.log" >&2; exit 1; }; }
: > "$folder/perf.log"

echo "  PERF  1 of 2: libelf of ${packages[*]} (10 MB to load, a minute of one processor)"
mapfile -t sources < <("$here/archive.sh" "$folder/cache" source "${packages[@]}")
[ ${#sources[@]} -eq ${#packages[@]} ]
rm -rf "$libraries" && mkdir -p "$libraries/include" "$libraries/lib"
logged dpkg-source --no-check -q -x "${sources[0]}" "$libraries/zlib"
(cd "$libraries/zlib" && CHOST=${cross%-} logged ./configure --static && logged make "$jobs" libz.a && cp zlib.h zconf.h ../include && cp libz.a ../lib)
logged dpkg-source --no-check -q -x "${sources[1]}" "$libraries/elfutils"
(cd "$libraries/elfutils" && logged ./configure -q --host=${cross%-} --disable-debuginfod --disable-libdebuginfod --disable-nls --without-lzma --without-bzlib \
    --without-zstd CFLAGS="-O2 -w" CPPFLAGS="-I$libraries/include" LDFLAGS="-L$libraries/lib" &&
    logged make "$jobs" -C lib && logged make "$jobs" -C libelf libelf.a && cp libelf/{gelf,libelf}.h libelf/nlist.h version.h ../include && cp libelf/libelf.a ../lib/libelf-alone.a)
rm -f "$libraries"/*.tar.*
echo "GROUP ( $libraries/lib/libelf-alone.a $libraries/elfutils/lib/libeu.a $libraries/lib/libz.a )" > "$libraries/lib/libelf.a" # the linker's: all that it needs

echo "  PERF  2 of 2: perf of Debian's linux-source-6.1 $(cat "$folder/source.version") (4 minutes of one processor; $jobs)"
mkdir -p "$folder/perf-build"
compiles "  PERF  2 of 2" "$folder/perf-build" 0 "$folder/perf.log" make -C "$folder/source/tools/perf" O="$folder/perf-build" "$jobs" ARCH=riscv CROSS_COMPILE=$cross EXTRA_CFLAGS="-O2 -w -I$libraries/include" \
    LDFLAGS="-static -L$libraries/lib" WERROR=0 $(printf 'NO_%s=1 ' "${without[@]}") "$folder/perf-build/perf" || { tail -20 "$folder/perf.log" >&2; exit 1; }
grep -q 'libelf: .*\[.*on.*\]' "$folder/perf.log" || { echo "scripts/linux/perf.sh: perf does not find libelf: see $folder/perf.log" >&2; exit 1; }
"${cross}strip" -o "$folder/perf" "$folder/perf-build/perf"
echo "$key" > "$folder/perf.key"
