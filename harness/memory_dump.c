// Memory dumps: options taken apart, symbols found, memory compared with the ISS and written.
#include "harness/memory_dump.h"
#include "base/output.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool number(const char *text, uint64_t *value) {
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 0);
    return !errno && end != text && !*end && text[0] != '-';
}

int memory_dumps_parse(struct memory_dumps *d, char *text, struct error *err) {
    char *equals = strchr(text, '='), *colon;
    struct memory_dump *dump = &d->list[d->count];
    if (d->count == MEMORY_DUMPS_MOST) {
        error_set(err, "--dump-memory: at most %d: omit some", MEMORY_DUMPS_MOST);
        return -EINVAL;
    }
    if (!equals || equals == text || !equals[1]) {
        error_set(err, "--dump-memory %s: write SYMBOL=FILE, SYMBOL:BYTES=FILE or 0xADDRESS:BYTES=FILE", text);
        return -EINVAL;
    }
    *equals = '\0';
    *dump = (struct memory_dump){.symbol = text, .path = equals + 1};
    colon = strchr(text, ':');
    if (colon) *colon = '\0';
    if (colon && (!number(colon + 1, &dump->bytes) || !dump->bytes)) {
        error_set(err, "--dump-memory %s:%s: not a number of bytes", text, colon + 1);
        return -EINVAL;
    }
    d->count++;
    return 0;
}

static int resolve(struct memory_dump *d, const struct image *image, struct soc *soc, struct error *err) {
    uint64_t bytes = 0;
    struct error why = {""};
    const bool known =
        image_find_data(image, d->symbol, &d->address, &bytes, &why) == SYMBOL_FOUND || number(d->symbol, &d->address);
    if (!d->bytes) d->bytes = bytes;
    if (*why.text) {
        error_set(err, "%s: --dump-memory: '%s' %s", image_path(image), d->symbol, why.text);
    } else if (!known) {
        error_set(err, "%s: no symbol '%s' to dump: name another, or 0xADDRESS:BYTES", image_path(image), d->symbol);
    } else if (!d->bytes) {
        error_set(err, "--dump-memory %s: the size of the symbol is unknown: write %s:BYTES", d->symbol, d->symbol);
    } else if (!soc_memory_at(soc, d->address, d->bytes)) {
        error_set(err,
                  "--dump-memory %s: 0x%" PRIx64 " and the %" PRIu64 " bytes from it are not all memory: dump less",
                  d->symbol, d->address, d->bytes);
    } else {
        return 0;
    }
    return -EINVAL;
}

int memory_dumps_resolve(struct memory_dumps *d, const struct image *image, struct soc *soc, struct error *err) {
    int result = 0;
    for (unsigned i = 0; i < d->count && result == 0; i++)
        result = resolve(&d->list[i], image, soc, err);
    return result;
}

// Offset of the first byte that the ISS has otherwise, or `bytes`.
static uint64_t first_difference(const struct memory_dump *d, const uint8_t *memory, const struct iss *iss) {
    uint8_t other[4096];
    for (uint64_t at = 0; at < d->bytes; at += sizeof other) {
        size_t n = d->bytes - at < sizeof other ? d->bytes - at : sizeof other;
        if (!iss_read(iss, d->address + at, other, n)) return at;
        for (size_t i = 0; i < n; i++) {
            if (other[i] != memory[at + i]) return at + i;
        }
    }
    return d->bytes;
}

static int write_file(const struct memory_dump *d, const void *memory, struct error *err) {
    struct output *output = output_open(d->path, err);
    if (!output) return -EIO;
    (void)fwrite(memory, 1, d->bytes, output_file(output));
    return output_close(output, true, err) < 0 ? -EIO : 0;
}

int memory_dumps_write(const struct memory_dumps *d, struct soc *soc, const struct iss *iss, struct error *err) {
    int result = 0;
    for (unsigned i = 0; i < d->count && result == 0; i++) {
        const struct memory_dump *dump = &d->list[i];
        const uint8_t *memory = soc_memory_at(soc, dump->address, dump->bytes);
        uint64_t at = iss ? first_difference(dump, memory, iss) : dump->bytes;
        if (at < dump->bytes) {
            error_set(err,
                      "--dump-memory %s: the program's store to 0x%" PRIx64
                      " is not in memory, though the program has ended: core and ISS differ; report it",
                      dump->symbol, dump->address + at);
            return -EBADMSG;
        }
        if (dump->path) {
            result = write_file(dump, memory, err);
        } else {
            memcpy(dump->copy, memory, dump->bytes);
        }
    }
    return result;
}
