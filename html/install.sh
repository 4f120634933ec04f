#!/usr/bin/env bash
# Installs the pinned npm packages of the HTML reports into build/html, where they are missing.
#
#   html/install.sh         what the page is bundled from (15 MB)
#   html/install.sh --dev   that, and what checks and tests it (260 MB more)
set -euo pipefail
cd "$(dirname "$0")/.."

option=--omit=dev
[ "${1:-}" = --dev ] && option=--include=dev
exec scripts/synth/install.sh html build/html $option
