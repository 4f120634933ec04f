// Positions: from texts of the command line.
#include "base/position.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLE "sample:"
#define AT_SAMPLE "@sample:"
#define MARKER "marker"

static bool number(const char *text, uint64_t *value) {
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 0);
    return isdigit((unsigned char)text[0]) && errno == 0 && *end == '\0';
}

const char *position_forms(unsigned kinds) {
    return kinds == POSITIONS_ON_ISS      ? "N|PLACE[:COUNT]|marker[:NUMBER]"
           : kinds == POSITIONS_COMMITTED ? "C|PLACE[:N]"
           : kinds == POSITIONS_SEEN      ? "C|PLACE[:N]|sample:N"
                                          : "C|PLACE[:N]|[PLACE@]sample:N";
}

static int fault(const char *text, const char *what, unsigned kinds, struct error *err) {
    error_set(err, "'%s': %s: write %s; PLACE is 0xADDRESS, SYMBOL or SYMBOL+BYTES", text, what, position_forms(kinds));
    return -EINVAL;
}

static bool is_hex(const char *text) {
    return text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
}

// 0xADDRESS, SYMBOL, SYMBOL+BYTES, of that length. What is wrong, or NULL. unclear: of a symbol that is in the program,
// but is no place, what the program says; otherwise left as it is.
static const char *parse_place(const char *text, size_t length, const struct image *image, uint64_t *address,
                               struct error *unclear) {
    char place[1024];
    if (length >= sizeof place) return "too long";
    memcpy(place, text, length);
    place[length] = '\0';
    if (isdigit((unsigned char)place[0])) return is_hex(place) && number(place, address) ? NULL : "not an address";
    char *plus = strrchr(place, '+');
    uint64_t offset = 0;
    if (plus && !number(plus + 1, &offset)) return "not a number of bytes after the symbol";
    if (plus) *plus = '\0';
    if (!*place) return "names nothing";
    if (!image) return "symbols need the PROGRAM beside --restore";
    if (image_find_code(image, place, address, unclear) != SYMBOL_FOUND) return "no such symbol";
    *address += offset;
    return NULL;
}

// What is in front of the count, which is after the last colon; FILE:SYMBOL has one, too.
static size_t place_length(const char *text, const char *colon, const struct image *image) {
    uint64_t address;
    struct error unclear = {""};
    const bool all =
        !colon || (image && (!parse_place(text, strlen(text), image, &address, &unclear) || *unclear.text));
    return all ? strlen(text) : (size_t)(colon - text);
}

static int parse_counted(struct position *p, const char *text, unsigned kinds, const struct image *image,
                         struct error *err) {
    const char *sample = strstr(text, AT_SAMPLE);
    const size_t length = sample ? (size_t)(sample - text) : place_length(text, strrchr(text, ':'), image);
    const char *count = sample ? sample + strlen(AT_SAMPLE) : text[length] ? text + length + 1 : NULL;
    struct error unclear = {""};
    *p = (struct position){.kind = sample ? POSITION_PLACE_SAMPLE : POSITION_PLACE};
    if (!(kinds & POSITION_KIND(p->kind))) return fault(text, "no sample of an instruction here", kinds, err);
    if (count && (!number(count, &p->count) || p->count == 0))
        return fault(text, "not a count: the first is 1", kinds, err);
    const char *wrong = parse_place(text, length, image, &p->value, &unclear);
    if (!wrong) return 0;
    if (strcmp(wrong, "no such symbol") != 0) return fault(text, wrong, kinds, err);
    const int symbol = (int)strcspn(text, "+") < (int)length ? (int)strcspn(text, "+") : (int)length;
    if (*unclear.text) {
        error_set(err, "%s: '%.*s' %s", image_path(image), symbol, text, unclear.text);
    } else {
        error_set(
            err,
            "%s: no symbol '%.*s': name one that nm lists, or write %s; PLACE is 0xADDRESS, SYMBOL or SYMBOL+BYTES",
            image_path(image), symbol, text, position_forms(kinds));
    }
    return -EINVAL;
}

int position_parse(struct position *p, const char *text, unsigned kinds, const struct image *image, struct error *err) {
    if (isdigit((unsigned char)text[0]) && !is_hex(text)) {
        *p = (struct position){.kind = POSITION_CYCLE};
        if (number(text, &p->value)) return 0;
        return fault(text, kinds & POSITION_KIND(POSITION_MARKER) ? "not a number" : "not a cycle", kinds, err);
    }
    if (kinds & POSITION_KIND(POSITION_SAMPLE) && strncmp(text, SAMPLE, strlen(SAMPLE)) == 0) {
        *p = (struct position){.kind = POSITION_SAMPLE};
        if (number(text + strlen(SAMPLE), &p->count) && p->count > 0) return 0;
        return fault(text, "not a sample: the first is sample:1", kinds, err);
    }
    const size_t marker = strlen(MARKER);
    if (kinds & POSITION_KIND(POSITION_MARKER) && strncmp(text, MARKER, marker) == 0 &&
        (text[marker] == '\0' || text[marker] == ':')) {
        *p = (struct position){.kind = POSITION_MARKER};
        if (text[marker] == '\0' || (number(text + marker + 1, &p->value) && p->value > 0)) return 0;
        return fault(text, "not a marker's number: the first is 1", kinds, err);
    }
    return parse_counted(p, text, kinds, image, err);
}
