// Symbols of an ELF file by name: elf_symbols.h.
#include "base/elf_symbols.h"
#include "base/array.h"
#include "base/paths.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAMED = 4 }; // places printed for one name

struct symbol {
    char *name;
    const char *file; // of a file's own, or NULL
    uint64_t value, bytes;
    unsigned type, binding;
    bool in_code; // its section is executable
};

struct elf_symbols {
    struct symbol *list;
    char **files;
    size_t count, capacity, file_count, file_capacity;
};

struct elf_symbols *elf_symbols_create(void) {
    return calloc(1, sizeof(struct elf_symbols));
}

void elf_symbols_destroy(struct elf_symbols *s) {
    if (!s) return;
    for (size_t i = 0; i < s->count; i++)
        free(s->list[i].name);
    for (size_t i = 0; i < s->file_count; i++)
        free(s->files[i]);
    free(s->list);
    free(s->files);
    free(s);
}

static bool is_executable(Elf *elf, uint32_t section) {
    GElf_Shdr header;
    Elf_Scn *scn = section >= SHN_LORESERVE ? NULL : elf_getscn(elf, section);
    return scn && gelf_getshdr(scn, &header) && header.sh_flags & SHF_EXECINSTR;
}

static bool add_file(struct elf_symbols *s, const char *name, const char **file) {
    char *copy = strdup(paths_name(name));
    if (!copy || !array_reserve(&s->files, &s->file_capacity, s->file_count, sizeof *s->files)) {
        free(copy);
        return false;
    }
    *file = s->files[s->file_count++] = copy;
    return true;
}

static bool add(struct elf_symbols *s, Elf *elf, const GElf_Sym *symbol, const char *name, const char *file) {
    const unsigned type = GELF_ST_TYPE(symbol->st_info), binding = GELF_ST_BIND(symbol->st_info);
    char *copy = strdup(name);
    if (!copy || !array_reserve(&s->list, &s->capacity, s->count, sizeof *s->list)) {
        free(copy);
        return false;
    }
    s->list[s->count++] = (struct symbol){.name = copy,
                                          .file = binding == STB_LOCAL ? file : NULL,
                                          .value = symbol->st_value,
                                          .bytes = symbol->st_size,
                                          .type = type,
                                          .binding = binding,
                                          .in_code = is_executable(elf, symbol->st_shndx)};
    return true;
}

bool elf_symbols_add(struct elf_symbols *s, Elf *elf, Elf_Scn *section, const GElf_Shdr *header) {
    Elf_Data *data = elf_getdata(section, NULL);
    if (!data || header->sh_entsize == 0) return true;
    const size_t count = header->sh_size / header->sh_entsize;
    const char *file = NULL; // the file of the symbols after it
    bool good = true;
    for (size_t i = 0; good && i < count; i++) {
        GElf_Sym symbol;
        if (!gelf_getsym(data, (int)i, &symbol) || symbol.st_shndx == SHN_UNDEF) continue;
        const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);
        const unsigned type = GELF_ST_TYPE(symbol.st_info);
        if (type == STT_FILE) {
            file = NULL;
            good = !name || !*name || add_file(s, name, &file);
        } else if (name && *name && type != STT_SECTION) {
            good = add(s, elf, &symbol, name, file);
        }
    }
    return good;
}

// ---- by name ----
static bool is_called(const struct symbol *s, const char *name) {
    if (strcmp(s->name, name) == 0) return true;
    const size_t bytes = s->file ? strlen(s->file) : 0;
    return bytes && strncmp(name, s->file, bytes) == 0 && name[bytes] == ':' && strcmp(name + bytes + 1, s->name) == 0;
}

static bool is_variable(const struct symbol *s) {
    return s->type == STT_OBJECT || s->type == STT_COMMON || s->type == STT_TLS;
}

static bool is_function(const struct symbol *s) {
    return s->type == STT_FUNC || s->type == STT_GNU_IFUNC;
}

// Of several the greatest is meant; 0: it is not for that use.
static int fitness(const struct symbol *s, enum symbol_use use) {
    const int binding = s->binding == STB_LOCAL ? 1 : s->binding == STB_WEAK ? 2 : 3;
    switch (use) {
    case SYMBOL_CODE: return is_variable(s) ? 0 : 4 * binding + 2 * is_function(s) + s->in_code;
    case SYMBOL_DATA: return 4 * (is_variable(s) ? 2 : !is_function(s)) + binding;
    default: return binding;
    }
}

// Where there are several equally good ones.
static void tell_all(const struct elf_symbols *s, enum symbol_use use, const char *name, int best, struct error *why) {
    char list[384] = "";
    size_t used = 0, count = 0;
    for (size_t i = 0; i < s->count; i++) {
        const struct symbol *at = &s->list[i];
        if (!is_called(at, name) || fitness(at, use) != best || count++ >= MOST_NAMED) continue;
        const int bytes =
            snprintf(list + used, sizeof list - used, "%s%.24s%s%.24s (0x%llx)", count > 1 ? ", " : "",
                     at->file ? at->file : "", at->file ? ":" : "", at->name, (unsigned long long)at->value);
        used += bytes > 0 && (size_t)bytes < sizeof list - used ? (size_t)bytes : 0;
    }
    error_set(why, "names %zu places: %s%s: name one so, or by its address", count, list,
              count > MOST_NAMED ? ", ..." : "");
}

enum symbol_answer elf_symbols_find(const struct elf_symbols *s, enum symbol_use use, const char *name, uint64_t *value,
                                    uint64_t *bytes, struct error *why) {
    const struct symbol *best = NULL;
    bool unclear = false;
    for (size_t i = 0; i < s->count; i++) {
        const struct symbol *at = &s->list[i];
        if (!is_called(at, name)) continue;
        if (!best || fitness(at, use) > fitness(best, use)) {
            best = at;
            unclear = false;
        } else if (fitness(at, use) == fitness(best, use)) {
            unclear = unclear || at->value != best->value;
        }
    }
    if (!best) return SYMBOL_UNKNOWN;
    if (!fitness(best, use)) {
        error_set(why, "is a variable: name a function or a label");
    } else if (unclear) {
        tell_all(s, use, name, fitness(best, use), why);
    } else {
        *value = best->value;
        *bytes = best->bytes;
        return SYMBOL_FOUND;
    }
    return SYMBOL_UNCLEAR;
}

// ---- by address ----
// Labels of the compiler, and marks of code and data, are no places.
static bool is_place(const struct symbol *s) {
    return (is_function(s) || (s->type == STT_NOTYPE && s->in_code)) && s->name[0] != '$' && s->name[0] != '.';
}

// Of two at one address, the better name.
static bool is_better(const struct symbol *s, const struct symbol *than) {
    if (!than || s->value != than->value) return !than || s->value > than->value;
    return is_function(s) != is_function(than) ? is_function(s) : s->binding != STB_LOCAL && than->binding == STB_LOCAL;
}

const char *elf_symbols_code_at(const struct elf_symbols *s, uint64_t address, uint64_t *start, uint64_t *end) {
    const struct symbol *best = NULL;
    *start = 0;
    *end = UINT64_MAX;
    for (size_t i = 0; i < s->count; i++) {
        const struct symbol *one = &s->list[i];
        if (!is_place(one)) continue;
        if (one->value > address) {
            *end = one->value < *end ? one->value : *end;
        } else if (is_better(one, best)) {
            best = one;
        }
    }
    if (!best) return NULL;
    *start = best->value;
    if (!best->bytes) return best->name;
    if (address - best->value >= best->bytes) {
        *start = best->value + best->bytes;
        return NULL;
    }
    *end = best->value + best->bytes < *end ? best->value + best->bytes : *end;
    return best->name;
}
