#!/usr/bin/env bash
# Fetches packages of pinned versions from Debian's archive and prints, a line each, the path of the .deb or .dsc.
#
#   scripts/linux/archive.sh FOLDER binary|source PACKAGE=VERSION...
#
# apt is given lists of its own in FOLDER/apt, with the system's sources, so that nothing outside FOLDER is touched. What
# FOLDER holds already is not fetched again: then no network is needed. Where the archive has a version no more (Debian keeps
# only the newest few), the newest is taken, and stderr reports it. What apt-get says stands in FOLDER/apt.log.
set -euo pipefail

folder=$(mkdir -p "$1" && cd "$1" && pwd)
kind=$2
shift 2
case $kind in binary) file=.deb ;; source) file=".dsc, and the files that it names," ;; *) echo "scripts/linux/archive.sh: binary or source, not $kind" >&2 && exit 2 ;; esac

# A source package is complete when all files that its .dsc names exist with the right contents.
whole() {
    [ "$kind" = binary ] || (cd "$folder" && awk '/^[^ ]/ { on = /^Checksums-Sha256:/; next } on { print $1 "  " $3 }' "$1" | sha256sum --check --status 2>/dev/null)
}

# The package in FOLDER: of this version, or else of any.
held() {
    local name=$1 version=${2#*:} path
    for path in "$folder/${name}_${version}"{_*.deb,.dsc} "$folder/${name}"_*{.deb,.dsc}; do
        case "$kind $path" in binary*.deb | source*.dsc) [ -e "$path" ] && whole "$path" && echo "$path" && return ;; esac
    done
    return 1
}

apt() {
    apt-get -qq -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$folder/apt/sources" -o Dir::State::lists="$folder/apt/lists" \
        -o Dir::Cache="$folder/apt/cache" -o APT::Sandbox::User="$(id -un)" "$@" >> "$folder/apt.log" 2>&1
}

lists() {
    [ ! -e "$folder/apt/ready" ] || return 0
    mkdir -p "$folder"/apt/{lists/partial,cache/archives/partial,sources}
    cp /etc/apt/sources.list.d/*.sources /etc/apt/sources.list.d/*.list "$folder/apt/sources/" 2>/dev/null || true
    [ ! -s /etc/apt/sources.list ] || cp /etc/apt/sources.list "$folder/apt/sources/system.list"
    if [ "$kind" = source ]; then
        sed -i -E 's/^Types:.*/Types: deb-src/; s/^deb /deb-src /' "$folder"/apt/sources/*
    fi
    # Every list: without a network apt takes it for a success to have none.
    apt -o APT::Update::Error-Mode=any update || return 1
    touch "$folder/apt/ready"
}

download() {
    if [ "$kind" = source ]; then apt source --download-only "$1"; else apt download "$1"; fi
}

fetch() {
    local name=${1%%=*} version=${1#*=} want
    fail() {
        echo "scripts/linux/archive.sh: $name $version: $1 ($folder/apt.log); with no network, put its $file into $folder" >&2
        exit 1
    }
    held "$name" "$version" && return
    local listed=1
    lists || listed=
    cd "$folder"
    if ! download "$name=$version"; then # one of several lists may be what failed
        [ "$listed" ] || fail "cannot read Debian's package lists"
        echo "scripts/linux/archive.sh: $name $version is not in the archive any more: taking the newest" >&2
        download "$name" || fail "cannot be fetched"
    fi
    held "$name" "$version" || fail "is incomplete"
}

: > "$folder/apt.log"
trap 'rm -rf "$folder/apt"' EXIT # 60 MB of lists
for package in "$@"; do
    fetch "$package"
done
