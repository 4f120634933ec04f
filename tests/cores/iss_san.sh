#!/usr/bin/env bash
# Programs on the ISS built with the address and undefined-behaviour sanitizers, each to its end; status 1 if one ends with
# another status than 0 or a sanitizer speaks.
set -uo pipefail
passed=0 failed=0
for program in "$@"; do
    if output=$(timeout 120 build/bin/tipoff-san iss --quiet --max-insns 10000000 "$program" 2>&1) && ! grep -q "runtime error\|AddressSanitizer" <<< "$output"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAIL %s\n%s\n' "$program" "$output" | tail -20
    fi
done
echo "$passed passed, $failed failed"
((failed == 0 && passed > 0))
