#!/usr/bin/env bash
# What the first command costs on a fresh machine: makes a Debian 12 of the base system alone, and runs a target of make there.
#
#   scripts/fresh.sh [--page FILE] [TARGET]      default: run
#
# As root, with debootstrap (scripts/deps.sh fresh) and a network. The machine is a folder, build/fresh, entered by chroot: with /proc where
# this machine allows mounts, else without. What a person has already is git and make; what is committed is cloned. Prints what was
# installed, loaded and filled, and the time; --page puts that into a page, too. The folder stays, for a look; the next call removes it.
set -euo pipefail
cd "$(dirname "$0")/.."
page=
if [ "${1:-}" = --page ]; then
    page=${2:?scripts/fresh.sh: --page needs a file}
    shift 2
fi
target=${1:-run}
[ $# -le 1 ] || { echo "scripts/fresh.sh: one target: scripts/fresh.sh [--page FILE] [TARGET]" >&2; exit 2; }
[ "$(id -u)" = 0 ] || { echo "scripts/fresh.sh: debootstrap and chroot want root" >&2; exit 1; }
command -v debootstrap > /dev/null || { echo "scripts/fresh.sh: no debootstrap here: apt-get install debootstrap" >&2; exit 1; }

# In a mount namespace of its own: whatever ends this, no mount stays.
if [ -z "${TIPOFF_FRESH:-}" ] && unshare --mount true 2> /dev/null; then TIPOFF_FRESH=1 exec unshare --mount "$0" ${page:+--page "$page"} "$target"; fi

machine=$PWD/build/fresh
log=$PWD/build/fresh.log
mirror=$(sed -n 's/^URIs: *\([^ ]*debian\) *$/\1/p' /etc/apt/sources.list.d/*.sources 2> /dev/null | head -n 1)
mirror=${mirror:-http://deb.debian.org/debian}
mkdir -p build
rm -rf "$machine"
debootstrap --variant=minbase bookworm "$machine" "$mirror" > "$log" 2>&1 || { echo "scripts/fresh.sh: debootstrap failed: $(tail -n 1 "$log")" >&2; exit 1; }
printf 'deb %s %s main\n' "$mirror" bookworm "$mirror" bookworm-updates "$mirror-security" bookworm-security > "$machine/etc/apt/sources.list"
cp /etc/resolv.conf "$machine/etc/resolv.conf"
mounted=", without /proc"
if mount -t proc proc "$machine/proc" 2> /dev/null; then mounted=; fi

inside() { chroot "$machine" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C DEBIAN_FRONTEND=noninteractive "$@"; }
inside sh -c 'apt-get update -qq && apt-get install -y -qq --no-install-recommends git make' >> "$log" 2>&1 ||
    { echo "scripts/fresh.sh: git and make could not be installed: $(tail -n 1 "$log")" >&2; exit 1; }
inside apt-get clean
git clone -q --no-hardlinks "file://$PWD" "$machine/root/tipoff"

packages() { inside dpkg-query -W -f '.' | wc -c; }
filled() { du -xsm --exclude=./proc --exclude=./var/cache/apt --exclude=./root . | cut -f1; }
before=$(packages)
disk=$(cd "$machine" && filled)
SECONDS=0
status=0
TIMEFORMAT='%U %S'
{ time inside make -C /root/tipoff "$target" JOBS="$(nproc)" 2>&1 | tee -a "$log"; } 2> build/fresh.time || status=$?
minutes=$(((SECONDS + 30) / 60))
processor=$(awk '{ printf "%.0f", ($1 + $2) / 60 }' build/fresh.time)
load=$(find "$machine/var/cache/apt/archives" -name '*.deb' -printf '%s\n' | awk '{ n += $1 } END { printf "%d", n / 1e6 }')
built=$(du -sm "$machine/root/tipoff/build" | cut -f1)
result="$(($(packages) - before)) packages, $load MB to load, $(($(cd "$machine" && filled) - disk)) MB on disk and $built MB built; $minutes minutes"
result+=" ($processor of CPU time); begun with $before packages$mounted"
echo
echo "make $target: $result"
[ "$status" = 0 ] || { echo "scripts/fresh.sh: make $target failed there: $log" >&2; exit "$status"; }
[ -z "$page" ] || python3 - "$page" "$target" "$result" << 'EOF'
import sys

sys.path.insert(0, "scripts")
import page_head

page, target, result = sys.argv[1:]
head = page_head.made_by("make fresh" if target == "run" else f"make fresh of {target}")
text = f"`make {target}` as the first command on a Debian 12 that has its base system, git and make: {result}."
with open(page, "w", encoding="utf-8") as file:
    file.write("\n".join(["# The first command on a fresh machine", "", *head, "", text, ""]))
EOF
