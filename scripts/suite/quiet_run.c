// `tipoff run --quiet` alone: what the linker takes for it is the code that kept runs depend on (kept.py). It prints no
// report.
#include <stdlib.h>

#include "cli/cli.h"
#include "report/report.h"

int report_print(const char *path, FILE *out, const struct notices *notices, struct error *err) {
    (void)path, (void)out, (void)notices, (void)err;
    abort();
}

int main(int argc, char **argv) {
    return cmd_run(argc - 1, argv + 1);
}
