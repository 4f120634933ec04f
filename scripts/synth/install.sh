#!/usr/bin/env bash
# Installs a folder's pinned npm packages into a room of build/, where they are missing; whoever comes while another installs, waits.
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
command -v npm > /dev/null || { echo "$0: no npm here, which $folder/package.json is installed by: scripts/deps.sh html" >&2; exit 1; }
# One retry, soon: without a network npm's own pauses between retries are three silent minutes.
options=(--prefer-offline --no-audit --no-fund --fetch-retries=1 --fetch-retry-mintimeout=1000 --fetch-retry-maxtimeout=2000)
(cd "$room" && npm ci --loglevel=error "${options[@]}" "$@" > npm.log 2>&1 9>&-) || {
    echo "$0: npm could not install $folder/package.json: is the npm registry reachable? ($room/npm.log)" >&2
    exit 1
}
cp "$folder/package-lock.json" "$mark"
