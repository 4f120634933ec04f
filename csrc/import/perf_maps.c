// A list of what happened to each process, by time: an address is looked up from its time backwards, through execs no
// further, and through forks in the parent. What was found is kept for the next address of the same page.
#include "import/perf_maps.h"
#include "base/array.h"
#include "base/fnv.h"
#include "base/hash_index.h"
#include "base/paths.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FORKS = 64, KEPT = 4096, PAGE = 4096, NAMES = 256, LETTERS = 15 };
enum kind { MAPPED, EXECUTED, FORKED };
struct happened {
    enum kind kind;
    uint64_t when, order, start, bytes, offset;
    size_t object;   // MAPPED
    uint32_t parent; // FORKED
};
struct process {
    uint32_t pid;
    struct happened *list;
    size_t count, capacity;
};
struct perf_maps {
    struct kept {
        const struct process *process;
        uint64_t page;
        size_t upto; // its entries that had happened
        bool found;
        struct happened map;
    } kept[KEPT];
    char names[NAMES][LETTERS + 1]; // of processes
    size_t name_count;
    struct process **processes;
    size_t count, capacity;
    struct hash_index by_pid;
    struct perf_object *objects;
    size_t object_count, object_capacity;
    struct hash_index by_path;
    uint64_t order;
};

// ---- by number ----
static uint64_t pid_hash(const void *m, uint32_t number) {
    return ((const struct perf_maps *)m)->processes[number]->pid;
}
static bool pid_is(const void *m, uint32_t number, const void *pid) {
    return ((const struct perf_maps *)m)->processes[number]->pid == *(const uint32_t *)pid;
}
static uint64_t path_hash(const void *m, uint32_t number) {
    return fnv_text(FNV_START, ((const struct perf_maps *)m)->objects[number].path);
}
static bool path_is(const void *m, uint32_t number, const void *path) {
    return strcmp(((const struct perf_maps *)m)->objects[number].path, path) == 0;
}

static struct process *known_process(const struct perf_maps *m, uint32_t pid) {
    const uint32_t at = hash_index_find(&m->by_pid, pid, pid_is, m, &pid);
    return at == HASH_INDEX_NONE ? NULL : m->processes[at];
}

static struct process *process_of(struct perf_maps *m, uint32_t pid) {
    struct process *known = known_process(m, pid);
    if (known) return known;
    if (!hash_index_reserve(&m->by_pid, 0, (uint32_t)m->count, pid_hash, m) ||
        !array_reserve(&m->processes, &m->capacity, m->count, sizeof(void *)))
        return NULL;
    struct process *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    p->pid = pid;
    m->processes[m->count] = p;
    hash_index_put(&m->by_pid, pid, (uint32_t)m->count++);
    return p;
}

// SIZE_MAX: no memory.
static size_t object_of(struct perf_maps *m, const char *path) {
    const uint64_t hash = fnv_text(FNV_START, path);
    const uint32_t at = hash_index_find(&m->by_path, hash, path_is, m, path);
    if (at != HASH_INDEX_NONE) return at;
    if (!hash_index_reserve(&m->by_path, 0, (uint32_t)m->object_count, path_hash, m) ||
        !array_reserve(&m->objects, &m->object_capacity, m->object_count, sizeof *m->objects))
        return SIZE_MAX;
    struct perf_object o = {.path = strdup(path)};
    if (!o.path) return SIZE_MAX;
    m->objects[m->object_count] = o;
    hash_index_put(&m->by_path, hash, (uint32_t)m->object_count);
    return m->object_count++;
}

// ---- what happens ----
static bool add(struct perf_maps *m, uint32_t pid, struct happened *h) {
    struct process *p = process_of(m, pid);
    if (!p || !array_reserve(&p->list, &p->capacity, p->count, sizeof *p->list)) return false;
    h->order = m->order++;
    p->list[p->count++] = *h;
    return true;
}

static void put_build_id(struct perf_object *o, const uint8_t *id, unsigned bytes) {
    for (unsigned i = 0; i < bytes && i < PERF_BUILD_ID; i++)
        snprintf(o->build_id + 2 * i, 3, "%02x", id[i]);
}

bool perf_maps_add(struct perf_maps *m, const struct perf_map *map) {
    struct happened h = {.kind = MAPPED,
                         .when = map->when,
                         .start = map->start,
                         .bytes = map->bytes,
                         .offset = map->offset,
                         .object = object_of(m, map->path)};
    if (map->kernel) return true;
    if (h.object == SIZE_MAX) return false;
    if (map->build_id_bytes) put_build_id(&m->objects[h.object], map->build_id, map->build_id_bytes);
    return add(m, map->pid, &h);
}

// A process is called as its program, cut to 15 letters.
static void note_name(struct perf_maps *m, const char *name) {
    for (size_t i = 0; i < m->name_count; i++)
        if (strncmp(m->names[i], name, LETTERS) == 0) return;
    if (*name && m->name_count < NAMES) snprintf(m->names[m->name_count++], LETTERS + 1, "%s", name);
}

static bool has_name(const struct perf_maps *m, const char *path) {
    for (size_t i = 0; i < m->name_count; i++)
        if (strncmp(m->names[i], paths_name(path), LETTERS) == 0) return true;
    return false;
}

bool perf_maps_add_task(struct perf_maps *m, const struct perf_task *task) {
    struct happened h = {.kind = task->fork ? FORKED : EXECUTED, .when = task->when, .parent = task->parent};
    note_name(m, task->name);
    if (task->fork) return task->pid == task->parent || add(m, task->pid, &h);
    return !task->exec || add(m, task->pid, &h);
}

bool perf_maps_build_id(struct perf_maps *m, const char *path, const uint8_t *id, unsigned bytes) {
    const size_t object = object_of(m, path);
    if (object == SIZE_MAX) return false;
    put_build_id(&m->objects[object], id, bytes);
    return true;
}

static int earlier(const void *x, const void *y) {
    const struct happened *a = x, *b = y;
    if (a->when != b->when) return a->when < b->when ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

void perf_maps_sort(struct perf_maps *m) {
    for (size_t i = 0; i < m->count; i++)
        if (m->processes[i]->count)
            qsort(m->processes[i]->list, m->processes[i]->count, sizeof *m->processes[i]->list, earlier);
    for (size_t i = 0; i < m->object_count; i++)
        m->objects[i].executed = has_name(m, m->objects[i].path);
}

// ---- where it lay ----
static size_t upto(const struct process *p, uint64_t when) {
    size_t low = 0, high = p->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (p->list[middle].when <= when)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static const struct happened *look(const struct perf_maps *m, const struct process *p, size_t count, uint64_t address) {
    for (unsigned forks = 0; p && forks < FORKS; forks++) {
        const struct happened *h = NULL;
        while (count > 0) {
            h = &p->list[--count];
            if (h->kind != MAPPED) break;
            if (address - h->start < h->bytes) return h;
            h = NULL;
        }
        if (!h || h->kind != FORKED) return NULL;
        p = known_process(m, h->parent);
        count = p ? upto(p, h->when) : 0;
    }
    return NULL;
}

bool perf_maps_find(struct perf_maps *m, uint32_t pid, uint64_t when, uint64_t address, struct perf_place *place) {
    struct process *p = known_process(m, pid);
    if (!p) return false;
    const uint64_t page = address / PAGE;
    const size_t count = upto(p, when);
    struct kept *k = &m->kept[(page + pid) % KEPT];
    if (k->process != p || k->upto != count || k->page != page) {
        const struct happened *h = look(m, p, count, address);
        *k = (struct kept){.process = p, .page = page, .upto = count, .found = h};
        if (h) k->map = *h;
    }
    if (!k->found || address - k->map.start >= k->map.bytes) return false;
    *place = (struct perf_place){.object = k->map.object,
                                 .offset = address - k->map.start + k->map.offset,
                                 .start = k->map.offset,
                                 .length = k->map.bytes,
                                 .address = k->map.start - k->map.offset};
    return true;
}

const struct perf_object *perf_maps_object(const struct perf_maps *m, size_t i) {
    return &m->objects[i];
}
size_t perf_maps_objects(const struct perf_maps *m) {
    return m->object_count;
}

struct perf_maps *perf_maps_create(void) {
    return calloc(1, sizeof(struct perf_maps));
}

void perf_maps_destroy(struct perf_maps *m) {
    if (!m) return;
    for (size_t i = 0; i < m->count; i++) {
        free(m->processes[i]->list);
        free(m->processes[i]);
    }
    for (size_t i = 0; i < m->object_count; i++)
        free(m->objects[i].path);
    free(m->processes);
    free(m->objects);
    hash_index_free(&m->by_pid);
    hash_index_free(&m->by_path);
    free(m);
}
