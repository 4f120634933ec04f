// Functions that have one of the addresses, by the symbols of the file.
#include "analysis/program_sampled.h"
#include "analysis/program_internal.h"
#include "base/array.h"
#include "base/bisect.h"
#include "base/elf.h"
#include "base/elf_check.h"
#include "base/elf_digest.h"
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int compare(const void *x, const void *y) {
    const uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return a < b ? -1 : a > b;
}
static bool is_before(const void *entry, const void *address) {
    return *(const uint64_t *)entry < *(const uint64_t *)address;
}

struct addresses {
    uint64_t *list; // sorted, each once
    size_t count;
};

static struct addresses sorted(uint64_t *pcs, size_t count) {
    struct addresses a = {pcs, 0};
    if (count) qsort(pcs, count, sizeof *pcs, compare);
    for (size_t i = 0; i < count; i++)
        if (!i || pcs[i] != pcs[i - 1]) pcs[a.count++] = pcs[i];
    return a;
}

// Takes the symbol over; a function of the addresses from there up to `end`, exclusive. False: no memory.
static bool add_function(struct program *p, const struct addresses *a, size_t from, char *symbol, const char *file,
                         uint64_t entry, uint64_t start, uint64_t end) {
    struct program_function *f = program_add_function(p, symbol, file, entry, start, end);
    if (!f) return false;
    for (size_t i = from; i < a->count && a->list[i] - start < end - start; i++, f->count++) {
        if (!array_reserve(&p->instructions, &p->capacity, p->count, sizeof *p->instructions)) return false;
        p->instructions[p->count++] = (struct program_instruction){
            .pc = a->list[i], .block = (uint32_t)f->first, .function = (uint32_t)p->function_count - 1};
    }
    return true;
}

static bool add_extent(struct program *p, const struct addresses *a, const struct function_extent *e,
                       const char *section, uint64_t base) {
    const size_t from = bisect(a->list, a->count, sizeof *a->list, is_before, &e->start);
    char *name = NULL;
    if (from == a->count || a->list[from] >= e->end) return true;
    if (e->symbol)
        return add_function(p, a, from, strdup(e->symbol->name), e->symbol->file, e->symbol->start, e->start, e->end);
    if (asprintf(&name, "[%s+0x%llx]", section, (unsigned long long)(e->start - base)) < 0) return false;
    return add_function(p, a, from, name, NULL, e->start, e->start, e->end);
}

// The addresses in the section, and where the functions that have them begin: what they are called after. NULL: no
// memory, or the section has none of them.
static uint64_t *with_entries(const struct addresses *a, const struct function_extents *extents, struct addresses *all,
                              bool *good) {
    uint64_t *list = NULL;
    size_t capacity = 0, count = 0;
    for (size_t k = 0; *good && k < extents->count; k++) {
        const struct function_extent *e = &extents->list[k];
        const size_t from = bisect(a->list, a->count, sizeof *a->list, is_before, &e->start);
        for (size_t i = from; *good && i < a->count && a->list[i] < e->end; i++) {
            *good = array_reserve_all(&list, &capacity, count + 2, sizeof *list);
            if (!*good) break;
            if (i == from) list[count++] = e->symbol ? e->symbol->start : e->start;
            list[count++] = a->list[i];
        }
    }
    if (list) *all = sorted(list, count);
    return list;
}

static bool add_section(struct program *p, const struct addresses *a, const struct code_symbols *symbols,
                        const GElf_Shdr *h, const char *name) {
    struct function_extents extents;
    struct addresses all;
    if (h->sh_addr + h->sh_size < h->sh_addr) return true;
    bool good = function_extents_find(&extents, symbols, h->sh_addr, h->sh_addr + h->sh_size);
    uint64_t *list = good ? with_entries(a, &extents, &all, &good) : NULL;
    for (size_t i = 0; list && good && i < extents.count; i++)
        good = add_extent(p, &all, &extents.list[i], name, h->sh_addr);
    free(list);
    free(extents.list);
    return good;
}

static bool add_sections(struct program *p, const struct addresses *a, Elf *elf) {
    size_t names;
    if (elf_getshdrstrndx(elf, &names) != 0) return true;
    Elf_Scn *section = NULL;
    struct code_symbols symbols;
    bool good = code_symbols_find(elf, elf_module_dwfl(p->module), &symbols);
    while (good && (section = elf_nextscn(elf, section))) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header) || !(header.sh_flags & SHF_EXECINSTR) || !header.sh_size) continue;
        const char *name = elf_strptr(elf, names, header.sh_name);
        good = add_section(p, a, &symbols, &header, name ? name : "code");
    }
    code_symbols_free(&symbols);
    return good;
}

// Functions were added in the order of sections: blocks begin where their functions do.
static bool settle(struct program *p) {
    program_sort(p);
    for (size_t i = 0; i < p->count; i++)
        p->instructions[i].block = (uint32_t)p->functions[p->instructions[i].function].first;
    return function_names_tell_apart(p->functions, p->function_count) &&
           (p->debug = debug_info_create(p->module ? elf_module_dwfl(p->module) : NULL));
}

static struct program *load(int fd, const char *path, const char *debug_dir, const struct addresses *a) {
    struct program *p = calloc(1, sizeof *p);
    bool good = false;
    if (p && (p->module = elf_module_open(fd, path, debug_dir))) {
        elf_version(EV_CURRENT);
        Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
        if (elf) elf_build_id(elf, p->build_id, sizeof p->build_id);
        if (elf) elf_digest(fd, elf, p->digest);
        good = elf && add_sections(p, a, elf) && settle(p);
        elf_end(elf);
    }
    if (good) return p;
    program_destroy(p);
    return NULL;
}

struct program *program_sampled(const char *path, const char *debug_dir, uint64_t *pcs, size_t count,
                                struct error *err) {
    const int fd = image_open(path, err);
    struct program *p = NULL;
    if (fd >= 0 && elf_check_file(path, fd, err)) {
        const struct addresses a = sorted(pcs, count);
        p = load(fd, path, debug_dir, &a);
        if (!p) error_nomem(err, path);
    }
    if (fd >= 0) close(fd);
    return p;
}

struct program *program_bare(const char *name, uint64_t *pcs, size_t count) {
    struct program *p = calloc(1, sizeof *p);
    pcs[count++] = 0; // where it begins
    const struct addresses a = sorted(pcs, count);
    if (p && add_function(p, &a, 0, strdup(name), NULL, 0, 0, UINT64_MAX) && settle(p)) return p;
    program_destroy(p);
    return NULL;
}

bool program_is_foreign(const char *path) {
    const int fd = image_open(path, NULL);
    GElf_Ehdr h;
    if (fd < 0) return false;
    bool is = false;
    if (elf_check_file(path, fd, NULL)) {
        elf_version(EV_CURRENT);
        Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
        is = elf && elf_kind(elf) == ELF_K_ELF && gelf_getehdr(elf, &h) && h.e_ident[EI_CLASS] == ELFCLASS64 &&
             h.e_ident[EI_DATA] == ELFDATA2LSB && h.e_machine != EM_RISCV;
        elf_end(elf);
    }
    close(fd);
    return is;
}
