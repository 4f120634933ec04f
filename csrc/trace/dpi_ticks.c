// Ticks of the platform: one for each call of the model, or ahead of them.
#include "trace/dpi_ticks.h"
#include "trace/dpi_internal.h"

// Whether it says what the one before did, but for mtime.
static bool next_tick(struct dpi_ticks *t) {
    const struct dpi_client *client = dpi_running_client();
    const uint32_t before = t->code;
    t->code = client->tick(client->context, &t->mtime);
    t->same = t->code == before ? t->same + 1 : 1;
    if (t->code != before) t->said = before;
    return t->code == before;
}

unsigned tipoff_tick(unsigned long long *mtime) {
    struct dpi_ticks *t = dpi_running_ticks();
    if (t->again) {
        *mtime = t->times[(t->last - --t->again) % DPI_TICKS_AGAIN];
        return t->waits ? t->said : t->code;
    }
    if (!t->waits) next_tick(t);
    t->waits = false;
    *mtime = t->mtime;
    return t->code;
}

int tipoff_tick_same(void) {
    struct dpi_ticks *t = dpi_running_ticks();
    t->waits = !next_tick(t);
    if (!t->waits) t->times[++t->last % DPI_TICKS_AGAIN] = t->mtime;
    return !t->waits;
}

void tipoff_ticks_again(unsigned count) {
    dpi_running_ticks()->again = count;
}

int tipoff_tick_waits(void) {
    return dpi_running_ticks()->waits;
}

unsigned long long tipoff_ticks_same(void) {
    return dpi_running_ticks()->same;
}

unsigned long long tipoff_mtime(unsigned before) {
    const struct dpi_ticks *t = dpi_running_ticks();
    return t->times[(t->last - before) % DPI_TICKS_AGAIN];
}
