#!/usr/bin/env bash
# Installs a folder's pinned npm packages into a room of build/, where they are not there yet; whoever comes while another installs, waits.
#
#   scripts/synth/install.sh [FOLDER ROOM [OPTION...]]      default: scripts/synth build/synth, the synthesis front end; OPTIONs are npm's
set -euo pipefail
cd "$(dirname "$0")/../.."

folder=${1:-scripts/synth}
room=${2:-build/synth}
shift $(($# < 2 ? $# : 2))
mkdir -p "$room"
exec 9> "$room/install.lock"
flock 9
mark=$room/installed$*
for done in "$mark" "$room/installed--include=dev"; do # the latter is all, and more
    if cmp -s "$folder/package-lock.json" "$done"; then exit 0; fi
done
rm -f "$room"/installed*
cp "$folder/package.json" "$folder/package-lock.json" "$room/"
(cd "$room" && npm ci --silent --no-audit --no-fund "$@" 9>&-) || {
    echo "$0: npm could not install $folder/package.json; is the npm registry reachable?" >&2
    exit 1
}
cp "$folder/package-lock.json" "$mark"
