// Finds configurations by their files: configurations.h.
#include "cli/configurations.h"
#include "base/array.h"
#include "harness/model_load.h"
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TABLE ".toml"

struct configuration {
    char name[NAME_MAX + 1];
    bool generated;
};

struct configurations {
    size_t count, capacity;
    struct configuration *list;
};

static bool generated(const char *folder, const char *name) {
    char path[PATH_MAX + NAME_MAX + 32];
    snprintf(path, sizeof path, "%s/%s/gen/config.json", folder, name);
    return access(path, R_OK) == 0;
}

static bool add(struct configurations *c, const char *name, size_t length, bool is_generated) {
    for (size_t i = 0; i < c->count; i++) {
        if (strlen(c->list[i].name) == length && memcmp(c->list[i].name, name, length) == 0) return true;
    }
    if (!array_reserve(&c->list, &c->capacity, c->count, sizeof *c->list)) return false;
    struct configuration *new = &c->list[c->count++];
    snprintf(new->name, sizeof new->name, "%.*s", (int)length, name);
    new->generated = is_generated;
    return true;
}

// Folders that have been built.
static bool add_built(struct configurations *c, const char *folder) {
    DIR *dir = opendir(folder);
    bool good = true;
    for (const struct dirent *entry; good && dir && (entry = readdir(dir));) {
        if (entry->d_name[0] != '.' && generated(folder, entry->d_name))
            good = add(c, entry->d_name, strlen(entry->d_name), true);
    }
    if (dir) closedir(dir);
    return good;
}

static bool add_tables(struct configurations *c, const char *folder) {
    char path[PATH_MAX + 32];
    snprintf(path, sizeof path, "%s/../tables/config", folder);
    DIR *dir = opendir(path);
    bool good = true;
    for (const struct dirent *entry; good && dir && (entry = readdir(dir));) {
        size_t length = strlen(entry->d_name), end = strlen(TABLE);
        if (entry->d_name[0] != '.' && length > end && strcmp(entry->d_name + length - end, TABLE) == 0)
            good = add(c, entry->d_name, length - end, false); // not generated, else it is already listed
    }
    if (dir) closedir(dir);
    return good;
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct configuration *)a)->name, ((const struct configuration *)b)->name);
}

struct configurations *configurations_create(const char *folder, struct error *err) {
    struct configurations *c = calloc(1, sizeof *c);
    if (!c || !add_built(c, folder) || !add_tables(c, folder)) {
        error_nomem(err, "configurations");
        configurations_destroy(c);
        return NULL;
    }
    if (c->count) qsort(c->list, c->count, sizeof *c->list, by_name);
    return c;
}

void configurations_destroy(struct configurations *list) {
    if (!list) return;
    free(list->list);
    free(list);
}

size_t configurations_count(const struct configurations *list) {
    return list->count;
}

const char *configurations_name(const struct configurations *list, size_t i) {
    return list->list[i].name;
}

bool configurations_generated(const struct configurations *list, size_t i) {
    return list->list[i].generated;
}

static void no_such(const struct configurations *c, const char *name, struct error *err) {
    char names[sizeof err->text] = "";
    for (size_t i = 0, n = 0; i < c->count && n < sizeof names; i++)
        n += (size_t)snprintf(names + n, sizeof names - n, "%s%s", i ? ", " : "", c->list[i].name);
    if (c->count) {
        error_set(err, "%s: no such configuration: use one of %s", name, names);
    } else {
        error_set(err, "%s: no such configuration, and no other one is built: build one (" CONFIGURATION_BUILD ")",
                  name, DEFAULT_CONFIGURATION);
    }
}

int configurations_check(const char *folder, const char *name, struct error *err) {
    if (generated(folder, name)) return 0; // also below a folder, as those of `tipoff sensitivity`
    struct configurations *c = configurations_create(folder, err);
    if (!c) return -ENOMEM;
    int result = -ENOENT;
    size_t i = 0;
    while (i < c->count && strcmp(c->list[i].name, name) != 0)
        i++;
    if (i == c->count) {
        no_such(c, name, err);
    } else if (c->list[i].generated) {
        result = 0;
    } else {
        error_set(err, "%s: this configuration is not built: " CONFIGURATION_BUILD, name, name);
    }
    configurations_destroy(c);
    return result;
}

const char *configurations_of(const char *model_path) {
    const char *own = model_path ? model_configuration(model_path) : NULL;
    return own ? own : DEFAULT_CONFIGURATION;
}
