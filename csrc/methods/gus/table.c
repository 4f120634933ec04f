// Reads the table of resources: one row a line, columns apart by tabs: type, name, value, uses, source.
#include "methods/gus/table.h"
#include "base/text_file.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const types[GUS_TYPES] = {GUS_TYPE_NAMES};

uint8_t gus_table_resource(const struct gus_table *t, const char *name) {
    for (unsigned i = 0; i < t->resource_count; i++) {
        if (strcmp(t->resources[i].name, name) == 0) return (uint8_t)i;
    }
    return GUS_NONE;
}

int gus_table_kind(const struct gus_table *t, const char *name) {
    for (unsigned i = 0; i < t->kind_count; i++) {
        if (strcmp(t->kinds[i].name, name) == 0) return (int)i;
    }
    return -1;
}

uint32_t gus_table_size(const struct gus_table *t, const char *name, uint32_t otherwise) {
    for (unsigned i = 0; i < t->size_count; i++) {
        if (strcmp(t->sizes[i].name, name) == 0) return t->sizes[i].value;
    }
    return otherwise;
}

static bool number(const char *text, uint32_t *value) {
    char *end;
    unsigned long n = strtoul(text, &end, 10);
    *value = (uint32_t)n;
    return *text >= '0' && *text <= '9' && *end == '\0' && n < 1u << 24;
}

static bool add_resource(struct gus_table *t, enum gus_type type, const char *name, uint32_t value, struct error *err) {
    if (t->resource_count == GUS_RESOURCES) {
        error_set(err, "%s: more than %d resources: join some", name, GUS_RESOURCES);
        return false;
    }
    if (gus_table_resource(t, name) != GUS_NONE) {
        error_set(err, "resource %s occurs twice: leave one out", name);
        return false;
    }
    struct gus_resource *r = &t->resources[t->resource_count++];
    snprintf(r->name, sizeof r->name, "%s", name);
    r->type = type;
    r->count = value;
    r->cycles = 1;
    r->with = GUS_NONE;
    return true;
}

static bool add_slow(struct gus_table *t, const char *name, uint32_t cycles, struct error *err) {
    if (!add_resource(t, GUS_RATE, name, 1, err)) return false;
    t->resources[t->resource_count - 1].cycles = cycles;
    return true;
}

static bool add_uses(const struct gus_table *t, struct gus_kind *k, const char *uses, struct error *err) {
    char text[256];
    snprintf(text, sizeof text, "%s", uses);
    char *rest = text;
    for (char *name = strsep(&rest, ","); name && strcmp(name, "-") != 0; name = strsep(&rest, ",")) {
        uint8_t r = gus_table_resource(t, name);
        if (r == GUS_NONE || t->resources[r].type == GUS_DELAY || k->use_count == GUS_USES) {
            error_set(err, "kind %s uses %s, which is no resource above it that can be used, or one too many", k->name,
                      name);
            return false;
        }
        k->uses[k->use_count++] = r;
    }
    return true;
}

// The last resource becomes faster with this one, and not alone.
static bool goes_with(struct gus_table *t, const char *name, struct error *err) {
    struct gus_resource *r = &t->resources[t->resource_count - 1];
    if (strcmp(name, "-") == 0) return true;
    r->with = gus_table_resource(t, name);
    if (r->with != GUS_NONE && r->with != t->resource_count - 1) return true;
    error_set(err, "%s goes with %s, which is no resource above it", r->name, name);
    return false;
}

static bool add_brought(const struct gus_table *t, struct gus_size *s, const char *uses, struct error *err) {
    char text[GUS_LIST];
    if (strcmp(uses, "-") == 0) return true;
    snprintf(s->uses, sizeof s->uses, "%s", uses);
    snprintf(text, sizeof text, "%s", uses);
    char *rest = text;
    for (char *name = strsep(&rest, ","); name; name = strsep(&rest, ",")) {
        if (gus_table_resource(t, name) != GUS_NONE && strlen(uses) < sizeof s->uses) continue;
        error_set(err, "option %s brings %s, which is no resource above it, or its list is longer than %zu letters",
                  s->name, name, sizeof s->uses - 1);
        return false;
    }
    return true;
}

bool gus_table_add(struct gus_table *t, const char *type, const char *name, const char *value, const char *uses,
                   struct error *err) {
    uint32_t n;
    if (!number(value, &n) || strlen(name) >= GUS_NAME) {
        error_set(err, "%s %s: value '%s': a number up to 2^24 is needed, and a name of up to %d letters", type, name,
                  value, GUS_NAME - 1);
        return false;
    }
    if ((strcmp(type, "size") == 0 || strcmp(type, "option") == 0) && t->size_count < GUS_SIZES) {
        struct gus_size *s = &t->sizes[t->size_count++];
        s->option = strcmp(type, "option") == 0;
        snprintf(s->name, sizeof s->name, "%s", name);
        s->value = n;
        return !s->option || add_brought(t, s, uses, err);
    }
    if (strcmp(type, "kind") == 0 && t->kind_count < GUS_KINDS) {
        struct gus_kind *k = &t->kinds[t->kind_count++];
        *k = (struct gus_kind){.latency = n};
        snprintf(k->name, sizeof k->name, "%s", name);
        return add_uses(t, k, uses, err);
    }
    if (strcmp(type, "done") == 0 && gus_table_kind(t, name) >= 0) {
        t->kinds[gus_table_kind(t, name)].done = n;
        return true;
    }
    if (strcmp(type, "every") == 0 && n > 0) return add_slow(t, name, n, err);
    for (unsigned i = 0; i < GUS_TYPES; i++) {
        if (strcmp(type, types[i]) != 0) continue;
        if (i != GUS_DELAY && n == 0) {
            error_set(err, "%s %s: at least 1 is needed", type, name);
            return false;
        }
        return add_resource(t, (enum gus_type)i, name, n, err) && goes_with(t, uses, err);
    }
    error_set(err,
              "%s: no such type of row, or too many of them: rate, every, unit, slots, queue, pool, delay, size, "
              "option, kind, done "
              "(of a kind above)",
              type);
    return false;
}

// ---- what is left out ----
static uint8_t behind(uint8_t r, uint8_t gone) { // its number when `gone` is gone
    return r == gone ? GUS_NONE : r != GUS_NONE && r > gone ? (uint8_t)(r - 1) : r;
}

// No rule and no kind of instruction knows of it any more.
static void remove_resource(struct gus_table *t, uint8_t gone) {
    if (gone == GUS_NONE) return;
    memmove(&t->resources[gone], &t->resources[gone + 1], (--t->resource_count - gone) * sizeof t->resources[0]);
    for (unsigned i = 0; i < t->resource_count; i++)
        t->resources[i].with = behind(t->resources[i].with, gone);
    for (unsigned k = 0; k < t->kind_count; k++) {
        struct gus_kind *kind = &t->kinds[k];
        const unsigned count = kind->use_count;
        kind->use_count = 0;
        for (unsigned i = 0; i < count; i++) {
            const uint8_t use = behind(kind->uses[i], gone);
            if (use != GUS_NONE) kind->uses[kind->use_count++] = use;
        }
    }
}

static void leave_out(struct gus_table *t, struct gus_size *option) {
    char *rest = option->uses;
    for (char *name = strsep(&rest, ","); name && *name; name = strsep(&rest, ","))
        remove_resource(t, gus_table_resource(t, name));
    option->uses[0] = '\0';
    option->value = 0;
}

bool gus_table_finish(struct gus_table *t, struct error *err) {
    if (t->kind_count == 0) {
        error_set(err, "no row of type kind: no instruction has a latency");
        return false;
    }
    for (unsigned i = 0; i < t->size_count; i++)
        if (t->sizes[i].option && t->sizes[i].value == 0) leave_out(t, &t->sizes[i]);
    return add_resource(t, GUS_DELAY, "latency", 0, err);
}

bool gus_table_without(struct gus_table *t, const char *option, struct error *err) {
    const bool all = strcmp(option, "all") == 0;
    char names[GUS_SIZES * GUS_NAME / 2] = "";
    size_t n = 0;
    bool found = false;
    for (unsigned i = 0; i < t->size_count; i++) {
        if (!t->sizes[i].option) continue;
        if (all || strcmp(t->sizes[i].name, option) == 0) leave_out(t, &t->sizes[i]), found = true;
        n += (size_t)snprintf(names + n, sizeof names - n, "%s%s", n ? ", " : "", t->sizes[i].name);
        if (n >= sizeof names) n = sizeof names - 1;
    }
    if (found) return true;
    error_set(err, "--without %s: no such refinement: %s", option, names[0] ? names : "the table has none");
    return false;
}

static bool read_line(struct gus_table *t, char *line, struct error *err) {
    if (line[0] == '#' || line[0] == '\0') return true;
    const char *columns[5];
    unsigned n = 0;
    for (char *rest = line; rest && n < 5;)
        columns[n++] = strsep(&rest, "\t");
    if (n == 5) return gus_table_add(t, columns[0], columns[1], columns[2], columns[3], err);
    error_set(err, "five columns are needed, apart by tabs: type, name, value, uses, source");
    return false;
}

bool gus_table_read(struct gus_table *t, const char *path, struct error *err) {
    struct text_file file;
    struct error fault = {""};
    char *line;
    if (!text_file_open(&file, path, TEXT_FILE_MOST, "name another file", err)) return false;
    bool good = true;
    *t = (struct gus_table){0};
    while (good && (line = text_file_line(&file)))
        good = read_line(t, line, &fault);
    const unsigned number_of = file.line;
    text_file_close(&file);
    if (good && gus_table_finish(t, &fault)) return true;
    error_set(err, "%s:%u: %.300s; correct the row, or generate it again (make gen)", path, number_of, fault.text);
    return false;
}
