#!/usr/bin/env bash
# Fetches the kernel's source package from Debian's archive and prints the path of the .deb.
#
#   scripts/linux/fetch.sh FOLDER [VERSION]
#
# apt is given lists of its own in FOLDER/apt, with the system's sources, so that nothing outside FOLDER is touched. What
# FOLDER holds already is not fetched again: then no network is needed. The version is pinned; where the archive has it no
# more (Debian keeps only the newest few), the newest 6.1 is taken, and stderr says so.
set -euo pipefail

package=linux-source-6.1
folder=$(mkdir -p "$1" && cd "$1" && pwd)
version=${2:-6.1.176-1}

found=$(ls "$folder/${package}_${version}_all.deb" "$folder/${package}"_*_all.deb 2>/dev/null | head -1 || true)
if [ -n "$found" ]; then
    echo "$found"
    exit 0
fi

mkdir -p "$folder"/apt/{lists/partial,cache/archives/partial,sources}
cp /etc/apt/sources.list.d/*.sources /etc/apt/sources.list.d/*.list "$folder/apt/sources/" 2>/dev/null || true
[ ! -s /etc/apt/sources.list ] || cp /etc/apt/sources.list "$folder/apt/sources/system.list"
apt=(apt-get -qq -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$folder/apt/sources" -o Dir::State::lists="$folder/apt/lists"
    -o Dir::Cache="$folder/apt/cache" -o APT::Sandbox::User="$(id -un)")
fail() {
    echo "scripts/linux/fetch.sh: $package $version: $1; with no network, put ${package}_${version}_all.deb into $folder" >&2
    exit 1
}
"${apt[@]}" update >&2 || fail "cannot read Debian's package lists"
cd "$folder"
if ! "${apt[@]}" download "$package=$version" >&2; then
    echo "scripts/linux/fetch.sh: $package $version is not in the archive any more: taking the newest" >&2
    "${apt[@]}" download "$package" >&2 || fail "cannot be fetched"
fi
rm -rf "$folder/apt" # 60 MB of lists
ls "$folder/${package}"_*_all.deb
