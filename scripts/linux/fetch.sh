#!/usr/bin/env bash
# Fetches the kernel's source package, of a pinned version, from Debian's archive and prints the path of the .deb.
#
#   scripts/linux/fetch.sh FOLDER [VERSION]
set -euo pipefail

exec "$(dirname "$0")/archive.sh" "$1" binary "linux-source-6.1=${2:-6.1.176-1}"
