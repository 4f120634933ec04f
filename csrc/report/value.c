// Values become text for people or for programs when they are written.
#include "report/value.h"
#include "report/json.h"
#include "report/style.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

struct value value_real(double value, int decimals) {
    return (struct value){.kind = isfinite(value) ? VALUE_REAL : VALUE_NONE, .with = (unsigned)decimals, .real = value};
}

struct value value_number(double value) {
    return (struct value){.kind = isfinite(value) ? VALUE_NUMBER : VALUE_NONE, .real = value};
}

static double share(const struct value *v) {
    return v->whole ? (double)v->part / (double)v->whole : 0;
}

// Where it is in `text`. A report has millions of them, and printf takes several times as long.
static const char *digits(uint64_t count, char text[VALUE_LONGEST]) {
    char *at = text + VALUE_LONGEST - 1;
    *at = '\0';
    do {
        *--at = (char)('0' + count % 10);
    } while (count /= 10);
    return at;
}

const char *value_shown(const struct value *v, char text[VALUE_LONGEST]) {
    switch (v->kind) {
    case VALUE_TEXT:
    case VALUE_WORD: return v->text;
    case VALUE_TRUTH: return digits(v->count, text);
    case VALUE_COUNT: return style_number(v->count, text);
    case VALUE_REAL: snprintf(text, VALUE_LONGEST, "%.*f", (int)v->with, v->real); break;
    case VALUE_WEIGHT: return style_number((v->count + v->with / 2) / v->with, text);
    case VALUE_SHARE: snprintf(text, VALUE_LONGEST, "%.1f %%", 100 * share(v)); break;
    case VALUE_NUMBER: snprintf(text, VALUE_LONGEST, "%.3f", v->real); break;
    case VALUE_POINTS: snprintf(text, VALUE_LONGEST, v->with ? "%+.2f %%" : "%.2f %%", 100 * v->real); break;
    case VALUE_CYCLES:
        *text = v->real < 0 ? '-' : '+';
        style_number((uint64_t)llround(fabs(v->real)), v->real < 0 || v->with ? text + 1 : text);
        break;
    case VALUE_ADDRESS: snprintf(text, VALUE_LONGEST, "0x%08" PRIx64, v->count); break;
    default: return "-";
    }
    return text;
}

// As few digits as read back as the same number.
static const char *exact(double real, char text[VALUE_LONGEST]) {
    if (real >= 0 && real < 1e15 && real == floor(real)) return digits((uint64_t)real, text);
    snprintf(text, VALUE_LONGEST, "%.15g", real);
    if (strtod(text, NULL) != real) snprintf(text, VALUE_LONGEST, "%.17g", real);
    return text;
}

const char *value_plain(const struct value *v, char text[VALUE_LONGEST]) {
    switch (v->kind) {
    case VALUE_COUNT:
    case VALUE_WEIGHT: return digits(v->count, text);
    case VALUE_SHARE: return exact(share(v), text);
    case VALUE_CYCLES:
    case VALUE_POINTS:
    case VALUE_NUMBER: return exact(v->real, text);
    case VALUE_NONE: return "";
    default: return value_shown(v, text);
    }
}

cJSON *value_json(const struct value *v) {
    char text[VALUE_LONGEST];
    switch (v->kind) {
    case VALUE_TEXT:
    case VALUE_WORD:
    case VALUE_ADDRESS: return cJSON_CreateString(value_plain(v, text));
    case VALUE_SHARE: return cJSON_CreateNumber(share(v));
    case VALUE_CYCLES:
    case VALUE_POINTS:
    case VALUE_NUMBER: return cJSON_CreateNumber(v->real);
    case VALUE_TRUTH: return cJSON_CreateBool(v->count != 0);
    case VALUE_NONE: return cJSON_CreateNull();
    case VALUE_STATES: return json_states(v->states);
    case VALUE_ITEM: return v->item;
    default: return cJSON_CreateRaw(value_plain(v, text));
    }
}

int value_letters(const char *text) {
    int n = 0;
    for (; *text; text++)
        n += ((unsigned char)*text & 0xc0) != 0x80;
    return n;
}
