#!/usr/bin/env bash
# Builds the guest: firmware, kernel with our init in its initramfs, and one ELF of both, FOLDER/linux.elf.
#
#   scripts/linux/build.sh FOLDER [smp]
#
#   fetch.sh -> source, tip/ -> allnoconfig + kernel.config -> Image --.
#   init.c -> init -> list of the initramfs ------------------^        >- linux.elf
#   Debian's opensbi, fw_jump ----------------------------------------'
# Beside linux.elf it keeps what has the names of its code: vmlinux, vdso.so, firmware.elf and init, for reports.
# With smp, of the same source and with smp.config over kernel.config, the guest of several harts: all that in FOLDER/smp.
# What has not changed is not built again. Needs build/gen (make gen). Prints a line a step, with what it takes the first time, and the
# versions of what it puts together.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/progress.sh"
root=$(cd "$here/../.." && pwd)
folder=$(mkdir -p "$1" && cd "$1" && pwd)
variant=${2:-} # empty, of one hart; or smp
out=$(mkdir -p "$folder/$variant" && cd "$folder/$variant" && pwd)
configs=("$here/kernel.config" ${variant:+"$here/$variant.config"}) # what the later one says counts
cross=riscv64-linux-gnu-
firmware=/usr/lib/riscv64-linux-gnu/opensbi/generic/fw_jump.bin
jobs=${JOBS:-2}
objects=580 # of a kernel, about
step() { # NUMBER what it does
    echo "  LINUX $1 of 5: $2"
}

step 1 "Debian's linux-source-6.1 (140 MB to load, once)"
deb=$("$here/fetch.sh" "$folder/cache")
version=$(basename "$deb" | cut -d_ -f2)
echo "  LINUX kernel $version, opensbi $(dpkg-query -W -f '${Version}' opensbi), ${cross}gcc $(${cross}gcc -dumpfullversion), glibc $(dpkg-query -W -f '${Version}' libc6-dev-riscv64-cross)"

# Source: without what no RISC-V kernel of ours compiles, which halves the disk it takes.
if [ "$(cat "$folder/source.version" 2>/dev/null)" != "$version" ]; then
    step 2 "unpacks $(basename "$deb") (0.7 GB on disk, a minute)"
    rm -rf "$folder/source" "$folder/kernel" "$folder/source.version" "$folder"/*.orig
    mkdir -p "$folder/source"
    dpkg-deb --fsys-tarfile "$deb" | tar -xO ./usr/src/linux-source-6.1.tar.xz |
        tar -xJ -C "$folder/source" --strip-components=1 --anchored --wildcards --exclude='linux-source-6.1/Documentation/*/*' \
            --exclude='linux-source-6.1/drivers/gpu/*.[ch]' --exclude='linux-source-6.1/drivers/net/*.[ch]' \
            --exclude='linux-source-6.1/drivers/media/*.[ch]' --exclude='linux-source-6.1/sound/*.[ch]' \
            --exclude='linux-source-6.1/arch/[!r]*/*.[chS]' --exclude='linux-source-6.1/arch/*/boot/dts/*'
    echo "$version" > "$folder/source.version"
else
    step 2 "is unpacked"
fi

step 3 "init, the driver, the kernel's configuration (seconds)"
# Files that kbuild reads are only replaced when they change, so that it does not build for nothing.
renew() {
    if cmp -s "$1.new" "$1"; then rm "$1.new"; else mv "$1.new" "$1"; fi
}
# tip/: what the kernel's PMU driver takes its samples with, and the addresses and fields of its registers.
driver=drivers/perf/riscv_pmu_sbi.c
[ -e "$folder/$(basename $driver).orig" ] || cp "$folder/source/$driver" "$folder/$(basename $driver).orig"
patch -s -o "$folder/source/$driver.new" "$folder/$(basename $driver).orig" "$here/tip/riscv_pmu_sbi.patch"
cp "$here/tip/riscv_pmu_tip.h" "$folder/source/drivers/perf/riscv_pmu_tip.h.new"
sed -nE 's/^ *(CSR_(SHPMS|TIPOFF)[A-Z0-9_]*) = (0x[0-9a-f]+),.*/#define \1 \3/p; /^#define SHPMSDATA_/p' "$root/build/gen/csrs.h" > "$folder/source/drivers/perf/riscv_pmu_tip_csrs.h.new"
for file in "$driver" drivers/perf/riscv_pmu_tip.h drivers/perf/riscv_pmu_tip_csrs.h; do renew "$folder/source/$file"; done

value() { # of a macro of the tray or of the memory map
    printf '#include "%s/tray.h"\n#include "%s/build/gen/memory_map.h"\n#define UINT64_C(x) x\n%s\n' "$here" "$root" "$1" | ${cross}gcc -E -P -include stdint.h -U UINT64_C - 2>/dev/null | tail -1
}

"${cross}gcc" -O2 -Wall -Wextra -Werror -static -I"$here" -I"$root/build/gen" -o "$out/init.new" "$here/init.c"
"${cross}strip" "$out/init.new"
renew "$out/init"
cat > "$out/initramfs.list.new" << EOF
dir /dev 0755 0 0
dir /proc 0755 0 0
dir /sys 0755 0 0
dir /tmp 0777 0 0
nod /dev/console 0600 0 0 c 5 1
nod /dev/null 0666 0 0 c 1 3
nod /dev/zero 0666 0 0 c 1 5
nod /dev/mem 0600 0 0 c 1 1
nod /dev/tty 0666 0 0 c 5 0
nod /dev/random 0666 0 0 c 1 8
nod /dev/urandom 0666 0 0 c 1 9
nod /dev/ttyS0 0666 0 0 c 4 64
nod /dev/ttyS1 0666 0 0 c 4 65
file /init $out/init 0755 0 0
EOF
renew "$out/initramfs.list"

arguments="console=ttyS1 earlycon=uart8250,mmio,$(value UART1_BASE) mem=$(value TRAY_MEGABYTES)M panic=-1 norandmaps sysctl.kernel.perf_event_max_sample_rate=100000000 sysctl.kernel.perf_cpu_time_max_percent=0" # as many samples as are asked for
{
    cat "${configs[@]}"
    printf 'CONFIG_INITRAMFS_SOURCE="%s"\nCONFIG_CMDLINE="%s"\nCONFIG_CMDLINE_FORCE=y\n' "$out/initramfs.list" "$arguments"
} > "$out/fragment.new"
kbuild=(make -s -C "$folder/source" O="$out/kernel" ARCH=riscv CROSS_COMPILE=$cross KBUILD_BUILD_TIMESTAMP=@0 KBUILD_BUILD_USER=tipoff KBUILD_BUILD_HOST=tipoff KBUILD_BUILD_VERSION=1)
if ! cmp -s "$out/fragment.new" "$out/fragment" || [ ! -e "$out/kernel/.config" ]; then
    "${kbuild[@]}" KCONFIG_ALLCONFIG="$out/fragment.new" allnoconfig > "$out/config.log" 2>&1 || { cat "$out/config.log" >&2; exit 1; }
    while read -r line; do # an option that the kernel does not know, or that lacks another, is silently left out
        case $line in CONFIG_*=n) continue ;; CONFIG_*) grep -qxF -- "$line" "$out/kernel/.config" || { echo "scripts/linux/build.sh: $line is not in the kernel's configuration" >&2; exit 1; } ;; esac
    done < "$out/fragment.new"
    mv "$out/fragment.new" "$out/fragment"
fi
rm -f "$out/fragment.new"
step 4 "builds the kernel (6 minutes of one processor the first time; -j$jobs)"
: > "$out/kernel.log"
compiles "  LINUX 4 of 5" "$out/kernel" "$objects" "$out/kernel.log" "${kbuild[@]}" -j"$jobs" Image || { tail -30 "$out/kernel.log" >&2; exit 1; }

step 5 "joins firmware and kernel: ${out#"$root/"}/linux.elf (a second)"

printf '    .section .firmware, "ax"\n    .globl tipoff_firmware\ntipoff_firmware:\n    .incbin "%s"\n    .section .kernel, "ax"\n    .incbin "%s"\n' "$firmware" "$out/kernel/arch/riscv/boot/Image" > "$out/machine.S"
"${cross}gcc" -nostdlib -static -no-pie -Wl,--build-id=sha1,--no-warn-rwx-segments -T "$here/link.ld" -Wl,--just-symbols="$out/kernel/vmlinux" \
    -Wl,--defsym=finisher="$(value FINISHER_BASE)" -o "$out/linux.elf.new" "$out/machine.S"
cp "$out/kernel/vmlinux" "$out/vmlinux"
cp "$out/kernel/arch/riscv/kernel/vdso/vdso.so.dbg" "$out/vdso.so"
cp "${firmware%.bin}.elf" "$out/firmware.elf"
mv "$out/linux.elf.new" "$out/linux.elf"
