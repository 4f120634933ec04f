// What can end a program's run by itself: looked up in its symbols.
#include "machine/ends.h"
#include "memory_map.h"

bool ends_by_itself(const struct image *image, const char *options, struct error *err) {
    if (image_symbol(image, "tohost", 0) || image_symbol(image, FINISHER_SYMBOL, 0) == FINISHER_BASE) return true;
    error_set(err,
              "%s: has no symbol tohost, so that only the test finisher can end the run: if it does, link with "
              "-Wl,--defsym=" FINISHER_SYMBOL "=0x%llx; else link tohost in (docs/guide/workloads.md); or give %s",
              image_path(image), (unsigned long long)FINISHER_BASE, options);
    return false;
}
