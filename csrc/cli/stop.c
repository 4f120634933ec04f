// Where a run on the ISS stops: see stop.h. An interrupt that is taken at the address is no arrival: it comes again.
#include "cli/stop.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool number(const char *text, uint64_t *value) {
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 0);
    return !errno && end != text && !*end && text[0] != '-';
}

static bool fault(const char *text, const char *what, struct error *err) {
    error_set(err, "--at %s: %s: write a number of instructions, SYMBOL[:COUNT], 0xADDRESS:COUNT or marker[:NUMBER]",
              text, what);
    return false;
}

static bool address_of(const char *name, const struct image *image, uint64_t *address) {
    if (isdigit((unsigned char)name[0])) return number(name, address);
    *address = image ? image_symbol(image, name, 0) : 0; // two defaults: no address is both
    return *address != 0 || (image && image_symbol(image, name, 1) == 0);
}

bool stop_parse(struct stop *stop, const char *text, const struct image *image, struct error *err) {
    *stop = (struct stop){.left = 1};
    char name[256];
    const char *colon = strrchr(text, ':');
    size_t length = colon ? (size_t)(colon - text) : strlen(text);
    if (length >= sizeof name) return fault(text, "too long", err);
    memcpy(name, text, length);
    name[length] = '\0';
    uint64_t count = 0;
    if (colon && (!number(colon + 1, &count) || count == 0)) return fault(text, "not a count from 1 on", err);
    if (strcmp(name, "marker") == 0) {
        stop->kind = STOP_MARKER;
        stop->number = count;
    } else if (!colon && isdigit((unsigned char)text[0])) {
        stop->kind = STOP_AFTER;
        if (!number(text, &stop->number)) return fault(text, "not a number", err);
    } else {
        stop->kind = STOP_ADDRESS;
        if (colon) stop->left = count;
        if (!address_of(name, image, &stop->number))
            return fault(text, image ? "the program has no such symbol" : "symbols need the PROGRAM beside --restore",
                         err);
    }
    return true;
}

bool stop_needs_steps(const struct stop *stop) {
    return stop->kind == STOP_ADDRESS;
}
bool stop_at_marker(const struct stop *stop) {
    return stop->kind == STOP_MARKER;
}
uint64_t stop_limit(const struct stop *stop, uint64_t max) {
    return stop->kind == STOP_AFTER && stop->number < max ? stop->number : max;
}

bool stop_reached(const struct stop *stop, const struct iss *iss, uint64_t done) {
    switch (stop->kind) {
    case STOP_AFTER: return done >= stop->number;
    case STOP_ADDRESS: return stop->left == 1 && iss_pc(iss) == stop->number;
    case STOP_MARKER: return stop->marked;
    default: return false;
    }
}

void stop_after(struct stop *stop, struct iss *iss, const struct iss_retire *retire) {
    unsigned marker = stop->kind == STOP_MARKER ? iss_take_marker(iss) : 0;
    if (marker && (stop->number == 0 || stop->number == marker)) stop->marked = true;
    bool executed = stop->kind == STOP_ADDRESS && retire && retire->pc == stop->number && !retire->interrupt;
    if (executed && stop->left > 1) stop->left--;
}
