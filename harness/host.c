// The host: HTIF, the finisher and what is left after the program's end.
#include "harness/host.h"
#include "machine/console.h"
#include <stdlib.h>
#include <string.h>

struct host {
    enum host_stage stage;
    struct htif htif;
    struct htif_host given; // by the user to the program
    FILE *input;
};

struct host *host_create(char *const *argv, const struct host_roots *roots, const char *input, struct error *err) {
    struct host *h = error_calloc(sizeof *h, "host", err);
    if (!h) return NULL;
    h->given = (struct htif_host){.argv = argv, .roots = *roots};
    if (!input || (h->input = console_open(input, err))) return h;
    free(h);
    return NULL;
}

void host_destroy(struct host *h) {
    if (h && h->input) fclose(h->input);
    free(h);
}

int host_find(struct host *h, const struct image *image, uint64_t memory, const struct htif *from, bool loads,
              struct error *err) {
    uint64_t tohost, fromhost;
    int result = htif_find(image, memory, &tohost, &fromhost, err);
    if (result < 0) return result;
    htif_reset(&h->htif, tohost, fromhost, stdout, NULL);
    if (from) {
        h->htif = *from;
        h->htif.out = stdout;
    }
    h->stage = loads ? HOST_LOADS : HOST_SERVES;
    h->htif.in = h->input;
    h->htif.host = &h->given;
    h->given.memory = memory;
    return 0;
}

enum host_stage host_stage(const struct host *h) {
    return h->stage;
}
bool host_exited(const struct host *h) {
    return h->stage >= HOST_EXITED;
}
uint64_t host_code(const struct host *h) {
    return h->htif.code;
}
uint64_t host_tohost(const struct host *h) {
    return h->htif.tohost;
}
FILE *host_input(const struct host *h) {
    return h->input;
}

struct console host_console(const struct host *h) {
    return (struct console){.out = stdout, .in = h->input, .out1 = stderr};
}

void host_refusal(const struct host *h, const char *program, struct error *err) {
    htif_refusal(&h->htif, program, err);
}

// What HTIF has come to.
static bool over(struct host *h) {
    if (h->stage <= HOST_SERVES && (h->htif.exited || h->htif.refused))
        h->stage = h->htif.exited ? HOST_EXITED : HOST_REFUSED;
    return h->stage > HOST_SERVES;
}

void host_begin(struct host *h, uint64_t now) {
    if (h->stage == HOST_LOADS) h->stage = HOST_SERVES;
    htif_restart(&h->htif, now); // the ISS counted its own steps, and the resume ROM takes cycles
}

bool host_tick(struct host *h, uint64_t now) {
    if (htif_waits(&h->htif) && h->stage != HOST_LOADS) htif_tick(&h->htif, now);
    return over(h);
}

bool host_store(struct host *h, uint64_t addr, unsigned bytes, uint64_t data, uint64_t now) {
    if (h->stage == HOST_SETTLES) return false;
    htif_store(&h->htif, addr, bytes, data, now);
    return over(h);
}

bool host_power(struct host *h, const struct finisher *finisher) {
    if (!finisher->ended || h->stage > HOST_SERVES) return over(h);
    if (finisher->reset) {
        h->stage = HOST_RESET;
    } else {
        htif_end(&h->htif, finisher->status);
    }
    return over(h);
}

bool host_wants(const struct host *h, uint64_t *addr) {
    return htif_wants(&h->htif, addr);
}

bool host_writes(const struct host *h) {
    return htif_writes(&h->htif);
}

bool host_access(struct host *h, void *memory, bool cached, uint64_t *word) {
    if (!cached) *word = 0;
    if (!cached && memory) memcpy(word, memory, sizeof *word);
    const bool write = htif_access(&h->htif, word) && memory;
    if (write) memcpy(memory, word, sizeof *word);
    over(h);
    return write;
}

bool host_settle(struct host *h, const struct model_api *api, struct model *model) {
    enum { MOST = 1000000 }; // cycles: as long as the watchdog waits for a commit
    static const volatile int never;
    int head, now;
    if (!h->htif.tohost) return true;
    int left = api->stores_left(model, h->htif.tohost, &head);
    h->stage = HOST_SETTLES;
    for (unsigned cycles = 0; left > 0 && cycles < MOST; cycles++) {
        api->run(model, 1, &never);
        if (api->failed(model)) return false;
        (void)api->stores_left(model, h->htif.tohost, &now);
        left -= now != head;
        head = now;
    }
    return left == 0;
}
