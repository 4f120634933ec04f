// Parsing of NAME:KEY=VALUE,...: the registry says which names and keys there are.
#include "workers/requests.h"
#include "base/array.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct worker_requests {
    size_t count, capacity;
    struct worker_request *list;
};

struct worker_requests *worker_requests_create(void) {
    return calloc(1, sizeof(struct worker_requests));
}

void worker_requests_destroy(struct worker_requests *r) {
    if (!r) return;
    for (size_t i = 0; i < r->count; i++)
        free(r->list[i].text);
    free(r->list);
    free(r);
}

// Of a request: its names are kept in its text.
static bool rename_files(struct worker_request *request,
                         void (*name)(char *out, size_t size, const char *path, unsigned number), unsigned number) {
    enum { LONGEST = 4096 };
    char *names = calloc(WORKER_KEYS, LONGEST);
    request->text = names;
    for (size_t k = 0; names && k < WORKER_KEYS && request->ops->keys[k].name; k++) {
        if (request->ops->keys[k].kind != WORKER_FILE || !request->values[k].text) continue;
        name(names + k * LONGEST, LONGEST, request->values[k].text, number);
        request->values[k].text = names + k * LONGEST;
    }
    return names != NULL;
}

struct worker_requests *worker_requests_renamed(const struct worker_requests *r,
                                                void (*name)(char *out, size_t size, const char *path, unsigned number),
                                                unsigned number) {
    struct worker_requests *renamed = worker_requests_create();
    bool good = renamed != NULL;
    for (size_t i = 0; good && i < r->count; i++) {
        good = array_reserve(&renamed->list, &renamed->capacity, renamed->count, sizeof *renamed->list);
        if (!good) break;
        renamed->list[renamed->count] = r->list[i];
        good = rename_files(&renamed->list[renamed->count++], name, number);
    }
    if (good) return renamed;
    worker_requests_destroy(renamed);
    return NULL;
}

size_t worker_requests_count(const struct worker_requests *r) {
    return r->count;
}

const struct worker_request *worker_requests_at(const struct worker_requests *r, size_t i) {
    return &r->list[i];
}

void worker_standard_values(const struct worker_ops *ops, struct worker_value *values) {
    for (size_t k = 0; k < WORKER_KEYS; k++) {
        const char *text = ops->keys[k].name ? ops->keys[k].standard : NULL;
        values[k] =
            (struct worker_value){text, text && ops->keys[k].kind <= WORKER_PRIME ? strtoull(text, NULL, 0) : 0};
    }
}

static size_t key_count(const struct worker_ops *ops) {
    size_t n = 0;
    while (n < WORKER_KEYS && ops->keys[n].name)
        n++;
    return n;
}

// The entry of the alias table whose former name this is, or NULL.
static const struct worker_alias *alias_of(const char *name) {
    for (size_t i = 0; i < worker_alias_count; i++) {
        if (strcmp(worker_aliases[i].former, name) == 0) return &worker_aliases[i];
    }
    return NULL;
}

static const struct worker_ops *find(const char *name, struct error *err) {
    const struct worker_alias *alias = alias_of(name);
    char known[400] = "";
    for (size_t i = 0; i < worker_registry_count; i++) {
        if (strcmp(worker_registry[i]->name, alias ? alias->name : name) == 0) return worker_registry[i];
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", i ? ", " : "", worker_registry[i]->name);
    }
    error_set(err, "worker '%s': no such worker: use one of %s", name, known);
    return NULL;
}

static int bad_key(const struct worker_ops *ops, const char *name, struct error *err) {
    char known[200] = "on";
    for (size_t k = 0; k < key_count(ops); k++)
        snprintf(known + strlen(known), sizeof known - strlen(known), ", %s", ops->keys[k].name);
    error_set(err, "worker %s has no key '%s': use %s", ops->name, name, known);
    return -EINVAL;
}

static bool is_prime(uint64_t n) {
    for (uint64_t d = 2; d * d <= n; d++)
        if (n % d == 0) return false;
    return n > 1;
}

static int check_prime(const struct worker_ops *ops, const struct worker_key *key, uint64_t n, struct error *err) {
    uint64_t next = n;
    if (key->kind != WORKER_PRIME || is_prime(n)) return 0;
    while (!is_prime(next))
        next++;
    error_set(err,
              "worker %s: %s=%" PRIu64 " is not a prime, and the length of a loop may divide it: write %s=%" PRIu64,
              ops->name, key->name, n, key->name, next);
    return -EINVAL;
}

static int set_number(const struct worker_ops *ops, const struct worker_key *key, const char *text,
                      struct worker_value *value, struct error *err) {
    char *end;
    errno = 0;
    value->number = strtoull(text, &end, 0);
    if (!errno && end != text && !*end && text[0] != '-' && value->number >= key->low && value->number <= key->high)
        return check_prime(ops, key, value->number, err);
    error_set(err, "worker %s: %s=%s: give a number from %" PRIu64 " to %" PRIu64, ops->name, key->name, text, key->low,
              key->high);
    return -EINVAL;
}

// The key's text lists the choices, with a comma and a blank between two.
static int set_choice(const struct worker_ops *ops, const struct worker_key *key, const char *text, struct error *err) {
    size_t length = strlen(text);
    for (const char *at = key->text; at; at = strstr(at, ", ") ? strstr(at, ", ") + 2 : NULL) {
        if (strncmp(at, text, length) == 0 && (at[length] == '\0' || at[length] == ',')) return 0;
    }
    error_set(err, "worker %s: %s=%s: use one of %s", ops->name, key->name, text, key->text);
    return -EINVAL;
}

static int set_on(struct worker_request *request, const char *text, struct error *err) {
    request->off = strcmp(text, "no") == 0;
    if (request->off || strcmp(text, "yes") == 0) return 0;
    error_set(err, "worker %s: on=%s: say yes or no", request->ops->name, text);
    return -EINVAL;
}

static int set(struct worker_request *request, const char *name, const char *text, struct error *err) {
    const struct worker_ops *ops = request->ops;
    if (strcmp(name, "on") == 0) return set_on(request, text, err);
    for (size_t k = 0; k < key_count(ops); k++) {
        if (strcmp(ops->keys[k].name, name) != 0) continue;
        if (*text == '\0') {
            error_set(err, "worker %s: %s= has no value: give one, or omit the key", ops->name, name);
            return -EINVAL;
        }
        request->values[k].text = text;
        if (ops->keys[k].kind == WORKER_CHOICE) return set_choice(ops, &ops->keys[k], text, err);
        return ops->keys[k].kind <= WORKER_PRIME ? set_number(ops, &ops->keys[k], text, &request->values[k], err) : 0;
    }
    return bad_key(ops, name, err);
}

// Is it whole, and does it agree with those before it? Only what writes files can run several times.
static int check(const struct worker_requests *r, const struct worker_request *request, struct error *err) {
    const struct worker_ops *ops = request->ops;
    bool writes = false;
    for (size_t k = 0; k < key_count(ops); k++) {
        const struct worker_key *key = &ops->keys[k];
        if (key->kind == WORKER_FILE) writes = true;
        if ((key->kind != WORKER_FILE && key->kind != WORKER_CHOICE) || request->values[k].text || request->off)
            continue;
        if (key->kind == WORKER_FILE) {
            error_set(err, "worker %s needs a file: write %s:%s=PATH", ops->name, ops->name, key->name);
        } else {
            error_set(err, "worker %s needs a %s: write %s:%s= and one of %s", ops->name, key->name, ops->name,
                      key->name, key->text);
        }
        return -EINVAL;
    }
    for (size_t i = 0; i < r->count && !writes; i++) {
        if (r->list[i].ops != ops) continue;
        error_set(err, "worker %s is named twice: name it once, with all its keys", ops->name);
        return -EINVAL;
    }
    return 0;
}

static int no_memory(struct error *err) {
    return error_nomem(err, "workers");
}

static int append(struct worker_requests *r, const struct worker_request *request, struct error *err) {
    int result = check(r, request, err);
    if (result < 0) return result;
    if (!array_reserve(&r->list, &r->capacity, r->count, sizeof *r->list)) return no_memory(err);
    r->list[r->count++] = *request;
    return 0;
}

// pairs: KEY=VALUE,... Changed.
static int set_all(struct worker_request *request, char *pairs, struct error *err) {
    int result = 0;
    while (pairs && result == 0) {
        char *pair = strsep(&pairs, ","), *value = strchr(pair, '=');
        if (!value) {
            error_set(err, "worker %s: '%s' is not KEY=VALUE: `tipoff workers` lists its keys", request->ops->name,
                      pair);
            return -EINVAL;
        }
        *value++ = '\0';
        result = set(request, pair, value, err);
    }
    return result;
}

int worker_requests_parse(struct worker_requests *r, const char *text, struct error *err) {
    struct worker_request request = {.text = strdup(text)};
    if (!request.text) return no_memory(err);
    char *pairs = request.text, *name = strsep(&pairs, ":");
    int result = -EINVAL;
    if ((request.ops = find(name, err))) {
        const struct worker_alias *alias = alias_of(name);
        request.former = alias ? alias->former : NULL;
        worker_standard_values(request.ops, request.values);
        result = set_all(&request, pairs, err);
    }
    if (result == 0) result = append(r, &request, err);
    if (result < 0) free(request.text);
    return result;
}

int worker_requests_add(struct worker_requests *r, const char *name, const char *file, const char *from, const char *to,
                        struct error *err) {
    const char *const pairs[][2] = {{"file", file}, {"from", from}, {"to", to}};
    struct worker_request request = {.ops = find(name, err)};
    if (!request.ops) return -EINVAL;
    worker_standard_values(request.ops, request.values);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        int result = pairs[i][1] ? set(&request, pairs[i][0], pairs[i][1], err) : 0;
        if (result < 0) return result;
    }
    return append(r, &request, err);
}

const char *worker_requests_file(const struct worker_requests *r, size_t i) {
    for (size_t n = 0; n < r->count; n++) {
        const struct worker_request *request = &r->list[n];
        for (size_t k = 0; k < key_count(request->ops); k++) {
            if (request->ops->keys[k].kind == WORKER_FILE && !request->off && i-- == 0) return request->values[k].text;
        }
    }
    return NULL;
}

const struct worker_value *worker_requests_value(const struct worker_requests *r, const char *worker, const char *key) {
    for (size_t n = r->count; n-- > 0;) {
        const struct worker_request *request = &r->list[n];
        if (strcmp(request->ops->name, worker) != 0) continue;
        for (size_t k = 0; k < key_count(request->ops) && !request->off; k++)
            if (strcmp(request->ops->keys[k].name, key) == 0) return &request->values[k];
        return NULL;
    }
    return NULL;
}
