#!/usr/bin/env bash
# Installs the pinned npm packages of the HTML reports into build/html, where they are not there yet.
#
#   html/install.sh         what the page is bundled from (15 MB)
#   html/install.sh --dev   that, and what checks and tests it (260 MB more)
set -euo pipefail
cd "$(dirname "$0")/.."

room=build/html
omit=--omit=dev
[ "${1:-}" = --dev ] && omit=--include=dev
mkdir -p $room
mark=$room/installed$omit
same() { cmp -s html/package-lock.json "$1"; }
if same "$mark" || same "$room/installed--include=dev"; then exit 0; fi
rm -f $room/installed--*
cp html/package.json html/package-lock.json $room/
(cd $room && npm ci --silent --no-audit --no-fund $omit) || {
    echo "html/install.sh: npm could not install html/package.json; is the npm registry reachable?" >&2
    exit 1
}
cp html/package-lock.json "$mark"
