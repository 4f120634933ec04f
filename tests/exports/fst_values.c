// Values of signals in a waveform file (FST), read by GTKWave's own library, which Verilator brings along:
//
//   fst_values FILE.fst SIGNAL ... < times
//
// prints for each time on stdin a line: what each signal has then, in binary. SIGNAL: with its scopes,
// "TOP.sim_top.clk_i".
#include "gtkwave/fstapi.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64, NAME = 512, VALUE = 4096 };

// Handles of the signals, by the hierarchy; a name ends at the space before its range.
static int find(void *fst, char **names, int count, fstHandle *handles) {
    int found = 0;
    struct fstHier *h;
    fstReaderResetScope(fst);
    while ((h = fstReaderIterateHier(fst))) {
        if (h->htyp == FST_HT_SCOPE) {
            fstReaderPushScope(fst, h->u.scope.name, NULL);
        } else if (h->htyp == FST_HT_UPSCOPE) {
            fstReaderPopScope(fst);
        } else if (h->htyp == FST_HT_VAR) {
            char name[NAME];
            snprintf(name, sizeof name, "%s.%s", fstReaderGetCurrentFlatScope(fst), h->u.var.name);
            name[strcspn(name, " ")] = '\0';
            for (int i = 0; i < count; i++) {
                if (strcmp(name, names[i]) != 0) continue;
                found += !handles[i];
                handles[i] = h->u.var.handle;
            }
        }
    }
    return found;
}

int main(int argc, char **argv) {
    const int count = argc - 2;
    fstHandle handles[MOST] = {0};
    uint64_t time;
    char value[VALUE];
    void *fst = count > 0 && count <= MOST ? fstReaderOpen(argv[1]) : NULL;
    if (!fst || find(fst, argv + 2, count, handles) != count) {
        fprintf(stderr, "fst_values: %s: cannot be read, or lacks a signal\n", argc > 1 ? argv[1] : "FILE.fst");
        return 2;
    }
    printf("timescale %d\n", fstReaderGetTimescale(fst));
    while (scanf("%" SCNu64, &time) == 1) {
        for (int i = 0; i < count; i++) {
            const char *text = fstReaderGetValueFromHandleAtTime(fst, time, handles[i], value);
            printf("%s%s", i ? " " : "", text ? text : "?");
        }
        putchar('\n');
    }
    fstReaderClose(fst);
    return 0;
}
